package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// A labeller makes the names in a report safe to show. Span names, attribute keys, member names in paths, agents and
// run ids are telemetry like any other and may hold what was found elsewhere in the trace.
type labeller struct {
	scanner *detect.Scanner
	known   *strings.Replacer // the values found in the trace
	done    map[string]string
	matches []detect.Match
}

// minKnown is the shortest value, in bytes, that is looked for in names. Shorter ones are found by rule only, or half
// of all names would be unreadable.
const minKnown = 6

// newLabeller takes findings that still carry their values.
func newLabeller(s *detect.Scanner, found []audit.Finding) *labeller {
	tokens := map[string]string{}
	for i := range found {
		if f := &found[i]; len(f.Value) >= minKnown && !f.Token {
			tokens[f.Value] = detect.FormatToken(f.Level, f.Type, f.ID)
		}
	}
	values := make([]string, 0, len(tokens))
	for v := range tokens {
		values = append(values, v)
	}
	// Of values that begin at one place the replacer takes the first in its list: the longest.
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(values))
	for _, v := range values {
		pairs = append(pairs, v, tokens[v])
	}
	return &labeller{scanner: s, known: strings.NewReplacer(pairs...), done: map[string]string{}}
}

// label returns a name with tokens in place of values.
func (l *labeller) label(name string) string {
	if len(name) < 3 {
		return name
	}
	if safe, ok := l.done[name]; ok {
		return safe
	}
	safe := l.known.Replace(name)
	l.matches = l.scanner.Scan(l.matches[:0], detect.Key{}, safe)
	for _, m := range slices.Backward(l.matches) {
		if !m.Token {
			safe = safe[:m.Start] + detect.FormatToken(m.Level, m.Type, m.ID) + safe[m.End:]
		}
	}
	l.done[name] = safe
	return safe
}

// findings makes the names in findings safe. Values go unless keep is set, and canaries always.
func (l *labeller) findings(fs []audit.Finding, keep bool) {
	for i := range fs {
		f := &fs[i]
		f.SpanName, f.Where, f.Path = l.label(f.SpanName), l.label(f.Where), l.label(f.Path)
		if !keep || f.Type == audit.CanaryType {
			f.Value = ""
		}
	}
}

// paths makes the names in leak paths safe.
func (l *labeller) paths(ps []audit.Path) {
	step := func(s *audit.Step) { s.Name, s.Agent = l.label(s.Name), l.label(s.Agent) }
	for i := range ps {
		if ps[i].Entered != nil {
			step(ps[i].Entered)
		}
		for j := range ps[i].Leaks {
			step(&ps[i].Leaks[j])
		}
	}
}
