package agentleakprocessor

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// TestHold lets spans go when they were held for the longest, and the score follows on the root.
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.send(made(toolSpan(1, 2, 1, visa)))
		time.Sleep(5 * time.Second)
		r.send(made(toolSpan(1, 3, 1, email)))
		time.Sleep(5200 * time.Millisecond)
		if got := r.sink.count(); got != 1 {
			t.Errorf("%d spans came, want the first", got)
		}
		span, _ := r.sink.byID(2)
		if d := cmp.Diff([]string{"channels", "data_types", "findings", "redacted", "severity"}, marksOf(span)); d != "" {
			t.Errorf("marks: -want +got\n%s", d)
		}
		if _, ok := ours(span)["agentleak.risk_index"]; ok {
			t.Errorf("a score before there is one: %v", ours(span))
		}
		r.conserved()
		// The value left with an earlier span, and is still counted and known.
		r.send(made(agentSpan(1, 1, "hello", "for the order, see "+visa)))
		r.stopAfter(3 * time.Second)
		root := ours(r.sink.root(t, traceID(1)))
		if root["agentleak.wsl"] != int64(6) || root["agentleak.trace.complete"] != true {
			t.Errorf("root: %v", root)
		}
		if strings.Contains(r.sink.json(t), visa) {
			t.Error("the card is still there")
		}
		for reason, want := range map[string]int64{"held_longest": 1, "root_ended": 2} {
			if got := r.sum("agentleak_released_spans", "reason", reason); got != want {
				t.Errorf("released by %s: %d, want %d", reason, got, want)
			}
		}
		r.conserved()
	})
}

// marksOf lists the endings of agentleak.span.*.
func marksOf(span ptrace.Span) (list []string) {
	for _, k := range []string{"channels", "data_types", "findings", "redacted", "severity"} {
		if _, ok := span.Attributes().Get(spanMark + k); ok {
			list = append(list, k)
		}
	}
	return list
}

func TestStreaming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Hold = 0 })
		r.send(leaky())
		synctest.Wait()
		if got := r.sink.count(); got != 3 {
			t.Errorf("%d spans came at once, want all but the root", got)
		}
		if strings.Contains(r.sink.json(t), visa) {
			t.Error("the card is still there")
		}
		r.conserved()
		r.stopAfter(3 * time.Second)
		root := ours(r.sink.root(t, traceID(1)))
		if root["agentleak.wsl"] != int64(6) || root["agentleak.trace.complete"] != true {
			t.Errorf("root: %v", root)
		}
		r.conserved()
	})
}

func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Annotate.Spans = spansRoot })
		r.send(made(agentSpan(1, 1, "card "+visa, "done"), toolSpan(1, 2, 1, "nothing")))
		time.Sleep(3 * time.Second)
		if got := ours(r.sink.root(t, traceID(1)))["agentleak.risk_index"]; got != 0.0 {
			t.Errorf("risk index of the root: %v", got)
		}
		r.send(made(toolSpan(1, 3, 1, "for the order, see "+visa)))
		synctest.Wait()
		late, ok := r.sink.byID(3)
		if !ok {
			t.Fatal("the late span is held")
		}
		got := ours(late)
		if got["agentleak.late"] != true || got["agentleak.risk_index"] != 1.0 || got["agentleak.severity"] != "L4" {
			t.Errorf("the late span: %v", got)
		}
		if strings.Contains(r.sink.json(t), visa) {
			t.Error("the card is still there")
		}
		if got := r.sum("agentleak_released_spans", "reason", "late"); got != 1 {
			t.Errorf("%d late spans counted", got)
		}
		if got := r.sum("agentleak_scored_traces"); got != 1 {
			t.Errorf("%d traces counted", got)
		}
		// Forgotten after the silence, the trace starts anew.
		time.Sleep(6 * time.Minute)
		if got := r.sum("agentleak_known_traces") + r.sum("agentleak_ledger_bytes"); got != 0 {
			t.Errorf("%d traces and bytes are still remembered", got)
		}
		r.stop()
		r.conserved()
	})
}

// TestRootless closes a trace without a root: what stands highest carries the score.
func TestRootless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Hold, c.IdleTimeout = time.Hour, time.Minute })
		r.send(made(toolSpan(1, 2, 1, visa), plainSpan(1, 3, 2, "x"), plainSpan(1, 4, 3, "y")))
		time.Sleep(61 * time.Second)
		top, _ := r.sink.byID(2)
		if got := ours(top); got["agentleak.wsl"] != int64(4) || got["agentleak.trace.complete"] != false {
			t.Errorf("the topmost span: %v", got)
		}
		below, _ := r.sink.byID(3)
		if got := ours(below); len(got) != 2 || got["agentleak.risk_index"] != 1.0 {
			t.Errorf("a span below it: %v", got)
		}
		r.stop()
		r.conserved()
	})
}

// TestLimits reaches each bound: spans go early, redacted, and the trace says so.
func TestLimits(t *testing.T) {
	big := func(trace, id, parent uint64) spanSpec {
		return toolSpan(trace, id, parent, visa+strings.Repeat(" and so on", 1000))
	}
	for _, test := range []struct {
		reason string
		limits LimitsConfig
		spans  []spanSpec
		early  int // spans that leave at once
	}{
		{"too_big", LimitsConfig{HeldBytes: 1 << 20, BytesPerTrace: 27_000, OpenTraces: 10}, []spanSpec{big(1, 2, 1), big(1, 3, 1), big(1, 4, 1)}, 3},
		{"pressure", LimitsConfig{HeldBytes: 30_000, BytesPerTrace: 30_000, OpenTraces: 10}, []spanSpec{big(1, 2, 1), big(2, 3, 1), big(3, 4, 1)}, 1},
		{"evicted", LimitsConfig{HeldBytes: 1 << 20, BytesPerTrace: 1 << 20, OpenTraces: 1}, []spanSpec{big(1, 2, 1), big(2, 3, 1), big(3, 4, 1)}, 2},
	} {
		t.Run(test.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Limits = test.limits })
				for _, s := range test.spans {
					r.send(made(s))
				}
				synctest.Wait()
				if got := r.sink.count(); got != test.early {
					t.Errorf("%d spans left early, want %d", got, test.early)
				}
				if got := r.sum("agentleak_released_spans", "reason", test.reason); got != int64(test.early) {
					t.Errorf("%d of them counted", got)
				}
				r.conserved()
				r.stop()
				if got := r.sink.count(); got != len(test.spans) {
					t.Errorf("%d of %d spans came", got, len(test.spans))
				}
				if strings.Contains(r.sink.json(t), visa) {
					t.Error("the card is still there")
				}
				r.conserved()
			})
		})
	}
}

// TestLongStream streams a trace so long that it is not scored for each span that leaves. Marks are right all the same,
// and so is the score in the end.
func TestLongStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Hold = 0 })
		const n = 1500
		cards := []string{visa, "4012888888881881", "5555555555554444", "378282246310005", "6011111111111117"}
		for i := range uint64(n) {
			r.send(made(toolSpan(1, i+2, 1, cards[i%5])))
		}
		r.send(made(agentSpan(1, 1, "hello", "hello")))
		r.stopAfter(3 * time.Second)
		for _, span := range r.sink.spans() {
			if span.ParentSpanID().IsEmpty() {
				continue
			}
			if v, _ := span.Attributes().Get("agentleak.span.channels"); v.AsString() != `["tool_call"]` {
				t.Fatalf("span %v stands on %s", span.SpanID(), v.AsString())
			}
		}
		root := ours(r.sink.root(t, traceID(1)))
		if root["agentleak.wsl"] != int64(20) || root["agentleak.trace.complete"] != true {
			t.Errorf("root: %v", root)
		}
		if got := r.sum("agentleak_findings", "channel", "tool_call"); got != n {
			t.Errorf("%d findings counted on tool calls", got)
		}
		r.conserved()
	})
}

// TestLedgersAreBounded drops what is remembered of traces that were scored when it takes too much memory.
func TestLedgersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 200_000
		idle := 5 * time.Minute
		r := newRig(t, func(c *Config) {
			c.Limits = LimitsConfig{HeldBytes: limit, BytesPerTrace: limit, OpenTraces: 10_000}
			c.Grace = 0
		})
		rng := seeded(t)
		for i := range 300 {
			r.send(newStory(rng, i, false).td)
			synctest.Wait()
			if got := r.sum("agentleak_ledger_bytes"); got > limit/2+50_000 {
				t.Fatalf("%d bytes remembered", got)
			}
		}
		if got := r.sum("agentleak_known_traces"); got != 300 {
			t.Errorf("%d traces known", got)
		}
		// What is forgotten leaves the list of closed traces too.
		time.Sleep(idle + time.Second)
		r.send(newStory(rng, 300, false).td)
		for _, s := range r.shards {
			if n := len(s.closed); n > 20 {
				t.Errorf("%d traces are listed as closed, %d are known", n, s.known.Load())
			}
		}
		r.stop()
		r.conserved()
	})
}

func TestSpansWithoutTraceID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.send(made(agentSpan(0, 1, "hello", visa), plainSpan(0, 2, 1, "to "+email), agentSpan(1, 3, "hello", "hello")))
		synctest.Wait()
		if got := r.sink.count(); got != 2 {
			t.Errorf("%d spans came at once, want the two that nothing can join", got)
		}
		span, _ := r.sink.byID(1)
		if got := ours(span); got["agentleak.wsl"] != int64(6) || got["agentleak.trace.complete"] != false {
			t.Errorf("got %v", got)
		}
		if got := r.sum("agentleak_known_traces"); got != 1 {
			t.Errorf("%d traces known", got)
		}
		r.stop()
		r.conserved()
	})
}

// TestRootElsewhere: spans that were held for long, and whose root did not come, say so: it may have gone to another gateway.
// Once the root comes it says what there is to say.
func TestRootElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.send(made(toolSpan(1, 2, 1, "for the order, see "+visa), toolSpan(1, 3, 2, "nothing")))
		time.Sleep(12 * time.Second)
		top, _ := r.sink.byID(2)
		if got := ours(top); got["agentleak.trace.complete"] != false || !reflect.DeepEqual(got["agentleak.trace.incomplete"], []any{"root"}) {
			t.Errorf("the topmost span: %v", got)
		}
		below, _ := r.sink.byID(3)
		if _, marked := ours(below)["agentleak.trace.complete"]; marked {
			t.Error("a span below it is marked")
		}
		r.send(made(agentSpan(1, 1, "hello", "done")))
		r.stopAfter(3 * time.Second)
		if got := ours(r.sink.root(t, traceID(1))); got["agentleak.trace.complete"] != true {
			t.Errorf("the root: %v", got)
		}
	})
}
