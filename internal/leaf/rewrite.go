package leaf

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/xpdata"
)

// An Edit replaces the bytes from Start to End of a decoded text by New, itself decoded text. Runes are not cut:
// outside of Bytes, a rune that an edit covers in part is replaced whole.
type Edit struct {
	Start, End int
	New        string
}

// Edits says what to change in a text; f, n and name are as in Doc.Texts and come in the same order. The edits are
// sorted and disjoint. The slice is read before the next call and not kept. Edits that change nothing leave
// the text as it was spelled.
type Edits func(f *Field, n *Node, name bool) []Edit

// The Rewrite methods put edits into the telemetry that the Doc was filled from by the last call of the method of the
// same kind, unchanged since (if it is found changed they panic). They return how many texts and withheld values
// were replaced. A number that is edited becomes a string, bytes stay bytes. A name that would become the name of
// another entry of the same map or object gets "#2", "#3" and so on, so that no reader loses one. The Doc
// still holds the old texts afterwards.

// RewriteSpan rewrites a span.
func (d *Doc) RewriteSpan(s ptrace.Span, edits Edits) (changed int) {
	w := d.write(edits)
	d.walkSpan(w, s)
	return w.done()
}

// RewriteLog rewrites a log record.
func (d *Doc) RewriteLog(l plog.LogRecord, edits Edits) (changed int) {
	w := d.write(edits)
	d.walkLog(w, l, 0)
	return w.done()
}

// RewriteResource rewrites a resource and returns the schema URL to set beside it.
func (d *Doc) RewriteResource(r pcommon.Resource, schemaURL string, edits Edits) (newURL string, changed int) {
	w := d.write(edits)
	newURL = d.walkResource(w, r, schemaURL)
	return newURL, w.done()
}

// RewriteScope rewrites a scope and returns the schema URL to set beside it.
func (d *Doc) RewriteScope(s pcommon.InstrumentationScope, schemaURL string, edits Edits) (newURL string, changed int) {
	w := d.write(edits)
	newURL = d.walkScope(w, s, schemaURL)
	return newURL, w.done()
}

// Marker is the text that a rewrite puts in the place of a withheld value, a JSON string where it stands in JSON.
func (r Reason) Marker() string {
	switch r {
	case TooDeep:
		return "[WITHHELD:too_deep]"
	case TooLarge:
		return "[WITHHELD:too_large]"
	}
	return ""
}

// A writer goes through the fields of a Doc along the walk that made them.
type writer struct {
	doc     *Doc
	edits   Edits
	next    int // index in doc.Fields
	f       *Field
	buf     []Edit // a stack: what a value collects lies on top of what the values around it have
	changed int
}

func (d *Doc) write(edits Edits) *writer {
	w := &d.pen
	w.edits, w.next, w.changed, w.buf = edits, d.start, 0, w.buf[:0]
	return w
}

func (w *writer) done() int {
	if w.next != len(w.doc.Fields) {
		panic(errChanged)
	}
	w.edits, w.f = nil, nil
	if clear(w.buf[:cap(w.buf)]); cap(w.buf) > keepEdits {
		w.buf = nil
	}
	return w.changed
}

const errChanged = "leaf: the telemetry to rewrite is not what the Doc was filled from"

// field takes the next field. Field indexes of logs are the caller's and not compared.
func (w *writer) field(at Field) *Field {
	if w.next == len(w.doc.Fields) {
		panic(errChanged)
	}
	w.f = &w.doc.Fields[w.next]
	if w.f.Part != at.Part || w.f.Key != at.Key {
		panic(errChanged)
	}
	w.next++
	return w.f
}

// str returns what becomes of a String or Bytes node that is no part of a JSON text.
func (w *writer) str(n *Node) (string, bool) {
	if n.Withheld != NotWithheld {
		w.changed++
		return n.Withheld.Marker(), true
	}
	mark := len(w.buf)
	if n.JSON {
		w.json(n.First, n.Text)
	} else {
		w.ask(n, false, n.Text)
	}
	if len(w.buf) == mark {
		return "", false
	}
	s := splice(n.Text, w.buf[mark:])
	w.buf = w.buf[:mark]
	return s, true
}

// value rewrites an OTLP value in place.
func (w *writer) value(v pcommon.Value, n *Node) {
	switch {
	case n.Kind == Bytes:
		if s, ok := w.str(n); ok {
			v.Bytes().FromRaw([]byte(s))
		}
	case n.Kind == String || n.Kind == Number || n.Withheld != NotWithheld:
		if s, ok := w.str(n); ok {
			v.SetStr(s)
		}
	case n.Kind == Object:
		w.entries(v.Map(), n)
	case n.Kind == Array:
		s := v.Slice()
		k := n.First
		for i := range s.Len() {
			w.value(s.At(i), k)
			k = k.Next
		}
	}
}

// entries rewrites the names and values of an OTLP map inside a value.
func (w *writer) entries(m pcommon.Map, n *Node) {
	var rs []rename
	k, i := n.First, 0
	for _, v := range m.All() {
		if s, ok := w.name(k, k.Name); ok {
			rs = append(rs, rename{at: i, old: k.Name, now: s})
		}
		w.value(v, k)
		k = k.Next
		i++
	}
	rebuild(m, rs)
}

// attributes rewrites the keys and values of a map whose entries are fields.
func (w *writer) attributes(at Field, m pcommon.Map) {
	var rs []rename
	i := 0
	for key, v := range m.All() {
		at.Key = key
		f := w.field(at)
		if s, ok := w.name(f.Root, f.Key); ok {
			rs = append(rs, rename{at: i, old: key, now: s})
		}
		w.value(v, f.Root)
		i++
	}
	rebuild(m, rs)
}

// name returns what becomes of a key or member name.
func (w *writer) name(n *Node, name string) (string, bool) {
	mark := len(w.buf)
	if w.ask(n, true, name); len(w.buf) == mark {
		return "", false
	}
	s := splice(name, w.buf[mark:])
	w.buf = w.buf[:mark]
	return s, true
}

// rebuild gives entries of a map their new names. All Values of the map are void then.
func rebuild(m pcommon.Map, rs []rename) {
	if len(rs) == 0 {
		return
	}
	settle(rs, func(yield func(string) bool) {
		for k := range m.All() {
			if !yield(k) {
				return
			}
		}
	})
	// Not with Map.Put: it looks for the key among all others each time, and duplicates on the wire would be lost.
	var b xpdata.MapBuilder
	b.EnsureCapacity(m.Len())
	i := 0
	for k, v := range m.All() {
		if len(rs) > 0 && rs[0].at == i {
			k, rs = rs[0].now, rs[1:]
		}
		v.MoveTo(b.AppendEmpty(k))
		i++
	}
	b.UnsafeIntoMap(m)
}
