//go:generate go tool -modfile=../../internal/tools/go.mod mdatagen metadata.yaml

// Package agentleakprocessor is the collector's door into the house: it takes traces and logs, has package audit scan,
// score and redact them, writes the agentleak.* attributes, and passes them on. It finds nothing itself and knows no
// dialect; what it owns is time, goroutines, memory and the promise that nothing is lost in silence.
//
// # The way of a span
//
//	ConsumeTraces   in the sender's goroutine: drop forged agentleak.* attributes (strip.go), part the batch by trace
//	                (split.go), scan each piece
//	shard           under its lock: the piece joins the ledger of its trace and waits in an assembly.Buffer (shard.go)
//	release         by a later batch or by the shard's timer: look for copies of what was found, score, redact,
//	                annotate (settle.go, annotate.go, marks.go, links.go)
//	outbox          a queue and one goroutine that offers batches to the next component until it takes them (outbox.go)
//
// With storage, a journal keeps each piece from before its sender is told until the next component has it, and what left
// of a trace as bytes of its ledger (journal.go, dossier.go); a start takes both up (recover.go, recall.go).
//
// With correlate, traces that share a value share a ledger, and all are in one shard (correlate.go).
//
// A trace belongs to one shard, so its spans meet under one lock. The score is computed from the ledger alone, which
// is a join, so it does not depend on how the trace was parted, ordered or repeated.
//
// Each span accepted is forwarded, or counted as lost with a reason, or still held: refusal happens only before
// anything of a batch was accepted.
//
// Logs are not held: they are scanned, redacted and passed on by the sender's call (logs.go). What is found joins the
// ledger in the shard of their trace (sharedlogs.go): the factory's registry leads a logs instance to the shards of the
// traces instances of the same component (registry.go).
package agentleakprocessor
