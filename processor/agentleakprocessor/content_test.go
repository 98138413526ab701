package agentleakprocessor

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWithheld replaces what is too deep to be read, unless nothing is replaced at all.
func TestWithheld(t *testing.T) {
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	for _, test := range []struct {
		levels []int
		stays  bool
		want   int64
	}{{[]int{4}, false, 1}, {nil, true, 0}} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, func(c *Config) { c.Redaction.Levels = test.levels })
			r.send(made(plainSpan(1, 1, 0, deep)))
			r.stopAfter(3 * time.Second)
			if got := strings.Contains(r.sink.json(t), deep); got != test.stays {
				t.Errorf("levels %v: it stays: %v", test.levels, got)
			}
			if got := r.sum("agentleak_withheld_values"); got != test.want {
				t.Errorf("levels %v: %d values counted", test.levels, got)
			}
		})
	}
}

func TestPlainTraceIsUntouched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		td := made(plainSpan(1, 2, 1, "x"), plainSpan(1, 3, 2, "y"), plainSpan(1, 1, 0, "z"))
		span := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
		span.TraceState().FromRaw("a=b")
		span.Attributes().PutEmptyBytes("raw").FromRaw([]byte{0, 1, 2})
		span.Attributes().PutEmptyMap("m").PutEmptySlice("s").AppendEmpty().SetInt(7)
		span.SetDroppedAttributesCount(3)
		span.Links().AppendEmpty().SetTraceID(traceID(9))
		want := toJSON(t, td)
		r := newRig(t, nil)
		r.send(td)
		r.stopAfter(3 * time.Second)
		if got := r.sink.json(t); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got := r.sum("agentleak_scored_traces"); got != 0 {
			t.Errorf("%d traces scored", got)
		}
		r.conserved()
	})
}

func TestForgedAttributes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		td := made(plainSpan(1, 1, 0, "x"))
		rs := td.ResourceSpans().At(0)
		ss := rs.ScopeSpans().At(0)
		span := ss.Spans().At(0)
		span.Attributes().PutDouble("agentleak.risk_index", 0)
		span.Attributes().PutStr("agentleak.verdict", "pass")
		rs.Resource().Attributes().PutBool("agentleak.x", true)
		ss.Scope().Attributes().PutBool("agentleak.x", true)
		span.Events().AppendEmpty().SetName("agentleak.finding")
		r := newRig(t, nil)
		r.send(td)

		other := made(plainSpan(2, 1, 0, "x"))
		span = other.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
		span.Events().AppendEmpty().Attributes().PutStr("agentleak.y", "y")
		span.Links().AppendEmpty().Attributes().PutStr("agentleak.z", "z")
		r.send(other)
		r.stopAfter(3 * time.Second)

		if out := r.sink.json(t); strings.Contains(out, "agentleak") {
			t.Errorf("got %s", out)
		}
		for _, span := range r.sink.spans() {
			if d := cmp.Diff(map[string]any{"note": "x"}, span.Attributes().AsRaw()); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if got, want := span.Events().Len(), span.Links().Len(); got != want {
				t.Errorf("%d events, want %d", got, want) // the sender's own event stays
			}
		}
		if got := r.sum("agentleak_forged_attributes"); got != 7 {
			t.Errorf("counted %d", got)
		}
	})
}

// TestTwice sends what came out in again, to a processor with another key: content and score stay.
func TestTwice(t *testing.T) {
	rng := seeded(t)
	for i := range 30 {
		s := newStory(rng, i, true)
		synctest.Test(t, func(t *testing.T) {
			once := newRig(t, nil)
			once.send(s.td)
			once.stopAfter(3 * time.Second)
			twice := newRig(t, func(c *Config) { c.Redaction.Key = "another key" })
			for _, td := range once.sink.got {
				twice.send(td)
			}
			twice.stopAfter(3 * time.Second)
			strip := func(c *catcher) (all []string) {
				for _, td := range c.got {
					for _, span := range spansOf(td) {
						span.Attributes().Remove("agentleak.span.redacted")
						all = append(all, fmt.Sprint(span.SpanID(), span.Attributes().AsRaw()))
					}
				}
				return all
			}
			if d := cmp.Diff(strip(once.sink), strip(twice.sink)); d != "" {
				t.Errorf("-once +twice\n%s", d)
			}
			if got := twice.sum("agentleak_redactions"); got != 0 {
				t.Errorf("%d redactions the second time", got)
			}
		})
	}
}
