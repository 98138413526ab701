package mapping

// geminiCLI is Gemini CLI and its fork Qwen Code (7.24). Its spans are those of otel-genai.
var geminiCLI = Dialect{
	Name:   "gemini-cli",
	Source: "google-gemini/gemini-cli packages/core/src/telemetry/{types,trace,constants,semantic}.ts",
	Rows: []Row{
		{Key: "gemini_cli.user_prompt/prompt", Slot: SlotSource},
		{Key: "gemini_cli.tool_call/function_args", Slot: SlotToolArguments},
		{Key: "gemini_cli.api_request/request_text", Slot: SlotInput},
		{Key: "gemini_cli.api_response/response_text", Slot: SlotOutput},
		{Key: "qwen-code.user_prompt/prompt", Slot: SlotSource},
		{Key: "qwen-code.tool_call/function_args", Slot: SlotToolArguments},
		{Key: "qwen-code.api_request/request_text", Slot: SlotInput},
		{Key: "qwen-code.api_response/response_text", Slot: SlotOutput},
		{Key: "installation.id", Slot: SlotNone},
	},
}
