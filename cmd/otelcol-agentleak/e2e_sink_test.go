package main

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
)

// A sink receives OTLP over gRPC and keeps it.
type sink struct {
	ptraceotlp.UnimplementedGRPCServer
	endpoint string

	mu  sync.Mutex
	got []ptrace.Traces
}

func newSink(t *testing.T) *sink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{endpoint: l.Addr().String()}
	server := grpc.NewServer()
	ptraceotlp.RegisterGRPCServer(server, s)
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return s
}

func (s *sink) Export(_ context.Context, req ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, req.Traces())
	return ptraceotlp.NewExportResponse(), nil
}

// spans are all that came, by id. A span that came again makes the test fail by its count.
func (s *sink) spans() map[string]ptrace.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	spans := map[string]ptrace.Span{}
	for _, td := range s.got {
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, span := range ss.Spans().All() {
					id := span.TraceID().String() + span.SpanID().String()
					for _, again := spans[id]; again; _, again = spans[id] {
						id += " again"
					}
					spans[id] = span
				}
			}
		}
	}
	return spans
}

// await waits until n spans have come.
func (s *sink) await(t *testing.T, n int) {
	t.Helper()
	until(t, "spans in the sink", func() bool { return len(s.spans()) >= n })
}

// bytes are those of all that came, as it is on the wire.
func (s *sink) bytes() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, td := range s.got {
		wire, err := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
		if err != nil {
			panic(err)
		}
		b.Write(wire)
	}
	return b.String()
}

// until waits for a condition, with a bound that only what is broken reaches.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
