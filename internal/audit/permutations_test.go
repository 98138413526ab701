package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// A permutation changes the form of telemetry and not its meaning.
type permutation struct {
	name   string
	change func(telemetry, *rand.Rand)
	pieces func(ptrace.Traces) []ptrace.Traces
	// lossy: the other form says less, so that a value may move to another channel. What leaked stays the same.
	lossy bool
}

var permutations = []permutation{
	{name: "structured", change: func(c telemetry, _ *rand.Rand) { c.values(structured) }},
	{name: "structured throughout", change: func(c telemetry, _ *rand.Rand) { c.values(throughout) }},
	{name: "JSON text", change: func(c telemetry, _ *rand.Rand) { c.values(asText) }},
	{name: "one more JSON layer", change: func(c telemetry, _ *rand.Rand) { c.values(quoted) }},
	{name: "bytes", change: func(c telemetry, _ *rand.Rand) { c.values(asBytes) }},
	{name: "children first", change: func(c telemetry, _ *rand.Rand) {
		sortSpans(c, func(a, b ptrace.Span) bool { return a.StartTimestamp() > b.StartTimestamp() })
	}},
	{name: "parents first", change: func(c telemetry, _ *rand.Rand) {
		sortSpans(c, func(a, b ptrace.Span) bool { return a.StartTimestamp() < b.StartTimestamp() })
	}},
	{name: "shuffled", change: func(c telemetry, r *rand.Rand) {
		order := map[pcommon.SpanID]int{}
		c.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) { order[s.SpanID()] = r.Int() })
		sortSpans(c, func(a, b ptrace.Span) bool { return order[a.SpanID()] < order[b.SpanID()] })
	}},
	{name: "attributes shuffled", change: shuffleAttributes},
	{name: "split", change: func(telemetry, *rand.Rand) {}, pieces: single},
	{name: "twice", change: func(telemetry, *rand.Rand) {}, pieces: func(td ptrace.Traces) []ptrace.Traces { return []ptrace.Traces{td, td} }},
	{name: "openinference beside gen_ai", change: func(c telemetry, _ *rand.Rand) { beside(c, false) }},
	{name: "openinference beside gen_ai, flattened", change: func(c telemetry, _ *rand.Rand) { beside(c, true) }},
	{name: "openinference instead of gen_ai", change: instead},
	{name: "details on a span event", change: func(c telemetry, _ *rand.Rand) { details(c, false) }},
	{name: "details on a log record", change: func(c telemetry, _ *rand.Rand) { details(c, true) }},
	// A record does not know that its span is an answer tool that hands off.
	{name: "message events as log records", change: messageRecords, lossy: true},
}

// container parses a text that is a JSON object or list.
func container(v pcommon.Value) (any, bool) {
	if v.Type() != pcommon.ValueTypeStr {
		return nil, false
	}
	s := strings.TrimSpace(v.Str())
	if s == "" || s[0] != '{' && s[0] != '[' {
		return nil, false
	}
	var x any
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if d.Decode(&x) != nil || d.More() {
		return nil, false
	}
	return numbers(x), true
}

// numbers gives JSON numbers the type that pdata has for them.
func numbers(x any) any {
	switch x := x.(type) {
	case json.Number:
		if i, err := x.Int64(); err == nil {
			return i
		}
		f, _ := x.Float64()
		return f
	case []any:
		for i := range x {
			x[i] = numbers(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = numbers(x[k])
		}
	}
	return x
}

func structured(key string, v pcommon.Value) {
	if x, ok := container(v); ok && !strings.HasPrefix(key, "ai.") {
		_ = v.FromRaw(x)
	}
}

// throughout also takes apart JSON inside.
func throughout(key string, v pcommon.Value) {
	structured(key, v)
	switch v.Type() {
	case pcommon.ValueTypeMap:
		for _, kv := range v.Map().All() {
			throughout("", kv)
		}
	case pcommon.ValueTypeSlice:
		for _, e := range v.Slice().All() {
			throughout("", e)
		}
	}
}

func asText(_ string, v pcommon.Value) {
	if v.Type() == pcommon.ValueTypeMap || v.Type() == pcommon.ValueTypeSlice {
		data, _ := json.Marshal(v.AsRaw())
		v.SetStr(string(data))
	}
}

func quoted(_ string, v pcommon.Value) {
	if _, ok := container(v); ok {
		data, _ := json.Marshal(v.Str())
		v.SetStr(string(data))
	}
}

func asBytes(_ string, v pcommon.Value) {
	if _, ok := container(v); ok {
		s := v.Str()
		v.SetEmptyBytes().FromRaw([]byte(s))
	}
}

func sortSpans(c telemetry, less func(a, b ptrace.Span) bool) {
	for _, rs := range c.traces.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			ss.Spans().Sort(less)
		}
	}
}

func shuffleAttributes(c telemetry, r *rand.Rand) {
	c.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
		was := pcommon.NewMap()
		s.Attributes().MoveTo(was)
		keys := slices.Sorted(maps.Keys(was.AsRaw()))
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		for _, k := range keys {
			v, _ := was.Get(k)
			v.CopyTo(s.Attributes().PutEmpty(k))
		}
	})
}

var spanKinds = map[string]string{
	"chat": "LLM", "generate_content": "LLM", "text_completion": "LLM", "invoke_agent": "AGENT", "execute_tool": "TOOL",
}

func genAI(s ptrace.Span) bool {
	if _, ok := s.Attributes().Get("openinference.span.kind"); ok {
		return false
	}
	for _, k := range []string{"langfuse.observation.type", "langsmith.span.kind", "traceloop.span.kind", "mlflow.spanType", "gen_ai.span.kind", "mastra.span.type", "ai.operationId"} {
		if _, ok := s.Attributes().Get(k); ok {
			return false
		}
	}
	op, ok := s.Attributes().Get("gen_ai.operation.name")
	return ok && spanKinds[op.Str()] != ""
}

// sides are the keys of gen_ai with those of openinference.
var sides = [][2]string{
	{"gen_ai.input.messages", "input.value"}, {"gen_ai.output.messages", "output.value"},
	{"gen_ai.tool.call.arguments", "input.value"}, {"gen_ai.tool.call.result", "output.value"},
}

// beside adds openinference's attributes to spans with gen_ai's, as converters do.
func beside(c telemetry, flat bool) {
	c.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
		if !genAI(s) {
			return
		}
		op, _ := s.Attributes().Get("gen_ai.operation.name")
		kind := spanKinds[op.Str()]
		s.Attributes().PutStr("openinference.span.kind", kind)
		for i, side := range sides {
			v, ok := s.Attributes().Get(side[0])
			if !ok {
				continue
			}
			s.Attributes().PutStr(side[1], v.AsString())
			if flat && kind == "LLM" && i < 2 {
				flatten2(s.Attributes(), []string{"llm.input_messages.", "llm.output_messages."}[i], v.AsString())
			}
		}
	})
}

// instead also removes gen_ai's.
func instead(c telemetry, _ *rand.Rand) {
	beside(c, true)
	c.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
		if k, ok := s.Attributes().Get("openinference.span.kind"); !ok || k.Str() == "" {
			return
		}
		for _, side := range sides {
			if _, ok := s.Attributes().Get(side[1]); ok {
				if _, ok := s.Attributes().Get("gen_ai.operation.name"); ok {
					s.Attributes().Remove(side[0])
				}
			}
		}
	})
}

// flatten2 writes messages with parts as openinference's flattened attributes.
func flatten2(m pcommon.Map, prefix, text string) {
	var messages []struct {
		Role  string
		Parts []struct {
			Type, Content, ID, Name string
			Arguments               any
			Response, Result        any
		}
	}
	if json.Unmarshal([]byte(text), &messages) != nil {
		return
	}
	n := 0
	for _, msg := range messages {
		at := fmt.Sprintf("%s%d.message.", prefix, n)
		calls, used := 0, false
		var content []string
		for _, p := range msg.Parts {
			switch p.Type {
			case "text":
				content = append(content, p.Content)
			case "tool_call":
				call := fmt.Sprintf("%stool_calls.%d.tool_call.", at, calls)
				calls++
				args, _ := json.Marshal(p.Arguments)
				m.PutStr(call+"id", p.ID)
				m.PutStr(call+"function.name", p.Name)
				m.PutStr(call+"function.arguments", string(args))
				used = true
			case "tool_call_response":
				if used || len(content) > 0 {
					n++
					at = fmt.Sprintf("%s%d.message.", prefix, n)
				}
				r := p.Response
				if r == nil {
					r = p.Result
				}
				if s, ok := r.(string); ok {
					m.PutStr(at+"content", s)
				} else {
					data, _ := json.Marshal(r)
					m.PutStr(at+"content", string(data))
				}
				m.PutStr(at+"tool_call_id", p.ID)
				m.PutStr(at+"role", "tool")
				n++
				at, used = fmt.Sprintf("%s%d.message.", prefix, n), false
				continue
			}
		}
		if len(content) > 0 {
			m.PutStr(at+"content", strings.Join(content, "\n"))
			used = true
		}
		if used {
			m.PutStr(at+"role", msg.Role)
			n++
		}
	}
}

// details moves messages from spans to events that carry a span's attributes.
func details(c telemetry, record bool) {
	const name = "gen_ai.client.inference.operation.details"
	c.spans(func(rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) {
		if !genAI(s) {
			return
		}
		to := pcommon.NewMap()
		for _, k := range []string{"gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions"} {
			if v, ok := s.Attributes().Get(k); ok {
				v.CopyTo(to.PutEmpty(k))
				s.Attributes().Remove(k)
			}
		}
		if to.Len() == 0 {
			return
		}
		if !record {
			e := s.Events().AppendEmpty()
			e.SetName(name)
			to.MoveTo(e.Attributes())
			return
		}
		l := newRecord(c, rs, ss, s)
		l.SetEventName(name)
		to.MoveTo(l.Attributes())
	})
}

func newRecord(c telemetry, rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) plog.LogRecord {
	rl := c.logs.ResourceLogs().AppendEmpty()
	rs.Resource().CopyTo(rl.Resource())
	sl := rl.ScopeLogs().AppendEmpty()
	ss.Scope().CopyTo(sl.Scope())
	l := sl.LogRecords().AppendEmpty()
	l.SetTraceID(s.TraceID())
	l.SetSpanID(s.SpanID())
	return l
}

// messageRecords turns span events of messages into log records with a body (7.2).
func messageRecords(c telemetry, _ *rand.Rand) {
	names := []string{"gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message", "gen_ai.choice"}
	c.spans(func(rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) {
		s.Events().RemoveIf(func(e ptrace.SpanEvent) bool {
			if !slices.Contains(names, e.Name()) {
				return false
			}
			l := newRecord(c, rs, ss, s)
			l.SetEventName(e.Name())
			body := l.Body().SetEmptyMap()
			if v, ok := e.Attributes().Get("gen_ai.event.content"); ok {
				v.CopyTo(l.Body())
				return true
			}
			e.Attributes().CopyTo(body)
			return true
		})
	})
}
