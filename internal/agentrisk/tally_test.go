package agentrisk

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

func equalTallies(a, b *Tally) bool { return maps.Equal(a.seen, b.seen) }

func join(a, b *Tally) *Tally {
	var t Tally
	t.Merge(a)
	t.Merge(b)
	return &t
}

func TestTallyIsAJoin(t *testing.T) {
	r := newRand(t)
	for range 2000 {
		a, b, c := tallyOf(randomSightings(r)), tallyOf(randomSightings(r)), tallyOf(randomSightings(r))
		if !equalTallies(join(a, b), join(b, a)) {
			t.Fatalf("not commutative: %v, %v", a, b)
		}
		if !equalTallies(join(a, join(b, c)), join(join(a, b), c)) {
			t.Fatalf("not associative: %v, %v, %v", a, b, c)
		}
		if !equalTallies(join(a, a), a) || !equalTallies(join(join(a, b), b), join(a, b)) {
			t.Fatalf("not idempotent: %v, %v", a, b)
		}
		if !equalTallies(join(a, &Tally{}), a) || !equalTallies(join(&Tally{}, a), a) {
			t.Fatalf("the empty tally is not neutral: %v", a)
		}
		before := maps.Clone(a.seen)
		a.Merge(a)
		a.Merge(nil)
		if !maps.Equal(a.seen, before) {
			t.Fatalf("merging itself changed %v", a)
		}
	}
}

// TestTallySplit cuts a list of sightings into overlapping parts, shuffles each
// and merges them: the tally is that of the whole list.
func TestTallySplit(t *testing.T) {
	r := newRand(t)
	for range 2000 {
		all := randomSightings(r)
		want := tallyOf(all)
		parts := make([][]seen, 1+r.IntN(4))
		for _, s := range all {
			i := r.IntN(len(parts))
			parts[i] = append(parts[i], s)
			if r.IntN(4) == 0 { // delivered twice
				j := r.IntN(len(parts))
				parts[j] = append(parts[j], s)
			}
		}
		var got Tally
		for _, p := range parts {
			p = slices.Clone(p)
			r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
			got.Merge(tallyOf(p))
		}
		if !equalTallies(&got, want) {
			t.Fatalf("split tally %v, want %v", got, want)
		}
	}
}

func TestTallyAdd(t *testing.T) {
	var tally Tally
	if tally.Len() != 0 {
		t.Fatal("the zero value is not empty")
	}
	tally.Add(testID(1), L4, ChannelNone)
	tally.Add(testID(1), L4, numChannels)
	tally.Add(testID(1), L4, 255)
	if tally.Len() != 0 {
		t.Fatal("text that is not scored was counted")
	}
	tally.Add(testID(1), LevelNone, ChannelUserInput)
	tally.Add(testID(2), 77, ChannelLog)
	tally.Add(testID(3), L2, ChannelLog)
	tally.Add(testID(3), L3, ChannelUserInput)
	tally.Add(testID(3), L1, ChannelToolCall)
	r := mustReport(t, &tally, nil, DefaultWeights)
	if want := (Profile{1, 0, 1, 1}); r.Reachable != want {
		t.Errorf("reachable %v, want %v", r.Reachable, want)
	}
	if want := (Profile{0, 0, 1, 1}); r.Leaked != want {
		t.Errorf("leaked %v, want %v: the level of a source counts too", r.Leaked, want)
	}
}

func TestMergeCopies(t *testing.T) {
	var a, b Tally
	b.Add(testID(1), L2, ChannelLog)
	a.Merge(&b)
	a.Add(testID(2), L2, ChannelLog)
	b.Add(testID(3), L2, ChannelLog)
	if a.Len() != 2 || b.Len() != 2 {
		t.Errorf("lengths %d and %d, want 2 and 2", a.Len(), b.Len())
	}
}

// BenchmarkTallyAdd has a budget of no allocation for a secret already seen.
func BenchmarkTallyAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	list := make([]seen, 1024)
	for i := range list {
		list[i] = seen{testID(r.IntN(64)), L4, ChannelLog}
	}
	tally := tallyOf(list)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		s := list[i%len(list)]
		tally.Add(s.id, s.l, s.c)
		i++
	}
}
