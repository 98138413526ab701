package agentleakprocessor

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// A group is the traces that share a value of a correlate key, and so one ledger. It lives as long as the shard knows
// one of them.
type group struct {
	id      pcommon.TraceID // made of the value
	ledger  *audit.Ledger
	size    int // of the ledger, as counted in shard.ledgers
	members int
	home    map[pcommon.SpanID]pcommon.TraceID // for links from one trace to another
}

// maxHomes bounds group.home, and homeCost is what one entry of it takes in bytes.
const (
	maxHomes = 200_000
	homeCost = 48
)

// correlate puts t in the group of an id, unless that is empty or t is in one already: the first value seen counts.
func (s *shard) correlate(t *trace, id pcommon.TraceID) {
	if id.IsEmpty() || t.group != nil {
		return
	}
	g := s.groups[id]
	if g == nil {
		g = &group{id: id, ledger: s.newLedger(), home: map[pcommon.SpanID]pcommon.TraceID{}}
		if s.groups == nil {
			s.groups = map[pcommon.TraceID]*group{}
		}
		s.groups[id] = g
	}
	g.members++
	g.ledger.Merge(t.ledger)
	s.ledgers -= t.size
	t.size, t.ledger, t.group = 0, g.ledger, g
}

// settleIn notes where the spans of a piece are at home.
func (g *group) settleIn(p *piece) {
	if g == nil {
		return
	}
	d := departure{pieces: []*piece{p}}
	d.each(func(span ptrace.Span) {
		if len(g.home) < maxHomes {
			g.home[span.SpanID()] = p.id
		}
	})
}

// traceOf is the trace of a span that t's ledger knows, empty when that is unknown.
func (t *trace) traceOf(id pcommon.SpanID, own pcommon.TraceID) pcommon.TraceID {
	if t.group == nil {
		return own
	}
	return t.group.home[id]
}

// leaveGroup is for when a trace is forgotten.
func (s *shard) leaveGroup(t *trace) {
	if g := t.group; g != nil {
		if g.members--; g.members == 0 {
			s.ledgers -= g.size
			delete(s.groups, g.id)
		}
	}
}

// correlated is the id of the group of td by the first of keys that a span or a resource of it has, else empty.
func correlated(td ptrace.Traces, keys []string) pcommon.TraceID {
	for _, key := range keys {
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, span := range ss.Spans().All() {
					if v := textAt(span.Attributes(), key); v != "" {
						return valueID(v)
					}
				}
			}
			if v := textAt(rs.Resource().Attributes(), key); v != "" {
				return valueID(v)
			}
		}
	}
	return pcommon.TraceID{}
}

// groupUnder is the id of a group under a policy: what shares a value shares a ledger as far as one policy holds for it.
func groupUnder(set *audit.Set, policy int, id pcommon.TraceID) pcommon.TraceID {
	if policy == 0 || id.IsEmpty() {
		return id
	}
	return valueID("policy " + set.Name(policy) + " " + string(id[:]))
}

// correlatedLogs is correlated for log records.
func correlatedLogs(ld plog.Logs, keys []string) pcommon.TraceID {
	for _, key := range keys {
		for _, rl := range ld.ResourceLogs().All() {
			for _, sl := range rl.ScopeLogs().All() {
				for _, lr := range sl.LogRecords().All() {
					if v := textAt(lr.Attributes(), key); v != "" {
						return valueID(v)
					}
				}
			}
			if v := textAt(rl.Resource().Attributes(), key); v != "" {
				return valueID(v)
			}
		}
	}
	return pcommon.TraceID{}
}

func textAt(m pcommon.Map, key string) string {
	if v, ok := m.Get(key); ok && v.Type() == pcommon.ValueTypeStr {
		return v.Str()
	}
	return ""
}
