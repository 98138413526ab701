package mapping

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// Log reads a log record whose fields d holds. Its texts count where they belong: on the record's span.
func (m *Mapper) Log(lr plog.LogRecord, scope string, d *leaf.Doc) Reading {
	b := m.builder(d, scope)
	b.info.ID = lr.SpanID()
	attr := func(key string) string {
		if v, ok := lr.Attributes().Get(key); ok && v.Type() == pcommon.ValueTypeStr {
			return v.Str()
		}
		return ""
	}
	for _, key := range toolNameAttrs {
		if name := attr(key); name != "" {
			b.tool, b.does = m.hash.name(name), toolFlags(name)
			break
		}
	}
	// The event's name: an attribute where the field holds a code position, or the body (section 4).
	names := []string{attr("event.name"), lr.EventName(), attr("event_name")}
	if strings.HasPrefix(scope, "com.anthropic.claude_code") {
		names = append(names, "claude_code."+names[0])
	}
	if lr.Body().Type() == pcommon.ValueTypeStr && len(lr.Body().Str()) < 64 {
		names = append(names, lr.Body().Str())
	}
	for i := range d.Fields {
		switch f := &d.Fields[i]; f.Part {
		case leaf.PartLogBody:
			b.logBody(names, scope, f.Root)
		case leaf.PartLogAttr:
			b.logAttr(names, f)
		}
	}
	for i := range b.places {
		b.places[i].Flag |= FromLog
		if b.places[i].Slot == SlotOutput && !b.info.Calls {
			b.places[i].Flag |= Answers
		}
	}
	return b.done()
}

// toolNameAttrs name the tool of a log record that holds arguments or a result.
var toolNameAttrs = []string{"tool_name", "function_name", "gen_ai.tool.name"}

func (b *builder) logAttr(names []string, f *leaf.Field) {
	if c := b.userLog(names, f.Key); c != nil {
		b.by = c
		b.ruled(f.Root, c)
		return
	}
	for _, name := range names {
		if c := b.lookEvent(name, f.Key); c.ok() && name != "" {
			b.by = c
			b.row(f.Root, c)
			return
		}
	}
	c := b.look(f.Key)
	b.by = c
	switch {
	case !c.ok():
		b.unknown(f.Root)
	case c.Flat == FlatNot && c.Slot != SlotLog:
		// gen_ai.client.inference.operation.details, and whoever else puts a span's attributes on a record.
		b.claimed(f.Root, c, c.Role)
	}
}

// userLog finds the user rule on an attribute of a record, or on its body; nil where there is none.
func (b *builder) userLog(names []string, key string) *claim {
	if len(b.m.rules) == 0 {
		return nil
	}
	for _, name := range names {
		if c := b.lookEvent(name, key); c.user != nil && name != "" {
			return c
		}
	}
	if c := b.look(key); c.user != nil && key != "body" {
		return c
	}
	return nil
}

// row reads one message of an older event, or a slot.
func (b *builder) row(n *leaf.Node, c *claim) {
	if c.Role != RoleNone {
		b.body(n, c, c.Role)
		return
	}
	b.claimed(n, c, c.Role)
}

// logBody reads a body: one message of an older event, AutoGen's events by their type, or a span's content that was
// moved into a record (ADOT, 7.21).
func (b *builder) logBody(names []string, scope string, n *leaf.Node) {
	if c := b.userLog(names, "body"); c != nil {
		b.by = c
		b.ruled(n, c)
		return
	}
	for _, name := range names {
		if c := b.lookEvent(name, "body"); c.ok() && name != "" {
			b.by = c
			b.row(n, c)
			return
		}
	}
	v := n.Value()
	if v == nil || v.Kind != leaf.Object {
		return
	}
	if typ := textOf(v.Member("type")); typ != "" && strings.HasPrefix(scope, "autogen_core") {
		b.autoGen(v, typ)
		return
	}
	in, out := v.Member("input"), v.Member("output")
	if in.Member("messages") == nil && out.Member("messages") == nil {
		b.unknown(n)
		return
	}
	for _, part := range []struct {
		n    *leaf.Node
		slot Slot
	}{{in, SlotInput}, {out, SlotOutput}} {
		if part.n != nil {
			b.info.Claimed = true
			b.tag(part.n, Place{Slot: part.slot, Flag: perLeaf})
			b.list(part.n, part.slot, RoleNone, 0)
		}
	}
}

// autoGen reads an event of AutoGen's logger as rows "autogen.<type>/<member>" (7.16). Who a message is from and for
// is in the message, so it makes the type.
func (b *builder) autoGen(v *leaf.Node, typ string) {
	if typ == "Message" {
		switch {
		case isNull(v.Member("sender")):
			typ = "UserMessage"
		case isNull(v.Member("receiver")) && strings.HasSuffix(textOf(v.Member("kind")), "RESPOND"):
			typ = "FinalMessage"
		}
	}
	if name := textOf(v.Member("tool_name")); name != "" {
		b.tool, b.does = b.m.hash.name(name), toolFlags(name)
	}
	for k := v.First; k != nil; k = k.Next {
		c := b.lookEvent("autogen."+typ, k.Name)
		if !c.ok() {
			continue
		}
		b.by = c
		b.claimed(k, c, c.Role)
		if c.Channel.Disclosure() {
			b.notePlain(k, SlotOutput)
		}
	}
}

func isNull(n *leaf.Node) bool { return n == nil || n.Kind == leaf.Null }
