package gateway

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// The runs of this load have one story: a tool's result tells a password and an address of e-mail, the agent calls
// another tool with the password, and answers with the address. Each run has values of its own.
const spansPerTrace = 4

func password(n int) string { return fmt.Sprintf("gR7-%05d-kQ9!zT", n) }
func mail(n int) string     { return fmt.Sprintf("person%05d@example.org", n) }

func traceID(n int) (id pcommon.TraceID) {
	id[0] = 1
	// Ids are random in their low half, as those of SDKs are.
	binary.BigEndian.PutUint64(id[8:], uint64(n)*0x9E3779B97F4A7C15)
	binary.BigEndian.PutUint32(id[2:], uint32(n))
	return id
}

func traceNumber(id pcommon.TraceID) int { return int(binary.BigEndian.Uint32(id[2:])) }

// spansOf makes the spans of run n, each a request of its own; the root is the last.
func spansOf(n int) (out []ptrace.Traces) {
	span := func(id byte, name, operation string, kv ...string) {
		td := ptrace.NewTraces()
		rs := td.ResourceSpans().AppendEmpty()
		rs.Resource().Attributes().PutStr("service.name", "support")
		s := rs.ScopeSpans().AppendEmpty().Spans().AppendEmpty()
		s.SetTraceID(traceID(n))
		s.SetSpanID(pcommon.SpanID{id, byte(n), byte(n >> 8)})
		if id != 1 {
			s.SetParentSpanID(pcommon.SpanID{1, byte(n), byte(n >> 8)})
		}
		s.SetName(name)
		s.SetStartTimestamp(pcommon.Timestamp(1e18 + int64(id)*1e6))
		s.SetEndTimestamp(pcommon.Timestamp(1e18 + int64(id)*1e6 + 1e5))
		s.Attributes().PutStr("gen_ai.operation.name", operation)
		for i := 0; i < len(kv); i += 2 {
			s.Attributes().PutStr(kv[i], kv[i+1])
		}
		out = append(out, td)
	}
	span(2, "execute_tool lookup", "execute_tool", "gen_ai.tool.name", "lookup",
		"gen_ai.tool.call.result", fmt.Sprintf(`{"password": %q, "email": %q}`, password(n), mail(n)))
	span(3, "execute_tool login", "execute_tool", "gen_ai.tool.name", "login",
		"gen_ai.tool.call.arguments", fmt.Sprintf(`{"user": "support", "password": %q}`, password(n)))
	span(4, "chat", "chat", "gen_ai.request.model", "m",
		"gen_ai.output.messages", fmt.Sprintf(`[{"role":"assistant","parts":[{"type":"text","content":"It is %s."}]}]`, mail(n)))
	span(1, "invoke_agent support", "invoke_agent", "gen_ai.agent.name", "support",
		"gen_ai.output.messages", fmt.Sprintf(`[{"role":"assistant","parts":[{"type":"text","content":"It is %s."}]}]`, mail(n)))
	return out
}

// load sends runs and calls between after every twenty of them.
func load(t *testing.T, endpoint string, runs int, between func(sent int)) {
	t.Helper()
	conn, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := ptraceotlp.NewGRPCClient(conn)
	rng := rand.New(rand.NewPCG(3, 4))
	// Twenty runs at a time, their spans interleaved as they are when agents run side by side.
	const side = 20
	for first := 0; first < runs; first += side {
		var queue []ptrace.Traces
		for k := range spansPerTrace {
			for n := first; n < min(first+side, runs); n++ {
				queue = append(queue, spansOf(n)[k])
			}
		}
		for len(queue) > 0 {
			// Requests hold spans of several traces.
			n := min(1+rng.IntN(8), len(queue))
			td := ptrace.NewTraces()
			for _, q := range queue[:n] {
				q.ResourceSpans().MoveAndAppendTo(td.ResourceSpans())
			}
			queue = queue[n:]
			send(t, client, td)
		}
		between(first + side)
	}
}

// send sends until it is acknowledged, as an SDK does.
func send(t *testing.T, client ptraceotlp.GRPCClient, td ptrace.Traces) {
	t.Helper()
	eventually(t, "a request is acknowledged", func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_, err := client.Export(ctx, ptraceotlp.NewExportRequestFromTraces(td))
		return err == nil
	})
}

// sink is what gateways export to.
type sink struct {
	ptraceotlp.UnimplementedGRPCServer
	endpoint string

	mu   sync.Mutex
	runs map[pcommon.TraceID]*delivered
	bare int // spans that came with a value in them
}

// delivered is what came of one trace. A span may come twice: what a gateway had passed on when it was killed is sent
// again.
type delivered struct {
	spans  map[pcommon.SpanID]bool
	roots  int
	whole  bool // a root had the score of the whole trace
	marked bool // a span said that the trace is incomplete
}

func newSink(t *testing.T) *sink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{endpoint: l.Addr().String(), runs: map[pcommon.TraceID]*delivered{}}
	server := grpc.NewServer()
	ptraceotlp.RegisterGRPCServer(server, s)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
	return s
}

func (s *sink) Export(_ context.Context, r ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, rs := range r.Traces().ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				id := span.TraceID()
				d := s.runs[id]
				if d == nil {
					d = &delivered{spans: map[pcommon.SpanID]bool{}}
					s.runs[id] = d
				}
				d.spans[span.SpanID()] = true
				if span.ParentSpanID().IsEmpty() {
					d.roots++
					wsl, _ := span.Attributes().Get("agentleak.wsl")
					d.whole = d.whole || wsl.Int() == wholeWSL
				}
				if v, ok := span.Attributes().Get("agentleak.trace.complete"); ok && !v.Bool() {
					d.marked = true
				}
				for _, v := range span.Attributes().All() {
					if strings.Contains(v.AsString(), password(traceNumber(id))) {
						s.bare++
					}
				}
			}
		}
	}
	return ptraceotlp.NewExportResponse(), nil
}

// count returns the distinct spans that arrived.
func (s *sink) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.runs {
		n += len(d.spans)
	}
	return n
}

// await waits until all spans have arrived, or no more do.
func (s *sink) await(t *testing.T, runs int) {
	t.Helper()
	last, since := -1, time.Now()
	eventually(t, "spans stop to arrive", func() bool {
		if n := s.count(); n != last {
			last, since = n, time.Now()
		}
		return last == runs*spansPerTrace || time.Since(since) > 75*time.Second
	})
}

// verify checks all runs: none lost, none bare, each scored as a whole by one gateway, or marked.
func (s *sink) verify(t *testing.T, runs int) (whole, marked int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bare > 0 {
		t.Errorf("%d spans left unredacted", s.bare)
	}
	lost, unscored, double := 0, 0, 0
	for n := range runs {
		d := s.runs[traceID(n)]
		if d == nil {
			lost += spansPerTrace
			continue
		}
		lost += spansPerTrace - len(d.spans)
		switch {
		case d.whole:
			whole++
		case d.marked:
			marked++
		default:
			unscored++
		}
		if d.roots > 1 {
			double++
		}
	}
	if lost > 0 || unscored > 0 {
		t.Errorf("of %d traces: %d spans lost, %d traces neither scored as a whole nor marked", runs, lost, unscored)
	}
	t.Logf("%d traces: %d scored as a whole, %d marked incomplete, %d roots delivered twice", runs, whole, marked, double)
	return whole, marked
}
