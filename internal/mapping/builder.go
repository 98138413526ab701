package mapping

import (
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// A builder reads the fields of one span (or log record) into places and a SpanInfo. Tags of leaf nodes are
// positions in places, from 1; a node without a tag belongs to its nearest ancestor with one.
type builder struct {
	m      *Mapper
	info   *SpanInfo
	scope  string
	places []Place
	// in and out are the span's two conversations, however many attributes and events they are spread over.
	in, out thread
	// tool is the hash of the tool that tool slots belong to, does what its name says that it does.
	tool uint64
	does Flag
}

// A thread is what was seen so far of a message list.
type thread struct {
	user, assistant bool
	last            Role // of the message before
}

func (b *builder) tag(n *leaf.Node, p Place) {
	p.Span = b.info.ID
	b.places = append(b.places, p)
	n.Tag = int32(len(b.places))
}

// value reads a whole slot that may or may not hold messages.
func (b *builder) value(n *leaf.Node, slot Slot, role Role) {
	switch slot {
	case SlotInput, SlotOutput:
		slot = slotByKind(b.info.Kind, b.does, slot)
	}
	switch slot {
	case SlotInput, SlotOutput:
		b.tag(n, Place{Slot: slot, Flag: perLeaf}) // text without messages: each leaf is a text of its own
		b.callback(n)
		b.messages(n, slot, role)
	case SlotToolArguments, SlotToolResult:
		b.toolSlot(n, slot)
	case SlotMemoryRecords:
		b.tag(n, Place{Slot: slot, Flag: b.does})
	case SlotQuery:
		b.tag(n, Place{Slot: slot, Flag: perLeaf})
	case SlotNone, SlotReplay, SlotLog, SlotSource, SlotDocuments:
		b.tag(n, Place{Slot: slot})
		if slot == SlotNone {
			b.headers(n)
		}
	}
}

// slotByKind turns the input and output of spans that are no agents or models into what they are (R14). does is what
// the tool or memory operation does.
func slotByKind(k Kind, does Flag, slot Slot) Slot {
	in := slot == SlotInput
	switch k {
	case KindTool:
		if in {
			return SlotToolArguments
		}
		return SlotToolResult
	case KindRetriever:
		if in {
			return SlotQuery
		}
		return SlotDocuments
	case KindMemory:
		if in && does&MemoryWrite == 0 {
			return SlotQuery
		}
		return SlotMemoryRecords
	case KindGuardrail:
		return SlotLog
	case KindPrompt:
		return SlotSource
	case KindEmbedding:
		return SlotNone
	}
	return slot
}

// notePlain records the leaves of a value without messages as what the span was given or produced.
func (b *builder) notePlain(n *leaf.Node, slot Slot) {
	if n.IsText() {
		if slot == SlotInput {
			b.noteInput(n.Text)
		} else {
			h := b.m.hash.text(n.Text)
			b.info.Out.add(h)
			b.info.Last.add(h)
		}
		return
	}
	for k := n.First; k != nil; k = k.Next {
		b.notePlain(k, slot)
	}
}

func (b *builder) noteInput(text string) {
	h := b.m.hash.text(text)
	b.info.In.add(h)
	if !b.in.user {
		b.info.User.add(h)
		b.info.Pieces.union(b.m.hash.pieces(nil, text, maxPieces))
	}
}

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
		hasCalls = hasCalls || callListMembers[k.Name] && k.Value() != nil && k.Value().First != nil
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
		switch {
		case contentMembers[k.Name]:
			b.content(k, slot, role, by)
		case callListMembers[k.Name]:
			b.calls(k, slot)
		case reasoningMembers[k.Name]:
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
	p := Place{Slot: slot, Text: b.m.hash.text(text)}
	switch role {
	case RoleSystem:
		p.Unit = UnitSystem
	case RoleUser:
		p.Unit = UnitUser
		if slot == SlotInput {
			if !b.in.assistant && !b.in.user {
				p.Flag |= FirstUser
			}
			if text != "" {
				b.noteInput(text)
				b.in.user = true
			}
		}
	case RoleTool:
		p.Unit = UnitToolResult
		p.Tool = b.m.hash.name(by)
	default:
		p.Unit = UnitAssistant
		if by != "" {
			p.Flag |= Authored
			p.Tool = b.m.hash.name(by)
		}
		if slot == SlotInput {
			b.in.assistant = true
		} else {
			b.out.assistant = true
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
	p := Place{Slot: slot, Unit: UnitToolCall, Flag: toolFlags(name), Tool: b.m.hash.name(name)}
	writes := p.Flag&FileContent != 0
	p.Flag = handsOff(p.Flag, inner) &^ FileContent
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
			case argumentMembers[k.Name]:
				args = k
			case resultMembers[k.Name]:
				b.tag(k, Place{Slot: slot, Unit: UnitToolResult, Tool: b.m.hash.name(id)})
			}
		}
	}
	b.fileContent(args, p, writes)
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
			if argumentMembers[k.Name] && k.Name != "input" {
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

// callbackMembers are what LangChain's callbacks put beside a tool's or a chain's own input (section 4, 7.6).
var callbackMembers = set("tags", "metadata", "kwargs", "config", "callbacks", "run_id", "name", "serialized")

// toolSlot reads the arguments or the result of a tool span. Messages there (R4, section 4) hold nothing else, so every
// leaf is read alike.
func (b *builder) toolSlot(n *leaf.Node, slot Slot) {
	p := Place{Slot: slot, Flag: handsOff(b.does, n)&^FileContent | perLeaf, Tool: b.tool}
	b.tag(n, p)
	b.callback(n)
	b.noteTool(n, slot, 0)
	if slot == SlotToolArguments {
		b.fileContent(n, p, b.does&FileContent != 0)
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
