package mapping

// claudeCode is Claude Code: log records whose body names the event, and the spans of its beta (7.22). A prompt there is
// the user's.
var claudeCode = Dialect{
	Name:   "claude-code",
	Source: "code.claude.com/docs/en/monitoring-usage; mlflow/mlflow mlflow/tracing/otel/translation/claude_code.py",
	Rows: []Row{
		{Key: "claude_code.user_prompt/prompt", Slot: SlotSource},
		{Key: "claude_code.assistant_response/response", Slot: SlotOutput},
		{Key: "claude_code.tool_result/tool_parameters", Slot: SlotToolArguments},
		{Key: "claude_code.tool_result/tool_input", Slot: SlotToolArguments},
		{Key: "claude_code.api_request_body/body", Slot: SlotInput},
		{Key: "claude_code.api_response_body/body", Slot: SlotOutput},
		{Key: "tool.output/output", Slot: SlotToolResult},
		{Key: "tool.output/content", Slot: SlotToolResult},
		{Key: "tool.output/diff", Slot: SlotToolResult},
		{Key: "file_path", Slot: SlotToolArguments, With: "span.type"},
		{Key: "subagent_type", Slot: SlotNone},
		{Key: "tool_name", Slot: SlotNone},
		{Key: "user_prompt", Slot: SlotSource},
		{Key: "new_context", Slot: SlotSource},
		{Key: "response.model_output", Slot: SlotOutput},
		{Key: "tool_input", Slot: SlotToolArguments},
		{Key: "full_command", Slot: SlotToolArguments},
		{Key: "organization.id", Slot: SlotNone},
		{Key: "user.account_uuid", Slot: SlotNone},
		{Key: "prompt.id", Slot: SlotNone},
	},
}
