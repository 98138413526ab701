package report

import (
	"testing"
	"time"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// allowed is a set with rows of allow lists of two policies: one with hits in two traces, one without, one expired.
func allowed(t *testing.T, basis audit.Basis) *Set {
	one, two, other := leak(t), clean100(t), clean100(t)
	one.Policy, two.Policy, other.Policy = audit.DefaultName, audit.DefaultName, "clinic"
	one.Allowed, two.Allowed, other.Allowed = []int{3}, []int{1, 0, 2}, []int{0, 5}
	until := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	row := func(policy string, i int, r audit.Allowing) AllowRow { return AllowRow{policy, i, r} }
	return &Set{Basis: basis, Version: "1.2.3", Traces: []Trace{one, two, other}, Allow: []AllowRow{
		row(audit.DefaultName, 0, audit.Allowing{Row: "sandbox", Reason: "the test card | of the <sandbox>", Until: until.AddDate(2, 0, 0)}),
		row(audit.DefaultName, 1, audit.Allowing{Row: "allow[1]"}),
		row(audit.DefaultName, 2, audit.Allowing{Row: "allow[2]", Reason: "until the new domain is there", Until: until, Off: true}),
		row("clinic", 0, audit.Allowing{Row: "allow[0]"}),
		row("clinic", 1, audit.Allowing{Row: hostile[0], Reason: hostile[4]}),
	}}
}

// TestAllowedHits sums the hits of a row over the traces of its policy.
func TestAllowedHits(t *testing.T) {
	rows := allowed(t, audit.Basis{}).allowed()
	for i, want := range []int{4, 0, 2, 0, 5} {
		if rows[i].Hits != want {
			t.Errorf("%s: %d hits, want %d", rows[i].Row, rows[i].Hits, want)
		}
	}
}
