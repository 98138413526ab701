package audit

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Schema returns the JSON Schema (draft 2020-12) of a policy file, indented. It refuses what CheckFile refuses; other is
// the top-level keys that a file may have besides, with anything in them.
func Schema(other ...string) []byte {
	doc := policyShape.schema()
	doc["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	doc["title"] = "agentleak.yaml"
	doc["description"] = "Policy of otelcol-agentleak: what is detected, scored, gated and redacted. The stanzas are those of the agentleak processor too."
	doc["type"] = "object"
	for _, key := range other {
		doc["properties"].(map[string]any)[key] = map[string]any{"description": "Of another AgentLeak program; no effect here."}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		panic("audit: the schema is no plain data: " + err.Error())
	}
	return b.Bytes()
}

func (s *shape) schema() map[string]any {
	out := map[string]any{}
	if s.doc != "" {
		out["description"] = s.doc
	}
	switch s.kind {
	case objects:
		out["type"], out["additionalProperties"] = "object", false
		fields := map[string]any{}
		for name, f := range s.fields {
			x := f.schema()
			if !slices.Contains(s.required, name) {
				optional(x)
			}
			fields[name] = x
		}
		out["properties"] = fields
		if s.required != nil {
			out["required"] = s.required
		}
		if s.oneOf != nil {
			var sets []any
			for _, key := range s.oneOf {
				set := map[string]any{key: map[string]any{"not": map[string]any{"type": "null"}}}
				sets = append(sets, map[string]any{"required": []string{key}, "properties": set})
			}
			out["anyOf"] = sets
		}
	case dict:
		out["type"], out["additionalProperties"] = "object", s.elem.schema()
		out["propertyNames"] = map[string]any{"pattern": s.key.String()}
		s.bound(out, "Properties")
	case list:
		out["type"], out["items"] = "array", s.elem.schema()
		if s.size > 0 {
			out["minItems"], out["maxItems"] = s.size, s.size
		}
		s.bound(out, "Items")
	case phrases:
		many := map[string]any{"type": "array", "items": s.elem.schema()}
		s.bound(many, "Items")
		out["anyOf"] = []any{s.elem.schema(), many}
	case integer, number:
		out["type"] = "number"
		if s.kind == integer {
			out["type"] = "integer"
			out["minimum"], out["maximum"] = -maxInteger, maxInteger
		}
		if s.min != nil {
			out["minimum"] = *s.min
		}
		if s.max != nil {
			out["maximum"] = *s.max
		}
	case boolean:
		out["type"] = "boolean"
	case phrase, date:
		out["type"] = "string"
		if s.enum != nil {
			out["enum"] = s.enum
		}
		if s.pattern != nil {
			out["pattern"] = s.pattern.String()
		}
		if s.except != "" {
			out["not"] = map[string]any{"const": s.except}
		}
		if s.length[1] > 0 {
			out["minLength"], out["maxLength"] = s.length[0], s.length[1]
		}
	}
	return out
}

// bound writes how many elements or keys there may be.
func (s *shape) bound(out map[string]any, of string) {
	if s.few > 0 {
		out["min"+of] = s.few
	}
	if s.many > 0 {
		out["max"+of] = s.many
	}
}

// optional lets a value be null, which is as if its key were not there.
func optional(x map[string]any) {
	x["type"] = []any{x["type"], "null"}
	if words, ok := x["enum"].([]string); ok {
		all := make([]any, 0, len(words)+1)
		for _, w := range words {
			all = append(all, w)
		}
		x["enum"] = append(all, nil)
	}
}
