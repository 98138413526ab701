package mapping

// otelGenAILegacy is the older generations: content events up to 1.26, one event a message from 1.27 to 1.36, and
// Azure's variant of them with the whole body in one attribute (7.2). The rows of messages name a body, a span event's
// attributes, or both.
var otelGenAILegacy = Dialect{
	Name:   "otel-genai-legacy",
	Source: "open-telemetry/semantic-conventions model/gen-ai/deprecated, 1.26 to 1.36; azure-ai-inference tracing.py",
	Rows: append([]Row{
		{Key: "gen_ai.prompt", Slot: SlotInput},
		{Key: "gen_ai.completion", Slot: SlotOutput},
		{Key: "gen_ai.content.prompt/gen_ai.prompt", Slot: SlotInput},
		{Key: "gen_ai.content.completion/gen_ai.completion", Slot: SlotOutput},
		{Key: "gen_ai.content.prompt/content", Slot: SlotInput},
		{Key: "gen_ai.content.prompt/body", Slot: SlotInput}, // LiteLLM's log events
		{Key: "gen_ai.content.completion/content", Slot: SlotOutput},
		{Key: "gen_ai.content.completion/body", Slot: SlotOutput},
	}, messageRows(
		messageEvent{"gen_ai.system.message", SlotInput, RoleSystem},
		messageEvent{"gen_ai.user.message", SlotInput, RoleUser},
		messageEvent{"gen_ai.assistant.message", SlotInput, RoleAssistant},
		messageEvent{"gen_ai.tool.message", SlotInput, RoleTool},
		messageEvent{"gen_ai.choice", SlotOutput, RoleAssistant},
	)...),
}

type messageEvent struct {
	event string
	slot  Slot
	role  Role
}

// messageRows gives each event of a message its rows: attributes of a span event, and the body of a log record.
func messageRows(events ...messageEvent) []Row {
	var rows []Row
	for _, e := range events {
		for attr, flat := range map[string]Flat{
			"content": FlatContent, "message": FlatNot, "tool_calls": FlatArguments, "gen_ai.event.content": FlatNot,
			"body": FlatNot, "tool.result": FlatContent,
		} {
			role := e.role
			if attr == "tool.result" {
				role = RoleTool // Strands, on a cycle's choice (7.10)
			}
			rows = append(rows, Row{Key: e.event + "/" + attr, Slot: e.slot, Flat: flat, Role: role})
		}
		for _, attr := range []string{"id", "role", "index", "finish_reason", "gen_ai.system", "name"} {
			rows = append(rows, Row{Key: e.event + "/" + attr, Slot: SlotNone})
		}
	}
	return rows
}
