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
	settlers []*settler // by policy
	out      *outbox    // nil where no span ever comes
	aside    *[]parcel  // gets what leaves instead of out, while set
	journal  *journal   // nil where nothing is kept

	mu      sync.Mutex
	buf     *assembly.Buffer[*piece]
	traces  map[pcommon.TraceID]*trace // one part of each
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

// A trace is what is remembered of one under one policy, while the buffer knows it. What is held of a trace is released
// for all policies at once, and what is known is of each alone.
type trace struct {
	policy int
	next   *trace // the part under another policy, in a ring; nil where there is none

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

func newTrace(policy int) *trace { return &trace{policy: policy, ledger: &audit.Ledger{}} }

// parts are t and what is known of its trace under other policies.
func (t *trace) parts(yield func(*trace) bool) {
	for p := t; yield(p); p = p.next {
		if p.next == nil || p.next == t {
			return
		}
	}
}

// others are the ledgers of the other parts.
func (t *trace) others() (ledgers []*audit.Ledger) {
	for p := range t.parts {
		if p != t {
			ledgers = append(ledgers, p.ledger)
		}
	}
	return ledgers
}

func newShard(s []*settler, out *outbox, o assembly.Options, bound ledgerBounds) *shard {
	return &shard{
		settlers: s, out: out, buf: assembly.New[*piece](o), traces: map[pcommon.TraceID]*trace{},
		most: bound.all, each: bound.each, wake: make(chan struct{}, 1),
	}
}

// know returns what is known of a trace under a policy, a new one when nothing is. It is called with the lock.
func (s *shard) know(id partID) *trace {
	t := s.find(id)
	if t != nil {
		return t
	}
	t = &trace{policy: id.policy, ledger: s.newLedger()}
	if o := s.traces[id.trace]; o == nil {
		s.traces[id.trace] = t
	} else {
		t.cut, t.rooted = o.cut, o.rooted
		if t.next = o.next; t.next == nil {
			t.next = o
		}
		o.next = t
	}
	return t
}

// find is know for what is known already, else nil.
func (s *shard) find(id partID) *trace {
	if t := s.traces[id.trace]; t != nil {
		for p := range t.parts {
			if p.policy == id.policy {
				return p
			}
		}
	}
	return nil
}

// settler is that of the policy of t.
func (s *shard) settler(t *trace) *settler { return s.settlers[t.policy] }

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
	t := s.know(p.partID())
	s.journal.join(t, p)
	s.correlate(t, p.group)
	t.group.settleIn(p)
	t.ledger.Add(s.settler(t).auditor, p.batch)
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
		known := s.traces[r.Trace]
		for t := range known.parts {
			t.cutBy(r.Reason)
			parcels = s.settler(t).settle(parcels, t, r)
		}
		s.note(known, r)
		if r.Closed && r.Reason != assembly.Late && !r.Forget {
			s.closed = append(s.closed, r.Trace)
		}
		for t := range known.parts {
			switch {
			case r.Forget:
				s.ledgers -= t.size
				s.leaveGroup(t)
				s.journal.forget(t)
				continue
			case r.Closed && t.plain():
				s.drop(t) // most traces of most collectors are of no agent
			}
			s.resize(t)
		}
		if r.Forget {
			delete(s.traces, r.Trace)
			if r.Reason == assembly.Evicted {
				s.settlers[0].tel.evicted()
			}
		}
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
		if known := s.traces[s.closed[0]]; known != nil {
			for t := range known.parts {
				s.drop(t)
				s.resize(t)
			}
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
