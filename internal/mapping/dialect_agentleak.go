package mapping

import "github.com/agentleak/otelcol-agentleak/internal/agentrisk"

// agentLeak is AgentLeak's own trace format as the command line reads it: an event a span, its content under the name
// of its channel. It can't be forged over the network: the processor drops keys under agentleak. from senders.
var agentLeak = Dialect{
	Name:   "agentleak",
	Source: "AgentLeak 0.11 trace JSON",
	Rows: append([]Row{
		{Key: "agentleak.event.source", Slot: SlotNone},
		{Key: "agentleak.event.target", Slot: SlotNone},
	}, channelRows()...),
}

func channelRows() []Row {
	var rows []Row
	for _, c := range agentrisk.Channels() {
		rows = append(rows, Row{Key: "agentleak.event." + c.String(), Slot: SlotChannel, Channel: c})
	}
	return rows
}
