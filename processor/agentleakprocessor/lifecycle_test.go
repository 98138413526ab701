package agentleakprocessor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"
)

func TestVerifyShutdown(t *testing.T) {
	for _, hold := range []time.Duration{0, 10 * time.Second} {
		c := createDefaultConfig().(*Config)
		c.Hold = hold
		processortest.VerifyShutdown(t, NewFactory(), c)
	}
}

func TestShutdownIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.send(leaky())
		r.stop()
		r.stop() // again
		if got := r.sink.count(); got != 4 {
			t.Errorf("%d of 4 spans came", got)
		}
		if err := r.ConsumeTraces(t.Context(), leaky()); !errors.Is(err, errStopped) {
			t.Errorf("after Shutdown: %v", err)
		}
		if got := ours(r.sink.root(t, traceID(1)))["agentleak.trace.complete"]; got != false {
			t.Errorf("complete is %v, but stragglers were not awaited", got)
		}
	})
}

func TestBeforeStart(t *testing.T) {
	c := createDefaultConfig().(*Config)
	p, err := NewFactory().CreateTraces(t.Context(), processortest.NewNopSettings(typ), c, &catcher{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.ConsumeTraces(t.Context(), leaky()); !errors.Is(err, errStopped) {
		t.Errorf("ConsumeTraces: %v", err)
	}
	if err := errors.Join(p.Shutdown(t.Context()), p.Shutdown(t.Context())); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

// TestShutdownUnderLoad wants all that was accepted to come out, whatever was under way.
func TestShutdownUnderLoad(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Grace = time.Millisecond })
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for i := range 200 {
				s := newStory(rng, g*1000+i, true)
				if err := r.ConsumeTraces(context.Background(), s.td); err != nil {
					if !errors.Is(err, errStopped) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	for r.sum("incoming_items") == 0 {
		time.Sleep(time.Millisecond)
	}
	r.stop()
	wg.Wait()
	if in := r.sum("incoming_items"); in == 0 || int64(r.sink.count()) != in {
		t.Errorf("%d spans in, %d out", in, r.sink.count())
	}
	r.conserved()
}

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

// TestLedgersAreBounded drops what is remembered of traces that were scored when it takes too much memory.
func TestLedgersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 200_000
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
		r.stop()
		r.conserved()
	})
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

// TestNothingEscapes looks for values, names and ids in all that the processor says of itself.
func TestNothingEscapes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) {
			c.Annotate.Findings = findingsEvents
			c.CustomDetectors = mustLoad(t, "file:testdata/config.yaml", "agentleak/all").CustomDetectors
			c.Vault.ScopeDef = "the scope"
		})
		r.sink.setRefuse(func(td ptrace.Traces) error { return errors.New(toJSON(t, td)) })
		r.send(leaky())
		r.send(made(toolSpan(2, 2, 1, visa)))
		time.Sleep(3 * time.Second)
		said := fmt.Sprintf("%+v", r.logs.All())
		r.sink.setRefuse(nil)
		r.stop()
		said += fmt.Sprintf("%+v", r.logs.All())
		said += r.metricsText()
		for _, secret := range []string{visa, email, testKey, `MBR-\d`, "the scope", traceID(1).String(), "gen_ai", "lookup", "REDACTED:"} {
			if strings.Contains(said, secret) {
				t.Errorf("it says %q:\n%s", secret, said)
			}
		}
		if n := r.logs.FilterMessage("agentleak policy").Len(); n != 1 {
			t.Errorf("the policy was logged %d times", n)
		}
		if n := r.logs.Len(); n > 5 {
			t.Errorf("%d lines in the log", n)
		}
		if got := r.sum("agentleak_held_bytes_limit"); got != 0 {
			t.Errorf("a gauge is still observed after Shutdown: %d", got)
		}
	})
}

func TestLogsLifecycle(t *testing.T) {
	c := createDefaultConfig().(*Config)
	p, err := NewFactory().CreateLogs(t.Context(), processortest.NewNopSettings(typ), c, &logCatcher{})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(p.Start(t.Context(), componenttest.NewNopHost()), p.Shutdown(t.Context()), p.Shutdown(t.Context()))
	if err != nil {
		t.Error(err)
	}
}
