package agentleakprocessor

import "go.opentelemetry.io/collector/pdata/ptrace"

// Memory of a span beside its texts, measured on spans as OTLP receivers make them (BenchmarkHeldMemory).
const (
	spanCost  = 600
	textShare = 5 // fourths
)

// weigh estimates the memory of a piece with what was learned from it.
func (p *piece) weigh() {
	var m ptrace.ProtoMarshaler
	p.bytes = spanCost*p.spans + m.TracesSize(p.td)*textShare/4 + p.batch.Size()
}
