package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// buildDir is where binary builds.
var buildDir string

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = os.MkdirTemp("", "otelcol-agentleak-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(buildDir)
	os.Exit(code)
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, name)
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-w", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// binary is the path of the program: that of AGENTLEAK_BIN, to test one that was built before, or a new one.
func binary(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if path := os.Getenv("AGENTLEAK_BIN"); path != "" {
		return path
	}
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A program is a running one.
type program struct {
	cmd            *exec.Cmd
	stdout, stderr output
	ended          chan struct{}
}

// output is a buffer that is read while a program writes to it.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// start runs the program in an empty directory, until the end of the test at the latest.
func start(t *testing.T, env []string, args ...string) *program {
	t.Helper()
	p := &program{cmd: exec.Command(binary(t), args...), ended: make(chan struct{})}
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		var exit *exec.ExitError
		if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
	})
	return p
}

// wait waits for the end and returns the exit code.
func (p *program) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(time.Minute):
		t.Fatalf("%v does not end\n%s", p.cmd.Args[1:], p.stderr.String())
		return 0
	}
}

// run runs the program to its end.
func run(t *testing.T, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	p := start(t, env, args...)
	code = p.wait(t)
	return code, p.stdout.String(), p.stderr.String()
}

// A collector is a program that runs pipelines.
type collector struct {
	*program
	endpoint string // of OTLP over gRPC
	metrics  string
}

// startCollector starts a collector from OTLP to a sink and waits until it is ready. Its exporter neither queues nor
// retries: the processor does.
func startCollector(t *testing.T, to *sink, agentleak string) *collector {
	t.Helper()
	c := &collector{endpoint: freeEndpoint(t), metrics: freeEndpoint(t)}
	_, port, err := net.SplitHostPort(c.metrics)
	if err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf(`
receivers: {otlp: {protocols: {grpc: {endpoint: %q}}}}
processors: {agentleak: {%s}}
exporters: {otlp_grpc: {endpoint: %q, tls: {insecure: true}, sending_queue: {enabled: false}, retry_on_failure: {enabled: false}}}
service:
  pipelines: {traces: {receivers: [otlp], processors: [agentleak], exporters: [otlp_grpc]}}
  telemetry:
    logs: {level: debug}
    metrics:
      level: normal
      readers: [{pull: {exporter: {prometheus: {host: 127.0.0.1, port: %s}}}}]
`, c.endpoint, agentleak, to.endpoint, port)
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c.program = start(t, nil, "--config", file)
	until(t, "the collector to be ready", func() bool {
		select {
		case <-c.ended:
			t.Fatalf("the collector ended:\n%s", c.stderr.String())
		default:
		}
		return strings.Contains(c.stderr.String(), "Everything is ready")
	})
	return c
}

// scrape reads the metrics.
func (c *collector) scrape(t *testing.T) string {
	t.Helper()
	resp, err := http.Get("http://" + c.metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %v", resp.Status, err)
	}
	return string(body)
}

// stop asks the collector to end, as a service manager does, and wants it to succeed.
func (c *collector) stop(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := c.wait(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, c.stderr.String())
	}
}

// freeEndpoint is one that nobody listens on for the moment.
func freeEndpoint(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
