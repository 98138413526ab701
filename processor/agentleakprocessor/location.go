package agentleakprocessor

import (
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// A finding's location is made of attribute keys, event names and member names, and each of these may be a secret
// itself. So a location says nothing but what still stands on the redacted span, and of the names inside a value only
// those that the conventions give to the parts of a message.

// places are the fields of a redacted span, in the notation of audit.Finding.Where.
func places(span ptrace.Span) map[string]bool {
	at := map[string]bool{"name": true, "status.message": true, "trace_state": true}
	for k := range span.Attributes().All() {
		at[k] = true
	}
	for i, e := range span.Events().All() {
		event := "events[" + strconv.Itoa(i) + "]:"
		at[event+"name"] = true
		for k := range e.Attributes().All() {
			at[event+e.Name()+"/"+k] = true
		}
	}
	for i, l := range span.Links().All() {
		link := "links[" + strconv.Itoa(i) + "]"
		at[link+":trace_state"] = true
		for k := range l.Attributes().All() {
			at[link+"/"+k] = true
		}
	}
	return at
}

// location says where a finding stands: the field and the path inside its value. It is empty where the field's own name
// is not to be told.
func location(at map[string]bool, f *audit.Finding) string {
	if !at[f.Where] {
		return ""
	}
	path := tellable(f.Path)
	if path == "" || path[0] == '[' {
		return f.Where + path
	}
	return f.Where + "." + path
}

// tellable puts * for each step of a path that is neither a position nor a word of the conventions.
func tellable(path string) string {
	if path == "" {
		return ""
	}
	steps := strings.Split(strings.ReplaceAll(path, "|json|", "."), ".")
	for i, step := range steps {
		name, rest, _ := strings.Cut(step, "[")
		if name != "" && !words[name] {
			name = "*"
		}
		if rest != "" {
			rest = positions(rest)
		}
		steps[i] = name + rest
	}
	return strings.Join(steps, ".")
}

// positions writes "0][12]" as "[0][12]". A name that holds a bracket does not look like that.
func positions(s string) string {
	list, closed := strings.CutSuffix(s, "]")
	for p := range strings.SplitSeq(list, "][") {
		if n, err := strconv.ParseUint(p, 10, 16); !closed || err != nil || n > 9999 {
			return "[*]"
		}
	}
	return "[" + s
}

// words are the member names of messages, tool calls and documents in the conventions that we read.
var words = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`
		additional_kwargs args arguments assistant body choices content contents data delta description document
		documents error function function_call generations history id index input inputs instructions items kwargs
		message messages metadata name output outputs page_content parameters params parts prompt prompts query
		reasoning request response responses result results role system text thinking tool tool_call tool_calls
		tools type user value values`) {
		m[w] = true
	}
	return m
}()
