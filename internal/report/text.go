package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// Bounds of the text. The JSON has none.
const (
	maxTraces   = 50
	maxFindings = 50
	maxPaths    = 20
	maxStops    = 8
	maxName     = 32 // runes
	maxWhere    = 64
	maxValue    = 80
	barWidth    = 20
)

// WriteText writes the set as a person reads it in a terminal: for each trace the score, where it leaked, what was
// found and how it got out. Long lists are cut; each says by how much. Characters that a terminal would obey are
// replaced. Its errors are those of w.
func (s *Set) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, s.verdicts())
	if s.Baseline != nil {
		s.Baseline.text(b)
	}
	traces := s.Traces
	if len(traces) > maxTraces { // what is cut should be what needs no attention
		traces = slices.Clone(traces)
		slices.SortStableFunc(traces, func(x, y Trace) int { return cmp.Compare(x.rank(), y.rank()) })
	}
	for i := range traces[:min(len(traces), maxTraces)] {
		fmt.Fprintln(b)
		traces[i].text(b)
	}
	if more := len(traces) - maxTraces; more > 0 {
		fmt.Fprintf(b, "\nand %s with no lower score\n", count(more, "more trace"))
	}
	textAllowed(b, s.allowed())
	return b.Flush()
}

// rank orders traces by how much attention they need, the most first.
func (t *Trace) rank() int {
	n := t.Score.Report.PrivacyScore
	if t.Score.Err != nil {
		n = -1
	}
	if t.Score.Outcome.Blocked {
		n -= 1000
	}
	return n
}

// verdicts counts the traces by verdict.
func (s *Set) verdicts() string {
	var verdicts [agentrisk.Fail + 1]int
	unscored := 0
	for i := range s.Traces {
		if sc := s.Traces[i].Score; sc.Err != nil {
			unscored++
		} else {
			verdicts[sc.Report.Verdict]++
		}
	}
	var parts []string
	for v, n := range verdicts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ToLower(agentrisk.Verdict(v).Title())))
		}
	}
	if unscored > 0 {
		parts = append(parts, fmt.Sprintf("%d without a score", unscored))
	}
	line := count(len(s.Traces), "trace")
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	if n := s.Failed(); n > 0 {
		line += fmt.Sprintf("; %d blocked", n)
	}
	return line
}

func (t *Trace) text(b *bufio.Writer) {
	fmt.Fprintf(b, "Trace %s\n", t.title())
	t.header(b)
	if t.Score.Err == nil {
		channels(b, &t.Score.Report)
		levels(b, &t.Score.Report)
	}
	t.findings(b)
	t.paths(b)
}

func (t *Trace) header(b *bufio.Writer) {
	sc := t.Score
	if sc.Err != nil {
		fmt.Fprintf(b, "  No score: %v\n", sc.Err)
	} else {
		vault := "observed vault"
		if sc.Explicit {
			if vault = "declared vault"; sc.Scope != "" {
				vault += " " + clean(sc.Scope, maxWhere)
			}
		}
		r := &sc.Report
		fmt.Fprintf(b, "  Privacy score %d/100  %s  (Risk Index %.4f = %d/%d, %s)\n",
			r.PrivacyScore, r.Verdict.Title(), r.RiskIndex(), r.WSL, r.Density, vault)
	}
	o := &sc.Outcome
	gate := "open"
	if o.Blocked {
		gate = "blocked"
	}
	fmt.Fprintf(b, "  Gate %s", gate)
	if o.Blocked {
		fmt.Fprintf(b, " by %s", strings.Join(o.BlockedBy, ", "))
	}
	if o.Conditional {
		fmt.Fprint(b, " on condition, the score is under conditional_below")
	}
	switch {
	case len(o.Violations) > 0:
		fmt.Fprintf(b, ", violated: %s", strings.Join(o.Violations, ", "))
	case o.Blocked:
	case len(o.Checked) > 0:
		fmt.Fprintf(b, ", kept: %s", strings.Join(o.Checked, ", "))
	}
	fmt.Fprintln(b)
	if !sc.Complete && t.ID != "" { // records outside any trace have no root
		fmt.Fprintln(b, "  The trace is not complete: spans are missing or were too many to record.")
	}
	if sc.Withheld > 0 {
		fmt.Fprintf(b, "  %s could not be read to the end (too deep or too large) and may hold more.\n", count(sc.Withheld, "value"))
	}
}

func channels(b *bufio.Writer, r *agentrisk.Report) {
	on := disclosed(r)
	if len(on) == 0 {
		return
	}
	fmt.Fprintln(b, "\n  Risk Index by channel")
	for _, c := range on {
		fmt.Fprintf(b, "    %-19s  %s  %.4f\n", c, bar(r.ByChannel[c]), r.ByChannel[c])
	}
}

// bar draws a share from 0 to 1 in eighths of a character. What is not zero shows.
func bar(share float64) string {
	eighths := int(share*barWidth*8 + 0.5)
	if share > 0 {
		eighths = min(max(eighths, 1), barWidth*8)
	}
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string(rune('█' + 8 - rest)) // U+2588 is the full block, U+258F one eighth
	}
	return s + strings.Repeat(" ", barWidth-(eighths+7)/8)
}

func levels(b *bufio.Writer, r *agentrisk.Report) {
	if r.ReachableCount == 0 && r.LeakedCount == 0 {
		return
	}
	fmt.Fprint(b, "\n  Secrets        L1     L2     L3     L4    all\n")
	row := func(name string, p agentrisk.Profile, all int) {
		fmt.Fprintf(b, "    %-8s %6d %6d %6d %6d %6d\n", name, p[0], p[1], p[2], p[3], all)
	}
	row("leaked", r.Leaked, r.LeakedCount)
	if r.ReachableCount > 0 { // unknown when the vault is a density alone
		row("vault", r.Reachable, r.ReachableCount)
	}
}

func (t *Trace) findings(b *bufio.Writer) {
	var list []*audit.Finding
	replays, leaks := 0, 0
	for i := range t.Findings {
		f := &t.Findings[i]
		switch {
		case f.Replay:
			replays++
			continue
		case f.Disclosed():
			leaks++
		}
		list = append(list, f)
	}
	if len(t.Findings) == 0 {
		fmt.Fprintln(b, "\n  Nothing found")
		return
	}
	slices.SortStableFunc(list, func(x, y *audit.Finding) int {
		if x.Disclosed() != y.Disclosed() {
			if x.Disclosed() {
				return -1
			}
			return 1
		}
		return cmp.Compare(y.Level, x.Level)
	})
	fmt.Fprintf(b, "\n  %s, %d disclosed\n", count(len(list), "finding"), leaks)
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	explained := slices.ContainsFunc(list, func(f *audit.Finding) bool { return len(f.Why) > 0 })
	if len(list) > 0 {
		fmt.Fprint(tw, "    CHANNEL\tLEVEL\tTYPE\tSPAN\tWHERE\tVALUE")
		if explained {
			fmt.Fprint(tw, "\tWHY")
		}
		fmt.Fprintln(tw)
	}
	for _, f := range list[:min(len(list), maxFindings)] {
		value := masked(f)
		if f.Value != "" {
			value = clean(f.Value, maxValue)
		}
		where := f.Where
		if f.Path != "" {
			where += " " + f.Path
		}
		fmt.Fprintf(tw, "    %s\t%s\t%s\t%s\t%s\t%s",
			f.Channel, f.Level, clean(string(f.Type), maxName), clean(cmp.Or(f.SpanName, "-"), maxName), clean(where, maxWhere), value)
		if explained {
			fmt.Fprintf(tw, "\t%s: %s", f.Rule, cmp.Or(strings.Join(f.Why, "; "), "the same value elsewhere"))
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	if more := len(list) - maxFindings; more > 0 {
		fmt.Fprintf(b, "    and %d more\n", more)
	}
	if replays > 0 {
		fmt.Fprintf(b, "  and %s of earlier text, which discloses nothing new\n", count(replays, "replay"))
	}
}

func (t *Trace) paths(b *bufio.Writer) {
	if len(t.Paths) == 0 {
		return
	}
	fmt.Fprintln(b, "\n  Leak paths")
	for i := range t.Paths[:min(len(t.Paths), maxPaths)] {
		p := &t.Paths[i]
		fmt.Fprintf(b, "    %s %s %s: %s\n", p.Level, clean(string(p.Type), maxName), p.ID.Fingerprint(), route(p))
	}
	if more := len(t.Paths) - maxPaths; more > 0 {
		fmt.Fprintf(b, "    and %d more\n", more)
	}
}

// route is a path as an arrow chain. An agent is named where it is another than that of the stop before.
func route(p *audit.Path) string {
	var stops []string
	agent := ""
	stop := func(prefix string, s *audit.Step) {
		text := prefix + s.Channel.String()
		switch {
		case s.Name != "" && s.Name != s.Agent:
			text += " " + clean(s.Name, maxName)
		case s.Agent != "" && s.Agent != agent:
			text += " (" + clean(s.Agent, maxName) + ")"
		}
		agent = cmp.Or(s.Agent, agent)
		stops = append(stops, text)
	}
	if p.Entered != nil {
		stop("entered ", p.Entered)
	}
	for i := range p.Leaks[:min(len(p.Leaks), maxStops)] {
		stop("", &p.Leaks[i])
	}
	if more := len(p.Leaks) - maxStops; more > 0 {
		stops = append(stops, fmt.Sprintf("%d more", more))
	}
	return strings.Join(stops, " → ")
}

// clean makes one line of at most n runes that no terminal obeys: control and format characters (escape sequences,
// direction marks) become a middle dot. A long text keeps both ends.
func clean(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return '·'
	}, s)
	if r := []rune(s); len(r) > n {
		head := n * 2 / 3
		return string(r[:head]) + "…" + string(r[len(r)-(n-head-1):])
	}
	return s
}
