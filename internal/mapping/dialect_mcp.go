package mapping

// mcp is the Model Context Protocol's conventions (7.3). A tools/call span carries the keys of otel-genai.
var mcp = Dialect{
	Name:   "mcp",
	Source: "open-telemetry/semantic-conventions-genai docs/gen-ai/mcp.md, model/mcp/spans.yaml",
	Rows: []Row{
		{Key: "mcp.resource.uri", Slot: SlotToolArguments},
		{Key: "mcp.method.name", Slot: SlotNone},
		{Key: "mcp.session.id", Slot: SlotNone},
		{Key: "mcp.protocol.version", Slot: SlotNone},
		{Key: "gen_ai.prompt.name", Slot: SlotNone},
		{Key: "jsonrpc.**", Slot: SlotNone},
	},
}
