package mapping

import "github.com/agentleak/otelcol-agentleak/internal/agentrisk"

// strands is Strands Agents beyond the message events of otel-genai-legacy, whose meaning on tool spans is in event
// (7.10). Memory events are those of its JavaScript version.
var strands = Dialect{
	Name:   "strands",
	Source: "strands-agents/sdk-python src/strands/telemetry/tracer.py; @strands-agents/sdk 1.16",
	Rows: []Row{
		{Key: "system_prompt", Slot: SlotSource, With: "gen_ai.|span.type"},
		{Key: "gen_ai.agent.input", Slot: SlotInput},
		{Key: "gen_ai.agent.output", Slot: SlotOutput},
		{Key: "memory.query/content", Slot: SlotQuery},
		{Key: "memory.results/content", Slot: SlotDocuments},
		{Key: "memory.content/content", Slot: SlotChannel, Channel: agentrisk.ChannelSharedMemory},
		{Key: "memory.store.names", Slot: SlotNone},
	},
}
