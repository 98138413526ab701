//go:build sdk

package sdk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// install installs what package-lock.json names, unless it is there. A stamp tells a whole installation from a broken one.
func install(t *testing.T, npm string) {
	t.Helper()
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	stamp := filepath.Join("node_modules", ".agentleak-lock")
	if have, err := os.ReadFile(stamp); err == nil && bytes.Equal(have, lock) {
		return
	}
	began := time.Now()
	if out, err := exec.Command(npm, "ci").CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	t.Logf("npm ci took %s", time.Since(began).Round(time.Second))
	if err := os.WriteFile(stamp, lock, 0o600); err != nil {
		t.Fatal(err)
	}
}

// build is the path of the program: that of AGENTLEAK_BIN, to test one that was built before, or a new one.
func build(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("AGENTLEAK_BIN"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "otelcol-agentleak")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-w", "-o", path, "../../cmd/otelcol-agentleak")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// startModel starts the scripted model and returns its address. It ends with the test, at the end of its input.
func startModel(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("node", "model.mjs")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the model does not start: %v", err)
	}
	return strings.TrimSpace(address)
}

// runScript runs a library to its end. It reaches this machine only.
func runScript(t *testing.T, lib library, model, otlp string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "--import", "./local-only.mjs", filepath.Join("libs", lib.script+".mjs"))
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"MODEL_URL=" + model, "OPENAI_BASE_URL=" + model + "/v1", "ANTHROPIC_BASE_URL=" + model,
		"GOOGLE_GEMINI_BASE_URL=" + model, "LANGSMITH_ENDPOINT=" + model,
		"OPENAI_API_KEY=none", "ANTHROPIC_API_KEY=none", "GEMINI_API_KEY=none", "LANGSMITH_API_KEY=none",
		"LANGFUSE_PUBLIC_KEY=none", "LANGFUSE_SECRET_KEY=none",
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + otlp, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
		"TRACELOOP_TELEMETRY=false", "MASTRA_TELEMETRY_DISABLED=1",
	}
	if strings.HasPrefix(lib.script, "langsmith") { // LangChain would trace to it too
		cmd.Env = append(cmd.Env, "LANGSMITH_TRACING=true", "LANGSMITH_OTEL_ENABLED=true")
	}
	cmd.Env = append(cmd.Env, lib.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", lib.script, err, out)
	}
}

// A collector writes what it receives to files twice: raw, and safe behind agentleak. Traces and logs have a file each,
// because the file exporter ends for both when one of its pipelines does.
type collector struct {
	cmd           *exec.Cmd
	endpoint, log string
	dir           string
}

// startCollector starts one and waits until it is ready.
func startCollector(t *testing.T, bin string) *collector {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	c := &collector{endpoint: "http://" + address, dir: dir, log: filepath.Join(dir, "log.txt")}
	config := filepath.Join(dir, "config.yaml")
	err = os.WriteFile(config, fmt.Appendf(nil, `
receivers: {otlp: {protocols: {http: {endpoint: %q}}}}
processors: {agentleak: {hold: 3s, grace: 500ms}}
exporters:
  file/raw-traces: {path: raw-traces.jsonl}
  file/raw-logs: {path: raw-logs.jsonl}
  file/safe-traces: {path: safe-traces.jsonl}
  file/safe-logs: {path: safe-logs.jsonl}
service:
  pipelines:
    traces/raw: {receivers: [otlp], exporters: [file/raw-traces]}
    logs/raw: {receivers: [otlp], exporters: [file/raw-logs]}
    traces: {receivers: [otlp], processors: [agentleak], exporters: [file/safe-traces]}
    logs: {receivers: [otlp], processors: [agentleak], exporters: [file/safe-logs]}
  telemetry: {logs: {level: debug}, metrics: {level: none}}
`, address), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	logFile, err := os.Create(c.log)
	if err != nil {
		t.Fatal(err)
	}
	defer logFile.Close()
	c.cmd = exec.Command(bin, "--config", config)
	c.cmd.Dir, c.cmd.Stdout, c.cmd.Stderr = dir, logFile, logFile
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	})
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(c.log)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("Everything is ready")) {
			return c
		}
		if time.Now().After(deadline) {
			t.Fatalf("the collector does not become ready:\n%s", text)
		}
	}
}

// stop ends the collector as a service manager does: it releases what it holds.
func (c *collector) stop(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Wait(); err != nil {
		text, _ := os.ReadFile(c.log)
		t.Errorf("the collector ended with %v:\n%s", err, text)
	}
}

// files are those of one kind that hold anything.
func (c *collector) files(kind string) []string {
	var files []string
	for _, signal := range []string{"traces", "logs"} {
		path := filepath.Join(c.dir, kind+"-"+signal+".jsonl")
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			files = append(files, path)
		}
	}
	return files
}

// An auditReport is what the test reads of agentleak.report/1.
type auditReport struct {
	Traces []struct {
		Findings []struct {
			Channel   string `json:"channel"`
			Disclosed bool   `json:"disclosed"`
			Value     string `json:"value"`
		} `json:"findings"`
	} `json:"traces"`
}

func audit(t *testing.T, bin string, files []string) auditReport {
	t.Helper()
	if len(files) == 0 {
		t.Fatal("no telemetry arrived")
	}
	cmd := exec.Command(bin, append([]string{"audit", "--format", "json", "--show-values"}, files...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: the policy failed
		t.Fatalf("audit: %v\n%s", err, &stderr)
	}
	var report auditReport
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	return report
}

// leaks are the channels of all disclosures, over all traces of a run. A value that story.mjs does not plant is named by
// itself.
func (r auditReport) leaks() leaks {
	found := leaks{}
	for _, trace := range r.Traces {
		for _, f := range trace.Findings {
			if !f.Disclosed {
				continue
			}
			name := f.Value
			if i := slices.IndexFunc(secrets, func(s secret) bool { return s.value == f.Value }); i >= 0 {
				name = secrets[i].name
			}
			if !slices.Contains(found[name], f.Channel) {
				found[name] = append(found[name], f.Channel)
			}
		}
	}
	return found.sorted()
}

// found reports whether the audit found a secret at all.
func (r auditReport) found(s secret) bool {
	for _, trace := range r.Traces {
		for _, f := range trace.Findings {
			if f.Value == s.value {
				return true
			}
		}
	}
	return false
}

// rootScores are the risk indices on exported spans without a parent.
func rootScores(t *testing.T, files []string) []float64 {
	t.Helper()
	var scores []float64
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(line)
			if err != nil {
				t.Fatal(err)
			}
			for _, rs := range td.ResourceSpans().All() {
				for _, ss := range rs.ScopeSpans().All() {
					for _, span := range ss.Spans().All() {
						if ri, ok := span.Attributes().Get("agentleak.risk_index"); ok && span.ParentSpanID().IsEmpty() {
							scores = append(scores, ri.Double())
						}
					}
				}
			}
		}
	}
	return scores
}
