package mapping

import "github.com/agentleak/otelcol-agentleak/internal/leaf"

// callbackMembers are what LangChain's callbacks put beside a tool's or a chain's own input (section 4, 7.6).
var callbackMembers = set("tags", "metadata", "kwargs", "config", "callbacks", "run_id", "name", "serialized")

// toolSlot reads the arguments or the result of a tool span. Messages there (R4, section 4) hold nothing else, so every
// leaf is read alike.
func (b *builder) toolSlot(n *leaf.Node, slot Slot) {
	args := arguments(n)
	if slot == SlotToolArguments {
		b.action(args)
	}
	p := Place{Slot: slot, Flag: handsOff(b.does, n)&^FileContent | perLeaf, Tool: b.tool}
	b.tag(n, p)
	b.callback(n)
	b.noteTool(n, slot, 0)
	if slot == SlotToolArguments {
		b.fileContent(args, p, b.does&FileContent != 0)
		return
	}
	b.handedOn(n)
}

// callback tags what a LangChain callback adds to the input or output it reports: not content of the run.
func (b *builder) callback(n *leaf.Node) {
	if n.Member("input_str") == nil && (n.Member("inputs") == nil || n.Member("tags") == nil) &&
		(n.Member("output") == nil || n.Member("kwargs") == nil) {
		return
	}
	for k := n.Value().First; k != nil; k = k.Next {
		if callbackMembers[k.Name] {
			b.tag(k, Place{Slot: SlotNone})
		}
	}
}

// arguments looks for a tool's arguments proper in what wraps them: a decorator's {args, kwargs}, a request that names
// the tool, a callback's inputs (section 3, 7.6).
func arguments(n *leaf.Node) *leaf.Node {
	for range 4 {
		v := n.Value()
		if v == nil || writesFile(v) {
			return n
		}
		if v.Kind == leaf.Array && v.First != nil && v.First.Next == nil {
			n = v.First // TanStack's one message, Bedrock's one block
			continue
		}
		next := n
		for _, m := range [...]string{"arguments", "kwargs", "args", "inputs", "input", "params", "parts"} {
			k := v.Member(m).Value()
			if k != nil && k.First != nil {
				next = k
				break
			}
		}
		if next == n {
			return n
		}
		n = next
	}
	return n
}

// action tells what a tool that reads and writes memory does, by the argument that says so (section 5).
func (b *builder) action(args *leaf.Node) {
	if b.does&(MemoryRead|MemoryWrite) == 0 && b.acts {
		b.does |= memoryActions[textOf(args.Member("action"))]
		b.info.Flag |= b.does
	}
}

// noteTool records the texts a tool was given or gave back.
func (b *builder) noteTool(n *leaf.Node, slot Slot, depth int) {
	if n.IsText() {
		if h := b.m.hash.text(n.Text); slot == SlotToolArguments {
			b.info.In.add(h)
		} else {
			b.info.Out.add(h)
		}
		return
	}
	for k := n.First; k != nil; k = k.Next {
		if k.Tag == 0 {
			b.noteTool(k, slot, depth+1)
		}
	}
}

// handsOff tells an answer tool that names an agent and a message for it: a hand-off (section 6, Strands swarms).
func handsOff(f Flag, n *leaf.Node) Flag {
	if f&AnswerTool == 0 {
		return f
	}
	for depth := 0; n != nil && depth < 4; depth++ {
		v := n.Value()
		if v == nil {
			return f
		}
		if v.Member("agentId") != nil || v.Member("agent_id") != nil {
			return f&^AnswerTool | HandOff
		}
		next := v.First
		for _, m := range [...]string{"input", "arguments", "args", "json"} {
			if k := v.Member(m); k != nil {
				next = k
				break
			}
		}
		n = next
	}
	return f
}

// headers tags credentials among parameters that are otherwise no content: they were sent, and logged (R15).
func (b *builder) headers(n *leaf.Node) {
	for k := n.First; k != nil; k = k.Next {
		if n.Kind == leaf.Object && credentialMember(k.Name) {
			b.tag(k, Place{Slot: SlotLog})
			continue
		}
		b.headers(k)
	}
}

func credentialMember(name string) bool {
	for w := range words(name) {
		switch w {
		case "header", "headers", "authorization", "key", "apikey", "secret", "password", "credential", "credentials":
			return true
		}
	}
	return false
}
