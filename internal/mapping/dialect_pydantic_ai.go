package mapping

// pydanticAI is Pydantic AI and Logfire, formats 1 to 6 (7.8). The message list of a run holds input and output: what
// is before the run's first new message is history.
var pydanticAI = Dialect{
	Name:   "pydantic-ai",
	Source: "pydantic/pydantic-ai pydantic_ai_slim/pydantic_ai/models/instrumented.py, _otel_messages.py",
	Rows: []Row{
		{Key: "pydantic_ai.all_messages", Slot: SlotOutput, Run: true},
		{Key: "all_messages_events", Slot: SlotOutput, Run: true},
		{Key: "events", Slot: SlotOutput, With: "scope:pydantic|scope:logfire|agent_name|model_name|logfire."},
		{Key: "final_result", Slot: SlotOutput, With: "scope:pydantic|scope:logfire|agent_name|model_name|logfire."},
		{Key: "tool_arguments", Slot: SlotToolArguments, With: "scope:pydantic|scope:logfire|agent_name|model_name|logfire."},
		{Key: "tool_response", Slot: SlotToolResult, With: "scope:pydantic|scope:logfire|agent_name|model_name|logfire."},
		{Key: "model_request_parameters", Slot: SlotNone},
		{Key: "logfire.json_schema", Slot: SlotNone},
		{Key: "pydantic_ai.new_message_index", Slot: SlotNone},
		{Key: "agent_name", Slot: SlotNone},
		{Key: "logfire.span_type", Slot: SlotNone},
		{Key: "logfire.pending_parent_id", Slot: SlotNone},
		{Key: "model_name", Slot: SlotNone},
	},
}
