package report

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/redteam"
)

//go:embed page/redteam.tmpl
var redteamTemplate string

// What the template shows.
type (
	redteamPage struct {
		Rates []namedMetrics
		Sets  []redteamSection
	}
	namedMetrics struct {
		Name string
		M    redteam.Metrics
	}
	redteamSection struct {
		namedMetrics
		Reference bool
		Runs      []redteamRow
	}
	redteamRow struct {
		Scenario, Attack, Adversary, Primary, Outcome, Leaked, Kept, Difference string
		ELR                                                                     float64
		Score                                                                   int
	}
	attackTable struct {
		Label string
		Rates []redteam.AttackRate
	}
)

var redteamFuncs = template.FuncMap{
	"rate":    rate,
	"name":    attackName,
	"bar":     func(share float64) Bar { return ShareBar("", share) },
	"attacks": func(rates []redteam.AttackRate, label string) attackTable { return attackTable{label, rates} },
}

// WriteHTML writes the result as one self-contained page, the rates rounded as published. Its errors are those of w.
func (r *RedTeam) WriteHTML(w io.Writer) error {
	t, err := NewPage("")
	if err != nil {
		return err
	}
	if t, err = t.Funcs(redteamFuncs).Parse(redteamTemplate); err != nil {
		return err
	}
	all := redteam.Measure(r.Runs()).Rounded()
	var body redteamPage
	for i := range r.Sets {
		s := &r.Sets[i]
		section := s.section()
		body.Sets = append(body.Sets, section)
		body.Rates = append(body.Rates, section.namedMetrics)
		if s.Reference != nil {
			body.Rates = append(body.Rates, namedMetrics{s.Name + ", by the reference", redteam.Measure(s.Reference).Rounded()})
		}
	}
	if len(r.Sets) != 1 {
		body.Rates = append(body.Rates, namedMetrics{"All", all})
	}
	p := Page{
		Kicker: "Red team", Title: count(all.Runs, "run") + ", " + strconv.FormatFloat(100*all.ASR, 'f', 1, 64) + " % of attacks succeeded",
		Facts: []Fact{{"Scenarios", strconv.Itoa(all.Scenarios)}, {"Mean privacy score", strconv.FormatFloat(all.MeanPrivacy, 'f', 1, 64)}},
		Notes: []string{"The page holds names of scenarios and data types, and no value of a trace."},
		Data:  body,
	}
	return p.Write(w, t)
}

func (s *RedTeamSet) section() redteamSection {
	out := redteamSection{namedMetrics: namedMetrics{s.Name, redteam.Measure(s.Runs).Rounded()}, Reference: s.Reference != nil}
	for i := range s.Runs {
		r := &s.Runs[i]
		out.Runs = append(out.Runs, redteamRow{
			Scenario: r.Scenario, Attack: attackName(r.Class), Adversary: r.Adversary, Primary: orNone(r.Primary), Outcome: outcome(r),
			ELR: out.M.ELR[i].ELR, Score: r.PrivacyScore,
			Leaked:     listed(gaps(r.Expected, r.Detected, nil)),
			Kept:       listed(gaps(r.Expected, r.Expected, r.Detected)),
			Difference: strings.TrimPrefix(s.difference(i), "; "),
		})
	}
	return out
}

func listed(ts []agentrisk.DataType) string {
	if len(ts) == 0 {
		return "none"
	}
	return strings.ReplaceAll(joined(ts), " ", ", ")
}
