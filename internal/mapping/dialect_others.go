package mapping

// others are producers seen now and then (7.27): Laminar, LiveKit agents, Weave's tool events.
var others = Dialect{
	Name:   "others",
	Source: "lmnr-ai/lmnr; livekit/agents telemetry/trace_types.py; wandb/weave opentelemetry/constants.py",
	Rows: []Row{
		{Key: "lmnr.span.input", Slot: SlotInput},
		{Key: "lmnr.span.output", Slot: SlotOutput},
		{Key: "lk.user_input", Slot: SlotInput},
		{Key: "lk.user_transcript", Slot: SlotInput},
		{Key: "lk.instructions", Slot: SlotSource},
		{Key: "lk.chat_ctx", Slot: SlotInput},
		{Key: "lk.response.text", Slot: SlotOutput},
		{Key: "lk.response.function_calls", Slot: SlotOutput},
		{Key: "lk.function_tool.arguments", Slot: SlotToolArguments},
		{Key: "lk.function_tool.output", Slot: SlotToolResult},
		{Key: "lk.input_text", Slot: SlotReplay},
		{Key: "lk.pii.user_input", Slot: SlotInput},
		{Key: "lk.pii.user_transcript", Slot: SlotInput},
		{Key: "lk.pii.instructions", Slot: SlotSource},
		{Key: "lk.pii.chat_ctx", Slot: SlotInput},
		{Key: "lk.pii.response.text", Slot: SlotOutput},
		{Key: "lk.pii.response.function_calls", Slot: SlotOutput},
		{Key: "lk.pii.function_tool.arguments", Slot: SlotToolArguments},
		{Key: "lk.pii.function_tool.output", Slot: SlotToolResult},
		{Key: "lk.pii.input_text", Slot: SlotReplay},
		{Key: "lk.pii.participant_identity", Slot: SlotNone},
		{Key: "lk.pii.sip.phoneNumber", Slot: SlotNone},
		{Key: "gen_ai.tool.input/**", Slot: SlotToolArguments},
		{Key: "gen_ai.tool.output/**", Slot: SlotToolResult},
		{Key: "lmnr.span.type", Slot: SlotNone},
	},
}
