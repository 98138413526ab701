package agentleakprocessor

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// prefix is the namespace of all that we write. What a sender wrote there is not trusted: a forged score would be taken
// for ours.
const prefix = "agentleak."

// strip removes attributes under our prefix and counts them.
func strip(m pcommon.Map) int {
	before := m.Len()
	for k := range m.All() {
		if strings.HasPrefix(k, prefix) {
			m.RemoveIf(func(k string, _ pcommon.Value) bool { return strings.HasPrefix(k, prefix) })
			break
		}
	}
	return before - m.Len()
}

func stripTraces(td ptrace.Traces) int {
	n := 0
	for _, rs := range td.ResourceSpans().All() {
		n += strip(rs.Resource().Attributes())
		for _, ss := range rs.ScopeSpans().All() {
			n += strip(ss.Scope().Attributes())
			for _, span := range ss.Spans().All() {
				n += stripSpan(span)
			}
		}
	}
	return n
}

// stripSpan removes span events named under our prefix and links marked as ours too.
func stripSpan(span ptrace.Span) int {
	n := strip(span.Attributes())
	ours := 0
	for _, e := range span.Events().All() {
		if strings.HasPrefix(e.Name(), prefix) {
			ours++
		} else {
			n += strip(e.Attributes())
		}
	}
	if ours > 0 {
		span.Events().RemoveIf(func(e ptrace.SpanEvent) bool { return strings.HasPrefix(e.Name(), prefix) })
	}
	marked := 0
	for _, l := range span.Links().All() {
		if _, ok := l.Attributes().Get(attrLink); ok {
			marked++
		} else {
			n += strip(l.Attributes())
		}
	}
	if marked > 0 {
		span.Links().RemoveIf(func(l ptrace.SpanLink) bool {
			_, ok := l.Attributes().Get(attrLink)
			return ok
		})
	}
	return n + ours + marked
}

func stripLogs(ld plog.Logs) int {
	n := 0
	for _, rl := range ld.ResourceLogs().All() {
		n += strip(rl.Resource().Attributes())
		for _, sl := range rl.ScopeLogs().All() {
			n += strip(sl.Scope().Attributes())
			for _, lr := range sl.LogRecords().All() {
				n += strip(lr.Attributes())
			}
		}
	}
	return n
}
