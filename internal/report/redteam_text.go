package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/redteam"
)

// maxRuns bounds the runs in the text of a set.
const maxRuns = 50

// WriteText writes the result for a terminal: the rates of each set, by channel, family and class, and its runs. The
// rates are rounded as published. Its errors are those of w.
func (r *RedTeam) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	all := redteam.Measure(r.Runs()).Rounded()
	fmt.Fprintf(b, "%s of %s\n\n", count(all.Runs, "run"), count(all.Scenarios, "scenario"))
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "ELR\tmedian\tASR\trisk index\tprivacy\tfields\truns\t ")
	line := func(name string, m redteam.Metrics) {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%.1f\t%.2f\t%d\t %s\n", rate(m.MeanELR), rate(m.MedianELR), rate(m.ASR), rate(m.MeanRI),
			m.MeanPrivacy, m.MeanVaultFields, m.Runs, name)
	}
	for i := range r.Sets {
		s := &r.Sets[i]
		line(clean(s.Name, maxWhere), redteam.Measure(s.Runs).Rounded())
		if s.Reference != nil {
			line("  by the reference", redteam.Measure(s.Reference).Rounded())
		}
	}
	if len(r.Sets) != 1 {
		line("all", all)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for i := range r.Sets {
		if err := r.Sets[i].text(b); err != nil {
			return err
		}
	}
	return b.Flush()
}

func rate(x float64) string { return fmt.Sprintf("%.4f", x) }

func (s *RedTeamSet) text(b *bufio.Writer) error {
	m := redteam.Measure(s.Runs).Rounded()
	fmt.Fprintf(b, "\n%s\n", clean(s.Name, maxWhere))
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	if len(m.CLR) > 0 {
		fmt.Fprintln(tw, "  primary channel\tCLR\tmean types\truns")
	}
	for _, c := range m.CLR {
		fmt.Fprintf(tw, "  %s\t%s\t%.2f\t%d\n", clean(c.Channel, maxName), rate(c.LeakRate), c.AvgLeaked, c.Runs)
	}
	attacks := func(of string, rates []redteam.AttackRate) {
		if len(rates) > 0 {
			fmt.Fprintf(tw, "  %s\tASR\tsucceeded\truns\n", of)
		}
		for _, a := range rates {
			fmt.Fprintf(tw, "  %s\t%s\t%d\t%d\n", clean(attackName(a.ID), maxWhere), rate(a.ASR), a.Successful, a.Total)
		}
	}
	attacks("family", m.ByFamily)
	attacks("class", m.ByClass)
	if len(s.Runs) > 0 {
		fmt.Fprintln(tw, "  run\tELR\tleaked\tprivacy\tattack")
	}
	for i := range s.Runs[:min(len(s.Runs), maxRuns)] {
		r := &s.Runs[i]
		e := m.ELR[i]
		fmt.Fprintf(tw, "  %s\t%s\t%d of %d\t%d\t%s on %s%s\n", clean(r.Scenario, maxWhere), rate(e.ELR), e.Leaked, e.Total, r.PrivacyScore,
			outcome(r), clean(orNone(r.Primary), maxName), s.difference(i))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if more := len(s.Runs) - maxRuns; more > 0 {
		fmt.Fprintf(b, "  and %s, which the JSON has\n", count(more, "more run"))
	}
	return nil
}

func outcome(r *redteam.Run) string {
	if r.Success() {
		return "succeeded"
	}
	return "failed"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// attackName is an id with the name that the taxonomy has for it.
func attackName(id string) string {
	if name := redteam.AttackName(id); name != "" {
		return id + " " + name
	}
	return orNone(id)
}

// difference names the expected types on which the reference differs.
func (s *RedTeamSet) difference(i int) string {
	if s.Reference == nil {
		return ""
	}
	r, o := &s.Runs[i], &s.Reference[i]
	var parts []string
	if g := gaps(r.Expected, r.Detected, o.Detected); g != nil {
		parts = append(parts, "here alone "+joined(g))
	}
	if g := gaps(r.Expected, o.Detected, r.Detected); g != nil {
		parts = append(parts, "by the reference alone "+joined(g))
	}
	if parts == nil {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

func joined(ts []agentrisk.DataType) string {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = clean(string(t), maxName)
	}
	return strings.Join(names, " ")
}
