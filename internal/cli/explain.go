package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/report"
)

// maxExplained bounds the traces that are named for each policy.
const maxExplained = 20

// explainPolicies writes the policies in force, and which traces each held for. overridden says that --fail-under stands
// for a key of all.
func explainPolicies(w io.Writer, f *audit.File, overridden, audited bool, traces []report.Trace) error {
	for i := range len(f.Policies) + 1 {
		name, match := audit.DefaultName, ""
		if i > 0 {
			name, match = f.Policies[i-1].Name, f.Policies[i-1].MatchText()
		} else if len(f.Policies) > 0 {
			match = "what no other policy matches"
		}
		fmt.Fprintf(w, "Policy %s\n", name)
		if match != "" {
			fmt.Fprintf(w, "  match: %s\n", plainText(match))
		}
		if audited {
			fmt.Fprintf(w, "  held for %s\n", heldFor(traces, name, len(f.Policies) > 0))
		}
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  KEY\tSOURCE\tVALUE")
		for _, s := range f.Settings(i) {
			if overridden && s.Key == "scoring.fail_below" {
				s.Source = "--fail-under"
			}
			fmt.Fprintf(tw, "  %s\t%s\t%s\n", s.Key, s.Source, plainText(s.Value))
		}
		if err := tw.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

func heldFor(traces []report.Trace, policy string, named bool) string {
	var ids []string
	n := 0
	for i := range traces {
		if t := &traces[i]; !named || t.Policy == policy {
			if n++; n <= maxExplained {
				ids = append(ids, cmp.Or(plainText(t.ID), "(records outside any trace)"))
			}
		}
	}
	switch {
	case n == 0:
		return "no trace"
	case n > maxExplained:
		ids = append(ids, fmt.Sprintf("%d more", n-maxExplained))
	}
	return strings.Join(ids, ", ")
}
