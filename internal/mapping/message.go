package mapping

import "github.com/agentleak/otelcol-agentleak/internal/leaf"

// messages reads the message list in a value, in any shape of section 3. What it recognises gets units of its own;
// when it recognises nothing, the value stays plain.
func (b *builder) messages(n *leaf.Node, slot Slot, role Role) bool {
	found := b.list(n, slot, role, 0)
	if !found {
		b.notePlain(n, slot)
		if slot == SlotInput {
			b.in.user = true
		}
	}
	return found
}

const maxShapeDepth = 12 // message lists inside requests inside choices: no producer nests deeper

func (b *builder) list(n *leaf.Node, slot Slot, role Role, depth int) bool {
	v := n.Value()
	if v == nil || depth > maxShapeDepth {
		return false
	}
	switch v.Kind {
	case leaf.Array:
		found := false
		for k := v.First; k != nil; k = k.Next {
			if b.element(k, slot, role, depth) {
				found = true
			}
		}
		return found
	case leaf.Object:
		return b.element(n, slot, role, depth)
	}
	return false
}

// element reads one object of a list: a message, a block without a message around it, or a request, response or
// state that holds messages in its members.
func (b *builder) element(n *leaf.Node, slot Slot, role Role, depth int) bool {
	v := n.Value()
	if v == nil {
		return false
	}
	if v.Kind == leaf.Array {
		return b.list(v, slot, role, depth+1)
	}
	if v.Kind != leaf.Object {
		return false
	}
	if kwargs, r := constructor(v); kwargs != nil {
		b.message(kwargs, slot, r)
		return true
	}
	if isMessage(v) || v.Member("toolCalls") != nil || v.Member("tool_calls") != nil {
		b.message(v, slot, role)
		return true
	}
	if p := partOf(v); p != partNone && (p != partText || v.Member("type") != nil || role != RoleNone) {
		b.block(v, slot, b.defaultRole(slot, role), p, true)
		return true
	}
	if c := v.Member("content").Value(); c != nil && c.Kind == leaf.Object && isMessage(c) {
		b.message(c, slot, role) // Gemini's candidates
		return true
	}
	found := false
	for k := v.First; k != nil; k = k.Next {
		to, ok := messageLists[k.Name]
		if !ok {
			continue
		}
		s := slot
		switch to {
		case given:
			s = SlotInput
		case made:
			s = SlotOutput
		}
		if b.list(k, s, role, depth+1) {
			found = true
		}
	}
	if found {
		for k := v.First; k != nil; k = k.Next {
			if p, ok := requestMembers[k.Name]; ok && k.Tag == 0 {
				b.tag(k, p)
			}
		}
	}
	return found
}

func (b *builder) defaultRole(slot Slot, role Role) Role {
	switch {
	case role != RoleNone:
		return role
	case slot == SlotOutput:
		return RoleAssistant
	}
	return RoleUser
}

// message reads one message object.
func (b *builder) message(v *leaf.Node, slot Slot, role Role) {
	if r, _ := roleOf(v); r != RoleNone {
		role = r
	}
	role = b.defaultRole(slot, role)
	callID := firstText(v, callIDMembers[:4])
	hasCalls := false
	for k := v.First; k != nil; k = k.Next {
		hasCalls = hasCalls || holding(k.Name) == holdsCalls && k.Value() != nil && k.Value().First != nil
	}
	switch {
	case callID != "" && !hasCalls:
		role = RoleTool // R4
	case role == RoleSystem && (hasCalls || slot == SlotOutput):
		role = RoleAssistant // Gemini CLI writes system for model
	}
	author := ""
	if role == RoleAssistant {
		author = firstText(v, authorMembers)
	}
	by := callID
	if role != RoleTool {
		by = author
	}
	b.open(slot, role)
	b.unit(v, slot, role, "", by)
	for k := v.First; k != nil; k = k.Next {
		switch h := holding(k.Name); {
		case h == holdsContent:
			b.content(k, slot, role, by)
		case h == holdsCalls:
			b.calls(k, slot)
		case h == holdsReasoning:
			b.tag(k, Place{Slot: slot, Unit: UnitReasoning})
		case k.Name == "additional_kwargs":
			if calls := k.Member("tool_calls"); calls != nil {
				b.calls(calls, slot)
			}
		}
	}
}

// open starts a message: what comes before and after an assistant's words decides what a user's words are (R3).
func (b *builder) open(slot Slot, role Role) {
	t := &b.in
	if slot == SlotOutput {
		t = &b.out
		if role == RoleAssistant {
			b.info.Last = b.info.Last[:0]
		}
	}
	t.last = role
}

// unit tags n as a message's text and records its hash. text may be empty: then only the tag is set. by names the
// author of an assistant's message, or the call that a tool's message answers.
func (b *builder) unit(n *leaf.Node, slot Slot, role Role, text, by string) {
	p := Place{Slot: slot}
	// Of the conversation that a model is sent again and again the rules compare the first user message only.
	history := slot == SlotInput && b.info.Kind == KindLLM
	switch role {
	case RoleSystem:
		p.Unit = UnitSystem
	case RoleUser:
		p.Unit = UnitUser
		if slot == SlotOutput || history && b.in.user {
			if slot == SlotOutput {
				p.Text = b.m.hash.text(text)
			}
			break
		}
		if !b.in.assistant && !b.in.user {
			p.Flag |= FirstUser
		}
		if text != "" {
			p.Text = b.noteInput(text)
			b.in.user = b.in.user || p.Text != 0
		}
	case RoleTool:
		p.Unit = UnitToolResult
		p.Text = b.m.hash.text(text)
		p.Tool = b.m.hash.name(by)
	default:
		p.Unit = UnitAssistant
		if by != "" {
			p.Flag |= Authored
			p.Tool = b.m.hash.name(by)
		}
		if slot == SlotInput {
			b.in.assistant = true
			if !history {
				p.Text = b.m.hash.text(text)
			}
		} else {
			p.Text = b.m.hash.text(text)
			b.info.Out.add(p.Text)
			b.info.Last.add(p.Text)
		}
	}
	b.tag(n, p)
}

// content reads a message's content: a text, or blocks.
func (b *builder) content(n *leaf.Node, slot Slot, role Role, by string) {
	v := n.Value()
	if v == nil || v.Kind == leaf.Null {
		return
	}
	if role == RoleTool && v.Kind != leaf.Array {
		b.result(n, slot, by)
		return
	}
	switch v.Kind {
	case leaf.Array:
		blocks := false
		for k := v.First; k != nil; k = k.Next {
			e := k.Value()
			switch {
			case e == nil:
			case e.Kind == leaf.String:
				b.unit(k, slot, role, e.Text, by)
				blocks = true
			case e.Kind == leaf.Object && isMessage(e):
				b.message(e, slot, role)
				blocks = true
			case e.Kind == leaf.Object:
				if p := partOf(e); p != partNone {
					b.block(e, slot, role, p, false)
					blocks = true
				} else {
					b.unit(e, slot, role, firstText(e, textMembers), by)
				}
			}
		}
		if blocks || !n.JSON {
			return
		}
	case leaf.Object:
		if p := partOf(v); p != partNone {
			b.block(v, slot, role, p, false)
			return
		}
		if isMessage(v) {
			b.message(v, slot, role)
			return
		}
	}
	b.unit(n, slot, role, n.Text, by)
}

// block reads one block of a message: its type beats the message's role (R4).
func (b *builder) block(v *leaf.Node, slot Slot, role Role, p part, alone bool) {
	switch p {
	case partText:
		if alone {
			b.open(slot, role)
		}
		b.unit(v, slot, role, firstText(v, textMembers), "")
	case partReasoning:
		b.tag(v, Place{Slot: slot, Unit: UnitReasoning})
	case partCall:
		b.call(v, slot)
	case partResult:
		b.result(v, slot, firstText(v, callIDMembers))
	case partFile:
		b.tag(v, Place{Slot: slot, Unit: UnitFile})
		if t := v.Member("transcript"); t != nil {
			b.unit(t, slot, role, t.Text, "")
		}
	case partReplay:
		s := SlotReplay
		if slot == SlotOutput {
			s = SlotLog
		}
		b.tag(v, Place{Slot: s})
	}
}
