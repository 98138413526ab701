package agentleakprocessor

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/assembly"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// round is the least time between two releases by the timer. What falls due in between goes together, in one batch.
const round = 100 * time.Millisecond

// never is how long the timer sleeps when nothing is held.
const never = 24 * time.Hour

// A shard owns the traces whose ids fall to it: what is held of them and what is remembered.
type shard struct {
	settler *settler
	out     *outbox // nil where no span ever comes

	mu      sync.Mutex
	buf     *assembly.Buffer[*piece]
	traces  map[pcommon.TraceID]*trace
	groups  map[pcommon.TraceID]*group
	closed  []pcommon.TraceID // in the order they closed; some may be gone since
	ledgers int               // bytes
	most    int               // of them before those of closed traces are dropped
	alarm   time.Time         // what the timer sleeps for
	wake    chan struct{}

	// Copies for whoever measures, so that a measurement waits for no lock.
	heldBytes, heldSpans, known, ledgerBytes atomic.Int64
}

// A trace is what is remembered of one, while the buffer knows it.
type trace struct {
	ledger *audit.Ledger // that of its group, if it is in one
	group  *group
	size   int // of the ledger, as counted in shard.ledgers

	score   *audit.Score // the last one, nil when there is none
	scored  int          // size of the ledger then
	links   int          // that were written
	counted bool         // among the traces scored
	trimmed bool         // the ledger was dropped once, so scores are of what came after
}

func newTrace() *trace { return &trace{ledger: &audit.Ledger{}} }

func newShard(s *settler, out *outbox, o assembly.Options) *shard {
	return &shard{
		settler: s, out: out, buf: assembly.New[*piece](o), traces: map[pcommon.TraceID]*trace{},
		most: int(o.HeldBytes / 2), wake: make(chan struct{}, 1),
	}
}

// add takes over a scanned piece.
func (s *shard) add(p *piece) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	// What is due goes first: the piece must not join the ledger of a trace that is forgotten by now.
	s.carryOut(s.buf.Tick(now))
	t := s.traces[p.id]
	if t == nil {
		t = newTrace()
		s.traces[p.id] = t
	}
	s.correlate(t, p.group)
	t.group.settleIn(p)
	t.ledger.Add(s.settler.auditor, p.batch)
	s.resize(t)
	s.carryOut(s.buf.Add(now, assembly.Chunk[*piece]{
		Trace: p.id, Spans: p.spans, Bytes: p.bytes, Root: p.root, Payload: p,
	}))
	s.trim()
	s.measure()
	s.rouse()
}

// rouse wakes the timer when something falls due before it would.
func (s *shard) rouse() {
	if next, ok := s.buf.Next(); ok && next.Before(s.alarm) {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// run releases what falls due until stop.
func (s *shard) run(stop <-chan struct{}) {
	timer := time.NewTimer(never)
	defer timer.Stop()
	for {
		timer.Reset(s.tick())
		select {
		case <-timer.C:
		case <-s.wake:
		case <-stop:
			return
		}
	}
}

// tick releases what is due and returns how long to sleep.
func (s *shard) tick() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.carryOut(s.buf.Tick(now))
	s.measure()
	wait := never
	if next, ok := s.buf.Next(); ok {
		wait = max(next.Sub(now), round)
	}
	s.alarm = now.Add(wait)
	return wait
}

// flush releases all that is held.
func (s *shard) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.carryOut(s.buf.Flush(time.Now()))
	s.measure()
}

// carryOut settles releases in their order and hands them to the outbox.
func (s *shard) carryOut(rs []assembly.Release[*piece]) {
	if len(rs) == 0 {
		return
	}
	var parcels []parcel
	for i := range rs {
		r := &rs[i]
		t := s.traces[r.Trace]
		parcels = s.settler.settle(parcels, t, r)
		if r.Closed && r.Reason != assembly.Late && !r.Forget {
			s.closed = append(s.closed, r.Trace)
		}
		if r.Forget {
			s.ledgers -= t.size
			s.leaveGroup(t)
			delete(s.traces, r.Trace)
			continue
		}
		if r.Closed && t.plain() {
			t.drop() // most traces of most collectors are of no agent
		}
		s.resize(t)
	}
	if len(parcels) > 0 {
		s.out.put(parcels)
	}
}

// resize counts what became of a ledger.
func (s *shard) resize(t *trace) {
	size := t.ledger.Size()
	was := &t.size
	if t.group != nil {
		was = &t.group.size
	}
	s.ledgers += size - *was
	*was = size
}

// trim drops ledgers of traces that were scored, the oldest first, while all take more memory than they may. Late spans
// of such a trace are redacted as ever; their score is of what came after.
func (s *shard) trim() {
	if len(s.closed) > 2*len(s.traces)+16 {
		s.closed = slices.DeleteFunc(s.closed, func(id pcommon.TraceID) bool { return s.traces[id] == nil })
	}
	for s.ledgers > s.most && len(s.closed) > 0 {
		if t := s.traces[s.closed[0]]; t != nil {
			t.drop()
			s.resize(t)
		}
		s.closed = s.closed[1:]
	}
}

// plain reports whether there is nothing in a trace that was scored: neither content of an agent nor a finding.
func (t *trace) plain() bool { return t.score != nil && !t.score.GenAI && t.score.Secrets == 0 }

// drop forgets all but that there was something. A ledger that others share stays.
func (t *trace) drop() {
	if t.score = nil; t.group != nil {
		return
	}
	t.ledger, t.trimmed = &audit.Ledger{}, true
}

func (s *shard) measure() {
	s.heldBytes.Store(s.buf.HeldBytes())
	s.heldSpans.Store(int64(s.buf.HeldSpans()))
	s.known.Store(int64(s.buf.KnownTraces()))
	s.ledgerBytes.Store(int64(s.ledgers))
}
