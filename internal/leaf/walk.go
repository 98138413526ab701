package leaf

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/xpdata/entity"
)

// The walks below serve reading and rewriting alike. With a nil writer they append fields to the Doc and change
// nothing; with a writer they meet the same places in the same order, each with its field, and put back what the
// edits changed.

func (d *Doc) walkSpan(w *writer, s ptrace.Span) {
	if t, ok := d.single(w, Field{Part: PartSpanName}, s.Name()); ok {
		s.SetName(t)
	}
	if t, ok := d.single(w, Field{Part: PartTraceState}, s.TraceState().AsRaw()); ok {
		s.TraceState().FromRaw(t)
	}
	if t, ok := d.single(w, Field{Part: PartStatus}, s.Status().Message()); ok {
		s.Status().SetMessage(t)
	}
	d.attributes(w, Field{Part: PartSpanAttr}, s.Attributes())
	events := s.Events()
	for i := range events.Len() {
		e := events.At(i)
		if t, ok := d.single(w, Field{Part: PartEventName, Index: i}, e.Name()); ok {
			e.SetName(t)
		}
		d.attributes(w, Field{Part: PartEventAttr, Index: i, Event: e.Name()}, e.Attributes())
	}
	links := s.Links()
	for i := range links.Len() {
		l := links.At(i)
		if t, ok := d.single(w, Field{Part: PartLinkTraceState, Index: i}, l.TraceState().AsRaw()); ok {
			l.TraceState().FromRaw(t)
		}
		d.attributes(w, Field{Part: PartLinkAttr, Index: i}, l.Attributes())
	}
}

func (d *Doc) walkLog(w *writer, l plog.LogRecord, index int) {
	if body := l.Body(); body.Type() != pcommon.ValueTypeEmpty {
		at := Field{Part: PartLogBody, Index: index}
		if w == nil {
			d.value(d.field(at), body, 0)
		} else {
			w.value(body, w.field(at).Root)
		}
	}
	d.attributes(w, Field{Part: PartLogAttr, Index: index}, l.Attributes())
	if t, ok := d.single(w, Field{Part: PartLogSeverity, Index: index}, l.SeverityText()); ok {
		l.SetSeverityText(t)
	}
	if t, ok := d.single(w, Field{Part: PartLogEventName, Index: index}, l.EventName()); ok {
		l.SetEventName(t)
	}
}

func (d *Doc) walkResource(w *writer, r pcommon.Resource, schemaURL string) string {
	d.attributes(w, Field{Part: PartResourceAttr}, r.Attributes())
	// Entity references name attribute keys again, so a key that is edited is edited here too.
	refs := entity.ResourceEntityRefs(r)
	for i := range refs.Len() {
		ref, at := refs.At(i), Field{Part: PartResourceEntity, Index: i}
		if t, ok := d.single(w, at, ref.Type()); ok {
			ref.SetType(t)
		}
		if t, ok := d.single(w, at, ref.SchemaUrl()); ok {
			ref.SetSchemaUrl(t)
		}
		d.list(w, at, ref.IdKeys())
		d.list(w, at, ref.DescriptionKeys())
	}
	if t, ok := d.single(w, Field{Part: PartResourceSchema}, schemaURL); ok {
		return t
	}
	return schemaURL
}

func (d *Doc) walkScope(w *writer, s pcommon.InstrumentationScope, schemaURL string) string {
	if t, ok := d.single(w, Field{Part: PartScopeName}, s.Name()); ok {
		s.SetName(t)
	}
	if t, ok := d.single(w, Field{Part: PartScopeVersion}, s.Version()); ok {
		s.SetVersion(t)
	}
	d.attributes(w, Field{Part: PartScopeAttr}, s.Attributes())
	if t, ok := d.single(w, Field{Part: PartScopeSchema}, schemaURL); ok {
		return t
	}
	return schemaURL
}

// single is the step at a piece of telemetry that is a bare string: it returns the new string if there is one.
func (d *Doc) single(w *writer, at Field, s string) (string, bool) {
	switch {
	case s == "":
		return "", false
	case w != nil:
		return w.str(w.field(at).Root)
	}
	d.str(d.field(at), String, s)
	return "", false
}

func (d *Doc) list(w *writer, at Field, l pcommon.StringSlice) {
	for i := range l.Len() {
		if t, ok := d.single(w, at, l.At(i)); ok {
			l.SetAt(i, t)
		}
	}
}

// attributes is the step at a map whose entries are fields of their own.
func (d *Doc) attributes(w *writer, at Field, m pcommon.Map) {
	if w != nil {
		w.attributes(at, m)
		return
	}
	for k, v := range m.All() {
		at.Key = k
		d.value(d.field(at), v, 0)
	}
}

// field appends a field and returns its root, still a null.
func (d *Doc) field(f Field) *Node {
	f.Root = d.nodes.next()
	d.Fields = append(d.Fields, f)
	d.left = d.limits.ValueBytes
	return f.Root
}
