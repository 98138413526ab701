package audit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// A streaming is a way in which chunks of one answer are written on a span, and read back.
type streaming struct {
	name  string
	write func(s ptrace.Span, chunks []string)
	read  func(s ptrace.Span) string
	soft  bool // each chunk is a text of its own
}

func events(s ptrace.Span, read func(e ptrace.SpanEvent) string) string {
	var b strings.Builder
	for _, e := range s.Events().All() {
		b.WriteString(read(e))
	}
	return b.String()
}

func str(m pcommon.Map, key string) string {
	if v, ok := m.Get(key); ok {
		return v.AsString()
	}
	return ""
}

func parsed[T any](text string, v T) T {
	if err := json.Unmarshal([]byte(text), v); err != nil {
		panic(err)
	}
	return v
}

type delta struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
	} `json:"choices"`
}

type part struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

var streamings = []streaming{
	{"chunk events", func(s ptrace.Span, chunks []string) {
		for i, c := range chunks {
			e := s.Events().AppendEmpty()
			e.SetName(fmt.Sprintf("mlflow.chunk.item.%d", i))
			e.Attributes().PutStr("mlflow.chunk.value", `{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":`+asJSON(c)+`}}]}`)
			if i%2 == 0 {
				s.Events().AppendEmpty().SetName("tick")
			}
		}
	}, func(s ptrace.Span) string {
		return events(s, func(e ptrace.SpanEvent) string {
			if e.Attributes().Len() == 0 {
				return ""
			}
			return parsed(str(e.Attributes(), "mlflow.chunk.value"), &delta{}).Choices[0].Delta.Content
		})
	}, false},
	{"completion chunks", func(s ptrace.Span, chunks []string) {
		for _, c := range chunks {
			e := s.Events().AppendEmpty()
			e.SetName("llm.content.completion.chunk")
			e.Attributes().PutStr("content", c)
		}
	}, func(s ptrace.Span) string {
		return events(s, func(e ptrace.SpanEvent) string { return str(e.Attributes(), "content") })
	}, false},
	{"a list of deltas", func(s ptrace.Span, chunks []string) {
		var list []map[string]any
		for _, c := range chunks {
			list = append(list, map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": c}}}})
		}
		s.Attributes().PutStr("app.raw", asJSON(list))
	}, func(s ptrace.Span) string {
		var b strings.Builder
		for _, d := range *parsed(str(s.Attributes(), "app.raw"), &[]delta{}) {
			b.WriteString(d.Choices[0].Delta.Content)
		}
		return b.String()
	}, false},
	{"a native list of chunks", func(s ptrace.Span, chunks []string) {
		list := s.Attributes().PutEmptySlice("app.stream.chunks")
		for _, c := range chunks {
			list.AppendEmpty().SetStr(c)
		}
	}, func(s ptrace.Span) string {
		var b strings.Builder
		v, _ := s.Attributes().Get("app.stream.chunks")
		for _, e := range v.Slice().All() {
			b.WriteString(e.Str())
		}
		return b.String()
	}, false},
	{"flat keys", func(s ptrace.Span, chunks []string) {
		for i := len(chunks) - 1; i >= 0; i-- { // a map has no order
			s.Attributes().PutStr(fmt.Sprintf("llm.chunks.%d.delta.content", i), chunks[i])
		}
	}, func(s ptrace.Span) string {
		var b strings.Builder
		for i := range s.Attributes().Len() {
			b.WriteString(str(s.Attributes(), fmt.Sprintf("llm.chunks.%d.delta.content", i)))
		}
		return b.String()
	}, false},
	{"parts of a message", func(s ptrace.Span, chunks []string) {
		var parts []part
		for _, c := range chunks {
			parts = append(parts, part{"text", c})
		}
		s.Attributes().PutStr("app.messages", asJSON([]any{map[string]any{"role": "assistant", "parts": parts}}))
	}, func(s ptrace.Span) string {
		var b strings.Builder
		for _, m := range *parsed(str(s.Attributes(), "app.messages"), &[]struct{ Parts []part }{}) {
			for _, p := range m.Parts {
				b.WriteString(p.Content)
			}
		}
		return b.String()
	}, true},
	{"messages", func(s ptrace.Span, chunks []string) {
		var list []map[string]string
		for _, c := range chunks {
			list = append(list, map[string]string{"role": "assistant", "content": c})
		}
		s.Attributes().PutStr("app.messages", asJSON(list))
	}, func(s ptrace.Span) string {
		var b strings.Builder
		for _, m := range *parsed(str(s.Attributes(), "app.messages"), &[]part{}) {
			b.WriteString(m.Content)
		}
		return b.String()
	}, true},
}

// cut cuts a text at random places, some pieces short.
func cut(rng *rand.Rand, text string, n int) []string {
	var out []string
	for range n {
		if len(text) < 2 {
			break
		}
		at := 1 + rng.IntN(min(len(text)-1, 1+rng.IntN(40)))
		out = append(out, text[:at])
		text = text[at:]
	}
	return append(out, text)
}

var streamed = []struct {
	text, secret string
}{
	{"Sure, the key is sk-proj-Zx81bQpL0w3RtYuV7nM2cKd94HsJfGe6AaTq5XoW for now, and thanks", "sk-proj-Zx81bQpL0w3RtYuV7nM2cKd94HsJfGe6AaTq5XoW"},
	{"the card number is 4111 1111 1111 1111 and it expires soon", "4111 1111 1111 1111"},
	{"the password is Tr0ub4dor-horse-99, do not tell", "Tr0ub4dor-horse-99"},
	{"nothing of note was said in the answer of 2024-01-12 with 17 tokens", ""},
	{"please pay to GB82WEST12345698765432 by Monday", "GB82WEST12345698765432"},
}

// TestStreams: cutting a text over chunks changes nothing of what leaked, and leaves nothing of it.
func TestStreams(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 9))
	a := newAuditor(t, Options{KeepValues: true})
	for range 60 {
		for _, st := range streamings {
			for _, tt := range streamed {
				span := func(chunks []string) ptrace.Traces {
					td := oneSpan("gen_ai.operation.name", "chat")
					st.write(onlySpan(td), chunks)
					return td
				}
				chunks := cut(rng, tt.text, rng.IntN(12))
				if st.soft {
					if tt.secret == "" || strings.HasPrefix(tt.text, "the") {
						continue // what context tells is not looked for across texts of their own
					}
					at := strings.Index(tt.text, tt.secret) + 4 + rng.IntN(len(tt.secret)-8)
					chunks = []string{tt.text[:at], tt.text[at:]}
				}
				whole, td := span([]string{tt.text}), span(chunks)
				want, got := score(a, []ptrace.Traces{whole}), score(a, []ptrace.Traces{td})
				if d := cmp.Diff(want.Report, got.Report); d != "" && !st.soft {
					t.Fatalf("%s (seed %d): %q: the leak set differs:\n%s", st.name, seed, chunks, d)
				}
				rest := st.read(onlySpan(td))
				if tt.secret != "" && (strings.Contains(rest, tt.secret) || strings.Count(rest, "[REDACTED:") != 1) {
					t.Fatalf("%s (seed %d): %q became %q", st.name, seed, chunks, rest)
				}
				if joined := st.read(onlySpan(whole)); !st.soft && rest != joined {
					t.Fatalf("%s (seed %d): %q became %q, in one piece %q", st.name, seed, chunks, rest, joined)
				}
				once := marshal(t, td)
				again := score(a, []ptrace.Traces{td})
				if d := cmp.Diff(once, marshal(t, td)); d != "" {
					t.Fatalf("%s (seed %d): redacting again changed:\n%s", st.name, seed, d)
				}
				if got.Report.RI != again.Report.RI {
					t.Fatalf("%s (seed %d): the score of tokens differs", st.name, seed)
				}
			}
		}
	}
}

// TestKnownAcrossPieces: a value that only its key gave away is removed where two texts hold it together.
func TestKnownAcrossPieces(t *testing.T) {
	a := newAuditor(t, Options{})
	for _, st := range streamings {
		td := oneSpan("gen_ai.operation.name", "chat", "app.config", `{"password":"Tr0ub4dor-horse"}`)
		st.write(onlySpan(td), []string{"use Tr0ub4d", "or-horse to log in"})
		score(a, []ptrace.Traces{td})
		if got := st.read(onlySpan(td)); !strings.HasPrefix(got, "use [REDACTED:L4:password:") || !strings.HasSuffix(got, "] to log in") {
			t.Errorf("%s: got %q", st.name, got)
		}
	}
}

// TestListsStayLists: elements that are values of their own do not add up to others.
func TestListsStayLists(t *testing.T) {
	a := newAuditor(t, Options{KeepValues: true})
	for _, list := range []string{
		`["4111","1111","1111","1111"]`, `[{"text":"41111111"},{"text":"11111111"}]`, `["a","b","c","password:","secret1x"]`,
		`[{"role":"user","content":"alpha"},{"role":"user","content":"@example.com"}]`,
	} {
		td := oneSpan("gen_ai.operation.name", "chat", "app.list", list)
		b := a.ScanTraces(td)
		if strings.Contains(list, "@") {
			continue // half an address and the other half are one
		}
		if b.Findings() != 0 {
			t.Errorf("%s: found %+v", list, b.hits)
		}
	}
}

// TestStreamedLogs: chunks as log records of one span.
func TestStreamedLogs(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 10))
	a := newAuditor(t, Options{})
	for range 60 {
		for _, tt := range streamed {
			ld := plog.NewLogs()
			records := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords()
			for _, c := range cut(rng, tt.text, rng.IntN(12)) {
				r := records.AppendEmpty()
				r.SetTraceID(pcommon.TraceID{1})
				r.SetSpanID(pcommon.SpanID{2})
				r.SetEventName("gen_ai.choice.delta")
				r.Body().SetEmptyMap().PutStr("content", c)
				other := records.AppendEmpty() // of another span in between
				other.SetTraceID(pcommon.TraceID{1})
				other.SetSpanID(pcommon.SpanID{3})
				other.Body().SetStr("tick")
			}
			b := a.ScanLogs(ld)
			var l Ledger
			l.Add(a, b)
			a.FindCopiesInLogs(ld, b, &l)
			a.RedactLogs(ld, b)
			var rest strings.Builder
			for _, r := range records.All() {
				if r.EventName() != "" {
					rest.WriteString(str(r.Body().Map(), "content"))
				}
			}
			if tt.secret == "" && rest.String() != tt.text || tt.secret != "" &&
				(strings.Contains(rest.String(), tt.secret) || strings.Count(rest.String(), "[REDACTED:") != 1 || b.Findings() != 1) {
				t.Fatalf("seed %d: got %q, %d findings", seed, rest.String(), b.Findings())
			}
		}
	}
}
