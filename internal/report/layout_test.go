package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// TestLayout lays out random graphs: nothing overlaps, nothing is outside, edges lead from column to column to the
// right, and there are no more crossings than in the order given.
func TestLayout(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		g := &graph{}
		layers := 2 + rnd.IntN(6)
		for i := range layers + rnd.IntN(30) {
			g.nodes = append(g.nodes, node{layer: min(i, rnd.IntN(layers)), h: 20 + 100*rnd.Float64()})
		}
		for range rnd.IntN(60) {
			a, b := rnd.IntN(len(g.nodes)), rnd.IntN(len(g.nodes))
			if g.nodes[a].layer < g.nodes[b].layer {
				g.edges = append(g.edges, edge{from: a, to: b})
			}
		}
		given := &graph{nodes: slices.Clone(g.nodes), edges: slices.Clone(g.edges)}
		pieces := given.cut()
		given.column()
		before := given.crossings(pieces)

		w, h := g.layout()
		if after := g.crossings(pieces); after > before {
			t.Errorf("seed %d: %d crossings, %d before", seed, after, before)
		}
		for _, column := range g.layers {
			for r, i := range column {
				n := &g.nodes[i]
				if n.x < 0 || n.y < -1e-6 || n.x+columnWidth > w+1e-6 || n.y+n.h > h+1e-6 {
					t.Fatalf("seed %d: node %d at %v, %v is outside of %v, %v", seed, i, n.x, n.y, w, h)
				}
				if r > 0 && g.nodes[column[r-1]].y+g.nodes[column[r-1]].h+rowGap > n.y+1e-6 {
					t.Fatalf("seed %d: nodes %d and %d overlap", seed, column[r-1], i)
				}
			}
		}
		for _, e := range g.edges {
			for k, n := range e.via[1:] {
				if g.nodes[n].layer != g.nodes[e.via[k]].layer+1 {
					t.Fatalf("seed %d: edge %d to %d jumps a column", seed, e.from, e.to)
				}
			}
		}
	}
}

// TestDiagram draws random paths, long ones and ones that go in circles among more agents than there is room for.
func TestDiagram(t *testing.T) {
	channels := agentrisk.Channels()
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		agents := 1 + rnd.IntN(40)
		step := func(c agentrisk.Channel) audit.Step {
			return audit.Step{SpanID: pcommon.SpanID{1}, Name: fmt.Sprint("tool ", rnd.IntN(30)), Agent: fmt.Sprint("agent ", rnd.IntN(agents)), Channel: c}
		}
		paths := make([]audit.Path, 1+rnd.IntN(20))
		for i := range paths {
			p := &paths[i]
			p.ID, p.Type, p.Level = secret(byte(i+1)), "email", agentrisk.Level(1+rnd.IntN(4))
			if rnd.IntN(4) > 0 {
				s := step(channels[rnd.IntN(2)])
				p.Entered = &s
			}
			for range 1 + rnd.IntN(30) {
				p.Leaks = append(p.Leaks, step(channels[2+rnd.IntN(6)]))
			}
		}
		d := newDiagram(paths)
		columns := map[string]int{}
		for _, b := range d.Boxes {
			columns[b.X]++
		}
		if len(columns) > maxAgentLayers+2 {
			t.Errorf("seed %d: %d columns", seed, len(columns))
		}
		for x, n := range columns {
			if n > maxColumn {
				t.Errorf("seed %d: %d boxes in the column at %s", seed, n, x)
			}
		}
		if len(d.Lines) == 0 || d.Lines[0].Arrow == "" {
			t.Errorf("seed %d: no line drawn", seed)
		}
		for _, l := range d.Lines {
			if strings.Contains(l.D+l.Arrow, "NaN") || strings.Contains(l.D, "Inf") {
				t.Fatalf("seed %d: path %q", seed, l.D)
			}
		}
	}
	if newDiagram(nil) != nil {
		t.Error("a diagram of nothing")
	}
}

// TestFlows wants a value to reach an agent from the one that sent it, and each secret counted once on a line.
func TestFlows(t *testing.T) {
	p := story(t).Paths
	f := newFlows()
	for i := range p {
		f.path(&p[i])
	}
	var got []string
	for _, w := range f.order {
		from, to := f.spots[w.from], f.spots[w.to]
		got = append(got, fmt.Sprintf("%s %d %s>%s", w.level, len(f.count[w]), strings.TrimSpace(from.text+" "+from.sub), strings.TrimSpace(to.text+" "+to.sub)))
	}
	slices.Sort(got)
	want := []string{
		"L1 1 triage>billing", // never: the name went back in the answer of triage itself
	}
	if slices.Contains(got, want[0]) {
		t.Errorf("%q: billing disclosed no L1", want[0])
	}
	for _, want := range []string{
		"L4 1 user_input>triage", "L4 1 triage>inter_agent_message", "L4 1 triage>billing", "L4 1 billing>tool_call issue_refund",
		"L4 1 billing>shared_memory upsert_memory", "L4 1 not in the trace>billing", "L4 1 billing>log", "L3 1 tool_response lookup_customer>triage",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

func TestTimeline(t *testing.T) {
	// A chain that goes in circles, a span sent twice, one without a parent, one without times.
	tr := Trace{Spans: []Span{
		{ID: "a", Parent: "b", Name: "a", Start: 10, End: 20}, {ID: "b", Parent: "a", Name: "b", Start: 11, End: 12},
		{ID: "c", Parent: "c", Name: "c", Start: 5, End: 25}, {ID: "c", Name: "again", Start: 1, End: 2},
		{ID: "d", Parent: "gone", Name: "d"},
	}}
	tl := newTimeline(&tr, "t")
	var got []string
	for _, r := range tl.Rows {
		got = append(got, r.Name+r.Indent+r.Start)
	}
	if want := []string{"dd0", "cd0+0", "ad0+5 ns", "bd1+6 ns"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var long Trace
	for i := range 5000 {
		long.Spans = append(long.Spans, Span{ID: fmt.Sprint(i), Parent: fmt.Sprint(i - 1), Name: "n", Start: uint64(i + 1), End: 9000})
	}
	id := pcommon.SpanID{0x77}
	long.Spans[4000].ID = id.String()
	long.Spans[4001].Parent = id.String()
	long.Findings = []audit.Finding{{SpanID: id, Channel: agentrisk.ChannelLog, Level: agentrisk.L2}}
	tl = newTimeline(&long, "t")
	if len(tl.Rows) != maxSpans || tl.Skipped != 5000-maxSpans {
		t.Errorf("%d rows, %d skipped", len(tl.Rows), tl.Skipped)
	}
	if !slices.ContainsFunc(tl.Rows, func(r spanRow) bool { return len(r.Marks) == 1 && r.Marks[0].Leaks == 1 }) {
		t.Error("the span with the finding was left out")
	}
}

func TestDuration(t *testing.T) {
	for _, test := range []struct {
		ns   float64
		want string
	}{{0, "0"}, {999, "999 ns"}, {1500, "1.50 µs"}, {12_345_678, "12.3 ms"}, {2.5e9, "2.50 s"}, {3.6e12, "1.00 h"}} {
		if got := duration(test.ns); got != test.want {
			t.Errorf("duration(%v): got %q, want %q", test.ns, got, test.want)
		}
	}
}

// TestRemedies wants a hint for each disclosure channel and each family, and an anchor for each type of the taxonomy.
func TestRemedies(t *testing.T) {
	for _, c := range agentrisk.Channels() {
		if (onChannel[c] != "") != c.Disclosure() {
			t.Errorf("channel %s: hint %q", c, onChannel[c])
		}
	}
	for f := agentrisk.FamilyCustom; !strings.HasPrefix(f.String(), "Family("); f++ {
		if onFamily[f] == "" {
			t.Errorf("family %s has no hint", f)
		}
	}
	for _, info := range agentrisk.Types() {
		_, data := remedies([]audit.Finding{{Type: info.Type, Level: info.Level, Channel: agentrisk.ChannelLog}})
		if len(data) != 1 || data[0].Basis == "" || data[0].Hint != onFamily[info.Family] {
			t.Errorf("%s: %+v", info.Type, data)
		}
	}
	channels, data := remedies([]audit.Finding{
		{Type: "email", Level: agentrisk.L2, Channel: agentrisk.ChannelUserInput},
		{Type: "email", Level: agentrisk.L2, Channel: agentrisk.ChannelLog, Replay: true},
	})
	if channels != nil || data != nil {
		t.Errorf("advice for what did not leak: %v, %v", channels, data)
	}
}
