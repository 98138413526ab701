package detect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkMatches holds what is promised of every scan.
func checkMatches(t testing.TB, s *Scanner, key Key, text string) {
	t.Helper()
	got := s.Scan(nil, key, text)
	at := 0
	for _, m := range got {
		if m.Start < at || m.End <= m.Start || m.End > len(text) {
			t.Fatalf("match %s [%d:%d) after %d in %d bytes: want sorted, disjoint, in bounds", m.Rule, m.Start, m.End, at, len(text))
		}
		at = m.End
		if utf8.ValidString(text) && (!utf8.ValidString(text[:m.Start]) || !utf8.ValidString(text[m.Start:m.End])) {
			t.Fatalf("match %s [%d:%d): cuts a character", m.Rule, m.Start, m.End)
		}
		if !m.Level.Valid() {
			t.Fatalf("match %s: level %v", m.Rule, m.Level)
		}
		if !m.Token && strings.Contains(text[m.Start:m.End], tokenOpen) {
			if _, _, ok := parseToken(text, m.Start+strings.Index(text[m.Start:], tokenOpen)); ok {
				t.Fatalf("match %s covers a redaction token", m.Rule)
			}
		}
	}
	if again := s.Scan(nil, key, text); !slices.Equal(got, again) {
		t.Fatalf("second scan differs")
	}
}

func FuzzScan(f *testing.F) {
	for _, x := range specimens(f) {
		f.Add(x.key.Name, x.key.Parent, x.text)
	}
	for _, h := range hostile(64) {
		f.Add("", "", h)
	}
	w := newSlow(f)
	f.Fuzz(func(t *testing.T, name, parent, text string) {
		checkMatches(t, w.s, Key{name, parent}, text)
		w.held(t, Key{name, parent}, text)
	})
}

// hostile are texts that a scan with a quadratic corner would choke on.
func hostile(n int) []string {
	var out []string
	for _, unit := range []string{"a", "-", "@", "1", "4111 ", "a@", "a@a.", "-----BEGIN PRIVATE KEY-----", "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "sk-", "password:", "password=\"", "token: '",
		"secret:\\\"", "a:b@", "://a:b", "http://a:", "[REDACTED:", "[REDACTED:L4:", "\\", "\\n", "::", "1:", "1.", "(1", "+1 ", "a=", "--password ", "is is ", "my name is ", "12 A ", "12 rue de la ", "Dr. A ",
		"I have ", "diabetes ", "{\"ssn\":", "\"", "é", "\xff", " ", "key ", "1,", "123-45-", "<a>", "MTAw", "AKIA", "dob: 1", "calle A ", "GB82 ", "abandon ability ", "recovery phrase: ", "xoxb-", "Bearer ", "Basic YTpi",
		"%41", "%", "&#65;", "&#", "\\u0041", "cGFzc3dvcmQ9", "cGFzc3dvcmQ9aHVudGVyMnh5\n", "70617373776f72643d", "a,ssn\n1,2\n", "|a|ssn|\n|--|--|\n|1|2|\n", "|ssn", "ssn,", "a,ssn\\n1,2\\n",
		"4\u200b1", "\u200b", "４１", "٤١", "4 1 ", "4-1-", "А1", "é1", "密码：", "1\u00a02\u00a0", "abcd1234\nefgh5678\n", "glpat-a1\n", "MIIBOgIBA", "value=", "name=a value=", " for Jane: ",
		"convicted of ", "he convicted of ", "John ", "John Smith, ", "Regards,\n", "a Inc", "A Inc ", "A & ", "Q~", "1/", "1|", "<a@b.c", "x <a@b.c>", "works at ", "works as a ", "aKEY ", "prefers "} {
		out = append(out, strings.Repeat(unit, n/len(unit)+1))
	}
	return out
}

// BenchmarkHostile shows that a scan takes time in proportion to the length: MB/s of each text must not fall with it.
// It is a benchmark since a clock on a shared machine proves nothing in a test.
func BenchmarkHostile(b *testing.B) {
	s := newTest(b)
	for _, n := range []int{1 << 15, 1 << 17, 1 << 19} {
		for _, text := range hostile(n) {
			b.Run(fmt.Sprintf("%.12q/%d", text, n), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					s.Scan(nil, Key{}, text)
				}
			})
		}
	}
}

func TestProperties(t *testing.T) {
	s := newTest(t)
	for _, x := range specimens(t) {
		checkMatches(t, s, x.key, x.text)
		// Cut anywhere, a text is still a text.
		for i := range len(x.text) {
			checkMatches(t, s, x.key, x.text[:i])
			checkMatches(t, s, Key{}, x.text[i:])
		}
	}
	for _, h := range hostile(300) {
		checkMatches(t, s, Key{}, h)
	}
}

// What is redacted with tokens reads back as the same secrets, and nothing else is
// found in a text that is nothing but tokens and what stood around them.
func TestTokensReadBack(t *testing.T) {
	s := newTest(t)
	for _, x := range specimens(t) {
		ms := s.Scan(nil, x.key, x.text)
		if len(ms) == 0 {
			continue
		}
		var b strings.Builder
		at := 0
		for _, m := range ms {
			b.WriteString(x.text[at:m.Start])
			b.WriteString(FormatToken(m.Level, m.Type, m.ID))
			at = m.End
		}
		b.WriteString(x.text[at:])
		again := s.Scan(nil, x.key, b.String())
		if len(again) != len(ms) {
			t.Errorf("%s: %d matches, %d after redaction: %s", x.at, len(ms), len(again), describe(b.String(), again))
			continue
		}
		for i, m := range again {
			if !m.Token || m.ID != ms[i].ID || m.Level != ms[i].Level || m.Type != ms[i].Type {
				t.Errorf("%s: token read back as %+v, want %+v", x.at, m, ms[i])
			}
		}
	}
}

// Notations of one value have one identity, and other values another.
func TestIdentity(t *testing.T) {
	s := newTest(t)
	for _, same := range [][]string{
		{"card 4111-1111-1111-1111", "4111111111111111", "4111 1111 1111 1111"},
		{"call +1 (514) 555-0142", "tel +15145550142", "phone 514-555-0142", "(514) 555-0142"},
		{"ssn 536-22-4718", "SSN: 536224718", "ssn 536 22 4718"},
		{"iban GB82WEST12345698765432", "GB82 WEST 1234 5698 7654 32"},
		{"mail Casey@Example.com", "casey@example.com"},
		{"salary: 182,500", "salary: 182500", "salary: $182,500.00", "my salary is 182 500"},
		{"Dr. Jane Roe", "my name is Jane Roe"},
		{"sin 046 454 286", "sin: 046454286"},
	} {
		first := s.Scan(nil, Key{}, same[0])
		for _, text := range same[1:] {
			got := s.Scan(nil, Key{}, text)
			if len(first) != 1 || len(got) != 1 || got[0].ID != first[0].ID {
				t.Errorf("%q and %q: want one secret, got %v and %v", same[0], text, first, got)
			}
		}
	}
	other, err := New(Options{Families: AllFamilies(), Key: []byte("other")})
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.Scan(nil, Key{}, "4111111111111111"), other.Scan(nil, Key{}, "4111111111111111")
	if a[0].ID == b[0].ID {
		t.Error("one fingerprint under two keys")
	}
}

func TestNoAllocationWhenClean(t *testing.T) {
	s := newTest(t)
	text := cleanChat(4 << 10)
	if n := testing.AllocsPerRun(50, func() { s.Scan(nil, Key{"content", "message"}, text) }); n > 0 {
		t.Errorf("%v allocations in a clean text, want none", n)
	}
}
