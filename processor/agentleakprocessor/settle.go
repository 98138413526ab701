package agentleakprocessor

import (
	"errors"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/assembly"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// noTraceID is the reason of spans that have none: they are scored with what came in the same batch and never held.
const noTraceID = "no_trace_id"

// A settler does the last work on spans before they go: it takes out copies of what was found in their trace, scores,
// redacts and annotates. It keeps no state.
type settler struct {
	auditor *audit.Auditor
	marker  marker
	tel     *telemetry
}

// settle works on one release of t and appends its chunks to dst.
func (s *settler) settle(dst []parcel, t *trace, r *assembly.Release[*piece]) []parcel {
	pieces := make([]*piece, len(r.Chunks))
	for i, c := range r.Chunks {
		pieces[i] = c.Payload
	}
	final := r.Closed && r.Reason != assembly.Late
	late := r.Reason == assembly.Late
	complete := r.Reason == assembly.RootEnded && !t.trimmed
	return s.work(dst, t, pieces, final, late, complete, r.Reason.String())
}

// loose settles a piece of spans without a trace id.
func (s *settler) loose(p *piece) []parcel {
	var t trace
	t.ledger.Add(s.auditor, p.batch)
	return s.work(nil, &t, []*piece{p}, true, false, false, noTraceID)
}

// work does what there is to do when pieces of t leave. With final set the trace is complete as far as anyone can tell.
func (s *settler) work(dst []parcel, t *trace, pieces []*piece, final, late, complete bool, reason string) []parcel {
	found := false
	for _, p := range pieces {
		s.auditor.FindCopies(p.td, p.batch, &t.ledger)
		found = found || p.batch.Findings() > 0
	}
	current := true
	switch {
	case final:
		t.rescore(s.auditor)
	case late || found:
		current = t.refresh(s.auditor)
	}
	if final && !t.counted && !t.plain() {
		t.counted = true
		s.tel.scored(t.score)
	}

	var tops map[pcommon.SpanID]bool
	scored := (final || late) && !t.plain()
	if scored {
		tops = topmost(pieces, final)
	}
	var c counts
	for _, p := range pieces {
		c.spans += p.spans
		var fs []audit.Finding
		if p.batch.Findings() > 0 {
			judge := t.score
			if !current {
				judge = alone(s.auditor, p.batch)
			}
			fs = judge.Findings(p.batch)
			c.add(s.auditor, fs)
		}
		if s.marker.redacts {
			c.withheld += p.batch.Withheld()
		}
		s.auditor.Redact(p.td, p.batch)
		s.marker.mark(p.td, fs)
		if scored {
			s.marker.score(p.td, t.score, tops, complete, late)
		}
		dst = append(dst, parcel{td: p.td, spans: p.spans, bytes: int64(p.bytes)})
	}
	s.tel.settled(&c, reason)
	return dst
}

// rescore computes the score of what is known.
func (t *trace) rescore(a *audit.Auditor) {
	t.score, t.scored = a.Score(&t.ledger), t.ledger.Size()
}

// cheap is the size of a ledger, in bytes, that can be scored for each piece that leaves: some 0.2 ms.
const cheap = 128 << 10

// refresh rescores unless the ledger is large and has hardly grown, since a long trace that streams would otherwise
// cost the square of its length. It reports whether the score is of all that is known.
func (t *trace) refresh(a *audit.Auditor) bool {
	if size := t.ledger.Size(); t.score != nil && size > cheap && size < t.scored+t.scored/8 {
		return false
	}
	t.rescore(a)
	return true
}

// alone judges a piece by itself, as good as it gets for marks that are provisional anyway.
func alone(a *audit.Auditor, b *audit.Batch) *audit.Score {
	var l audit.Ledger
	l.Add(a, b)
	return a.Score(&l)
}

// topmost returns the spans that carry the score: those without a parent; in a final release without any, those whose
// parent is not among the spans that are left.
func topmost(pieces []*piece, final bool) map[pcommon.SpanID]bool {
	tops := map[pcommon.SpanID]bool{}
	here := map[pcommon.SpanID]bool{}
	each(pieces, func(span ptrace.Span) {
		here[span.SpanID()] = true
		if span.ParentSpanID().IsEmpty() {
			tops[span.SpanID()] = true
		}
	})
	if len(tops) == 0 && final {
		each(pieces, func(span ptrace.Span) {
			if !here[span.ParentSpanID()] {
				tops[span.SpanID()] = true
			}
		})
	}
	return tops
}

func each(pieces []*piece, visit func(ptrace.Span)) {
	for _, p := range pieces {
		for _, rs := range p.td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, span := range ss.Spans().All() {
					visit(span)
				}
			}
		}
	}
}

// counts are what is measured of one release.
type counts struct {
	spans, withheld int
	findings        [agentrisk.L4 + 1][agentrisk.NumChannels]int
	redacted        [agentrisk.L4 + 1]int
}

func (c *counts) add(a *audit.Auditor, fs []audit.Finding) {
	for i := range fs {
		f := &fs[i]
		c.findings[f.Level][f.Channel]++
		if redacted(a, f) {
			c.redacted[f.Level]++
		}
	}
}

// redacted reports whether the value of a finding is replaced. A token was before.
func redacted(a *audit.Auditor, f *audit.Finding) bool { return !f.Token && a.Redacts(f.Level) }

// errorWord is the fixed word for a score that could not be computed. It names no number.
func errorWord(err error) string {
	if errors.Is(err, agentrisk.ErrVaultTooSmall) {
		return "vault_too_small"
	}
	return "score_out_of_range"
}
