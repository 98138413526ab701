package assembly

import "time"

// Options are fixed for the life of a Buffer. The zero Options hold nothing: each chunk is released
// by the Add that brought it, and its trace closed and forgotten. A value below zero means zero.
type Options struct {
	// Hold is the longest a chunk that is not a root is held. Zero: it is released at once.
	Hold time.Duration

	// Grace is how long the rest of a trace is awaited after its root arrived. Zero: the root closes
	// its trace at once.
	Grace time.Duration

	// Idle is the silence after which a trace without a root is closed, and after which a closed
	// trace is forgotten. Zero: both happen at once, so that a chunk without a root is not held
	// either, whatever Hold says.
	Idle time.Duration

	// HeldBytes bounds the sum of Chunk.Bytes held. Zero: no bound.
	HeldBytes int64

	// BytesPerTrace bounds the sum of Chunk.Bytes held of one trace; HeldBytes does so too, if it is
	// smaller. Zero: only HeldBytes counts.
	BytesPerTrace int64

	// OpenTraces bounds the traces known, closed ones that are still remembered among them, because
	// the caller keeps a ledger for each. Zero: no bound.
	OpenTraces int
}

// normal returns o with the bound of a trace within that of all, which is what keeps a chunk that
// could never fit from driving everyone else out before it.
func (o Options) normal() Options {
	if o.HeldBytes > 0 && (o.BytesPerTrace <= 0 || o.BytesPerTrace > o.HeldBytes) {
		o.BytesPerTrace = o.HeldBytes
	}
	return o
}
