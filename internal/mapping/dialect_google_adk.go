package mapping

// googleADK is Google's Agent Development Kit (7.9).
var googleADK = Dialect{
	Name:   "google-adk",
	Source: "google/adk-python src/google/adk/telemetry/tracing.py",
	Rows: []Row{
		{Key: "gcp.vertex.agent.llm_request", Slot: SlotInput},
		{Key: "gcp.vertex.agent.llm_response", Slot: SlotOutput},
		{Key: "gcp.vertex.agent.tool_call_args", Slot: SlotToolArguments},
		{Key: "gcp.vertex.agent.tool_response", Slot: SlotToolResult},
		{Key: "gcp.vertex.agent.data", Slot: SlotInput},
		{Key: "gcp.vertex.agent.invocation_id", Slot: SlotNone},
		{Key: "gcp.vertex.agent.session_id", Slot: SlotNone},
		{Key: "gcp.vertex.agent.event_id", Slot: SlotNone},
	},
}
