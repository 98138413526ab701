package detect

import (
	"cmp"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// cand is a value some rule found, before overlaps are resolved.
type cand struct {
	rule       *rule
	start, end int
	tok        token // when rule is nil
	rank       int
	level      agentrisk.Level
	val        string // the value in plain form, when the text has it in another
	weak       bool   // counts only near a value that identifies a person
}

// better orders candidates by who wins an overlap: tokens, then the higher level,
// the more certain rule, the longer value, the earlier one.
func better(a, b cand) int {
	if ta, tb := a.rule == nil, b.rule == nil; ta != tb {
		if ta {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(b.level, a.level),
		cmp.Compare(b.rank, a.rank),
		cmp.Compare(b.end-b.start, a.end-a.start),
		cmp.Compare(a.start, b.start),
	)
}

// resolve leaves disjoint candidates, sorted by start.
func resolve(in []cand) []cand {
	if len(in) < 2 {
		return in
	}
	byStart := func(a, b cand) int { return cmp.Compare(a.start, b.start) }
	slices.SortStableFunc(in, byStart)
	out := in[:0]
	for i := 0; i < len(in); {
		// A cluster is a run of candidates each of which overlaps one before it.
		j, reach := i+1, in[i].end
		for j < len(in) && in[j].start < reach {
			reach = max(reach, in[j].end)
			j++
		}
		out = append(out, pick(in[i:j])...)
		i = j
	}
	return out
}

// pick chooses the winners of one cluster and returns them in its first places.
func pick(c []cand) []cand {
	if len(c) == 1 {
		return c
	}
	slices.SortStableFunc(c, better)
	won := make([]cand, 0, 4)
	for _, x := range c {
		at, _ := slices.BinarySearchFunc(won, x, func(a, b cand) int { return cmp.Compare(a.start, b.start) })
		if at < len(won) && won[at].start < x.end || at > 0 && won[at-1].end > x.start {
			continue
		}
		won = slices.Insert(won, at, x)
	}
	return c[:copy(c, won)]
}

// weakReach is how far from a value that identifies a person a weak candidate may
// stand.
const weakReach = 160

// settleWeak keeps the weak candidates that stand near a contact, an account or an
// identity number, and drops the others.
func settleWeak(c []cand) []cand {
	weak := false
	for i := range c {
		weak = weak || c[i].weak
	}
	if !weak {
		return c
	}
	// Marks are the ends of values that identify, sorted.
	slices.SortStableFunc(c, func(a, b cand) int { return cmp.Compare(a.start, b.start) })
	last := -1 << 30
	for i := range c {
		if identifies(c[i]) {
			last = max(last, c[i].end)
		} else if c[i].weak && c[i].start-last <= weakReach {
			c[i].weak = false
		}
	}
	next := 1 << 60
	for i := len(c) - 1; i >= 0; i-- {
		if identifies(c[i]) {
			next = c[i].start
		} else if c[i].weak && next-c[i].end <= weakReach {
			c[i].weak = false
		}
	}
	return slices.DeleteFunc(c, func(x cand) bool { return x.weak })
}

// identifies reports whether a candidate reaches or names one person.
func identifies(c cand) bool {
	f := agentrisk.FamilyCustom
	if c.rule != nil {
		f = c.rule.fam
	} else {
		f = familyOf(c.tok.typ)
	}
	return !c.weak && (f == agentrisk.FamilyIDNumber || f == agentrisk.FamilyContact)
}
