package mapping

import "github.com/agentleak/otelcol-agentleak/internal/agentrisk"

// openInferenceFamily is what single libraries add to OpenInference (7.5): smolagents and CrewAI, its memory among them
// (section 5). Memory operations come as span events and as prefixed attributes on the active span.
var openInferenceFamily = Dialect{
	Name:   "openinference-family",
	Source: "Arize-ai/openinference python/instrumentation/openinference-instrumentation-{smolagents,crewai}",
	Rows: []Row{
		{Key: "smolagents.task", Slot: SlotInput},
		{Key: "smolagents.additional_args", Slot: SlotSource},
		{Key: "smolagents.managed_agents.**", Slot: SlotNone},
		{Key: "smolagents.tools_names", Slot: SlotNone},
		{Key: "smolagents.max_steps", Slot: SlotNone},

		{Key: "crew_key", Slot: SlotNone},
		{Key: "crew_id", Slot: SlotNone},
		{Key: "crew_inputs", Slot: SlotSource},
		{Key: "flow_inputs", Slot: SlotSource},
		{Key: "crew_agents", Slot: SlotSource},
		{Key: "crew_tasks", Slot: SlotSource},
		{Key: "task_key", Slot: SlotNone},
		{Key: "task_id", Slot: SlotNone},
		{Key: "formatted_description", Slot: SlotSource},
		{Key: "formatted_expected_output", Slot: SlotSource},

		{Key: "short_term_memory.save.**", Slot: SlotChannel, Channel: agentrisk.ChannelSharedMemory},
		{Key: "long_term_memory.save.**", Slot: SlotChannel, Channel: agentrisk.ChannelSharedMemory},
		{Key: "entity_memory.save.**", Slot: SlotChannel, Channel: agentrisk.ChannelSharedMemory},
		{Key: "short_term_memory.search.query", Slot: SlotQuery},
		{Key: "short_term_memory.search.**", Slot: SlotDocuments},
		{Key: "long_term_memory.search.query", Slot: SlotQuery},
		{Key: "long_term_memory.search.**", Slot: SlotDocuments},
		{Key: "entity_memory.search.query", Slot: SlotQuery},
		{Key: "entity_memory.search.**", Slot: SlotDocuments},
		{Key: "short_term_memory.save/**", Slot: SlotChannel, Channel: agentrisk.ChannelSharedMemory},
		{Key: "long_term_memory.save/**", Slot: SlotChannel, Channel: agentrisk.ChannelSharedMemory},
		{Key: "entity_memory.save/**", Slot: SlotChannel, Channel: agentrisk.ChannelSharedMemory},
		{Key: "short_term_memory.search/query", Slot: SlotQuery},
		{Key: "short_term_memory.search/**", Slot: SlotDocuments},
		{Key: "long_term_memory.search/query", Slot: SlotQuery},
		{Key: "long_term_memory.search/**", Slot: SlotDocuments},
		{Key: "entity_memory.search/query", Slot: SlotQuery},
		{Key: "entity_memory.search/**", Slot: SlotDocuments},
	},
}
