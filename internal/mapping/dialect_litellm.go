package mapping

// liteLLM is LiteLLM's raw request span: what went to a provider and came back, under llm.<provider>.<parameter>, beside
// a parent that holds the same as messages (7.19). Its other keys are those of otel-genai.
var liteLLM = Dialect{
	Name:   "litellm",
	Source: "BerriAI/litellm litellm/integrations/opentelemetry.py",
	Rows: []Row{
		{Key: "guardrail_response", Slot: SlotLog},
		{Key: "guardrail_information", Slot: SlotLog},
		{Key: "llm.openai.**", Slot: SlotReplay},
		{Key: "llm.azure.**", Slot: SlotReplay},
		{Key: "llm.anthropic.**", Slot: SlotReplay},
		{Key: "llm.bedrock.**", Slot: SlotReplay},
		{Key: "llm.vertex_ai.**", Slot: SlotReplay},
		{Key: "llm.gemini.**", Slot: SlotReplay},
		{Key: "llm.mistral.**", Slot: SlotReplay},
		{Key: "llm.cohere.**", Slot: SlotReplay},
		{Key: "llm.groq.**", Slot: SlotReplay},
		{Key: "llm.ollama.**", Slot: SlotReplay},
		{Key: "llm.openrouter.**", Slot: SlotReplay},
		{Key: "llm.together_ai.**", Slot: SlotReplay},
	},
}
