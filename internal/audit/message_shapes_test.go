package audit

import (
	"encoding/json"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// A message in the form of the semantic conventions, taken apart to be written in another (section 3).
type message struct {
	Role         string
	Name         string
	FinishReason string `json:"finish_reason"`
	Parts        []struct {
		Type, Content, ID, Name string
		Arguments               any
		Response, Result        any
	}
}

func (m *message) text() (s string) {
	for _, p := range m.Parts {
		if p.Type == "text" {
			s += p.Content
		}
	}
	return s
}

type object = map[string]any

func jsonText(x any) string {
	if s, ok := x.(string); ok {
		return s
	}
	data, _ := json.Marshal(x)
	return string(data)
}

func parseMessages(v pcommon.Value) ([]message, bool) {
	var ms []message
	if json.Unmarshal([]byte(v.AsString()), &ms) != nil || len(ms) == 0 {
		return nil, false
	}
	for _, m := range ms {
		for _, p := range m.Parts {
			switch p.Type {
			case "text", "tool_call", "tool_call_response":
			default:
				return nil, false
			}
		}
		if len(m.Parts) == 0 {
			return nil, false
		}
	}
	return ms, true
}

// toolNames maps ids of calls to the tools' names, for shapes whose results name the tool.
func toolNames(ms []message) map[string]string {
	names := map[string]string{}
	for _, m := range ms {
		for _, p := range m.Parts {
			if p.Type == "tool_call" {
				names[p.ID] = p.Name
			}
		}
	}
	return names
}

func result(p any, q any) any {
	if p == nil {
		return q
	}
	return p
}

// shapes write a message list in each shape of section 3.
var shapes = map[string]func([]message) any{
	"openai chat": openAI,
	"openai responses": func(ms []message) any {
		var out []any
		for _, m := range ms {
			for _, p := range m.Parts {
				switch p.Type {
				case "text":
					typ := "input_text"
					if m.Role == "assistant" {
						typ = "output_text"
					}
					out = append(out, object{"type": "message", "role": m.Role, "content": []any{object{"type": typ, "text": p.Content}}})
				case "tool_call":
					out = append(out, object{"type": "function_call", "call_id": p.ID, "name": p.Name, "arguments": jsonText(p.Arguments)})
				case "tool_call_response":
					out = append(out, object{"type": "function_call_output", "call_id": p.ID, "output": jsonText(result(p.Response, p.Result))})
				}
			}
		}
		return out
	},
	"anthropic": blocks(func(m *message, names map[string]string) (string, []any) {
		role := m.Role
		var out []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, object{"type": "text", "text": p.Content})
			case "tool_call":
				out = append(out, object{"type": "tool_use", "id": p.ID, "name": p.Name, "input": p.Arguments})
			case "tool_call_response":
				role = "user"
				out = append(out, object{"type": "tool_result", "tool_use_id": p.ID, "content": []any{object{"type": "text", "text": jsonText(result(p.Response, p.Result))}}})
			}
		}
		return role, out
	}, "content"),
	"gemini": blocks(func(m *message, names map[string]string) (string, []any) {
		role := map[string]string{"assistant": "model", "tool": "user"}[m.Role]
		if role == "" {
			role = m.Role
		}
		var out []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, object{"text": p.Content})
			case "tool_call":
				out = append(out, object{"functionCall": object{"id": p.ID, "name": p.Name, "args": p.Arguments}})
			case "tool_call_response":
				out = append(out, object{"functionResponse": object{"id": p.ID, "name": names[p.ID], "response": object{"result": result(p.Response, p.Result)}}})
			}
		}
		return role, out
	}, "parts"),
	"bedrock": blocks(func(m *message, names map[string]string) (string, []any) {
		role := m.Role
		var out []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, object{"text": p.Content})
			case "tool_call":
				out = append(out, object{"toolUse": object{"toolUseId": p.ID, "name": p.Name, "input": p.Arguments}})
			case "tool_call_response":
				role = "user"
				out = append(out, object{"toolResult": object{"toolUseId": p.ID, "status": "success", "content": []any{object{"text": jsonText(result(p.Response, p.Result))}}}})
			}
		}
		return role, out
	}, "content"),
	"genkit": blocks(func(m *message, names map[string]string) (string, []any) {
		role := m.Role
		if role == "assistant" {
			role = "model"
		}
		var out []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, object{"text": p.Content})
			case "tool_call":
				out = append(out, object{"toolRequest": object{"ref": p.ID, "name": p.Name, "input": p.Arguments}})
			case "tool_call_response":
				out = append(out, object{"toolResponse": object{"ref": p.ID, "name": names[p.ID], "output": result(p.Response, p.Result)}})
			}
		}
		return role, out
	}, "content"),
	"vercel": blocks(func(m *message, names map[string]string) (string, []any) {
		var out []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, object{"type": "text", "text": p.Content})
			case "tool_call":
				out = append(out, object{"type": "tool-call", "toolCallId": p.ID, "toolName": p.Name, "input": p.Arguments})
			case "tool_call_response":
				out = append(out, object{"type": "tool-result", "toolCallId": p.ID, "toolName": names[p.ID], "output": object{"type": "json", "value": result(p.Response, p.Result)}})
			}
		}
		return m.Role, out
	}, "content"),
	"langchain": func(ms []message) any { return langChain(ms, false) },
	"langchain constructor": func(ms []message) any {
		return langChain(ms, true)
	},
	"haystack": blocks(func(m *message, names map[string]string) (string, []any) {
		var out []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, object{"text": p.Content})
			case "tool_call":
				out = append(out, object{"tool_call": object{"id": p.ID, "tool_name": p.Name, "arguments": p.Arguments}})
			case "tool_call_response":
				out = append(out, object{"tool_call_result": object{"result": jsonText(result(p.Response, p.Result)), "origin": object{"id": p.ID, "tool_name": names[p.ID]}, "error": false}})
			}
		}
		return m.Role, out
	}, "content"),
	"semantic kernel": blocks(func(m *message, names map[string]string) (string, []any) {
		var out []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, object{"content_type": "text", "text": p.Content})
			case "tool_call":
				out = append(out, object{"content_type": "function_call", "id": p.ID, "name": p.Name, "arguments": jsonText(p.Arguments)})
			case "tool_call_response":
				out = append(out, object{"content_type": "function_result", "id": p.ID, "name": names[p.ID], "result": jsonText(result(p.Response, p.Result))})
			}
		}
		return m.Role, out
	}, "items"),
	"request": func(ms []message) any {
		return object{"model": "m", "messages": openAI(ms), "temperature": 0, "tools": []any{object{"type": "function", "function": object{"name": "x"}}}}
	},
}

func blocks(of func(*message, map[string]string) (string, []any), member string) func([]message) any {
	return func(ms []message) any {
		names := toolNames(ms)
		var out []any
		for i := range ms {
			role, bs := of(&ms[i], names)
			out = append(out, object{"role": role, member: bs})
		}
		return out
	}
}

func langChain(ms []message, lc bool) any {
	types := map[string][2]string{"user": {"human", "HumanMessage"}, "assistant": {"ai", "AIMessage"}, "tool": {"tool", "ToolMessage"}, "system": {"system", "SystemMessage"}}
	var out []any
	add := func(role string, o object) {
		typ := types[role]
		o["type"] = typ[0]
		if lc {
			out = append(out, object{"lc": 1, "type": "constructor", "id": []any{"langchain_core", "messages", typ[1]}, "kwargs": o})
			return
		}
		out = append(out, o)
	}
	for _, m := range ms {
		o := object{"content": m.text()}
		var calls []any
		done := false
		for _, p := range m.Parts {
			switch p.Type {
			case "tool_call":
				calls = append(calls, object{"name": p.Name, "args": p.Arguments, "id": p.ID, "type": "tool_call"})
			case "tool_call_response":
				add("tool", object{"content": jsonText(result(p.Response, p.Result)), "tool_call_id": p.ID})
				done = true
			}
		}
		if calls != nil {
			o["tool_calls"] = calls
		}
		if !done {
			add(m.Role, o)
		}
	}
	return out
}

func openAI(ms []message) any {
	var out []any
	for _, m := range ms {
		o := object{"role": m.Role}
		var calls []any
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				o["content"] = m.text()
			case "tool_call":
				calls = append(calls, object{"id": p.ID, "type": "function", "function": object{"name": p.Name, "arguments": jsonText(p.Arguments)}})
			case "tool_call_response":
				out = append(out, object{"role": "tool", "tool_call_id": p.ID, "content": jsonText(result(p.Response, p.Result))})
			}
		}
		if calls != nil {
			o["tool_calls"] = calls
			if o["content"] == nil {
				o["content"] = nil
			}
		}
		if len(o) > 1 {
			out = append(out, o)
		}
	}
	return out
}
