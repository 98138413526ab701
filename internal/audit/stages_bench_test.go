package audit

import (
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// BenchmarkStages times mapping and detection apart on the same spans, each distinct text
// scanned once a trace as in a scan, and reports what mapping takes of the time of detection. Budget: 0.25.
func BenchmarkStages(b *testing.B) {
	a := newAuditor(b, Options{})
	tds, _, _ := benchTraces(b)
	var mapping, detection time.Duration
	for b.Loop() {
		for _, td := range tds {
			s := a.scan()
			telemetry{traces: td}.spans(func(_ ptrace.ResourceSpans, ss ptrace.ScopeSpans, span ptrace.Span) {
				s.doc.Reset()
				s.doc.Span(span)
				start := time.Now()
				a.mapper.Span(span, ss.Scope().Name(), s.doc)
				mapping += time.Since(start)
				start = time.Now()
				s.doc.Texts(func(f *leaf.Field, n *leaf.Node, name bool, text string) {
					if len(text) >= 3 {
						s.matches(keyOf(f, n, name), text)
					}
				})
				detection += time.Since(start)
			})
			s.done()
		}
	}
	b.ReportMetric(float64(mapping)/float64(detection), "mapping/detect")
}
