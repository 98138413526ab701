// Package report writes the results of audits: as JSON for programs and as text for a terminal.
//
// It writes what it is given and decides nothing. Values stand in what it writes only where a finding carries one; the
// caller also answers for the names in it (of spans, attributes, members and agents), which are telemetry too.
package report

import (
	"strconv"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// Schema names the form of the JSON. It changes when a member is removed or means something else; new members may
// come without a change.
const Schema = "agentleak.report/1"

// A Set is the result of one audit: its traces, in the order in which they are written.
type Set struct {
	Traces []Trace
}

// A Trace is the result of one trace. Nothing in it is changed by writing it.
type Trace struct {
	// ID is the trace id in hex, or whatever names the trace where it came in another format. Empty: records that
	// belong to no trace.
	ID       string
	Score    *audit.Score
	Findings []audit.Finding
	Paths    []audit.Path
}

// Failed counts the traces that the gate blocks.
func (s *Set) Failed() int {
	n := 0
	for i := range s.Traces {
		if s.Traces[i].Score.Outcome.Blocked {
			n++
		}
	}
	return n
}

// masked stands for the value of a finding. It holds no character of it.
func masked(f *audit.Finding) string {
	if f.Token {
		return "•••• (redacted before)"
	}
	return Mask(f.Length)
}

// Mask stands for a value of n bytes.
func Mask(n int) string { return "•••• (" + count(n, "byte") + ")" }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// disclosed lists the channels on which anything leaked.
func disclosed(r *agentrisk.Report) []agentrisk.Channel {
	var on []agentrisk.Channel
	for _, c := range agentrisk.Channels() {
		if r.ByChannel[c] > 0 {
			on = append(on, c)
		}
	}
	return on
}
