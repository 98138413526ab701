package assembly

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// trace is what is known of one trace. It is in exactly one of the buffer's three queues of traces,
// and in Buffer.ending just while it holds a root.
type trace[P any] struct {
	id pcommon.TraceID
	at link[*trace[P]]
	in *queue[*trace[P]]

	rest  chain[P] // held chunks that are not roots, by arrival
	roots chain[P] // held roots, by arrival
	bytes int64    // of both

	last   time.Time // when the last chunk came, or the trace closed
	rooted bool      // a root has been seen
	big    bool      // BytesPerTrace was reached once: hold no more than roots
}

// held is a chunk in the buffer: in a chain of its trace and, unless it is a root, in Buffer.held.
type held[P any] struct {
	Chunk[P]
	of   *trace[P]
	at   link[*held[P]]
	next *held[P] // in the chain
}

// chain is a list of chunks that leave from the front.
type chain[P any] struct {
	first, last *held[P]
	n           int
}

func (c *chain[P]) push(h *held[P]) {
	if c.last == nil {
		c.first = h
	} else {
		c.last.next = h
	}
	c.last = h
	c.n++
}

func (c *chain[P]) pop() *held[P] {
	h := c.first
	c.first = h.next
	if c.first == nil {
		c.last = nil
	}
	c.n--
	return h
}
