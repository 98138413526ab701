package agentleakprocessor

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/attribute"
)

func attrKey(k string) attribute.Key { return attribute.Key(k) }

// A story is a random run of agents in the attributes of the OTel GenAI conventions, with secrets planted in it.
type story struct {
	id     pcommon.TraceID
	td     ptrace.Traces
	values []planted
	plain  []planted // those mentioned so far

	r     *rand.Rand
	spans ptrace.SpanSlice
	next  uint64
	clock uint64
	hard  bool // some mentions are recognised only because the value stands elsewhere too
}

type planted struct {
	value string
	level int
}

// newStory makes the n-th story of a random source. Its spans are those of one batch, parents first.
func newStory(r *rand.Rand, n int, hard bool) *story {
	s := &story{td: ptrace.NewTraces(), r: r, hard: hard, clock: 1_764_000_000_000_000_000}
	binary.BigEndian.PutUint64(s.id[:], uint64(n)+1)
	binary.BigEndian.PutUint64(s.id[8:], r.Uint64())
	rs := s.td.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", "agents")
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName("test.genai")
	s.spans = ss.Spans()
	for range 1 + r.IntN(6) {
		s.values = append(s.values, s.secret())
	}
	s.agent(pcommon.SpanID{}, 0)
	return s
}

// secret makes a value that rules recognise wherever it stands.
func (s *story) secret() planted {
	switch s.r.IntN(4) {
	case 0:
		return planted{card(s.r), 4}
	case 1:
		return planted{fmt.Sprintf("sk-ant-api03-%s-%s", alnum(s.r, 80), alnum(s.r, 12)), 4}
	case 2:
		return planted{"AKIA" + strings.ToUpper(alnum(s.r, 16)), 4}
	}
	return planted{fmt.Sprintf("%s.%d@example.com", []string{"casey", "robin", "kim"}[s.r.IntN(3)], s.r.IntN(1e6)), 2}
}

// card makes a number of a Visa range with its check digit.
func card(r *rand.Rand) string {
	digits := []byte("4")
	for len(digits) < 15 {
		digits = append(digits, byte('0'+r.IntN(10)))
	}
	sum := 0
	for i, d := range digits {
		v := int(d - '0')
		if i%2 == 0 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return string(digits) + string(byte('0'+(10-sum%10)%10))
}

// alnum makes letters and digits of a key. Its runs of letters are too long to be read as words: what detection makes of
// a value's neighbours is not tested here.
func alnum(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		if i%7 == 6 {
			b[i] = "234567"[r.IntN(6)]
		} else {
			b[i] = "BCDFGHJKLMNPQRSTVWXZ"[r.IntN(20)]
		}
	}
	return string(b)
}

// text is prose that mentions some of the secrets.
func (s *story) text() string {
	words := []string{"the customer called again", "please check the account", "here is what I found", "done"}
	t, from := words[s.r.IntN(len(words))], s.values
	if s.hard && len(s.plain) > 0 && s.r.IntN(3) == 0 {
		// A number after that is an order's by its context. It is known only from where it stands plain.
		t, from = "this is for the order", s.plain
	}
	for range s.r.IntN(3) {
		v := from[s.r.IntN(len(from))]
		t += ", see " + v.value
		s.plain = append(s.plain, v)
	}
	return fmt.Sprintf("%s (%d)", t, s.r.IntN(1e6))
}

func messages(role, text string) string {
	data, _ := json.Marshal([]any{map[string]any{
		"role": role, "parts": []any{map[string]any{"type": "text", "content": text}},
	}})
	return string(data)
}

func (s *story) span(parent pcommon.SpanID, name, operation string) (ptrace.Span, pcommon.SpanID) {
	span := s.spans.AppendEmpty()
	s.next++
	s.clock += 1_000_000
	var id pcommon.SpanID
	binary.BigEndian.PutUint64(id[:], s.next)
	span.SetTraceID(s.id)
	span.SetSpanID(id)
	span.SetParentSpanID(parent)
	span.SetName(name)
	span.SetStartTimestamp(pcommon.Timestamp(s.clock))
	span.SetEndTimestamp(pcommon.Timestamp(s.clock + 500_000))
	if operation != "" {
		span.Attributes().PutStr("gen_ai.operation.name", operation)
	}
	return span, id
}

func (s *story) agent(parent pcommon.SpanID, depth int) {
	name := fmt.Sprintf("agent_%d", depth)
	span, id := s.span(parent, "invoke_agent "+name, "invoke_agent")
	a := span.Attributes()
	a.PutStr("gen_ai.agent.name", name)
	a.PutStr("gen_ai.input.messages", messages("user", s.text()))
	a.PutStr("gen_ai.output.messages", messages("assistant", s.text()))
	for range 1 + s.r.IntN(4) {
		switch k := s.r.IntN(5); {
		case k == 0 && depth < 2:
			s.agent(id, depth+1)
		case k <= 2:
			s.tool(id)
		case k == 3:
			plain, _ := s.span(id, "GET", "")
			plain.Attributes().PutStr("http.request.method", "GET")
			plain.Attributes().PutStr("url.full", "https://internal.example/"+s.text())
		default:
			span, _ := s.span(id, "chat model", "chat")
			span.Attributes().PutStr("gen_ai.input.messages", messages("user", s.text()))
			span.Attributes().PutStr("gen_ai.output.messages", messages("assistant", s.text()))
		}
	}
	span.SetEndTimestamp(pcommon.Timestamp(s.clock + 900_000))
}

func (s *story) tool(parent pcommon.SpanID) {
	span, _ := s.span(parent, "execute_tool lookup", "execute_tool")
	args, _ := json.Marshal(map[string]any{"query": s.text(), "limit": 3})
	result, _ := json.Marshal(map[string]any{"rows": []any{map[string]any{"note": s.text()}}})
	a := span.Attributes()
	a.PutStr("gen_ai.tool.name", "lookup")
	a.PutStr("gen_ai.tool.call.arguments", string(args))
	a.PutStr("gen_ai.tool.call.result", string(result))
}

// deal parts telemetry into n batches at random: a batch keeps what stands above its spans, and their order is random.
func deal(r *rand.Rand, td ptrace.Traces, n int) []ptrace.Traces {
	out := make([]ptrace.Traces, n)
	for i := range out {
		out[i] = ptrace.NewTraces()
	}
	type entry struct {
		rs   ptrace.ResourceSpans
		ss   ptrace.ScopeSpans
		span ptrace.Span
	}
	var all []entry
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				all = append(all, entry{rs, ss, span})
			}
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, e := range all {
		rs := out[r.IntN(n)].ResourceSpans().AppendEmpty()
		e.rs.Resource().CopyTo(rs.Resource())
		rs.SetSchemaUrl(e.rs.SchemaUrl())
		ss := rs.ScopeSpans().AppendEmpty()
		e.ss.Scope().CopyTo(ss.Scope())
		e.span.CopyTo(ss.Spans().AppendEmpty())
	}
	return out
}
