package leaf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

func none(*Field, *Node, bool) []Edit { return nil }

// only gives every text the same edits, either the names or the others.
func only(names bool, es []Edit) Edits {
	return func(_ *Field, _ *Node, name bool) []Edit {
		if name == names {
			return es
		}
		return nil
	}
}

// replace edits every occurrence of old in every text.
func (d *Doc) replace(old, now string) Edits {
	var es []Edit
	return func(f *Field, n *Node, name bool) []Edit {
		text := textOf(f, n, name)
		es = es[:0]
		for at := 0; ; {
			i := strings.Index(text[at:], old)
			if i < 0 {
				return es
			}
			es = append(es, Edit{at + i, at + i + len(old), now})
			at += i + len(old)
		}
	}
}

func textOf(f *Field, n *Node, name bool) string {
	switch {
	case !name:
		return n.Text
	case n.Parent == nil:
		return f.Key
	}
	return n.Name
}

func value(s ptrace.Span, key string) string {
	v, _ := s.Attributes().Get(key)
	return v.AsString()
}

func TestRewriteJSON(t *testing.T) {
	tests := []struct{ name, in, old, now, want string }{
		{"value", `{ "a" : "x SECRET y" , "n" : 1.50 }`, "SECRET", "*", `{ "a" : "x * y" , "n" : 1.50 }`},
		{"escapes beside it stay", `["\u00e9\/SECRET\/\u00e9\ud83d\ude80"]`, "SECRET", "*", `["\u00e9\/*\/\u00e9\ud83d\ude80"]`},
		{"escaped itself", `["a\u0053ECRE\u0054b"]`, "SECRET", "*", `["a*b"]`},
		{"rocket raw and escaped", `["🚀\ud83d\ude80🚀 SECRET🚀"]`, "SECRET", "*", `["🚀\ud83d\ude80🚀 *🚀"]`},
		{"replacing a pair", `["a\ud83d\ude80b"]`, "🚀", "*", `["a*b"]`},
		{"lone surrogates", `["\ud83d SECRET \ude80"]`, "SECRET", "*", `["\ud83d * \ude80"]`},
		{"replacing a lone surrogate", `["a\ud83dx"]`, "\ufffd", "*", `["a*x"]`},
		{"invalid UTF-8", "[\"\xff\xe2\x82SECRET\xff\"]", "SECRET", "*", "[\"\xff\xe2\x82*\xff\"]"},
		{"new text is escaped", `["SECRET"]`, "SECRET", "\"\\\n\t\r\x00é\xff", "[\"\\\"\\\\\\n\\t\\r\\u0000é\ufffd\"]"},
		{"once a layer", `{"a":"{\"b\":\"[\\\"SECRET\\\"]\"}"}`, "SECRET", `"`, `{"a":"{\"b\":\"[\\\"\\\\\\\"\\\"]\"}"}`},
		{"layers keep their spelling", `{"a":"\u007b\"b\":\t\"\\u0041SECRET\"\u007d"}`, "SECRET", "*", `{"a":"\u007b\"b\":\t\"\\u0041*\"\u007d"}`},
		{"quoted text", ` "SECRET" `, "SECRET", "*", ` "*" `},
		{"number", `{"n":[1,4111111111111111,2]}`, "4111111111111111", "*", `{"n":[1,"*",2]}`},
		{"number in part", `[-12345]`, "234", `"`, `["-1\"5"]`},
		{"number with exponent", `[4.111e3, 1e2]`, "4111", "*", `["*", 1e2]`},
		{"name", `{"SECRET":1, "b" :2}`, "SECRET", "*", `{"*":1, "b" :2}`},
		{"escaped name", `{"\u0053ECRET\u0041":1}`, "SECRET", "*", `{"*\u0041":1}`},
		{"duplicates", `{"a":"SECRET","a":"SECRET"}`, "SECRET", "*", `{"a":"*","a":"*"}`},
		{"name taken", `{"SECRET":"SECRET","*":2,"SECRET":3}`, "SECRET", "*", `{"*#2":"*","*":2,"*#2":3}`},
		{"name taken twice", `{"aa":1,"a":2,"A":3,"#2":4}`, "a", "", `{"":1,"#3":2,"A":3,"#2":4}`},
		{"name taken, invalid UTF-8", "{\"\xff\":1,\"SECRET\":2}", "SECRET", "\xff", "{\"\xff\":1,\"\ufffd#2\":2}"},
		{"several", `["SECRET SECRET\n","SECRET"]`, "SECRET", "*", `["* *\n","*"]`},
		{"to nothing", `["SECRET",1]`, "SECRET", "", `["",1]`},
		{"identity", `["\u0041SECRET"]`, "SECRET", "SECRET", `["\u0041SECRET"]`},
		{"identity of an escaped text", `["\u0053ECRET",12,{"\u0053ECRET":1}]`, "SECRET", "SECRET", `["\u0053ECRET",12,{"\u0053ECRET":1}]`},
		{"plain text", "SECRET \xff", "SECRET", "\"", "\" \xff"},
		{"truncated JSON", `{"a":"SECRET`, "SECRET", `"`, `{"a":""`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, s := NewDoc(Limits{}), spanWith("k", tt.in)
			d.Span(s)
			d.RewriteSpan(s, d.replace(tt.old, tt.now))
			if diff := cmp.Diff(tt.want, value(s, "k")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestImproperEdits(t *testing.T) {
	tests := []struct {
		name, in string
		es       []Edit
		want     string
	}{
		{"half a rune", `["aéb"]`, []Edit{{2, 3, "*"}}, `["a*b"]`},
		{"half an escaped rune", `["a\u00e9b"]`, []Edit{{1, 2, "*"}}, `["a*b"]`},
		{"both halves", `["a\ud83d\ude80b"]`, []Edit{{1, 3, "*"}, {3, 5, "+"}}, `["a*+b"]`},
		{"inserted into a rune", `["a\u00e9b"]`, []Edit{{2, 2, "*"}}, `["a*\u00e9b"]`},
		{"half a rune of plain text", "aéb", []Edit{{0, 2, "*"}}, "*b"},
		{"stray continuation bytes", "a\x80\x80b", []Edit{{2, 3, "*"}}, "a\x80*b"},
		{"overlapping", `["abcdef"]`, []Edit{{0, 4, "1"}, {2, 6, "2"}}, `["12"]`},
		{"unsorted", `["abcdef"]`, []Edit{{4, 5, "2"}, {0, 1, "1"}}, `["1bcd2f"]`},
		{"out of range", `["abc"]`, []Edit{{-2, 1, "1"}, {2, 99, "2"}}, `["1b2"]`},
		{"backwards", `["abc"]`, []Edit{{2, 1, "1"}}, `["ab1c"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, s := NewDoc(Limits{}), spanWith("k", tt.in)
			d.Span(s)
			d.RewriteSpan(s, only(false, tt.es))
			if diff := cmp.Diff(tt.want, value(s, "k")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBytesAreCutAnywhere(t *testing.T) {
	d, s := NewDoc(Limits{}), ptrace.NewSpan()
	s.Attributes().PutEmptyBytes("k").FromRaw([]byte("é\x00"))
	d.Span(s)
	d.RewriteSpan(s, only(false, []Edit{{1, 2, "\xff"}}))
	if v, _ := s.Attributes().Get("k"); string(v.Bytes().AsRaw()) != "\xc3\xff\x00" {
		t.Errorf("got %q", v.Bytes().AsRaw())
	}
}

func TestRenamedKeysKeepOrderAndEntries(t *testing.T) {
	s := ptrace.NewSpan()
	for i, k := range []string{"z", "SECRET1", "*", "SECRET1x", "SECRET2", "a"} {
		s.Attributes().PutInt(k, int64(i))
	}
	m := s.Attributes().PutEmptyMap("SECRETm")
	m.PutStr("SECRETi", "v")
	m.PutStr("j", "SECRETw")
	d := NewDoc(Limits{})
	d.Span(s)
	d.RewriteSpan(s, func(f *Field, n *Node, name bool) []Edit {
		text := textOf(f, n, name)
		if !strings.HasPrefix(text, "SECRET") {
			return nil
		}
		return []Edit{{0, min(len(text), 7), "*"}}
	})
	var got []string
	for k, v := range s.Attributes().All() {
		got = append(got, k+"="+v.AsString())
	}
	want := []string{"z=0", "*#2=1", "*=2", "*x=3", "*#3=4", "a=5", `*#4={"*":"v","j":"*"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A map with very many entries is rebuilt in linear time: this test would take most of a minute otherwise.
func TestRenamingManyKeys(t *testing.T) {
	const entries = 100_000
	s := spanWithMap(t, entries)
	d := NewDoc(Limits{})
	d.Span(s)
	if changed := d.RewriteSpan(s, only(true, []Edit{{0, 99, "same"}})); changed != entries+1 {
		t.Errorf("got %d changed, want %d", changed, entries+1)
	}
	v, _ := s.Attributes().Get("same")
	last := ""
	for k := range v.Map().All() {
		last = k
	}
	if want := fmt.Sprint("same#", entries); v.Map().Len() != entries || last != want {
		t.Errorf("got %d entries, the last %q, want %q", v.Map().Len(), last, want)
	}
}

// spanWithMap makes a map with duplicates possible, as on the wire: Map.Put would be quadratic here too.
func spanWithMap(t testing.TB, entries int) ptrace.Span {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"m","value":{"kvlistValue":{"values":[`)
	for i := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"key":"%d","value":{"intValue":"1"}}`, i)
	}
	b.WriteString(`]}}}]}]}]}]}`)
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
}

func TestDuplicateKeysOnTheWire(t *testing.T) {
	const in = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[` +
		`{"key":"SECRET","value":{"stringValue":"1"}},{"key":"SECRET","value":{"stringValue":"SECRET"}},` +
		`{"key":"b","value":{"stringValue":"2"}},{"key":"b","value":{"stringValue":"SECRET"}}]}]}]}]}`
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	s := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
	d := NewDoc(Limits{})
	d.Span(s)
	d.RewriteSpan(s, d.replace("SECRET", "*"))
	var got []string
	for k, v := range s.Attributes().All() {
		got = append(got, k+"="+v.Str())
	}
	if diff := cmp.Diff([]string{"*=1", "*=*", "b=2", "b=*"}, got); diff != "" {
		t.Error(diff)
	}
}
