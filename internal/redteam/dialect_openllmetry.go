package redteam

import (
	"encoding/json"
	"fmt"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// openLLMetry writes what Traceloop's decorators and instrumentations do.
type openLLMetry struct{}

func (openLLMetry) about() (string, string, string) { return "python", "traceloop.tracer", "0.40.0" }

func (d openLLMetry) run(s ptrace.Span, name, request, answer string) bool {
	d.entity(s, name, "workflow", object("args", []string{request}, "kwargs", struct{}{}), quote(answer))
	puts(s, "traceloop.workflow.name", name)
	return true
}

func (d openLLMetry) agent(s ptrace.Span, a *agentRun) {
	d.entity(s, a.name, "agent", object("args", []string{a.input}, "kwargs", struct{}{}), quote(a.output))
	puts(s, "gen_ai.agent.name", a.name)
}

func (d openLLMetry) model(s ptrace.Span, a *agentRun, history []message, reply message) {
	s.SetName("openai.chat")
	s.SetKind(ptrace.SpanKindClient)
	puts(s, "gen_ai.system", "openai", "llm.request.type", "chat", "gen_ai.request.model", modelName)
	d.message(s, "gen_ai.prompt.0.", message{role: "system", text: a.system})
	for i, m := range history {
		d.message(s, fmt.Sprintf("gen_ai.prompt.%d.", i+1), m)
	}
	d.message(s, "gen_ai.completion.0.", reply)
	if reply.thought != "" {
		puts(s, "gen_ai.completion.0.reasoning", reply.thought)
	}
	finish := "stop"
	if reply.call != nil {
		finish = "tool_calls"
	}
	puts(s, "gen_ai.completion.0.finish_reason", finish)
}

func (d openLLMetry) tool(s ptrace.Span, c *call) {
	d.entity(s, c.tool, "tool", object("args", []string{}, "kwargs", json.RawMessage(c.args)), quote(c.result))
	puts(s, "gen_ai.tool.name", c.tool)
}

// entity writes what a decorator knows of a function.
func (openLLMetry) entity(s ptrace.Span, name, kind, in, out string) {
	s.SetName(name + "." + kind)
	puts(s, "traceloop.span.kind", kind, "traceloop.entity.name", name, "traceloop.entity.input", in, "traceloop.entity.output", out)
}

func (openLLMetry) message(s ptrace.Span, prefix string, m message) {
	puts(s, prefix+"role", m.role)
	switch {
	case m.role == "tool":
		puts(s, prefix+"content", m.text, prefix+"tool_call_id", m.call.id)
	case m.call != nil:
		p := prefix + "tool_calls.0."
		puts(s, p+"id", m.call.id, p+"name", m.call.tool, p+"arguments", m.call.args)
	default:
		puts(s, prefix+"content", m.text)
	}
}
