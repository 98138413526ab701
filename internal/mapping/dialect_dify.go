package mapping

// dify is Dify's workflow nodes: the keys of OpenInference with kinds of its own (7.20).
var dify = Dialect{
	Name:   "dify",
	Source: "langgenius/dify api/extensions/otel/parser, semconv/gen_ai.py",
	Rows: []Row{
		{Key: "retrieval.query", Slot: SlotQuery},
		{Key: "retrieval.document", Slot: SlotDocuments},
		{Key: "gen_ai.framework", Slot: SlotNone},
		{Key: "gen_ai.span.kind", Slot: SlotNone},
		{Key: "node.id", Slot: SlotNone},
		{Key: "node.type", Slot: SlotNone},
	},
}
