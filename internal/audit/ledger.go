package audit

import (
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
)

// A Ledger is what is remembered of a trace: its span tree without content, and for each secret a keyed fingerprint,
// its level and the places it stood in. It holds no value and no text. The zero value is ready. Adding is a join, so
// the order, the split and the repetition of batches do not matter. It is not safe for concurrent use.
type Ledger struct {
	skeleton mapping.Skeleton
	secrets  map[agentrisk.SecretID]*secret
	literals literals
	withheld int
	places   int
	overflow bool
}

type secret struct {
	match  detect.Match // of the strongest find; its offsets mean nothing
	places map[mapping.Place]struct{}
}

// Add joins a batch that a scanned.
func (l *Ledger) Add(a *Auditor, b *Batch) {
	for i := range b.infos {
		if b.infos[i].ID.IsEmpty() {
			continue // a log record outside any span
		}
		if l.skeleton.Len() >= maxSpans && l.skeleton.Span(b.infos[i].ID) == nil {
			l.overflow = true
			continue
		}
		l.skeleton.Add(&b.infos[i])
	}
	l.addHits(b.hits)
	for _, x := range b.literals {
		l.literals.add(x)
	}
	l.withheld += b.Withheld()
}

func (l *Ledger) addHits(hits []hit) {
	if l.secrets == nil {
		l.secrets = map[agentrisk.SecretID]*secret{}
	}
	for i := range hits {
		h := &hits[i]
		if h.Rest {
			continue
		}
		s := l.secrets[h.ID]
		if s == nil {
			if len(l.secrets) >= maxSecrets {
				l.overflow = true
				continue
			}
			s = &secret{match: h.Match, places: map[mapping.Place]struct{}{}}
			l.secrets[h.ID] = s
		}
		if stronger(h.Match, s.match) {
			s.match = h.Match
		}
		if _, ok := s.places[h.place]; !ok {
			if len(s.places) >= maxPlaces {
				l.overflow = true
				continue
			}
			s.places[h.place] = struct{}{}
			l.places++
		}
	}
}

// Merge joins another ledger, which is not changed.
func (l *Ledger) Merge(o *Ledger) {
	l.skeleton.Merge(&o.skeleton)
	if l.secrets == nil {
		l.secrets = map[agentrisk.SecretID]*secret{}
	}
	for id, from := range o.secrets {
		to := l.secrets[id]
		if to == nil {
			if len(l.secrets) >= maxSecrets {
				l.overflow = true
				continue
			}
			to = &secret{match: from.match, places: map[mapping.Place]struct{}{}}
			l.secrets[id] = to
		}
		if stronger(from.match, to.match) {
			to.match = from.match
		}
		for p := range from.places {
			if _, ok := to.places[p]; ok {
				continue
			}
			if len(to.places) >= maxPlaces {
				l.overflow = true
				break
			}
			to.places[p] = struct{}{}
			l.places++
		}
	}
	l.literals.merge(&o.literals)
	l.withheld += o.withheld
	l.overflow = l.overflow || o.overflow || l.skeleton.Len() > maxSpans
}

// Secrets counts the distinct secrets seen.
func (l *Ledger) Secrets() int { return len(l.secrets) }

// GenAI reports whether any span seen belongs to an agent's run.
func (l *Ledger) GenAI() bool { return l.skeleton.GenAI() }

// Withheld counts the values that could not be read to their end.
func (l *Ledger) Withheld() int { return l.withheld }

// Overflown reports whether the trace exceeded what a ledger records, so that its score is a lower bound.
func (l *Ledger) Overflown() bool { return l.overflow }

// Size is the approximate memory of the ledger in bytes.
func (l *Ledger) Size() int {
	return 256 + l.skeleton.Size() + 160*len(l.secrets) + 64*l.places + l.literals.size()
}
