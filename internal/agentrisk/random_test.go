package agentrisk

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the property tests; 0 takes one from the clock")

// newRand returns a source whose seed is printed when the test fails.
func newRand(t testing.TB) *rand.Rand {
	t.Helper()
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat with -seed=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// seen is one call of Tally.Add.
type seen struct {
	id SecretID
	l  Level
	c  Channel
}

func testID(n int) SecretID {
	return NewSecretID(FamilyIDNumber, [6]byte{byte(n), byte(n >> 8), byte(n >> 16)})
}

// randomSightings returns up to 60 sightings of up to 20 secrets, with levels
// that conflict and levels and channels that do not exist.
func randomSightings(r *rand.Rand) []seen {
	out := make([]seen, r.IntN(60))
	for i := range out {
		out[i] = seen{testID(r.IntN(1 + r.IntN(20))), Level(r.IntN(6)), Channel(r.IntN(NumChannels + 1))}
	}
	return out
}

// randomLeak is randomSightings with at least one leaked secret, and with
// probability one half one that stands on a source only.
func randomLeak(r *rand.Rand) []seen {
	out := append(randomSightings(r), seen{testID(100), Levels()[r.IntN(4)], ChannelLog})
	if r.IntN(2) == 0 {
		out = append(out, seen{testID(101), Levels()[r.IntN(4)], ChannelUserInput})
	}
	return out
}

func tallyOf(list []seen) *Tally {
	var t Tally
	for _, s := range list {
		t.Add(s.id, s.l, s.c)
	}
	return &t
}

func randomWeights(r *rand.Rand) Weights {
	var w Weights
	for i := range w {
		w[i] = 1 + r.IntN(1<<r.IntN(20))
	}
	return w
}

func increasingWeights(r *rand.Rand) Weights {
	for {
		w := randomWeights(r)
		slices.Sort(w[:])
		if w[0] < w[1] && w[1] < w[2] && w[2] < w[3] {
			return w
		}
	}
}

func randomProfile(r *rand.Rand, most int) Profile {
	var p Profile
	for i := range p {
		p[i] = r.IntN(most + 1)
	}
	return p
}

func mustReport(t testing.TB, tally *Tally, v *Vault, w Weights) Report {
	t.Helper()
	r, err := tally.Report(v, w)
	if err != nil {
		t.Fatalf("report: %v", err)
	}
	return r
}
