package leaf

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// A plan holds the edits of one rewrite, by node, and what the texts shall be.
type plan struct {
	rand  *rand.Rand
	edits map[place][]Edit
	want  map[place]string
}

type place struct {
	n    *Node
	name bool
}

var news = []string{"[REDACTED:L4:ssn:9c1f0a77b2d4]", `"`, `\`, "\n\x00", "é🚀", "\xff\xc3", "{", "x", ""}

// add makes up edits for a text. Inside JSON no edit is empty where deleting could join halves of a surrogate pair or
// of a sequence of UTF-8 that were apart.
func (p *plan) add(n *Node, name bool, text string, inJSON bool) {
	if p.rand.IntN(3) > 0 {
		return
	}
	var es []Edit
	for at := 0; at <= len(text) && len(es) < 4; {
		start := at + p.rand.IntN(len(text)-at+1)
		end := start + p.rand.IntN(min(len(text)-start, 12)+1)
		e := Edit{start, end, news[p.rand.IntN(len(news))]}
		if inJSON && e.New == "" && strings.ContainsRune(text, utf8.RuneError) {
			e.New = "."
		}
		es = append(es, e)
		at = end + 1
	}
	runes := n.Kind != Bytes || name
	var want strings.Builder
	at := 0
	for _, e := range es {
		if text[e.Start:e.End] == e.New {
			continue
		}
		if runes {
			e = wholeRunes(text, e)
		}
		e.Start = max(e.Start, at)
		e.End = max(e.End, e.Start)
		if inJSON {
			e.New = string([]rune(e.New)) // as JSON text can hold it
		}
		want.WriteString(text[at:e.Start])
		want.WriteString(e.New)
		at = e.End
	}
	want.WriteString(text[at:])
	p.edits[place{n, name}] = es
	p.want[place{n, name}] = want.String()
}

func wholeRunes(text string, e Edit) Edit {
	empty := e.Start == e.End
	for at, size := 0, 0; at < len(text); at += size {
		_, size = utf8.DecodeRuneInString(text[at:])
		if at < e.Start && e.Start < at+size {
			e.Start = at
		}
		if at < e.End && e.End < at+size {
			e.End = at + size
		}
	}
	if empty {
		e.End = e.Start
	}
	return e
}

// checkText compares what became of the text of a string that stands in OTLP.
func (p *plan) checkText(t *testing.T, n *Node, got string) {
	t.Helper()
	if n.JSON {
		p.checkJSON(t, n, got)
		return
	}
	want, edited := p.want[place{n, false}]
	if !edited {
		want = n.Text
	}
	if got != want {
		t.Fatalf("got text %q, want %q", got, want)
	}
}

// checkJSON compares what became of the JSON text of n with the plan: by encoding/json for what it says, byte by byte
// for what was not to change.
func (p *plan) checkJSON(t *testing.T, n *Node, got string) {
	t.Helper()
	if !isJSON(got) {
		t.Fatalf("no JSON any more: %q was %q", got, n.Text)
	}
	p.checkNode(t, n.First, decodeJSON(t, got))
	c := &compare{t: t, plan: p, old: n.Text, new: got}
	c.node(n.First)
	c.until(len(n.Text))
	if c.newAt != len(got) {
		t.Fatalf("got %q behind the end", got[c.newAt:])
	}
}

func (p *plan) checkNode(t *testing.T, n *Node, m *model) {
	t.Helper()
	want, edited := p.want[place{n, false}]
	switch {
	case n.JSON && m.kind == String:
		p.checkJSON(t, n, m.text)
		return
	case edited && p.changes(n, false):
		if m.kind != String || m.text != want {
			t.Fatalf("at %q: got %q, want string %q", n.Path(), m.text, want)
		}
		return
	case n.Kind != m.kind || n.Kind == String && n.Text != m.text || n.Kind == Number && !sameNumber(n.Text, m.text):
		t.Fatalf("at %q: got kind %d text %q, want %d %q", n.Path(), m.kind, m.text, n.Kind, n.Text)
	}
	i := 0
	for k := n.First; k != nil; k = k.Next {
		if i == len(m.kids) {
			t.Fatalf("at %q: kids lost", n.Path())
		}
		name, ok := p.want[place{k, true}]
		if !ok {
			name = k.Name
		}
		if got := m.kids[i].name; n.Kind == Object && got != name && !suffixed(got, name) {
			t.Fatalf("at %q: got name %q, want %q", n.Path(), got, name)
		}
		p.checkNode(t, k, m.kids[i])
		i++
	}
	if i != len(m.kids) {
		t.Fatalf("at %q: got %d kids, want %d", n.Path(), len(m.kids), i)
	}
	if n.Kind == Object {
		p.checkNames(t, n, m)
	}
}

// changes reports whether the edits of a text do anything.
func (p *plan) changes(n *Node, name bool) bool {
	text := n.Text
	if name {
		text = n.Name
	}
	for _, e := range p.edits[place{n, name}] {
		if text[e.Start:e.End] != e.New {
			return true
		}
	}
	return false
}

func suffixed(got, name string) bool {
	rest, ok := strings.CutPrefix(got, name+"#")
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// checkNames makes sure that no two members have one name that had not before.
func (p *plan) checkNames(t *testing.T, n *Node, m *model) {
	t.Helper()
	before := map[string]string{}
	i := 0
	for k := n.First; k != nil; k = k.Next {
		name := m.kids[i].name
		if old, ok := before[name]; ok && old != k.Name {
			t.Fatalf("at %q: two members became %q", n.Path(), name)
		}
		before[name] = k.Name
		i++
	}
}
