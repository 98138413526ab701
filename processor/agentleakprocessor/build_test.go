package agentleakprocessor

import (
	"encoding/binary"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// The values of hand-made traces: published test numbers and addresses.
const (
	visa  = "4111111111111111"
	email = "casey.test@example.com"
)

func traceID(n uint64) (id pcommon.TraceID) {
	binary.BigEndian.PutUint64(id[:], 0xa9e271ea4)
	binary.BigEndian.PutUint64(id[8:], n)
	return id
}

func spanID(n uint64) (id pcommon.SpanID) {
	binary.BigEndian.PutUint64(id[:], n)
	return id
}

// A spanSpec is a span to be made: a child of parent, or a root when that is zero.
type spanSpec struct {
	trace, id, parent uint64
	attrs             map[string]any
}

// made is a batch of spans under one resource and scope.
func made(specs ...spanSpec) ptrace.Traces {
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", "agents")
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName("test")
	for _, s := range specs {
		span := ss.Spans().AppendEmpty()
		if s.trace != 0 {
			span.SetTraceID(traceID(s.trace))
		}
		span.SetSpanID(spanID(s.id))
		if s.parent != 0 {
			span.SetParentSpanID(spanID(s.parent))
		}
		span.SetName("step")
		span.SetStartTimestamp(pcommon.Timestamp(1_764_000_000_000_000_000 + s.id))
		span.SetEndTimestamp(pcommon.Timestamp(1_764_000_001_000_000_000 + s.id))
		_ = span.Attributes().FromRaw(s.attrs)
	}
	return td
}

// agentSpan is the root of a trace: an agent that was asked and answered.
func agentSpan(trace, id uint64, asked, answered string) spanSpec {
	return spanSpec{trace: trace, id: id, attrs: map[string]any{
		"gen_ai.operation.name":  "invoke_agent",
		"gen_ai.agent.name":      "support",
		"gen_ai.input.messages":  messages("user", asked),
		"gen_ai.output.messages": messages("assistant", answered),
	}}
}

// toolSpan is a tool call below it.
func toolSpan(trace, id, parent uint64, arguments string) spanSpec {
	return spanSpec{trace: trace, id: id, parent: parent, attrs: map[string]any{
		"gen_ai.operation.name":      "execute_tool",
		"gen_ai.tool.name":           "lookup",
		"gen_ai.tool.call.arguments": `{"query": "` + arguments + `"}`,
	}}
}

// plainSpan belongs to no agent.
func plainSpan(trace, id, parent uint64, text string) spanSpec {
	return spanSpec{trace: trace, id: id, parent: parent, attrs: map[string]any{"note": text}}
}

// byID finds what came of a span.
func (s *catcher) byID(id uint64) (ptrace.Span, bool) {
	for _, span := range s.spans() {
		if span.SpanID() == spanID(id) {
			return span, true
		}
	}
	return ptrace.NewSpan(), false
}
