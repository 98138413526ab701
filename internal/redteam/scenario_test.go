package redteam

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// newAuditor finds canaries by their form, which no detector knows.
func newAuditor(t testing.TB) *audit.Auditor {
	t.Helper()
	p := audit.DefaultPolicy()
	p.CustomDetectors = []audit.CustomDetector{{Name: "canary", Pattern: `CANARY-[A-Z2-9]{10}`, DataType: "canary", Level: 4}}
	a, err := audit.New(p, audit.Options{KeepValues: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// auditScenario is what the engine finds in a scenario's telemetry.
func auditScenario(a *audit.Auditor, s *Scenario) (*audit.Score, []audit.Finding) {
	spans, logs := a.ScanTraces(s.Traces), a.ScanLogs(s.Logs)
	var l audit.Ledger
	l.Add(a, spans)
	l.Add(a, logs)
	a.FindCopies(s.Traces, spans, &l)
	a.FindCopiesInLogs(s.Logs, logs, &l)
	score := a.Score(&l)
	return score, slices.Concat(score.Findings(spans), score.Findings(logs))
}

// TestPlanted wants the audited leak set of each scenario to be the planted one, channels included, in every dialect.
func TestPlanted(t *testing.T) {
	a := newAuditor(t)
	fell, resisted := 0, 0
	for _, dialect := range Dialects() {
		for _, vertical := range Verticals() {
			for seed := range uint64(2) {
				o := Options{Vertical: vertical, Adversary: "A2", Dialect: dialect, Seed: seed, N: len(attacks)}
				err := Generate(o, func(s *Scenario) error {
					_, found := auditScenario(a, s)
					got := map[Leak]bool{}
					for i := range found {
						if f := &found[i]; f.Disclosed() {
							got[Leak{f.Channel.String(), f.Type}] = true
						}
					}
					want := map[Leak]bool{}
					for _, l := range s.Planted {
						want[l] = true
					}
					if !maps.Equal(got, want) {
						t.Errorf("%s, %s: %s", dialect, s.Scenario, diffLeaks(want, got, found))
					}
					if len(s.Planted) > 0 {
						fell++
					} else {
						resisted++
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if fell == 0 || resisted == 0 {
		t.Errorf("%d agents fell and %d resisted, want some of both", fell, resisted)
	}
}

// TestDeterministic wants the same bytes for a seed, the same story in every dialect, and other bytes for another seed.
func TestDeterministic(t *testing.T) {
	lines := func(dialect string, seed uint64, planted bool) string {
		var b strings.Builder
		err := Generate(Options{"hr", "A2", dialect, seed, 20}, func(s *Scenario) error {
			r, err := s.Record()
			if err != nil {
				return err
			}
			if planted {
				r.Trace = nil
			}
			b.WriteString(quote(r) + "\n")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, d := range Dialects() {
		first := lines(d, 42, false)
		if first != lines(d, 42, false) {
			t.Errorf("%s: the same seed, other bytes", d)
		}
		if first == lines(d, 43, false) {
			t.Errorf("%s: another seed, the same bytes", d)
		}
		if lines(d, 42, true) != lines("otel-genai", 42, true) {
			t.Errorf("%s: another story than in otel-genai", d)
		}
		if records, err := ReadRuns([]byte(first)); err != nil || len(records) != 20 {
			t.Errorf("%s: %d runs read back, %v", d, len(records), err)
		}
	}
}

func diffLeaks(want, got map[Leak]bool, found []audit.Finding) string {
	var b strings.Builder
	for l := range want {
		if !got[l] {
			fmt.Fprintf(&b, "\n  missing %v", l)
		}
	}
	for l := range got {
		if want[l] {
			continue
		}
		fmt.Fprintf(&b, "\n  extra %v", l)
		for _, f := range found {
			if f.Channel.String() == l.Channel && f.Type == l.Type {
				fmt.Fprintf(&b, " (%s %s %s %q)", f.SpanName, f.Where, f.Path, f.Value) // all values are invented
			}
		}
	}
	return b.String()
}
