package mapping

// haystack is Haystack's own tracing (7.18). What a component is stands in its type.
var haystack = Dialect{
	Name:   "haystack",
	Source: "deepset-ai/haystack haystack/tracing, haystack/core/pipeline/pipeline.py",
	Rows: []Row{
		{Key: "haystack.pipeline.input_data", Slot: SlotInput},
		{Key: "haystack.pipeline.output_data", Slot: SlotOutput},
		{Key: "haystack.component.input", Slot: SlotInput},
		{Key: "haystack.component.output", Slot: SlotOutput},
		{Key: "haystack.agent.input", Slot: SlotInput},
		{Key: "haystack.agent.output", Slot: SlotOutput},
		{Key: "haystack.component.name", Slot: SlotNone},
		{Key: "haystack.component.type", Slot: SlotNone},
		{Key: "haystack.component.input_types", Slot: SlotNone},
		{Key: "haystack.component.input_spec", Slot: SlotNone},
		{Key: "haystack.component.output_spec", Slot: SlotNone},
	},
}
