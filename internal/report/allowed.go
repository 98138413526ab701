package report

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// An AllowRow is a row of the allow list of a policy.
type AllowRow struct {
	Policy string // as Trace.Policy
	Index  int    // in the list
	audit.Allowing
}

// An allowedRow is a row of the policy's allow list and what it did in a set.
type allowedRow struct {
	Row, Reason string
	Hits        int
	State       string // "holds", or that it expired, or until when it holds
	Off         bool
}

// allowed lists the rows of the allow list in their order, those without a hit too: they may be of no use any more.
func (s *Set) allowed() []allowedRow {
	rows := make([]allowedRow, len(s.Allow))
	for i, r := range s.Allow {
		rows[i] = allowedRow{Row: clean(r.name(), maxName), Reason: clean(r.Reason, maxWhere), State: "holds", Off: r.Off}
		switch until := r.Until.UTC().Format(time.DateTime) + " UTC"; {
		case r.Off:
			rows[i].State = "expired " + until
		case !r.Until.IsZero():
			rows[i].State = "until " + until
		}
		for k := range s.Traces {
			rows[i].Hits += s.Traces[k].allowedBy(&r)
		}
	}
	return rows
}

// allowedBy counts the finds of the trace that a row took out.
func (t *Trace) allowedBy(r *AllowRow) int {
	if r.Policy == t.Policy && r.Index < len(t.Allowed) {
		return t.Allowed[r.Index]
	}
	return 0
}

func (r *AllowRow) name() string {
	if r.Policy == "" {
		return r.Row
	}
	return r.Policy + ": " + r.Row
}

func textAllowed(b *bufio.Writer, rows []allowedRow) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(b, "\nAllowed by the policy")
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  ROW\tHITS\tSTATE\tREASON")
	for _, r := range rows {
		fmt.Fprintf(tw, "  %s\t%d\t%s\t%s\n", r.Row, r.Hits, r.State, cmp.Or(r.Reason, "-"))
	}
	tw.Flush()
}

func mdAllowed(b *bytes.Buffer, rows []allowedRow) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n| Allowed by | Hits | State | Reason |\n|---|--:|---|---|\n")
	for _, r := range rows[:min(len(rows), maxMarkdownFindings)] {
		fmt.Fprintf(b, "| %s | %d | %s | %s |\n", mdCode(r.Row), r.Hits, r.State, mdText(r.Reason))
	}
	if more := len(rows) - maxMarkdownFindings; more > 0 {
		fmt.Fprintf(b, "\nand %s\n", count(more, "more row"))
	}
}

// jsonAllowed is a row in JSON. Expires is null for one that never does.
type jsonAllowed struct {
	Policy  string  `json:"policy,omitempty"`
	Row     string  `json:"row"`
	Reason  string  `json:"reason"`
	Expires *string `json:"expires"`
	Expired bool    `json:"expired"`
	Hits    int     `json:"hits"`
}

func (s *Set) allowedJSON() []jsonAllowed {
	out := make([]jsonAllowed, len(s.Allow))
	for i, row := range s.allowed() {
		r := &s.Allow[i]
		out[i] = jsonAllowed{Policy: r.Policy, Row: r.Row, Reason: r.Reason, Expired: r.Off, Hits: row.Hits}
		if !r.Until.IsZero() {
			until := r.Until.UTC().Format(time.RFC3339Nano)
			out[i].Expires = &until
		}
	}
	return out
}

// sarifAllowed says what rows did, and warns of those that expired.
func (s *Set) sarifAllowed() (notes []sarifNote) {
	for _, r := range s.allowed() {
		level := "note"
		if r.Off {
			level = "warning"
		}
		text := fmt.Sprintf("Row %s of the allow list (%s) took out %s", r.Row, r.State, count(r.Hits, "finding"))
		if r.Reason != "" {
			text += ": " + r.Reason
		}
		notes = append(notes, sarifNote{level, sarifText{Text: text}})
	}
	return notes
}

// junitAllowed are the rows that had a hit in a trace.
func (s *Set) junitAllowed(t *Trace) *junitProperties {
	var out []junitProperty
	for i := range s.Allow {
		if n := t.allowedBy(&s.Allow[i]); n > 0 {
			out = append(out, junitProperty{"allowed by " + clean(s.Allow[i].name(), maxName), n})
		}
	}
	if out == nil {
		return nil
	}
	return &junitProperties{out}
}
