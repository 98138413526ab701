package agentleakprocessor

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// What telemetry takes in memory beside its texts, in bytes, measured on what OTLP receivers make of it
// (BenchmarkHeldMemory). A message on the wire may be a tenth of that: small numbers in arrays.
const (
	spanCost  = 540
	eventCost = 50 // links too
	entryCost = 88 // an attribute, or a member of a map
	valueCost = 24 // an element of an array
)

// weigh estimates the memory that holding the piece takes, with what was learned from it.
func (p *piece) weigh() {
	n := p.batch.Size()
	for _, rs := range p.td.ResourceSpans().All() {
		n += weighMap(rs.Resource().Attributes())
		for _, ss := range rs.ScopeSpans().All() {
			n += weighMap(ss.Scope().Attributes())
			for _, span := range ss.Spans().All() {
				n += weighSpan(span)
			}
		}
	}
	p.bytes = n
}

func weighSpan(span ptrace.Span) int {
	n := spanCost + len(span.Name()) + len(span.TraceState().AsRaw()) + len(span.Status().Message())
	n += weighMap(span.Attributes())
	for _, e := range span.Events().All() {
		n += eventCost + len(e.Name()) + weighMap(e.Attributes())
	}
	for _, l := range span.Links().All() {
		n += eventCost + len(l.TraceState().AsRaw()) + weighMap(l.Attributes())
	}
	return n
}

func weighMap(m pcommon.Map) (n int) {
	for k, v := range m.All() {
		n += entryCost + len(k) + weighValue(v)
	}
	return n
}

func weighValue(v pcommon.Value) (n int) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		n = len(v.Str())
	case pcommon.ValueTypeBytes:
		n = v.Bytes().Len()
	case pcommon.ValueTypeMap:
		return weighMap(v.Map())
	case pcommon.ValueTypeSlice:
		for _, e := range v.Slice().All() {
			n += valueCost + weighValue(e)
		}
		return n
	}
	return n + n/8 // as the allocator rounds
}
