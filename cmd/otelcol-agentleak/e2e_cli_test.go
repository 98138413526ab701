package main

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.yaml.in/yaml/v3"
)

func TestVersionFlag(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := run(t, nil, "--version")
	if code != 0 || !strings.HasPrefix(stdout, name+" version "+version) {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

func TestComponentsCommand(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := run(t, nil, "components")
	var list struct {
		Processors []struct {
			Name      string
			Stability map[string]string
		}
	}
	if err := yaml.Unmarshal([]byte(stdout), &list); code != 0 || err != nil {
		t.Fatalf("exit code %d, %v, %q", code, err, stderr)
	}
	for _, p := range list.Processors {
		if p.Name == "agentleak" {
			if p.Stability["traces"] != "Alpha" {
				t.Errorf("stability: %v", p.Stability)
			}
			return
		}
	}
	t.Errorf("no agentleak in\n%s", stdout)
}

// TestValidateExamples runs `validate` on each example as a user does. TestShippedConfigs tells more.
func TestValidateExamples(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{
		"BACKEND_ENDPOINT=traces.internal:4317", "GATEWAY_ENDPOINT=gateway.internal:4317",
		"VENDOR_ENDPOINT=https://otlp.vendor.example", "VENDOR_API_KEY=of-no-value", "AGENTLEAK_KEY=of-no-value-of-no-value-of-no-value",
		"AGENTLEAK_STORAGE_KEY=of-no-value-of-no-value-of-no-value", "AGENTLEAK_STATE_DIR=" + t.TempDir(), "KAFKA_BROKERS=kafka.internal:9092",
	}
	files, err := filepath.Glob(filepath.Join(examples, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		if code, _, stderr := run(t, env, "validate", "--config", file); code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %q", filepath.Base(file), code, stderr)
		}
	}
}

// TestValidateRefuses wants a message with the component, the key and what is allowed, and no other.
func TestValidateRefuses(t *testing.T) {
	t.Parallel()
	defaults, err := filepath.Abs("default.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, config string
		want         []string
	}{
		{"five weights", "scoring: {weights: [1, 2, 3, 4, 5]}", []string{"scoring.weights", "5 elements", "exactly 4"}},
		{"a zero weight", "scoring: {weights: [1, 2, 0, 4]}", []string{"scoring.weights[2]", "0", "1 or more"}},
		{"level 5", "redaction: {levels: [5]}", []string{"redaction.levels[0]", "5", "1 to 4"}},
		{"level 5 of a type", "scoring: {level_overrides: {email: 5}}", []string{"scoring.level_overrides.email", "5", "1 to 4"}},
		{"an unknown channel", "privacy_policy: {forbid_channels: [email]}", []string{"privacy_policy.forbid_channels", `"email"`, "tool_call"}},
		{"an unknown style", "redaction: {style: blur}", []string{"redaction.style", `"blur"`, "token, placeholder, mask, hash, remove"}},
		{"a bad pattern", `custom_detectors: [{name: badge, pattern: "B(\\d+"}]`, []string{"custom_detectors[0]", "pattern", "missing closing )"}},
		{"a row of everything", "allow: [{reason: none}]", []string{"allow[0]", "holds of everything", "path, channel, data_type"}},
		{"a bad date", "allow: [{rule: email, expires: soon}]", []string{"allow[0].expires", `"soon"`, "a date such as"}},
		{"a negative count", "vault: {levels: {4: -1}}", []string{"vault", "levels.4", "-1", "0 or more"}},
		{"hold below zero", "hold: -1s", []string{"hold", "-1s", "0s or more"}},
	} {
		code, _, stderr := run(t, nil, "validate", "--config", defaults, "--config", "yaml:processors: {agentleak: {"+test.config+"}}")
		if code == 0 {
			t.Errorf("%s: accepted", test.name)
		}
		for _, want := range append(test.want, "processors", "agentleak") {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: no %q in %q", test.name, want, stderr)
			}
		}
		// The form is checked while the file is decoded, and confmap puts lines of its own around what that says.
		if n := strings.Count(stderr, ": want"); n > 1 {
			t.Errorf("%s: more than one message in %q", test.name, stderr)
		}
	}
}

// TestValidateWarns wants a row that has expired to be said once, and to be no error.
func TestValidateWarns(t *testing.T) {
	t.Parallel()
	defaults, err := filepath.Abs("default.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const rows = "allow: [{data_type: email, expires: 2020-01-31}, {rule: email, expires: 2199-01-31}, {path: a.b, expires: 2020-01-31T10:00:00Z}]"
	code, _, stderr := run(t, nil, "validate", "--config", defaults, "--config", "yaml:processors: {agentleak: {"+rows+"}}")
	const want = "warning: processors::agentleak: allow[0].expires: has passed, the row holds no more\n" +
		"warning: processors::agentleak: allow[2].expires: has passed, the row holds no more\n"
	if code != 0 || stderr != want {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// TestDemo runs the demo in both ways, one after the other, since both want the same ports.
func TestDemo(t *testing.T) {
	t.Parallel()
	t.Run("once", demoOnce)
	t.Run("serve", demoServe)
}

// demoOnce runs the demo while a port is taken, and audits what it leaves: the same scores, and no secret.
func demoOnce(t *testing.T) {
	const endpoint = "127.0.0.1:4317"
	if l, err := net.Listen("tcp", endpoint); err == nil { // else someone else has it
		defer l.Close()
	}
	dir := t.TempDir()
	code, stdout, stderr := run(t, nil, "demo", "--out", dir)
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %q\n%s", code, stderr, stdout)
	}
	file := filepath.Join(dir, "agentleak-traces.jsonl")
	for _, want := range []string{
		endpoint + " is taken: OTLP over gRPC listens on 127.0.0.1:", "Privacy score 52/100, high risk  (Risk Index 0.4800 = 12/25)",
		"(mcp, 4 spans over HTTP)", "upstream rejected key [REDACTED:L4:aws_access_key:", "audit " + file + "\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if n := strings.Count(stdout, "\n     after   ") - strings.Count(stdout, "[REDACTED:L4:"); n > 0 {
		t.Errorf("%d places as before in\n%s", n, stdout)
	}

	exported, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"4111 1111 1111 1111", "5105 1051 0510 5100", "219-09-999", "GB82WEST", "Sw0rdfish", "eyJ", "AKIA", "diabetes", "hypertension"} {
		if bytes.Contains(exported, []byte(secret)) {
			t.Errorf("%s was exported", secret)
		}
	}
	code, stdout, stderr = run(t, nil, "audit", "--format", "json", file)
	if code != 1 { // the samples leak, so the policy fails
		t.Errorf("audit: exit code %d, %q", code, stderr)
	}
	var audit struct {
		Traces []struct {
			ID    string  `json:"trace_id"`
			Index float64 `json:"risk_index"`
		}
	}
	if err := json.Unmarshal([]byte(stdout), &audit); err != nil {
		t.Fatal(err)
	}
	written := map[string]float64{}
	for line := range bytes.Lines(exported) {
		td, err := new(ptrace.JSONUnmarshaler).UnmarshalTraces(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					if ri, ok := s.Attributes().Get("agentleak.risk_index"); ok {
						written[s.TraceID().String()] = ri.Double()
					}
				}
			}
		}
	}
	if len(written) != 4 || len(audit.Traces) != len(written) {
		t.Errorf("%d traces have a score, %d were audited", len(written), len(audit.Traces))
	}
	for _, trace := range audit.Traces {
		if trace.Index != written[trace.ID] {
			t.Errorf("trace %s: the collector wrote %v, the audit of its tokens says %v", trace.ID, written[trace.ID], trace.Index)
		}
	}
}

// demoServe interrupts the demo that keeps listening. What it leaves goes to a new directory for temporary files.
func demoServe(t *testing.T) {
	tmp := t.TempDir()
	p := start(t, []string{"TMPDIR=" + tmp}, "demo", "--serve")
	until(t, "the demo to listen", func() bool {
		select {
		case <-p.ended:
			t.Fatalf("the demo ended: %s", p.stderr.String())
		default:
		}
		return strings.Contains(p.stdout.String(), "\n  HTTP  127.0.0.1:")
	})
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(t); code != 0 || p.stderr.String() != "" {
		t.Errorf("exit code %d, %q", code, p.stderr.String())
	}
	if files, err := filepath.Glob(filepath.Join(tmp, "*", "agentleak-traces.jsonl")); err != nil || len(files) != 1 {
		t.Errorf("files: %v (%v)", files, err)
	}
}
