package agentleakprocessor

import (
	"errors"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/assembly"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// noTraceID is the reason of spans that have none: they are scored with what came in the same batch and never held.
const noTraceID = "no_trace_id"

// A settler does the last work on spans of one policy before they go: it takes out copies of what was found in their
// trace, scores, redacts and annotates. It keeps no state.
type settler struct {
	auditor *audit.Auditor
	marker  marker
	tel     *telemetry
	of      policyOptions
	holds   bool // spans are held before they leave, so that those of a trace without its root say something
}

// newSettlers makes one for each policy.
func newSettlers(set *audit.Set, c *Config, tel *telemetry) []*settler {
	out := make([]*settler, set.Len())
	f := c.file("")
	for i, e := range f.Effective() {
		name := ""
		if set.Matcher() != nil {
			name = set.Name(i)
		}
		out[i] = &settler{
			auditor: set.At(i), marker: newMarker(set.At(i), c, name), tel: tel, of: newPolicyOptions(name, e.Redaction.Style), holds: c.Hold > 0,
		}
	}
	return out
}

// settle works on what one release of a trace has of t and appends its chunks to dst.
func (s *settler) settle(dst []parcel, t *trace, r *assembly.Release[*piece]) []parcel {
	d := departure{
		id: r.Trace, pieces: make([]*piece, 0, len(r.Chunks)), reason: r.Reason.String(),
		final: r.Closed && r.Reason != assembly.Late, late: r.Reason == assembly.Late,
	}
	for _, c := range r.Chunks {
		if c.Payload.policy == t.policy {
			d.pieces = append(d.pieces, c.Payload)
		}
	}
	if len(d.pieces) == 0 && !d.final {
		return dst // of another policy
	}
	return s.depart(dst, t, &d)
}

// loose settles a piece of spans without a trace id.
func (s *settler) loose(p *piece) []parcel {
	t := newTrace(p.policy)
	t.ledger.Add(s.auditor, p.batch)
	return s.depart(nil, t, &departure{pieces: []*piece{p}, reason: noTraceID, final: true})
}

// A departure is pieces of one trace that leave together.
type departure struct {
	id     pcommon.TraceID // empty for spans that have none
	pieces []*piece
	reason string
	final  bool // the trace is complete as far as anyone can tell
	late   bool // it was before
}

func (s *settler) depart(dst []parcel, t *trace, d *departure) []parcel {
	found := false
	for _, p := range d.pieces {
		s.auditor.FindCopies(p.td, p.batch, t.ledger)
		found = found || p.batch.Findings() > 0
	}
	current := true
	switch {
	case d.final:
		t.rescore(s.auditor)
	case d.late || found:
		current = t.refresh(s.auditor)
	}
	scored := (d.final || d.late) && !t.plain()
	if d.final && scored && !t.counted {
		t.counted = true
		s.tel.scored(t.score, s.of)
	}
	var tops map[pcommon.SpanID]bool
	var why []string
	if scored {
		tops, why = topmost(d), d.incomplete(t, t.score)
	}
	// Spans that leave before their root came may never be followed by one, when it went to another gateway.
	rootless := false
	if s.holds && !scored && d.early() && !t.plain() {
		t.refresh(s.auditor)
		if rootless = slices.Contains(t.score.Missing, audit.MissingRoot); rootless {
			tops, why = topmost(d), d.incomplete(t, t.score)
		}
	}

	var links map[pcommon.SpanID][]leakLink
	if scored && s.marker.links && d.final && !d.id.IsEmpty() {
		links = leakLinks(t.score.Paths(t.ledger), d, maxLinks-t.links)
	}

	var c counts
	for _, p := range d.pieces {
		c.spans += p.spans
		c.allow(s.auditor, p.batch)
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
		told := p.td
		if s.marker.events {
			told = s.auditor.Told(p.td, p.batch)
		}
		s.auditor.Redact(p.td, p.batch)
		p.above = p.batch.Above()
		s.marker.mark(p.td, told, fs)
		if scored {
			s.marker.score(p.td, t.score, tops, d, why)
		} else if rootless {
			s.marker.incomplete(p.td, tops, why)
		}
		dst = append(dst, parcel{td: p.td, spans: p.spans, bytes: int64(p.bytes), entries: p.entries()})
	}
	t.links += putLinks(t, d, links)
	s.tel.settled(&c, s.of, d.reason)
	return dst
}

// rescore computes the score of what is known.
func (t *trace) rescore(a *audit.Auditor) {
	t.score, t.scored = a.Score(t.ledger), t.ledger.Size()
	if t.next != nil {
		t.score.Among(t.ledger, t.others()...)
	}
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

// early reports whether the spans leave before their trace is complete, because they were held for long or a bound was
// reached.
func (d *departure) early() bool {
	switch d.reason {
	case assembly.HeldLongest.String(), assembly.TooBig.String(), assembly.Pressure.String():
		return !d.late && !d.final
	}
	return false
}

// topmost returns the spans that carry the score: those without a parent; in a departure without any, those whose parent
// is not among the spans that leave, unless the trace was complete before.
func topmost(d *departure) map[pcommon.SpanID]bool {
	tops := map[pcommon.SpanID]bool{}
	here := map[pcommon.SpanID]bool{}
	d.each(func(span ptrace.Span) {
		here[span.SpanID()] = true
		if span.ParentSpanID().IsEmpty() {
			tops[span.SpanID()] = true
		}
	})
	if len(tops) == 0 && !d.late {
		d.each(func(span ptrace.Span) {
			if !here[span.ParentSpanID()] {
				tops[span.SpanID()] = true
			}
		})
	}
	return tops
}

func (d *departure) each(visit func(ptrace.Span)) {
	for _, p := range d.pieces {
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
	redacted        map[redaction]int
	allowed         map[string]int // by row
}

// A redaction is what was replaced by which rule.
type redaction struct {
	rule  string
	level agentrisk.Level
}

func (c *counts) add(a *audit.Auditor, fs []audit.Finding) {
	for i := range fs {
		f := &fs[i]
		c.findings[f.Level][f.Channel]++
		if redacted(a, f) {
			if c.redacted == nil {
				c.redacted = map[redaction]int{}
			}
			c.redacted[redaction{f.Rule, f.Level}]++
		}
	}
}

// allow counts what the allow list took out of a batch.
func (c *counts) allow(a *audit.Auditor, b *audit.Batch) {
	hits := b.Allowed()
	if len(hits) == 0 {
		return
	}
	if c.allowed == nil {
		c.allowed = map[string]int{}
	}
	rows := a.Allow()
	for i, n := range hits {
		c.allowed[rows[i].Row] += n
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
