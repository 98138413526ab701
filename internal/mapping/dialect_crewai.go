package mapping

import "github.com/agentleak/otelcol-agentleak/internal/agentrisk"

// crewAI is CrewAI through OpenLLMetry (7.17): operators' texts are sources, a task's context is what another agent
// wrote.
var crewAI = Dialect{
	Name:   "crewai",
	Source: "traceloop/openllmetry packages/opentelemetry-instrumentation-crewai",
	Rows: []Row{
		{Key: "crewai.crew.result", Slot: SlotOutput},
		{Key: "crewai.flow.result", Slot: SlotOutput},
		{Key: "crewai.crew.tasks_output", Slot: SlotChannel, Channel: agentrisk.ChannelInterAgentMessage},
		{Key: "crewai.crew.**", Slot: SlotSource},
		{Key: "crewai.flow.**", Slot: SlotSource},
		{Key: "crewai.task.context", Slot: SlotChannel, Channel: agentrisk.ChannelInterAgentMessage},
		{Key: "crewai.task.**", Slot: SlotSource},
		{Key: "crewai.agent.**", Slot: SlotSource},
	},
}
