package agentleakprocessor

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/agentleak/otelcol-agentleak/processor/agentleakprocessor/internal/metadatatest"
)

// A rig is a traces processor that runs between a test and a sink. Inside a synctest bubble its clock is the bubble's.
type rig struct {
	testing.TB
	*tracesProcessor
	sink *catcher
	tel  *componenttest.Telemetry
	logs *observer.ObservedLogs
}

// testKey makes tokens the same in each run.
const testKey = "the key of the tests, of no value"

func newRig(t testing.TB, change func(*Config)) *rig {
	t.Helper()
	return newRigOn(t, componenttest.NewNopHost(), change)
}

func newRigOn(t testing.TB, host component.Host, change func(*Config)) *rig {
	t.Helper()
	r := &rig{TB: t, sink: &catcher{}, tel: componenttest.NewTelemetry()}
	set := metadatatest.NewSettings(r.tel)
	core, logs := observer.New(zap.DebugLevel)
	r.logs, set.Logger = logs, zap.New(core)
	c := createDefaultConfig().(*Config)
	c.Redaction.Key = testKey
	if change != nil {
		change(c)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := NewFactory().CreateTraces(t.Context(), set, c, r.sink)
	if err != nil {
		t.Fatal(err)
	}
	r.tracesProcessor = p.(*tracesProcessor)
	if err := r.Start(t.Context(), host); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.finish)
	return r
}

// finish is at the end of each test that has a rig: it is stopped, if it was not, and each span is accounted for.
func (r *rig) finish() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.Shutdown(ctx); err != nil {
		r.Errorf("Shutdown: %v", err)
	}
	r.conserved()
}

// send wants a batch to be accepted. The batch is copied, so that a test may use it again.
func (r *rig) send(td ptrace.Traces) {
	r.Helper()
	if err := r.ConsumeTraces(context.Background(), clone(td)); err != nil {
		r.Fatalf("ConsumeTraces: %v", err)
	}
}

func (r *rig) stop() {
	r.Helper()
	if err := r.Shutdown(context.Background()); err != nil {
		r.Errorf("Shutdown: %v", err)
	}
}

// sum adds up a metric's points that have the attribute, if one is given as key and value.
func (r *rig) sum(name string, attr ...string) (n int64) {
	r.Helper()
	var rm metricdata.ResourceMetrics
	if err := r.tel.Reader.Collect(context.Background(), &rm); err != nil {
		r.Fatal(err)
	}
	for _, sm := range rm.ScopeMetrics {
		for _, m := range sm.Metrics {
			if m.Name != "otelcol_processor_"+name {
				continue
			}
			var points []metricdata.DataPoint[int64]
			switch d := m.Data.(type) {
			case metricdata.Sum[int64]:
				points = d.DataPoints
			case metricdata.Gauge[int64]:
				points = d.DataPoints
			}
			for _, p := range points {
				if len(attr) == 2 {
					if v, ok := p.Attributes.Value(attrKey(attr[0])); !ok || v.AsString() != attr[1] {
						continue
					}
				}
				n += p.Value
			}
		}
	}
	return n
}

// conserved wants each span accepted to be forwarded, lost with a reason, or still here.
func (r *rig) conserved() {
	r.Helper()
	in, out, lost := r.sum("incoming_items"), r.sum("outgoing_items"), r.sum("agentleak_lost_spans")
	in, lost = in+r.sum("agentleak_recovered_spans"), lost+r.sum("agentleak_kept_spans")
	held, queued := r.sum("agentleak_held_spans"), r.sum("agentleak_queued_spans")
	if in != out+lost+held+queued {
		r.Errorf("incoming %d != outgoing %d + lost %d + held %d + queued %d", in, out, lost, held, queued)
	}
	if got := int64(r.sink.count()); got != out {
		r.Errorf("outgoing %d, the sink took %d", out, got)
	}
}

// A catcher is the next component.
type catcher struct {
	mu     sync.Mutex
	got    []ptrace.Traces
	times  []time.Time
	refuse func(td ptrace.Traces) error // nil: takes all
}

func (s *catcher) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: true}
}

func (s *catcher) ConsumeTraces(_ context.Context, td ptrace.Traces) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		if err := s.refuse(td); err != nil {
			return err
		}
	}
	s.got = append(s.got, td)
	s.times = append(s.times, time.Now())
	return nil
}

// from returns what came after the first n requests.
func (s *catcher) from(n int) []ptrace.Traces {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got[n:])
}

func (s *catcher) setRefuse(f func(ptrace.Traces) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = f
}

func (s *catcher) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, td := range s.got {
		n += td.SpanCount()
	}
	return n
}

func (s *catcher) batches() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

// spans lists what came, in order.
func (s *catcher) spans() (all []ptrace.Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, td := range s.got {
		all = append(all, spansOf(td)...)
	}
	return all
}

// root is the one span without a parent of a trace.
func (s *catcher) root(t testing.TB, id pcommon.TraceID) ptrace.Span {
	t.Helper()
	for _, span := range s.spans() {
		if span.TraceID() == id && span.ParentSpanID().IsEmpty() {
			return span
		}
	}
	t.Fatalf("the root of %v did not come", id)
	return ptrace.Span{}
}

// json is all that came, as text.
func (s *catcher) json(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var b bytes.Buffer
	for _, td := range s.got {
		b.WriteString(toJSON(t, td))
	}
	return b.String()
}

func toJSON(t testing.TB, td ptrace.Traces) string {
	t.Helper()
	data, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func spansOf(td ptrace.Traces) (all []ptrace.Span) {
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				all = append(all, span)
			}
		}
	}
	return all
}

func clone(td ptrace.Traces) ptrace.Traces {
	c := ptrace.NewTraces()
	td.CopyTo(c)
	return c
}

// ours are a span's agentleak.* attributes.
func ours(span ptrace.Span) map[string]any {
	m := map[string]any{}
	for k, v := range span.Attributes().AsRaw() {
		if strings.HasPrefix(k, prefix) {
			m[k] = v
		}
	}
	return m
}

// metricsText is all that is measured, as text.
func (r *rig) metricsText() string {
	r.Helper()
	var rm metricdata.ResourceMetrics
	if err := r.tel.Reader.Collect(context.Background(), &rm); err != nil {
		r.Fatal(err)
	}
	return fmt.Sprintf("%+v", rm)
}
