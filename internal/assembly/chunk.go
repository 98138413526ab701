package assembly

import (
	"fmt"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Chunk is a piece of one trace. The buffer owns its payload from Add until it is released.
type Chunk[P any] struct {
	Trace pcommon.TraceID
	Spans int // counted in HeldSpans, otherwise without effect

	// Bytes is what holding the chunk costs in memory, as the caller estimates it, at least 0. The
	// bounds are kept in this measure, so it should cover the payload and the 110 bytes of doc.go.
	Bytes int

	// Root says that the chunk is the root span of its trace.
	Root bool

	Payload P

	// Arrived is set by Add.
	Arrived time.Time
}

// Release tells the caller to let chunks go, or that the state of a trace changed, or both. The
// caller owns it and may keep it.
type Release[P any] struct {
	Trace  pcommon.TraceID
	Chunks []Chunk[P] // by arrival, roots last; may be empty
	Reason Reason

	// Closed says that the trace is complete as far as anyone can tell, so its score may be computed
	// and put on Chunks. It comes again when later chunks arrived: the trace is then scored anew.
	Closed bool

	// Forget says that nothing more will be released under this trace: its ledger can be dropped. A
	// chunk that comes afterwards starts a trace of its own.
	Forget bool
}

// Reason says why a release happened. The zero Reason is not used.
type Reason uint8

const (
	RootEnded   Reason = iota + 1 // the root arrived and Grace passed
	HeldLongest                   // the chunks were held for Hold
	Quiet                         // nothing came for Idle: an open trace closes, a closed one is forgotten
	TooBig                        // the trace would hold more than BytesPerTrace
	Pressure                      // all traces together would hold more than HeldBytes
	Evicted                       // more than OpenTraces traces would be known
	Flushed                       // Flush was called
	Late                          // the trace was closed before the chunk arrived
)

var reasons = [...]string{
	RootEnded:   "root_ended",
	HeldLongest: "held_longest",
	Quiet:       "quiet",
	TooBig:      "too_big",
	Pressure:    "pressure",
	Evicted:     "evicted",
	Flushed:     "flushed",
	Late:        "late",
}

// String is the reason in lower snake case, as metrics and attributes show it.
func (r Reason) String() string {
	if int(r) < len(reasons) && reasons[r] != "" {
		return reasons[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}
