package leaf

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// A model is a value as encoding/json reads it, members in order and duplicates kept.
type model struct {
	kind Kind
	name string
	text string
	kids []*model
}

// isJSON is the rule of the package, said with encoding/json.
func isJSON(text string) bool {
	t := strings.TrimLeft(text, " \t\r\n")
	return t != "" && strings.ContainsRune(`{["`, rune(t[0])) && json.Valid([]byte(text))
}

// decodeJSON reads one JSON text, strings in it as strings.
func decodeJSON(t testing.TB, text string) *model {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	m := decodeValue(t, dec)
	if m == nil {
		t.Fatalf("no JSON: %q", text)
	}
	return m
}

func decodeValue(t testing.TB, dec *json.Decoder) *model {
	t.Helper()
	tok, err := dec.Token()
	if err != nil {
		t.Fatalf("json: %v", err)
	}
	switch v := tok.(type) {
	case json.Delim:
		if v == '}' || v == ']' {
			return nil
		}
		m := &model{kind: Array}
		if v == '{' {
			m.kind = Object
		}
		for dec.More() {
			name := ""
			if m.kind == Object {
				tok, _ := dec.Token()
				name = tok.(string)
			}
			k := decodeValue(t, dec)
			k.name = name
			m.kids = append(m.kids, k)
		}
		if _, err := dec.Token(); err != nil {
			t.Fatalf("json: %v", err)
		}
		return m
	case string:
		return &model{kind: String, text: v}
	case json.Number:
		return &model{kind: Number, text: v.String()}
	case bool:
		return &model{kind: Bool, text: strconv.FormatBool(v)}
	}
	return &model{kind: Null}
}

// equalNode compares a node with what encoding/json makes of the same text, down through JSON inside JSON.
func equalNode(t testing.TB, n *Node, m *model) {
	t.Helper()
	if n.Kind != m.kind || n.Name != m.name {
		t.Fatalf("at %q: got kind %d name %q, want kind %d name %q", n.Path(), n.Kind, n.Name, m.kind, m.name)
	}
	switch n.Kind {
	case Number:
		if !sameNumber(n.Text, m.text) {
			t.Fatalf("at %q: got number %q for %q", n.Path(), n.Text, m.text)
		}
	case String, Bool:
		if n.Text != m.text {
			t.Fatalf("at %q: got text %q, want %q", n.Path(), n.Text, m.text)
		}
	}
	if n.JSON != (n.Kind == String && isJSON(n.Text)) {
		t.Fatalf("at %q: JSON is %t for %q", n.Path(), n.JSON, n.Text)
	}
	kids := m.kids
	if n.JSON {
		kids = []*model{decodeJSON(t, n.Text)}
	}
	i := 0
	for k := n.First; k != nil; k = k.Next {
		if i == len(kids) || k.Parent != n || int(k.Index) != i {
			t.Fatalf("at %q: kid %d is wrong or too many", n.Path(), i)
		}
		equalNode(t, k, kids[i])
		i++
	}
	if i != len(kids) {
		t.Fatalf("at %q: got %d kids, want %d", n.Path(), i, len(kids))
	}
}

// sameNumber reports whether got is the text that the package gives a number spelled so.
func sameNumber(got, spelled string) bool {
	mantissa, exponent, has := strings.Cut(strings.ToLower(spelled), "e")
	exp, err := strconv.Atoi(exponent)
	if !has || err != nil || exp < -maxExponent || exp > maxExponent {
		return got == spelled
	}
	a, ok := new(big.Rat).SetString(got)
	b, ok2 := new(big.Rat).SetString(spelled)
	digits := strings.TrimLeft(got, "-")
	padded := len(digits) > 1 && digits[0] == '0' && digits[1] != '.'
	return ok && ok2 && a.Cmp(b) == 0 && !strings.ContainsAny(got, "eE") && !padded &&
		strings.HasPrefix(got, "-") == strings.HasPrefix(mantissa, "-")
}

func spanWith(key, value string) ptrace.Span {
	s := ptrace.NewSpan()
	s.Attributes().PutStr(key, value)
	return s
}

// seeds are attribute values as agents send them, and the corners of the grammar.
var seeds = []string{
	``, ` `, `plain text`, `{}`, `[]`, `""`, `"TOOL"`, `"tr-1"`, ` {"a" : 1 } `, "\n[\t1 ,\r2]\n",
	`{"ssn": "219-09-9999", "pan": "4111 1111 1111 1111", "mail": "devon.test@example.com"}`,
	`[{"role":"assistant","parts":[{"type":"text","content":"Ready 🚀🚀 héllo — key=X; then 👍🏽 go on, 東京 office"}]}]`,
	`[{"type":"tool-call","toolName":"openTicket","input":"{\"email\":\"j.abara@harborline-freight.example\",\"n\":4.5e3}"}]`,
	`[{"parts":[{"content":"The service answered: \"{\\\"api_key\\\":\\\"729d\\\",\\\"region\\\":\\\"eu-west-1\\\"}\""}]}]`,
	`{"a":"{\"b\":\"{\\\"c\\\":\\\"{\\\\\\\"d\\\\\\\":1}\\\"}\"}"}`,
	`"{\"a\":[1,\"\\\"x\\\"\"]}"`, `"\"abc\""`, `"\"\\\"abc\\\"\""`,
	`{"caf\u00e9":"\/\u0041\ud83d\ude80\ud83d x \ude80\b\f\n\r\t"}`, `["\u0000\u001f\u007f\uffff\ufffd"]`,
	`{"dup":1,"dup":"two","dup":{"dup":[]}}`, `{"":""}`, `[true,false,null]`,
	`[0,-0,1.50,-1.5e-1,1e2,1E+2,12e-3,0e5,0.00e2,4.111111111111111E15,1e400,1e99999999999999999999,123456.789e2]`,
	"[\"\xff\xc3(\xe2\x82 \xf0\x9f\x9a\x80\"]", "{\"\xff\":\"{\\\"a\\\":\\\"\xff\\\"}\"}", "\"\xff\"", "[\"\x7f\x80\"]",
	`[01]`, `[1.]`, `[.5]`, `[-]`, `[1e]`, `[+1]`, `[tru]`, `[nul]`, `["\x"]`, `["\u12g4"]`, "[\"\x01\"]", `['a']`, `[1,]`,
	"[\"\x1f\"]", "[\"1234567\x1f\"]", "[\"\x1f1234567890123456\"]", "[\"12345678\x1f1234567\"]",
	`[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{1:2}`, `{"a" 1}`, `[1 2]`, `[}`, `{]`, `[[]`, `[]]`, `{} {}`, `"a" "b"`, `"a`,
	`"`, `[`, `{`, `["`, `["\`, `["\u00`, "\ufeff{}", "\v{}", `{"role":"user","content":"cut of`, `[INFO] started`,
	`["[\"[1,2]\"]"," {\"k\" : \" [ ] \"} "]`, `["aaaaaaa\"","aaaaaaaa\"","1234567é","12345678🚀"]`,
	strings.Repeat("[", 40) + strings.Repeat("]", 40), `{"a":` + strings.Repeat(`[{"b":`, 20) + `1` + strings.Repeat(`}]`, 20) + `}`,
}
