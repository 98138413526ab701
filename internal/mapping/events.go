package mapping

import "github.com/agentleak/otelcol-agentleak/internal/leaf"

// events reads the span events whose names a dialect knows, each as one message (7.2).
func (b *builder) events() {
	fields := b.d.Fields
	for i := b.first + len(b.claims); i < len(fields); i++ {
		f := &fields[i]
		if f.Part != leaf.PartEventAttr {
			continue
		}
		j := i + 1
		for j < len(fields) && fields[j].Part == leaf.PartEventAttr && fields[j].Index == f.Index {
			j++
		}
		if f.Event == "gen_ai.client.inference.operation.details" {
			b.details(fields[i:j])
		} else {
			b.event(fields[i:j])
		}
		i = j - 1
	}
}

// details reads an event that carries the attributes of a span.
func (b *builder) details(fields []leaf.Field) {
	for i := range fields {
		c := b.look(fields[i].Key)
		b.by = c
		switch {
		case c.user != nil:
			b.ruled(fields[i].Root, c)
		case !c.ok():
			b.unknown(fields[i].Root)
		case c.Flat == FlatNot:
			b.claimed(fields[i].Root, c, c.Role)
		}
	}
}

func (b *builder) event(fields []leaf.Field) {
	role := RoleNone
	for i := range fields {
		if fields[i].Key == "role" {
			role = roles[textOf(fields[i].Root)]
		}
	}
	for i := range fields {
		f := &fields[i]
		c := b.lookEvent(f.Event, f.Key)
		if c.user == nil {
			if any := b.look(f.Key); any.user != nil {
				c = any
			}
		}
		b.by = c
		switch {
		case c.user != nil:
			b.ruled(f.Root, c)
		case !c.ok():
			if c = b.look(f.Key); !c.ok() {
				continue
			}
			b.by = c
			switch {
			case c.Slot == SlotNone:
				b.value(f.Root, SlotNone, RoleNone)
			case c.Copies != "" && b.hasPrefix(c.Copies):
				b.copied(f.Root, c.Slot)
			case c.Copies != "":
				b.claimed(f.Root, c, c.Role)
			}
		case c.Slot == SlotToolResult && f.Key != "output" && b.does&FileContent != 0:
			// What a file-writing tool reports to have written (7.22).
			b.tag(f.Root, Place{Slot: SlotToolArguments, Flag: FileContent, Tool: b.tool})
		case c.Role == RoleNone:
			b.claimed(f.Root, c, role)
		case role != RoleNone:
			b.body(f.Root, c, role)
		default:
			b.body(f.Root, c, c.Role)
		}
	}
}

// body reads one message of an older event: the content of it, a list of its tool calls, or the whole body.
func (b *builder) body(n *leaf.Node, c *claim, role Role) {
	b.info.Claimed = true
	if b.info.Kind == KindTool {
		// Strands: the tool's input is an event of a tool message, its output one of a choice (7.10).
		switch {
		case c.Slot == SlotOutput:
			b.toolSlot(n, SlotToolResult)
			return
		case role == RoleTool:
			b.toolSlot(n, SlotToolArguments)
			return
		}
	}
	switch c.Flat {
	case FlatArguments:
		b.calls(n, c.Slot)
	case FlatContent:
		b.open(c.Slot, role)
		b.content(n, c.Slot, role, "")
	default:
		v := n.Value()
		switch {
		case v == nil:
		case v.Kind != leaf.Object:
			b.open(c.Slot, role)
			b.content(n, c.Slot, role, "")
		default:
			b.tag(n, Place{Slot: c.Slot, Flag: perLeaf})
			if inner := v.Member("message"); inner.Value() != nil && inner.Value().Kind == leaf.Object {
				// gen_ai.choice: {index, finish_reason, message{...}, tool_calls beside it}.
				b.message(inner.Value(), c.Slot, role)
				if calls := v.Member("tool_calls"); calls != nil {
					b.calls(calls, c.Slot)
				}
				return
			}
			if inner := v.Member("message"); inner != nil && v.Member("content") == nil {
				b.open(c.Slot, role)
				b.content(inner, c.Slot, role, "")
			} else {
				b.message(v, c.Slot, role)
			}
			if r := v.Member("tool.result"); r != nil {
				b.content(r, c.Slot, RoleTool, "") // Strands, on a cycle's choice (7.10)
			}
		}
	}
}
