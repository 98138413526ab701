package cli

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
)

// TestDemoSend sends the samples, and a span that has everything, over both protocols and wants all of it to arrive.
func TestDemoSend(t *testing.T) {
	samples, err := demoSamples()
	if err != nil {
		t.Fatal(err)
	}
	samples = append(samples, demoSample{name: "rich", traces: richTraces()})
	for _, key := range []string{"grpc", "http"} {
		var got []ptrace.Traces
		endpoint, stop := serveOTLP(t, key, freeEndpoint(t), func(td ptrace.Traces) { got = append(got, td) })
		for _, s := range samples {
			s.over = demoPort{key: key, endpoint: endpoint}
			if err := s.send(t.Context()); err != nil {
				t.Fatalf("%s over %s: %v", s.name, key, err)
			}
		}
		stop()
		for i, s := range samples {
			if diff := cmp.Diff(plainSpans(s.traces), plainSpans(got[i])); diff != "" {
				t.Errorf("%s over %s (-sent +received)\n%s", s.name, key, diff)
			}
		}
	}
}

// richTraces is a span with something in every field and every type of value.
func richTraces() ptrace.Traces {
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	rs.SetSchemaUrl("https://example.com/1")
	rs.Resource().Attributes().PutStr("service.name", "rich")
	ss := rs.ScopeSpans().AppendEmpty()
	ss.SetSchemaUrl("https://example.com/2")
	ss.Scope().SetName("scope")
	ss.Scope().SetVersion("v1")
	ss.Scope().Attributes().PutInt("n", 1)
	s := ss.Spans().AppendEmpty()
	s.SetTraceID(pcommon.TraceID{1})
	s.SetSpanID(pcommon.SpanID{2})
	s.SetParentSpanID(pcommon.SpanID{3})
	s.TraceState().FromRaw("a=b,c=d")
	s.SetFlags(1)
	s.SetName("span")
	s.SetKind(ptrace.SpanKindConsumer)
	s.SetStartTimestamp(1764000000000000001)
	s.SetEndTimestamp(1764000000000000002)
	s.Status().SetCode(ptrace.StatusCodeOk)
	a := s.Attributes()
	a.PutStr("str", "x")
	a.PutInt("int", -1)
	a.PutDouble("double", 0.5)
	a.PutBool("bool", true)
	a.PutEmptyBytes("bytes").FromRaw([]byte{0, 255})
	m := a.PutEmptyMap("map")
	m.PutStr("k", "v")
	m.PutEmptySlice("list").AppendEmpty().SetInt(1)
	l := a.PutEmptySlice("slice")
	l.AppendEmpty().SetStr("s")
	l.AppendEmpty().SetEmptyMap().PutBool("b", false)
	s.SetDroppedAttributesCount(4)
	s.SetDroppedEventsCount(5)
	s.SetDroppedLinksCount(6)
	e := s.Events().AppendEmpty()
	e.SetName("event")
	e.SetTimestamp(1764000000000000003)
	e.Attributes().PutStr("k", "v")
	e.SetDroppedAttributesCount(7)
	link := s.Links().AppendEmpty()
	link.SetTraceID(pcommon.TraceID{8})
	link.SetSpanID(pcommon.SpanID{9})
	link.Attributes().PutStr("k", "v")
	link.SetDroppedAttributesCount(10)
	s.CopyTo(ss.Spans().AppendEmpty())
	failed := ss.Spans().At(1)
	failed.SetSpanID(pcommon.SpanID{4})
	failed.Status().SetCode(ptrace.StatusCodeError)
	failed.Status().SetMessage("broken")
	return td
}

// plainSpans are all fields of spans that the SDK keeps, by span id, with attributes in no order.
func plainSpans(td ptrace.Traces) map[string]any {
	out := map[string]any{}
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				events, links := []any{}, []any{}
				for _, e := range s.Events().All() {
					events = append(events, []any{e.Name(), e.Timestamp(), e.Attributes().AsRaw(), e.DroppedAttributesCount()})
				}
				for _, l := range s.Links().All() {
					links = append(links, []any{l.TraceID(), l.SpanID(), l.Attributes().AsRaw(), l.DroppedAttributesCount()})
				}
				out[s.SpanID().String()] = []any{
					rs.SchemaUrl(), rs.Resource().Attributes().AsRaw(), ss.SchemaUrl(), ss.Scope().Name(), ss.Scope().Version(),
					ss.Scope().Attributes().AsRaw(), s.TraceID(), s.ParentSpanID(), s.TraceState().AsRaw(), s.Name(), s.Kind(), s.StartTimestamp(),
					s.EndTimestamp(), s.Attributes().AsRaw(), s.DroppedAttributesCount(), events, s.DroppedEventsCount(), links,
					s.DroppedLinksCount(), s.Status().Code(), s.Status().Message(),
					s.Flags() & 0xff, // the SDK adds what it knows of the parent
				}
			}
		}
	}
	return out
}

// serveOTLP receives traces until stop, one export after the other.
func serveOTLP(t testing.TB, key, endpoint string, receive func(ptrace.Traces)) (at string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", endpoint)
	if err != nil {
		t.Fatal(err)
	}
	r := &otlpReceiver{receive: receive}
	if key == "http" {
		s := &http.Server{Handler: r}
		go s.Serve(l)
		return l.Addr().String(), func() { s.Close() }
	}
	s := grpc.NewServer()
	ptraceotlp.RegisterGRPCServer(s, r)
	go s.Serve(l)
	return l.Addr().String(), s.Stop
}

type otlpReceiver struct {
	ptraceotlp.UnimplementedGRPCServer
	mu      sync.Mutex
	receive func(ptrace.Traces)
}

func (r *otlpReceiver) Export(_ context.Context, req ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.receive(req.Traces())
	return ptraceotlp.NewExportResponse(), nil
}

func (r *otlpReceiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	export := ptraceotlp.NewExportRequest()
	if err = errors.Join(err, export.UnmarshalProto(body)); err != nil || req.URL.Path != "/v1/traces" {
		http.Error(w, "not OTLP", http.StatusBadRequest)
		return
	}
	r.Export(req.Context(), export)
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// A standIn does for the demo what the collector does: receive, annotate, write.
type standIn struct {
	t           testing.TB
	grpc, http  string
	path        string
	mute, plain bool   // write nothing; write what came
	received    func() // called for each export
}

func newStandIn(t testing.TB, uris []string) *standIn {
	t.Helper()
	ports, err := demoPorts([]byte(uris[0][len("yaml:"):]))
	if err != nil {
		t.Fatal(err)
	}
	return &standIn{t: t, grpc: ports[0].endpoint, http: ports[1].endpoint, path: demoChanges(t, uris[1]).Exporters.File.Path}
}

func (c *standIn) run(ctx context.Context) error {
	var mu sync.Mutex
	receive := func(td ptrace.Traces) {
		mu.Lock()
		defer mu.Unlock()
		if c.received != nil {
			c.received()
		}
		if !c.mute {
			c.write(td)
		}
	}
	_, stopGRPC := serveOTLP(c.t, "grpc", c.grpc, receive)
	defer stopGRPC()
	_, stopHTTP := serveOTLP(c.t, "http", c.http, receive)
	defer stopHTTP()
	<-ctx.Done()
	return nil
}

func (c *standIn) write(td ptrace.Traces) {
	s := demoSample{traces: td}
	s.spans(func(span ptrace.Span) {
		if span.Status().Message() != "" {
			span.Status().SetMessage("upstream rejected key [gone]")
		}
		if a := span.Attributes(); span.ParentSpanID().IsEmpty() && !c.plain {
			a.PutDouble("agentleak.risk_index", 0.5)
			a.PutInt("agentleak.privacy_score", 50)
			a.PutStr("agentleak.verdict", "high_risk")
			a.PutInt("agentleak.wsl", 2)
			a.PutInt("agentleak.rho_s", 4)
			a.PutInt("agentleak.leaked.l2", 1)
			a.PutDouble("agentleak.channel.tool_call.risk_index", 0.5)
		}
	})
	line, err := new(ptrace.JSONMarshaler).MarshalTraces(td)
	if err != nil {
		c.t.Error(err)
	}
	f, err := os.OpenFile(c.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		c.t.Error(err)
		return
	}
	defer f.Close()
	f.Write(append(line, '\n'))
}
