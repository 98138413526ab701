package agentleakprocessor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

var errTest = errors.New("no")

// TestRetry refuses for a while. The next component may spoil what it refuses.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		begun, offers := time.Now(), []time.Duration{}
		r.sink.setRefuse(func(td ptrace.Traces) error {
			offers = append(offers, time.Since(begun))
			if len(offers) > 3 {
				return nil
			}
			td.ResourceSpans().RemoveIf(func(ptrace.ResourceSpans) bool { return true })
			return errTest
		})
		r.send(leaky())
		time.Sleep(4 * time.Second)
		synctest.Wait()
		want := []time.Duration{2000, 2100, 2300, 2700}
		for i := range want {
			want[i] *= time.Millisecond
		}
		if d := cmp.Diff(want, offers); d != "" {
			t.Errorf("offers: -want +got\n%s", d)
		}
		if got := r.sink.count(); got != 4 {
			t.Errorf("%d of 4 spans came", got)
		}
		if got := r.sum("agentleak_send_retries"); got != 3 {
			t.Errorf("%d retries counted", got)
		}
		r.stop()
		r.conserved()
	})
}

// TestNextPanics: a next component that panics, as an exporter that is shut down already may, costs the spans that it was
// offered and nothing else.
func TestNextPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.sink.setRefuse(func(ptrace.Traces) error { panic("content of " + "a span") })
		r.send(leaky())
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if got := r.sink.count(); got != 0 {
			t.Errorf("%d spans came", got)
		}
		r.sink.setRefuse(nil)
		r.send(leaky())
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if got := r.sink.count(); got != 4 {
			t.Errorf("%d of the 4 spans after the panic came", got)
		}
		r.stop()
		r.conserved()
	})
}

func TestLosses(t *testing.T) {
	for _, test := range []struct {
		reason string
		err    error
		after  time.Duration // when the spans are given up
	}{
		{lostPermanent, consumererror.NewPermanent(errTest), 2 * time.Second},
		{lostRetries, errTest, 2*time.Second + patience},
	} {
		t.Run(test.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				r.sink.setRefuse(func(ptrace.Traces) error { return test.err })
				r.send(leaky())
				time.Sleep(test.after - time.Millisecond)
				synctest.Wait()
				if got := r.sum("agentleak_lost_spans"); got != 0 {
					t.Errorf("%d spans were lost too soon", got)
				}
				r.conserved()
				time.Sleep(2 * time.Millisecond)
				synctest.Wait()
				if got := r.sum("agentleak_lost_spans", "reason", test.reason); got != 4 {
					t.Errorf("%d of 4 spans were lost for the reason", got)
				}
				r.conserved()
				r.stop()
				r.conserved()
			})
		})
	}
}

// TestPart takes a part of a batch and gives back the rest.
func TestPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		first := true
		r.sink.setRefuse(func(td ptrace.Traces) error {
			if !first {
				return nil
			}
			first = false
			left := clone(td)
			spans := left.ResourceSpans().At(0).ScopeSpans().At(0).Spans()
			taken := ptrace.NewTraces()
			to := taken.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
			spans.RemoveIf(func(s ptrace.Span) bool {
				take := s.SpanID() == spanID(2) || s.SpanID() == spanID(3)
				if take {
					s.CopyTo(to.AppendEmpty())
				}
				return take
			})
			r.sink.got = append(r.sink.got, taken)
			return consumererror.NewTraces(errTest, left)
		})
		r.send(leaky())
		r.stopAfter(3 * time.Second)
		seen := map[pcommon.SpanID]int{}
		for _, s := range r.sink.spans() {
			seen[s.SpanID()]++
		}
		if d := cmp.Diff(map[pcommon.SpanID]int{spanID(1): 1, spanID(2): 1, spanID(3): 1, spanID(4): 1}, seen); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
		r.conserved()
	})
}

// TestBackPressure refuses senders, and nothing of what they sent is taken in, until the next component takes again.
func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) {
			c.Limits = LimitsConfig{HeldBytes: 8 << 20, BytesPerTrace: 1, OpenTraces: 1000} // too big, all of them
		})
		r.sink.setRefuse(func(ptrace.Traces) error { return errTest })
		batch := func(n uint64) ptrace.Traces {
			return made(plainSpan(n, 2, 1, strings.Repeat("long ", 20_000)))
		}
		var n uint64
		var err error
		for n = 1; n < 1000 && err == nil; n++ {
			err = r.ConsumeTraces(t.Context(), batch(n))
		}
		if !errors.Is(err, errBusy) || consumererror.IsPermanent(err) {
			t.Fatalf("after %d batches: %v", n, err)
		}
		if got := r.sum("agentleak_queued_bytes"); got < 2<<20 || got > 3<<20 {
			t.Errorf("%d bytes are queued", got)
		}
		accepted := int64(n - 2)
		if in, refused := r.sum("incoming_items"), r.sum("agentleak_refused_spans"); in != accepted || refused != 1 {
			t.Errorf("%d in, %d refused, want %d and 1", in, refused, accepted)
		}
		r.conserved()
		r.sink.setRefuse(nil)
		time.Sleep(time.Minute)
		r.send(batch(n))
		r.stop()
		if got := int64(r.sink.count()); got != accepted+1 {
			t.Errorf("%d spans came, want %d", got, accepted+1)
		}
		r.conserved()
	})
}

// TestShutdownDeadline stops in time though the next component refuses, and counts what is lost.
func TestShutdownDeadline(t *testing.T) {
	for _, test := range []struct {
		name     string
		deadline time.Duration // zero: none
		want     time.Duration
	}{
		{"deadline", 5 * time.Second, 4500 * time.Millisecond},
		{"no deadline", 0, farewell},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				r.sink.setRefuse(func(ptrace.Traces) error { return errTest })
				for n := range uint64(5) {
					r.send(made(agentSpan(n+1, 1, "hello", visa)))
				}
				ctx, cancel := context.WithCancel(context.Background())
				if test.deadline > 0 {
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
				}
				defer cancel()
				begun := time.Now()
				if err := r.Shutdown(ctx); err != nil {
					t.Errorf("Shutdown: %v", err)
				}
				if got := time.Since(begun); got != test.want {
					t.Errorf("it took %v, want %v", got, test.want)
				}
				if got := r.sum("agentleak_lost_spans", "reason", lostShutdown); got != 5 {
					t.Errorf("%d of 5 spans counted as lost", got)
				}
			})
		})
	}
}

// TestFarewell closes an outbox with several batches in it, of which the first takes all the time for retries. Without
// a deadline each of the others is offered once.
func TestFarewell(t *testing.T) {
	for _, test := range []struct {
		name     string
		deadline time.Duration // zero: none
		offers   int           // of the batches behind the first, at least
	}{{"deadline", 10 * time.Second, 0}, {"no deadline", 0, 2}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				offers := map[pcommon.SpanID]int{}
				r.sink.setRefuse(func(td ptrace.Traces) error {
					offers[spansOf(td)[0].SpanID()]++
					return errTest
				})
				o := r.out
				r.tracesProcessor.tel.ProcessorIncomingItems.Add(t.Context(), 3, r.tracesProcessor.tel.signal)
				for i := range uint64(3) {
					o.put([]parcel{{td: made(plainSpan(1, i+1, 0, "x")), spans: 1, bytes: batchBytes}})
				}
				ctx := context.Background()
				if test.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
					defer cancel()
				}
				if err := r.Shutdown(ctx); err != nil {
					t.Errorf("Shutdown: %v", err)
				}
				if got := offers[spanID(2)] + offers[spanID(3)]; got < test.offers || got > 2 || offers[spanID(1)] < 5 {
					t.Errorf("offers: %v", offers)
				}
				if got := r.sum("agentleak_lost_spans", "reason", lostShutdown); got != 3 {
					t.Errorf("%d spans counted as lost", got)
				}
			})
		})
	}
}

// TestHungNext does not wait longer than it may for a next component that never answers.
func TestHungNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		answer := make(chan struct{})
		r.sink.setRefuse(func(ptrace.Traces) error { <-answer; return errTest })
		r.send(leaky())
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		begun := time.Now()
		if err := r.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown: %v", err)
		}
		if got := time.Since(begun); got != 5*time.Second {
			t.Errorf("it took %v", got)
		}
		close(answer)
		synctest.Wait()
		if got := r.sum("agentleak_lost_spans", "reason", lostShutdown); got != 4 {
			t.Errorf("%d spans counted as lost", got)
		}
	})
}

// TestShutdownHurries makes up for what was refused before.
func TestShutdownHurries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.sink.setRefuse(func(ptrace.Traces) error { return errTest })
		r.send(leaky())
		time.Sleep(time.Minute) // into the long pauses
		r.sink.setRefuse(nil)
		begun := time.Now()
		r.stop()
		if got := time.Since(begun); got != 0 {
			t.Errorf("it took %v", got)
		}
		if got := r.sink.count(); got != 4 {
			t.Errorf("%d of 4 spans came", got)
		}
		r.conserved()
	})
}

// TestOrder wants spans of a trace in their order, roots last, through refusals.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := seeded(t)
		r := newRig(t, func(c *Config) { c.Hold = time.Second })
		offers := 0
		r.sink.setRefuse(func(ptrace.Traces) error {
			if offers++; offers%3 > 0 {
				return errTest
			}
			return nil
		})
		for i := range uint64(200) {
			r.send(made(plainSpan(1+i%3, 10+i, 1, "x")))
			time.Sleep(time.Duration(rng.IntN(50)) * time.Millisecond)
		}
		for n := range uint64(3) {
			r.send(made(plainSpan(1+n, 1, 0, "x")))
		}
		r.stop()
		last := map[pcommon.TraceID]uint64{}
		for _, s := range r.sink.spans() {
			id := uint64(s.StartTimestamp())
			if s.ParentSpanID().IsEmpty() {
				id += 1 << 20
			}
			if id <= last[s.TraceID()] {
				t.Errorf("%v after %v", id, last[s.TraceID()])
			}
			last[s.TraceID()] = id
		}
		if got := r.sink.count(); got != 203 {
			t.Errorf("%d of 203 spans came", got)
		}
		r.conserved()
	})
}

// TestDecentBatches wants what falls due together to go together.
func TestDecentBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		for n := range uint64(1000) {
			r.send(made(agentSpan(n+1, 1, "hello", "hello"), plainSpan(n+1, 2, 1, "x")))
		}
		r.stopAfter(3 * time.Second)
		if got := r.sink.batches(); got > 2*len(r.shards) {
			t.Errorf("2000 spans in %d batches", got)
		}
		if got := r.sink.got[0].ResourceSpans().Len(); got != 1 {
			t.Errorf("one sender's spans stand under %d resources", got)
		}
		r.conserved()
	})
}

// statusHost records what is reported.
type statusHost struct {
	component.Host
	got []componentstatus.Status
}

func (h *statusHost) Report(e *componentstatus.Event) { h.got = append(h.got, e.Status()) }

func TestStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &statusHost{Host: componenttest.NewNopHost()}
		r := newRigOn(t, host, nil)
		r.send(leaky())
		time.Sleep(3 * time.Second)
		r.sink.setRefuse(func(ptrace.Traces) error { return errTest })
		r.send(made(plainSpan(2, 1, 0, "x")))
		time.Sleep(10 * time.Second)
		r.sink.setRefuse(nil)
		time.Sleep(time.Minute)
		r.stop()
		want := []componentstatus.Status{componentstatus.StatusRecoverableError, componentstatus.StatusOK}
		if d := cmp.Diff(want, host.got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}
