package leaf

import (
	"strings"
	"testing"
)

func TestResetKeepsMemoryAndWipesTexts(t *testing.T) {
	s := fullSpan()
	s.Attributes().PutStr("escaped", `["\u0041BC","{\"a\":1e3}"]`)
	d := NewDoc(Limits{})
	fill := func() {
		d.Reset()
		d.Span(s)
		d.Texts(func(*Field, *Node, bool, string) {})
	}
	fill()
	n := nodeAt(d, "escaped").First.First
	text := n.Text
	if text != "ABC" {
		t.Fatalf("got text %q, want ABC", text)
	}
	d.Reset()
	if text != "\x00\x00\x00" || n.Text != "" {
		t.Errorf("after Reset: got %q and %q", text, n.Text)
	}
	if allocs := testing.AllocsPerRun(100, fill); allocs != 0 {
		t.Errorf("got %v allocations a span, want 0", allocs)
	}
}

func TestResetLetsGoOfLargeMemory(t *testing.T) {
	d := NewDoc(Limits{})
	d.Span(spanWith("k", "["+strings.Repeat(`"\n",`, 1<<19)+"1]"))
	d.Span(spanWith("k", "["+strings.Repeat(`"`+strings.Repeat(`\n`, 100)+`",`, 1<<14)+"1]"))
	if d.Withheld() > 0 {
		t.Fatal("withheld")
	}
	d.Reset()
	d.Reset()
	if got := len(d.nodes.chunks) * chunkLen; got > keepNodes {
		t.Errorf("keeps %d nodes", got)
	}
	if got := cap(d.text.cur); got > keepText {
		t.Errorf("keeps %d bytes", got)
	}
}
