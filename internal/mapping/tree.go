package mapping

import (
	"cmp"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// A Tree is a skeleton with its relations worked out: who called whom, which agents were called like tools, and which
// text was the final answer. It is a snapshot; the skeleton may grow on.
type Tree struct {
	nodes map[pcommon.SpanID]*node
	order []*node // claimed spans by start time
	// user and pieces are the root's user text (R3), final the texts of the final answer (R6).
	user, pieces, final hashes
	// agentTools are hashes of names of tools that are agents, agentCalls of ids of calls to them (R8).
	agentTools, agentCalls hashes
	// outs are the texts that agents produced, with the agent's node.
	outs map[uint64]*node

	rooted, complete bool
}

type node struct {
	*SpanInfo
	// up is the nearest ancestor that belongs to the run; nil for an outermost span.
	up *node
	// agent is the nearest agent above, tool the nearest tool above and below that agent.
	agent, tool *node
	// kids counts spans of the run directly below.
	kids int
	// fromUser is true for an agent whose input is the root's user text, or a piece of it.
	fromUser bool
}

// maxClimb bounds how far up a tree is walked, against cycles in hostile input.
const maxClimb = 1000

// Tree works out the relations of the spans seen so far.
func (s *Skeleton) Tree() *Tree {
	t := &Tree{nodes: make(map[pcommon.SpanID]*node, len(s.spans)), outs: map[uint64]*node{}, complete: true}
	roots := 0
	for id, i := range s.spans {
		if of := s.spans[i.CopyOf]; !i.CopyOf.IsEmpty() && of != nil && of.Seen && of.CopyOf.IsEmpty() {
			continue
		}
		n := &node{SpanInfo: i}
		t.nodes[id] = n
		if i.Claimed {
			t.order = append(t.order, n)
		}
		switch {
		case i.Seen && i.Parent.IsEmpty():
			roots++
		case s.spans[i.Parent] == nil || !s.spans[i.Parent].Seen:
			t.complete = false
		}
	}
	for id, i := range s.spans {
		// A copy is decided like its span; where the span itself never came, the copy stands for it.
		of := s.spans[i.CopyOf]
		switch {
		case i.CopyOf.IsEmpty() || of != nil && !of.CopyOf.IsEmpty():
		case t.nodes[id] == nil:
			t.nodes[id] = t.nodes[i.CopyOf]
		case t.nodes[i.CopyOf] == nil || !t.nodes[i.CopyOf].Seen:
			t.nodes[i.CopyOf] = t.nodes[id]
			t.complete = false
		}
	}
	t.rooted = roots > 0
	t.complete = t.complete && t.rooted
	slices.SortFunc(t.order, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), slices.Compare(a.ID[:], b.ID[:]))
	})
	for _, n := range t.order {
		n.up = t.climb(n)
	}
	for _, n := range t.order {
		if n.up != nil {
			n.up.kids++
		}
		for up, i := n.up, 0; up != nil && i < maxClimb; up, i = up.up, i+1 {
			if up.Kind == KindTool && n.tool == nil {
				n.tool = up
			}
			if up.Kind == KindAgent && !(n.Kind == KindAgent && n.same(up) && n.tool == nil) {
				n.agent = up
				break
			}
		}
	}
	t.findAgentTools()
	t.findUser()
	t.findFinal()
	return t
}

// Complete reports whether a root and every parent named were seen.
func (t *Tree) Complete() bool { return t.complete }

// Rooted reports whether a root was seen.
func (t *Tree) Rooted() bool { return t.rooted }

// climb finds the nearest ancestor that belongs to the run, through spans that don't (HTTP, database).
func (t *Tree) climb(n *node) *node {
	at := n.Parent
	for i := 0; i < maxClimb; i++ {
		p := t.nodes[at]
		if p == nil || p == n {
			return nil
		}
		if p.Claimed {
			return p
		}
		at = p.Parent
	}
	return nil
}

// groups reports whether a span only holds a run together: a workflow, or a root without content above agents (R3).
func (n *node) groups() bool {
	switch n.Kind {
	case KindWorkflow, KindChain:
		return true
	case KindAgent:
		return len(n.In) == 0 && len(n.Out) == 0 && n.up == nil
	}
	return false
}

// nested reports whether an agent was called by another agent or like a tool (R3a).
func (n *node) nested() bool {
	return n.Kind == KindAgent && (n.tool != nil || n.agent != nil && !n.agent.groups())
}

// same reports whether two spans of agents are of one: its run and a step of it, such as planning.
func (n *node) same(o *node) bool { return n.Name == o.Name || n.Name == "" || o.Name == "" }

// outermost reports whether a span stands for the whole run: nothing above it, or nothing but its own agent again.
func (n *node) outermost() bool {
	for up, i := n.up, 0; up != nil; up, i = up.up, i+1 {
		if i >= maxClimb || up.Kind != n.Kind || !n.same(up) {
			return false
		}
	}
	return true
}

func (t *Tree) findAgentTools() {
	names := hashes{}
	for _, n := range t.order {
		if n.Kind == KindAgent {
			names.addAll(n.SpanInfo.Tool)
			for _, h := range n.Out {
				if t.outs[h] == nil {
					t.outs[h] = n
				}
			}
		}
	}
	for _, n := range t.order {
		if n.Kind == KindAgent && n.tool != nil {
			t.agentTools.addAll(n.tool.Tool)
			t.agentCalls.addAll(n.tool.Call)
		}
		if n.Kind == KindTool && (n.Flag&HandOff != 0 || names.has(n.Tool)) {
			t.agentTools.addAll(n.Tool)
			t.agentCalls.addAll(n.Call)
		}
	}
	for _, n := range t.order {
		for id, name := range n.Names {
			if t.agentTools.has(name) || names.has(name) {
				t.agentCalls.addAll(id)
			}
		}
	}
	for _, h := range names {
		t.agentTools.addAll(h)
	}
}

// addAll is add without the bound: trees live only for one decision.
func (h *hashes) addAll(x uint64) {
	if i, ok := slices.BinarySearch(*h, x); !ok && x != 0 {
		*h = slices.Insert(*h, i, x)
	}
}

// findUser finds the root's user text: its input, or the first user message of the run by time (R3).
func (t *Tree) findUser() {
	take := func(n *node) bool {
		if len(n.User) == 0 {
			return false
		}
		t.user, t.pieces = n.User, n.Pieces
		return true
	}
	found := false
	for _, n := range t.order {
		if n.outermost() && (n.Kind == KindAgent || n.groups()) && take(n) {
			found = true
			break
		}
	}
	if !found {
		for _, n := range t.order {
			if n.Kind != KindTool && n.tool == nil && take(n) {
				break
			}
		}
	}
	for _, n := range t.order {
		if n.Kind != KindAgent {
			continue
		}
		n.fromUser = len(n.Pieces) > 0
		for _, p := range n.Pieces {
			n.fromUser = n.fromUser && t.pieces.has(p)
		}
	}
}

// findFinal finds the final answer (R6): the output of what stands for the whole run; where that has no content, of
// the outermost agent that ended last; else the last model output that called no tool. What ran inside a tool never
// answers the user.
func (t *Tree) findFinal() {
	var holder, model, below *node
	level := 0
	for _, n := range t.order {
		switch {
		case len(n.Last) == 0:
			continue
		case n.tool != nil:
			if n.Kind == KindLLM && !n.Calls && n.tool.Flag&HandOff != 0 && (below == nil || n.End >= below.End) {
				below = n
			}
			continue
		}
		switch n.Kind {
		case KindWorkflow, KindAgent, KindChain:
			if n.Kind == KindChain && n.up != nil {
				continue
			}
			depth := n.depth()
			if holder == nil || depth < level || depth == level && n.End >= holder.End {
				holder, level = n, depth
			}
		case KindLLM:
			if !n.Calls && (model == nil || n.End >= model.End) {
				model = n
			}
		}
	}
	switch {
	case holder != nil:
		t.final = holder.Last
	case model != nil:
		t.final = model.Last
	case below != nil:
		t.final = below.Last // control was passed on for good (R6 (2))
	}
}

// depth counts the spans with content of the run above n.
func (n *node) depth() int {
	d := 0
	for up, i := n.up, 0; up != nil && i < maxClimb; up, i = up.up, i+1 {
		if len(up.Out) > 0 && (up.Kind == KindAgent || up.groups()) {
			d++
		}
	}
	return d
}

// Agent names who emitted a span: the agent it is or names, else the nearest agent above (R17).
func (t *Tree) Agent(id pcommon.SpanID) string {
	n := t.nodes[id]
	for i := 0; n != nil && i < maxClimb; n, i = n.up, i+1 {
		switch {
		case n.Kind == KindAgent && n.Name != "":
			return n.Name
		case n.Agent != "":
			return n.Agent
		}
	}
	return ""
}

// Start is the start of a span in nanoseconds since 1970, zero when it was not seen.
func (t *Tree) Start(id pcommon.SpanID) uint64 {
	if n := t.nodes[id]; n != nil {
		return n.SpanInfo.Start
	}
	return 0
}
