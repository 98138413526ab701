package redteam

import (
	"fmt"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// openInference writes the convention of Phoenix.
type openInference struct{}

func (openInference) about() (string, string, string) {
	return "python", "openinference.instrumentation.openai_agents", "1.3.0"
}

func (d openInference) run(s ptrace.Span, name, request, answer string) bool {
	s.SetName(name)
	d.step(s, "CHAIN", request, answer)
	return true
}

func (d openInference) agent(s ptrace.Span, a *agentRun) {
	s.SetName(a.name)
	puts(s, "agent.name", a.name, "graph.node.id", a.name)
	d.step(s, "AGENT", a.input, a.output)
}

func (d openInference) model(s ptrace.Span, a *agentRun, history []message, reply message) {
	s.SetName("ChatCompletion")
	puts(s, "openinference.span.kind", "LLM", "llm.model_name", modelName, "llm.system", "openai")
	d.message(s, "llm.input_messages.0.message.", message{role: "system", text: a.system})
	for i, m := range history {
		d.message(s, fmt.Sprintf("llm.input_messages.%d.message.", i+1), m)
	}
	d.message(s, "llm.output_messages.0.message.", reply)
}

func (d openInference) tool(s ptrace.Span, c *call) {
	s.SetName(c.tool)
	if c.does == deedSearch {
		d.step(s, "RETRIEVER", c.query, c.result)
		puts(s, "retrieval.documents.0.document.id", "doc_1", "retrieval.documents.0.document.content", c.result)
		return
	}
	puts(s, "tool.name", c.tool)
	d.step(s, "TOOL", c.args, c.result)
}

// step writes the kind, the input and the output of a span.
func (openInference) step(s ptrace.Span, kind, in, out string) {
	puts(s, "openinference.span.kind", kind, "input.value", in, "input.mime_type", mimeType(in), "output.value", out,
		"output.mime_type", mimeType(out))
}

func mimeType(text string) string {
	if text != "" && (text[0] == '{' || text[0] == '[') {
		return "application/json"
	}
	return "text/plain"
}

func (openInference) message(s ptrace.Span, prefix string, m message) {
	puts(s, prefix+"role", m.role)
	switch {
	case m.role == "tool":
		puts(s, prefix+"content", m.text, prefix+"tool_call_id", m.call.id)
	case m.call != nil:
		p := prefix + "tool_calls.0.tool_call."
		puts(s, p+"id", m.call.id, p+"function.name", m.call.tool, p+"function.arguments", m.call.args)
	case m.thought != "":
		p := prefix + "contents."
		puts(s, p+"0.message_content.type", "reasoning", p+"0.message_content.text", m.thought,
			p+"1.message_content.type", "text", p+"1.message_content.text", m.text)
	default:
		puts(s, prefix+"content", m.text)
	}
}
