package cli

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// spanStubs makes of OTLP spans what an SDK exporter takes. All of them is kept but for what the SDK has no place for:
// the trace state of links, and the dropped counts of resources and scopes.
func spanStubs(td ptrace.Traces) (tracetest.SpanStubs, error) {
	var stubs tracetest.SpanStubs
	for _, rs := range td.ResourceSpans().All() {
		res := resource.NewWithAttributes(rs.SchemaUrl(), keyValues(rs.Resource().Attributes())...)
		for _, ss := range rs.ScopeSpans().All() {
			scope := instrumentation.Scope{
				Name: ss.Scope().Name(), Version: ss.Scope().Version(), SchemaURL: ss.SchemaUrl(),
				Attributes: attribute.NewSet(keyValues(ss.Scope().Attributes())...),
			}
			for _, s := range ss.Spans().All() {
				stub, err := spanStub(s)
				if err != nil {
					return nil, err
				}
				stub.Resource, stub.InstrumentationScope = res, scope
				stubs = append(stubs, stub)
			}
		}
	}
	return stubs, nil
}

func spanStub(s ptrace.Span) (tracetest.SpanStub, error) {
	state, err := trace.ParseTraceState(s.TraceState().AsRaw())
	if err != nil {
		return tracetest.SpanStub{}, err
	}
	stub := tracetest.SpanStub{
		Name: s.Name(),
		SpanContext: trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID(s.TraceID()), SpanID: trace.SpanID(s.SpanID()),
			TraceFlags: trace.TraceFlags(s.Flags()), TraceState: state,
		}),
		SpanKind:          trace.SpanKind(s.Kind()), // the numbers are the same
		StartTime:         s.StartTimestamp().AsTime(),
		EndTime:           s.EndTimestamp().AsTime(),
		Attributes:        keyValues(s.Attributes()),
		Status:            sdktrace.Status{Code: statusCode(s.Status().Code()), Description: s.Status().Message()},
		DroppedAttributes: int(s.DroppedAttributesCount()),
		DroppedEvents:     int(s.DroppedEventsCount()),
		DroppedLinks:      int(s.DroppedLinksCount()),
	}
	if !s.ParentSpanID().IsEmpty() {
		stub.Parent = trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID(s.TraceID()), SpanID: trace.SpanID(s.ParentSpanID()),
		})
	}
	for _, e := range s.Events().All() {
		stub.Events = append(stub.Events, sdktrace.Event{
			Name: e.Name(), Time: e.Timestamp().AsTime(), Attributes: keyValues(e.Attributes()),
			DroppedAttributeCount: int(e.DroppedAttributesCount()),
		})
	}
	for _, l := range s.Links().All() {
		stub.Links = append(stub.Links, sdktrace.Link{
			SpanContext: trace.NewSpanContext(trace.SpanContextConfig{
				TraceID: trace.TraceID(l.TraceID()), SpanID: trace.SpanID(l.SpanID()), TraceFlags: trace.TraceFlags(l.Flags()),
			}),
			Attributes: keyValues(l.Attributes()), DroppedAttributeCount: int(l.DroppedAttributesCount()),
		})
	}
	return stub, nil
}

// statusCode translates: the SDK counts Error before Ok, OTLP after it.
func statusCode(c ptrace.StatusCode) codes.Code {
	switch c {
	case ptrace.StatusCodeOk:
		return codes.Ok
	case ptrace.StatusCodeError:
		return codes.Error
	}
	return codes.Unset
}

func keyValues(m pcommon.Map) []attribute.KeyValue {
	kvs := make([]attribute.KeyValue, 0, m.Len())
	for k, v := range m.All() {
		kvs = append(kvs, attribute.KeyValue{Key: attribute.Key(k), Value: attributeValue(v)})
	}
	return kvs
}

func attributeValue(v pcommon.Value) attribute.Value {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return attribute.StringValue(v.Str())
	case pcommon.ValueTypeInt:
		return attribute.Int64Value(v.Int())
	case pcommon.ValueTypeDouble:
		return attribute.Float64Value(v.Double())
	case pcommon.ValueTypeBool:
		return attribute.BoolValue(v.Bool())
	case pcommon.ValueTypeBytes:
		return attribute.ByteSliceValue(v.Bytes().AsRaw())
	case pcommon.ValueTypeMap:
		return attribute.MapValue(keyValues(v.Map())...)
	case pcommon.ValueTypeSlice:
		var list []attribute.Value
		for _, x := range v.Slice().All() {
			list = append(list, attributeValue(x))
		}
		return attribute.SliceValue(list...)
	}
	return attribute.Value{}
}
