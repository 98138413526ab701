package mapping

import "github.com/agentleak/otelcol-agentleak/internal/agentrisk"

// Replay marks a text that was attributed where it was produced: it is scanned and redacted, and never scored.
type Replay bool

// Channel decides the channel of a place in a trace. A text on no channel is either a replay or content of none.
func (t *Tree) Channel(p Place) (agentrisk.Channel, Replay) {
	n := t.nodes[p.Span]
	if n == nil {
		n = &node{SpanInfo: &SpanInfo{ID: p.Span}}
	}
	switch p.Slot {
	case SlotLog:
		return agentrisk.ChannelLog, false
	case SlotNone:
		return agentrisk.ChannelNone, false
	case SlotReplay:
		return agentrisk.ChannelNone, true
	case SlotChannel:
		return p.Channel, false
	case SlotSource:
		return agentrisk.ChannelUserInput, false
	case SlotDocuments:
		return agentrisk.ChannelToolResponse, false
	case SlotQuery:
		return t.query(n, p)
	case SlotMemoryRecords:
		if p.Flag&MemoryRead != 0 {
			return agentrisk.ChannelToolResponse, false
		}
		return agentrisk.ChannelSharedMemory, false
	case SlotToolArguments:
		return t.call(n, p)
	case SlotToolResult:
		return t.result(n, p)
	case SlotInput, SlotOutput:
		if s := n.slot(p); s != p.Slot {
			p.Slot, p.Tool, p.Flag = s, n.SpanInfo.Tool, p.Flag|n.Flag
			return t.Channel(p)
		}
	}
	if p.Slot == SlotInput {
		return t.input(n, p)
	}
	return t.output(n, p)
}

// slot is what an input or output is on a span that is no agent and no model, for places that were read without their
// span: log records (R14). Calls and results that stand in messages are what they are.
func (n *node) slot(p Place) Slot {
	if p.Flag&FromLog == 0 || p.Unit != UnitPlain && p.Unit != UnitUser && p.Unit != UnitAssistant {
		return p.Slot
	}
	return slotByKind(n.Kind, n.Flag, p.Slot)
}

// query: the user's own words are the user's, an agent's own task is a replay, anything else goes to a tool (R10).
func (t *Tree) query(n *node, p Place) (agentrisk.Channel, Replay) {
	switch {
	case !n.Claimed && t.climb(n) == nil:
		return agentrisk.ChannelLog, false // a query that no agent issued
	case t.user.has(p.Text) || n.up == nil && (n.Kind == KindRetriever || n.Kind == KindMemory):
		return agentrisk.ChannelUserInput, false // nobody above asked, so the user did
	case n.agent != nil && n.agent.nested() && n.agent.In.has(p.Text):
		return agentrisk.ChannelNone, true
	}
	return agentrisk.ChannelToolCall, false
}

// call: what is sent to a tool, to memory, to a file, to another agent, or with an answer tool to the user (R7, R8).
func (t *Tree) call(n *node, p Place) (agentrisk.Channel, Replay) {
	switch {
	case p.Flag&HandOff != 0 || t.agentTools.has(p.Tool):
		return agentrisk.ChannelInterAgentMessage, false
	case p.Flag&MemoryWrite != 0:
		return agentrisk.ChannelSharedMemory, false
	case p.Flag&FileContent != 0:
		return agentrisk.ChannelGeneratedFile, false
	case p.Flag&AnswerTool != 0:
		return t.answer(n), false
	}
	return agentrisk.ChannelToolCall, false
}

// answer is where an agent's structured answer goes: to the user, or to the agent that asked.
func (t *Tree) answer(n *node) agentrisk.Channel {
	if n.agent != nil && n.agent.nested() {
		return agentrisk.ChannelInterAgentMessage
	}
	return agentrisk.ChannelFinalOutput
}

func (t *Tree) result(n *node, p Place) (agentrisk.Channel, Replay) {
	switch {
	case p.Flag&HandOff != 0 || t.agentTools.has(p.Tool):
		return agentrisk.ChannelInterAgentMessage, false
	case p.Flag&MemoryWrite != 0:
		return agentrisk.ChannelNone, true // an echo of what was written, or an id
	case p.Flag&AnswerTool != 0:
		return t.answer(n), false
	}
	return agentrisk.ChannelToolResponse, false
}

// input: input slots never disclose (R2), but for another agent's words (R3).
func (t *Tree) input(n *node, p Place) (agentrisk.Channel, Replay) {
	if n.plumbing() && p.Unit == UnitPlain {
		return agentrisk.ChannelNone, true // R9; of messages a copy is as good as none, where it discloses nothing
	}
	switch p.Unit {
	case UnitSystem, UnitFile:
		return agentrisk.ChannelUserInput, false
	case UnitToolCall, UnitReasoning:
		return agentrisk.ChannelNone, true
	case UnitToolResult:
		return t.replayedResult(n, p)
	case UnitAssistant:
		if n.Kind == KindAgent && t.otherAgents(n, p) {
			return agentrisk.ChannelInterAgentMessage, false
		}
		return agentrisk.ChannelNone, true
	}
	switch n.Kind {
	case KindAgent:
		switch {
		case n.nested() && n.tool == nil && t.user.has(p.Text):
			return agentrisk.ChannelUserInput, false // a conversation handed on whole (R3)
		case n.nested():
			return agentrisk.ChannelInterAgentMessage, false // R3a
		case n.outermost() || n.fromUser || t.user.has(p.Text) || t.pieces.has(p.Text):
			return agentrisk.ChannelUserInput, false
		}
		return agentrisk.ChannelInterAgentMessage, false
	case KindLLM:
		return t.modelInput(n, p)
	}
	return agentrisk.ChannelUserInput, false
}

// modelInput: below an agent that was given a task, the first user message is that task (R3).
func (t *Tree) modelInput(n *node, p Place) (agentrisk.Channel, Replay) {
	a := n.agent
	if a == nil && n.tool != nil && p.Flag&FirstUser != 0 {
		// A model called below a tool is a nested agent without a span of its own (7.28).
		switch {
		case t.user.has(p.Text):
			return agentrisk.ChannelUserInput, false
		case n.tool.In.has(p.Text):
			return agentrisk.ChannelNone, true
		}
		return agentrisk.ChannelInterAgentMessage, false
	}
	if a == nil || a.outermost() || p.Unit == UnitUser && p.Flag&FirstUser == 0 || t.user.has(p.Text) {
		return agentrisk.ChannelUserInput, false
	}
	if a.In.has(p.Text) || a.tool != nil && a.tool.In.has(p.Text) {
		return agentrisk.ChannelNone, true
	}
	if a.fromUser {
		return agentrisk.ChannelUserInput, false
	}
	return agentrisk.ChannelInterAgentMessage, false
}

// replayedResult: a sub-agent's result that comes back as a tool's does not become legitimately known (R8).
func (t *Tree) replayedResult(n *node, p Place) (agentrisk.Channel, Replay) {
	if p.Tool != 0 && t.agentCalls.has(p.Tool) {
		return agentrisk.ChannelNone, true
	}
	if a := t.outs[p.Text]; a != nil && a != n && a.nested() {
		return agentrisk.ChannelNone, true
	}
	return agentrisk.ChannelToolResponse, false
}

// otherAgents reports whether an assistant message in an agent's input is another agent's (R3b).
func (t *Tree) otherAgents(n *node, p Place) bool {
	if p.Flag&Authored != 0 && p.Tool != n.SpanInfo.Tool && t.agentTools.has(p.Tool) {
		return true
	}
	a := t.outs[p.Text]
	return a != nil && a != n && a.Name != n.Name
}

// output: part types first (R5), then who said it to whom (R6).
func (t *Tree) output(n *node, p Place) (agentrisk.Channel, Replay) {
	switch p.Unit {
	case UnitToolCall:
		return t.call(n, p)
	case UnitToolResult:
		return t.replayedResult(n, p)
	case UnitReasoning:
		return agentrisk.ChannelLog, false
	case UnitFile:
		return agentrisk.ChannelGeneratedFile, false
	case UnitSystem:
		return agentrisk.ChannelUserInput, false
	case UnitUser: // a message state gives back what it was given
		if n.nested() && !t.user.has(p.Text) {
			return agentrisk.ChannelInterAgentMessage, false
		}
		return agentrisk.ChannelUserInput, false
	}
	switch {
	case t.final.has(p.Text) || !n.Seen && p.Flag&Answers != 0:
		return agentrisk.ChannelFinalOutput, false // R6 (1) to (4), and for lone log records
	case n.plumbing() && (n.kids > 0 || t.user.has(p.Text)):
		return agentrisk.ChannelNone, true // R9
	case p.Text == 0 && n.up == nil && (n.Kind == KindAgent || n.groups()):
		return agentrisk.ChannelFinalOutput, false // R14: around the answer's text, not in it
	}
	return agentrisk.ChannelInterAgentMessage, false
}

// plumbing reports whether a span is a framework's step that repeats what its children hold (R9).
func (n *node) plumbing() bool {
	return (n.Kind == KindChain || n.Kind == KindWorkflow) && n.up != nil
}
