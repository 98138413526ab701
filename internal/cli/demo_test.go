package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// TestDemoData wants the bundled samples to be those of testdata, each with one root and the place that is shown.
func TestDemoData(t *testing.T) {
	samples, err := demoSamples()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		got, err := demoData.ReadFile("demodata/" + s.name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("../../testdata/dialects", s.dialect, s.name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("demodata/%s.json is another than that of testdata/dialects/%s", s.name, s.dialect)
		}
		roots, shown := 0, 0
		s.spans(func(span ptrace.Span) {
			if span.ParentSpanID().IsEmpty() {
				roots++
			}
			if span.SpanID().String() == s.span && s.text(span) != "" {
				shown++
			}
		})
		if roots != 1 || shown != 1 {
			t.Errorf("%s: %d roots and %d places to show, want one of each", s.name, roots, shown)
		}
	}
	if files, err := fs.Glob(demoData, "demodata/*"); err != nil || len(files) != len(samples) {
		t.Errorf("%d samples of %v (%v)", len(samples), files, err)
	}
}

// TestDemoPorts wants the embedded endpoint where it is free, and another on the same address where not.
func TestDemoPorts(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	free := freeEndpoint(t)
	ports, err := demoPorts(demoDefaults(free, taken.Addr().String()))
	if err != nil {
		t.Fatal(err)
	}
	if p := ports[0]; p.endpoint != free || p.taken != "" {
		t.Errorf("a free port: got %+v", p)
	}
	host, _, err := net.SplitHostPort(ports[1].endpoint)
	if p := ports[1]; err != nil || host != "127.0.0.1" || p.endpoint == taken.Addr().String() || p.taken != taken.Addr().String() {
		t.Errorf("a taken port: got %+v (%v)", p, err)
	}
	changes := demoChanges(t, demoConfig(ports, "/tmp/$HOME/x y.jsonl", false))
	if got := changes.Receivers.OTLP.Protocols; len(got) != 1 || got["http"].Endpoint != ports[1].endpoint {
		t.Errorf("changed endpoints: got %v", got)
	}
	if got := changes.Exporters.File.Path; got != "/tmp/$$HOME/x y.jsonl" {
		t.Errorf("path: got %q", got)
	}
}

// TestDemo runs the command on a stand-in for the collector.
func TestDemo(t *testing.T) {
	fails := errors.New("no such luck")
	for _, test := range []struct {
		name    string
		collect func(*standIn, context.Context) error
		want    string // an error, if any
	}{
		{"works", (*standIn).run, ""},
		{"does not start", func(*standIn, context.Context) error { return fails }, fails.Error()},
		{"ends", func(*standIn, context.Context) error { return nil }, errDemoStopped.Error()},
		{"fails later", func(c *standIn, ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
			defer cancel()
			c.mute = true
			return errors.Join(c.run(ctx), fails)
		}, fails.Error()},
		{"fails at the end", func(c *standIn, ctx context.Context) error { return errors.Join(c.run(ctx), fails) }, fails.Error()},
		{"exports nothing", func(c *standIn, ctx context.Context) error { c.mute = true; return c.run(ctx) }, "0 of 32 spans came out"},
		{"does not score", func(c *standIn, ctx context.Context) error { c.plain = true; return c.run(ctx) }, "has no score"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "new", "dir")
			var out bytes.Buffer
			d := demo{w: &out, dir: dir, self: "agentleak", patience: time.Minute, opts: Options{
				DefaultConfig: demoDefaults(freeEndpoint(t), freeEndpoint(t)),
				RunCollector: func(ctx context.Context, uris []string) error {
					return test.collect(newStandIn(t, uris), ctx)
				},
			}}
			if strings.Contains(test.want, "came out") {
				d.patience = 100 * time.Millisecond
			}
			err := d.run(t.Context())
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got error %v, want %q", err, test.want)
				}
				if left, _ := os.ReadDir(dir); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, demoFile)
			for _, want := range []string{
				"Privacy score 50/100, high risk  (Risk Index 0.5000 = 2/4)", "tool_call            ██████████            0.5000",
				"secrets leaked       L1: 0, L2: 1, L3: 0, L4: 0\n", "before  upstream rejected key AKIA", "after   upstream rejected key [gone]",
				"4 spans over HTTP", "agentleak audit " + file + "\n",
			} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, out.String())
				}
			}
			if err := d.run(t.Context()); err == nil || !strings.Contains(err.Error(), "exists") {
				t.Errorf("a second run into the same directory: got error %v", err)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("the second run took what the first wrote: %v", err)
			}
		})
	}
}

// TestDemoInterrupted wants an end at once, wherever it is.
func TestDemoInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	d := demo{w: &bytes.Buffer{}, dir: t.TempDir(), patience: time.Minute, opts: Options{
		DefaultConfig: demoDefaults(freeEndpoint(t), freeEndpoint(t)),
		RunCollector: func(ctx context.Context, uris []string) error {
			c := newStandIn(t, uris)
			c.mute, c.received = true, interrupt
			return c.run(ctx)
		},
	}}
	if err := d.run(ctx); !errors.Is(err, errDemoStopped) {
		t.Errorf("got error %v", err)
	}
}

// TestDemoServes wants the collector to run until the interruption, which is no failure then.
func TestDemoServes(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	grpc, http := freeEndpoint(t), freeEndpoint(t)
	out := &watched{until: http + "\n", then: interrupt}
	d := demo{w: out, dir: t.TempDir(), patience: time.Minute, serve: true, opts: Options{
		DefaultConfig: demoDefaults(grpc, http),
		RunCollector: func(ctx context.Context, uris []string) error {
			if changes := demoChanges(t, uris[1]); len(changes.Processors) > 0 {
				t.Errorf("serves with other processors: %v", changes.Processors)
			}
			return newStandIn(t, uris).run(ctx)
		},
	}}
	if err := d.run(ctx); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "gRPC  "+grpc) {
		t.Errorf("no endpoint in\n%s", out.String())
	}
}

// watched calls a function when a text was written.
type watched struct {
	bytes.Buffer
	until string
	then  func()
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if strings.Contains(w.String(), w.until) {
		w.then()
	}
	return n, err
}

func freeEndpoint(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// demoDefaults is a configuration with the stanzas that the demo looks at.
func demoDefaults(grpc, http string) []byte {
	return fmt.Appendf(nil, "receivers: {otlp: {protocols: {grpc: {endpoint: %q}, http: {endpoint: %q}}}}", grpc, http)
}

type demoChange struct {
	Receivers struct {
		OTLP struct {
			Protocols map[string]struct{ Endpoint string }
		}
	}
	Processors map[string]any
	Exporters  struct {
		File struct{ Path string } `json:"file/traces"`
	}
}

func demoChanges(t testing.TB, uri string) (c demoChange) {
	t.Helper()
	text, ok := strings.CutPrefix(uri, "yaml:")
	if err := json.Unmarshal([]byte(text), &c); !ok || err != nil {
		t.Fatalf("%s: %v", uri, err)
	}
	return c
}
