package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// spanKey names a span.
type spanKey struct {
	trace pcommon.TraceID
	span  pcommon.SpanID
}

func keyOfSpan(s ptrace.Span) spanKey { return spanKey{s.TraceID(), s.SpanID()} }

// awaitExport reads the file until every span of the samples is in it, and returns them.
func awaitExport(ctx context.Context, file string, samples []demoSample, patience time.Duration) (map[spanKey]ptrace.Span, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	wanted, missing := 0, 0
	for i := range samples {
		wanted += samples[i].traces.SpanCount()
	}
	var size int64 = -1
	var out map[spanKey]ptrace.Span
	for {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if info.Size() != size {
			size = info.Size()
			if out, err = readExport(file); err != nil {
				return nil, err
			}
		}
		missing = 0
		for i := range samples {
			samples[i].spans(func(s ptrace.Span) {
				if _, ok := out[keyOfSpan(s)]; !ok {
					missing++
				}
			})
		}
		switch {
		case missing == 0:
			return out, nil
		case !pause(ctx, 20*time.Millisecond):
			return nil, fmt.Errorf("%s: %d of %d spans came out within %v", file, wanted-missing, wanted, patience)
		}
	}
}

// readExport reads what the file exporter wrote, a document a line. It may be at work on the last one.
func readExport(file string) (map[spanKey]ptrace.Span, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[spanKey]ptrace.Span{}
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		td, err := new(ptrace.JSONUnmarshaler).UnmarshalTraces(line)
		if err != nil {
			return nil, errors.New(file + ": a line is no OTLP JSON")
		}
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					out[keyOfSpan(s)] = s
				}
			}
		}
	}
	return out, nil
}
