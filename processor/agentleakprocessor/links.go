package agentleakprocessor

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// The attributes of a link from a span that disclosed a secret to the span where it entered.
const (
	attrLink     = prefix + "link"
	linkLeakPath = "leak_path"
	attrDataType = prefix + "data_type"
	attrLevel    = prefix + "level"
	attrSecretID = prefix + "secret_id"
)

// Bounds of links: a link is some 300 bytes. The most severe secrets come first.
const (
	maxLinks       = 64 // of one trace
	maxLinksOfSpan = 16
)

// A leakLink is where a secret entered, for one span that disclosed it.
type leakLink struct {
	to   pcommon.SpanID
	path *audit.Path
}

// leakLinks lists links by disclosing span, no more than room in all, for the spans that leave with d.
func leakLinks(paths []audit.Path, d *departure, room int) map[pcommon.SpanID][]leakLink {
	links := map[pcommon.SpanID][]leakLink{}
	if len(paths) == 0 || room <= 0 {
		return links
	}
	here := map[pcommon.SpanID]bool{}
	d.each(func(span ptrace.Span) { here[span.SpanID()] = true })
	for i := range paths {
		p := &paths[i]
		if p.Entered == nil || p.Entered.SpanID.IsEmpty() {
			continue // the trace does not show where
		}
		var last pcommon.SpanID
		for _, leak := range p.Leaks {
			from := leak.SpanID
			// The leaks of one span through several channels stand together.
			if from == last || from == p.Entered.SpanID || !here[from] || len(links[from]) >= maxLinksOfSpan {
				continue
			}
			last = from
			links[from] = append(links[from], leakLink{p.Entered.SpanID, p})
			if room--; room == 0 {
				return links
			}
		}
	}
	return links
}

// putLinks adds links to the spans that leave with d and returns how many. A span that came twice gets them once.
func putLinks(t *trace, d *departure, links map[pcommon.SpanID][]leakLink) (n int) {
	if len(links) == 0 {
		return 0
	}
	d.each(func(span ptrace.Span) {
		for _, l := range links[span.SpanID()] {
			home := t.traceOf(l.to, d.id)
			if home.IsEmpty() {
				continue
			}
			to := span.Links().AppendEmpty()
			to.SetTraceID(home)
			to.SetSpanID(l.to)
			attrs := to.Attributes()
			attrs.EnsureCapacity(4)
			attrs.PutStr(attrLink, linkLeakPath)
			attrs.PutStr(attrDataType, string(l.path.Type))
			attrs.PutStr(attrLevel, l.path.Level.String())
			attrs.PutStr(attrSecretID, l.path.ID.Fingerprint())
			n++
		}
		delete(links, span.SpanID())
	})
	return n
}
