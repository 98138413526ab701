package audit

import (
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// benchTraces are all traces among the evidence, with their number of spans and bytes of attribute text.
func benchTraces(b *testing.B) (tds []ptrace.Traces, spans int, bytes int64) {
	for _, f := range traceFiles(b) {
		for _, pieces := range byTrace(readTraces(b, f), 1<<30) {
			for _, td := range pieces {
				tds = append(tds, td)
				for _, rs := range td.ResourceSpans().All() {
					for _, ss := range rs.ScopeSpans().All() {
						spans += ss.Spans().Len()
						for _, s := range ss.Spans().All() {
							for _, v := range s.Attributes().All() {
								bytes += int64(len(v.AsString()))
							}
						}
					}
				}
			}
		}
	}
	return tds, spans, bytes
}

// BenchmarkAuditRedact scans, scores and redacts real agents' traces, two thirds of which hold secrets. One goroutine;
// bytes are attribute text. Budget: what one core of a collector can spend on it (100 MB/s).
func BenchmarkAuditRedact(b *testing.B) {
	a := newAuditor(b, Options{})
	tds, spans, bytes := benchTraces(b)
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		work := make([]ptrace.Traces, len(tds))
		for i, td := range tds {
			work[i] = cloneTraces(td)
		}
		b.StartTimer()
		for _, td := range work {
			score(a, []ptrace.Traces{td})
		}
	}
	b.ReportMetric(float64(spans), "spans/op")
}

// BenchmarkScan is the part of it that every trace pays for.
func BenchmarkScan(b *testing.B) {
	a := newAuditor(b, Options{})
	tds, spans, bytes := benchTraces(b)
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, td := range tds {
			a.ScanTraces(td)
		}
	}
	b.ReportMetric(float64(spans), "spans/op")
}
