package agentleakprocessor

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// A judgement is what is known of the findings of log records when they go.
type judgement struct {
	score    *audit.Score // nil where nothing was found
	findings []audit.Finding
	size     int     // of the ledger that it is made from
	kept     *commit // of what was found, nil where nothing is kept
}

// judge is for whoever holds the lock of the trace.
func judge(a *audit.Auditor, b *audit.Batch, t *trace) (j judgement) {
	if b.Findings() == 0 {
		return j
	}
	j.size = t.ledger.Size()
	if t.refresh(a) {
		j.score = t.score
	} else {
		j.score = alone(a, b)
	}
	j.findings = j.score.Findings(b)
	return j
}

// addLogs joins the log records of a trace with the ledger of it, whichever came first, and judges them by what is
// known at the moment. Copies of values that the trace knows become part of b.
func (s *shard) addLogs(id partID, group pcommon.TraceID, ld plog.Logs, b *audit.Batch) judgement {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.carryOut(s.buf.Tick(now))
	t := s.find(id)
	if t == nil {
		if b.Plain() {
			return judgement{} // most records of most collectors are of no agent
		}
		t = s.know(id)
	}
	s.correlate(t, group)
	a := s.settler(t).auditor
	if !b.Plain() {
		t.ledger.Add(a, b)
	}
	a.FindCopiesInLogs(ld, b, t.ledger)
	s.resize(t)
	if b.Plain() {
		return judgement{}
	}
	j := judge(a, b, t)
	if s.journal != nil {
		j.kept = s.journal.submit(s.journal.record(a, id.trace, t, t.rooted, b))
	}
	s.carryOut(s.buf.Touch(now, id.trace))
	s.trim()
	s.measure()
	s.rouse()
	return j
}

// of is the shard that owns a trace. The last bytes of a trace id are random by W3C Trace Context level 2.
func (set shardSet) of(id pcommon.TraceID) *shard { return set[int(id[15])%len(set)] }
