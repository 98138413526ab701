package agentleakprocessor

import (
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// A piece is what one batch holds of one trace under one policy: its root span alone, or all the rest.
type piece struct {
	id     pcommon.TraceID
	policy int
	root   bool
	group  pcommon.TraceID // of traces that are scored together, empty: none
	spans  int
	td     ptrace.Traces
	batch  *audit.Batch // set by the scan
	bytes  int          // of memory, set by weigh
	above  bool         // a resource or a scope was changed
	entry  entry        // in the journal
}

// A partID is a trace, as far as one policy holds for it.
type partID struct {
	trace  pcommon.TraceID
	policy int
}

func (p *piece) partID() partID { return partID{p.id, p.policy} }

// resourcePolicies are the policies of the resources of a batch; nil: all have policy 0.
type resourcePolicies []int

// policiesOf parts the resources of td whose spans are of several policies.
func policiesOf(td ptrace.Traces, m *audit.Matcher) resourcePolicies {
	if m == nil {
		return nil
	}
	return m.Traces(td)
}

func (r resourcePolicies) at(i int) int {
	if r == nil {
		return 0
	}
	return r[i]
}

// one reports whether all have the same.
func (r resourcePolicies) one() bool {
	return !slices.ContainsFunc(r, func(p int) bool { return p != r[0] })
}

// entries is the piece's entry, none where nothing is kept.
func (p *piece) entries() []entry {
	if p.entry.seq == 0 {
		return nil
	}
	return []entry{p.entry}
}

// split parts td by trace and policy, and each root span from the others of its trace. Spans are moved, not copied, and keep their
// order and what stood above them. Roots come last, so that with a grace of zero they do not close their trace on the
// spans that came with them. td is void.
//
// Spans without a trace id are one piece: nothing can join them later, so none of them needs to wait alone.
func split(td ptrace.Traces, m *audit.Matcher) []*piece {
	of := policiesOf(td, m)
	n, one, roots := survey(td)
	if one != nil && of.one() && (roots == 0 || n == 1 || one.IsEmpty()) {
		p := &piece{id: *one, policy: of.at(0), root: roots > 0 && !one.IsEmpty(), spans: n, td: ptrace.NewTraces()}
		// The pipeline may reuse the memory of td when our caller returns.
		td.MoveTo(p.td)
		return cutAll([]*piece{p})
	}
	var rest, alone []*piece
	sinks := map[partID]*sink{}
	var last *sink
	for i, rs := range td.ResourceSpans().All() {
		for j, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				id := partID{span.TraceID(), of.at(i)}
				if isRoot(span) {
					s := newSink(id)
					s.root = true
					s.move(i, j, rs, ss, span)
					alone = append(alone, &s.piece)
					continue
				}
				if last == nil || last.partID() != id {
					if last = sinks[id]; last == nil {
						last = newSink(id)
						sinks[id] = last
						rest = append(rest, &last.piece)
					}
				}
				last.move(i, j, rs, ss, span)
			}
		}
	}
	return append(cutAll(rest), alone...)
}

// survey counts spans and roots; one is the trace id that all have, nil when they differ.
func survey(td ptrace.Traces) (spans int, one *pcommon.TraceID, roots int) {
	var id pcommon.TraceID
	same := true
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				if spans == 0 {
					id = span.TraceID()
				}
				spans++
				same = same && span.TraceID() == id
				if span.ParentSpanID().IsEmpty() {
					roots++
				}
			}
		}
	}
	if same && spans > 0 {
		one = &id
	}
	return spans, one, roots
}

func isRoot(span ptrace.Span) bool { return span.ParentSpanID().IsEmpty() && !span.TraceID().IsEmpty() }

// A sink is a piece that takes spans from a batch, in the order of the batch.
type sink struct {
	piece
	i, j int // the resource and the scope of the batch that were opened last
	rs   ptrace.ResourceSpans
	ss   ptrace.ScopeSpans
}

func newSink(id partID) *sink {
	return &sink{piece: piece{id: id.trace, policy: id.policy, td: ptrace.NewTraces()}, i: -1}
}

// move takes over a span that stands under the i-th resource and its j-th scope.
func (s *sink) move(i, j int, rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, span ptrace.Span) {
	if s.i != i {
		s.rs = s.td.ResourceSpans().AppendEmpty()
		rs.Resource().CopyTo(s.rs.Resource())
		s.rs.SetSchemaUrl(rs.SchemaUrl())
		s.i, s.j = i, -1
	}
	if s.j != j {
		s.ss = s.rs.ScopeSpans().AppendEmpty()
		ss.Scope().CopyTo(s.ss.Scope())
		s.ss.SetSchemaUrl(ss.SchemaUrl())
		s.j = j
	}
	span.MoveTo(s.ss.Spans().AppendEmpty())
	s.spans++
}
