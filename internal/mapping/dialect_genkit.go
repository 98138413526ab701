package mapping

// genkit is Genkit for JavaScript (7.28).
var genkit = Dialect{
	Name:   "genkit",
	Source: "genkit 1.42 (captures)",
	Rows: []Row{
		{Key: "genkit:input", Slot: SlotInput},
		{Key: "genkit:output", Slot: SlotOutput},
		{Key: "genkit:name", Slot: SlotNone},
		{Key: "genkit:path", Slot: SlotNone},
		{Key: "genkit:key", Slot: SlotNone},
		{Key: "genkit:type", Slot: SlotNone},
		{Key: "genkit:state", Slot: SlotNone},
		{Key: "genkit:isRoot", Slot: SlotNone},
		{Key: "genkit:metadata:subtype", Slot: SlotNone},
	},
}
