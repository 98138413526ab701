package mapping

import "github.com/agentleak/otelcol-agentleak/internal/agentrisk"

// autoGen is the logger autogen_core.events: a JSON body by type (7.16). A message without a sender is the user's, one
// that responds to nobody the final answer.
var autoGen = Dialect{
	Name:   "autogen",
	Source: "microsoft/autogen python/packages/autogen-core/src/autogen_core/logging.py",
	Rows: []Row{
		{Key: "autogen.LLMCall/messages", Slot: SlotInput},
		{Key: "autogen.LLMCall/response", Slot: SlotOutput},
		{Key: "autogen.LLMStreamStart/messages", Slot: SlotInput},
		{Key: "autogen.LLMStreamEnd/messages", Slot: SlotInput},
		{Key: "autogen.LLMStreamEnd/response", Slot: SlotOutput},
		{Key: "autogen.ToolCall/arguments", Slot: SlotToolArguments},
		{Key: "autogen.ToolCall/result", Slot: SlotToolResult},
		{Key: "autogen.UserMessage/payload", Slot: SlotSource},
		{Key: "autogen.Message/payload", Slot: SlotChannel, Channel: agentrisk.ChannelInterAgentMessage},
		{Key: "autogen.FinalMessage/payload", Slot: SlotChannel, Channel: agentrisk.ChannelFinalOutput},
	},
}
