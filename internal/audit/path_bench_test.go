package audit

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// The benchmarks below are of scanning and redacting one trace, as the processor does both, on texts that did not come
// before: the memo of the Auditor is emptied for each operation but in BenchmarkReplay50, which is about it.

// vocabulary is what the texts are made of: words that no rule looks for.
var vocabulary = strings.Fields(`the order was sent to a warehouse in north and came back after two weeks because nobody had
signed for it so we ask again whether another day would suit better or else the parcel goes to the shop at the corner where
it waits until friday please tell us what you prefer and thank you for your patience with this matter`)

func prose(r *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
		b.WriteByte(" .\n"[max(0, r.IntN(20)-17)])
	}
	return b.String()
}

// chat is a message list as the GenAI conventions have it.
func chat(texts []string) string {
	type message struct {
		Role  string              `json:"role"`
		Parts []map[string]string `json:"parts"`
	}
	ms := make([]message, len(texts))
	for i, text := range texts {
		ms[i] = message{[]string{"user", "assistant"}[i%2], []map[string]string{{"type": "text", "content": text}}}
	}
	out, _ := json.Marshal(ms)
	return string(out)
}

// modelCall is a span of a model that was sent a conversation.
func modelCall(td ptrace.Traces, id int, messages string) {
	if td.ResourceSpans().Len() == 0 {
		td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty()
	}
	s := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().AppendEmpty()
	s.SetTraceID(pcommon.TraceID{1})
	s.SetSpanID(pcommon.SpanID{1, byte(id >> 8), byte(id)})
	s.SetName("chat model")
	s.Attributes().PutStr("gen_ai.operation.name", "chat")
	s.Attributes().PutInt("gen_ai.usage.input_tokens", int64(len(messages)/4))
	s.Attributes().PutStr("gen_ai.input.messages", messages)
}

// conversation is one trace of model calls, each with texts of its own.
func conversation(r *rand.Rand, calls int, text func(call int) string) (td ptrace.Traces, bytes int64) {
	td = ptrace.NewTraces()
	for i := range calls {
		m := chat([]string{text(i), prose(r, 800)})
		bytes += int64(len(m))
		modelCall(td, i, m)
	}
	return td, bytes
}

func BenchmarkPath(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	card := func() string {
		return " card 4111 1111 1111 1111, mail " + fmt.Sprintf("casey%d@example.com ", r.IntN(1e6))
	}
	blob := make([]byte, 48<<10)
	for i := range blob {
		blob[i] = byte(r.IntN(256))
	}
	for _, bb := range []struct {
		name string
		text func(call int) string
	}{
		{"clean", func(int) string { return prose(r, 2000) }},
		{"typical", func(i int) string { return prose(r, 2000) + []string{"", card()}[i%10/9] }},
		{"dense", func(int) string { return prose(r, 1000) + card() + prose(r, 1000) + card() }},
		{"long-lines", func(int) string { return strings.ReplaceAll(prose(r, 64<<10), "\n", " ") }},
		{"base64", func(int) string { return base64.StdEncoding.EncodeToString(blob) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			a := newAuditor(b, Options{})
			td, bytes := conversation(r, 20, bb.text)
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				work := cloneTraces(td)
				a.memo = newMemo(1)
				b.StartTimer()
				var l Ledger
				batch := a.ScanTraces(work)
				l.Add(a, batch)
				a.FindCopies(work, batch, &l)
				a.Redact(work, batch)
			}
		})
	}
}

// BenchmarkReplay50 scans a conversation that is sent again with each of 50 model calls, each call in a request of its
// own, and reports how many times as long that takes as scanning all its messages once. Budget: 1.5.
func BenchmarkReplay50(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var texts []string
	var calls []ptrace.Traces
	for i := range 50 {
		texts = append(texts, prose(r, 1500), prose(r, 1500))
		td := ptrace.NewTraces()
		modelCall(td, i, chat(texts))
		calls = append(calls, td)
	}
	once := ptrace.NewTraces()
	modelCall(once, 0, chat(texts))
	a := newAuditor(b, Options{})
	for _, bb := range []struct {
		name string
		tds  []ptrace.Traces
	}{{"once", []ptrace.Traces{once}}, {"calls", calls}} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(chat(texts)))) // the distinct text in both
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				a.memo = newMemo(1)
				b.StartTimer()
				for _, td := range bb.tds {
					a.ScanTraces(td)
				}
			}
		})
	}
}
