package report

import (
	"cmp"
	"slices"
)

// A layered layout after Sugiyama: nodes stand in columns, edges lead to the right, long edges bend at a point in each
// column they pass, and the order within columns is chosen for few crossings. Small graphs only; all of it is
// deterministic, so that a report is the same on every run.
type (
	graph struct {
		nodes  []node
		edges  []edge
		layers [][]int // node indices by column, top to bottom
	}
	node struct {
		layer int
		h     float64 // height; a bend has bendHeight
		x, y  float64 // upper left corner
		bend  bool
		in    []int // edges, sorted by where they come from
		out   []int
	}
	// An edge leads from a lower to a higher layer. Where it spans several, it is cut in pieces at bends, and via lists
	// the nodes on its way, both ends included.
	edge struct {
		from, to int
		via      []int
	}
	// piece is the part of an edge between two neighbouring columns.
	piece struct{ edge, from, to int }
)

const (
	columnWidth = 156.0
	columnGap   = 66.0
	rowGap      = 18.0
	bendHeight  = 10.0
	sweeps      = 8
)

// layout places all nodes and returns the size of the drawing. Layers must be set, heights too; each edge must lead to
// a higher layer.
func (g *graph) layout() (width, height float64) {
	pieces := g.cut()
	g.column()
	g.order(pieces)
	g.place(pieces)
	for _, l := range g.layers {
		for _, n := range l {
			height = max(height, g.nodes[n].y+g.nodes[n].h)
		}
	}
	return float64(len(g.layers))*(columnWidth+columnGap) - columnGap, height
}

// cut puts a bend into each layer that an edge passes.
func (g *graph) cut() []piece {
	var pieces []piece
	for i := range g.edges {
		e := &g.edges[i]
		at := e.from
		e.via = []int{at}
		for l := g.nodes[e.from].layer + 1; l <= g.nodes[e.to].layer; l++ {
			next := e.to
			if l < g.nodes[e.to].layer {
				g.nodes = append(g.nodes, node{layer: l, h: bendHeight, bend: true})
				next = len(g.nodes) - 1
			}
			pieces = append(pieces, piece{i, at, next})
			e.via = append(e.via, next)
			at = next
		}
	}
	return pieces
}

func (g *graph) column() {
	last := 0
	for i := range g.nodes {
		last = max(last, g.nodes[i].layer)
	}
	g.layers = make([][]int, last+1)
	for i := range g.nodes {
		l := g.nodes[i].layer
		g.layers[l] = append(g.layers[l], i)
		g.nodes[i].x = float64(l) * (columnWidth + columnGap)
	}
}

// order sweeps over the columns and sorts each by the mean position of the neighbours on one side. The best order seen
// is kept.
func (g *graph) order(pieces []piece) {
	best, least := g.copyLayers(), g.crossings(pieces)
	for s := range sweeps {
		if least == 0 {
			break
		}
		rank := g.ranks()
		for i := range g.layers {
			l := i
			if s%2 == 1 {
				l = len(g.layers) - 1 - i
			}
			mean := map[int]float64{}
			for _, n := range g.layers[l] {
				mean[n] = meanOf(n, pieces, s%2 == 0, float64(rank[n]), func(m int) float64 { return float64(rank[m]) })
			}
			slices.SortStableFunc(g.layers[l], func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
			for r, n := range g.layers[l] {
				rank[n] = r
			}
		}
		if c := g.crossings(pieces); c < least {
			best, least = g.copyLayers(), c
		}
	}
	g.layers = best
}

// meanOf averages something over the neighbours of n to its left or right; without any it is own.
func meanOf(n int, pieces []piece, left bool, own float64, of func(int) float64) float64 {
	sum, k := 0.0, 0
	for _, p := range pieces {
		switch {
		case left && p.to == n:
			sum, k = sum+of(p.from), k+1
		case !left && p.from == n:
			sum, k = sum+of(p.to), k+1
		}
	}
	if k == 0 {
		return own
	}
	return sum / float64(k)
}

func (g *graph) ranks() []int {
	rank := make([]int, len(g.nodes))
	for _, l := range g.layers {
		for r, n := range l {
			rank[n] = r
		}
	}
	return rank
}

func (g *graph) copyLayers() [][]int {
	out := make([][]int, len(g.layers))
	for i, l := range g.layers {
		out[i] = slices.Clone(l)
	}
	return out
}

// crossings counts the pairs of pieces that cross.
func (g *graph) crossings(pieces []piece) int {
	rank, n := g.ranks(), 0
	for i, p := range pieces {
		for _, q := range pieces[:i] {
			if g.nodes[p.from].layer == g.nodes[q.from].layer && (rank[p.from]-rank[q.from])*(rank[p.to]-rank[q.to]) < 0 {
				n++
			}
		}
	}
	return n
}

// place gives each column its rows: each node as near as may be to the mean height of its neighbours, none over
// another.
func (g *graph) place(pieces []piece) {
	for _, l := range g.layers {
		y := 0.0
		for _, n := range l {
			g.nodes[n].y = y
			y += g.nodes[n].h + rowGap
		}
	}
	for s := range sweeps {
		for i := range g.layers {
			l := i
			if s%2 == 1 {
				l = len(g.layers) - 1 - i
			}
			want := make([]float64, len(g.layers[l]))
			for r, n := range g.layers[l] {
				middle := meanOf(n, pieces, s%2 == 0, g.middle(n), g.middle)
				want[r] = middle - g.nodes[n].h/2
			}
			g.settle(g.layers[l], want)
		}
	}
	top := 0.0
	for i := range g.nodes {
		if i == 0 || g.nodes[i].y < top {
			top = g.nodes[i].y
		}
	}
	for i := range g.nodes {
		g.nodes[i].y -= top
	}
}

func (g *graph) middle(n int) float64 { return g.nodes[n].y + g.nodes[n].h/2 }

// settle moves the nodes of a column as near to where they want to be as their order and gaps allow. Nodes that would
// overlap move as one block, to the mean of what its members want.
func (g *graph) settle(column []int, want []float64) {
	type block struct {
		top, h, sum float64
		n, first    int
	}
	var blocks []block
	for r, n := range column {
		blocks = append(blocks, block{want[r], g.nodes[n].h, want[r], 1, r})
		for len(blocks) > 1 {
			a, b := &blocks[len(blocks)-2], blocks[len(blocks)-1]
			if a.top+a.h+rowGap <= b.top {
				break
			}
			// What the members of b want, seen from the top of the joined block.
			a.sum += b.sum - float64(b.n)*(a.h+rowGap)
			a.n += b.n
			a.h += rowGap + b.h
			a.top = a.sum / float64(a.n)
			blocks = blocks[:len(blocks)-1]
		}
	}
	for i, b := range blocks {
		end := len(column)
		if i+1 < len(blocks) {
			end = blocks[i+1].first
		}
		y := b.top
		for _, n := range column[b.first:end] {
			g.nodes[n].y = y
			y += g.nodes[n].h + rowGap
		}
	}
}
