package mapping

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// fields reads attributes by the tables: plain slots at once, flattened messages in the order of their indices.
func (b *builder) fields() {
	for i, c := range b.claims {
		f := &b.d.Fields[b.first+i]
		b.by = c
		switch {
		case c.user != nil:
			b.ruled(f.Root, c)
		case !c.ok() && b.raw && strings.HasPrefix(f.Key, "llm."):
			b.value(f.Root, SlotReplay, RoleNone)
		case c.ok() && c.Run:
			b.run(f.Root)
		case c.ok() && c.Trace:
			b.traceOutput(f.Root)
		case !c.ok() || c.With != "" && !b.with(c.With):
			b.unknown(f.Root)
		case c.Flat != FlatNot:
			list, index, sub := indices(f.Key)
			b.flats = append(b.flats, flat{c, list, index, sub, f.Root, f.Key})
		case c.Copies != "" && b.hasPrefix(c.Copies):
			b.copied(f.Root, c.Slot)
		case c.Schema && isSchema(f.Root):
			b.value(f.Root, SlotNone, RoleNone)
		default:
			b.claimed(f.Root, c, c.Role)
		}
	}
	flats := b.flats
	if len(flats) == 0 {
		return
	}
	b.info.Claimed = true
	slices.SortStableFunc(flats, func(x, y flat) int {
		return cmp.Or(cmp.Compare(x.Slot, y.Slot), strings.Compare(x.list, y.list), cmp.Compare(x.index, y.index), cmp.Compare(x.sub, y.sub))
	})
	list := ""
	for len(flats) > 0 {
		if flats[0].list != list {
			list = flats[0].list
			b.thread(flats[0].Slot)
		}
		n := 1
		for n < len(flats) && flats[n].list == flats[0].list && flats[n].index == flats[0].index {
			n++
		}
		b.flattened(flats[:n])
		flats = flats[n:]
	}
}

// run reads the message list of a whole run: what is before its first new message is history (7.8).
func (b *builder) run(n *leaf.Node) {
	b.info.Claimed = true
	b.thread(SlotInput)
	b.thread(SlotOutput)
	b.tag(n, Place{Slot: SlotOutput, Flag: perLeaf})
	first := int64(0)
	if v, ok := b.attrs.Get("pydantic_ai.new_message_index"); ok {
		first = v.Int()
	}
	v := n.Value()
	if v == nil || v.Kind != leaf.Array {
		b.messages(n, SlotOutput, RoleNone)
		return
	}
	for k := v.First; k != nil; k = k.Next {
		slot := SlotOutput
		if int64(k.Index) < first {
			slot = SlotInput
		}
		b.element(k, slot, RoleNone, 0)
	}
}

// traceOutput reads what a trace gave back: the final answer, unless it is a message state (7.11).
func (b *builder) traceOutput(n *leaf.Node) {
	b.info.Claimed = true
	b.thread(SlotOutput)
	b.tag(n, Place{Slot: SlotChannel, Channel: finalOutput})
	if !b.list(n, SlotOutput, RoleNone, 0) && b.info.Parent.IsEmpty() {
		b.notePlain(n, SlotOutput)
	}
}

// with reports whether the company that a row needs is there.
func (b *builder) with(any string) bool {
	for w := range strings.SplitSeq(any, "|") {
		if scope, ok := strings.CutPrefix(w, "scope:"); ok && strings.HasPrefix(b.scope, scope) || !ok && b.hasPrefix(w) {
			return true
		}
	}
	return false
}

// claimed reads a value that a row claims.
func (b *builder) claimed(n *leaf.Node, c *claim, role Role) {
	switch {
	case c.Slot == SlotChannel:
		b.info.Claimed = true
		b.tag(n, Place{Slot: SlotChannel, Channel: c.Channel})
		return
	case c.Slot == SlotQuery && b.info.Kind == KindOther:
		// A database span is part of the run only if its caller is.
	case c.Slot != SlotLog && c.Slot != SlotNone:
		b.info.Claimed = true
	}
	b.value(n, c.Slot, role)
}

// copied reads the raw request or response beside the attributes it was taken apart into (R1). A response may still
// show calls and results; a request is history and the user's words once more.
func (b *builder) copied(n *leaf.Node, slot Slot) {
	b.tag(n, Place{Slot: SlotReplay})
	if slot == SlotOutput && b.info.Kind == KindLLM {
		b.list(n, SlotOutput, RoleNone, 0)
	}
}

// unknown reads an attribute that no row knows by its shape (R1): messages are an input, choices an output. Text with
// no such shape stays untagged, which is the log channel.
func (b *builder) unknown(n *leaf.Node) {
	b.by = nil
	v := n.Value()
	if v == nil || v.First == nil {
		return
	}
	switch v.Kind {
	case leaf.Array:
		if e := v.First.Value(); e == nil || !isMessage(e) {
			return
		}
		b.thread(SlotInput)
		b.list(n, SlotInput, RoleNone, 0)
	case leaf.Object:
		if v.Member("choices") != nil {
			b.list(n, SlotOutput, RoleNone, 0)
		} else if l := v.Member("messages").Value(); l != nil && l.Kind == leaf.Array {
			b.thread(SlotInput)
			b.list(n, SlotInput, RoleNone, 0)
		}
	}
}

func (b *builder) hasPrefix(prefix string) bool {
	for i := range b.claims {
		if strings.HasPrefix(b.d.Fields[b.first+i].Key, prefix) {
			return true
		}
	}
	return false
}
