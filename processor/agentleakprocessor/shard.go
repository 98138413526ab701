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
	out     *outbox   // nil where no span ever comes
	aside   *[]parcel // gets what leaves instead of out, while set
	journal *journal  // nil where nothing is kept

	mu      sync.Mutex
	buf     *assembly.Buffer[*piece]
	traces  map[pcommon.TraceID]*trace
	groups  map[pcommon.TraceID]*group
	closed  []pcommon.TraceID // in the order they closed; some may be gone since
	ledgers int               // bytes
	most    int               // of them before traces are forgotten
	each    int               // that one ledger may have
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
	cut     cuts         // bounds that were reached
	rooted  bool         // its root went
	kept    *dossier     // in the journal, nil when nothing is
}

func newTrace() *trace { return &trace{ledger: &audit.Ledger{}} }

func newShard(s *settler, out *outbox, o assembly.Options, bound ledgerBounds) *shard {
	return &shard{
		settler: s, out: out, buf: assembly.New[*piece](o), traces: map[pcommon.TraceID]*trace{},
		most: bound.all, each: bound.each, wake: make(chan struct{}, 1),
	}
}

// know returns the trace with an id, a new one when none is known. It is called with the lock.
func (s *shard) know(id pcommon.TraceID) *trace {
	t := s.traces[id]
	if t == nil {
		t = &trace{ledger: s.newLedger()}
		s.traces[id] = t
	}
	return t
}

func (s *shard) newLedger() *audit.Ledger {
	l := &audit.Ledger{}
	l.Bound(s.each)
	return l
}

// add takes over a scanned piece.
func (s *shard) add(p *piece) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.take(p)
}

// take is add with the lock.
func (s *shard) take(p *piece) {
	now := time.Now()
	// What is due goes first: the piece must not join the ledger of a trace that is forgotten by now.
	s.carryOut(s.buf.Tick(now))
	t := s.know(p.id)
	s.journal.join(t, p)
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
		t.cutBy(r.Reason)
		parcels = s.settler.settle(parcels, t, r)
		s.note(t, r)
		if r.Closed && r.Reason != assembly.Late && !r.Forget {
			s.closed = append(s.closed, r.Trace)
		}
		if r.Forget {
			s.ledgers -= t.size
			s.leaveGroup(t)
			s.journal.forget(t)
			delete(s.traces, r.Trace)
			if r.Reason == assembly.Evicted {
				s.settler.tel.evicted()
			}
			continue
		}
		if r.Closed && t.plain() {
			s.drop(t) // most traces of most collectors are of no agent
		}
		s.resize(t)
	}
	switch {
	case len(parcels) == 0:
	case s.aside != nil:
		*s.aside = append(*s.aside, parcels...)
	default:
		s.out.put(parcels)
	}
}

// resize counts what became of a ledger.
func (s *shard) resize(t *trace) {
	size := t.ledger.Size()
	was := &t.size
	if t.group != nil {
		size += homeCost * len(t.group.home)
		was = &t.group.size
	}
	s.ledgers += size - *was
	*was = size
}

// trim drops ledgers of traces that were scored, the oldest first, while all take more memory than they may. Late spans
// of such a trace are redacted as ever; their score is of what came after. If that is not enough, traces are forgotten as
// if there were too many, those idle longest first.
func (s *shard) trim() {
	if len(s.closed) > 2*len(s.traces)+16 {
		s.closed = slices.DeleteFunc(s.closed, func(id pcommon.TraceID) bool { return s.traces[id] == nil })
	}
	for s.ledgers > s.most && len(s.closed) > 0 {
		if t := s.traces[s.closed[0]]; t != nil {
			s.drop(t)
			s.resize(t)
		}
		s.closed = s.closed[1:]
	}
	for s.ledgers > s.most {
		rs := s.buf.Shed()
		if rs == nil {
			return
		}
		s.carryOut(rs)
	}
}

// plain reports whether there is nothing in a trace that was scored: neither content of an agent nor a finding.
func (t *trace) plain() bool { return t.score != nil && !t.score.GenAI && t.score.Secrets == 0 }

// drop forgets all but that there was something. A ledger that others share stays.
func (s *shard) drop(t *trace) {
	if t.score = nil; t.group != nil {
		return
	}
	t.ledger, t.trimmed = s.newLedger(), true
	s.journal.trim(t)
}

func (s *shard) measure() {
	s.heldBytes.Store(s.buf.HeldBytes())
	s.heldSpans.Store(int64(s.buf.HeldSpans()))
	s.known.Store(int64(s.buf.KnownTraces()))
	s.ledgerBytes.Store(int64(s.ledgers))
}
