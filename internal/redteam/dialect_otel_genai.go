package redteam

import (
	"encoding/json"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// otelGenAI writes the semantic conventions for generative AI.
type otelGenAI struct{}

func (otelGenAI) about() (string, string, string) {
	return "python", "opentelemetry.util.genai", "0.9.0"
}

func (d otelGenAI) run(s ptrace.Span, name, request, answer string) bool {
	s.SetName("invoke_workflow " + name)
	puts(s, "gen_ai.operation.name", "invoke_workflow", "gen_ai.workflow.name", name)
	d.conversation(s, []message{{role: "user", text: request}}, message{role: "assistant", text: answer})
	return true
}

func (d otelGenAI) agent(s ptrace.Span, a *agentRun) {
	s.SetName("invoke_agent " + a.name)
	puts(s, "gen_ai.operation.name", "invoke_agent", "gen_ai.provider.name", "openai", "gen_ai.agent.name", a.name)
	d.conversation(s, []message{{role: "user", text: a.input}}, message{role: "assistant", text: a.output})
}

func (d otelGenAI) model(s ptrace.Span, a *agentRun, history []message, reply message) {
	s.SetName("chat " + modelName)
	s.SetKind(ptrace.SpanKindClient)
	puts(s, "gen_ai.operation.name", "chat", "gen_ai.provider.name", "openai", "gen_ai.request.model", modelName,
		"gen_ai.system_instructions", "["+object("type", "text", "content", a.system)+"]")
	d.conversation(s, history, reply)
}

func (d otelGenAI) tool(s ptrace.Span, c *call) {
	switch c.does {
	case deedRemember:
		s.SetName("upsert_memory")
		puts(s, "gen_ai.operation.name", "upsert_memory", "gen_ai.memory.store.id", "shared",
			"gen_ai.memory.records", "["+object("content", c.record)+"]")
		return
	case deedRecall:
		s.SetName("search_memory")
		puts(s, "gen_ai.operation.name", "search_memory", "gen_ai.memory.store.id", "shared",
			"gen_ai.memory.query.text", c.query, "gen_ai.memory.records", "["+object("content", c.result)+"]")
		return
	case deedSearch:
		s.SetName("retrieval handbook")
		puts(s, "gen_ai.operation.name", "retrieval", "gen_ai.data_source.id", "handbook",
			"gen_ai.retrieval.query.text", c.query, "gen_ai.retrieval.documents", "["+object("id", "doc_1", "content", c.result)+"]")
		return
	}
	s.SetName("execute_tool " + c.tool)
	puts(s, "gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", c.tool, "gen_ai.tool.type", "function",
		"gen_ai.tool.call.id", c.id)
	if c.does == deedHandOff {
		puts(s, "gen_ai.transfer.mode", "return_to_caller", "gen_ai.transfer.target.name", c.agent, "gen_ai.transfer.target.type", "agent")
	}
	puts(s, "gen_ai.tool.call.arguments", c.args, "gen_ai.tool.call.result", c.result)
}

// conversation writes what went in and what came out.
func (d otelGenAI) conversation(s ptrace.Span, in []message, out message) {
	list := make([]json.RawMessage, len(in))
	for i := range in {
		list[i] = d.message(in[i], false)
	}
	puts(s, "gen_ai.input.messages", quote(list), "gen_ai.output.messages", quote([]json.RawMessage{d.message(out, true)}))
}

func (otelGenAI) message(m message, output bool) json.RawMessage {
	var parts []json.RawMessage
	part := func(members ...any) { parts = append(parts, json.RawMessage(object(members...))) }
	if m.thought != "" {
		part("type", "reasoning", "content", m.thought)
	}
	finish := "stop"
	switch {
	case m.role == "tool":
		part("type", "tool_call_response", "id", m.call.id, "response", m.text)
	case m.call != nil:
		finish = "tool_call"
		part("type", "tool_call", "id", m.call.id, "name", m.call.tool, "arguments", json.RawMessage(m.call.args))
	default:
		part("type", "text", "content", m.text)
	}
	if output {
		return json.RawMessage(object("role", m.role, "parts", parts, "finish_reason", finish))
	}
	return json.RawMessage(object("role", m.role, "parts", parts))
}

// modelName is the model that all stories name.
const modelName = "gpt-4o"

// puts writes string attributes, name after name.
func puts(s ptrace.Span, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		s.Attributes().PutStr(pairs[i], pairs[i+1])
	}
}
