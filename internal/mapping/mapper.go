package mapping

import (
	"errors"
	"sync"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// A Mapper reads spans and log records by the tables of dialects. It holds no state of a trace and is safe for
// concurrent use.
type Mapper struct {
	table    *table
	rules    []userRule
	hash     hasher
	builders sync.Pool
}

// New compiles the built-in dialects. The seed keys the hashes under which texts are compared: skeletons of one trace
// must be made with one seed. The rules win over the dialects; those that can never hold are an error.
func New(seed uint64, rules ...UserRule) (*Mapper, error) {
	t, err := compile(Dialects())
	if err != nil {
		return nil, err
	}
	if errs := CheckRules(rules); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	m := &Mapper{table: t, hash: hasher{seed}}
	for _, r := range rules {
		m.rules = append(m.rules, userRule{r, r.asRow()})
	}
	m.builders.New = func() any { return &builder{m: m, keys: map[string]*claim{}, eventKeys: map[eventKey]*claim{}} }
	return m, nil
}

// Reading is what a Mapper found in one span or log record. It refers to nodes of the Doc it was read from.
type Reading struct {
	Info   SpanInfo
	places []entry
	hash   hasher
	b      *builder // that has the places
}

// Release lets the Mapper use the memory of a reading again. Nothing but its Info may be used then. A reading that is
// not released costs memory, and what its builder had learned of keys.
func (r *Reading) Release() {
	if b := r.b; b != nil {
		r.places, r.b = nil, nil
		b.reset()
		b.m.builders.Put(b)
	}
}

// An entry is a place with the row that claimed it, nil where its shape did.
type entry struct {
	Place
	by *claim
}

func (r *Reading) entry(n *leaf.Node) *entry {
	for at := n; at != nil; at = at.Parent {
		if at.Tag != 0 {
			return &r.places[at.Tag-1]
		}
	}
	return nil
}

// At returns the place of a node's text. A text that no dialect claims is in SlotLog of its span.
func (r *Reading) At(n *leaf.Node) Place {
	e := r.entry(n)
	if e == nil {
		return Place{Span: r.Info.ID, Slot: SlotLog}
	}
	p := e.Place
	if p.Flag&perLeaf != 0 {
		p.Flag &^= perLeaf
		p.Text = r.hash.text(n.Text)
	}
	return p
}

// What claims a text that no row of a dialect does.
const (
	ByShape = "shape" // messages under a key that no dialect knows (R1)
	ByNone  = "none"
)

// ClaimedBy names the dialect and the key of the row that claimed a node's text. The dialect is ByShape or ByNone, and
// the key empty, where no row did.
func (r *Reading) ClaimedBy(n *leaf.Node) (dialect, key string) {
	e := r.entry(n)
	switch {
	case e == nil:
		return ByNone, ""
	case e.by == nil:
		return ByShape, ""
	}
	return e.by.dialect, e.by.Key
}

// Span reads a span whose fields d holds. The reading is void when d is reset.
func (m *Mapper) Span(s ptrace.Span, scope string, d *leaf.Doc) Reading {
	b := m.builder(d, scope)
	b.info.ID, b.info.Parent = s.SpanID(), s.ParentSpanID()
	b.info.Start, b.info.End, b.info.Seen = uint64(s.StartTimestamp()), uint64(s.EndTimestamp()), true
	b.attrs, b.spanName = s.Attributes(), s.Name()
	b.lookUp(leaf.PartSpanAttr)
	b.info.Kind = b.kind(s.Name())
	b.info.Claimed = b.info.Kind != KindOther
	b.identity(s.Name())
	b.raw = s.Name() == "raw_gen_ai_request"
	b.fields()
	b.events()
	return b.done()
}

// builder takes a builder from the pool; Reading.Release gives it back.
func (m *Mapper) builder(d *leaf.Doc, scope string) *builder {
	b := m.builders.Get().(*builder)
	b.d, b.scope = d, scope
	return b
}

func (b *builder) done() Reading {
	r := Reading{Info: b.info, places: b.places, hash: b.m.hash, b: b}
	r.Info.own()
	return r
}

// reset prepares b for the next span. It keeps the room it has.
func (b *builder) reset() {
	user, pieces, in, out, last := b.info.User[:0], b.info.Pieces[:0], b.info.In[:0], b.info.Out[:0], b.info.Last[:0]
	clear(b.flats)
	clear(b.claims)
	*b = builder{
		m: b.m, keys: b.keys, eventKeys: b.eventKeys, places: b.places[:0], claims: b.claims[:0], named: b.named[:0], flats: b.flats[:0],
		info: SpanInfo{User: user, Pieces: pieces, In: in, Out: out, Last: last},
	}
}

// attr is the text of an attribute that the tables name for a kind or an identity, "" where there is none.
func (b *builder) attr(key string) string {
	for _, i := range b.named {
		if b.d.Fields[b.first+i].Key == key {
			if v, ok := b.attrs.Get(key); ok && v.Type() == pcommon.ValueTypeStr {
				return v.Str()
			}
			return ""
		}
	}
	return ""
}
