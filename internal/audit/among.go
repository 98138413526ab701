package audit

import (
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// Among tells a score of l that others hold the rest of its trace, under other policies: a root or a parent that one of
// them saw is not missing. Nothing else of the score depends on them.
func (s *Score) Among(l *Ledger, others ...*Ledger) {
	if len(others) == 0 || s.Complete {
		return
	}
	rest := make([]*mapping.Skeleton, len(others))
	for i, o := range others {
		rest[i] = &o.skeleton
	}
	rooted, complete := l.skeleton.Among(rest)
	s.Missing = slices.DeleteFunc(s.Missing, func(why string) bool { return why == MissingRoot || why == MissingParent })
	switch {
	case !rooted:
		s.Missing = slices.Insert(s.Missing, 0, MissingRoot)
	case !complete:
		s.Missing = slices.Insert(s.Missing, 0, MissingParent)
	}
	s.Complete = len(s.Missing) == 0
}
