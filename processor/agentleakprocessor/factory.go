package agentleakprocessor

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/processor"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/processor/agentleakprocessor/internal/metadata"
)

// NewFactory returns the factory of the agentleak processor. A collector makes one, so the random key that serves
// where none is configured is one for the process: a secret has the same token in each of its pipelines. Instances of one
// component find each other through it.
func NewFactory() processor.Factory {
	f := newFactory()
	return processor.NewFactory(metadata.Type, createDefaultConfig,
		processor.WithTraces(f.traces, metadata.TracesStability),
		processor.WithLogs(f.logs, metadata.LogsStability))
}

func newFactory() factory { return factory{key: sync.OnceValue(rand.Text), running: newRegistry()} }

type factory struct {
	key     func() string
	running *registry
}

func (f factory) traces(
	_ context.Context, set processor.Settings, cfg component.Config, next consumer.Traces,
) (processor.Traces, error) {
	c := cfg.(*Config)
	a, err := f.auditors(c)
	if err != nil {
		return nil, err
	}
	return newTraces(set, c, a, f.running, next)
}

func (f factory) logs(
	ctx context.Context, set processor.Settings, cfg component.Config, next consumer.Logs,
) (processor.Logs, error) {
	c := cfg.(*Config)
	a, err := f.auditors(c)
	if err != nil {
		return nil, err
	}
	return newLogs(ctx, set, c, a, f.running, next)
}

func (f factory) auditors(c *Config) (*audit.Set, error) {
	return audit.NewSet(c.file(f.key()), audit.Options{Limits: leaf.Limits{ValueBytes: int(c.Limits.ValueBytes)}, Now: time.Now()})
}
