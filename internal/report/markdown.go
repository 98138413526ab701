package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// Bounds of the Markdown. A comment on GitHub holds 65536 characters, and one that is read holds far fewer.
const (
	maxMarkdown         = 60_000
	maxMarkdownTraces   = 20
	maxMarkdownDetails  = 10
	maxMarkdownFindings = 25
)

// WriteMarkdown writes the set as a comment on a change: the verdict first, a table of traces, and what was found in
// parts that open on demand. Names from telemetry are written so that no Markdown, HTML, mention or link in them is
// one. Its errors are those of w.
func (s *Set) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "### AgentLeak: %s\n\n", mdTitle(s))
	fmt.Fprintf(&b, "%s.\n", s.verdicts())
	if c := s.Baseline; c != nil {
		mdBaseline(&b, c)
	}
	ranked := s.ranked()
	mdTraces(&b, ranked)
	mdAllowed(&b, s.allowed())
	detailed := 0
	for _, t := range ranked {
		_, leaks, _ := t.listed()
		if leaks == 0 && !t.Score.Outcome.Blocked {
			continue
		}
		var part bytes.Buffer
		t.markdown(&part)
		if detailed == maxMarkdownDetails || b.Len()+part.Len() > maxMarkdown {
			b.WriteString("\nMore traces leaked: see the HTML or the JSON report.\n")
			break
		}
		detailed++
		b.Write(part.Bytes())
	}
	b.WriteString("\n<sub>Values are no part of this report; •••• stands for one.</sub>\n")
	_, err := w.Write(b.Bytes())
	return err
}

func mdTitle(s *Set) string {
	title := s.title()
	return strings.ToLower(title[:1]) + title[1:]
}

func mdTraces(b *bytes.Buffer, ranked []*Trace) {
	if len(ranked) == 0 {
		return
	}
	b.WriteString("\n| Trace | Score | Verdict | Risk Index | Leaked | L4 | L3 | L2 | L1 | Gate |\n|---|--:|---|--:|--:|--:|--:|--:|--:|---|\n")
	for _, t := range ranked[:min(len(ranked), maxMarkdownTraces)] {
		gate := "open"
		if t.Score.Outcome.Blocked {
			gate = "**blocked**"
		}
		r := &t.Score.Report
		if t.Score.Err != nil {
			fmt.Fprintf(b, "| %s | – | no score | – | – | – | – | – | – | %s |\n", mdCode(t.title()), gate)
			continue
		}
		fmt.Fprintf(b, "| %s | %d | %s | %.4f | %d | %d | %d | %d | %d | %s |\n", mdCode(t.title()), r.PrivacyScore, r.Verdict.Title(),
			r.RiskIndex(), r.LeakedCount, r.Leaked[3], r.Leaked[2], r.Leaked[1], r.Leaked[0], gate)
	}
	if more := len(ranked) - maxMarkdownTraces; more > 0 {
		fmt.Fprintf(b, "\nand %s with no lower score\n", count(more, "more trace"))
	}
}

func mdBaseline(b *bytes.Buffer, c *Comparison) {
	fmt.Fprintf(b, "\n**%s** %s\n", mdText(c.summary()), mdText(strings.Join(c.Notes, " ")))
	if len(c.New) == 0 {
		return
	}
	b.WriteString("\n| New leak | Type | Channel | Where |\n|---|---|---|---|\n")
	for i := range c.New[:min(len(c.New), maxMarkdownFindings)] {
		l := &c.New[i]
		fmt.Fprintf(b, "| %s | %s | `%s` | %s |\n", l.Level, mdCode(clean(string(l.Type), maxName)), l.Channel, mdCode(l.where()))
	}
	if more := len(c.New) - maxMarkdownFindings; more > 0 {
		fmt.Fprintf(b, "\nand %d more\n", more)
	}
}

// markdown writes one trace as a part that opens.
func (t *Trace) markdown(b *bytes.Buffer) {
	list, leaks, _ := t.listed()
	fmt.Fprintf(b, "\n<details>\n<summary>%s: %s</summary>\n\n", mdCode(t.title()), count(leaks, "disclosed finding"))
	if t.Score.Err != nil {
		fmt.Fprintf(b, "%s\n", mdText(sentence(t.Score.Err.Error())))
	} else {
		fmt.Fprintf(b, "%s\n", mdText(t.summary()))
	}
	gate := "open"
	if t.Score.Outcome.Blocked {
		gate = "blocked"
	}
	fmt.Fprintf(b, "\n**Gate %s.** %s\n", gate, mdText(t.why()))
	for _, c := range t.caveats() {
		fmt.Fprintf(b, "\n%s\n", mdText(c))
	}
	if leaks > 0 {
		b.WriteString("\n| Level | Type | Channel | Span | Where | Value |\n|---|---|---|---|---|---|\n")
		for _, i := range list[:min(leaks, maxMarkdownFindings)] { // disclosed ones come first
			f := &t.Findings[i]
			fmt.Fprintf(b, "| %s | %s | `%s` | %s | %s | %s |\n", f.Level, mdCode(clean(string(f.Type), maxName)), f.Channel,
				mdCode(clean(cmp.Or(f.SpanName, "-"), maxName)), mdCode(clean(place(f), maxWhere)), masked(f))
		}
		if more := leaks - maxMarkdownFindings; more > 0 {
			fmt.Fprintf(b, "\nand %d more\n", more)
		}
	}
	if len(t.Paths) > 0 {
		b.WriteString("\nLeak paths:\n\n")
		for i := range t.Paths[:min(len(t.Paths), maxPaths)] {
			p := &t.Paths[i]
			fmt.Fprintf(b, "- %s %s: %s\n", p.Level, mdCode(clean(string(p.Type), maxName)), mdRoute(p))
		}
		if more := len(t.Paths) - maxPaths; more > 0 {
			fmt.Fprintf(b, "- and %d more\n", more)
		}
	}
	if channels, data := remedies(t.Findings); channels != nil {
		b.WriteString("\nWhat to do:\n\n")
		for _, a := range channels {
			fmt.Fprintf(b, "- `%s`: %s\n", a.Subject, a.Hint)
		}
		for _, a := range data {
			fmt.Fprintf(b, "- %s: %s", a.Subject, a.Hint)
			if a.Basis != "" {
				fmt.Fprintf(b, " (%s)", a.Basis)
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("\n</details>\n")
}

func mdRoute(p *audit.Path) string {
	stops := []string{}
	stop := func(s *audit.Step) {
		text := "`" + s.Channel.String() + "`"
		if name := cmp.Or(s.Name, s.Agent); name != "" {
			text += " " + mdCode(clean(name, maxName))
		}
		stops = append(stops, text)
	}
	if p.Entered != nil {
		stop(p.Entered)
	}
	for i := range p.Leaks[:min(len(p.Leaks), maxStops)] {
		stop(&p.Leaks[i])
	}
	if more := len(p.Leaks) - maxStops; more > 0 {
		stops = append(stops, fmt.Sprintf("%d more", more))
	}
	return strings.Join(stops, " → ")
}

// mdCode writes a name as code, also inside a table and a summary. Mentions and links are not looked for in code.
func mdCode(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + mdText(s) + "</code>"
}

// mdText writes a text so that each character stands for itself. Letters and digits do anyway, and so does punctuation
// that begins nothing in GitHub's Markdown where it stands; the rest becomes character references.
func mdText(s string) string {
	var b strings.Builder
	r := []rune(clean(s, 4*maxFull))
	word := func(i int) bool {
		return i >= 0 && i < len(r) && (r[i] >= '0' && r[i] <= '9' || r[i] >= 'A' && r[i] <= 'Z' || r[i] >= 'a' && r[i] <= 'z')
	}
	link := strings.Contains(strings.ToLower(s), "www.")
	for i, c := range r {
		plain := false
		switch c {
		case ' ', ',', ';', '=', '(', ')', '?', '%':
			plain = i > 0
		case ']':
			plain = i+1 == len(r) || r[i+1] != '('
		case '.':
			plain = i > 0 && !link
		case '_', '-':
			plain = word(i-1) && word(i+1)
		case ':':
			plain = i+1 == len(r) || r[i+1] == ' '
		case '/':
			plain = i > 0 && r[i-1] != ':' && r[i-1] != '/'
		default:
			plain = word(i) || c > 127
		}
		if plain {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, "&#%d;", c)
		}
	}
	return b.String()
}
