package mapping

// Dialects lists the built-in conventions. No two claim one key unless they mean the same by it.
func Dialects() []Dialect {
	return []Dialect{
		identityKeys,
		agentLeak,
		otelGenAI,
		otelGenAILegacy,
		openInference,
		openLLMetry,
		vercelAI,
		mcp,
		openInferenceFamily,
		pydanticAI,
		googleADK,
		langfuse,
		langSmith,
		mlflow,
		agentFramework,
		semanticKernel,
		haystack,
		dify,
		openLIT,
		strands,
		genkit,
		mastra,
		voltAgent,
		crewAI,
		others,
		liteLLM,
		autoGen,
		claudeCode,
		codex,
		geminiCLI,
	}
}

// identityKeys are the allow-list of R11: who and which, never what was said. Scanned and redacted, never scored.
var identityKeys = Dialect{
	Name:   "identity",
	Source: "semantic-conventions 1.41.0 registry: user, enduser, session, gen_ai identifiers",
	Rows: []Row{
		{Key: "user.id", Slot: SlotNone}, {Key: "user.email", Slot: SlotNone}, {Key: "user.name", Slot: SlotNone},
		{Key: "user.full_name", Slot: SlotNone}, {Key: "user.hash", Slot: SlotNone}, {Key: "user_id", Slot: SlotNone},
		{Key: "enduser.**", Slot: SlotNone}, {Key: "session.id", Slot: SlotNone}, {Key: "session.previous_id", Slot: SlotNone},
		{Key: "session_id", Slot: SlotNone}, {Key: "thread.id", Slot: SlotNone}, {Key: "thread.name", Slot: SlotNone},
		{Key: "thread_id", Slot: SlotNone}, {Key: "conversation_id", Slot: SlotNone},
	},
}
