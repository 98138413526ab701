package agentleakprocessor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processorhelper"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// prose is some text of an agent's work without anything in it.
func prose(r *rand.Rand, n int) string {
	words := strings.Fields(`the customer would like to know whether their parcel has left the warehouse and when it
		should arrive; please look at the tracking page, compare it with the schedule of 2025-11-03, and answer in
		two sentences. Tool version 1.14.2 returned 17 rows, none of them overdue: see page 4 of the manual (draft)`)
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
	return b.String()
}

// benchTrace is a run of ten spans with some 20 kB of text: an agent, and below it model and tool calls of which each
// model call repeats the conversation so far, as they do. With secrets, every third text holds one or two.
func benchTrace(r *rand.Rand, secrets bool) ptrace.Traces {
	secret := func() string {
		if !secrets || r.IntN(3) > 0 {
			return ""
		}
		return " card " + card(r) + fmt.Sprintf(", mail casey.%d@example.com", r.IntN(1000))
	}
	specs := []spanSpec{agentSpan(1, 1, prose(r, 300), prose(r, 600)+secret())}
	history := prose(r, 300)
	for i := range uint64(9) {
		if i%2 == 1 {
			specs = append(specs, toolSpan(1, i+2, 1, prose(r, 200)+secret()))
			continue
		}
		history += prose(r, 500) + secret()
		specs = append(specs, spanSpec{trace: 1, id: i + 2, parent: 1, attrs: map[string]any{
			"gen_ai.operation.name":      "chat",
			"gen_ai.request.model":       "some-model",
			"gen_ai.usage.input_tokens":  1234,
			"gen_ai.input.messages":      messages("user", history),
			"gen_ai.output.messages":     messages("assistant", prose(r, 500)+secret()),
			"gen_ai.response.id":         fmt.Sprintf("resp-%d", i),
			"gen_ai.request.temperature": 0.2,
		}})
	}
	return made(specs...)
}

// plainTrace is ten spans of an ordinary service.
func plainTrace(r *rand.Rand) ptrace.Traces {
	var specs []spanSpec
	for i := range uint64(10) {
		specs = append(specs, spanSpec{trace: 1, id: i + 1, parent: i, attrs: map[string]any{
			"http.request.method": "GET", "url.path": "/v1/orders/" + fmt.Sprint(r.IntN(1e6)), "http.response.status_code": 200,
			"server.address": "orders.internal", "server.port": 8080, "user_agent.original": "okhttp/4.12.0",
			"network.protocol.version": "1.1", "http.route": "/v1/orders/{id}", "db.query.text": "SELECT * FROM orders WHERE id = ?",
		}})
	}
	return made(specs...)
}

// textOf counts the bytes of attribute text.
func textOf(td ptrace.Traces) (n int) {
	for _, s := range spansOf(td) {
		for _, v := range s.Attributes().All() {
			n += len(v.AsString())
		}
	}
	return n
}

// drain takes all and keeps nothing.
type drain struct{ consumertest.Consumer }

func (drain) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

// BenchmarkConsumeTraces sends one trace of ten spans an operation, in one batch, through the whole path up to the next
// component: the time is what one core spends, bytes are attribute text. "pass" is a processor that does nothing, on
// the same telemetry. Budget: 40 MB/s without secrets, 12 with.
func BenchmarkConsumeTraces(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	clean, leaky, plain := benchTrace(rng, false), benchTrace(rng, true), plainTrace(rng)
	newAgentleak := func(change func(*Config)) func(consumer.Traces) (processor.Traces, error) {
		return func(next consumer.Traces) (processor.Traces, error) {
			c := createDefaultConfig().(*Config)
			c.Grace = 0
			c.IdleTimeout = time.Millisecond // or remembered traces would grow with b.N
			if change != nil {
				change(c)
			}
			return NewFactory().CreateTraces(context.Background(), processortest.NewNopSettings(typ), c, next)
		}
	}
	pass := func(next consumer.Traces) (processor.Traces, error) {
		return processorhelper.NewTraces(context.Background(), processortest.NewNopSettings(typ), nil, next,
			func(_ context.Context, td ptrace.Traces) (ptrace.Traces, error) { return td, nil })
	}
	for _, bb := range []struct {
		name string
		td   ptrace.Traces
		make func(consumer.Traces) (processor.Traces, error)
	}{
		{"clean/hold", clean, newAgentleak(nil)},
		{"clean/stream", clean, newAgentleak(func(c *Config) { c.Hold, c.Grace = 0, 0 })},
		{"clean/pass", clean, pass},
		{"secrets/hold", leaky, newAgentleak(nil)},
		{"secrets/stream", leaky, newAgentleak(func(c *Config) { c.Hold, c.Grace = 0, 0 })},
		{"secrets/pass", leaky, pass},
		{"plain/hold", plain, newAgentleak(nil)},
		{"plain/policies", plain, newAgentleak(withPolicies("service.name"))},
		{"clean/policies", clean, newAgentleak(withPolicies("service.name"))},
		{"clean/policies-by-span", clean, newAgentleak(withPolicies("gen_ai.agent.name"))},
		{"plain/pass", plain, pass},
	} {
		b.Run(bb.name, func(b *testing.B) {
			p, err := bb.make(drain{consumertest.NewNop()})
			if err != nil {
				b.Fatal(err)
			}
			if err := p.Start(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
			n := uint64(0)
			b.SetBytes(int64(textOf(bb.td)))
			b.ReportAllocs()
			for b.Loop() {
				td := clone(bb.td) // what a receiver would have made
				n++
				for _, s := range spansOf(td) {
					s.SetTraceID(traceID(n))
				}
				for p.ConsumeTraces(context.Background(), td) != nil {
					runtime.Gosched()
				}
			}
			if err := p.Shutdown(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// withPolicies adds twenty policies by a key, none of which matches.
func withPolicies(key string) func(*Config) {
	return func(c *Config) {
		for i := range 20 {
			c.Policies = append(c.Policies, audit.NamedPolicy{
				Name: fmt.Sprint("tenant-", i), Match: map[string]audit.Values{key: {audit.Value(fmt.Sprint("tenant ", i))}},
			})
		}
	}
}

// BenchmarkHeldMemory compares what weigh says of held spans with what they take, for telemetry as a receiver makes it.
// The ratio should be near 1: limits.held_bytes is kept in this measure.
func BenchmarkHeldMemory(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, bb := range []struct {
		name string
		td   ptrace.Traces
	}{
		{"clean", benchTrace(rng, false)}, {"secrets", benchTrace(rng, true)}, {"plain", plainTrace(rng)},
		{"numbers", made(spanSpec{trace: 1, id: 1, attrs: map[string]any{"n": make([]any, 1000)}})},
	} {
		for _, s := range spansOf(bb.td) {
			if v, ok := s.Attributes().Get("n"); ok {
				for _, e := range v.Slice().All() {
					e.SetInt(rng.Int64N(100))
				}
			}
		}
		b.Run(bb.name, func(b *testing.B) {
			wire, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(bb.td)
			if err != nil {
				b.Fatal(err)
			}
			var ratio, ledger float64
			for b.Loop() {
				const n = 2000
				r := newRig(b, func(c *Config) {
					c.Hold, c.Grace = time.Hour, time.Hour
					c.Limits.HeldBytes, c.Limits.BytesPerTrace = 1<<40, 1<<40
				})
				before := inUse()
				for i := range uint64(n) {
					td, _ := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(wire)
					for _, s := range spansOf(td) {
						s.SetTraceID(traceID(i + 1))
					}
					if err := r.ConsumeTraces(context.Background(), td); err != nil {
						b.Fatal(err)
					}
				}
				took := float64(inUse() - before)
				ledger = float64(r.sum("agentleak_ledger_bytes")) / n
				ratio = float64(r.sum("agentleak_held_bytes")) / (took - ledger*n)
				b.ReportMetric(took/n/float64(bb.td.SpanCount()), "B/span")
				r.stop()
			}
			b.ReportMetric(ratio, "said/took")
			b.ReportMetric(ledger, "ledger-B/trace")
		})
	}
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
