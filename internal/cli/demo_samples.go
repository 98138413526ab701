package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// demoData holds copies of samples in testdata/dialects. All that is in them is invented.
//
//go:embed demodata/*.json
var demoData embed.FS

// A demoSample is one trace of the demo and the text of it that is shown before and after.
type demoSample struct {
	dialect string // its directory in testdata/dialects
	name    string
	story   string
	span    string // id
	where   string // an attribute, or statusMessage

	traces ptrace.Traces
	over   demoPort
}

// statusMessage is a place that is no attribute.
const statusMessage = "status.message"

// demoSamples returns the samples in the order of the show.
func demoSamples() ([]demoSample, error) {
	samples := []demoSample{
		{
			dialect: "otel-genai", name: "support-refund",
			story: "A support agent hands a customer's card and SSN on to a second agent.",
			span:  "1616ab1a78e13da7", where: "gen_ai.tool.call.arguments",
		},
		{
			dialect: "openinference", name: "langgraph-claims",
			story: "A graph repeats an SSN from a tool in JSON inside JSON, which stays JSON.",
			span:  "8b6dbf51eb472d6e", where: "output.value",
		},
		{
			dialect: "openllmetry", name: "decorated-workflow",
			story: "An instrumentation records the request headers, and with them a bearer token.",
			span:  "a05321a72df04574", where: "llm.headers",
		},
		{
			dialect: "mcp", name: "client-server",
			story: "A tool fails, and the error message that it leaves on its span names a key.",
			span:  "11f77b808c47161b", where: statusMessage,
		},
	}
	for i := range samples {
		s := &samples[i]
		text, err := demoData.ReadFile("demodata/" + s.name + ".json")
		if err != nil {
			return nil, err
		}
		if s.traces, err = new(ptrace.JSONUnmarshaler).UnmarshalTraces(text); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return samples, nil
}

// spans calls visit for each span of the sample.
func (s *demoSample) spans(visit func(ptrace.Span)) {
	for _, rs := range s.traces.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				visit(span)
			}
		}
	}
}

// text is what stands at the place that is shown.
func (s *demoSample) text(span ptrace.Span) string {
	if s.where == statusMessage {
		return span.Status().Message()
	}
	v, ok := span.Attributes().Get(s.where)
	if !ok {
		return ""
	}
	return v.AsString()
}

// send exports the sample with the SDK, as the program of an agent does.
func (s *demoSample) send(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, sendPatience)
	defer cancel()
	var exporter sdktrace.SpanExporter
	if s.over.key == "http" {
		exporter, err = otlptracehttp.New(ctx, otlptracehttp.WithEndpoint(s.over.endpoint), otlptracehttp.WithInsecure())
	} else {
		exporter, err = otlptracegrpc.New(ctx, otlptracegrpc.WithEndpoint(s.over.endpoint), otlptracegrpc.WithInsecure())
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, exporter.Shutdown(ctx)) }()
	stubs, err := spanStubs(s.traces)
	if err != nil {
		return err
	}
	return exporter.ExportSpans(ctx, stubs.Snapshots())
}
