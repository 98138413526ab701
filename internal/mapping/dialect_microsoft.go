package mapping

// agentFramework is Microsoft Agent Framework and Microsoft.Extensions.AI (7.14): content in the keys of otel-genai and
// the message events of otel-genai-legacy, hand-offs between executors that carry none.
var agentFramework = Dialect{
	Name:   "microsoft-agent-framework",
	Source: "microsoft/agent-framework python/packages/core/agent_framework/observability.py; dotnet/extensions OpenTelemetryChatClient.cs",
	Rows: []Row{
		{Key: "executor.id", Slot: SlotNone},
		{Key: "executor.type", Slot: SlotNone},
		{Key: "message.source_id", Slot: SlotNone},
		{Key: "message.target_id", Slot: SlotNone},
		{Key: "message.destination_executor_id", Slot: SlotNone},
		{Key: "workflow.id", Slot: SlotNone},
		{Key: "workflow.definition", Slot: SlotNone},
	},
}
