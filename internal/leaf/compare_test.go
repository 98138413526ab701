package leaf

import (
	"encoding/json"
	"strings"
	"testing"
)

// A compare goes through an old and a new JSON text at once and insists on equal bytes outside of edited tokens.
type compare struct {
	t            *testing.T
	plan         *plan
	old, new     string
	oldAt, newAt int
}

// until compares up to an offset of the old text.
func (c *compare) until(old int) {
	c.t.Helper()
	piece := c.old[c.oldAt:old]
	if !strings.HasPrefix(c.new[c.newAt:], piece) {
		c.t.Fatalf("got %q, want %q to go on with %q", c.new, c.new[:c.newAt], piece)
	}
	c.oldAt, c.newAt = old, c.newAt+len(piece)
}

func (c *compare) node(n *Node) {
	c.t.Helper()
	if n.Parent.Kind == Object && c.plan.changes(n, true) {
		c.token(n.nameStart, n.nameEnd, n.Name, c.plan.edits[place{n, true}])
	}
	switch {
	case n.JSON && c.touched(n.First):
		c.token(n.rawStart, n.rawEnd, n.Text, nil)
	case n.IsText() && c.plan.changes(n, false):
		if n.Kind == Number {
			c.token(n.rawStart, n.rawEnd, "", nil)
		} else {
			c.token(n.rawStart, n.rawEnd, n.Text, c.plan.edits[place{n, false}])
		}
	case !n.JSON:
		for k := n.First; k != nil; k = k.Next {
			c.node(k)
		}
	}
}

func (c *compare) touched(n *Node) bool {
	if c.plan.changes(n, true) || n.IsText() && c.plan.changes(n, false) {
		return true
	}
	for k := n.First; k != nil; k = k.Next {
		if c.touched(k) {
			return true
		}
	}
	return false
}

// token goes past a token that was edited. Within a string the spelling before the first edit and behind the last one
// must be as it was; where that is in the old token is found by decoding ever longer pieces of it.
func (c *compare) token(start, end int32, text string, es []Edit) {
	c.t.Helper()
	c.until(int(start))
	size := stringLen(c.t, c.new[c.newAt:])
	was, is := c.old[start:end], c.new[c.newAt:c.newAt+size]
	c.oldAt, c.newAt = int(end), c.newAt+size
	if len(es) == 0 || len(was) > 300 {
		return
	}
	was, is = was[1:len(was)-1], is[1:len(is)-1]
	first, last := wholeRunes(text, es[0]), es[len(es)-1]
	if last.Start < last.End {
		last = wholeRunes(text, last)
	}
	for k := 0; k <= len(was); k++ {
		if s, ok := unquote(was[:k]); ok && s == text[:first.Start] {
			if !strings.HasPrefix(is, was[:k]) {
				c.t.Fatalf("got %q, want it to begin with %q", is, was[:k])
			}
			break
		}
	}
	if last.Start == last.End {
		return // where an insertion lies among lone surrogates is not plain from decoding
	}
	for k := len(was); k >= 0; k-- {
		if s, ok := unquote(was[k:]); ok && s == text[last.End:] {
			if !strings.HasSuffix(strings.TrimRight(is, "#0123456789"), strings.TrimRight(was[k:], "#0123456789")) {
				c.t.Fatalf("got %q, want it to end with %q", is, was[k:])
			}
			break
		}
	}
}

func unquote(raw string) (s string, ok bool) {
	return s, json.Unmarshal([]byte(`"`+raw+`"`), &s) == nil
}

// stringLen is the length of the string token that s begins with.
func stringLen(t *testing.T, s string) int {
	t.Helper()
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	t.Fatalf("no string: %q", s)
	return 0
}
