package assembly

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Buffer holds chunks of traces until they may go. It is not safe for concurrent use.
//
// Time only moves forward: a now before the latest one seen counts as that one. With times that
// carry a monotonic reading, setting the system clock has no effect.
type Buffer[P any] struct {
	opt    Options
	now    time.Time
	traces map[pcommon.TraceID]*trace[P]

	// Each queue is in order of deadlines, because what it waits for is one constant for all members
	// and a member joins, or moves to the end, at the time it begins to wait.
	open   queue[*trace[P]] // no root yet: Idle after the last chunk
	ending queue[*trace[P]] // root arrived: Grace after the first root held
	closed queue[*trace[P]] // no payload: Idle after the last chunk or the closing
	held   queue[*held[P]]  // chunks that are not roots: Hold after arrival

	bytes int64
	spans int
}

// New returns an empty buffer.
func New[P any](o Options) *Buffer[P] {
	return &Buffer[P]{opt: o.normal(), traces: make(map[pcommon.TraceID]*trace[P])}
}

// Add takes over c and returns what is to be released, c itself perhaps. Whatever is due by now is
// released first, as Tick would, so it does not depend on the caller's timer whether c is late.
func (b *Buffer[P]) Add(now time.Time, c Chunk[P]) []Release[P] {
	out := b.Tick(now)
	c.Arrived = b.now

	t := b.traces[c.Trace]
	if t == nil {
		out = b.makeRoom(out)
		t = b.know(c.Trace)
	}
	t.last = b.now

	switch {
	case t.in == &b.closed && (t.rooted || !c.Root):
		b.move(t, &b.closed)
		return append(out, Release[P]{Trace: t.id, Chunks: []Chunk[P]{c}, Reason: Late, Closed: true})
	case c.Root:
		out = b.addRoot(out, t, c)
	default:
		out = b.addRest(out, t, c)
	}
	// Waits of zero are over already: before pressure is judged, since it may be relieved by that,
	// and after it, since it may have closed a trace.
	return b.due(b.relieve(b.due(out)))
}

// Touch makes a trace known as a chunk of it would, and starts its wait for Idle anew, for a caller that learned of it by
// other means than a chunk. It returns what is to be released, as Add does. It neither opens a closed trace nor
// extends a Grace.
func (b *Buffer[P]) Touch(now time.Time, id pcommon.TraceID) []Release[P] {
	out := b.Tick(now)
	t := b.traces[id]
	if t == nil {
		out = b.makeRoom(out)
		t = b.know(id)
	}
	t.last = b.now
	if t.in != &b.ending { // which is in order of roots
		b.move(t, t.in)
	}
	return b.due(out)
}

// Tick returns what is due by now. Called late it lets more go together, never less: a trace that
// is complete by then is released whole, though some of its chunks were due before.
func (b *Buffer[P]) Tick(now time.Time) []Release[P] {
	if now.After(b.now) {
		b.now = now
	}
	return b.due(nil)
}

// Flush releases all that is held, closes what is open and forgets every trace: first what is due,
// then traces whose root arrived, then the others, each by age. The buffer is empty and may be used
// on.
func (b *Buffer[P]) Flush(now time.Time) []Release[P] {
	out := b.Tick(now)
	for _, q := range []*queue[*trace[P]]{&b.ending, &b.open, &b.closed} {
		for t := q.front(); t != nil; t = q.front() {
			out = b.forget(out, t, Flushed)
		}
	}
	return out
}

// Next returns the earliest time at which Tick has something to release, and false when nothing is
// known. A caller may sleep until then, or until its next Add.
func (b *Buffer[P]) Next() (next time.Time, ok bool) {
	earliest := func(since time.Time, wait time.Duration) {
		if at := since.Add(wait); !ok || at.Before(next) {
			next, ok = at, true
		}
	}
	if t := b.ending.front(); t != nil {
		earliest(t.roots.first.Arrived, b.opt.Grace)
	}
	if h := b.held.front(); h != nil {
		earliest(h.Arrived, b.opt.Hold)
	}
	if t := b.open.front(); t != nil {
		earliest(t.last, b.opt.Idle)
	}
	if t := b.closed.front(); t != nil {
		earliest(t.last, b.opt.Idle)
	}
	return next, ok
}

// HeldBytes is the sum of Chunk.Bytes held.
func (b *Buffer[P]) HeldBytes() int64 { return b.bytes }

// HeldSpans is the sum of Chunk.Spans held.
func (b *Buffer[P]) HeldSpans() int { return b.spans }

// OpenTraces is the number of traces that are not closed, with or without chunks held.
func (b *Buffer[P]) OpenTraces() int { return b.open.n + b.ending.n }

// KnownTraces is the number of traces that are not forgotten, closed ones included. This is what
// Options.OpenTraces bounds.
func (b *Buffer[P]) KnownTraces() int { return len(b.traces) }
