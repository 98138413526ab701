package mapping

// voltAgent is VoltAgent (7.28). Its bare keys input and output are rows of mastra, its tool.parameters one of
// openinference.
var voltAgent = Dialect{
	Name:   "voltagent",
	Source: "@voltagent/core (captures)",
	Rows: []Row{
		{Key: "agent.messages", Slot: SlotInput},
		{Key: "agent.messages.ui", Slot: SlotReplay},
		{Key: "llm.messages", Slot: SlotInput},
		{Key: "agent.instructions", Slot: SlotSource},
		{Key: "agent.stateSnapshot", Slot: SlotNone},
		{Key: "entity.id", Slot: SlotNone},
		{Key: "entity.name", Slot: SlotNone},
		{Key: "entity.type", Slot: SlotNone},
		{Key: "span.type", Slot: SlotNone},
	},
}
