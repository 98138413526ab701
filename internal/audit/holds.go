package audit

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// What holds no value of a trace is not parsed for copies: the finder reads through the escapes of JSON, so that it can
// tell from the text as it stands. What lies in the parts below is all that leaf reads.

func (d *finder) span(s ptrace.Span) bool {
	if d.mayHold(s.Name()) || d.mayHold(s.TraceState().AsRaw()) || d.mayHold(s.Status().Message()) || d.attributes(s.Attributes()) {
		return true
	}
	for _, e := range s.Events().All() {
		if d.mayHold(e.Name()) || d.attributes(e.Attributes()) {
			return true
		}
	}
	for _, l := range s.Links().All() {
		if d.mayHold(l.TraceState().AsRaw()) || d.attributes(l.Attributes()) {
			return true
		}
	}
	return false
}

func (d *finder) log(l plog.LogRecord) bool {
	return d.mayHold(l.SeverityText()) || d.mayHold(l.EventName()) || d.value(l.Body()) || d.attributes(l.Attributes())
}

func (d *finder) attributes(m pcommon.Map) bool {
	for k, v := range m.All() {
		if d.mayHold(k) || d.value(v) {
			return true
		}
	}
	return false
}

// value takes what is no text, such as long numbers and bytes, as holding one.
func (d *finder) value(v pcommon.Value) bool {
	switch v.Type() {
	case pcommon.ValueTypeEmpty, pcommon.ValueTypeBool:
		return false
	case pcommon.ValueTypeStr:
		return d.mayHold(v.Str())
	case pcommon.ValueTypeMap:
		return d.attributes(v.Map())
	case pcommon.ValueTypeSlice:
		for _, e := range v.Slice().All() {
			if d.value(e) {
				return true
			}
		}
		return false
	case pcommon.ValueTypeInt:
		if n := v.Int(); -99_999 < n && n < 99_999 {
			return false // less than minLiteral digits
		}
	}
	return true
}
