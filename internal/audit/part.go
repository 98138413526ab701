package audit

import (
	"iter"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// Traces returns the policy of each resource of td. A resource whose spans are of several is parted into one for each, in
// the order of their first spans, so that what one policy makes of it is not what another reads.
func (m *Matcher) Traces(td ptrace.Traces) []int {
	c := m.Cursor()
	policies := make([]int, 0, td.ResourceSpans().Len())
	mixed := false
	for _, rs := range td.ResourceSpans().All() {
		of, decided := c.Resource(rs.Resource().Attributes())
		if !decided {
			var one bool
			of, one = c.ofSpans(rs)
			mixed = mixed || !one
		}
		policies = append(policies, of)
	}
	if !mixed {
		return policies
	}
	policies = policies[:0]
	out := ptrace.NewTraces()
	for _, rs := range td.ResourceSpans().All() {
		of, decided := c.Resource(rs.Resource().Attributes())
		if !decided {
			var one bool
			if of, one = c.ofSpans(rs); !one {
				policies = c.partSpans(policies, out.ResourceSpans(), rs)
				continue
			}
		}
		rs.MoveTo(out.ResourceSpans().AppendEmpty())
		policies = append(policies, of)
	}
	out.MoveTo(td)
	return policies
}

// one is the policy of records under the resource that c stands on, and whether all have it.
func (c *Cursor) one(records iter.Seq[pcommon.Map]) (policy int, all bool) {
	policy, first := c.best, true
	for attrs := range records {
		switch p := c.Record(attrs); {
		case first:
			policy, first = p, false
		case p != policy:
			return policy, false
		}
	}
	return policy, true
}

func (c *Cursor) ofSpans(rs ptrace.ResourceSpans) (policy int, all bool) {
	return c.one(func(yield func(pcommon.Map) bool) {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				if !yield(span.Attributes()) {
					return
				}
			}
		}
	})
}

func (c *Cursor) ofLogs(rl plog.ResourceLogs) (policy int, all bool) {
	return c.one(func(yield func(pcommon.Map) bool) {
		for _, sl := range rl.ScopeLogs().All() {
			for _, lr := range sl.LogRecords().All() {
				if !yield(lr.Attributes()) {
					return
				}
			}
		}
	})
}

// partSpans appends to out a resource for each policy of the spans of rs. Scopes without spans stay with the first.
func (c *Cursor) partSpans(policies []int, out ptrace.ResourceSpansSlice, rs ptrace.ResourceSpans) []int {
	type part struct {
		rs ptrace.ResourceSpans
		ss ptrace.ScopeSpans
		at int // the scope that ss is of
	}
	parts := map[int]*part{}
	of := func(policy int) *part {
		if parts[policy] == nil {
			p := &part{rs: out.AppendEmpty(), at: -1}
			rs.Resource().CopyTo(p.rs.Resource())
			p.rs.SetSchemaUrl(rs.SchemaUrl())
			parts[policy] = p
			policies = append(policies, policy)
		}
		return parts[policy]
	}
	first, seen := c.best, false // for what has no record
	for j, ss := range rs.ScopeSpans().All() {
		open := func(p *part) {
			if p.at != j {
				p.ss, p.at = p.rs.ScopeSpans().AppendEmpty(), j
				ss.Scope().CopyTo(p.ss.Scope())
				p.ss.SetSchemaUrl(ss.SchemaUrl())
			}
		}
		for _, span := range ss.Spans().All() {
			policy := c.Record(span.Attributes())
			if !seen {
				first, seen = policy, true
			}
			p := of(policy)
			open(p)
			span.MoveTo(p.ss.Spans().AppendEmpty())
		}
		if ss.Spans().Len() == 0 {
			open(of(first))
		}
	}
	return policies
}

// Logs is Traces for log records. Where a resource was parted order has, for each record as they stand now, which it was
// before; else it is nil.
func (m *Matcher) Logs(ld plog.Logs) (policies, order []int) {
	c := m.Cursor()
	mixed := false
	for _, rl := range ld.ResourceLogs().All() {
		of, decided := c.Resource(rl.Resource().Attributes())
		if !decided {
			var one bool
			of, one = c.ofLogs(rl)
			mixed = mixed || !one
		}
		policies = append(policies, of)
	}
	if !mixed {
		return policies, nil
	}
	policies = nil
	out, n := plog.NewLogs(), 0
	for _, rl := range ld.ResourceLogs().All() {
		of, decided := c.Resource(rl.Resource().Attributes())
		if !decided {
			of, decided = c.ofLogs(rl)
		}
		if !decided {
			for _, p := range c.partLogs(out.ResourceLogs(), rl) {
				policies = append(policies, p.policy)
				for _, i := range p.order {
					order = append(order, n+i)
				}
			}
			n += recordsOf(rl)
			continue
		}
		policies = append(policies, of)
		for range recordsOf(rl) {
			order, n = append(order, n), n+1
		}
		rl.MoveTo(out.ResourceLogs().AppendEmpty())
	}
	out.MoveTo(ld)
	return policies, order
}

func recordsOf(rl plog.ResourceLogs) (n int) {
	for _, sl := range rl.ScopeLogs().All() {
		n += sl.LogRecords().Len()
	}
	return n
}

// A logPart is what one policy has of a resource.
type logPart struct {
	policy int
	order  []int
	rl     plog.ResourceLogs
	sl     plog.ScopeLogs
	at     int // the scope that sl is of
}

// partLogs is partSpans for log records.
func (c *Cursor) partLogs(out plog.ResourceLogsSlice, rl plog.ResourceLogs) (parts []*logPart) {
	of := func(policy int) *logPart {
		for _, p := range parts {
			if p.policy == policy {
				return p
			}
		}
		p := &logPart{policy: policy, rl: out.AppendEmpty(), at: -1}
		rl.Resource().CopyTo(p.rl.Resource())
		p.rl.SetSchemaUrl(rl.SchemaUrl())
		parts = append(parts, p)
		return p
	}
	first, n := c.best, 0 // for what has no record
	for j, sl := range rl.ScopeLogs().All() {
		open := func(p *logPart) {
			if p.at != j {
				p.sl, p.at = p.rl.ScopeLogs().AppendEmpty(), j
				sl.Scope().CopyTo(p.sl.Scope())
				p.sl.SetSchemaUrl(sl.SchemaUrl())
			}
		}
		for _, lr := range sl.LogRecords().All() {
			policy := c.Record(lr.Attributes())
			if n == 0 {
				first = policy
			}
			p := of(policy)
			open(p)
			p.order = append(p.order, n)
			lr.MoveTo(p.sl.LogRecords().AppendEmpty())
			n++
		}
		if sl.LogRecords().Len() == 0 {
			open(of(first))
		}
	}
	return parts
}
