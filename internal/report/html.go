package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// Bounds of the HTML. What is left out is counted where it would stand; the JSON has all.
const (
	maxRows         = 2000 // of the overview
	maxDetailed     = 100  // traces with a section of their own
	maxHTMLRows     = 6000 // findings on the page, shared by the traces with a section
	maxHTMLFindings = 300  // of one trace
	maxHTMLPaths    = 100
	maxFiles        = 8
)

//go:embed page/report.tmpl
var reportTemplate string

var htmlReport = template.Must(NewPage(reportTemplate))

// WriteHTML writes the set as one self-contained page (Page): an overview where there are several traces, and a
// section for each, those that need most attention first. Names from telemetry are cut and cleaned as in the text.
// Its errors are those of w.
func (s *Set) WriteHTML(w io.Writer) error {
	v := setView{Fold: len(s.Traces) > 1}
	ranked := s.ranked()
	if v.Fold {
		v.Overview = overview(ranked)
	}
	detailed := ranked[:min(len(ranked), maxDetailed)]
	for i, t := range detailed {
		room := min(maxHTMLFindings, maxHTMLRows/len(detailed))
		v.Traces = append(v.Traces, newTraceView(t, "t"+strconv.Itoa(i+1), i == 0, room))
	}
	if more := len(ranked) - maxDetailed; more > 0 {
		v.Note = fmt.Sprintf("The %d traces that need most attention have a section here. %s with no lower score: see the JSON report.",
			maxDetailed, count(more, "more trace"))
	}
	if s.Baseline != nil {
		v.Baseline = s.Baseline.view()
	}
	v.Allowed = s.allowed()
	page := Page{Kicker: "AgentLeak privacy report", Title: s.title(), Facts: s.facts(), Data: v, Notes: []string{
		"Values are no part of this report: •••• stands for one, and the digits beside it for its keyed fingerprint.",
		strings.TrimSpace("otelcol-agentleak " + s.Version),
	}}
	return page.Write(w, htmlReport)
}

// ranked lists the traces, those that need most attention first.
func (s *Set) ranked() []*Trace {
	list := make([]*Trace, len(s.Traces))
	for i := range s.Traces {
		list[i] = &s.Traces[i]
	}
	slices.SortStableFunc(list, func(a, b *Trace) int { return a.rank() - b.rank() })
	return list
}

// title is the verdict on the set in a line.
func (s *Set) title() string {
	switch n := s.Failed(); {
	case len(s.Traces) == 0:
		return "Nothing to report: no trace was found"
	case n == 0 && len(s.Traces) == 1:
		return "Open: the policy holds"
	case n == 0:
		return fmt.Sprintf("Open: the policy holds for all %d traces", len(s.Traces))
	case len(s.Traces) == 1:
		return "Blocked: the policy fails"
	default:
		return fmt.Sprintf("Blocked: the policy fails for %d of %d traces", n, len(s.Traces))
	}
}

func (s *Set) facts() []Fact {
	facts := []Fact{{"Traces", s.verdicts()}}
	if len(s.Files) > 0 {
		var names []string
		for _, f := range s.Files[:min(len(s.Files), maxFiles)] {
			names = append(names, clean(f, maxFull))
		}
		if more := len(s.Files) - maxFiles; more > 0 {
			names = append(names, count(more, "more file"))
		}
		facts = append(facts, Fact{"Input", strings.Join(names, ", ")})
	}
	return facts
}

type setView struct {
	Overview *overviewView
	Baseline *baselineView
	Allowed  []allowedRow
	Traces   []traceView
	Fold     bool
	Note     string
}

type overviewView struct {
	Rows     []overviewRow
	Verdicts []string
	Filter   bool
	Note     string
}

type overviewRow struct {
	Anchor, ID, Score, Class, Verdict, RI, Leaked, Highest, Gate string
	Key                                                          int
}

func overview(ranked []*Trace) *overviewView {
	o := &overviewView{Filter: len(ranked) > 5}
	seen := map[string]bool{}
	for i, t := range ranked[:min(len(ranked), maxRows)] {
		r := &t.Score.Report
		row := overviewRow{
			ID: t.title(), Score: strconv.Itoa(r.PrivacyScore), Class: r.Verdict.String(), Verdict: r.Verdict.Title(), Key: r.PrivacyScore,
			RI: fmt.Sprintf("%.4f", r.RiskIndex()), Leaked: strconv.Itoa(r.LeakedCount), Highest: r.Severity().String(), Gate: "open",
		}
		if t.Score.Err != nil {
			row.Score, row.Class, row.Verdict, row.RI, row.Leaked, row.Highest, row.Key =
				"–", agentrisk.Fail.String(), "No score", "–", "–", "–", -1
		}
		if t.Score.Outcome.Blocked {
			row.Gate = "blocked"
		}
		if i < maxDetailed {
			row.Anchor = "t" + strconv.Itoa(i+1)
		}
		if !seen[row.Verdict] {
			seen[row.Verdict] = true
			o.Verdicts = append(o.Verdicts, row.Verdict)
		}
		o.Rows = append(o.Rows, row)
	}
	if more := len(ranked) - maxRows; more > 0 {
		o.Note = fmt.Sprintf("and %s with no lower score", count(more, "more trace"))
	}
	return o
}

// title names the trace, and the policy where there are several, for people.
func (t *Trace) title() string {
	name := "(records outside any trace)"
	if t.ID != "" {
		name = clean(t.ID, 2*maxWhere)
	}
	if t.Policy != "" {
		name += ", policy " + clean(t.Policy, maxWhere)
	}
	return name
}
