package mapping

import (
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// Role is the author of a message.
type Role uint8

// The roles of messages, synonyms folded (section 3).
const (
	RoleNone Role = iota
	RoleSystem
	RoleUser
	RoleAssistant
	RoleTool
)

var roles = map[string]Role{
	"system": RoleSystem, "developer": RoleSystem, "instructions": RoleSystem,
	"user": RoleUser, "human": RoleUser,
	"assistant": RoleAssistant, "ai": RoleAssistant, "model": RoleAssistant, "bot": RoleAssistant,
	"tool": RoleTool, "function": RoleTool, "tool_response": RoleTool,
	// LangChain's class names, in "type" and as the last element of a constructor's "id".
	"SystemMessage": RoleSystem, "HumanMessage": RoleUser, "AIMessage": RoleAssistant, "ToolMessage": RoleTool,
	"FunctionMessage": RoleTool, "AIMessageChunk": RoleAssistant, "HumanMessageChunk": RoleUser,
}

// part is what a block inside a message is. The block's type beats the message's role (R4).
type part uint8

const (
	partNone part = iota
	partText
	partReasoning
	partCall
	partResult
	partFile
	partReplay // a summary of what was said before
)

// partTypes are the values of a block's "type" (also "content_type" and "kind") in all shapes of section 3.
var partTypes = map[string]part{
	"text": partText, "input_text": partText, "output_text": partText, "refusal": partText, "error": partText,
	"reasoning": partReasoning, "thinking": partReasoning, "redacted_thinking": partReasoning, "summary_text": partReasoning,
	"tool_call": partCall, "tool_use": partCall, "server_tool_use": partCall, "server_tool_call": partCall,
	"mcp_tool_use": partCall, "function_call": partCall, "custom_tool_call": partCall, "mcp_call": partCall,
	"computer_call": partCall, "code_interpreter_call": partCall, "web_search_call": partCall, "file_search_call": partCall,
	"local_shell_call": partCall, "tool-call": partCall, "toolUse": partCall,
	"tool_call_response": partResult, "tool_result": partResult, "server_tool_call_response": partResult,
	"function_call_output": partResult, "function_call_result": partResult, "function_result": partResult,
	"custom_tool_call_output": partResult, "computer_call_output": partResult, "web_search_tool_result": partResult,
	"code_execution_tool_result": partResult, "mcp_tool_result": partResult, "tool-result": partResult, "toolResult": partResult,
	"blob": partFile, "file": partFile, "file_data": partFile, "binary": partFile, "document": partFile, "image": partFile,
	"image_url": partFile, "input_image": partFile, "input_file": partFile, "input_audio": partFile, "audio": partFile,
	"uri": partFile, "media": partFile, "image-url": partFile, "document-url": partFile, "audio-url": partFile,
	"video-url": partFile, "hosted_file": partFile,
	"compaction": partReplay,
}

// partMembers tell a block without a type by a member it has (Gemini, Bedrock, Genkit, Haystack, step results).
var partMembers = []struct {
	name string
	part part
}{
	{"toolUse", partCall}, {"functionCall", partCall}, {"function_call", partCall}, {"toolRequest", partCall},
	{"executableCode", partCall}, {"executable_code", partCall}, {"tool_call", partCall},
	{"toolResult", partResult}, {"functionResponse", partResult}, {"function_response", partResult},
	{"toolResponse", partResult}, {"codeExecutionResult", partResult}, {"code_execution_result", partResult},
	{"tool_call_result", partResult},
	{"reasoningContent", partReasoning}, {"thought", partReasoning},
	{"inlineData", partFile}, {"inline_data", partFile}, {"fileData", partFile}, {"file_data", partFile},
	{"toolName", partCall}, {"function", partCall},
	{"text", partText},
}

// holds says what a member of a message or of a call holds, wherever it stands.
type holds uint8

const (
	holdsContent   holds = 1 << iota // a message's text or blocks
	holdsCalls                       // a list of calls, or one
	holdsReasoning                   // what the model thought
	holdsResult                      // a tool's result
	holdsArguments                   // a call's arguments
)

// holding is asked of every member of every message, so it is no map.
func holding(name string) holds {
	switch name {
	case "content", "parts", "contents", "text", "items":
		return holdsContent
	case "tool_calls", "toolCalls", "function_call", "invalid_tool_calls":
		return holdsCalls
	case "reasoning", "reasoning_content", "thinking", "reasoningText":
		return holdsReasoning
	case "output", "result", "response", "outputs", "structuredContent":
		return holdsResult
	case "args", "arguments", "input", "toolInput", "parameters":
		return holdsArguments
	}
	return 0
}

// Members by what they hold, in the order in which they are looked for.
var (
	callIDMembers = []string{"tool_call_id", "toolCallId", "call_id", "callId", "tool_use_id", "toolUseId", "id", "ref"}
	nameMembers   = []string{"name", "toolName", "tool_name", "recipient_name"}
	textMembers   = []string{"content", "text", "refusal", "transcript", "thinking", "reasoning", "value"}
	authorMembers = []string{"AuthorName", "author_name", "authorName", "name"}
)

// direction says which slot the messages under a member are in.
type direction uint8

const (
	same  direction = iota // that of what is around
	given                  // an input, also inside an output that repeats its request
	made                   // an output
)

// messageLists are the members of a request, response or graph state under which messages stand.
var messageLists = map[string]direction{
	"messages": same, "contents": same, "conversation": same, "message": same, "output": same,
	"request": given, "body": same, "history": given, "chat_history": given, "input": given, "llm_request": given,
	"replies": made, "tool_messages": made, "choices": made, "candidates": made, "generations": made,
	"new_messages": made, "raw": same, "response": same, "result": same,
}

// requestMembers are other members of a request with messages: instructions, schemas and headers (R2, R15).
var requestMembers = map[string]Place{
	"system": {Slot: SlotInput, Unit: UnitSystem}, "instructions": {Slot: SlotInput, Unit: UnitSystem},
	"system_instruction": {Slot: SlotInput, Unit: UnitSystem}, "systemInstruction": {Slot: SlotInput, Unit: UnitSystem},
	"system_prompt": {Slot: SlotInput, Unit: UnitSystem},
	"tools":         {Slot: SlotNone}, "functions": {Slot: SlotNone}, "tool_choice": {Slot: SlotNone},
	"toolChoice": {Slot: SlotNone}, "response_format": {Slot: SlotNone}, "toolConfig": {Slot: SlotNone},
	"tool_config": {Slot: SlotNone}, "usage": {Slot: SlotNone}, "usage_metadata": {Slot: SlotNone},
	"response_metadata": {Slot: SlotNone}, "id": {Slot: SlotNone}, "model": {Slot: SlotNone},
	"headers": {Slot: SlotLog}, "extra_headers": {Slot: SlotLog}, "api_key": {Slot: SlotLog}, "apiKey": {Slot: SlotLog},
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// firstText returns the text of the first of the named members that has one.
func firstText(n *leaf.Node, names []string) string {
	for _, name := range names {
		if t := textOf(n.Member(name)); t != "" {
			return t
		}
	}
	return ""
}

// textOf returns the text of a leaf, also of a string whose text happens to be JSON.
func textOf(n *leaf.Node) string {
	if n == nil || n.Kind != leaf.String && n.Kind != leaf.Number {
		return ""
	}
	return n.Text
}

// roleOf returns the role a message object names, and whether it names one at all. A role that is no known one is
// the name of the tool whose result the message is (R4).
func roleOf(v *leaf.Node) (Role, bool) {
	if name := textOf(v.Member("role")); name != "" {
		if r, ok := roles[name]; ok {
			return r, true
		}
		return RoleTool, true
	}
	if v.Member("role") != nil {
		return RoleNone, true
	}
	if r, ok := roles[textOf(v.Member("type"))]; ok {
		return r, true
	}
	if textOf(v.Member("type")) == "message" {
		return RoleNone, true
	}
	return RoleNone, false
}

// isMessage tells a message object: it names a role and holds content.
func isMessage(v *leaf.Node) bool {
	if v.Kind != leaf.Object {
		return false
	}
	if _, ok := roleOf(v); !ok {
		return false
	}
	for k := v.First; k != nil; k = k.Next {
		if holding(k.Name)&(holdsContent|holdsCalls) != 0 {
			return true
		}
	}
	return false
}

// constructor unwraps LangChain's serialised form of a message, {lc, id: [..., class], kwargs}.
func constructor(v *leaf.Node) (kwargs *leaf.Node, role Role) {
	if v.Member("lc") == nil {
		return nil, RoleNone
	}
	id := v.Member("id").Value()
	if id == nil || id.Kind != leaf.Array {
		return nil, RoleNone
	}
	for k := id.First; k != nil; k = k.Next {
		role = roles[k.Text]
	}
	if role == RoleNone {
		return nil, RoleNone
	}
	return v.Member("kwargs").Value(), role
}

// partOf tells what a block is: by its type, then by its members.
func partOf(v *leaf.Node) part {
	if v.Kind != leaf.Object {
		return partNone
	}
	best, typed, typedBy := len(partMembers), false, len(typeMembers)
	p := partNone
	for k := v.First; k != nil; k = k.Next {
		if i := slices.Index(typeMembers[:], k.Name); i >= 0 {
			typed = typed || i == 0
			if q, ok := partTypes[textOf(k)]; ok && i < typedBy {
				p, typedBy = q, i
			}
			continue
		}
		if i, ok := partRank[k.Name]; ok && i < best {
			best = i
		}
	}
	switch {
	case p != partNone:
		return p
	case typed || best == len(partMembers):
		return partNone
	}
	return partMembers[best].part
}

// typeMembers name a block's type.
var typeMembers = [...]string{"type", "content_type", "kind"}

var partRank = func() map[string]int {
	m := map[string]int{}
	for i, p := range partMembers {
		m[p.name] = i
	}
	return m
}()

// isSchema tells a JSON schema, or a map of {type, description} entries, from real arguments (section 4).
func isSchema(n *leaf.Node) bool {
	v := n.Value()
	if v == nil || v.Kind != leaf.Object || v.First == nil {
		return false
	}
	if v.Member("$schema") != nil || v.Member("properties") != nil && v.Member("type") != nil {
		return true
	}
	for k := v.First; k != nil; k = k.Next {
		e := k.Value()
		if e.Kind != leaf.Object || e.Member("type") == nil {
			return false
		}
	}
	return true
}
