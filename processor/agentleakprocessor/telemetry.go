package agentleakprocessor

import (
	"context"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/pipeline"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/assembly"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/processor/agentleakprocessor/internal/metadata"
)

// Why accepted spans were lost.
const (
	lostPermanent = "permanent_error"
	lostRetries   = "retries_exhausted"
	lostShutdown  = "shutdown"
)

// telemetry is what the processor says of itself. Attributes are closed sets: no key name, no trace id, no content.
type telemetry struct {
	*metadata.TelemetryBuilder
	signal   metric.MeasurementOption // and the component
	of       metric.MeasurementOption // the signal alone
	findings [agentrisk.L4 + 1][agentrisk.NumChannels]metric.MeasurementOption
	reason   map[string]metric.MeasurementOption
}

func newTelemetry(set processor.Settings, signal pipeline.Signal) (*telemetry, error) {
	b, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, err
	}
	with := func(kv ...attribute.KeyValue) metric.MeasurementOption {
		return metric.WithAttributeSet(attribute.NewSet(kv...))
	}
	t := &telemetry{
		TelemetryBuilder: b,
		// As processorhelper names them, so that one dashboard shows all processors.
		signal: with(attribute.String("processor", set.ID.String()), attribute.String("otel.signal", signal.String())),
		reason: map[string]metric.MeasurementOption{},
		of:     with(attribute.String("otel.signal", signal.String())),
	}
	for _, l := range agentrisk.Levels() {
		level := attribute.String("level", l.String())
		for c := range agentrisk.NumChannels {
			t.findings[l][c] = with(level, attribute.String("channel", agentrisk.Channel(c).String()))
		}
	}
	reasons := []string{noTraceID, lostPermanent, lostRetries, lostShutdown}
	for r := assembly.RootEnded; r <= assembly.Late; r++ {
		reasons = append(reasons, r.String())
	}
	for _, r := range reasons {
		t.reason[r] = with(attribute.String("reason", r))
	}
	return t, nil
}

func (t *telemetry) forged(n int) {
	if n > 0 {
		t.ProcessorAgentleakForgedAttributes.Add(context.Background(), int64(n))
	}
}

func (t *telemetry) lost(spans int, reason string) {
	t.ProcessorAgentleakLostSpans.Add(context.Background(), int64(spans), t.reason[reason])
}

// policyOptions are what measurements of one policy say of it.
type policyOptions struct {
	style   attribute.KeyValue
	verdict [agentrisk.Fail + 1]metric.MeasurementOption
	// The policy alone; nothing where none is named.
	add    []metric.AddOption
	record []metric.RecordOption
}

// newPolicyOptions are those of a policy with a name, or of the only one without.
func newPolicyOptions(name, style string) policyOptions {
	o := policyOptions{style: attribute.String("style", style)}
	var of []attribute.KeyValue
	if name != "" {
		// As many values as the configuration has policies, which is bounded.
		of = append(of, attribute.String("policy", name))
		set := metric.WithAttributeSet(attribute.NewSet(of...))
		o.add, o.record = append(o.add, set), append(o.record, set)
	}
	for v := range o.verdict {
		o.verdict[v] = metric.WithAttributeSet(attribute.NewSet(append(of, attribute.String("verdict", agentrisk.Verdict(v).String()))...))
	}
	return o
}

// scored counts a trace whose score is known.
func (t *telemetry) scored(s *audit.Score, of policyOptions) {
	ctx := context.Background()
	if s.Err != nil {
		t.ProcessorAgentleakUnscoredTraces.Add(ctx, 1, of.add...)
		return
	}
	t.ProcessorAgentleakScoredTraces.Add(ctx, 1, of.verdict[s.Report.Verdict])
	t.ProcessorAgentleakRiskIndex.Record(ctx, s.Report.RI, of.record...)
	for l, n := range s.Leaked() {
		t.ProcessorAgentleakLeakedSecrets.Add(ctx, int64(n), metric.WithAttributes(
			attribute.String("channel", l.Channel.String()), attribute.String("data_type", string(l.Type)), attribute.String("level", l.Level.String()),
		))
	}
}

// scanned counts what was read, and how long it took.
func (t *telemetry) scanned(text int, took time.Duration) {
	t.ProcessorAgentleakScannedBytes.Add(context.Background(), int64(text), t.of)
	t.ProcessorAgentleakScanDuration.Record(context.Background(), took.Seconds(), t.of)
}

func (t *telemetry) evicted() {
	t.ProcessorAgentleakEvictedTraces.Add(context.Background(), 1)
}

// found counts what was found and done about it.
func (t *telemetry) found(c *counts, of policyOptions) {
	ctx := context.Background()
	for _, l := range agentrisk.Levels() {
		for ch, n := range c.findings[l] {
			if n > 0 {
				t.ProcessorAgentleakFindings.Add(ctx, int64(n), t.findings[l][ch])
			}
		}
	}
	for r, n := range c.redacted {
		t.ProcessorAgentleakRedactions.Add(ctx, int64(n), metric.WithAttributes(
			attribute.String("level", r.level.String()), attribute.String("rule", r.rule), of.style,
		))
	}
	for row, n := range c.allowed {
		if n > 0 {
			t.ProcessorAgentleakAllowedFindings.Add(ctx, int64(n), append(of.add, metric.WithAttributes(attribute.String("row", row)))...)
		}
	}
	if c.withheld > 0 {
		t.ProcessorAgentleakWithheldValues.Add(ctx, int64(c.withheld))
	}
}

// settled counts a release of spans.
func (t *telemetry) settled(c *counts, of policyOptions, reason string) {
	if c.spans > 0 {
		t.ProcessorAgentleakReleasedSpans.Add(context.Background(), int64(c.spans), t.reason[reason])
	}
	t.found(c, of)
}

// watch lets gauges show what the shards and the outbox hold, until Shutdown.
func (t *telemetry) watch(shards []*shard, out *outbox, limit int64) error {
	sum := func(of func(*shard) *atomic.Int64) func() int64 {
		return func() (n int64) {
			for _, s := range shards {
				n += of(s).Load()
			}
			return n
		}
	}
	for _, g := range []struct {
		register func(metric.Int64Callback) error
		value    func() int64
	}{
		{t.RegisterProcessorAgentleakHeldBytesCallback, sum(func(s *shard) *atomic.Int64 { return &s.heldBytes })},
		{t.RegisterProcessorAgentleakHeldSpansCallback, sum(func(s *shard) *atomic.Int64 { return &s.heldSpans })},
		{t.RegisterProcessorAgentleakKnownTracesCallback, sum(func(s *shard) *atomic.Int64 { return &s.known })},
		{t.RegisterProcessorAgentleakLedgerBytesCallback, sum(func(s *shard) *atomic.Int64 { return &s.ledgerBytes })},
		{t.RegisterProcessorAgentleakHeldBytesLimitCallback, func() int64 { return limit }},
		{t.RegisterProcessorAgentleakQueuedBytesCallback, out.bytes.Load},
		{t.RegisterProcessorAgentleakQueuedSpansCallback, out.spans.Load},
	} {
		err := g.register(func(_ context.Context, o metric.Int64Observer) error {
			o.Observe(g.value())
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
