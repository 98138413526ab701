package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// maxSpans bounds the rows of a timeline. Spans with findings come first, then those above them, then the rest.
const maxSpans = 80

// maxIndent is the depth past which names are indented no further.
const maxIndent = 8

// A timeline is the spans of a trace in calling order, with what was found on each.
type timeline struct {
	Rows    []spanRow
	Skipped int // spans beyond the bound
	Total   string
}

type spanRow struct {
	Anchor, Name, Agent string
	Indent              string // class of page.css: d0 to d8
	Bar                 Bar
	Start, Duration     string
	Marks               []mark
}

// A mark is the findings of one level on a span. Leaks are among Count.
type mark struct {
	Level        string
	Leaks, Other int
}

type spanNode struct {
	*Span
	kids  []*spanNode
	depth int
	keep  bool
	found [5]mark
	any   bool
}

// newTimeline returns nil for a trace without spans.
func newTimeline(t *Trace, prefix string) *timeline {
	roots, all := spanTree(t.Spans, t.Findings)
	if len(all) == 0 {
		return nil
	}
	// A clock of one that was off would stretch the axis; spans without times are left out of it.
	first, last := uint64(0), uint64(0)
	for _, n := range all {
		if n.Start != 0 && (first == 0 || n.Start < first) {
			first = n.Start
		}
		last = max(last, n.End)
	}
	whole := float64(0)
	if last > first {
		whole = float64(last - first)
	}
	keep(all)
	tl := &timeline{Total: duration(whole)}
	var row func(n *spanNode)
	row = func(n *spanNode) {
		if n.keep {
			tl.Rows = append(tl.Rows, n.row(prefix, first, whole))
		} else {
			tl.Skipped++
		}
		for _, k := range n.kids {
			row(k)
		}
	}
	for _, n := range roots {
		row(n)
	}
	return tl
}

// spanTree orders spans under their parents, by time. A span whose parent is missing, or above itself, is a root.
func spanTree(spans []Span, found []audit.Finding) (roots, all []*spanNode) {
	byID := make(map[string]*spanNode, len(spans))
	for i := range spans {
		s := &spans[i]
		if byID[s.ID] != nil {
			continue // sent twice
		}
		n := &spanNode{Span: s}
		byID[s.ID] = n
		all = append(all, n)
	}
	for i := range found {
		f := &found[i]
		n := byID[f.SpanID.String()]
		if n == nil || f.Replay || !f.Level.Valid() {
			continue
		}
		n.any = true
		if f.Disclosed() {
			n.found[f.Level].Leaks++
		} else {
			n.found[f.Level].Other++
		}
	}
	byTime := func(a, b *spanNode) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID)) }
	slices.SortFunc(all, byTime)
	reached := make(map[*spanNode]bool, len(all))
	children := map[*spanNode][]*spanNode{}
	for _, n := range all {
		if up := byID[n.Parent]; up != nil && up != n {
			children[up] = append(children[up], n)
		}
	}
	// Without recursion: a chain of spans may be as long as the trace.
	grow := func(root *spanNode) {
		roots = append(roots, root)
		reached[root] = true
		for stack := []*spanNode{root}; len(stack) > 0; {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, k := range children[n] {
				if !reached[k] {
					reached[k] = true
					k.depth = n.depth + 1
					n.kids = append(n.kids, k)
					stack = append(stack, k)
				}
			}
		}
	}
	for _, n := range all {
		if up := byID[n.Parent]; up == nil || up == n {
			grow(n)
		}
	}
	for _, n := range all { // what is left goes in circles
		if !reached[n] {
			grow(n)
		}
	}
	return roots, all
}

// keep marks the spans that are shown.
func keep(all []*spanNode) {
	room := maxSpans
	take := func(wanted func(*spanNode) bool) {
		for _, n := range all {
			if room > 0 && !n.keep && wanted(n) {
				n.keep = true
				room--
			}
		}
	}
	for l := agentrisk.L4; l >= agentrisk.L1; l-- {
		take(func(n *spanNode) bool { return n.found[l].Leaks > 0 })
	}
	take(func(n *spanNode) bool { return n.any })
	take(func(n *spanNode) bool { return slices.ContainsFunc(n.kids, func(k *spanNode) bool { return k.keep }) })
	take(func(*spanNode) bool { return true })
}

func (n *spanNode) row(prefix string, first uint64, whole float64) spanRow {
	r := spanRow{
		Anchor: prefix + "-span-" + n.ID, Name: cmp.Or(clean(n.Name, maxFull), "(no name)"), Agent: clean(n.Agent, maxFull),
		Indent: "d" + strconv.Itoa(min(n.depth, maxIndent)),
	}
	class := ""
	for l := agentrisk.L4; l >= agentrisk.L1; l-- {
		if m := n.found[l]; m.Leaks+m.Other > 0 {
			m.Level = l.String()
			r.Marks = append(r.Marks, m)
			if m.Leaks > 0 && class == "" {
				class = m.Level
			}
		}
	}
	r.Bar.Class = class
	if n.Start == 0 || n.Start < first {
		return r
	}
	from := float64(n.Start - first)
	length := float64(max(n.End, n.Start) - n.Start)
	r.Start, r.Duration = "+"+duration(from), duration(length)
	if whole > 0 {
		r.Bar = StretchBar(class, from/whole, max(from+length, from+whole/1000)/whole)
	}
	return r
}

// duration writes nanoseconds with three digits.
func duration(ns float64) string {
	switch d := time.Duration(min(ns, float64(1<<62))); {
	case d == 0:
		return "0"
	case d < time.Microsecond:
		return strconv.Itoa(int(d)) + " ns"
	case d < time.Millisecond:
		return three(ns/1e3) + " µs"
	case d < time.Second:
		return three(ns/1e6) + " ms"
	case d < time.Hour:
		return three(ns/1e9) + " s"
	default:
		return three(ns/3.6e12) + " h"
	}
}

func three(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
