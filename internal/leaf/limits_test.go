package leaf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

func TestLimitsWithhold(t *testing.T) {
	tests := []struct {
		name     string
		limits   Limits
		in       string
		texts    string
		withheld int
		after    string
	}{
		{"containers", Limits{Containers: 2}, `{"a":["x",["y"],{"b":1}],"c":"z"}`, "a x c z", 2,
			`{"a":["x","[WITHHELD:too_deep]","[WITHHELD:too_deep]"],"c":"z"}`},
		{"containers, not JSON", Limits{Containers: 2}, `[[[[[`, "[[[[[", 0, `[[[[[`},
		{"containers, wrong inside", Limits{Containers: 1}, `[[1,]]`, `[[1,]]`, 0, `[[1,]]`},
		{"containers, wrong behind", Limits{Containers: 1}, `[[1],]`, `[[1],]`, 0, `[[1],]`},
		{"layers", Limits{JSONInJSON: 2}, `["[\"[1]\",\"[1\",\"x\"]"]`, `[1 x`, 1,
			`["[\"[WITHHELD:too_deep]\",\"[1\",\"x\"]"]`},
		{"layer of the whole value", Limits{JSONInJSON: 1}, `"\"abc\""`, ``, 1, `"[WITHHELD:too_deep]"`},
		{"bytes", Limits{ValueBytes: 4}, `hello`, ``, 1, `[WITHHELD:too_large]`},
		{"bytes fit", Limits{ValueBytes: 5}, `hello`, `hello`, 0, `hello`},
		{"nodes", Limits{Nodes: 4}, `[1,2,3,4]`, ``, 1, `[WITHHELD:too_large]`},
		{"nodes, not JSON", Limits{Nodes: 4}, `[1,2,3,4}`, `[1,2,3,4}`, 0, `[1,2,3,4}`},
		{"nodes in a layer", Limits{Nodes: 5}, `["a","[1,2]","b"]`, "a b", 1, `["a","[WITHHELD:too_large]","b"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := NewDoc(tt.limits)
			s := spanWith("k", tt.in)
			d.Span(s)
			var got []string
			d.Texts(func(_ *Field, n *Node, name bool, text string) {
				if n.Parent != nil || !name {
					got = append(got, text)
				}
			})
			if g := strings.Join(got, " "); g != tt.texts {
				t.Errorf("got texts %q, want %q", g, tt.texts)
			}
			if d.Withheld() != tt.withheld {
				t.Errorf("got %d withheld, want %d", d.Withheld(), tt.withheld)
			}
			changed := d.RewriteSpan(s, none)
			if after := value(s, "k"); after != tt.after || changed != tt.withheld {
				t.Errorf("got %q, %d changed, want %q, %d", after, changed, tt.after, tt.withheld)
			}
		})
	}
}

func TestDecodedBytesAreBounded(t *testing.T) {
	text := `["` + strings.Repeat("\xff", 20) + `","b"]`
	d := NewDoc(Limits{ValueBytes: len(text)})
	s := spanWith("one", text)
	s.Attributes().PutStr("two", text)
	s.Attributes().PutStr("three", `{"\u0041`+strings.Repeat("a", 20)+`":1}`)
	for range 2 { // Reset restores the budget
		d.Reset()
		d.Span(s)
		want := []string{" name = one", "[0] = " + strings.Repeat("\ufffd", 20), "[1] = b", " name = two", "[1] = b", " name = three"}
		var got []string
		for _, line := range read(d) {
			_, line, _ = strings.Cut(line, " ")
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	d.RewriteSpan(s, none)
	if got, want := value(s, "two"), `["[WITHHELD:too_large]","b"]`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := value(s, "three"), `[WITHHELD:too_large]`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBytesOfOneValueCountTogether(t *testing.T) {
	s := ptrace.NewSpan()
	for _, k := range []string{"k", "l"} {
		list := s.Attributes().PutEmptySlice(k)
		list.AppendEmpty().SetStr("1234567")
		list.AppendEmpty().SetStr("1234")
		list.AppendEmpty().SetEmptyBytes().FromRaw([]byte("1234"))
		list.AppendEmpty().SetStr("123")
	}
	d := NewDoc(Limits{ValueBytes: 10})
	d.Span(s)
	if d.Withheld() != 4 {
		t.Errorf("got %d withheld, want 4", d.Withheld())
	}
	d.RewriteSpan(s, none)
	list, _ := s.Attributes().Get("l")
	if got, want := list.Slice().At(1).Str(), "[WITHHELD:too_large]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := string(list.Slice().At(2).Bytes().AsRaw()), "[WITHHELD:too_large]"; got != want {
		t.Errorf("got bytes %q, want %q", got, want)
	}
}
