package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// What the template "trace" shows.
type (
	traceView struct {
		Anchor, ID string
		Open       bool
		Gauge      Gauge
		Verdict    string
		Summary    string
		Blocked    bool
		Why        string
		Caveats    []string
		Channels   []channelRow
		Levels     []levelRow
		Rules      []ruleRow
		Paths      *pathsView
		Timeline   *timelineView
		Findings   *findingsView
		Remedies   *remedyView
	}
	channelRow struct {
		Name, RI string
		Bar      Bar
	}
	levelRow struct {
		Name   string
		Leaked int
		Vault  string
		Bar    Bar
	}
	pathsView struct {
		Anchor  string
		Diagram *diagram
		Legend  []string
		Rows    []pathRow
		Note    string
	}
	pathRow struct {
		Level, Type, Secret string
		Entered             *stopView
		Leaks               []stopView
		More                int
	}
	stopView     struct{ Channel, Name, Agent string }
	timelineView struct {
		*timeline
		Anchor, Note string
	}
	findingsView struct {
		Anchor           string
		Rows             []findingRow
		Levels, Channels []string
		Note             string
	}
	findingRow struct {
		Level, Type, Channel, State, Span, Anchor, Where, Masked, Secret string
		Leak                                                             bool
	}
	remedyView struct{ Channels, Data []advice }
)

func newTraceView(t *Trace, anchor string, open bool, room int) traceView {
	r := &t.Score.Report
	v := traceView{Anchor: anchor, ID: t.title(), Open: open, Blocked: t.Score.Outcome.Blocked, Why: t.why(), Caveats: t.caveats(), Rules: t.rules()}
	if t.Score.Err != nil {
		v.Verdict, v.Gauge = "No score", NoGauge("No privacy score")
		v.Summary = sentence(t.Score.Err.Error())
	} else {
		v.Verdict, v.Gauge = r.Verdict.Title(), ScoreGauge(r.PrivacyScore, r.Verdict)
		v.Summary = t.summary()
		v.Channels, v.Levels = channelRows(r), levelRows(r)
	}
	v.Paths = newPathsView(t, anchor)
	shown := map[string]string{}
	if tl := newTimeline(t, anchor); tl != nil {
		v.Timeline = &timelineView{timeline: tl, Anchor: anchor}
		if tl.Skipped > 0 {
			v.Timeline.Note = fmt.Sprintf("Not shown: %s, those without findings first.", count(tl.Skipped, "more span"))
		}
		for i := range tl.Rows {
			shown[strings.TrimPrefix(tl.Rows[i].Anchor, anchor+"-span-")] = tl.Rows[i].Anchor
		}
	}
	v.Findings = newFindingsView(t, anchor, shown, room)
	if channels, data := remedies(t.Findings); channels != nil {
		v.Remedies = &remedyView{channels, data}
	}
	return v
}

// summary is what the score says in a sentence.
func (t *Trace) summary() string {
	r := &t.Score.Report
	vault := "seen in the trace"
	if t.Score.Explicit {
		if vault = "in the declared vault"; t.Score.Scope != "" {
			vault += " (" + clean(t.Score.Scope, maxWhere) + ")"
		}
	}
	of := ""
	if r.ReachableCount > 0 {
		of = fmt.Sprintf(" of %s %s", count(r.ReachableCount, "secret"), vault)
	}
	if r.LeakedCount == 0 {
		return fmt.Sprintf("Nothing leaked%s. Risk Index %.4f.", of, r.RiskIndex())
	}
	if of == "" {
		return fmt.Sprintf("%s leaked. Risk Index %.4f = %d / %d, the weight of what leaked by that of what is %s.",
			count(r.LeakedCount, "secret"), r.RiskIndex(), r.WSL, r.Density, vault)
	}
	return fmt.Sprintf("%d%s leaked. Risk Index %.4f = %d / %d, by weight.", r.LeakedCount, of, r.RiskIndex(), r.WSL, r.Density)
}

func (t *Trace) caveats() []string {
	var c []string
	if !t.Score.Complete && t.ID != "" {
		c = append(c, "The trace is not complete: spans are missing or were too many to record.")
	}
	if n := t.Score.Withheld; n > 0 {
		c = append(c, count(n, "value")+" could not be read to the end (too deep or too large) and may hold more.")
	}
	return c
}

func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func channelRows(r *agentrisk.Report) []channelRow {
	var rows []channelRow
	for _, c := range agentrisk.Channels() {
		if c.Disclosure() {
			rows = append(rows, channelRow{c.String(), fmt.Sprintf("%.4f", r.ByChannel[c]), ShareBar("", r.ByChannel[c])})
		}
	}
	return rows
}

func levelRows(r *agentrisk.Report) []levelRow {
	var rows []levelRow
	for _, l := range slices.Backward(agentrisk.Levels()) {
		row := levelRow{Name: l.String(), Leaked: r.Leaked.Of(l), Vault: strconv.Itoa(r.Reachable.Of(l)), Bar: Bar{Class: l.String()}}
		switch {
		case r.Reachable.Of(l) > 0:
			row.Bar = ShareBar(l.String(), float64(row.Leaked)/float64(r.Reachable.Of(l)))
		case r.ReachableCount == 0 && r.Density > 0:
			row.Vault = "–" // the vault is a density alone
		}
		rows = append(rows, row)
	}
	return rows
}

func newPathsView(t *Trace, anchor string) *pathsView {
	if len(t.Paths) == 0 {
		return nil
	}
	v := &pathsView{Anchor: anchor, Diagram: newDiagram(t.Paths)}
	levels := map[agentrisk.Level]bool{}
	for i := range t.Paths {
		p := &t.Paths[i]
		levels[p.Level] = true
		if i >= maxHTMLPaths {
			continue
		}
		row := pathRow{Level: p.Level.String(), Type: clean(string(p.Type), maxName), Secret: p.ID.Fingerprint()}
		if p.Entered != nil {
			s := newStop(p.Entered)
			row.Entered = &s
		}
		for j := range p.Leaks[:min(len(p.Leaks), maxStops)] {
			row.Leaks = append(row.Leaks, newStop(&p.Leaks[j]))
		}
		row.More = max(0, len(p.Leaks)-maxStops)
		v.Rows = append(v.Rows, row)
	}
	for _, l := range slices.Backward(agentrisk.Levels()) {
		if levels[l] {
			v.Legend = append(v.Legend, l.String())
		}
	}
	if more := len(t.Paths) - maxHTMLPaths; more > 0 {
		v.Note = fmt.Sprintf("and %d more, of no higher level", more)
	}
	return v
}

func newStop(s *audit.Step) stopView {
	return stopView{s.Channel.String(), own(s), clean(s.Agent, maxFull)}
}

// listed sorts findings as people read them: disclosed first, then by level. Replays are counted and left out.
func (t *Trace) listed() (list []int, leaks, replays int) {
	for i := range t.Findings {
		switch f := &t.Findings[i]; {
		case f.Replay:
			replays++
			continue
		case f.Disclosed():
			leaks++
		}
		list = append(list, i)
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := &t.Findings[a], &t.Findings[b]
		if x.Disclosed() != y.Disclosed() {
			if x.Disclosed() {
				return -1
			}
			return 1
		}
		return cmp.Compare(y.Level, x.Level)
	})
	return list, leaks, replays
}

func newFindingsView(t *Trace, anchor string, spans map[string]string, room int) *findingsView {
	list, leaks, replays := t.listed()
	v := &findingsView{Anchor: anchor}
	levels, channels := map[string]bool{}, map[string]bool{}
	for _, i := range list[:min(len(list), room)] {
		f := &t.Findings[i]
		row := findingRow{
			Level: f.Level.String(), Type: clean(string(f.Type), maxName), Channel: f.Channel.String(), Leak: f.Disclosed(),
			Span: clean(cmp.Or(f.SpanName, "–"), maxFull), Anchor: spans[f.SpanID.String()], Where: clean(place(f), 2*maxFull),
			Masked: masked(f), Secret: f.ID.Fingerprint(),
		}
		levels[row.Level], channels[row.Channel] = true, true
		v.Rows = append(v.Rows, row)
	}
	for _, l := range slices.Backward(agentrisk.Levels()) {
		if levels[l.String()] {
			v.Levels = append(v.Levels, l.String())
		}
	}
	for _, c := range append(agentrisk.Channels(), agentrisk.ChannelNone) {
		if channels[c.String()] {
			v.Channels = append(v.Channels, c.String())
		}
	}
	notes := []string{fmt.Sprintf("%s, %d disclosed.", count(len(list), "finding"), leaks)}
	if len(t.Findings) == 0 {
		notes = []string{"Nothing found."}
	}
	if more := len(list) - room; more > 0 {
		notes = append(notes, fmt.Sprintf("%d are not shown here, of no higher level: see the JSON report.", more))
	}
	if replays > 0 {
		notes = append(notes, fmt.Sprintf("%s of earlier text, which discloses nothing new.", count(replays, "replay")))
	}
	v.Note = strings.Join(notes, " ")
	return v
}

// place is where a finding stands in its record.
func place(f *audit.Finding) string {
	if f.Path == "" {
		return f.Where
	}
	return f.Where + " " + f.Path
}
