package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVectors wants the traces refused that the reference refuses, and no others.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("../../testdata/oracle/trace_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID, Note string
			Trace    json.RawMessage
			Error    *struct{ Reason string }
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	// Documents that say nothing at all are an empty trace there and nothing here: {} is an empty OTLP export too.
	different := []string{"t033"}
	refused := 0
	for _, v := range file.Vectors {
		want := v.Error != nil && v.Error.Reason == "trace_rejected"
		docs, err := parse(v.Trace)
		if want {
			refused++
		}
		if got := err != nil; got != want {
			t.Errorf("%s (%s): refused: got %v (%v), want %v", v.ID, v.Note, got, err, want)
		}
		if err == nil && len(docs) != 1 && !slices.Contains(different, v.ID) {
			t.Errorf("%s (%s): got %d traces, want 1", v.ID, v.Note, len(docs))
		}
	}
	if refused < 10 {
		t.Errorf("only %d vectors are refused: is this the right file?", refused)
	}
}

// TestEventErrors wants each error to lead to the event.
func TestEventErrors(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{"events":{}}`, "line 1: events: want a list"},
		{`{"run_id":7}`, "line 1: run_id: want a string"},
		{`{"events":[{"channel":"log"},5]}`, "line 1: events[1]: want an object"},
		{`{"events":[{"channel":"log"},null]}`, "line 1: events[1]: want an object"},
		{`{"events":[{"content":"x"}]}`, "line 1: events[0].channel: want one of ["},
		{`{"events":[{"channel":"none"}]}`, "line 1: events[0].channel: want one of ["},
		{`{"events":[{"channel":null}]}`, "line 1: events[0].channel: want a string"},
		{`{"events":[{"channel":"log","content":5}]}`, "line 1: events[0].content: want a text, an object or a list"},
		{`{"events":[{"channel":"log","metadata":[]}]}`, "line 1: events[0].metadata: want an object"},
		{"{}\n{\"traces\":[{}]}", "line 2: traces[0]: want run_id or events"},
		{`{"traces":{}}`, "line 1: traces: want a list of AgentLeak traces"},
		{`[{"events":[]}, [1]]`, "line 1: [1]: " + errForeign.Error()},
	} {
		_, err := parse([]byte(test.in))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.in, err, test.want)
		}
	}
}

// TestOracleTraces audits the example traces of the reference: each event on its channel, each run under its id.
func TestOracleTraces(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/oracle/traces/*.json")
	if len(files) == 0 {
		t.Skip("shared/oracle/traces is not beside the repository")
	}
	code, stdout, stderr := run(t, "", append([]string{"audit", "--format", "json"}, files...)...)
	if code > 1 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var report struct {
		Traces []struct {
			ID       string   `json:"trace_id"`
			RI       *float64 `json:"risk_index"`
			Complete bool
			Findings []struct {
				Span    string `json:"span_name"`
				Channel string
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Traces) != len(files) {
		t.Errorf("got %d traces, want %d", len(report.Traces), len(files))
	}
	for _, tr := range report.Traces {
		if !strings.HasPrefix(tr.ID, "run_") || tr.RI == nil || !tr.Complete {
			t.Errorf("%s: no whole score", tr.ID)
		}
		for _, f := range tr.Findings {
			if f.Channel != f.Span && f.Channel != "none" {
				t.Errorf("%s: a finding of a %s event is on %s", tr.ID, f.Span, f.Channel)
			}
		}
	}
}
