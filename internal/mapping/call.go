package mapping

import "github.com/agentleak/otelcol-agentleak/internal/leaf"

// calls reads a list of tool calls, or one.
func (b *builder) calls(n *leaf.Node, slot Slot) {
	v := n.Value()
	if v == nil {
		return
	}
	if v.Kind != leaf.Array {
		b.call(v, slot)
		return
	}
	for k := v.First; k != nil; k = k.Next {
		if e := k.Value(); e != nil {
			b.call(e, slot)
		}
	}
}

// wrappers are members that hold the call or result proper in some shapes.
var wrappers = []string{"function", "tool_call", "toolUse", "functionCall", "function_call", "toolRequest",
	"server_tool_call", "toolResult", "functionResponse", "function_response", "toolResponse", "tool_call_result",
	"executableCode", "executable_code"}

// call reads one tool call in any shape.
func (b *builder) call(v *leaf.Node, slot Slot) {
	name, id, inner := "", firstText(v, callIDMembers), v
	for depth := 0; depth < 3; depth++ {
		if name = firstText(inner, nameMembers); name != "" {
			break
		}
		next := inner
		for _, w := range wrappers {
			if k := inner.Member(w).Value(); k != nil && k.Kind == leaf.Object {
				next = k
				break
			}
		}
		if next == inner {
			break
		}
		if inner = next; id == "" {
			id = firstText(inner, callIDMembers)
		}
	}
	b.toolCall(v, inner, slot, name, id)
}

// toolCall tags a call and, where its tool writes files, the content among its arguments (R7). A result that stands
// beside the arguments is a result (R4).
func (b *builder) toolCall(n, inner *leaf.Node, slot Slot, name, id string) {
	p := Place{Slot: slot, Unit: UnitToolCall}
	writes := false
	if slot != SlotInput { // there it is history, whatever it does
		p.Flag, p.Tool = toolFlags(name), b.m.hash.name(name)
		writes = p.Flag&FileContent != 0
		if p.Flag == 0 && namesMemory(name) {
			p.Flag = memoryActions[textOf(arguments(inner).Member("action"))]
		}
		p.Flag = handsOff(p.Flag, inner) &^ FileContent
	}
	b.tag(n, p)
	if slot == SlotOutput {
		b.info.Calls = true
		if id != "" && name != "" {
			b.name(id, name)
		}
	}
	args := inner
	if inner.Value() != nil && inner.Value().Kind == leaf.Object {
		for k := inner.Value().First; k != nil; k = k.Next {
			switch {
			case holding(k.Name) == holdsArguments:
				args = k
			case holding(k.Name) == holdsResult:
				b.tag(k, Place{Slot: slot, Unit: UnitToolResult, Tool: b.m.hash.name(id)})
			}
		}
	}
	if slot != SlotInput {
		b.fileContent(args, p, writes)
	}
}

func (b *builder) name(id, tool string) {
	if b.info.Names == nil {
		b.info.Names = map[uint64]uint64{}
	}
	if len(b.info.Names) < maxTexts {
		b.info.Names[b.m.hash.name(id)] = b.m.hash.name(tool)
	}
}

// fileContent tags the content among the arguments of a tool that writes files.
func (b *builder) fileContent(args *leaf.Node, p Place, writes bool) {
	v := args.Value()
	if v == nil || !writes && !writesFile(v) {
		return
	}
	p.Flag |= FileContent
	if v.Kind != leaf.Object {
		b.tag(args, p) // a patch, as it is
		return
	}
	for k := v.First; k != nil; k = k.Next {
		if bodyMembers[k.Name] {
			b.tag(k, p)
		}
	}
}

// result reads a tool's result inside a message. Arguments repeated beside it are the call (R4), and a message list
// that a hand-off returns is the conversation handed on (R8).
func (b *builder) result(n *leaf.Node, slot Slot, callID string) {
	p := Place{Slot: slot, Unit: UnitToolResult, Flag: perLeaf, Tool: b.m.hash.name(callID)}
	b.tag(n, p)
	v := n.Value()
	if v == nil || v.Kind != leaf.Object {
		return
	}
	if _, typed := partTypes[textOf(v.Member("type"))]; typed {
		for k := v.First; k != nil; k = k.Next {
			if holding(k.Name) == holdsArguments && k.Name != "input" {
				b.tag(k, Place{Slot: slot, Unit: UnitToolCall})
			}
		}
	}
	b.handedOn(n)
}

// handedOn reads the message list that a hand-off returns: LangGraph's Command (R8).
func (b *builder) handedOn(n *leaf.Node) {
	for _, at := range []*leaf.Node{n, n.Member("output"), n.Member("result")} {
		if list := at.Member("update").Member("messages"); list != nil {
			b.list(list, SlotInput, RoleNone, 1)
			return
		}
	}
}
