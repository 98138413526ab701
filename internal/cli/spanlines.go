package cli

import (
	"bytes"
	"encoding/json"
	"strings"
)

// findSpans looks up on which line of a JSON file each span stands. Other forms have no lines. It reads data once more,
// so it is for the formats that point at lines only.
func (in *input) findSpans() {
	if t := bytes.TrimSpace(bytes.TrimPrefix(in.data, []byte("\ufeff"))); len(t) == 0 || t[0] != '{' && t[0] != '[' {
		return
	}
	type level struct {
		object bool
		name   string // of the member that is the current one, or that the list is
		key    bool   // the next token is a member's name
	}
	in.spans = map[string]int{}
	var path []level
	line, counted := 1, int64(0)
	data := in.data[len(in.data)-len(bytes.TrimPrefix(in.data, []byte("\ufeff"))):]
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return // the end: the file was parsed before
		}
		var top *level
		if len(path) > 0 {
			top = &path[len(path)-1]
		}
		switch d, _ := token.(json.Delim); {
		case d == '{' || d == '[':
			next := level{object: d == '{', key: d == '{'}
			if top != nil {
				next.name, top.key = top.name, top.object
			}
			path = append(path, next)
			continue
		case d == '}' || d == ']':
			path = path[:len(path)-1]
			continue
		case top != nil && top.key:
			top.name, _ = token.(string)
			top.key = false
			continue
		}
		if top == nil || !top.object {
			continue
		}
		top.key = true
		id, ok := token.(string)
		if !ok || top.name != "spanId" && top.name != "span_id" || len(path) < 2 || path[len(path)-2].name != "spans" {
			continue
		}
		at := dec.InputOffset()
		line += bytes.Count(data[counted:at], []byte("\n"))
		counted = at
		if id = strings.ToLower(id); in.spans[id] == 0 {
			in.spans[id] = line
		}
	}
}
