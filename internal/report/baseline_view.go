package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// maxLeaks bounds the leaks of a comparison that are listed, new ones first.
const maxLeaks = 100

type baselineView struct {
	Summary, Note string
	Rows          []baselineRow
}

type baselineRow struct{ State, Class, Level, Type, Channel, Where string }

// summary counts the leaks in a sentence.
func (c *Comparison) summary() string {
	return fmt.Sprintf("%d new, %d fixed, %d unchanged against the baseline.", secrets(c.New), secrets(c.Fixed), secrets(c.Unchanged))
}

// NewLeaks counts the leaks that the baseline lacks.
func (c *Comparison) NewLeaks() int { return secrets(c.New) }

func secrets(leaks []Leak) int {
	n := 0
	for i := range leaks {
		n += leaks[i].Secrets
	}
	return n
}

func (c *Comparison) view() *baselineView {
	v := &baselineView{Summary: c.summary()}
	notes := c.Notes
	all := len(c.New) + len(c.Fixed) + len(c.Unchanged)
	for _, part := range []struct {
		state string
		class agentrisk.Verdict
		leaks []Leak
	}{{"new", agentrisk.Fail, c.New}, {"fixed", agentrisk.Pass, c.Fixed}, {"unchanged", agentrisk.ConditionalPass, c.Unchanged}} {
		for i := range part.leaks {
			if len(v.Rows) == maxLeaks {
				break
			}
			l := &part.leaks[i]
			v.Rows = append(v.Rows, baselineRow{part.state, part.class.String(), l.Level.String(), clean(string(l.Type), maxName), l.Channel.String(), l.where()})
		}
	}
	if more := all - len(v.Rows); more > 0 {
		notes = append(notes[:len(notes):len(notes)], fmt.Sprintf("%d more are not shown here: see the JSON report.", more))
	}
	v.Note = strings.Join(notes, " ")
	return v
}

// text writes the comparison, new leaks one by one.
func (c *Comparison) text(b *bufio.Writer) {
	fmt.Fprintf(b, "Baseline: %s\n", c.summary())
	for _, n := range c.Notes {
		fmt.Fprintf(b, "  %s\n", n)
	}
	for i := range c.New[:min(len(c.New), maxPaths)] {
		l := &c.New[i]
		fmt.Fprintf(b, "  new  %s %s on %s at %s\n", l.Level, clean(string(l.Type), maxName), l.Channel, l.where())
	}
	if more := len(c.New) - maxPaths; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}

// where is the place of a leak for people, with how many secrets stand there.
func (l *Leak) where() string {
	s := clean(l.Where, maxWhere)
	if l.SpanName != "" {
		s = clean(l.SpanName, maxName) + ": " + s
	}
	if l.Secrets > 1 {
		s += fmt.Sprintf(" ×%d", l.Secrets)
	}
	return s
}
