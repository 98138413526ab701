package audit

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// A disguise writes a value in another form. It returns the value itself where the form does not apply.
type disguise struct {
	name string
	make func(rng *rand.Rand, v string) string
	// mixed says that the form applies to values of letters in any case; else only to numbers.
	kinds string
}

func each(v string, write func(c byte) string) string {
	var b strings.Builder
	for i := range len(v) {
		b.WriteString(write(v[i]))
	}
	return b.String()
}

// disguises are by kind of value: p a password, n a number, e an address, h hex, m a name.
var disguises = []disguise{
	{"bare", func(_ *rand.Rand, v string) string { return v }, "pnehm"},
	{"base64", func(_ *rand.Rand, v string) string { return base64.StdEncoding.EncodeToString([]byte(v)) }, "pneh"},
	{"base64 in a longer text", func(rng *rand.Rand, v string) string {
		text := strings.Repeat("~", rng.IntN(70)) + v + strings.Repeat("~", rng.IntN(70))
		return base64.StdEncoding.EncodeToString([]byte(text))
	}, "pneh"},
	{"base64 in binary", func(rng *rand.Rand, v string) string {
		text := make([]byte, rng.IntN(70))
		for i := range text {
			text[i] = byte(rng.IntN(256))
		}
		return base64.RawURLEncoding.EncodeToString(append(append(text, v...), text...))
	}, "pneh"},
	{"hex", func(_ *rand.Rand, v string) string { return hex.EncodeToString([]byte(v)) }, "pneh"},
	{"hex in upper case", func(_ *rand.Rand, v string) string { return fmt.Sprintf("%X00", v) }, "pneh"},
	{"percent", func(rng *rand.Rand, v string) string {
		return each(v, func(c byte) string {
			if rng.IntN(2) == 0 || c == '%' {
				return fmt.Sprintf("%%%02x", c)
			}
			return string(c)
		})
	}, "pnehm"},
	{"query", func(_ *rand.Rand, v string) string { return url.PathEscape(v) }, "pnehm"},
	{`\u`, func(rng *rand.Rand, v string) string {
		return each(v, func(c byte) string {
			if rng.IntN(2) == 0 {
				return fmt.Sprintf(`\u%04X`, c)
			}
			return string(c)
		})
	}, "pnehm"},
	{"entities", func(rng *rand.Rand, v string) string {
		return each(v, func(c byte) string {
			return []string{fmt.Sprintf("&#%d;", c), fmt.Sprintf("&#x%X;", c), string(c)}[rng.IntN(3)]
		})
	}, "pnehm"},
	{"full-width", func(_ *rand.Rand, v string) string {
		return each(v, func(c byte) string {
			if c > ' ' && c < 0x7F {
				return string(rune(c) - '!' + 0xFF01)
			}
			return string(c)
		})
	}, "pnehm"},
	{"Arabic digits", func(_ *rand.Rand, v string) string {
		return each(v, func(c byte) string {
			if '0' <= c && c <= '9' {
				return string(rune(c) - '0' + 0x660)
			}
			return string(c)
		})
	}, "pneh"},
	{"zero-width", func(rng *rand.Rand, v string) string {
		return each(v, func(c byte) string { return string(c) + strings.Repeat("\u200b", rng.IntN(3)) })
	}, "pnehm"},
	{"broken line", func(rng *rand.Rand, v string) string {
		at := 2 + rng.IntN(len(v)-3)
		return v[:at] + []string{"\n", "\r\n", "\n    ", `\n`}[rng.IntN(4)] + v[at:]
	}, "pneh"},
	{"upper case", func(_ *rand.Rand, v string) string { return strings.ToUpper(v) }, "nehm"},
	{"lower case", func(_ *rand.Rand, v string) string { return strings.ToLower(v) }, "nehm"},
	{"grouped", func(rng *rand.Rand, v string) string {
		sep := []string{" ", "-", ".", "\u00a0", " - "}[rng.IntN(5)]
		return strings.TrimRight(each(v, func(c byte) string {
			if c == ' ' || c == '-' {
				return ""
			}
			return string(c) + strings.Repeat(sep, rng.IntN(2))
		}), " -.\u00a0")
	}, "n"},
	{"more space", func(_ *rand.Rand, v string) string { return strings.ReplaceAll(v, " ", "\n\t ") }, "nm"},
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func pick(rng *rand.Rand, from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[rng.IntN(len(from))]
	}
	return string(b)
}

// aValue draws a value of a kind, with the type that a rule would have given it.
func aValue(rng *rand.Rand, kind byte) (string, agentrisk.DataType, agentrisk.Family) {
	switch kind {
	case 'p':
		return pick(rng, letters, 3) + pick(rng, "0123456789", 2) + pick(rng, letters+"0123456789!#+/=.:_-$<>", 3+rng.IntN(24)) + pick(rng, letters, 1),
			"password", agentrisk.FamilyCredential
	case 'n':
		v := pick(rng, "123456789", 1) + pick(rng, "0123456789", 8+rng.IntN(9))
		if rng.IntN(2) == 0 {
			v = v[:3] + "-" + v[3:6] + " " + v[6:]
		}
		return v, "account_number", agentrisk.FamilyIDNumber
	case 'e':
		return pick(rng, letters, 4) + "." + pick(rng, letters, 3) + "@" + pick(rng, letters, 5) + ".org", "email", agentrisk.FamilyContact
	case 'h':
		return pick(rng, "0123456789abcdef", 20+rng.IntN(44)), "api_key", agentrisk.FamilyCredential
	}
	return strings.ToUpper(pick(rng, letters, 1)) + pick(rng, letters[:26], 6) + " " + strings.ToUpper(pick(rng, letters, 1)) + pick(rng, letters[:26], 7),
		"person_name", agentrisk.FamilyPerson
}

// TestForms: a value that is known is found in every form, at every place, and nothing of it is left.
func TestForms(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 8))
	h := newLiteralHash(rng.Uint64())
	around := []string{"", " ", "see ", "\"", "(", "=", "\n", "用", ">", `\n`, "%20", "x ", "1, ", "Ünder ", "\u200b"}
	for range 400 {
		for _, d := range disguises {
			kind := d.kinds[rng.IntN(len(d.kinds))]
			v, typ, family := aValue(rng, kind)
			var l literals
			for _, x := range h.append(nil, v, detect.Match{Type: typ, Level: agentrisk.L4, ID: agentrisk.NewSecretID(family, [6]byte{1})}) {
				l.add(x)
			}
			for range rng.IntN(8) {
				other, typ, family := aValue(rng, "pnehm"[rng.IntN(5)])
				for _, x := range h.append(nil, other, detect.Match{Type: typ, ID: agentrisk.NewSecretID(family, [6]byte{2})}) {
					l.add(x)
				}
			}
			form := d.make(rng, v)
			left, right := around[rng.IntN(len(around))], around[rng.IntN(len(around))]
			if strings.HasPrefix(right, "x") || strings.HasPrefix(right, "1") || strings.HasPrefix(right, "s") || strings.HasPrefix(right, "Ü") {
				right = "."
			}
			text := left + form + right
			f := newFinder(h, &l)
			ms := f.find(nil, text, nil)
			if len(ms) != 1 || ms[0].ID[0] != 1 {
				t.Fatalf("%s (seed %d): %q is not found once in %q, but %v", d.name, seed, v, text, ms)
			}
			rest := text[:ms[0].Start] + "#" + text[ms[0].End:]
			if !strings.HasPrefix(d.name, "base64") && !strings.HasPrefix(d.name, "hex in") && rest != left+"#"+right &&
				strings.ReplaceAll(rest, "\u200b", "") != strings.ReplaceAll(left+"#"+right, "\u200b", "") {
				t.Fatalf("%s (seed %d): %q left %q of %q", d.name, seed, v, rest, text)
			}
			if again := f.find(nil, rest, nil); len(again) != 0 {
				t.Fatalf("%s (seed %d): %q is still in %q", d.name, seed, v, rest)
			}
			if !f.mayHold(text) {
				t.Fatalf("%s (seed %d): the filter lets %q pass", d.name, seed, text)
			}
		}
	}
}

// TestFormsTellApart: what is not the value stays.
func TestFormsTellApart(t *testing.T) {
	h := newLiteralHash(7)
	for _, tt := range []struct {
		value  string
		typ    agentrisk.DataType
		family agentrisk.Family
		text   string
		found  bool
	}{
		{"hunter2-Xy9", "password", agentrisk.FamilyCredential, "HUNTER2-XY9 and hunter2 Xy9", false},
		{"Welcome", "password", agentrisk.FamilyCredential, "welcome to the team", false},
		{"Will Grant", "person_name", agentrisk.FamilyPerson, "we will grant access", false},
		{"Will Grant", "person_name", agentrisk.FamilyPerson, "ask WILL GRANT", true},
		{"Martin", "person_name", agentrisk.FamilyPerson, "martin and MARTIN", false},
		{"Anastasia Papadopoulou", "person_name", agentrisk.FamilyPerson, "ask anastasia\n papadopoulou", true},
		{"martin", "username", agentrisk.FamilyContact, "Martin", false},
		{"123456", "client_identifier", agentrisk.FamilyIDNumber, "at 12:34:56", false},
		{"20240112", "client_identifier", agentrisk.FamilyIDNumber, "on 2024-01-12", false},
		{"4111111111111111", "credit_card", agentrisk.FamilyIDNumber, "order 94111111111111111", false},
		{"4111111111111111", "credit_card", agentrisk.FamilyIDNumber, "4 1 1 1 - 1 1 1 1 / 1 1 1 1 . 1 1 1 1", true},
		{"+1 (514) 555-0142", "phone_number", agentrisk.FamilyContact, "call 514.555.0142", true},
		{"hunter2-Xy9", "password", agentrisk.FamilyCredential, "yhunter2-Xy9 hunter2-Xy9z", false},
		{"hunter2-Xy9", "password", agentrisk.FamilyCredential, "密码hunter2-Xy9是", true},
		{"pa%41ss&amp;w0rd", "password", agentrisk.FamilyCredential, "use pa%41ss&amp;w0rd", true},
		{"pa%41ss&amp;w0rd", "password", agentrisk.FamilyCredential, "pa%2541ss%26amp;w0rd", true},
		{"José García", "person_name", agentrisk.FamilyPerson, "SR. JOSÉ GARCÍA", true},
		{"José García", "person_name", agentrisk.FamilyPerson, "Jos%C3%A9%20Garc%c3%ada", true},
	} {
		var l literals
		for _, x := range h.append(nil, tt.value, detect.Match{Type: tt.typ, ID: agentrisk.NewSecretID(tt.family, [6]byte{1})}) {
			l.add(x)
		}
		if got := newFinder(h, &l).find(nil, tt.text, nil); len(got) > 0 != tt.found {
			t.Errorf("%s %q in %q: got %v", tt.typ, tt.value, tt.text, got)
		}
	}
}

// TestLongValues: values beyond one look are found in texts that repeat their beginning over and over.
func TestLongValues(t *testing.T) {
	h := newLiteralHash(7)
	value := strings.Repeat("ab-1 ", 800) + "end9"
	var l literals
	for _, x := range h.append(nil, value, detect.Match{Type: "password", ID: agentrisk.NewSecretID(agentrisk.FamilyCredential, [6]byte{1})}) {
		l.add(x)
	}
	text := strings.Repeat("ab-1 ", 20_000) + "end9, " + strings.Repeat("ab-1 ", 9000)
	ms := newFinder(h, &l).find(nil, text, nil)
	if len(ms) != 1 || text[ms[0].Start:ms[0].End] != value {
		t.Fatalf("got %v", ms)
	}
}

// BenchmarkFind is the search for 20 known values in clean text.
func BenchmarkFind(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	h := newLiteralHash(7)
	var text strings.Builder
	for _, f := range traceFiles(b) {
		telemetry{traces: readTraces(b, f)}.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
			for _, v := range s.Attributes().All() {
				text.WriteString(v.AsString())
			}
		})
	}
	for _, n := range []int{1, 5, 20, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var l literals
			for range n {
				v, typ, family := aValue(rng, "pnehm"[rng.IntN(5)])
				for _, x := range h.append(nil, v, detect.Match{Type: typ, ID: agentrisk.NewSecretID(family, [6]byte{1})}) {
					l.add(x)
				}
			}
			b.SetBytes(int64(text.Len()))
			f := newFinder(h, &l)
			for b.Loop() {
				f.find(nil, text.String(), nil)
			}
		})
	}
}

// TestKnownInsideWeaker: a known value of level 4 is removed where a rule took part of it for something of a lower level,
// here for a telephone number.
func TestKnownInsideWeaker(t *testing.T) {
	a := newAuditor(t, Options{Redaction: Redaction{Levels: []int{4}, Style: "token", Key: "k"}})
	token := regexp.MustCompile(`\[REDACTED[^\]]*\]`)
	other := regexp.MustCompile(`[^0-9#]`)
	for _, card := range []string{"4111111111111111", "4242424242424242"} {
		for _, before := range []string{"call 44 ", "tel +44 ", "phone: 44 ", "(44) "} {
			for _, sep := range []string{"\n", " \n", "\r\n", " "} {
				for i := 1; i < len(card); i++ {
					text := before + card[:i] + sep + card[i:]
					known := oneSpan("gen_ai.operation.name", "execute_tool", "gen_ai.tool.call.result", `{"card_number": "`+card+`"}`)
					there := oneSpan("gen_ai.operation.name", "execute_tool", "gen_ai.tool.call.arguments", jsonText(map[string]any{"note": text}))
					score(a, []ptrace.Traces{known, there})
					v, _ := onlySpan(there).Attributes().Get("gen_ai.tool.call.arguments")
					if digits := other.ReplaceAllString(token.ReplaceAllString(v.Str(), "#"), ""); strings.Contains(digits, card) {
						t.Errorf("%q became %s", text, v.Str())
					}
				}
			}
		}
	}
}
