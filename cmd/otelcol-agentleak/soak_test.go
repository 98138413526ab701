//go:build soak

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
)

var (
	soakFor   = flag.Duration("soak", 10*time.Minute, "how long TestSoak sends")
	soakStore = flag.Bool("soak-storage", false, "TestSoak keeps what is held in a file storage")
)

// A counter is a sink that keeps nothing.
type counter struct {
	ptraceotlp.UnimplementedGRPCServer
	spans, bytes atomic.Int64
}

func (c *counter) Export(_ context.Context, req ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	c.spans.Add(int64(req.Traces().SpanCount()))
	return ptraceotlp.NewExportResponse(), nil
}

// TestSoak sends to the program over OTLP as fast as it takes it: runs of ten spans, every fiftieth without an end, whose
// spans come on and on, and one runaway trace. It prints what the process takes and does, and wants memory to be flat and
// each span accepted to arrive.
func TestSoak(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	to, server := &counter{}, grpc.NewServer(grpc.MaxRecvMsgSize(64<<20))
	ptraceotlp.RegisterGRPCServer(server, to)
	go server.Serve(l)
	t.Cleanup(server.Stop)
	c := startSoak(t, l.Addr().String())

	ctx, stop := context.WithTimeout(context.Background(), *soakFor)
	defer stop()
	var sent, text, refused atomic.Int64
	var senders sync.WaitGroup
	for i := range 2 * runtime.GOMAXPROCS(0) {
		client := dial(t, c.endpoint)
		senders.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			models := make([]ptrace.Traces, 20)
			for m := range models {
				models[m] = soakRun(r, m%3 == 0)
			}
			endless := 0
			for n := 0; ctx.Err() == nil; n++ {
				td := ptrace.NewTraces()
				models[n%len(models)].CopyTo(td)
				id := pcommon.TraceID{byte(i), 1}
				for b := range 8 {
					id[15-b] = byte(uint64(n) * 0x9e3779b97f4a7c15 >> (8 * b))
				}
				switch {
				case n%50 == 0: // one of a hundred that never end
					endless++
					id = pcommon.TraceID{byte(i), 2, 14: byte(endless % 100)}
					dropRoot(td)
				case n%20 == 0: // the runaway
					id = pcommon.TraceID{1: 3}
					dropRoot(td)
				}
				spans := spansIn(td)
				for s, span := range spans {
					span.SetTraceID(id)
					if id[1] != 1 { // spans of their own
						span.SetSpanID(spanIDOf(uint64(i)<<48 | uint64(n)<<8 | uint64(s+1)))
					}
				}
				for ctx.Err() == nil {
					if _, err := client.Export(context.Background(), ptraceotlp.NewExportRequestFromTraces(td)); err == nil {
						sent.Add(int64(len(spans)))
						text.Add(int64(textIn(spans)))
						break
					}
					refused.Add(1)
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}

	var rss []float64
	begun, before, beforeText := time.Now(), int64(0), int64(0)
	every := max(*soakFor/20, time.Second)
	fmt.Printf("%8s %9s %9s %8s %9s %9s %8s %8s %8s\n", "time", "RSS MiB", "spans/s", "MB/s", "held MiB", "ledg. MiB", "traces", "evicted", "refused")
	for tick := time.NewTicker(every); ctx.Err() == nil; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			continue
		}
		m := c.scrape(t)
		mib := residentMiB(t, c.cmd.Process.Pid)
		rss = append(rss, mib)
		n, b := sent.Load(), text.Load()
		fmt.Printf("%8s %9.0f %9.0f %8.1f %9.1f %9.1f %8.0f %8.0f %8d\n", time.Since(begun).Round(time.Second), mib,
			float64(n-before)/every.Seconds(), float64(b-beforeText)/every.Seconds()/1e6, metric(m, "held_bytes")/(1<<20),
			metric(m, "ledger_bytes")/(1<<20), metric(m, "known_traces"), metric(m, "evicted_traces"), refused.Load())
		before, beforeText = n, b
	}
	senders.Wait()
	took := time.Since(begun)
	cpu := cpuSeconds(t, c.cmd.Process.Pid)
	last := c.scrape(t)
	c.stop(t)
	fmt.Printf("%d spans, %.0f MB of text in %s: %.0f spans/s; the collector took %.2f s of CPU for each second, %.0f ms for each MB\n",
		sent.Load(), float64(text.Load())/1e6, took.Round(time.Second), float64(sent.Load())/took.Seconds(), cpu/took.Seconds(), 1000*cpu/(float64(text.Load())/1e6))
	for _, name := range []string{"lost_spans", "released_spans", "evicted_traces", "withheld_values", "send_retries", "scored_traces"} {
		fmt.Printf("%s %.0f\n", name, metric(last, name))
	}
	// An exporter whose request timed out sends it again, though the sink may have it.
	got := to.spans.Load()
	fmt.Printf("%d spans came again: the exporter's retries\n", got-sent.Load())
	if got < sent.Load() {
		t.Errorf("%d spans were accepted, %d arrived", sent.Load(), got)
	}
	// The first half fills what there is to fill.
	if n := len(rss); n >= 8 {
		third, fourth := mean(rss[n/2:3*n/4]), mean(rss[3*n/4:])
		fmt.Printf("RSS in the third quarter %.0f MiB, in the fourth %.0f MiB\n", third, fourth)
		if fourth > 1.15*third {
			t.Errorf("memory grows: %.0f MiB, then %.0f", third, fourth)
		}
	}
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// startSoak starts a collector with the limits of a small machine.
func startSoak(t *testing.T, sink string) *collector {
	t.Helper()
	c := &collector{endpoint: freeEndpoint(t), metrics: freeEndpoint(t)}
	_, port, _ := net.SplitHostPort(c.metrics)
	storage, extensions := "", ""
	if *soakStore {
		storage = `, redaction: {key: of no value}, storage: file_storage, storage_key: "a key of no value"`
		extensions = fmt.Sprintf("extensions: {file_storage: {directory: %q}}", t.TempDir())
	}
	config := fmt.Sprintf(`
receivers: {otlp: {protocols: {grpc: {endpoint: %q, max_recv_msg_size_mib: 64}}}}
%s
processors:
  memory_limiter: {check_interval: 1s, limit_mib: 1500, spike_limit_mib: 300}
  agentleak: {hold: 10s, grace: 2s, limits: {held_bytes: 134217728}%s}
exporters: {otlp_grpc: {endpoint: %q, tls: {insecure: true}}}
service:
  %s
  pipelines: {traces: {receivers: [otlp], processors: [memory_limiter, agentleak], exporters: [otlp_grpc]}}
  telemetry:
    metrics: {level: normal, readers: [{pull: {exporter: {prometheus: {host: 127.0.0.1, port: %s}}}}]}
`, c.endpoint, extensions, storage, sink, map[bool]string{true: "extensions: [file_storage]"}[*soakStore], port)
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c.program = start(t, nil, "--config", file)
	until(t, "the collector to be ready", func() bool { return strings.Contains(c.stderr.String(), "Everything is ready") })
	return c
}

// soakRun is a run of an agent of ten spans, some 14 kB of text.
func soakRun(r *rand.Rand, secrets bool) ptrace.Traces {
	words := strings.Fields("the customer would like to know whether their parcel has left the warehouse and when it should arrive please look")
	prose := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		if secrets && r.IntN(3) == 0 {
			b.WriteString("card " + card(r.IntN(9000)))
		}
		return b.String()
	}
	td := ptrace.NewTraces()
	ss := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty()
	history := ""
	for i := range 10 {
		s := ss.Spans().AppendEmpty()
		s.SetSpanID(spanIDOf(uint64(i + 1)))
		s.SetName("step")
		a := s.Attributes()
		switch {
		case i == 0:
			a.PutStr("gen_ai.operation.name", "invoke_agent")
			a.PutStr("gen_ai.agent.name", "clerk")
			a.PutStr("gen_ai.output.messages", text([]any{map[string]any{"role": "assistant", "parts": []any{map[string]any{"type": "text", "content": prose(600)}}}}))
			continue
		case i%2 == 0:
			a.PutStr("gen_ai.operation.name", "execute_tool")
			a.PutStr("gen_ai.tool.name", "lookup")
			a.PutStr("gen_ai.tool.call.arguments", text(map[string]any{"query": prose(200)}))
		default:
			history += prose(400)
			a.PutStr("gen_ai.operation.name", "chat")
			a.PutStr("gen_ai.input.messages", text([]any{map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "content": history}}}}))
			a.PutStr("gen_ai.output.messages", text([]any{map[string]any{"role": "assistant", "parts": []any{map[string]any{"type": "text", "content": prose(500)}}}}))
		}
		s.SetParentSpanID(spanIDOf(1))
	}
	return td
}

func dropRoot(td ptrace.Traces) {
	td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().RemoveIf(func(s ptrace.Span) bool { return s.ParentSpanID().IsEmpty() })
}

func textIn(spans []ptrace.Span) (n int) {
	for _, s := range spans {
		for _, v := range s.Attributes().All() {
			n += len(v.Str())
		}
	}
	return n
}

// metric adds up the points of one of ours.
func metric(scraped, name string) (sum float64) {
	for _, m := range regexp.MustCompile(`(?m)^otelcol_processor_agentleak_`+name+`(?:_By|_bytes|_total|_spans|_traces|_values|_retries)*(?:\{[^}]*\})? ([0-9.e+]+)$`).FindAllStringSubmatch(scraped, -1) {
		v, _ := strconv.ParseFloat(m[1], 64)
		sum += v
	}
	return sum
}

// residentMiB is the memory of a process that is in RAM.
func residentMiB(t *testing.T, pid int) float64 {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("no /proc: ", err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(data)
	if m == nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024
}

// cpuSeconds is what a process spent, at the usual hundred ticks a second.
func cpuSeconds(t *testing.T, pid int) float64 {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / 100
}
