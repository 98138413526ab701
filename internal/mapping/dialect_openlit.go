package mapping

// openLIT is OpenLIT and Spring AI where they leave the conventions (7.25).
var openLIT = Dialect{
	Name:   "openlit-spring",
	Source: "openlit/openlit sdk/python/src/openlit/semcov; spring-projects/spring-ai observation handlers",
	Rows: []Row{
		{Key: "gen_ai.content.revised_prompt", Slot: SlotToolArguments},
		{Key: "gen_ai.content.revised_prompt/**", Slot: SlotToolArguments},
		{Key: "gen_ai.tools.message/**", Slot: SlotToolResult},
		{Key: "gen_ai.tool.args", Slot: SlotToolArguments},
		{Key: "gen_ai.response.tool_calls", Slot: SlotOutput},
		{Key: "gen_ai.agent.human_input", Slot: SlotInput},
		{Key: "gen_ai.agent.task", Slot: SlotInput},
		{Key: "gen_ai.agent.context", Slot: SlotInput},
		{Key: "gen_ai.agent.instructions", Slot: SlotSource},
		{Key: "gen_ai.agent.actual_output", Slot: SlotOutput},
		{Key: "gen_ai.agent.tool_results", Slot: SlotToolResult},
		{Key: "db.query.text", Slot: SlotQuery},
		{Key: "db.vector.query.content", Slot: SlotQuery},
		{Key: "db.vector.query.response.documents", Slot: SlotDocuments},
		{Key: "spring.ai.tool.call.arguments", Slot: SlotToolArguments},
		{Key: "spring.ai.tool.call.result", Slot: SlotToolResult},
	},
}
