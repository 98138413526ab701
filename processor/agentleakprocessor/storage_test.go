package agentleakprocessor

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"
)

// TestCrash wants a run that is interrupted at random to end as one that is not: each span that was accepted arrives, the
// root with the same score, nothing of it unredacted. Only spans on their way to the next component may come twice.
func TestCrash(t *testing.T) {
	rng := seeded(t)
	lives := 60
	if testing.Short() {
		lives = 15
	}
	for i := range lives {
		hold, hard := 10*time.Second, true
		switch i % 3 {
		case 1:
			hold, hard = 0, false
		case 2:
			hold, hard = 200*time.Millisecond, false
		}
		correlate := i%5 == 4
		change := func(c *Config) {
			c.Hold = hold
			if correlate {
				c.Correlate = []string{"session.id"}
			}
		}
		s, other := newStory(rng, 2*i, hard), newStory(rng, 2*i+1, hard)
		s.td.ResourceSpans().At(0).Resource().Attributes().PutStr("session.id", "one")
		other.td.ResourceSpans().At(0).Resource().Attributes().PutStr("session.id", "another")
		both := clone(s.td)
		clone(other.td).ResourceSpans().MoveAndAppendTo(both.ResourceSpans())
		batches := deal(rng, both, 1+rng.IntN(8))
		synctest.Test(t, func(t *testing.T) {
			whole := newRig(t, change)
			for _, b := range batches {
				whole.send(b)
				time.Sleep(100 * time.Millisecond)
			}
			whole.stopAfter(3 * time.Second)
			want := ours(whole.sink.root(t, s.id))

			// The same with crashes: at each a new rig starts from what the store holds at that moment.
			r := newRigWith(t, newStore(), change)
			current := newStore()
			r.stop()
			r = newRigWith(t, current, change)
			var arrived []ptrace.Span
			var out strings.Builder
			crash := func() {
				next := current.crash() // before the sink is read: what is removed later has arrived
				arrived = append(arrived, r.sink.spans()...)
				out.WriteString(r.sink.json(t))
				r.stop()
				current = next
				r = newRigWith(t, current, change)
			}
			for _, b := range batches {
				r.send(b)
				if rng.IntN(3) == 0 {
					crash()
				}
				time.Sleep(time.Duration(rng.IntN(150)) * time.Millisecond)
				if rng.IntN(6) == 0 {
					crash()
				}
			}
			// Somewhere between the arrival of the root and the end.
			time.Sleep(time.Duration(rng.IntN(2200)) * time.Millisecond)
			crash()
			time.Sleep(3 * time.Second)
			arrived = append(arrived, r.sink.spans()...)
			out.WriteString(r.sink.json(t))

			seen := map[pcommon.SpanID]int{}
			var root []map[string]any
			for _, span := range arrived {
				if span.TraceID() != s.id {
					continue
				}
				seen[span.SpanID()]++
				if span.ParentSpanID().IsEmpty() {
					root = append(root, ours(span))
				}
			}
			for _, span := range spansOf(s.td) {
				if seen[span.SpanID()] == 0 {
					t.Errorf("span %v was accepted and is lost", span.SpanID())
				}
			}
			for _, got := range root {
				if d := gocmp.Diff(want, got); d != "" {
					t.Errorf("hold %v, correlate %v: -without +with crashes\n%s", hold, correlate, d)
				}
			}
			if len(root) == 0 {
				t.Error("no root")
			}
			s.redacted(t, out.String(), whole.sink.json(t))
			r.stop()
			r.conserved()
			if p, n := current.entries(pieceEntry), current.entries(noteEntry); p+n > 0 {
				t.Errorf("%d pieces and %d notes are kept for ever", p, n)
			}
		})
		if t.Failed() {
			t.Fatalf("story %d", i)
		}
	}
}

// TestKeptLogs: what a log record added to the ledger of its trace outlives a crash.
func TestKeptLogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := newRigWith(t, s, nil)
		ld := asked(1, 1, "card "+visa)
		j := r.shards.of(traceID(1)).addLogs(partID{trace: traceID(1)}, pcommon.TraceID{}, ld, r.policies.Default().ScanLogs(ld))
		if err := j.kept.wait(); err != nil || j.kept == nil {
			t.Fatalf("%v, %v", j.kept, err)
		}
		next := s.crash()
		r.stop()
		r = newRigWith(t, next, nil)
		r.send(made(agentSpan(1, 1, "hello", "for the order, see "+visa)))
		r.stopAfter(3 * time.Second)
		if got := ours(r.sink.root(t, traceID(1)))["agentleak.wsl"]; got != int64(4) {
			t.Errorf("wsl %v: the record is forgotten", got)
		}
	})
}

// TestLateAfterCrash: a trace that was closed stays closed.
func TestLateAfterCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := newRigWith(t, s, nil)
		r.send(made(agentSpan(1, 1, "card "+visa, "done")))
		time.Sleep(3 * time.Second)
		next := s.crash()
		r.stop()
		r = newRigWith(t, next, nil)
		r.send(made(toolSpan(1, 3, 1, "for the order, see "+visa)))
		synctest.Wait()
		late, ok := r.sink.byID(3)
		if !ok {
			t.Fatal("the late span is held")
		}
		if got := ours(late); got["agentleak.late"] != true || got["agentleak.risk_index"] != 1.0 {
			t.Errorf("the late span: %v", got)
		}
		if strings.Contains(r.sink.json(t), visa) {
			t.Error("the card is still there")
		}
		time.Sleep(6 * time.Minute) // idle_timeout
		if n := next.len(); n != 0 {
			t.Errorf("%d records of a forgotten trace", n)
		}
		r.stop()
	})
}

// TestKeptIsSealed looks for content in what is written, and wants it in the clear form, so that the test is one.
func TestKeptIsSealed(t *testing.T) {
	for _, clear := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newStore()
			r := newRigWith(t, s, func(c *Config) {
				if clear {
					c.StorageKey, c.StorageInClear = "", true
				}
			})
			r.send(leaky())
			held := s.crash()
			r.stop()
			found := false
			for _, v := range held.m {
				found = found || bytes.Contains(v, []byte(visa)) || bytes.Contains(v, []byte("lookup"))
			}
			if found != clear {
				t.Errorf("in clear %v: content found %v", clear, found)
			}
			// The one reads nothing that the other wrote, and starts all the same.
			again := newRigWith(t, held, func(c *Config) {
				if !clear {
					c.StorageKey, c.StorageInClear = "", true
				}
			})
			if got := again.sum("agentleak_skipped_records"); got != 2 || again.sum("agentleak_recovered_spans") != 0 {
				t.Errorf("%d records skipped, want 2", got)
			}
			again.stop()
		})
	}
}

// TestDamage starts from a store of which random parts are damaged: what is whole is taken up, the rest counted.
func TestDamage(t *testing.T) {
	rng := seeded(t)
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := newRigWith(t, s, nil)
		const n = 60
		for i := range uint64(n) {
			r.send(made(plainSpan(i+1, 2, 1, "to "+email)))
		}
		held := s.crash()
		r.stop()
		bad := 0
		for k, v := range held.m {
			v = bytes.Clone(v)
			switch rng.IntN(4) {
			case 0:
				v[rng.IntN(len(v))] ^= 1 << rng.IntN(8)
			case 1:
				v = v[:rng.IntN(len(v))]
			default:
				continue
			}
			held.m[k] = v
			bad++
		}
		held.m["what is this"] = []byte("?")
		again := newRigWith(t, held, nil)
		if got := again.sum("agentleak_skipped_records"); got != int64(bad+1) {
			t.Errorf("%d records skipped, %d are damaged", got, bad+1)
		}
		if n := again.logs.FilterMessageSnippet("is skipped").Len(); n != 1 {
			t.Errorf("reported %d times", n)
		}
		again.stop()
		if got := again.sink.count(); got != n-bad {
			t.Errorf("%d spans came, want %d", got, n-bad)
		}
		again.conserved()
	})
}

// TestStorageRefuses: a sender is told to try again, nothing of its request is taken in, and it is well once the storage
// takes it.
func TestStorageRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := newRigWith(t, s, nil)
		r.send(made(plainSpan(1, 2, 1, "x")))
		s.mu.Lock()
		s.refuse = errors.New("no space in /var/lib")
		s.mu.Unlock()
		err := r.ConsumeTraces(context.Background(), leaky())
		if !errors.Is(err, errStorage) || consumererror.IsPermanent(err) {
			t.Errorf("got %v", err)
		}
		if in, refused := r.sum("incoming_items"), r.sum("agentleak_refused_spans"); in != 1 || refused != 4 {
			t.Errorf("%d in, %d refused", in, refused)
		}
		if r.sum("agentleak_storage_errors") == 0 {
			t.Error("not counted")
		}
		// What is held goes on, and what it took makes room.
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if got, left := r.sink.count(), s.entries(pieceEntry); got != 1 || left != 0 {
			t.Errorf("%d spans came, %d pieces are left", got, left)
		}
		s.mu.Lock()
		s.refuse = nil
		s.mu.Unlock()
		r.send(leaky())
		r.stopAfter(3 * time.Second)
		if got := r.sink.count(); got != 5 {
			t.Errorf("%d of 5 spans came", got)
		}
		r.conserved()
		if s.len() > 0 {
			t.Errorf("%d records left", s.len())
		}
	})
}

// TestKeptAtShutdown: what the next component did not take in time is there after the next start.
func TestKeptAtShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := newRigWith(t, s, nil)
		r.sink.setRefuse(func(ptrace.Traces) error { return errTest })
		r.send(leaky())
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := r.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if kept, lost := r.sum("agentleak_kept_spans"), r.sum("agentleak_lost_spans"); kept != 4 || lost != 0 {
			t.Errorf("%d kept, %d lost", kept, lost)
		}
		r.conserved()
		r = newRigWith(t, s, nil)
		r.stopAfter(3 * time.Second)
		if got := r.sink.count(); got != 4 {
			t.Errorf("%d of 4 spans came", got)
		}
		if got := ours(r.sink.root(t, traceID(1)))["agentleak.wsl"]; got != int64(6) {
			t.Errorf("wsl %v", got)
		}
		r.conserved()
	})
}

// TestStorageConfig wants what is wrong with the configuration to stop the start, and damage not to.
func TestStorageConfig(t *testing.T) {
	c := createDefaultConfig().(*Config)
	c.Redaction.Key, c.Storage, c.StorageKey = testKey, &storeID, storeKey
	f := NewFactory()
	start := func(s *store) error {
		host := componenttest.NewNopHost()
		if s != nil {
			host = s.on()
		}
		p, err := f.CreateTraces(t.Context(), processortest.NewNopSettings(typ), c, &catcher{})
		if err != nil {
			t.Fatal(err)
		}
		err = p.Start(t.Context(), host)
		t.Cleanup(func() { _ = p.Shutdown(context.Background()) })
		return err
	}
	if err := start(nil); err == nil || !strings.Contains(err.Error(), "no such extension") {
		t.Errorf("no extension: %v", err)
	}
	if err := start(newStore()); err != nil {
		t.Error(err)
	}
	if err := start(newStore()); err == nil || !strings.Contains(err.Error(), "two traces pipelines") {
		t.Errorf("a second instance: %v", err)
	}
}

// TestCompaction: a trace that streams for long leaves no more notes than it must.
func TestCompaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		s := newStore()
		change := func(c *Config) { c.Hold = 0 }
		r := newRigWith(t, s, change)
		for i := range uint64(2000) {
			r.send(made(toolSpan(1, i+2, 1, card(rng))))
		}
		synctest.Wait()
		if n := s.entries(noteEntry); n > maxNotes+1 {
			t.Errorf("%d notes", n)
		}
		next := s.crash()
		r.stop()
		r = newRigWith(t, next, change)
		r.send(made(agentSpan(1, 1, "hello", "hello")))
		r.stopAfter(3 * time.Second)
		if got := ours(r.sink.root(t, traceID(1)))["agentleak.wsl"]; got != int64(8000) {
			t.Errorf("wsl %v of 2000 cards", got)
		}
	})
}
