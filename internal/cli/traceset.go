package cli

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// A traceSet groups the records of documents by trace id and policy, in the order in which they first appear. It refers
// to the records where they are.
type traceSet struct {
	order   []*traceParts
	byID    map[partID]*traceParts
	runs    uint64
	matcher *audit.Matcher // nil: all is of policy 0
}

type partID struct {
	trace  pcommon.TraceID
	policy int
}

// traceParts are the records of one trace under one policy, with the resources and scopes they stand in, in input order.
type traceParts struct {
	partID
	run   *runInfo // of an AgentLeak trace
	spans []spanResource
	logs  []logResource
}

type spanResource struct {
	from   ptrace.ResourceSpans
	origin origin
	scopes []spanScope
}

type spanScope struct {
	from  ptrace.ScopeSpans
	spans []ptrace.Span
}

type logResource struct {
	from   plog.ResourceLogs
	origin origin
	scopes []logScope
}

type logScope struct {
	from    plog.ScopeLogs
	records []plog.LogRecord
	index   []int // of each record in its file
}

// An origin is where a resource was read.
type origin struct {
	in  *input
	doc *document
}

// group collects the traces of all inputs. A resource whose records are of several policies is parted in its document.
func group(inputs []*input, m *audit.Matcher) *traceSet {
	set := &traceSet{byID: map[partID]*traceParts{}, matcher: m}
	for _, in := range inputs {
		record := 0
		for i := range in.docs {
			d := &in.docs[i]
			from := origin{in, d}
			switch {
			case d.run != nil:
				set.addRun(from)
			case d.hasTraces():
				set.addSpans(from)
			}
			if d.hasLogs() {
				set.addLogs(from, &record)
			}
		}
	}
	return set
}

// siblings lists the parts of each trace that has several.
func (set *traceSet) siblings() map[pcommon.TraceID][]*traceParts {
	if set.matcher == nil {
		return nil
	}
	all := map[pcommon.TraceID][]*traceParts{}
	for _, t := range set.order {
		all[t.trace] = append(all[t.trace], t)
	}
	maps.DeleteFunc(all, func(id pcommon.TraceID, parts []*traceParts) bool { return len(parts) == 1 || id.IsEmpty() })
	return all
}

// ofTraces are the policies of the resources of td, ofLogs those of ld.
func (set *traceSet) ofTraces(td ptrace.Traces) []int {
	if set.matcher == nil {
		return make([]int, td.ResourceSpans().Len())
	}
	return set.matcher.Traces(td)
}

func (set *traceSet) ofLogs(ld plog.Logs) (policies, order []int) {
	if set.matcher == nil {
		return make([]int, ld.ResourceLogs().Len()), nil
	}
	return set.matcher.Logs(ld)
}

func (set *traceSet) part(trace pcommon.TraceID, policy int) *traceParts {
	id := partID{trace, policy}
	t := set.byID[id]
	if t == nil {
		t = &traceParts{partID: id}
		set.byID[id] = t
		set.order = append(set.order, t)
	}
	return t
}

// addRun adds an AgentLeak trace. It is a whole run, so its trace id is one that no other has.
func (set *traceSet) addRun(from origin) {
	set.runs++
	sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("agentleak run "), set.runs))
	id := pcommon.TraceID(sum[:16])
	policies := set.ofTraces(from.doc.traces)
	if len(policies) == 0 {
		set.part(id, 0).run = from.doc.run
	}
	for i, rs := range from.doc.traces.ResourceSpans().All() {
		t := set.part(id, policies[i])
		t.run = from.doc.run
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				s.SetTraceID(id)
				t.addSpan(from, rs, ss, s)
			}
		}
	}
}

func (set *traceSet) addSpans(from origin) {
	policies := set.ofTraces(from.doc.traces)
	from.doc.ofSpans = policies
	for i, rs := range from.doc.traces.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				set.part(s.TraceID(), policies[i]).addSpan(from, rs, ss, s)
			}
		}
	}
}

func (set *traceSet) addLogs(from origin, record *int) {
	policies, order := set.ofLogs(from.doc.logs)
	from.doc.ofLogs = policies
	n := 0
	for i, rl := range from.doc.logs.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, r := range sl.LogRecords().All() {
				at := n
				if order != nil {
					at = order[n]
				}
				set.part(r.TraceID(), policies[i]).addLog(from, rl, sl, r, *record+at)
				n++
			}
		}
	}
	*record += n
}

func (t *traceParts) addSpan(from origin, rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) {
	if n := len(t.spans); n == 0 || t.spans[n-1].from != rs {
		t.spans = append(t.spans, spanResource{from: rs, origin: from})
	}
	r := &t.spans[len(t.spans)-1]
	if n := len(r.scopes); n == 0 || r.scopes[n-1].from != ss {
		r.scopes = append(r.scopes, spanScope{from: ss})
	}
	sc := &r.scopes[len(r.scopes)-1]
	sc.spans = append(sc.spans, s)
}

func (t *traceParts) addLog(from origin, rl plog.ResourceLogs, sl plog.ScopeLogs, r plog.LogRecord, index int) {
	if n := len(t.logs); n == 0 || t.logs[n-1].from != rl {
		t.logs = append(t.logs, logResource{from: rl, origin: from})
	}
	res := &t.logs[len(t.logs)-1]
	if n := len(res.scopes); n == 0 || res.scopes[n-1].from != sl {
		res.scopes = append(res.scopes, logScope{from: sl})
	}
	sc := &res.scopes[len(res.scopes)-1]
	sc.records = append(sc.records, r)
	sc.index = append(sc.index, index)
}

// name is the trace id in hex, the run id of an AgentLeak trace that has one, or nothing for records without trace.
func (t *traceParts) name() string {
	if t.run != nil && t.run.id != "" {
		return t.run.id
	}
	return t.trace.String()
}

// copySpans copies the spans of the trace, with their resources and scopes as they are now.
func (t *traceParts) copySpans() ptrace.Traces {
	td := ptrace.NewTraces()
	for _, r := range t.spans {
		rs := td.ResourceSpans().AppendEmpty()
		r.from.Resource().CopyTo(rs.Resource())
		rs.SetSchemaUrl(r.from.SchemaUrl())
		for _, sc := range r.scopes {
			ss := rs.ScopeSpans().AppendEmpty()
			sc.from.Scope().CopyTo(ss.Scope())
			ss.SetSchemaUrl(sc.from.SchemaUrl())
			ss.Spans().EnsureCapacity(len(sc.spans))
			for _, s := range sc.spans {
				s.CopyTo(ss.Spans().AppendEmpty())
			}
		}
	}
	return td
}

// putSpans is the way back of copySpans.
func (t *traceParts) putSpans(td ptrace.Traces) {
	for i, r := range t.spans {
		rs := td.ResourceSpans().At(i)
		rs.Resource().CopyTo(r.from.Resource())
		r.from.SetSchemaUrl(rs.SchemaUrl())
		for j, sc := range r.scopes {
			ss := rs.ScopeSpans().At(j)
			ss.Scope().CopyTo(sc.from.Scope())
			sc.from.SetSchemaUrl(ss.SchemaUrl())
			for k, s := range sc.spans {
				ss.Spans().At(k).CopyTo(s)
			}
		}
	}
}

// copyLogs copies the log records of the trace, with their resources and scopes as they are now.
func (t *traceParts) copyLogs() plog.Logs {
	ld := plog.NewLogs()
	for _, r := range t.logs {
		rl := ld.ResourceLogs().AppendEmpty()
		r.from.Resource().CopyTo(rl.Resource())
		rl.SetSchemaUrl(r.from.SchemaUrl())
		for _, sc := range r.scopes {
			sl := rl.ScopeLogs().AppendEmpty()
			sc.from.Scope().CopyTo(sl.Scope())
			sl.SetSchemaUrl(sc.from.SchemaUrl())
			sl.LogRecords().EnsureCapacity(len(sc.records))
			for _, l := range sc.records {
				l.CopyTo(sl.LogRecords().AppendEmpty())
			}
		}
	}
	return ld
}

// putLogs is the way back of copyLogs.
func (t *traceParts) putLogs(ld plog.Logs) {
	for i, r := range t.logs {
		rl := ld.ResourceLogs().At(i)
		rl.Resource().CopyTo(r.from.Resource())
		r.from.SetSchemaUrl(rl.SchemaUrl())
		for j, sc := range r.scopes {
			sl := rl.ScopeLogs().At(j)
			sl.Scope().CopyTo(sc.from.Scope())
			sc.from.SetSchemaUrl(sl.SchemaUrl())
			for k, l := range sc.records {
				sl.LogRecords().At(k).CopyTo(l)
			}
		}
	}
}

// logWhere gives a place in the copied log records, such as "logs[0]:body", the number that the record has in its
// file, and says where that was read.
func (t *traceParts) logWhere() func(where string) (string, origin) {
	var index []int
	var origins []origin
	for _, r := range t.logs {
		for _, sc := range r.scopes {
			for _, i := range sc.index {
				index, origins = append(index, i), append(origins, r.origin)
			}
		}
	}
	return func(where string) (string, origin) {
		rest, ok := strings.CutPrefix(where, "logs[")
		if !ok {
			return where, origin{}
		}
		number, rest, ok := strings.Cut(rest, "]")
		i, err := strconv.Atoi(number)
		if !ok || err != nil || i < 0 || i >= len(index) {
			return where, origin{}
		}
		return "logs[" + strconv.Itoa(index[i]) + "]" + rest, origins[i]
	}
}
