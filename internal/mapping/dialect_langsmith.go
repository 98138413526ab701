package mapping

// langSmith is LangSmith's exporter (7.12). A run's inputs and outputs stand in gen_ai.prompt and gen_ai.completion,
// whose rows are those of otel-genai-legacy: the span's kind says what they are.
var langSmith = Dialect{
	Name:   "langsmith",
	Source: "langchain-ai/langsmith-sdk python/langsmith/_internal/otel/_otel_exporter.py",
	Rows: []Row{
		{Key: "langsmith.span.kind", Slot: SlotNone},
		{Key: "langsmith.trace.**", Slot: SlotNone},
		{Key: "langsmith.request.headers", Slot: SlotLog},
		{Key: "gen_ai.request.extra_query", Slot: SlotLog},
		{Key: "gen_ai.request.extra_body", Slot: SlotLog},
		{Key: "gen_ai.serialized.**", Slot: SlotNone},
	},
}
