package agentleakprocessor

import (
	"crypto/sha256"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
)

// sessionKeys are the attributes that say which run a log record without trace id is of, the first that is there.
var sessionKeys = []string{"session.id", "gen_ai.conversation.id", "conversation.id"}

// runOf is the trace id of a record, an id made of its session or conversation where it has none, and else no id.
func runOf(lr plog.LogRecord) pcommon.TraceID {
	if id := lr.TraceID(); !id.IsEmpty() {
		return id
	}
	for _, key := range sessionKeys {
		if v, ok := lr.Attributes().Get(key); ok && v.Type() == pcommon.ValueTypeStr && v.Str() != "" {
			return valueID(v.Str())
		}
	}
	return pcommon.TraceID{}
}

// valueID is an id for what shares a value. It meets no trace id but by chance, and never leaves.
func valueID(value string) (id pcommon.TraceID) {
	sum := sha256.Sum256([]byte("agentleak session " + value))
	copy(id[:], sum[:])
	return id
}
