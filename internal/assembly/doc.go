// Package assembly decides how long the pieces of a trace are held.
//
// It is a state machine without clock, goroutine or lock: the caller owns a [Buffer], hands it
// chunks and the time, and carries out the releases it returns. It does not know what a chunk
// carries, so it neither scans nor scores; whoever redacts and forwards sits above it.
//
// # Terms
//
// A chunk is a piece of one trace that arrived together, with whatever the caller learned from it.
// The root chunk holds the span that has no parent, and nothing else, because it waits on its own
// terms. A trace is closed when its score may be computed, and forgotten when the caller may drop
// all it kept about it. Between the two it is remembered without payload, so that a straggler is
// known for what it is.
//
// # Life of a trace
//
//	open     a chunk arrived, no root yet    each chunk leaves Hold after it arrived
//	ending   the root chunk arrived          all leaves when Grace has passed, and the trace closes
//	closed   Grace passed, or Idle in        chunks leave at once as Late
//	         silence without a root
//	gone     Idle in silence after that      the next chunk opens a new trace
//
// [Buffer.Touch] is a sign of life without a chunk: a trace that only it names is open, closes and is forgotten by Idle.
//
// Hold 0 is streaming: everything but the root passes straight through, and the root still waits
// for its Grace, so it can carry the score. A trace that closed in silence and gets its root after
// all is ending again, for the same reason.
//
// # Bounds
//
// A bound never drops or alters anything, it only lets go early, with a [Reason] that says so:
//
//	BytesPerTrace   the trace streams from then on; its root waits if it fits       TooBig
//	HeldBytes       whole traces, the one that holds the oldest chunk first, then   Pressure
//	                roots, oldest first
//	OpenTraces      the closed trace idle longest, else the open one                Evicted
//
// Three things hold whatever happens. Each chunk that was added is released exactly once. Each
// trace is closed at least once and forgotten exactly once, last of all. The chunks of a trace that
// are not roots leave in the order they came, and in each release before its roots.
//
// # Cost
//
// Every wait is one constant, so every queue is in order of its deadlines and each operation takes
// constant time for each chunk and trace it adds, moves or releases. No operation looks at all
// traces, except Flush. A known trace costs about 180 bytes, open or closed, and a held chunk about
// 110 bytes beside its payload (BenchmarkMemory; the map varies with its filling by some 30 bytes).
//
// The scripts in testdata show each rule at work.
package assembly
