package agentleakprocessor

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/assembly"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// note keeps what a release that was settled says of its trace.
func (s *shard) note(known *trace, r *assembly.Release[*piece]) {
	if s.journal == nil {
		return
	}
	rooted := known.rooted
	for _, c := range r.Chunks {
		rooted = rooted || c.Root
	}
	for t := range known.parts {
		t.rooted = rooted
		var batches []*audit.Batch
		for _, c := range r.Chunks {
			if c.Payload.policy == t.policy {
				batches = append(batches, c.Payload.batch)
			}
		}
		// A part whose spans all left before is told that the trace closed: the root's part may have nothing to keep.
		told := len(batches) == 0 && r.Closed && rooted && t.next != nil && t.kept != nil
		if len(batches) == 0 && !told || r.Forget || r.Closed && t.plain() {
			continue
		}
		s.journal.postpone(s.journal.record(s.settler(t).auditor, r.Trace, t, r.Closed && t.rooted, batches...)...)
	}
}

// recall takes up what is kept of a trace beside its pieces. closed says that it is complete and its root is gone. With
// an error the trace is known, but less of it.
func (s *shard) recall(n *note, policy int, d *dossier, closed bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var l audit.Ledger
	err := s.settlers[policy].auditor.Read(&l, n.ledger)
	now := time.Now()
	if closed {
		s.carryOut(s.buf.Recall(now, n.id))
	} else {
		s.carryOut(s.buf.Touch(now, n.id))
	}
	t := s.know(partID{n.id, policy})
	t.kept = d
	s.correlate(t, n.group)
	t.trimmed = t.trimmed || n.trimmed || err != nil
	t.cut |= n.cut
	t.rooted = t.rooted || closed
	t.ledger.Merge(&l)
	if t.group != nil {
		l.Spans(func(id pcommon.SpanID) {
			if len(t.group.home) < maxHomes {
				t.group.home[id] = n.id
			}
		})
	}
	s.resize(t)
	if closed {
		s.closed = append(s.closed, n.id)
	}
	s.trim()
	s.measure()
	s.rouse()
	return err
}
