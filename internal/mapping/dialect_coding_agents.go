package mapping

// codingAgents are command-line agents that log: Claude Code, Codex, Gemini CLI and its Qwen fork (7.22 to 7.24). Their
// records stand alone, so a prompt is the user's.
var codingAgents = Dialect{
	Name: "coding-agents",
	Source: "code.claude.com/docs/en/monitoring-usage; openai/codex codex-rs/otel/src/events/session_telemetry.rs; " +
		"google-gemini/gemini-cli packages/core/src/telemetry",
	Rows: []Row{
		{Key: "claude_code.user_prompt/prompt", Slot: SlotSource},
		{Key: "claude_code.assistant_response/response", Slot: SlotOutput},
		{Key: "claude_code.tool_result/tool_parameters", Slot: SlotToolArguments},
		{Key: "claude_code.tool_result/tool_input", Slot: SlotToolArguments},
		{Key: "claude_code.api_request_body/body", Slot: SlotInput},
		{Key: "claude_code.api_response_body/body", Slot: SlotOutput},
		{Key: "tool.output/output", Slot: SlotToolResult},
		{Key: "tool.output/content", Slot: SlotToolResult},
		{Key: "user_prompt", Slot: SlotSource},
		{Key: "new_context", Slot: SlotSource},
		{Key: "response.model_output", Slot: SlotOutput},
		{Key: "tool_input", Slot: SlotToolArguments},
		{Key: "full_command", Slot: SlotToolArguments},

		{Key: "codex.user_prompt/prompt", Slot: SlotSource},
		{Key: "codex.tool_result/arguments", Slot: SlotToolArguments},
		{Key: "codex.tool_result/output", Slot: SlotToolResult},

		{Key: "gemini_cli.user_prompt/prompt", Slot: SlotSource},
		{Key: "gemini_cli.tool_call/function_args", Slot: SlotToolArguments},
		{Key: "gemini_cli.api_request/request_text", Slot: SlotInput},
		{Key: "gemini_cli.api_response/response_text", Slot: SlotOutput},
		{Key: "qwen-code.user_prompt/prompt", Slot: SlotSource},
		{Key: "qwen-code.tool_call/function_args", Slot: SlotToolArguments},
		{Key: "qwen-code.api_request/request_text", Slot: SlotInput},
		{Key: "qwen-code.api_response/response_text", Slot: SlotOutput},

		{Key: "conversation.id", Slot: SlotNone},
		{Key: "organization.id", Slot: SlotNone},
		{Key: "user.account_uuid", Slot: SlotNone},
		{Key: "user.account_id", Slot: SlotNone},
		{Key: "prompt.id", Slot: SlotNone},
		{Key: "installation.id", Slot: SlotNone},
	},
}
