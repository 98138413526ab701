package mapping

// langfuse is the Langfuse SDK from version 3 (7.11).
var langfuse = Dialect{
	Name:   "langfuse",
	Source: "langfuse/langfuse-python langfuse/_client/attributes.py",
	Rows: []Row{
		{Key: "langfuse.observation.input", Slot: SlotInput},
		{Key: "langfuse.observation.output", Slot: SlotOutput},
		{Key: "langfuse.trace.input", Slot: SlotSource},
		{Key: "langfuse.trace.output", Slot: SlotOutput, Trace: true},
		{Key: "langfuse.observation.prompt.name", Slot: SlotNone},
		{Key: "langfuse.observation.prompt.version", Slot: SlotNone},
		{Key: "langfuse.observation.type", Slot: SlotNone},
		{Key: "langfuse.observation.level", Slot: SlotNone},
		{Key: "langfuse.observation.model.**", Slot: SlotNone},
		{Key: "langfuse.observation.usage_details", Slot: SlotNone},
		{Key: "langfuse.observation.cost_details", Slot: SlotNone},
		{Key: "langfuse.experiment.**", Slot: SlotNone},
		{Key: "langfuse.trace.tags", Slot: SlotNone},
		{Key: "langfuse.trace.name", Slot: SlotNone},
		{Key: "langfuse.session.id", Slot: SlotNone},
		{Key: "langfuse.user.id", Slot: SlotNone},
	},
}
