package agentleakprocessor

import (
	"github.com/agentleak/otelcol-agentleak/internal/assembly"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// cuts are the bounds that let spans of a trace go early, so that what was found later could not be looked for in them.
type cuts uint8

const (
	cutTooBig cuts = 1 << iota
	cutPressure

	allCuts = cutTooBig | cutPressure
)

// Why a trace's score may be too low, beside what package audit says: values of agentleak.trace.incomplete.
const (
	whyTooBig   = "too_big"        // limits.bytes_per_trace
	whyPressure = "pressure"       // limits.held_bytes
	whyEvicted  = "evicted"        // limits.open_traces or limits.ledger_bytes
	whyTrimmed  = "ledger_dropped" // limits.ledger_bytes
	whyShutdown = "shutdown"
	whyLate     = "late"
)

// cut notes what a release says of a bound.
func (t *trace) cutBy(r assembly.Reason) {
	switch r {
	case assembly.TooBig:
		t.cut |= cutTooBig
	case assembly.Pressure:
		t.cut |= cutPressure
	}
}

// incomplete lists why the score that leaves with d may be too low, each reason once, and nothing for a trace that was
// seen as a whole.
func (d *departure) incomplete(t *trace, s *audit.Score) (why []string) {
	for _, x := range []struct {
		reason string
		is     bool
	}{
		{whyTooBig, t.cut&cutTooBig != 0},
		{whyPressure, t.cut&cutPressure != 0},
		{whyEvicted, d.reason == assembly.Evicted.String()},
		{whyTrimmed, t.trimmed},
		{whyShutdown, d.reason == assembly.Flushed.String()},
		{whyLate, d.late},
		{noTraceID, d.reason == noTraceID},
	} {
		if x.is {
			why = append(why, x.reason)
		}
	}
	why = append(why, s.Missing...)
	if len(why) == 0 && d.reason != assembly.RootEnded.String() {
		why = append(why, d.reason)
	}
	return why
}
