package redteam

import (
	"encoding/json"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// vercelAI writes the spans of the AI SDK. An agent is a call of generateText, one below the other.
type vercelAI struct{}

func (vercelAI) about() (string, string, string) { return "nodejs", "ai", "" }

func (vercelAI) run(ptrace.Span, string, string, string) bool { return false }

func (d vercelAI) agent(s ptrace.Span, a *agentRun) {
	d.operation(s, "ai.generateText", a.name)
	puts(s, "ai.prompt", object("system", a.system, "messages", []json.RawMessage{d.message(message{role: "user", text: a.input})}),
		"ai.response.text", a.output, "ai.response.finishReason", "stop")
}

func (d vercelAI) model(s ptrace.Span, a *agentRun, history []message, reply message) {
	d.operation(s, "ai.generateText.doGenerate", a.name)
	list := []json.RawMessage{json.RawMessage(object("role", "system", "content", a.system))}
	for _, m := range history {
		list = append(list, d.message(m))
	}
	puts(s, "gen_ai.system", "openai.chat", "gen_ai.request.model", modelName, "ai.prompt.messages", quote(list))
	if reply.thought != "" {
		puts(s, "ai.response.reasoning", reply.thought)
	}
	if c := reply.call; c != nil {
		puts(s, "ai.response.toolCalls", "["+object("toolCallId", c.id, "toolName", c.tool, "input", json.RawMessage(c.args))+"]",
			"ai.response.finishReason", "tool-calls")
		return
	}
	puts(s, "ai.response.text", reply.text, "ai.response.finishReason", "stop")
}

func (d vercelAI) tool(s ptrace.Span, c *call) {
	d.operation(s, "ai.toolCall", "")
	puts(s, "ai.toolCall.name", c.tool, "ai.toolCall.id", c.id, "ai.toolCall.args", c.args, "ai.toolCall.result", quoted(c.result))
}

func (vercelAI) operation(s ptrace.Span, name, function string) {
	s.SetName(name)
	puts(s, "operation.name", name, "ai.operationId", name)
	if function != "" {
		puts(s, "ai.telemetry.functionId", function, "ai.model.provider", "openai.chat", "ai.model.id", modelName)
	}
}

// quoted is a result as the SDK writes it: JSON, a text among it.
func quoted(result string) string {
	if mimeType(result) == "application/json" {
		return result
	}
	return quote(result)
}

func (vercelAI) message(m message) json.RawMessage {
	part := func(members ...any) []json.RawMessage { return []json.RawMessage{json.RawMessage(object(members...))} }
	var content any
	switch {
	case m.role == "tool":
		content = part("type", "tool-result", "toolCallId", m.call.id, "toolName", m.call.tool,
			"output", json.RawMessage(object("type", "text", "value", m.text)))
	case m.call != nil:
		content = part("type", "tool-call", "toolCallId", m.call.id, "toolName", m.call.tool, "input", json.RawMessage(m.call.args))
	default:
		content = part("type", "text", "text", m.text)
	}
	return json.RawMessage(object("role", m.role, "content", content))
}
