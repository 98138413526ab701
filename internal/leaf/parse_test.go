package leaf

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wide has limits that no fuzz input meets.
var wide = Limits{Containers: maxContainers, JSONInJSON: maxLayers}

func TestParseAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range seeds {
		parseAgrees(t, s)
	}
}

func FuzzParseAgreesWithEncodingJSON(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "[")+strings.Count(text, "{") > maxContainers {
			t.Skip() // encoding/json calls such text invalid
		}
		parseAgrees(t, text)
	})
}

func parseAgrees(t testing.TB, text string) {
	t.Helper()
	d := NewDoc(wide)
	d.Span(spanWith("k", text))
	root := d.Fields[0].Root
	if d.Withheld() > 0 {
		t.Skip()
	}
	equalNode(t, root, &model{kind: String, text: text})
	if got, want := d.valid(text), json.Valid([]byte(text)); got != want {
		t.Fatalf("valid(%q) = %t, want %t", text, got, want)
	}
	// The tight Doc reads less, but judges the whole alike.
	tight := NewDoc(Limits{Containers: 2, JSONInJSON: 1, Nodes: 8})
	tight.Span(spanWith("k", text))
	if n := tight.Fields[0].Root; (n.JSON || n.Withheld != NotWithheld) != root.JSON {
		t.Fatalf("with tight limits JSON is %t for %q", n.JSON, text)
	}
}

// read lists the texts of a Doc, one line each.
func read(d *Doc) []string {
	var got []string
	d.Texts(func(f *Field, n *Node, name bool, text string) {
		mark := ""
		if name {
			mark = " name"
		}
		got = append(got, fmt.Sprintf("%s %s%s = %s", f.Where(), n.Path(), mark, text))
	})
	return got
}

func TestTextsOfJSON(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"plain", "hello", []string{"hello"}},
		{"truncated JSON is plain", `{"a":"b`, []string{`{"a":"b`}},
		{"quoted text is JSON", `"abc"`, []string{"abc"}},
		{"JSON in a quoted text", `"{\"a\":1}"`, []string{"a", "1"}},
		{"names, then values", `{"a":{"b":"c"},"d":[1,"e"]}`, []string{"a", "b", "c", "d", "1", "e"}},
		{"no bools, no null", `[true,false,null,"x"]`, []string{"x"}},
		{"duplicates", `{"a":1,"a":2}`, []string{"a", "1", "a", "2"}},
		{"escapes", `["\u00e9\/\ud83d\ude80\ud83dx\ude80"]`, []string{"é/🚀\ufffdx\ufffd"}},
		{"numbers", `[1e3,1.50,4.111111111111111e15,12e-3,-1.5E-1,0e5,1e41]`,
			[]string{"1000", "1.50", "4111111111111111", "0.012", "-0.15", "0", "1e41"}},
		{"JSON in JSON in JSON", `{"a":"{\"b\":\"[\\\"c\\\"]\"}"}`, []string{"a", "b", "c"}},
		{"invalid UTF-8", "[\"\xff\"]", []string{"\ufffd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := NewDoc(Limits{})
			d.Span(spanWith("k", tt.in))
			var got []string
			d.Texts(func(f *Field, n *Node, name bool, text string) {
				if n.Parent != nil || !name {
					got = append(got, text)
				}
			})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
