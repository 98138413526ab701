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
	// Files are the inputs, as the user named them.
	Files []string
	// Version is that of the program, for formats that name their producer.
	Version string
	// Basis is what the scores rest on, of traces whose Policy is empty or the default.
	Basis audit.Basis
	// Policies are the bases of the other policies. Nil where none is named.
	Policies []PolicyBasis
	// Baseline is how the set compares with an earlier one; nil where none was given.
	Baseline *Comparison
	// Allow are the rows of the allow lists.
	Allow []AllowRow
}

// A PolicyBasis is what the scores under one policy rest on.
type PolicyBasis struct {
	Name  string
	Basis audit.Basis
}

// StableKey reports whether fingerprints of t mean the same in other runs: a key was configured.
func (s *Set) StableKey(t *Trace) bool {
	b := s.basisOf(t.Policy)
	return b != nil && b.Key != ""
}

// basisOf is that of a policy, nil where the set has none of the name.
func (s *Set) basisOf(policy string) *audit.Basis {
	if policy == "" || policy == audit.DefaultName {
		return &s.Basis
	}
	for i := range s.Policies {
		if s.Policies[i].Name == policy {
			return &s.Policies[i].Basis
		}
	}
	return nil
}

// A Trace is the result of one trace, or of the part of one that a policy holds for. Nothing in it is changed by writing
// it.
type Trace struct {
	// ID is the trace id in hex, or whatever names the trace where it came in another format. Empty: records that
	// belong to no trace.
	ID string
	// Policy names the one that held. Empty: there is but one.
	Policy   string
	Score    *audit.Score
	Findings []audit.Finding
	Paths    []audit.Path
	// Spans are all spans of the trace, in any order, for its timeline.
	Spans []Span
	// Origins says of each finding where it was read, in their order. Empty where that isn't known.
	Origins []Origin
	// Allowed counts what each row of the allow list took out, as audit.Batch.Allowed.
	Allowed []int
}

// A Span is one span of a trace as its timeline shows it.
type Span struct {
	ID, Parent string // hex; an empty parent is a root
	Name       string
	Agent      string // who emitted it, if known
	Start, End uint64 // nanoseconds since 1970
}

// An Origin is a place in a file that was audited.
type Origin struct {
	File string // as the user named it
	Line int    // from 1; 0 where a file has no lines or the line isn't known
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
