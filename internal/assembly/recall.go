package assembly

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Recall makes a trace known as closed, its root seen and gone, for a caller that remembers so from an earlier Buffer:
// what comes of it is late. A trace that is known already stays as it is. It returns what is to be released, as Add does.
func (b *Buffer[P]) Recall(now time.Time, id pcommon.TraceID) []Release[P] {
	out := b.Tick(now)
	if b.traces[id] != nil {
		return out
	}
	out = b.makeRoom(out)
	t := b.know(id)
	t.last, t.rooted = b.now, true
	b.move(t, &b.closed)
	return b.due(out)
}

// Shed forgets one trace for a caller that remembers too much, the one that OpenTraces would drop next. It returns
// nothing when none is known.
func (b *Buffer[P]) Shed() []Release[P] {
	if t := b.victim(); t != nil {
		return b.forget(nil, t, Evicted)
	}
	return nil
}
