package assembly

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// The steps append to out what they release.

// addRest takes a chunk that is not a root, of a trace that is not closed.
func (b *Buffer[P]) addRest(out []Release[P], t *trace[P], c Chunk[P]) []Release[P] {
	if t.in == &b.open {
		b.move(t, &b.open)
	}
	switch {
	case b.opt.Hold <= 0:
		return append(out, Release[P]{Trace: t.id, Chunks: []Chunk[P]{c}, Reason: HeldLongest})
	case t.big || !b.fits(t, c):
		t.big = true
		return append(out, Release[P]{Trace: t.id, Chunks: append(b.takeRest(t, 1), c), Reason: TooBig})
	}
	h := b.hold(t, &t.rest, c)
	b.held.push(&h.at)
	return out
}

// addRoot takes a root of a trace that is not closed, or that closed without one.
func (b *Buffer[P]) addRoot(out []Release[P], t *trace[P], c Chunk[P]) []Release[P] {
	t.rooted = true
	if !b.fits(t, c) {
		t.big = true
		early := b.takeRest(t, 1)
		if !b.fits(t, c) {
			// It cannot wait. As the first root it takes the close of the trace with it. Beside
			// another it goes as an ordinary chunk, so that the first keeps its Grace.
			r := Release[P]{Trace: t.id, Chunks: append(early, c), Reason: TooBig}
			if t.in != &b.ending {
				r.Closed = true
				b.move(t, &b.closed)
			}
			return append(out, r)
		}
		if len(early) > 0 {
			out = append(out, Release[P]{Trace: t.id, Chunks: early, Reason: TooBig})
		}
	}
	b.hold(t, &t.roots, c)
	if t.in != &b.ending {
		b.move(t, &b.ending)
	}
	return out
}

// due releases what has waited long enough. Complete traces come first, so that a late Tick does
// not tear their chunks from them; forgetting comes last, so that Idle 0 is one Tick.
func (b *Buffer[P]) due(out []Release[P]) []Release[P] {
	for t := b.ending.front(); t != nil && b.passed(t.roots.first.Arrived, b.opt.Grace); t = b.ending.front() {
		out = b.close(out, t, RootEnded)
	}
	for t := b.open.front(); t != nil && b.passed(t.last, b.opt.Idle); t = b.open.front() {
		out = b.close(out, t, Quiet)
	}
	for h := b.held.front(); h != nil && b.passed(h.Arrived, b.opt.Hold); h = b.held.front() {
		// The oldest of all is the oldest of its trace, and the others due are next to it.
		n := 1
		for s := h.next; s != nil && b.passed(s.Arrived, b.opt.Hold); s = s.next {
			n++
		}
		chunks := b.take(make([]Chunk[P], 0, n), &h.of.rest, n)
		out = append(out, Release[P]{Trace: h.of.id, Chunks: chunks, Reason: HeldLongest})
	}
	for t := b.closed.front(); t != nil && b.passed(t.last, b.opt.Idle); t = b.closed.front() {
		out = b.forget(out, t, Quiet)
	}
	return out
}

// relieve releases until HeldBytes is kept: all of one trace at a time, since one torn trace is
// better than many, and what goes together is redacted together.
func (b *Buffer[P]) relieve(out []Release[P]) []Release[P] {
	for b.opt.HeldBytes > 0 && b.bytes > b.opt.HeldBytes {
		if h := b.held.front(); h != nil {
			out = append(out, Release[P]{Trace: h.of.id, Chunks: b.takeRest(h.of, 0), Reason: Pressure})
			continue
		}
		out = b.close(out, b.ending.front(), Pressure)
	}
	return out
}

// makeRoom forgets traces until one more may be known.
func (b *Buffer[P]) makeRoom(out []Release[P]) []Release[P] {
	for b.opt.OpenTraces > 0 && len(b.traces) >= b.opt.OpenTraces {
		out = b.forget(out, b.victim(), Evicted)
	}
	return out
}

// victim is the trace idle longest among the closed, which have been scored, and else among the
// others, whose root would come to a trace that knows nothing of them. Among those it compares only
// the first of each queue: ending is not in order of idleness, but off by less than Grace.
func (b *Buffer[P]) victim() *trace[P] {
	if t := b.closed.front(); t != nil {
		return t
	}
	o, e := b.open.front(), b.ending.front()
	if o == nil || e != nil && e.last.Before(o.last) {
		return e
	}
	return o
}

// close releases all that t holds. The wait to be forgotten begins.
func (b *Buffer[P]) close(out []Release[P], t *trace[P], why Reason) []Release[P] {
	t.last = b.now
	b.move(t, &b.closed)
	return append(out, Release[P]{Trace: t.id, Chunks: b.takeAll(t), Reason: why, Closed: true})
}

// forget drops t, which is closed by the same release if it was not.
func (b *Buffer[P]) forget(out []Release[P], t *trace[P], why Reason) []Release[P] {
	open := t.in != &b.closed
	t.in.remove(&t.at)
	delete(b.traces, t.id)
	return append(out, Release[P]{Trace: t.id, Chunks: b.takeAll(t), Reason: why, Closed: open, Forget: true})
}

// know makes a new open trace.
func (b *Buffer[P]) know(id pcommon.TraceID) *trace[P] {
	t := &trace[P]{id: id, in: &b.open}
	t.at.of = t
	b.open.push(&t.at)
	b.traces[id] = t
	return t
}

// move puts t at the end of q.
func (b *Buffer[P]) move(t *trace[P], q *queue[*trace[P]]) {
	t.in.remove(&t.at)
	t.in = q
	q.push(&t.at)
}

func (b *Buffer[P]) passed(since time.Time, wait time.Duration) bool {
	return !b.now.Before(since.Add(wait))
}

func (b *Buffer[P]) fits(t *trace[P], c Chunk[P]) bool {
	return b.opt.BytesPerTrace <= 0 || t.bytes+int64(c.Bytes) <= b.opt.BytesPerTrace
}

func (b *Buffer[P]) hold(t *trace[P], l *chain[P], c Chunk[P]) *held[P] {
	h := &held[P]{Chunk: c, of: t}
	h.at.of = h
	l.push(h)
	t.bytes += int64(c.Bytes)
	b.bytes += int64(c.Bytes)
	b.spans += c.Spans
	return h
}

// take appends to dst the first n chunks of l, which are held no more.
func (b *Buffer[P]) take(dst []Chunk[P], l *chain[P], n int) []Chunk[P] {
	for range n {
		h := l.pop()
		if !h.Root {
			b.held.remove(&h.at)
		}
		h.of.bytes -= int64(h.Bytes)
		b.bytes -= int64(h.Bytes)
		b.spans -= h.Spans
		dst = append(dst, h.Chunk)
	}
	return dst
}

// takeRest takes all chunks of t but its roots, and leaves room for more.
func (b *Buffer[P]) takeRest(t *trace[P], more int) []Chunk[P] {
	return b.take(make([]Chunk[P], 0, t.rest.n+more), &t.rest, t.rest.n)
}

// takeAll takes all chunks of t, roots last. It is nil when there are none.
func (b *Buffer[P]) takeAll(t *trace[P]) []Chunk[P] {
	if t.rest.n+t.roots.n == 0 {
		return nil
	}
	return b.take(b.takeRest(t, t.roots.n), &t.roots, t.roots.n)
}
