package audit

import (
	"sort"
	"strconv"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// What holds no value of a trace is not parsed for copies: the finder reads through the escapes of JSON, so that it can
// tell from the text as it stands. What lies in the parts below is all that leaf reads.

// An ownHead says how a value begins that a rule found in a record. Its copies begin alike, and it is no copy itself: a
// record with nothing but its own values need not be read again.
type ownHead struct {
	record int
	head   uint64
	key    litKey
	match  *detect.Match
}

// headsOf returns the heads of a record.
func (b *Batch) headsOf(record int) []ownHead {
	i := sort.Search(len(b.own), func(i int) bool { return b.own[i].record >= record })
	j := i
	for j < len(b.own) && b.own[j].record == record {
		j++
	}
	return b.own[i:j:j]
}

// isOwn takes a head out of d.own, if no other value begins like the one there and none has more to say about it.
func (d *finder) isOwn(k headKey, of lengths) bool {
	for i := range d.own {
		o := &d.own[i]
		if o.head != k.hash || o.key.form != k.form || of.least != o.key.length || of.most != o.key.length {
			continue
		}
		if m := d.l.known[o.key]; m != nil && m.ID == o.match.ID && m.Level == o.match.Level {
			last := len(d.own) - 1
			d.own[i] = d.own[last]
			d.own = d.own[:last]
			return true
		}
	}
	return false
}

// asSpelled reports whether a value is spelled alike in a text and in every JSON around it, or with escapes that a reading
// sees through.
func asSpelled(value string) bool {
	for i := range len(value) {
		if b := value[i]; b < ' ' || b >= 0x7F || special[b] || b == '"' {
			return false
		}
	}
	return true
}

func (d *finder) span(s ptrace.Span, own []ownHead) bool {
	d.own = append(d.own[:0], own...)
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

func (d *finder) log(l plog.LogRecord, own []ownHead) bool {
	d.own = append(d.own[:0], own...)
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

// value takes bytes as holding one.
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
		var buf [20]byte
		return d.mayHold(string(strconv.AppendInt(buf[:0], v.Int(), 10)))
	case pcommon.ValueTypeDouble:
		var buf [80]byte
		return d.mayHold(string(leaf.AppendDouble(buf[:0], v.Double())))
	}
	return true
}
