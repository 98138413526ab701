package agentleakprocessor

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the random tests, as a failed one printed it; 0 takes another each time")

func seeded(t testing.TB) *rand.Rand {
	t.Helper()
	seed := cmp.Or(*seedFlag, rand.Uint64())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// TestOneTrace follows a trace through: held, released when its root's grace is over, scored, redacted.
func TestOneTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		s := newStory(rand.New(rand.NewPCG(1, 1)), 0, false)
		n := s.td.SpanCount()
		r.send(s.td)
		time.Sleep(1900 * time.Millisecond)
		if got := r.sink.count(); got != 0 {
			t.Errorf("%d spans left before the grace was over", got)
		}
		if got := r.sum("agentleak_held_spans"); got != int64(n) {
			t.Errorf("held %d of %d", got, n)
		}
		r.conserved()
		time.Sleep(300 * time.Millisecond)
		if got := r.sink.count(); got != n {
			t.Errorf("%d of %d spans came", got, n)
		}
		if got := r.sink.batches(); got != 1 {
			t.Errorf("they came in %d batches", got)
		}
		t.Log(ours(r.sink.root(t, s.id)))
		t.Log(r.sink.json(t))
		s.redacted(t, r.sink.json(t), "")
		r.stop()
		r.conserved()
	})
}

// TestAnySplit wants the score of the root to be the same however the trace came: as one batch, or in any number of
// them, in any order, some of them twice, mixed with another trace. Streaming comes to the same, but for values that
// only another span gives away: those are gone by then.
func TestAnySplit(t *testing.T) {
	rng := seeded(t)
	lives := 150
	if testing.Short() {
		lives = 20
	}
	for i := range lives {
		hold, hard := 10*time.Second, true
		if i%2 == 0 {
			hold, hard = 0, false
		}
		s, other := newStory(rng, 2*i, hard), newStory(rng, 2*i+1, hard)
		synctest.Test(t, func(t *testing.T) {
			whole := newRig(t, nil)
			whole.send(s.td)
			whole.stopAfter(3 * time.Second)
			want := ours(whole.sink.root(t, s.id))
			if len(want) < 10 {
				t.Errorf("only %v on the root", want)
			}

			split := newRig(t, func(c *Config) { c.Hold = hold })
			both := clone(s.td)
			clone(other.td).ResourceSpans().MoveAndAppendTo(both.ResourceSpans())
			batches := deal(rng, both, 1+rng.IntN(8))
			for _, again := range batches[:rng.IntN(len(batches)+1)] {
				batches = append(batches, again)
			}
			rng.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
			for _, b := range batches {
				split.send(b)
				time.Sleep(time.Duration(rng.IntN(100)) * time.Millisecond)
			}
			split.stopAfter(3 * time.Second)
			if d := gocmp.Diff(want, ours(split.sink.root(t, s.id))); d != "" {
				t.Errorf("hold %v: -whole +split\n%s", hold, d)
			}
			s.redacted(t, split.sink.json(t), whole.sink.json(t))
			split.conserved()
		})
		if t.Failed() {
			t.Fatalf("story %d", i)
		}
	}
}

// stopAfter lets time pass and then stops.
func (r *rig) stopAfter(d time.Duration) {
	r.Helper()
	time.Sleep(d)
	r.stop()
}

// redacted wants no value of level 4 in what came out, but for what stands in reference too: that no rule knew it there
// is not for this package to judge.
func (s *story) redacted(t testing.TB, out, reference string) {
	t.Helper()
	for _, v := range s.values {
		if v.level == 4 && strings.Contains(out, v.value) && !strings.Contains(reference, v.value) {
			t.Errorf("%s is still there", v.value)
		}
	}
}
