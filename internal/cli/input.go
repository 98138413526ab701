package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// An input is one file as read.
type input struct {
	name string // as the user gave it; "-" is standard input
	data []byte
	docs []document
	// spans are the lines on which spans stand, of JSON only, once they were looked up (findSpans).
	spans map[string]int
}

// A document is one message of a file: spans, log records, or one AgentLeak trace as spans.
type document struct {
	traces ptrace.Traces // zero where there are none
	logs   plog.Logs
	run    *runInfo // of an AgentLeak trace
	line   int      // on which it begins, from 1; 0 in protobuf

	// The policies of the resources, once group has parted them.
	ofSpans, ofLogs []int
}

// runInfo is what an AgentLeak trace says of itself.
type runInfo struct{ id string }

func (d *document) hasTraces() bool { return d.traces != ptrace.Traces{} }
func (d *document) hasLogs() bool   { return d.logs != plog.Logs{} }

// errForeign is wrapped where a file is neither OTLP nor AgentLeak, and does not look like a broken one either.
var errForeign = errors.New("want OTLP traces or logs (JSON, JSON lines or protobuf) or AgentLeak trace JSON")

// open reads a file, or stdin for "-".
func open(name string, stdin io.Reader) (*input, error) {
	in := &input{name: name}
	var err error
	if name == "-" {
		in.data, err = io.ReadAll(stdin)
	} else {
		in.data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return in, nil
}

// reason drops the operation and the path of a file error, which the caller names.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// parse fills docs, by the content of the file and not by its name. An error says where, and nothing of what stands
// there: the decoders' own errors quote their input.
func (in *input) parse() error {
	docs, err := parse(in.data)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	in.docs = docs
	return nil
}

func parse(data []byte) ([]document, error) {
	if docs, ok := parseProto(data); ok {
		return docs, nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	if c := bytes.TrimSpace(data)[0]; c != '{' && c != '[' {
		return nil, errForeign
	}
	return parseJSON(data)
}

// parseJSON reads JSON values one after the other: one document, or lines of them.
func parseJSON(data []byte) ([]document, error) {
	var docs []document
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		start := dec.InputOffset()
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		at := lineOf(data, start)
		if err != nil {
			if docs == nil && !looksLikeOTLP(data) {
				return nil, fmt.Errorf("line %d: not valid JSON: %w", at, errForeign)
			}
			return nil, fmt.Errorf("line %d: not valid JSON", at)
		}
		before := len(docs)
		if docs, err = appendValue(docs, raw); err != nil {
			return nil, fmt.Errorf("line %d: %w", at, err)
		}
		for i := range docs[before:] {
			docs[before+i].line = at
		}
	}
}

// lineOf is the number of the line on which the next value after an offset begins.
func lineOf(data []byte, at int64) int {
	for int(at) < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\r' || data[at] == '\t') {
		at++
	}
	return 1 + bytes.Count(data[:at], []byte("\n"))
}

// looksLikeOTLP tells a broken export from a text, which redact passes through.
func looksLikeOTLP(data []byte) bool {
	for _, key := range []string{"resourceSpans", "resourceLogs", "resource_spans", "resource_logs"} {
		if bytes.Contains(data, []byte(`"`+key+`"`)) {
			return true
		}
	}
	return false
}

// appendValue appends what one JSON value holds; an array is a list of such values.
func appendValue(docs []document, raw json.RawMessage) ([]document, error) {
	if raw[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return nil, errForeign
		}
		for i, x := range list {
			if x[0] != '{' {
				return nil, fmt.Errorf("[%d]: %w", i, errForeign)
			}
			var err error
			if docs, err = appendValue(docs, x); err != nil {
				return nil, fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return docs, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, errForeign
	}
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := members[n]; ok {
				return true
			}
		}
		return false
	}
	switch {
	case has("resourceSpans", "resource_spans", "resourceLogs", "resource_logs"):
		var d document
		if has("resourceSpans", "resource_spans") {
			td, err := new(ptrace.JSONUnmarshaler).UnmarshalTraces(raw)
			if err != nil {
				return nil, errors.New("resourceSpans: not as OTLP JSON has it")
			}
			d.traces = td
		}
		if has("resourceLogs", "resource_logs") {
			ld, err := new(plog.JSONUnmarshaler).UnmarshalLogs(raw)
			if err != nil {
				return nil, errors.New("resourceLogs: not as OTLP JSON has it")
			}
			d.logs = ld
		}
		return append(docs, d), nil
	case has("events", "run_id"):
		d, err := agentLeakTrace(members)
		if err != nil {
			return nil, err
		}
		return append(docs, d), nil
	case has("traces"):
		return appendTraces(docs, members["traces"])
	case len(members) == 0:
		return docs, nil // an export without content
	}
	return nil, errForeign
}

func isForeign(err error) bool { return errors.Is(err, errForeign) }
