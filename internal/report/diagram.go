package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// A diagram is the picture of the leak paths of a trace: sources left, agents in the middle, disclosures right.
type diagram struct {
	Width, Height string
	Label         string
	Boxes         []box
	Lines         []line
}

type box struct {
	Class              string // source, agent or disclosure
	X, Y, H            string
	TextX, TextY, SubY string
	Text, Sub, Full    string
}

type line struct {
	Class      string // the level's name; it sets colour, dashes and width
	D, Arrow   string // path data
	X, Y       string // of the label
	Text, Full string
}

// Bounds of the diagram. What exceeds them is drawn as one box that says how many it stands for.
const (
	maxAgentLayers = 5
	maxColumn      = 9
	maxLabel       = 19 // runes in a box
	maxFull        = 120
	margin         = 6.0
	portGap        = 17.0
)

// spot is a node of the diagram before it is placed.
type spot struct {
	kind          int // spotSource, spotAgent, spotDisclosure
	text, sub     string
	weight, layer int
}

const (
	spotSource = iota
	spotAgent
	spotDisclosure
)

// A flow is how many secrets of one level went from one spot to another.
type flow struct {
	from, to int
	level    agentrisk.Level
}

// flows collects spots and the secrets that went between them.
type flows struct {
	spots []spot
	index map[spot]int // by kind, text and sub
	count map[flow]map[agentrisk.SecretID]bool
	order []flow
}

func (f *flows) spot(kind int, text, sub string, l agentrisk.Level) int {
	key := spot{kind: kind, text: text, sub: sub}
	i, ok := f.index[key]
	if !ok {
		i = len(f.spots)
		f.index[key] = i
		f.spots = append(f.spots, key)
	}
	f.spots[i].weight = max(f.spots[i].weight, int(l))
	return i
}

func (f *flows) add(w flow, id agentrisk.SecretID) {
	if f.count[w] == nil {
		f.count[w] = map[agentrisk.SecretID]bool{}
		f.order = append(f.order, w)
	}
	f.count[w][id] = true
}

func newFlows() *flows {
	return &flows{index: map[spot]int{}, count: map[flow]map[agentrisk.SecretID]bool{}}
}

const unnamedAgent = "(unnamed agent)"

// path adds one secret's way. A value reaches a new agent from the one that last sent a message with it, or from the
// one that it entered by.
func (f *flows) path(p *audit.Path) {
	agent := func(s *audit.Step) int {
		return f.spot(spotAgent, cmp.Or(clean(s.Agent, maxFull), unnamedAgent), "", p.Level)
	}
	first := p.Entered
	from, name := "not in the trace", ""
	if first == nil {
		first = &p.Leaks[0]
	} else {
		from, name = first.Channel.String(), own(first)
	}
	source := f.spot(spotSource, from, name, p.Level)
	sender := agent(first)
	f.add(flow{source, sender, p.Level}, p.ID)
	known := map[int]bool{sender: true}
	for i := range p.Leaks {
		s := &p.Leaks[i]
		at := agent(s)
		if !known[at] {
			known[at] = true
			f.add(flow{sender, at, p.Level}, p.ID)
		}
		f.add(flow{at, f.spot(spotDisclosure, s.Channel.String(), own(s), p.Level), p.Level}, p.ID)
		if s.Channel == agentrisk.ChannelInterAgentMessage {
			sender = at
		}
	}
}

// own is the name of the tool at a step, empty where the step is the agent's.
func own(s *audit.Step) string {
	if s.Name == s.Agent {
		return ""
	}
	return clean(s.Name, maxFull)
}

// newDiagram draws paths; nil for none.
func newDiagram(paths []audit.Path) *diagram {
	f := newFlows()
	for i := range paths {
		f.path(&paths[i])
	}
	if len(f.order) == 0 {
		return nil
	}
	f.layer()
	f.fold()
	return f.draw(len(paths))
}

// rename maps each spot to one that may stand for several.
func (f *flows) rename(to func(int) spot) {
	n := newFlows()
	at := make([]int, len(f.spots))
	for i := range f.spots {
		s := to(i)
		at[i] = n.spot(s.kind, s.text, s.sub, agentrisk.Level(s.weight))
		n.spots[at[i]].layer = s.layer
	}
	for _, w := range f.order {
		v := flow{at[w.from], at[w.to], w.level}
		if v.from == v.to || n.spots[v.from].layer > n.spots[v.to].layer {
			continue
		}
		for id := range f.count[w] {
			n.add(v, id)
		}
	}
	*f = *n
}

// layer puts sources first, disclosures last, and each agent behind those it got something from. What goes back to an
// earlier agent is left out: the table under the picture has it.
func (f *flows) layer() {
	next := map[int][]int{}
	for _, w := range f.order {
		if f.spots[w.from].kind == spotAgent && f.spots[w.to].kind == spotAgent {
			next[w.from] = append(next[w.from], w.to)
		}
	}
	back := map[[2]int]bool{}
	state := make([]uint8, len(f.spots)) // 1 on the way, 2 done
	var visit func(n int)
	var done []int
	visit = func(n int) {
		state[n] = 1
		for _, m := range next[n] {
			switch state[m] {
			case 0:
				visit(m)
			case 1:
				back[[2]int{n, m}] = true
			}
		}
		state[n] = 2
		done = append(done, n)
	}
	last := 1
	for i := range f.spots {
		if f.spots[i].kind == spotAgent {
			f.spots[i].layer = 1
			if state[i] == 0 {
				visit(i)
			}
		}
	}
	for _, n := range slices.Backward(done) { // those before others come first
		for _, m := range next[n] {
			if !back[[2]int{n, m}] {
				f.spots[m].layer = max(f.spots[m].layer, f.spots[n].layer+1)
			}
		}
	}
	for i := range f.spots {
		if f.spots[i].kind == spotAgent {
			f.spots[i].layer = min(f.spots[i].layer, maxAgentLayers)
			last = max(last, f.spots[i].layer)
		}
	}
	for i := range f.spots {
		if f.spots[i].kind == spotDisclosure {
			f.spots[i].layer = last + 1
		}
	}
	f.order = slices.DeleteFunc(f.order, func(w flow) bool { return back[[2]int{w.from, w.to}] })
}

// fold makes one spot of those that a column has no room for, the least severe ones, and of all agents in the last
// agents' column that pass values among themselves.
func (f *flows) fold() {
	columns := map[int][]int{}
	for i := range f.spots {
		columns[f.spots[i].layer] = append(columns[f.spots[i].layer], i)
	}
	folded := map[int]spot{}
	for l, column := range columns {
		within := map[int]bool{}
		for _, w := range f.order {
			if f.spots[w.from].layer == l && f.spots[w.to].layer == l {
				within[w.from], within[w.to] = true, true
			}
		}
		slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(f.spots[b].weight, f.spots[a].weight) })
		kept := 0
		var rest []int
		for _, i := range column {
			if !within[i] && kept < maxColumn-1 || len(within) == 0 && len(column) <= maxColumn {
				kept++
				continue
			}
			rest = append(rest, i)
		}
		for _, i := range rest {
			s := f.spots[i]
			folded[i] = spot{kind: s.kind, text: fmt.Sprintf("%d more", len(rest)), weight: s.weight, layer: l}
		}
	}
	f.rename(func(i int) spot {
		if s, ok := folded[i]; ok {
			return s
		}
		return f.spots[i]
	})
}

func (f *flows) draw(secrets int) *diagram {
	slices.SortStableFunc(f.order, func(a, b flow) int { return cmp.Compare(b.level, a.level) })
	g := &graph{}
	for _, s := range f.spots {
		g.nodes = append(g.nodes, node{layer: s.layer})
	}
	for i, w := range f.order {
		g.edges = append(g.edges, edge{from: w.from, to: w.to})
		g.nodes[w.from].out = append(g.nodes[w.from].out, i)
		g.nodes[w.to].in = append(g.nodes[w.to].in, i)
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		n.h = max(44, portGap*float64(max(len(n.in), len(n.out))+1))
	}
	width, height := g.layout()
	g.sortPorts()
	d := &diagram{Width: number(width + 2*margin), Height: number(height + 2*margin)}
	counts := [3]int{}
	for i, s := range f.spots {
		counts[s.kind]++
		d.Boxes = append(d.Boxes, newBox(s, &g.nodes[i]))
	}
	for i, w := range f.order {
		d.Lines = append(d.Lines, f.line(g, i, w))
	}
	d.Label = fmt.Sprintf("Leak paths of %s: from %s over %s to %s. The table below says the same.", count(secrets, "secret"),
		count(counts[spotSource], "source"), count(counts[spotAgent], "agent"), count(counts[spotDisclosure], "disclosure"))
	return d
}

func newBox(s spot, n *node) box {
	b := box{
		Class: [...]string{"source", "agent", "disclosure"}[s.kind],
		X:     number(n.x + margin), Y: number(n.y + margin), H: number(n.h), TextX: number(n.x + margin + 10),
		Text: clean(s.text, maxLabel), Sub: clean(s.sub, maxLabel), Full: s.text,
	}
	middle := n.y + margin + n.h/2
	b.TextY = number(middle + 4.5)
	if s.sub != "" {
		b.TextY, b.SubY = number(middle-4), number(middle+13)
		b.Full += ": " + s.sub
	}
	return b
}

// sortPorts orders the ends of edges on each side of a node by where they lead.
func (g *graph) sortPorts() {
	for i := range g.nodes {
		n := &g.nodes[i]
		slices.SortStableFunc(n.in, func(a, b int) int {
			va, vb := g.edges[a].via, g.edges[b].via
			return cmp.Compare(g.middle(va[len(va)-2]), g.middle(vb[len(vb)-2]))
		})
		slices.SortStableFunc(n.out, func(a, b int) int {
			return cmp.Compare(g.middle(g.edges[a].via[1]), g.middle(g.edges[b].via[1]))
		})
	}
}

// port is the height at which an edge meets a node.
func (g *graph) port(n int, edges []int, e int) float64 {
	step := g.nodes[n].h / float64(len(edges)+1)
	return g.nodes[n].y + margin + step*float64(slices.Index(edges, e)+1)
}

// line draws one flow as curves from column to column.
func (f *flows) line(g *graph, i int, w flow) line {
	const head = 8.0
	via := g.edges[i].via
	x := g.nodes[w.from].x + margin + columnWidth
	y := g.port(w.from, g.nodes[w.from].out, i)
	l := line{Class: w.level.String(), X: number(x + 5), Y: number(y - 4), Text: w.level.String()}
	secrets := len(f.count[w])
	if secrets > 1 {
		l.Text += fmt.Sprintf(" ×%d", secrets)
	}
	l.Full = fmt.Sprintf("%s from %s to %s", count(secrets, w.level.String()+" secret"), f.spots[w.from].text, f.spots[w.to].text)
	var d strings.Builder
	fmt.Fprintf(&d, "M%s %s", number(x), number(y))
	for k, n := range via[1:] {
		toX := g.nodes[n].x + margin
		toY := g.middle(n) + margin
		end := k == len(via)-2
		if end {
			toY = g.port(n, g.nodes[n].in, i)
			l.Arrow = fmt.Sprintf("M%s %sL%s %sL%s %sZ", number(toX-head), number(toY-head/2), number(toX), number(toY), number(toX-head), number(toY+head/2))
			toX -= head - 1
		}
		half := (toX - x) / 2
		fmt.Fprintf(&d, "C%s %s %s %s %s %s", number(x+half), number(y), number(toX-half), number(toY), number(toX), number(toY))
		if x, y = toX, toY; !end {
			x += columnWidth
			fmt.Fprintf(&d, "H%s", number(x))
		}
	}
	l.D = d.String()
	return l
}
