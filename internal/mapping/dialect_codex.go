package mapping

// codex is the Codex CLI: log records, one for a tool's arguments and its output (7.23).
var codex = Dialect{
	Name:   "codex-cli",
	Source: "openai/codex codex-rs/otel/src/events/session_telemetry.rs",
	Rows: []Row{
		{Key: "codex.user_prompt/prompt", Slot: SlotSource},
		{Key: "codex.tool_result/arguments", Slot: SlotToolArguments},
		{Key: "codex.tool_result/output", Slot: SlotToolResult},
		{Key: "conversation.id", Slot: SlotNone},
		{Key: "user.account_id", Slot: SlotNone},
	},
}
