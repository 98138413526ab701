package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/report"
)

// canaries are the values planted in testdata/canary*: in texts, and in all the names that telemetry has.
var canaries = []string{"4111 1111 1111 1111", "4111111111111111", "219-09-9999", "219099999", "ana@example.com", "hunter2-Zq9x!"}

// run executes a command in this process.
func run(t testing.TB, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(strings.NewReader(stdin), &out, &err, args...)
	return code, out.String(), err.String()
}

// TestNoCanaryEscapes greps all that the commands write for the values planted.
func TestNoCanaryEscapes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text, err := os.ReadFile("testdata/canary.txt")
	if err != nil {
		t.Fatal(err)
	}
	item, err := json.Marshal(map[string]any{"id": 1, "text": string(text)})
	if err != nil {
		t.Fatal(err)
	}
	all := file("all.yaml", "redaction: {levels: [1, 2, 3, 4]}")
	small := file("small.yaml", "vault: {levels: {1: 1}}")
	const otlp, run1 = "testdata/canary.json", "testdata/canary.run.json"
	_, report, _ := run(t, "", "audit", "--format", "json", run1)
	baseline := file("baseline.json", report)

	for _, args := range [][]string{
		{"audit", otlp, run1},
		{"audit", "--format", "json", otlp, run1},
		{"audit", "--format", "json", "--config", small, otlp, run1},
		{"audit", "--config", all, "--fail-under", "90", otlp, run1},
		{"audit", "--format", "markdown", otlp, run1},
		{"audit", "--format", "html", otlp, run1},
		{"audit", "--format", "sarif", otlp, run1},
		{"audit", "--format", "junit", "--config", small, otlp, run1},
		{"audit", "--baseline", baseline, otlp},
		{"audit", "--baseline", baseline, "--format", "html", run1},
		{"redact", "--config", all, otlp},
		{"redact", "--config", all, run1},
		{"redact", "--config", all, "testdata/canary.txt"},
		{"detect", "testdata/canary.txt"},
		{"detect", "--jsonl", file("items.jsonl", string(item))},
		// Errors must not quote what they are about.
		{"audit", "testdata/canary.txt"},
		{"audit", file("cut.json", `{"resourceSpans": [{"scopeSpans": [{"x": "`+string(text))},
		{"audit", file("type.json", `{"resourceSpans": [{"scopeSpans": [{"spans": [{"kind": "4111 1111 1111 1111"}]}]}]}`)},
		{"audit", file("id.json", `{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "ana@example.com"}]}]}]}`)},
		{"audit", file("int.json", `{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": {"intValue": "219-09-9999"}}]}]}]}`)},
		{"audit", file("channel.json", `{"events": [{"channel": "ana@example.com"}]}`)},
		{"audit", file("event.json", `{"events": ["ana@example.com"]}`)},
		{"audit", file("key.json", `{"ana@example.com": 1}`)},
		{"redact", file("odd.bin", "\x00\xff ana@example.com")},
		{"detect", file("latin1.txt", "\xe9 ana@example.com")},
		{"detect", "--jsonl", "testdata/canary.txt"},
	} {
		code, stdout, stderr := run(t, "", args...)
		if code == 0 && len(stdout) == 0 || code == 2 && len(stderr) == 0 {
			t.Errorf("%q: exit code %d and nothing written", args, code)
		}
		for _, value := range canaries {
			for _, out := range []string{stdout, html.UnescapeString(stdout)} {
				if strings.Contains(out, value) {
					t.Errorf("%q: %q in the output:\n%s", args, value, lineWith(out, value))
				}
			}
			if strings.Contains(stderr, value) {
				t.Errorf("%q: %q in the messages:\n%s", args, value, lineWith(stderr, value))
			}
		}
	}

	// The net holds only if it would catch something.
	_, stdout, _ := run(t, "", "audit", "--show-values", "--format", "json", otlp)
	for _, value := range canaries {
		if !strings.Contains(stdout, value) {
			t.Errorf("%q is not found in %s", value, otlp)
		}
	}
}

func lineWith(text, value string) string {
	for line := range strings.Lines(text) {
		if i := strings.Index(line, value); i >= 0 {
			return line[max(0, i-100):min(len(line), i+len(value)+100)]
		}
	}
	return ""
}

// TestNoFindingEscapes takes real-looking traces and wants no value that was found in a trace in the reports on it.
func TestNoFindingEscapes(t *testing.T) {
	a, err := newAuditor("", io.Discard, audit.Options{KeepValues: true})
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"captures/*.json", "reports/*.json", "dialects/*/*.json"} {
		m, _ := filepath.Glob(filepath.Join("../../testdata", pattern))
		files = append(files, m...)
	}
	findings := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".expected.json") {
			continue
		}
		in, err := open(file, nil)
		if err == nil {
			err = in.parse()
		}
		if err != nil {
			t.Error(err)
			continue
		}
		for _, parts := range group([]*input{in}, nil).order {
			var out bytes.Buffer
			set := report.Set{Traces: []report.Trace{auditTrace(a, parts, false)}}
			if err := errors.Join(set.WriteText(&out), set.WriteJSON(&out), set.WriteMarkdown(&out), set.WriteHTML(&out),
				set.WriteSARIF(&out), set.WriteJUnit(&out)); err != nil {
				t.Fatal(err)
			}
			written := out.String() + html.UnescapeString(out.String())
			for _, f := range auditTrace(a, parts, true).Findings {
				findings++
				// Shorter values are parts of ids and names by chance; tokens are no values.
				if len(f.Value) >= minKnown && !f.Token && strings.Contains(written, f.Value) {
					t.Errorf("%s: a value found is in a report:\n%s", file, lineWith(written, f.Value))
				}
			}
		}
	}
	if findings == 0 {
		t.Error("nothing found")
	}
}
