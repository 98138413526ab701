package mapping

// microsoft is what Agent Framework, Microsoft.Extensions.AI, Semantic Kernel, AutoGen and Agent365 add to the
// conventions above (7.14 to 7.16, 7.27). Their message events are those of otel-genai-legacy.
var microsoft = Dialect{
	Name:   "microsoft",
	Source: "microsoft/agent-framework observability.py; microsoft/semantic-kernel model_diagnostics; Agent365-python",
	Rows: []Row{
		{Key: "gen_ai.agent.invocation_input", Slot: SlotInput},
		{Key: "gen_ai.agent.invocation_output", Slot: SlotOutput},
		{Key: "gen_ai.event.content", Slot: SlotToolResult},
		{Key: "executor.id", Slot: SlotNone},
		{Key: "executor.type", Slot: SlotNone},
		{Key: "message.source_id", Slot: SlotNone},
		{Key: "message.target_id", Slot: SlotNone},
		{Key: "message.destination_executor_id", Slot: SlotNone},
		{Key: "workflow.id", Slot: SlotNone},
		{Key: "workflow.definition", Slot: SlotNone},
	},
}
