package assembly

import (
	"cmp"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// model is the buffer as one would write it first: it looks at every trace and every chunk at each
// step. Ties of time are settled by turn, which counts what happened.
type model struct {
	opt    Options
	now    time.Time
	turn   int
	traces map[pcommon.TraceID]*modelTrace
}

type modelTrace struct {
	id             pcommon.TraceID
	rest, roots    []modelChunk
	last           time.Time
	lastTurn       int
	closed, rooted bool
	big            bool
}

type modelChunk struct {
	Chunk[int]
	turn int
}

func newModel(o Options) *model {
	if o.HeldBytes > 0 && (o.BytesPerTrace <= 0 || o.BytesPerTrace > o.HeldBytes) {
		o.BytesPerTrace = o.HeldBytes
	}
	return &model{opt: o, traces: map[pcommon.TraceID]*modelTrace{}}
}

func (m *model) add(now time.Time, c Chunk[int]) []Release[int] {
	out := m.tick(now)
	c.Arrived = m.now
	t := m.traces[c.Trace]
	if t == nil {
		for m.opt.OpenTraces > 0 && len(m.traces) >= m.opt.OpenTraces {
			out = append(out, m.forget(m.victim(), Evicted))
		}
		t = &modelTrace{id: c.Trace}
		m.traces[c.Trace] = t
	}
	m.touch(t)
	mc := modelChunk{c, m.turn}

	fits := func() bool {
		return m.opt.BytesPerTrace <= 0 || sum(t.rest)+sum(t.roots)+int64(c.Bytes) <= m.opt.BytesPerTrace
	}
	switch {
	case t.closed && (t.rooted || !c.Root):
		return append(out, release(t, Late, true, []modelChunk{mc}))
	case !c.Root && m.opt.Hold <= 0:
		out = append(out, release(t, HeldLongest, false, []modelChunk{mc}))
	case !c.Root && !t.big && fits():
		t.rest = append(t.rest, mc)
	case !c.Root:
		t.big = true
		out = append(out, release(t, TooBig, false, append(t.rest, mc)))
		t.rest = nil
	default:
		t.rooted, t.closed = true, false
		if fits() {
			t.roots = append(t.roots, mc)
			break
		}
		t.big = true
		early := t.rest
		t.rest = nil
		switch {
		case fits():
			if len(early) > 0 {
				out = append(out, release(t, TooBig, false, early))
			}
			t.roots = append(t.roots, mc)
		case len(t.roots) == 0:
			t.closed = true
			out = append(out, release(t, TooBig, true, append(early, mc)))
		default:
			out = append(out, release(t, TooBig, false, append(early, mc)))
		}
	}
	out = append(out, m.due()...)
	for m.opt.HeldBytes > 0 && m.heldBytes() > m.opt.HeldBytes {
		if ts := m.pick(holdsRest, oldestRest); len(ts) > 0 {
			out = append(out, release(ts[0], Pressure, false, ts[0].rest))
			ts[0].rest = nil
		} else {
			out = append(out, m.close(m.pick(isEnding, firstRoot)[0], Pressure))
		}
	}
	return append(out, m.due()...)
}

func (m *model) touchOnly(now time.Time, id pcommon.TraceID) []Release[int] {
	out := m.tick(now)
	t := m.traces[id]
	if t == nil {
		for m.opt.OpenTraces > 0 && len(m.traces) >= m.opt.OpenTraces {
			out = append(out, m.forget(m.victim(), Evicted))
		}
		t = &modelTrace{id: id}
		m.traces[id] = t
	}
	m.touch(t)
	return append(out, m.due()...)
}

func (m *model) tick(now time.Time) []Release[int] {
	if now.After(m.now) {
		m.now = now
	}
	return m.due()
}

func (m *model) due() (out []Release[int]) {
	passed := func(since time.Time, wait time.Duration) bool { return m.now.Sub(since) >= wait }
	for _, t := range m.pick(isEnding, firstRoot) {
		if passed(t.roots[0].Arrived, m.opt.Grace) {
			out = append(out, m.close(t, RootEnded))
		}
	}
	for _, t := range m.pick(isOpen, lastTouch) {
		if passed(t.last, m.opt.Idle) {
			out = append(out, m.close(t, Quiet))
		}
	}
	for _, t := range m.pick(holdsRest, oldestRest) {
		n := 0
		for n < len(t.rest) && passed(t.rest[n].Arrived, m.opt.Hold) {
			n++
		}
		if n > 0 {
			out = append(out, release(t, HeldLongest, false, t.rest[:n]))
			t.rest = t.rest[n:]
		}
	}
	for _, t := range m.pick(isClosed, lastTouch) {
		if passed(t.last, m.opt.Idle) {
			out = append(out, m.forget(t, Quiet))
		}
	}
	return out
}

func (m *model) flush(now time.Time) []Release[int] {
	out := m.tick(now)
	for _, ts := range [][]*modelTrace{m.pick(isEnding, firstRoot), m.pick(isOpen, lastTouch), m.pick(isClosed, lastTouch)} {
		for _, t := range ts {
			out = append(out, m.forget(t, Flushed))
		}
	}
	return out
}

func (m *model) victim() *modelTrace {
	if ts := m.pick(isClosed, lastTouch); len(ts) > 0 {
		return ts[0]
	}
	first := m.pick(isOpen, lastTouch)
	if ending := m.pick(isEnding, firstRoot); len(ending) > 0 {
		if len(first) == 0 || ending[0].last.Before(first[0].last) {
			first = ending
		}
	}
	return first[0]
}

func (m *model) close(t *modelTrace, why Reason) Release[int] {
	m.touch(t)
	r := release(t, why, true, append(t.rest, t.roots...))
	t.rest, t.roots, t.closed = nil, nil, true
	return r
}

func (m *model) forget(t *modelTrace, why Reason) Release[int] {
	delete(m.traces, t.id)
	r := release(t, why, !t.closed, append(t.rest, t.roots...))
	r.Forget = true
	return r
}

func (m *model) touch(t *modelTrace) {
	m.turn++
	t.last, t.lastTurn = m.now, m.turn
}

// pick returns the traces that are wanted, in the order of by.
func (m *model) pick(want func(*modelTrace) bool, by func(*modelTrace) int) (ts []*modelTrace) {
	for _, t := range m.traces {
		if want(t) {
			ts = append(ts, t)
		}
	}
	slices.SortFunc(ts, func(a, b *modelTrace) int { return cmp.Compare(by(a), by(b)) })
	return ts
}

func (m *model) heldBytes() (n int64) {
	for _, t := range m.traces {
		n += sum(t.rest) + sum(t.roots)
	}
	return n
}

func isClosed(t *modelTrace) bool  { return t.closed }
func isEnding(t *modelTrace) bool  { return len(t.roots) > 0 }
func isOpen(t *modelTrace) bool    { return !t.closed && len(t.roots) == 0 }
func holdsRest(t *modelTrace) bool { return len(t.rest) > 0 }

func firstRoot(t *modelTrace) int  { return t.roots[0].turn }
func oldestRest(t *modelTrace) int { return t.rest[0].turn }
func lastTouch(t *modelTrace) int  { return t.lastTurn }

func sum(cs []modelChunk) (n int64) {
	for _, c := range cs {
		n += int64(c.Bytes)
	}
	return n
}

func release(t *modelTrace, why Reason, closed bool, cs []modelChunk) Release[int] {
	r := Release[int]{Trace: t.id, Reason: why, Closed: closed}
	for _, c := range cs {
		r.Chunks = append(r.Chunks, c.Chunk)
	}
	return r
}
