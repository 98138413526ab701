package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/processor"
)

// A warner makes validate say what is right and yet no longer of use, such as a row of an allow list that has expired.
// The collector's own validate builds the pipelines with a logger that writes nothing.
type warner struct {
	to   io.Writer // nil: nobody asked
	said map[string]bool
}

// An expirer is a configuration in which something may have expired. Each line of the error starts with the path of a key.
type expirer interface{ Expired(time.Time) error }

// factories are those of the distribution, whose processors are asked for warnings when they are built.
func (w *warner) factories() (otelcol.Factories, error) {
	all, err := components()
	if err != nil || w.to == nil {
		return all, err
	}
	for t, f := range all.Processors {
		if _, ok := f.CreateDefaultConfig().(expirer); ok {
			all.Processors[t] = w.watch(f)
		}
	}
	return all, nil
}

// on makes a command of the collector warn.
func (w *warner) on(cmd *cobra.Command) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		w.to, w.said = cmd.ErrOrStderr(), map[string]bool{}
		return run(cmd, args)
	}
}

func (w *warner) watch(f processor.Factory) processor.Factory {
	return processor.NewFactory(f.Type(), f.CreateDefaultConfig,
		processor.WithTraces(func(ctx context.Context, set processor.Settings, c component.Config, next consumer.Traces) (processor.Traces, error) {
			w.warn(set.ID, c)
			return f.CreateTraces(ctx, set, c, next)
		}, f.TracesStability()),
		processor.WithLogs(func(ctx context.Context, set processor.Settings, c component.Config, next consumer.Logs) (processor.Logs, error) {
			w.warn(set.ID, c)
			return f.CreateLogs(ctx, set, c, next)
		}, f.LogsStability()))
}

// warn writes each warning once: a processor is built for each pipeline that names it.
func (w *warner) warn(id component.ID, c component.Config) {
	err := c.(expirer).Expired(time.Now())
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		text := fmt.Sprintf("warning: processors::%s: %s\n", id, strings.TrimSpace(line))
		if !w.said[text] {
			w.said[text] = true
			io.WriteString(w.to, text)
		}
	}
}
