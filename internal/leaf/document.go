package leaf

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// A Doc holds the fields of one span, log record, resource or scope, in walking order. It owns its Nodes and their
// strings and reuses their memory: both are void after Reset, so whoever wants to keep a text clones it. A Doc also
// refers to the telemetry it was filled from until Reset. It is not safe for concurrent use.
type Doc struct {
	Fields []Field

	limits   Limits
	nodes    nodeArena
	text     textArena
	start    int // the first field of the last fill
	withheld int
	left     int // bytes that the value being read may still take
	decode   int // bytes that may still be decoded
	dry      []uint64
	pen      writer
}

// NewDoc returns an empty Doc.
func NewDoc(l Limits) *Doc {
	d := &Doc{limits: l.withDefaults()}
	d.pen.doc = d
	d.Reset()
	return d
}

// Reset empties the Doc and wipes its texts. Nodes and strings handed out before are void.
func (d *Doc) Reset() {
	clear(d.Fields)
	d.Fields = d.Fields[:0]
	if cap(d.Fields) > keepNodes {
		d.Fields = nil
	}
	if cap(d.dry) > keepEdits {
		d.dry = nil
	}
	d.nodes.reset()
	d.text.reset()
	d.start, d.withheld = 0, 0
	d.decode = decodeFactor * d.limits.ValueBytes
}

// Span appends the fields of a span: name, trace state, status message, attributes, events and links.
// Empty names, states and messages have no field.
func (d *Doc) Span(s ptrace.Span) {
	d.start = len(d.Fields)
	d.walkSpan(nil, s)
}

// Log appends the fields of a log record: body, attributes, severity text and event name. The index goes into
// Field.Index.
func (d *Doc) Log(l plog.LogRecord, index int) {
	d.start = len(d.Fields)
	d.walkLog(nil, l, index)
}

// Resource appends the fields of a resource: attributes, entity references and the schema URL that stands beside it.
func (d *Doc) Resource(r pcommon.Resource, schemaURL string) {
	d.start = len(d.Fields)
	d.walkResource(nil, r, schemaURL)
}

// Scope appends the fields of a scope: name, version, attributes and the schema URL that stands beside it.
func (d *Doc) Scope(s pcommon.InstrumentationScope, schemaURL string) {
	d.start = len(d.Fields)
	d.walkScope(nil, s, schemaURL)
}

// Withheld counts the values of the Doc that no text was read from.
func (d *Doc) Withheld() int { return d.withheld }

// Texts calls visit for every text, field by field: first the attribute key (n is then the field's root and name is
// true), then the value from left to right, each member name (name is true) before what stands under it. Bools, nulls
// and withheld values are no texts. The pointers are valid until the next fill or Reset.
func (d *Doc) Texts(visit func(f *Field, n *Node, name bool, text string)) {
	for i := range d.Fields {
		f := &d.Fields[i]
		if f.Part.keyed() {
			visit(f, f.Root, true, f.Key)
		}
		texts(f, f.Root, visit)
	}
}

// texts recurses as deep as the Limits let a tree be.
func texts(f *Field, n *Node, visit func(*Field, *Node, bool, string)) {
	if n.IsText() {
		visit(f, n, false, n.Text)
		return
	}
	named := n.Kind == Object
	for k := n.First; k != nil; k = k.Next {
		if named {
			visit(f, k, true, k.Name)
		}
		texts(f, k, visit)
	}
}

// keyed reports whether fields of the part stand under an attribute key.
func (p Part) keyed() bool {
	switch p {
	case PartSpanAttr, PartEventAttr, PartLinkAttr, PartResourceAttr, PartScopeAttr, PartLogAttr:
		return true
	}
	return false
}
