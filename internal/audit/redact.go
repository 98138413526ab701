package audit

import (
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/internal/redact"
)

// Redact removes from td, in place, the values of b that the policy removes; b is of td. Values that could not be read
// to their end are withheld. It returns the number of texts changed.
func (a *Auditor) Redact(td ptrace.Traces, b *Batch) int { return a.redactTraces(a.redactor, td, b) }

// Told is td as it is when every mode is enforce: a copy, or td itself where nothing of b is only told of. Names that
// stand in it may be written elsewhere. Ask before Redact.
func (a *Auditor) Told(td ptrace.Traces, b *Batch) ptrace.Traces {
	if a.redactor.Modes().Enforcing() || len(b.hits) == 0 && len(b.withheld) == 0 {
		return td
	}
	told := ptrace.NewTraces()
	td.CopyTo(told)
	a.redactTraces(a.redactor.In(redact.Modes{}), told, b)
	return told
}

func (a *Auditor) redactTraces(by *redact.Redactor, td ptrace.Traces, b *Batch) int {
	r := a.rewrite(by, b)
	if r == nil {
		return 0
	}
	defer r.done()
	for _, rs := range td.ResourceSpans().All() {
		if r.next() {
			r.doc.Resource(rs.Resource(), rs.SchemaUrl())
			url, n := r.doc.RewriteResource(rs.Resource(), rs.SchemaUrl(), r.edits)
			rs.SetSchemaUrl(url)
			r.changed += n
		}
		for _, ss := range rs.ScopeSpans().All() {
			if r.next() {
				r.doc.Scope(ss.Scope(), ss.SchemaUrl())
				url, n := r.doc.RewriteScope(ss.Scope(), ss.SchemaUrl(), r.edits)
				ss.SetSchemaUrl(url)
				r.changed += n
			}
			for _, span := range ss.Spans().All() {
				if r.next() {
					r.doc.Span(span)
					r.changed += r.doc.RewriteSpan(span, r.edits)
				}
			}
		}
	}
	return r.changed
}

// RedactLogs is Redact for log records.
func (a *Auditor) RedactLogs(ld plog.Logs, b *Batch) int {
	r := a.rewrite(a.redactor, b)
	if r == nil {
		return 0
	}
	defer r.done()
	for _, rl := range ld.ResourceLogs().All() {
		if r.next() {
			r.doc.Resource(rl.Resource(), rl.SchemaUrl())
			url, n := r.doc.RewriteResource(rl.Resource(), rl.SchemaUrl(), r.edits)
			rl.SetSchemaUrl(url)
			r.changed += n
		}
		for _, sl := range rl.ScopeLogs().All() {
			if r.next() {
				r.doc.Scope(sl.Scope(), sl.SchemaUrl())
				url, n := r.doc.RewriteScope(sl.Scope(), sl.SchemaUrl(), r.edits)
				sl.SetSchemaUrl(url)
				r.changed += n
			}
			for _, lr := range sl.LogRecords().All() {
				if r.next() {
					r.doc.Log(lr, 0)
					r.changed += r.doc.RewriteLog(lr, r.edits)
				}
			}
		}
	}
	return r.changed
}

// A rewriting goes through telemetry in the order of the scan, and opens only the records that change.
type rewriting struct {
	a       *Auditor
	by      *redact.Redactor
	b       *Batch
	doc     *leaf.Doc
	record  int
	hits    []hit // of the record, not yet passed
	changed int
}

// rewrite prepares a rewriting, nil when there is nothing to do.
func (a *Auditor) rewrite(by *redact.Redactor, b *Batch) *rewriting {
	if (!by.Active() || len(b.hits) == 0 && len(b.withheld) == 0) && (!a.media || len(b.media.at) == 0) {
		return nil
	}
	return &rewriting{a: a, by: by, b: b, doc: a.docs.Get().(*leaf.Doc), record: -1}
}

// media reports whether inline media is replaced, which is of no rule.
func (r *rewriting) media() bool { return r.a.media && r.by.Modes().Default == redact.Enforce }

func (r *rewriting) done() {
	r.doc.Reset()
	r.a.docs.Put(r.doc)
}

// next goes to the next record and reports whether it changes.
func (r *rewriting) next() bool {
	r.record++
	r.hits = r.b.of(r.record)
	// A value that could not be read is of no rule, so the mode of all the rest is its mode.
	change := r.b.withheld[r.record] > 0 && r.by.Modes().Default == redact.Enforce || r.media() && r.b.media.records[r.record]
	for i := range r.hits {
		change = change || r.by.Removes(r.hits[i].Match)
	}
	if change {
		r.doc.Reset()
	}
	return change
}

// edits are those of one text. Texts come in the order of the hits.
func (r *rewriting) edits(f *leaf.Field, n *leaf.Node, name bool) []leaf.Edit {
	at := spot{r.record, n.Ord, name}
	i := 0
	for i < len(r.hits) && r.hits[i].spot == at {
		i++
	}
	enforced := r.by.Modes().Default == redact.Enforce // what is of no rule
	var media []redact.Edit
	if r.media() {
		media = r.b.media.edits(at)
	}
	if i == 0 && media == nil && !(r.b.crowded[at] && enforced) {
		return nil
	}
	ms := make([]detect.Match, i)
	for j := range ms {
		ms[j] = r.hits[j].Match
	}
	r.hits = r.hits[i:]
	text := n.Text
	if name {
		if text = n.Name; n == f.Root {
			text = f.Key
		}
	}
	if r.b.crowded[at] && enforced {
		return []leaf.Edit{{Start: 0, End: len(text), New: crowdMark}}
	}
	by := r.by
	if l := r.a.listAt(r.b, at); l != nil {
		by = by.Allowing(l)
	}
	edits := by.Edits(keyOf(f, n, name), text, ms, media...)
	out := make([]leaf.Edit, len(edits))
	for j, e := range edits {
		out[j] = leaf.Edit(e)
	}
	return out
}
