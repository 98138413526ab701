package mapping

// semanticKernel is Semantic Kernel and Agent365, which took its keys over (7.15, 7.27). Its log records are the message
// events of otel-genai-legacy with a JSON string for a body.
var semanticKernel = Dialect{
	Name:   "semantic-kernel",
	Source: "microsoft/semantic-kernel python/semantic_kernel/utils/telemetry; microsoft/Agent365-python",
	Rows: []Row{
		{Key: "gen_ai.agent.invocation_input", Slot: SlotInput},
		{Key: "gen_ai.agent.invocation_output", Slot: SlotOutput},
		{Key: "gen_ai.event.content", Slot: SlotToolResult},
	},
}
