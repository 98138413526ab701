package cli

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// examined is one trace as it was scanned: its records, what they hold, and what is known of the whole.
type examined struct {
	spans   ptrace.Traces
	logs    plog.Logs
	ofSpans *audit.Batch
	ofLogs  *audit.Batch
	ledger  audit.Ledger
}

// examine scans all records of a trace, and then looks in all of them for the values that were recognised in any.
func examine(a *audit.Auditor, spans ptrace.Traces, logs plog.Logs) *examined {
	x := &examined{spans: spans, logs: logs, ofSpans: a.ScanTraces(spans), ofLogs: a.ScanLogs(logs)}
	x.ledger.Add(a, x.ofSpans)
	x.ledger.Add(a, x.ofLogs)
	a.FindCopies(spans, x.ofSpans, &x.ledger)
	a.FindCopiesInLogs(logs, x.ofLogs, &x.ledger)
	return x
}

// allowed counts what each row of the allow list took out.
func (x *examined) allowed() []int {
	out := append([]int(nil), x.ofSpans.Allowed()...)
	for i, n := range x.ofLogs.Allowed() {
		if i == len(out) {
			out = append(out, 0)
		}
		out[i] += n
	}
	return out
}

// distrust renames attributes that name a channel outright. They are ours, made from AgentLeak traces; in OTLP
// a sender could pass a leak off as user input with them. Under another name they are like any unknown text.
func distrust(spans ptrace.Traces, logs plog.Logs) {
	for _, rs := range spans.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				rename(s.Attributes())
				for _, e := range s.Events().All() {
					rename(e.Attributes())
				}
			}
		}
	}
	for _, rl := range logs.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, r := range sl.LogRecords().All() {
				rename(r.Attributes())
			}
		}
	}
}

func rename(m pcommon.Map) {
	var forged []string
	for key := range m.All() {
		if strings.HasPrefix(key, eventKey) {
			forged = append(forged, key)
		}
	}
	for _, key := range forged {
		v, _ := m.Get(key)
		was := pcommon.NewValueEmpty()
		v.CopyTo(was)
		m.Remove(key)
		was.CopyTo(m.PutEmpty("untrusted." + key))
	}
}
