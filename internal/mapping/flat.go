package mapping

import (
	"strconv"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// flat is one attribute of a flattened message list.
type flat struct {
	*claim
	list       string // key up to the message's index
	index, sub int
	node       *leaf.Node
	key        string
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
	hasCalls := false
	author := ""
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
		case FlatArguments:
			hasCalls = true
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
	if to := slotByKind(b.info.Kind, b.does, slot); to != slot {
		b.flatSlot(fs, to, role)
		return
	}
	b.open(slot, role)
	for i := range fs {
		f := &fs[i]
		b.by = f.claim
		switch f.Flat {
		case FlatContent:
			b.content(f.node, slot, role, by)
		case FlatPart:
			switch partTypes[sibling(fs, f.sub, isType)] {
			case partReasoning:
				b.tag(f.node, Place{Slot: slot, Unit: UnitReasoning})
			case partFile:
				b.tag(f.node, Place{Slot: slot, Unit: UnitFile})
			default:
				if !isType(f) {
					b.content(f.node, slot, role, by)
				}
			}
		case FlatArguments:
			b.toolCall(f.node, f.node, slot, sibling(fs, f.sub, isToolName), sibling(fs, f.sub, isToolID))
		default:
			b.tag(f.node, Place{Slot: SlotNone})
		}
	}
}

func isType(f *flat) bool     { return f.Flat == FlatPart && strings.HasSuffix(f.key, ".type") }
func isToolName(f *flat) bool { return f.Flat == FlatToolName }
func isToolID(f *flat) bool   { return f.Flat == FlatToolID }

// sibling is the text of an attribute of the same part or call of a message.
func sibling(fs []flat, sub int, is func(*flat) bool) string {
	for i := range fs {
		if fs[i].sub == sub && is(&fs[i]) {
			return textOf(fs[i].node)
		}
	}
	return ""
}

// flatSlot reads a message on a span that is no model's: a rerank's documents and query, a tool's arguments (7.6).
func (b *builder) flatSlot(fs []flat, slot Slot, role Role) {
	if slot == SlotQuery && role != RoleUser {
		slot = SlotDocuments
	}
	for i := range fs {
		b.by = fs[i].claim
		switch fs[i].Flat {
		case FlatContent, FlatPart, FlatArguments:
			b.value(fs[i].node, slot, RoleNone)
		default:
			b.tag(fs[i].node, Place{Slot: SlotNone})
		}
	}
}
