package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

type eventsFlags struct {
	config, format, output string
	showValues             bool
}

func eventsCommand() *cobra.Command {
	var f eventsFlags
	cmd := &cobra.Command{
		Use:   "events [flags] FILE...",
		Short: "Show what each text of a trace is taken for",
		Long: `Events reads what audit reads and lists every text with where it stands, the channel it is on, and why:
the dialect whose row claims it ("shape" for messages under an unknown key, "none" for text that no
dialect knows), and the rule that decided (docs/dialects.md). A replay was said elsewhere and counts
for nothing. Attribute keys and member names are texts of the place that they name, and not listed.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return failure(runEvents(cmd, &f, files)) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "policy file (agentleak.yaml)")
	flags.StringVar(&f.format, "format", "table", "form of the list: table, or json for a line a text")
	flags.StringVar(&f.output, "output", "-", "where the list goes, - for standard output")
	flags.BoolVar(&f.showValues, "show-values", false, "show the texts themselves, for triage on your own machine")
	return cmd
}

// mapped is one text of a trace as mapping saw it.
type mapped struct {
	Trace   string  `json:"trace_id"`
	Policy  string  `json:"policy,omitempty"` // where policies are configured
	Span    string  `json:"span_id"`
	Name    string  `json:"span_name"` // an event name where it is a log record
	Agent   string  `json:"agent,omitempty"`
	Where   string  `json:"where"`
	Path    string  `json:"path,omitempty"`
	Bytes   int     `json:"bytes"`
	Channel string  `json:"channel"`
	Replay  bool    `json:"replay"`
	Dialect string  `json:"dialect"`
	Key     string  `json:"key,omitempty"` // of the dialect's row
	Rule    string  `json:"rule"`
	Text    *string `json:"text,omitempty"` // only on request
	// Allowed are the rows of the allow list that took a find out of the text.
	Allowed []string `json:"allowed,omitempty"`
}

func runEvents(cmd *cobra.Command, f *eventsFlags, files []string) error {
	if f.format != "table" && f.format != "json" {
		return fmt.Errorf("--format %q: want table or json", f.format)
	}
	// Values are needed to keep them out of the names in the list.
	policies, err := newAuditors(f.config, cmd.ErrOrStderr(), audit.Options{KeepValues: true})
	if err != nil {
		return err
	}
	var inputs []*input
	for _, name := range files {
		in, err := open(name, cmd.InOrStdin())
		if err == nil {
			err = in.parse()
		}
		if err != nil {
			return err
		}
		in.data = nil
		inputs = append(inputs, in)
	}
	return writeTo(f.output, cmd.OutOrStdout(), f.showValues, func(w io.Writer) error {
		for i, t := range group(inputs, policies.Matcher()).order {
			a := policies.At(t.policy)
			list := listEvents(a, a.Mapper(), t, f.showValues)
			for i := range list {
				list[i].Policy = policyName(policies, t.policy)
			}
			if f.format == "json" {
				enc := json.NewEncoder(w)
				for i := range list {
					if err := enc.Encode(&list[i]); err != nil {
						return err
					}
				}
				continue
			}
			if i > 0 {
				fmt.Fprintln(w)
			}
			if err := writeEvents(w, list, f.showValues); err != nil {
				return err
			}
		}
		return nil
	})
}

// lister collects the texts of one trace and the span tree that decides them.
type lister struct {
	mapper   *mapping.Mapper
	doc      *leaf.Doc
	skeleton mapping.Skeleton
	events   []mapped
	places   []mapping.Place
	show     bool
}

func listEvents(a *audit.Auditor, m *mapping.Mapper, t *traceParts, show bool) []mapped {
	spans, logs := t.copySpans(), t.copyLogs()
	if t.run == nil {
		distrust(spans, logs)
	}
	l := &lister{mapper: m, doc: leaf.NewDoc(leaf.Limits{}), show: show}
	for _, rs := range spans.ResourceSpans().All() {
		l.shared(func() { l.doc.Resource(rs.Resource(), rs.SchemaUrl()) })
		for _, ss := range rs.ScopeSpans().All() {
			l.shared(func() { l.doc.Scope(ss.Scope(), ss.SchemaUrl()) })
			for _, s := range ss.Spans().All() {
				l.doc.Reset()
				l.doc.Span(s)
				l.read(m.Span(s, ss.Scope().Name(), l.doc), s.Name())
			}
		}
	}
	index := 0
	for _, rl := range logs.ResourceLogs().All() {
		l.shared(func() { l.doc.Resource(rl.Resource(), rl.SchemaUrl()) })
		for _, sl := range rl.ScopeLogs().All() {
			l.shared(func() { l.doc.Scope(sl.Scope(), sl.SchemaUrl()) })
			for _, lr := range sl.LogRecords().All() {
				l.doc.Reset()
				l.doc.Log(lr, index)
				index++
				l.read(m.Log(lr, sl.Scope().Name(), l.doc), lr.EventName())
			}
		}
	}
	x := examine(a, spans, logs)
	sc := a.Score(&x.ledger)
	names := newLabeller(a.Scanner(), append(sc.Findings(x.ofSpans), sc.Findings(x.ofLogs)...))
	allowed := allowedAt(a, sc, x)
	tree, where, trace := l.skeleton.Tree(), t.logWhere(), names.label(t.name())
	for i := range l.events {
		e, p := &l.events[i], l.places[i]
		ch, replay, rule := tree.Explain(p)
		e.Trace, e.Channel, e.Replay, e.Rule = trace, ch.String(), bool(replay), string(rule)
		e.Agent = names.label(tree.Agent(p.Span))
		e.Allowed = allowed[textPlace{p.Span, e.Where, e.Path}]
		e.Where, _ = where(e.Where)
		e.Name, e.Where, e.Path = names.label(e.Name), names.label(e.Where), names.label(e.Path)
	}
	return l.events
}

// A textPlace is where a text of a trace stands.
type textPlace struct {
	span        pcommon.SpanID
	where, path string
}

// allowedAt names the rows that took finds out of texts.
func allowedAt(a *audit.Auditor, sc *audit.Score, x *examined) map[textPlace][]string {
	rows, out := a.Allow(), map[textPlace][]string{}
	for _, f := range append(sc.AllowedFinds(x.ofSpans), sc.AllowedFinds(x.ofLogs)...) {
		at := textPlace{f.SpanID, f.Where, f.Path}
		if name := rows[f.Row].Row; !slices.Contains(out[at], name) {
			out[at] = append(out[at], name)
		}
	}
	return out
}

// shared reads a resource or a scope: no span's and no dialect's.
func (l *lister) shared(fill func()) {
	l.doc.Reset()
	fill()
	l.texts(nil, "")
}

func (l *lister) read(r mapping.Reading, name string) {
	if !r.Info.ID.IsEmpty() {
		l.skeleton.Add(&r.Info)
	}
	l.texts(&r, name)
}

func (l *lister) texts(r *mapping.Reading, name string) {
	l.doc.Texts(func(f *leaf.Field, n *leaf.Node, isName bool, text string) {
		if isName || text == "" {
			return
		}
		e := mapped{Name: name, Where: f.Where(), Path: n.Path(), Bytes: len(text), Dialect: mapping.ByNone}
		p := mapping.Place{Slot: mapping.SlotLog}
		if r != nil {
			p = r.At(n)
			e.Dialect, e.Key = r.ClaimedBy(n)
			e.Span = spanID(r.Info.ID)
		}
		if l.show {
			t := strings.Clone(text)
			e.Text = &t
		}
		e.Path = strings.Clone(e.Path)
		l.events, l.places = append(l.events, e), append(l.places, p)
	})
}

func spanID(id pcommon.SpanID) string {
	if id.IsEmpty() {
		return ""
	}
	return id.String()
}

func writeEvents(w io.Writer, list []mapped, show bool) error {
	if len(list) == 0 {
		return nil
	}
	of := ""
	if list[0].Policy != "" {
		of = ", policy " + list[0].Policy
	}
	fmt.Fprintf(w, "Trace %s%s\n", cmp.Or(plainText(list[0].Trace), "-"), of)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "  SPAN\tNAME\tAGENT\tWHERE\tCHANNEL\tDIALECT\tRULE"
	allows := slices.ContainsFunc(list, func(e mapped) bool { return e.Allowed != nil })
	if allows {
		head += "\tALLOWED BY"
	}
	if show {
		head += "\tTEXT"
	}
	fmt.Fprintln(tw, head)
	for i := range list {
		e := &list[i]
		channel := e.Channel
		switch {
		case e.Replay:
			channel = "replay"
		case e.Channel == agentrisk.ChannelNone.String():
			channel = "-"
		}
		cells := []string{e.Span, e.Name, e.Agent, strings.TrimSpace(e.Where + " " + e.Path), channel, e.Dialect, e.Rule}
		if allows {
			cells = append(cells, strings.Join(e.Allowed, ", "))
		}
		if show {
			cells = append(cells, *e.Text)
		}
		for i, c := range cells {
			if cells[i] = plainText(c); cells[i] == "" {
				cells[i] = "-"
			}
		}
		fmt.Fprintln(tw, "  "+strings.Join(cells, "\t"))
	}
	return tw.Flush()
}

// plainText is a text as one cell of a table: control characters could end the line, or steer a terminal.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
