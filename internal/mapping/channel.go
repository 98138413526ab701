package mapping

import "github.com/agentleak/otelcol-agentleak/internal/agentrisk"

// Replay marks a text that was attributed where it was produced: it is scanned and redacted, and never scored.
type Replay bool

// Channel decides the channel of a place in a trace. A text on no channel is either a replay or content of none.
func (t *Tree) Channel(p Place) (agentrisk.Channel, Replay) {
	ch, replay, _ := t.Explain(p)
	return ch, replay
}

// The channels in short.
const (
	none         = agentrisk.ChannelNone
	userInput    = agentrisk.ChannelUserInput
	toolResponse = agentrisk.ChannelToolResponse
	toolCall     = agentrisk.ChannelToolCall
	sharedMemory = agentrisk.ChannelSharedMemory
	interAgent   = agentrisk.ChannelInterAgentMessage
	toLog        = agentrisk.ChannelLog
	file         = agentrisk.ChannelGeneratedFile
	finalOutput  = agentrisk.ChannelFinalOutput
)

// Explain is Channel with the rule that decided.
func (t *Tree) Explain(p Place) (agentrisk.Channel, Replay, Rule) {
	n := t.nodes[p.Span]
	if n == nil {
		n = &node{SpanInfo: &SpanInfo{ID: p.Span}}
	}
	switch p.Slot {
	case SlotLog:
		return toLog, false, RuleLog
	case SlotNone:
		return none, false, RuleNone
	case SlotReplay:
		return none, true, RuleCopy
	case SlotChannel:
		return p.Channel, false, RuleRow
	case SlotSource:
		return userInput, false, RuleInput
	case SlotDocuments:
		return toolResponse, false, RuleRetrieval
	case SlotQuery:
		return t.query(n, p)
	case SlotMemoryRecords:
		if p.Flag&MemoryDelete != 0 {
			return none, false, RuleMemory
		}
		if p.Flag&MemoryRead != 0 {
			return toolResponse, false, RuleMemory
		}
		return sharedMemory, false, RuleMemory
	case SlotToolArguments:
		return t.call(n, p)
	case SlotToolResult:
		return t.result(n, p)
	case SlotInput, SlotOutput:
		if s := n.slot(p); s != p.Slot {
			p.Slot, p.Tool, p.Flag = s, n.SpanInfo.Tool, p.Flag|n.Flag&^FileContent
			return t.Explain(p)
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
	if p.Flag&FromLog == 0 {
		return p.Slot
	}
	if n.Kind != KindTool && p.Unit != UnitPlain && p.Unit != UnitUser && p.Unit != UnitAssistant {
		return p.Slot // on a tool's span all of the input is arguments, in whatever message it comes (section 4)
	}
	return slotByKind(n.Kind, n.Flag, p.Slot)
}

// query: the user's own words are the user's, an agent's own task is a replay, anything else goes to a tool (R10).
func (t *Tree) query(n *node, p Place) (agentrisk.Channel, Replay, Rule) {
	switch {
	case !n.Claimed && t.climb(n) == nil:
		return toLog, false, RuleLog // a query that no agent issued
	case t.user.has(p.Text) || n.up == nil && (n.Kind == KindRetriever || n.Kind == KindMemory):
		return userInput, false, RuleRetrieval // nobody above asked, so the user did
	case n.agent != nil && n.agent.nested() && n.agent.In.has(p.Text):
		return none, true, RuleRetrieval
	}
	return toolCall, false, RuleRetrieval
}

// call: what is sent to a tool, to memory, to a file, to another agent, or with an answer tool to the user (R7, R8).
func (t *Tree) call(n *node, p Place) (agentrisk.Channel, Replay, Rule) {
	switch {
	case p.Flag&HandOff != 0 || t.agentTools.has(p.Tool):
		return interAgent, false, RuleHandOff
	case p.Flag&MemoryWrite != 0 || n.Kind == KindMemory && p.Slot == SlotToolArguments && p.Flag&MemoryRead == 0:
		return sharedMemory, false, RuleMemory
	case p.Flag&FileContent != 0:
		return file, false, RuleTool
	case p.Flag&AnswerTool != 0:
		return t.answer(n), false, RuleTool
	}
	return toolCall, false, RuleTool
}

// answer is where an agent's structured answer goes: to the user, or to the agent that asked.
func (t *Tree) answer(n *node) agentrisk.Channel {
	if n.agent != nil && n.agent.nested() {
		return interAgent
	}
	return finalOutput
}

func (t *Tree) result(n *node, p Place) (agentrisk.Channel, Replay, Rule) {
	switch {
	case p.Flag&HandOff != 0 || t.agentTools.has(p.Tool):
		return interAgent, false, RuleHandOff
	case p.Flag&MemoryWrite != 0:
		return none, true, RuleMemory // an echo of what was written, or an id
	case p.Flag&AnswerTool != 0:
		return t.answer(n), false, RuleTool
	}
	return toolResponse, false, RuleTool
}

// input: input slots never disclose (R2), but for another agent's words (R3).
func (t *Tree) input(n *node, p Place) (agentrisk.Channel, Replay, Rule) {
	if n.plumbing() && p.Unit == UnitPlain {
		return none, true, RulePlumbing // of messages a copy is as good as none, where it discloses nothing
	}
	switch p.Unit {
	case UnitSystem, UnitFile:
		return userInput, false, RuleInput
	case UnitToolCall, UnitReasoning:
		return none, true, RuleInput
	case UnitToolResult:
		return t.replayedResult(n, p)
	case UnitAssistant:
		if n.Kind == KindAgent && t.otherAgents(n, p) {
			return interAgent, false, RuleOtherAgent
		}
		return none, true, RuleInput
	}
	switch n.Kind {
	case KindAgent:
		switch {
		case n.nested() && n.tool == nil && t.user.has(p.Text):
			return userInput, false, RuleOtherAgent // a conversation handed on whole
		case n.nested():
			return interAgent, false, RuleOtherAgent
		case n.outermost():
			return userInput, false, RuleInput
		case n.fromUser || t.user.has(p.Text) || t.pieces.has(p.Text):
			return userInput, false, RuleOtherAgent
		}
		return interAgent, false, RuleOtherAgent
	case KindLLM:
		return t.modelInput(n, p)
	}
	return userInput, false, RuleDefault
}

// modelInput: below an agent that was given a task, the first user message is that task (R3).
func (t *Tree) modelInput(n *node, p Place) (agentrisk.Channel, Replay, Rule) {
	a := n.agent
	if a == nil && n.tool != nil && p.Flag&FirstUser != 0 {
		// A model called below a tool is a nested agent without a span of its own (7.28).
		switch {
		case t.user.has(p.Text):
			return userInput, false, RuleOtherAgent
		case n.tool.In.has(p.Text):
			return none, true, RuleOtherAgent
		}
		return interAgent, false, RuleOtherAgent
	}
	if a == nil || a.outermost() || p.Unit == UnitUser && p.Flag&FirstUser == 0 {
		return userInput, false, RuleInput
	}
	switch {
	case t.user.has(p.Text) || a.Flag&Tasked != 0:
		return userInput, false, RuleOtherAgent
	case a.In.has(p.Text) || a.tool != nil && a.tool.In.has(p.Text):
		return none, true, RuleOtherAgent
	case a.fromUser:
		return userInput, false, RuleOtherAgent
	}
	return interAgent, false, RuleOtherAgent
}

// replayedResult: a sub-agent's result that comes back as a tool's does not become legitimately known (R8).
func (t *Tree) replayedResult(n *node, p Place) (agentrisk.Channel, Replay, Rule) {
	if p.Tool != 0 && t.agentCalls.has(p.Tool) {
		return none, true, RuleHandOff
	}
	if a := t.outs[p.Text]; a != nil && a != n && a.nested() {
		return none, true, RuleHandOff
	}
	return toolResponse, false, RulePart
}

// otherAgents reports whether an assistant message in an agent's input is another agent's (R3b).
func (t *Tree) otherAgents(n *node, p Place) bool {
	if p.Flag&Authored != 0 && p.Tool != n.SpanInfo.Tool && t.agentTools.has(p.Tool) {
		return true
	}
	a := t.outs[p.Text]
	return a != nil && a != n && !a.same(n)
}

// output: part types first (R5), then who said it to whom (R6).
func (t *Tree) output(n *node, p Place) (agentrisk.Channel, Replay, Rule) {
	switch p.Unit {
	case UnitToolCall:
		return t.call(n, p)
	case UnitToolResult:
		return t.replayedResult(n, p)
	case UnitReasoning:
		return toLog, false, RuleOutput
	case UnitFile:
		return file, false, RuleOutput
	case UnitSystem:
		return userInput, false, RuleInput
	case UnitUser: // a message state gives back what it was given
		if n.nested() && !t.user.has(p.Text) {
			return interAgent, false, RuleOtherAgent
		}
		return userInput, false, RuleInput
	}
	switch {
	case t.final.has(p.Text) || !n.Seen && p.Flag&Answers != 0:
		return finalOutput, false, RuleAnswer // R6 (1) to (4), and for lone log records
	case n.plumbing() && (n.kids > 0 && p.Flag&Said == 0 || t.user.has(p.Text)):
		return none, true, RulePlumbing
	case p.Text == 0 && n.up == nil && (n.Kind == KindAgent || n.groups()):
		return finalOutput, false, RuleDefault // around the answer's text, not in it
	}
	return interAgent, false, RuleAnswer
}

// plumbing reports whether a span is a framework's step that repeats what its children hold (R9).
func (n *node) plumbing() bool {
	return (n.Kind == KindChain || n.Kind == KindWorkflow) && n.up != nil
}
