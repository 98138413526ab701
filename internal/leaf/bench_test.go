package leaf

import (
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// chat is a message list of about 8 kB as chat clients write it: prose with line breaks and quotes, a tool call whose
// arguments are JSON again, its answer.
func chat() string {
	var b strings.Builder
	b.WriteByte('[')
	for i := 0; b.Len() < 8000; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"role":"user","parts":[{"type":"text","content":"Please look up order %d for me.\n\n`+
			`It was shipped to 12 Example Street on 3 May, and the label said \"fragile\". The customer, who wrote in `+
			`twice already, wants to know when it arrives — and whether the invoice can go to robin.test@example.org."}]},`, i)
		fmt.Fprintf(&b, `{"role":"assistant","parts":[{"type":"tool_call","id":"call_%d","name":"carrier_api",`+
			`"arguments":"{\"order\":%d,\"to\":\"12 Example Street\",\"weight\":1.25,\"express\":false}"}],`+
			`"finish_reason":"tool_call"},`, i, i)
		fmt.Fprintf(&b, `{"role":"tool","parts":[{"type":"tool_call_response","id":"call_%d","response":{"status":"in transit",`+
			`"eta":"2026-05-0%d","stops":[{"city":"Example","km":%d.5},{"city":"Sample","km":33}],"signed":null}}]}`, i, i%9, i)
	}
	b.WriteByte(']')
	return b.String()
}

func benchSpan() (ptrace.Span, int) {
	s, text := ptrace.NewSpan(), chat()
	s.SetName("chat gpt-x")
	s.Attributes().PutStr("gen_ai.operation.name", "chat")
	s.Attributes().PutInt("gen_ai.usage.input_tokens", 1200)
	s.Attributes().PutStr("gen_ai.input.messages", text)
	return s, len(text)
}

// Budget: 250 MB/s on one core, no allocation once the Doc is warm.
func BenchmarkRead(b *testing.B) {
	s, size := benchSpan()
	d := NewDoc(Limits{})
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		d.Reset()
		d.Span(s)
		n := 0
		d.Texts(func(_ *Field, _ *Node, _ bool, text string) { n += len(text) })
	}
}

// Budget: 200 MB/s; a rewrite may allocate the new value and little else. The edit keeps the length, so each
// round finds the same span.
func BenchmarkReadAndRewriteOne(b *testing.B) {
	s, size := benchSpan()
	d := NewDoc(Limits{})
	edit := []Edit{{Start: 0, End: 6}}
	words := [2]string{"PLEASE", "Please"}
	round := 0
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		d.Reset()
		d.Span(s)
		edit[0].New = words[round&1]
		round++
		done := false
		if d.RewriteSpan(s, func(_ *Field, n *Node, name bool) []Edit {
			if done || name || len(n.Text) < 20 {
				return nil
			}
			done = true
			return edit
		}) != 1 {
			b.Fatal("nothing changed")
		}
	}
}

// Budget: as BenchmarkRead. JSON in JSON in JSON, where each byte is decoded twice.
func BenchmarkReadNested(b *testing.B) {
	inner := `{"a":` + chat() + `}`
	text := `{"body":"` + quotable(`{"body":"`+quotable(inner)+`"}`) + `"}`
	s := spanWith("k", text)
	d := NewDoc(Limits{})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d.Reset()
		d.Span(s)
	}
}
