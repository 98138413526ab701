package leaf

import (
	"math/rand/v2"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// everywhere puts one text at places of each kind, and some numbers beside it.
func everywhere(text string) ptrace.Span {
	s := ptrace.NewSpan()
	s.SetName(text)
	a := s.Attributes()
	a.PutStr("str", text)
	a.PutEmptyBytes("bytes").FromRaw([]byte(text))
	m := a.PutEmptyMap("map")
	m.PutStr("name", text)
	m.PutInt(text, 1234)
	l := m.PutEmptySlice("list")
	l.AppendEmpty().SetStr(text)
	l.AppendEmpty().SetDouble(0.5)
	l.AppendEmpty().SetBool(true)
	s.Events().AppendEmpty().Attributes().PutStr(text, text)
	return s
}

func FuzzRewriteIdentity(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, step int) {
		d, s, want := NewDoc(wide), everywhere(text), everywhere(text)
		d.Span(s)
		if d.Withheld() > 0 {
			t.Skip()
		}
		step = max(step%7, 1)
		changed := d.RewriteSpan(s, func(f *Field, n *Node, name bool) []Edit {
			text, es := textOf(f, n, name), []Edit(nil)
			for at := 0; at < len(text); at += step {
				end := min(at+step, len(text))
				es = append(es, Edit{at, end, text[at:end]})
			}
			return append(es, Edit{Start: len(text), End: len(text)})
		})
		if changed != 0 || !sameSpan(s, want) {
			t.Fatalf("%d changed for %q", changed, text)
		}
		withholdAll(t, text, Limits{Containers: 1 + step, JSONInJSON: max(step/2, 1)})
	})
}

// withholdAll rewrites what a Doc with tight limits withholds and finds nothing left to withhold.
func withholdAll(t *testing.T, text string, l Limits) {
	t.Helper()
	d, s := NewDoc(l), everywhere(text)
	d.Span(s)
	withheld := d.Withheld()
	if changed := d.RewriteSpan(s, none); changed != withheld {
		t.Fatalf("%d changed, %d withheld for %q", changed, withheld, text)
	}
	d.Reset()
	if d.Span(s); d.Withheld() > 0 {
		t.Fatalf("%d withheld still for %q", d.Withheld(), text)
	}
	m, _ := s.Attributes().Get("map")
	after, _ := m.Map().Get("name")
	if n := nodeAt(d, "str"); isJSON(text) != n.JSON && !strings.HasPrefix(n.Text, "[WITHHELD") || text != "name" && after.Str() != n.Text {
		t.Fatalf("got %q for %q", n.Text, text)
	}
}

func nodeAt(d *Doc, key string) *Node {
	for i := range d.Fields {
		if d.Fields[i].Key == key {
			return d.Fields[i].Root
		}
	}
	return nil
}

func sameSpan(a, b ptrace.Span) bool {
	return a.Name() == b.Name() && sameValue(mapValue(a.Attributes()), mapValue(b.Attributes())) &&
		sameValue(mapValue(a.Events().At(0).Attributes()), mapValue(b.Events().At(0).Attributes()))
}

func mapValue(m pcommon.Map) pcommon.Value {
	v := pcommon.NewValueMap()
	m.CopyTo(v.Map())
	return v
}

// sameValue is stricter than Value.Equal: the order of maps counts.
func sameValue(a, b pcommon.Value) bool {
	if a.Type() != pcommon.ValueTypeMap || b.Type() != pcommon.ValueTypeMap {
		return a.Equal(b)
	}
	if a.Map().Len() != b.Map().Len() {
		return false
	}
	var keys []string
	var values []pcommon.Value
	for k, v := range a.Map().All() {
		keys, values = append(keys, k), append(values, v)
	}
	i, same := 0, true
	for k, v := range b.Map().All() {
		same = same && k == keys[i] && sameValue(v, values[i])
		i++
	}
	return same
}

func FuzzRewriteEdits(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, uint64(i))
		f.Add(s, uint64(i)*7919)
	}
	f.Fuzz(rewriteEdits)
}

// rewriteEdits makes edits up, by seed, and checks all that became of the text.
func rewriteEdits(t *testing.T, text string, seed uint64) {
	t.Helper()
	d, s := NewDoc(wide), ptrace.NewSpan()
	s.Attributes().PutStr("str", text)
	s.Attributes().PutEmptyBytes("bytes").FromRaw([]byte(text))
	s.Attributes().PutEmptySlice("list").AppendEmpty().SetStr(text)
	d.Span(s)
	if d.Withheld() > 0 {
		t.Skip()
	}
	p := &plan{rand.New(rand.NewPCG(seed, 0)), map[place][]Edit{}, map[place]string{}}
	d.Texts(func(_ *Field, n *Node, name bool, text string) {
		if n.Parent != nil || !name { // the keys stay, to find the values by
			p.add(n, name, text, n.rawEnd > 0)
		}
	})
	d.RewriteSpan(s, func(_ *Field, n *Node, name bool) []Edit { return p.edits[place{n, name}] })
	bytes, _ := s.Attributes().Get("bytes")
	list, _ := s.Attributes().Get("list")
	p.checkText(t, d.Fields[0].Root, value(s, "str"))
	p.checkText(t, d.Fields[1].Root, string(bytes.Bytes().AsRaw()))
	p.checkText(t, d.Fields[2].Root.First, list.Slice().At(0).Str())
}
