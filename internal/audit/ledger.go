package audit

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// Bounds of a ledger. Beyond them places are not recorded: the trace's score is then a lower bound, and the ledger
// says so (Overflown).
const (
	maxSecrets = 100_000
	maxPlaces  = 512 // of one secret
	maxSpans   = 200_000
	maxSpare   = 64 // roots beyond what there is room for
)

// A Ledger is what is remembered of a trace: its span tree without content, and for each secret a keyed fingerprint,
// its level and the places it stood in. It holds no value and no text. The zero value is ready. Adding is a join, so
// the order, the split and the repetition of batches do not matter, as long as it is not full. It is not safe for
// concurrent use.
type Ledger struct {
	skeleton mapping.Skeleton
	secrets  map[agentrisk.SecretID]*secret
	literals literals
	withheld map[pcommon.SpanID]int // values that could not be read, by span; the highest number seen
	places   int
	limit    int           // of Size; zero: none
	excepts  bool          // some places are allowed on a channel
	latest   *mapping.Tree // nil when the skeleton grew
	overflow bool
	spare    int // roots that were taken in when it was full
}

type secret struct {
	match  detect.Match                           // of the strongest find; its offsets mean nothing
	places map[mapping.Place]agentrisk.ChannelSet // and where it is allowed there
}

// Bound limits Size to about so many bytes from now on: what is new beyond them is not recorded, and the ledger is
// Overflown. Zero: no limit. What is known already may still grow by some facts of its spans.
func (l *Ledger) Bound(bytes int) { l.limit = bytes }

// full reports whether nothing new is recorded, and remembers that something was left out.
func (l *Ledger) full() bool {
	if l.limit > 0 && l.Size() >= l.limit {
		l.overflow = true
		return true
	}
	return false
}

// Add joins a batch that a scanned.
func (l *Ledger) Add(a *Auditor, b *Batch) {
	for i := range b.infos {
		if !b.infos[i].ID.IsEmpty() { // else a log record outside any span
			l.addSpan(&b.infos[i])
		}
	}
	l.addHits(b.hits)
	l.addHits(b.spared.exempt)
	for i := range b.literals {
		if x := &b.literals[i]; l.literals.knows(x) || !l.full() {
			l.literals.add(*x)
		}
	}
	for id, n := range b.unread {
		l.withhold(id, n)
	}
}

func (l *Ledger) addSpan(i *mapping.SpanInfo) {
	l.latest = nil
	if l.skeleton.Span(i.ID) == nil && (l.full() || l.skeleton.Len() >= maxSpans) {
		l.overflow = true
		// The root has a place even then: what it holds is the run's own input and answer.
		if !i.Seen || !i.Parent.IsEmpty() || l.spare >= maxSpare {
			return
		}
		l.spare++
	}
	l.skeleton.Add(i)
}

func (l *Ledger) addHits(hits []hit) {
	for i := range hits {
		h := &hits[i]
		if h.Rest {
			continue
		}
		if s := l.secret(h.ID, &h.Match); s != nil {
			l.addPlace(s, h.place, h.except)
		}
	}
}

// secret joins a find of a secret. It is nil when the ledger is full.
func (l *Ledger) secret(id agentrisk.SecretID, m *detect.Match) *secret {
	s := l.secrets[id]
	if s == nil {
		if l.full() || len(l.secrets) >= maxSecrets {
			l.overflow = true
			return nil
		}
		if l.secrets == nil {
			l.secrets = map[agentrisk.SecretID]*secret{}
		}
		s = &secret{match: *m, places: map[mapping.Place]agentrisk.ChannelSet{}}
		l.secrets[id] = s
	}
	if stronger(*m, s.match) {
		s.match = *m
	}
	return s
}

// addPlace joins a place of a secret. What one find there is not allowed on, it is not.
func (l *Ledger) addPlace(s *secret, p mapping.Place, except agentrisk.ChannelSet) {
	l.excepts = l.excepts || except != 0
	if was, ok := s.places[p]; ok {
		if was&except != was {
			s.places[p] = was & except
		}
		return
	}
	// Of each secret one place is recorded even then: a secret without any would count nowhere.
	if len(s.places) > 0 && (l.full() || len(s.places) >= maxPlaces) {
		l.overflow = true
		return
	}
	s.places[p] = except
	l.places++
}

func (l *Ledger) withhold(id pcommon.SpanID, n int) {
	if _, ok := l.withheld[id]; n == 0 || !ok && l.full() {
		return
	}
	if l.withheld == nil {
		l.withheld = map[pcommon.SpanID]int{}
	}
	l.withheld[id] = max(l.withheld[id], n)
}

// Merge joins another ledger, which is not changed.
func (l *Ledger) Merge(o *Ledger) {
	o.skeleton.Each(l.addSpan)
	for id, from := range o.secrets {
		if to := l.secret(id, &from.match); to != nil {
			for p, except := range from.places {
				l.addPlace(to, p, except)
			}
		}
	}
	if !l.full() {
		l.literals.merge(&o.literals)
	}
	for id, n := range o.withheld {
		l.withhold(id, n)
	}
	l.overflow = l.overflow || o.overflow
}

// tree is that of the spans known now.
func (l *Ledger) tree() *mapping.Tree {
	if l.latest == nil {
		l.latest = l.skeleton.Tree()
	}
	return l.latest
}

// Secrets counts the distinct secrets seen.
func (l *Ledger) Secrets() int { return len(l.secrets) }

// GenAI reports whether any span seen belongs to an agent's run.
func (l *Ledger) GenAI() bool { return l.skeleton.GenAI() }

// Spans visits the ids of the spans known, in no order.
func (l *Ledger) Spans(visit func(pcommon.SpanID)) {
	l.skeleton.Each(func(i *mapping.SpanInfo) { visit(i.ID) })
}

// Withheld counts the values that could not be read to their end.
func (l *Ledger) Withheld() (n int) {
	for _, m := range l.withheld {
		n += m
	}
	return n
}

// Overflown reports whether the trace exceeded what a ledger records, so that its score is a lower bound.
func (l *Ledger) Overflown() bool { return l.overflow }

// Size is the approximate memory of the ledger in bytes.
func (l *Ledger) Size() int {
	return 256 + l.skeleton.Size() + 160*len(l.secrets) + 64*l.places + l.literals.size() + 48*len(l.withheld)
}
