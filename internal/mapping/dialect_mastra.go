package mapping

// mastra is Mastra with its own exporters (7.28); through Arize's it is openinference.
var mastra = Dialect{
	Name:   "mastra",
	Source: "@mastra/otel-exporter 1.4, @mastra/core 1.71 (captures)",
	Rows:   append(mastraRows("agent_run", "workflow_run", "workflow_step", "model_generation", "model_step", "model_inference", "model_chunk", "tool_call", "mcp_tool_call", "mapping", "generic"), mastraKeys...),
}

var mastraKeys = []Row{
	{Key: "input", Slot: SlotInput, With: inputOutput},
	{Key: "output", Slot: SlotOutput, With: inputOutput},
	{Key: "gen_ai.tool.input", Slot: SlotToolArguments},
	{Key: "gen_ai.tool.output", Slot: SlotToolResult},
	{Key: "mastra.span.type", Slot: SlotNone},
	{Key: "mastra.metadata.runId", Slot: SlotNone},
	{Key: "mastra.metadata.toolCallId", Slot: SlotNone},
	{Key: "mastra.metadata.toolName", Slot: SlotNone},
	{Key: "mastra.metadata.modelMetadata", Slot: SlotNone},
}

// inputOutput is whose bare keys input and output are content.
const inputOutput = "mastra.span.type|scope:@mastra|scope:@voltagent|entity.type|span.type"

func mastraRows(types ...string) []Row {
	var rows []Row
	for _, t := range types {
		rows = append(rows,
			Row{Key: "mastra." + t + ".input", Slot: SlotInput},
			Row{Key: "mastra." + t + ".output", Slot: SlotOutput})
	}
	return rows
}
