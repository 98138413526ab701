// Package redteam measures attacks on agents, and makes some.
//
// A [Run] is one attack as it went: what it aimed at ([Labels]) and what was detected on the trace of it. [Measure]
// turns runs into rates: how much of the vault leaked (ELR), how often an attack succeeded (ASR), and on which channels
// (CLR). [Judge] fills a run from the audit of its trace.
//
// [Generate] writes scenarios: a vault of invented records with canaries, an attack of one of the six families, and the
// telemetry of an agent that falls for it or resists, in a dialect of choice. The same seed gives the same bytes.
package redteam
