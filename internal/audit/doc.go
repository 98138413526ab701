// Package audit is the seam of the house: one trace in, one score out, and the trace redacted. The processor and the
// command line are two doors into it.
//
// An [Auditor] scans pieces of a trace into a [Batch] each. Batches join in a [Ledger], in any order and any number of
// times: the ledger holds the span tree without content, and for each secret the places it stood in; it holds no value
// and outlives the spans. When the trace closes, the ledger is scored: its tree turns places into channels, and those
// into a Risk Index. What a rule recognised once in a trace is then removed from wherever else it stands.
//
// The package neither logs nor measures time, and its results carry no value unless the caller asks for them.
package audit
