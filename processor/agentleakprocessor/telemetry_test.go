package agentleakprocessor

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// recorded counts what a histogram has recorded, and adds it up.
func (r *rig) recorded(name string) (n uint64, sum float64) {
	r.Helper()
	var rm metricdata.ResourceMetrics
	if err := r.tel.Reader.Collect(context.Background(), &rm); err != nil {
		r.Fatal(err)
	}
	for _, sm := range rm.ScopeMetrics {
		for _, m := range sm.Metrics {
			if h, ok := m.Data.(metricdata.Histogram[float64]); ok && m.Name == "otelcol_processor_"+name {
				for _, p := range h.DataPoints {
					n, sum = n+p.Count, sum+p.Sum
				}
			}
		}
	}
	return n, sum
}

// TestMeasured compares what is measured of two small traces with what a person counts: a card that came from the user
// and went into a tool call, twice the same, and an address that only the answer of the second holds.
func TestMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Redaction.Style = "mask" })
		r.send(made(toolSpan(1, 2, 1, visa), agentSpan(1, 1, "card "+visa, "done")))
		r.send(made(toolSpan(2, 2, 1, visa), agentSpan(2, 1, "card "+visa, "to "+email)))
		r.stopAfter(3 * time.Second)
		for _, m := range []struct {
			name  string
			attrs []string
			want  int64
		}{
			{"scored_traces", nil, 2},
			{"leaked_secrets", nil, 3},
			{"leaked_secrets", []string{"channel", "tool_call"}, 2},
			{"leaked_secrets", []string{"channel", "final_output"}, 1},
			{"leaked_secrets", []string{"data_type", "credit_card"}, 2},
			{"leaked_secrets", []string{"data_type", "email"}, 1},
			{"leaked_secrets", []string{"level", "L4"}, 2},
			{"redactions", []string{"level", "L4"}, 4},
			{"redactions", []string{"style", "mask"}, 4},
			{"redactions", []string{"style", "token"}, 0},
			{"withheld_values", nil, 0},
			{"lost_spans", nil, 0},
		} {
			if got := r.sum("agentleak_"+m.name, m.attrs...); got != m.want {
				t.Errorf("%s %v: %d, want %d", m.name, m.attrs, got, m.want)
			}
		}
		if r.sum("agentleak_redactions", "rule", "") != 0 {
			t.Error("a redaction without a rule")
		}
		if n, sum := r.recorded("agentleak_risk_index"); n != 2 || sum != 2 { // all that was in reach leaked
			t.Errorf("risk index: %d records, sum %v", n, sum)
		}
		if n, _ := r.recorded("agentleak_scan_duration"); n != 2 {
			t.Errorf("%d requests scanned", n)
		}
		if got := r.sum("agentleak_scanned_bytes"); got < 200 || got > 2000 {
			t.Errorf("%d bytes scanned", got)
		}
	})
}

// TestEvictedIsMeasured counts traces that are forgotten early, with and without spans held.
func TestEvictedIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Limits = LimitsConfig{HeldBytes: 1 << 20, BytesPerTrace: 1 << 20, OpenTraces: 2} })
		for n := range uint64(6) {
			r.send(made(toolSpan(2*n, 2, 1, visa)))
		}
		synctest.Wait()
		if got := r.sum("agentleak_evicted_traces"); got < 3 {
			t.Errorf("%d traces evicted", got)
		}
	})
}

// TestOpenLedgersAreBounded opens traces that never end, with much to remember of each: what is over the bound makes the
// one idle longest go, with its score and why that may be too low.
func TestOpenLedgersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bound = 200_000
		r := newRig(t, func(c *Config) {
			c.Hold = time.Hour
			c.Limits = LimitsConfig{HeldBytes: 64 << 20, BytesPerTrace: 1 << 20, OpenTraces: 10_000, LedgerBytes: bound}
		})
		rng := seeded(t)
		for i := range 300 {
			td := newStory(rng, i, false).td
			spans := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans()
			spans.At(0).SetParentSpanID(spanID(1 << 50)) // its root never comes
			r.send(td)
			if got := r.sum("agentleak_ledger_bytes"); got > bound+bound/4 {
				t.Fatalf("%d bytes remembered", got)
			}
		}
		synctest.Wait()
		if r.sum("agentleak_evicted_traces") == 0 || r.sink.count() == 0 {
			t.Error("nothing was evicted: the test shows nothing")
		}
		whys := 0
		for _, span := range r.sink.spans() {
			if v, ok := span.Attributes().Get(attrIncomplete); ok && v.Slice().At(0).Str() == whyEvicted {
				whys++
			}
		}
		if whys == 0 {
			t.Error("no trace says that it was evicted")
		}
	})
}
