package cli

import (
	"encoding/binary"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// parseProto reads OTLP protobuf: one export request, or several as the file exporter writes them, each after its
// length in four bytes. It reports false where data is something else.
func parseProto(data []byte) ([]document, bool) {
	if d, ok := parseMessage(data); ok {
		return []document{d}, true
	}
	var docs []document
	for len(data) > 4 {
		n := int64(binary.BigEndian.Uint32(data))
		if n > int64(len(data)-4) {
			return nil, false
		}
		d, ok := parseMessage(data[4 : 4+n])
		if !ok {
			return nil, false
		}
		docs = append(docs, d)
		data = data[4+n:]
	}
	return docs, docs != nil && len(data) == 0
}

// parseMessage reads one export request. Those of traces and of logs have the same envelope and differ in the records,
// of which only spans must have ids.
func parseMessage(data []byte) (document, bool) {
	const firstField = 1<<3 | 2 // resource_spans or resource_logs, with a length
	if len(data) == 0 || data[0] != firstField {
		return document{}, false
	}
	if td, err := new(ptrace.ProtoUnmarshaler).UnmarshalTraces(data); err == nil && td.SpanCount() > 0 && identified(td) {
		return document{traces: td}, true
	}
	if ld, err := new(plog.ProtoUnmarshaler).UnmarshalLogs(data); err == nil && ld.LogRecordCount() > 0 {
		return document{logs: ld}, true
	}
	return document{}, false
}

func identified(td ptrace.Traces) bool {
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				if s.TraceID().IsEmpty() || s.SpanID().IsEmpty() {
					return false
				}
			}
		}
	}
	return true
}
