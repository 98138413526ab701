package audit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// reshape writes the messages of gen_ai spans in another shape.
func reshape(to func([]message) any) func(telemetry, *rand.Rand) {
	return func(c telemetry, _ *rand.Rand) {
		c.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
			for _, k := range []string{"gen_ai.input.messages", "gen_ai.output.messages"} {
				if v, ok := s.Attributes().Get(k); ok && genAI(s) {
					if ms, ok := parseMessages(v); ok {
						v.SetStr(jsonText(to(ms)))
					}
				}
			}
		})
	}
}

// A writer of another dialect's attributes for a gen_ai span.
type dialect struct {
	kinds    map[string]string // by spanKinds
	kindKey  string
	in, out  string
	quote    bool
	messages func([]message) any
}

// translate writes gen_ai spans in another dialect, where all of a span's content can be.
func (d dialect) translate(c telemetry, _ *rand.Rand) {
	c.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
		if !genAI(s) {
			return
		}
		op, _ := s.Attributes().Get("gen_ai.operation.name")
		kind := spanKinds[op.Str()]
		type move struct{ from, to, text string }
		var moves []move
		for _, side := range sides {
			v, ok := s.Attributes().Get(side[0])
			if !ok {
				continue
			}
			text := v.AsString()
			if side[0] == "gen_ai.input.messages" || side[0] == "gen_ai.output.messages" {
				ms, ok := parseMessages(v)
				if !ok || kind == "TOOL" {
					return
				}
				text = jsonText(d.messages(ms))
			}
			to := d.in
			if side[1] == "output.value" {
				to = d.out
			}
			if d.quote {
				data, _ := json.Marshal(text)
				text = string(data)
			}
			moves = append(moves, move{side[0], to, text})
		}
		k := d.kinds[kind]
		if d.quote {
			k = `"` + k + `"`
		}
		s.Attributes().PutStr(d.kindKey, k)
		for _, m := range moves {
			s.Attributes().Remove(m.from)
			s.Attributes().PutStr(m.to, m.text)
		}
		s.Attributes().Remove("gen_ai.operation.name")
	})
}

var dialects = map[string]dialect{
	"langfuse": {map[string]string{"LLM": "generation", "AGENT": "agent", "TOOL": "tool"}, "langfuse.observation.type",
		"langfuse.observation.input", "langfuse.observation.output", false, shapes["openai chat"]},
	"mlflow": {map[string]string{"LLM": "CHAT_MODEL", "AGENT": "AGENT", "TOOL": "TOOL"}, "mlflow.spanType",
		"mlflow.spanInputs", "mlflow.spanOutputs", true, shapes["anthropic"]},
	"openllmetry": {map[string]string{"LLM": "unknown", "AGENT": "agent", "TOOL": "tool"}, "traceloop.span.kind",
		"traceloop.entity.input", "traceloop.entity.output", false, shapes["langchain constructor"]},
	"dify": {map[string]string{"LLM": "LLM", "AGENT": "AGENT", "TOOL": "TOOL"}, "gen_ai.span.kind",
		"input.value", "output.value", false, shapes["request"]},
	"laminar": {map[string]string{"LLM": "LLM", "AGENT": "AGENT", "TOOL": "TOOL"}, "lmnr.span.type",
		"lmnr.span.input", "lmnr.span.output", false, shapes["gemini"]},
	"voltagent": {map[string]string{"LLM": "llm", "AGENT": "agent", "TOOL": "tool"}, "span.type",
		"input", "output", false, shapes["vercel"]},
	"mastra": {map[string]string{"LLM": "model_generation", "AGENT": "agent_run", "TOOL": "tool_call"}, "mastra.span.type",
		"input", "output", false, shapes["openai chat"]},
}

// numbered writes the messages of gen_ai's model spans as gen_ai.prompt.N (7.6).
func numbered(c telemetry, _ *rand.Rand) {
	c.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
		op, _ := s.Attributes().Get("gen_ai.operation.name")
		if !genAI(s) || spanKinds[op.Str()] != "LLM" {
			return
		}
		for i, k := range []string{"gen_ai.input.messages", "gen_ai.output.messages"} {
			v, ok := s.Attributes().Get(k)
			if !ok {
				continue
			}
			ms, ok := parseMessages(v)
			if !ok {
				continue
			}
			s.Attributes().Remove(k)
			for n, o := range openAI(ms).([]any) {
				m := o.(object)
				at := []string{"gen_ai.prompt.", "gen_ai.completion."}[i] + fmt.Sprint(n) + "."
				s.Attributes().PutStr(at+"role", m["role"].(string))
				if t, ok := m["content"].(string); ok {
					s.Attributes().PutStr(at+"content", t)
				}
				if id, ok := m["tool_call_id"].(string); ok {
					s.Attributes().PutStr(at+"tool_call_id", id)
				}
				calls, _ := m["tool_calls"].([]any)
				for j, call := range calls {
					call := call.(object)
					f := call["function"].(object)
					s.Attributes().PutStr(fmt.Sprintf("%stool_calls.%d.id", at, j), call["id"].(string))
					s.Attributes().PutStr(fmt.Sprintf("%stool_calls.%d.name", at, j), f["name"].(string))
					s.Attributes().PutStr(fmt.Sprintf("%stool_calls.%d.arguments", at, j), f["arguments"].(string))
				}
			}
		}
	})
}

// oldEvents writes the messages of gen_ai's model spans as one event a message (7.2).
func oldEvents(record bool) func(telemetry, *rand.Rand) {
	return func(c telemetry, _ *rand.Rand) {
		c.spans(func(rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) {
			op, _ := s.Attributes().Get("gen_ai.operation.name")
			if !genAI(s) || spanKinds[op.Str()] != "LLM" {
				return
			}
			for i, k := range []string{"gen_ai.input.messages", "gen_ai.output.messages"} {
				v, ok := s.Attributes().Get(k)
				if !ok {
					continue
				}
				ms, ok := parseMessages(v)
				if !ok {
					continue
				}
				s.Attributes().Remove(k)
				for _, o := range openAI(ms).([]any) {
					m := o.(object)
					name := "gen_ai." + m["role"].(string) + ".message"
					body := m
					if i == 1 {
						name = "gen_ai.choice"
						body = object{"index": 0, "finish_reason": "stop", "message": m}
					}
					if record {
						l := newRecord(c, rs, ss, s)
						l.SetEventName(name)
						_ = l.Body().FromRaw(plain(body))
						continue
					}
					e := s.Events().AppendEmpty()
					e.SetName(name)
					e.Attributes().PutStr("gen_ai.event.content", jsonText(body))
				}
			}
		})
	}
}

// plain is x in the types that pdata takes.
func plain(x any) any {
	var out any
	data, _ := json.Marshal(x)
	_ = json.Unmarshal(data, &out)
	return out
}

// adot moves content into one record a span, under the scope's name (7.21).
func adot(c telemetry, _ *rand.Rand) {
	c.spans(func(rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) {
		if !genAI(s) {
			return
		}
		body := object{}
		for _, side := range sides {
			v, ok := s.Attributes().Get(side[0])
			if !ok {
				continue
			}
			member, role := "input", "user"
			if side[1] == "output.value" {
				member, role = "output", "assistant"
			}
			var list []any
			if ms, ok := parseMessages(v); ok {
				list = openAI(ms).([]any)
				if side[0] != "gen_ai.input.messages" && side[0] != "gen_ai.output.messages" {
					return
				}
			} else {
				list = []any{object{"role": role, "content": v.AsString()}}
			}
			body[member] = object{"messages": list}
			s.Attributes().Remove(side[0])
		}
		if len(body) == 0 {
			return
		}
		l := newRecord(c, rs, ss, s)
		l.SetEventName(ss.Scope().Name())
		_ = l.Body().FromRaw(plain(body))
	})
}

func init() {
	for name, f := range shapes {
		permutations = append(permutations, permutation{name: "shape of " + name, change: reshape(f), lossy: name == "gemini"})
	}
	for name, d := range dialects {
		permutations = append(permutations, permutation{name: "dialect " + name, change: d.translate, lossy: name == "laminar" || name == "openllmetry"})
	}
	permutations = append(permutations, permutation{name: "numbered", change: numbered}, permutation{name: "old events", change: oldEvents(false)},
		permutation{name: "old records", change: oldEvents(true)}, permutation{name: "adot", change: adot})
}
