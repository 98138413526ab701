package mapping

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// A Mapper reads spans and log records by the tables of dialects. It holds no state of a trace and is safe for
// concurrent use.
type Mapper struct {
	table *table
	hash  hasher
}

// New compiles the built-in dialects. The seed keys the hashes under which texts are compared: skeletons of one trace
// must be made with one seed.
func New(seed uint64) (*Mapper, error) {
	t, err := compile(Dialects())
	if err != nil {
		return nil, err
	}
	return &Mapper{table: t, hash: hasher{seed}}, nil
}

// Reading is what a Mapper found in one span or log record. It refers to nodes of the Doc it was read from.
type Reading struct {
	Info   SpanInfo
	places []Place
	hash   hasher
}

// At returns the place of a node's text. A text that no dialect claims is in SlotLog of its span.
func (r *Reading) At(n *leaf.Node) Place {
	for at := n; at != nil; at = at.Parent {
		if at.Tag == 0 {
			continue
		}
		p := r.places[at.Tag-1]
		if p.Flag&perLeaf != 0 {
			p.Flag &^= perLeaf
			p.Text = r.hash.text(n.Text)
		}
		return p
	}
	return Place{Span: r.Info.ID, Slot: SlotLog}
}

// Span reads a span whose fields d holds. The reading is void when d is reset.
func (m *Mapper) Span(s ptrace.Span, scope string, d *leaf.Doc) Reading {
	info := SpanInfo{
		ID: s.SpanID(), Parent: s.ParentSpanID(), Start: uint64(s.StartTimestamp()), End: uint64(s.EndTimestamp()), Seen: true,
	}
	b := &builder{m: m, info: &info, scope: scope}
	attrs := s.Attributes()
	keys := make([]string, 0, attrs.Len())
	for i := range d.Fields {
		if d.Fields[i].Part == leaf.PartSpanAttr {
			keys = append(keys, d.Fields[i].Key)
		}
	}
	attr := func(key string) string {
		if v, ok := attrs.Get(key); ok && v.Type() == pcommon.ValueTypeStr {
			return v.Str()
		}
		return ""
	}
	info.Kind = kindOf(s.Name(), keys, attr)
	info.Claimed = info.Kind != KindOther
	b.identity(s.Name(), attr)
	b.fields(d, keys, leaf.PartSpanAttr)
	b.events(d)
	return Reading{Info: info, places: b.places, hash: m.hash}
}

// identity reads who a span is (R17) and what its tool or memory operation does.
func (b *builder) identity(name string, attr func(string) string) {
	first := func(keys ...string) string {
		for _, k := range keys {
			if v := attr(k); v != "" {
				return v
			}
		}
		return ""
	}
	i := b.info
	i.Agent = first("gen_ai.agent.name", "agent.name", "agent_name", "graph.node.name", "graph.node.id")
	switch i.Kind {
	case KindAgent, KindWorkflow:
		if i.Name = first("gen_ai.agent.name", "agent.name", "agent_name", "traceloop.entity.name", "gen_ai.workflow.name",
			"ai.telemetry.functionId", "graph.node.name", "graph.node.id"); i.Name == "" {
			i.Name = strings.TrimPrefix(strings.TrimPrefix(name, "invoke_agent "), "invoke_workflow ")
		}
		i.Tool = b.m.hash.name(i.Name)
	case KindTool:
		if i.Name = first("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "genkit:name", "traceloop.entity.name"); i.Name == "" {
			i.Name = strings.TrimPrefix(strings.TrimPrefix(name, "execute_tool "), "tool.execute ")
		}
		i.Flag = toolFlags(i.Name)
		i.Tool = b.m.hash.name(i.Name)
		b.tool = i.Tool
		i.Call = b.m.hash.name(first("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id"))
		if attr("gen_ai.transfer.target.name") != "" || attr("gen_ai.tool.type") == "AgentTool" || attr("traceloop.span.kind") == "handoff" {
			i.Flag |= HandOff
		}
	case KindMemory:
		switch op := attr("gen_ai.operation.name"); op {
		case "search_memory", "memory.search":
			i.Flag = MemoryRead
		case "create_memory", "update_memory", "upsert_memory", "memory.add":
			i.Flag = MemoryWrite
		default:
			i.Flag = toolFlags(name)
		}
	}
	b.does = i.Flag
}

// flat is one attribute of a flattened message list.
type flat struct {
	claim
	list       string // key up to the message's index
	index, sub int
	node       *leaf.Node
}

// fields reads attributes by the tables: plain slots at once, flattened messages in the order of their indices.
func (b *builder) fields(d *leaf.Doc, keys []string, part leaf.Part) {
	var flats []flat
	for i := range d.Fields {
		f := &d.Fields[i]
		if f.Part != part {
			continue
		}
		c, ok := b.m.table.find(f.Key)
		switch {
		case !ok || c.With != "" && !b.with(c.With, keys):
			b.unknown(f.Root)
		case c.Flat != FlatNot:
			list, index, sub := indices(f.Key)
			flats = append(flats, flat{c, list, index, sub, f.Root})
		case c.Copies != "" && hasPrefix(keys, c.Copies):
			b.copied(f.Root, c.Slot)
		case c.Schema && isSchema(f.Root):
			b.value(f.Root, SlotNone, RoleNone)
		default:
			b.claimed(f.Root, c, c.Role)
		}
	}
	if len(flats) == 0 {
		return
	}
	b.info.Claimed = true
	slices.SortStableFunc(flats, func(x, y flat) int {
		return cmp.Or(cmp.Compare(x.Slot, y.Slot), strings.Compare(x.list, y.list), cmp.Compare(x.index, y.index), cmp.Compare(x.sub, y.sub))
	})
	for len(flats) > 0 {
		n := 1
		for n < len(flats) && flats[n].list == flats[0].list && flats[n].index == flats[0].index {
			n++
		}
		b.flattened(flats[:n])
		flats = flats[n:]
	}
}

// with reports whether the company that a row needs is there.
func (b *builder) with(any string, keys []string) bool {
	for w := range strings.SplitSeq(any, "|") {
		if scope, ok := strings.CutPrefix(w, "scope:"); ok && strings.HasPrefix(b.scope, scope) || !ok && hasPrefix(keys, w) {
			return true
		}
	}
	return false
}

// claimed reads a value that a row claims.
func (b *builder) claimed(n *leaf.Node, c claim, role Role) {
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
	v := n.Value()
	if v == nil || v.First == nil {
		return
	}
	switch v.Kind {
	case leaf.Array:
		if e := v.First.Value(); e == nil || !isMessage(e) {
			return
		}
		b.list(n, SlotInput, RoleNone, 0)
	case leaf.Object:
		if v.Member("choices") != nil {
			b.list(n, SlotOutput, RoleNone, 0)
		} else if l := v.Member("messages").Value(); l != nil && l.Kind == leaf.Array {
			b.list(n, SlotInput, RoleNone, 0)
		}
	}
}

// indices splits a flattened key at its first index, and finds the next index after that, -1 if there is none.
func indices(key string) (list string, index, sub int) {
	sub = -1
	for rest, at := key, 0; rest != ""; {
		i := strings.IndexByte(rest, '.')
		word := rest
		if i >= 0 {
			word = rest[:i]
		}
		if at > 0 && isIndex(word) {
			n, _ := strconv.Atoi(word)
			if list != "" {
				return list, index, n
			}
			list, index = key[:at], n
		}
		if i < 0 {
			break
		}
		rest, at = rest[i+1:], at+i+1
	}
	return list, index, sub
}

// flattened reads the attributes of one message.
func (b *builder) flattened(fs []flat) {
	slot, role := fs[0].Slot, fs[0].Role
	var callID string
	names, ids := map[int]string{}, map[int]string{}
	hasCalls := false
	author := ""
	types := map[int]string{}
	for _, f := range fs {
		text := textOf(f.node)
		switch f.Flat {
		case FlatRole:
			var ok bool
			if role, ok = roles[text]; !ok && text != "" {
				role = RoleTool // R4: the role is a tool's name
			}
		case FlatCallID:
			callID = text
		case FlatAuthor:
			author = text
		case FlatToolName:
			names[f.sub] = text
		case FlatToolID:
			ids[f.sub] = text
		case FlatArguments:
			hasCalls = true
		case FlatPart:
			if strings.HasSuffix(f.Key, ".type") {
				types[f.sub] = text
			}
		}
	}
	role = b.defaultRole(slot, role)
	switch {
	case callID != "" && !hasCalls:
		role = RoleTool
	case role == RoleSystem && (hasCalls || slot == SlotOutput):
		role = RoleAssistant
	}
	by := callID
	if role != RoleTool {
		by = author
	}
	b.open(slot, role)
	for _, f := range fs {
		switch f.Flat {
		case FlatContent:
			b.content(f.node, slot, role, by)
		case FlatPart:
			switch partTypes[types[f.sub]] {
			case partReasoning:
				b.tag(f.node, Place{Slot: slot, Unit: UnitReasoning})
			case partFile:
				b.tag(f.node, Place{Slot: slot, Unit: UnitFile})
			default:
				if !strings.HasSuffix(f.Key, ".type") {
					b.content(f.node, slot, role, by)
				}
			}
		case FlatArguments:
			b.toolCall(f.node, f.node, slot, names[f.sub], ids[f.sub])
		default:
			b.tag(f.node, Place{Slot: SlotNone})
		}
	}
}

func hasPrefix(keys []string, prefix string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(k, prefix) })
}
