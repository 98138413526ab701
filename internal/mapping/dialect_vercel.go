package mapping

// vercelAI is the AI SDK's older spans (7.7).
var vercelAI = Dialect{
	Name:   "vercel-ai-sdk",
	Source: "vercel/ai packages/otel/src/legacy-open-telemetry.ts",
	Rows: []Row{
		{Key: "ai.prompt", Slot: SlotInput},
		{Key: "ai.prompt.messages", Slot: SlotInput},
		{Key: "ai.response.text", Slot: SlotOutput},
		{Key: "ai.response.object", Slot: SlotOutput},
		{Key: "ai.response.toolCalls", Slot: SlotOutput},
		{Key: "ai.response.files", Slot: SlotOutput},
		{Key: "ai.response.reasoning", Slot: SlotLog},
		{Key: "ai.toolCall.args", Slot: SlotToolArguments},
		{Key: "ai.toolCall.result", Slot: SlotToolResult},
		{Key: "ai.documents", Slot: SlotDocuments},
		{Key: "ai.request.headers.**", Slot: SlotLog},

		{Key: "ai.prompt.tools", Slot: SlotNone},
		{Key: "ai.prompt.toolChoice", Slot: SlotNone},
		{Key: "ai.schema", Slot: SlotNone},
		{Key: "ai.schema.**", Slot: SlotNone},
		{Key: "ai.value", Slot: SlotNone},
		{Key: "ai.values", Slot: SlotNone},
		{Key: "ai.embedding", Slot: SlotNone},
		{Key: "ai.embeddings", Slot: SlotNone},
		{Key: "ai.toolCall.name", Slot: SlotNone},
		{Key: "ai.toolCall.id", Slot: SlotNone},
		{Key: "ai.operationId", Slot: SlotNone},
		{Key: "ai.model.**", Slot: SlotNone},
		{Key: "ai.usage.**", Slot: SlotNone},
		{Key: "ai.telemetry.functionId", Slot: SlotNone},
		{Key: "ai.telemetry.metadata.userId", Slot: SlotNone},
		{Key: "ai.telemetry.metadata.sessionId", Slot: SlotNone},
	},
}
