package mapping

import "github.com/agentleak/otelcol-agentleak/internal/leaf"

// events reads the span events whose names a dialect knows, each as one message (7.2).
func (b *builder) events(d *leaf.Doc) {
	for i := 0; i < len(d.Fields); i++ {
		f := &d.Fields[i]
		if f.Part != leaf.PartEventAttr {
			continue
		}
		j := i + 1
		for j < len(d.Fields) && d.Fields[j].Part == leaf.PartEventAttr && d.Fields[j].Index == f.Index {
			j++
		}
		if f.Event == "gen_ai.client.inference.operation.details" {
			b.details(d.Fields[i:j])
		} else {
			b.event(d.Fields[i:j])
		}
		i = j - 1
	}
}

// details reads an event that carries the attributes of a span.
func (b *builder) details(fields []leaf.Field) {
	for i := range fields {
		if c, ok := b.m.table.find(fields[i].Key); ok && c.Flat == FlatNot {
			b.claimed(fields[i].Root, c, c.Role)
		} else if !ok {
			b.unknown(fields[i].Root)
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
		c, ok := b.m.table.find(f.Event + "/" + f.Key)
		if !ok {
			if c, ok := b.m.table.find(f.Key); ok && c.Slot == SlotNone {
				b.value(f.Root, SlotNone, RoleNone)
			}
			continue
		}
		if c.Role == RoleNone {
			b.claimed(f.Root, c, role)
			continue
		}
		if role != RoleNone {
			c.Row = &Row{Key: c.Key, Slot: c.Slot, Flat: c.Flat, Role: role}
		}
		b.body(f.Root, c)
	}
}

// body reads one message of an older event: the content of it, a list of its tool calls, or the whole body.
func (b *builder) body(n *leaf.Node, c claim) {
	b.info.Claimed = true
	if b.info.Kind == KindTool {
		// Strands: the tool's input is an event of a tool message, its output one of a choice (7.10).
		switch {
		case c.Slot == SlotOutput:
			b.toolSlot(n, SlotToolResult)
			return
		case c.Role == RoleTool:
			b.toolSlot(n, SlotToolArguments)
			return
		}
	}
	switch c.Flat {
	case FlatArguments:
		b.calls(n, c.Slot)
	case FlatContent:
		b.open(c.Slot, c.Role)
		b.content(n, c.Slot, c.Role, "")
	default:
		v := n.Value()
		switch {
		case v == nil:
		case v.Kind != leaf.Object:
			b.open(c.Slot, c.Role)
			b.content(n, c.Slot, c.Role, "")
		default:
			b.tag(n, Place{Slot: c.Slot, Flag: perLeaf})
			if inner := v.Member("message"); inner.Value() != nil && inner.Value().Kind == leaf.Object {
				// gen_ai.choice: {index, finish_reason, message{...}, tool_calls beside it}.
				b.message(inner.Value(), c.Slot, c.Role)
				if calls := v.Member("tool_calls"); calls != nil {
					b.calls(calls, c.Slot)
				}
				return
			}
			b.message(v, c.Slot, c.Role)
		}
	}
}
