package mapping

import (
	"os"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// benchSpan is a span with its fields read, as a Mapper gets it.
type benchSpan struct {
	span  ptrace.Span
	scope string
	doc   *leaf.Doc
}

// benchSpans are the spans of all evidence, and the bytes of text that they hold.
func benchSpans(b *testing.B) (spans []benchSpan, bytes int64) {
	for _, file := range samples(b) {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err != nil {
			b.Fatal(err)
		}
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					doc := leaf.NewDoc(leaf.Limits{})
					doc.Span(s)
					doc.Texts(func(_ *leaf.Field, _ *leaf.Node, _ bool, text string) { bytes += int64(len(text)) })
					spans = append(spans, benchSpan{s, ss.Scope().Name(), doc})
				}
			}
		}
	}
	return spans, bytes
}

// untag wipes what an earlier reading left on the nodes.
func untag(n *leaf.Node) {
	n.Tag = 0
	for k := n.First; k != nil; k = k.Next {
		untag(k)
	}
}

// BenchmarkMap is mapping alone: spans whose fields are read already, to places and skeletons. Budget: a quarter of the
// time of detection on the same texts (BenchmarkScan of package audit is all of it).
func BenchmarkMap(b *testing.B) {
	m := newMapper(b)
	spans, bytes := benchSpans(b)
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		for _, s := range spans {
			for i := range s.doc.Fields {
				untag(s.doc.Fields[i].Root)
			}
		}
		b.StartTimer()
		for _, s := range spans {
			m.Span(s.span, s.scope, s.doc)
		}
	}
	b.ReportMetric(float64(len(spans)), "spans/op")
}
