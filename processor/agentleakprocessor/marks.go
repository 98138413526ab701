package agentleakprocessor

import (
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// What is written of the findings of one span or log record, under agentleak.span. or agentleak.record.
const (
	markSeverity  = "severity"
	markChannels  = "channels"
	markDataTypes = "data_types"
	markFindings  = "findings"
	markRedacted  = "redacted"

	spanMark   = prefix + "span."
	recordMark = prefix + "record."
)

// eventName is the span event of one finding. Its attributes need no prefix, since the event is ours.
const eventName = prefix + "finding"

// maxEvents bounds the events on one span: a span event is some 200 bytes.
const maxEvents = 128

// A marker writes what is known on spans and log records. No value, part of one or unkeyed hash is among it.
type marker struct {
	auditor *audit.Auditor
	policy  string // its name, empty where none is named
	all     bool   // annotate.spans
	marks   bool   // annotate.findings is not none
	events  bool   // annotate.findings is events
	links   bool   // annotate.leak_paths is links
	redacts bool   // some level is redacted at all
}

func newMarker(a *audit.Auditor, config *Config, policy string) marker {
	c := config.Annotate
	return marker{
		// What streams has left when the score is known, as far as anyone can tell from one request.
		auditor: a, policy: policy, all: c.Spans == spansAll && !config.streams(), marks: c.Findings != findingsNone, events: c.Findings == findingsEvents,
		links:   c.LeakPaths == leakPathsLinks,
		redacts: slices.ContainsFunc(agentrisk.Levels(), a.Redacts),
	}
}

// mark writes findings on the spans they stand on. Those of resources and scopes stand on none. The names in told, which
// is td with all redacted, are the ones that may be written.
func (m *marker) mark(td, told ptrace.Traces, fs []audit.Finding) {
	if !m.marks || len(fs) == 0 {
		return
	}
	on := map[pcommon.SpanID][]*audit.Finding{}
	for i := range fs {
		if id := fs[i].SpanID; !id.IsEmpty() {
			on[id] = append(on[id], &fs[i])
		}
	}
	for i, rs := range td.ResourceSpans().All() {
		for j, ss := range rs.ScopeSpans().All() {
			for k, span := range ss.Spans().All() {
				if fs := on[span.SpanID()]; len(fs) > 0 {
					var standing map[string]bool
					if m.events {
						standing = places(told.ResourceSpans().At(i).ScopeSpans().At(j).Spans().At(k))
					}
					m.put(span.Attributes(), spanMark, fs)
					if m.events {
						putEvents(span, standing, fs)
					}
				}
			}
		}
	}
}

// put sums findings up.
func (m *marker) put(attrs pcommon.Map, under string, fs []*audit.Finding) {
	var severity agentrisk.Level
	var on agentrisk.ChannelSet
	var types []string
	gone := 0
	for _, f := range fs {
		severity = max(severity, f.Level)
		if f.Channel != agentrisk.ChannelNone {
			on.Add(f.Channel)
		}
		if t := string(f.Type); !slices.Contains(types, t) {
			types = append(types, t)
		}
		if redacted(m.auditor, f) {
			gone++
		}
	}
	var channels []string
	for _, c := range on.Channels() {
		channels = append(channels, c.String())
	}
	slices.Sort(channels)
	slices.Sort(types)
	attrs.PutStr(under+markSeverity, severity.String())
	putList(attrs, under+markChannels, channels)
	putList(attrs, under+markDataTypes, types)
	attrs.PutInt(under+markFindings, int64(len(fs)))
	attrs.PutInt(under+markRedacted, int64(gone))
}

// putEvents adds an event for each finding, at the end of the span; standing are the fields that may be named.
func putEvents(span ptrace.Span, standing map[string]bool, fs []*audit.Finding) {
	at := span.EndTimestamp()
	if at == 0 {
		at = span.StartTimestamp()
	}
	for _, f := range fs[:min(len(fs), maxEvents)] {
		e := span.Events().AppendEmpty()
		e.SetName(eventName)
		e.SetTimestamp(at)
		attrs := e.Attributes()
		attrs.EnsureCapacity(7)
		attrs.PutStr("data_type", string(f.Type))
		attrs.PutStr("level", f.Level.String())
		attrs.PutStr("channel", f.Channel.String())
		attrs.PutStr("rule", f.Rule)
		if l := location(standing, f); l != "" {
			attrs.PutStr("location", l)
		}
		attrs.PutStr("secret_id", f.ID.Fingerprint())
		attrs.PutBool("disclosed", f.Disclosed())
	}
}
