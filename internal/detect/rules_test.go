package detect

import (
	"bufio"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// specimen is one line of testdata/rules.
type specimen struct {
	rule string
	key  Key
	text string
	want [][2]int
	at   string // file and line
}

func specimens(t testing.TB) (out []specimen) {
	t.Helper()
	files, _ := filepath.Glob("testdata/rules/*.txt")
	for _, name := range files {
		if strings.HasSuffix(name, "README.txt") {
			continue
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rule := ""
		sc := bufio.NewScanner(strings.NewReader(string(raw)))
		for n := 1; sc.Scan(); n++ {
			line := strings.ReplaceAll(sc.Text(), "⏎", "\n")
			if id, ok := strings.CutPrefix(line, "## "); ok {
				rule = id
				continue
			}
			x := specimen{rule: rule, at: filepath.Base(name) + ": " + line}
			if strings.HasPrefix(line, "@") {
				var key string
				key, line, _ = strings.Cut(line[1:], " ")
				x.key.Name, x.key.Parent, _ = strings.Cut(key, ",")
			}
			for {
				before, rest, ok := strings.Cut(line, "«")
				x.text += before
				if !ok {
					break
				}
				hit, after, _ := strings.Cut(rest, "»")
				x.want = append(x.want, [2]int{len(x.text), len(x.text) + len(hit)})
				x.text += hit
				line = after
			}
			out = append(out, x)
		}
	}
	return out
}

func TestSpecimens(t *testing.T) {
	s := newTest(t)
	hits, misses := map[string]bool{}, map[string]bool{}
	for _, x := range specimens(t) {
		got := s.Scan(nil, x.key, x.text)
		bad := len(got) != len(x.want)
		for i := range got {
			if !bad && (got[i].Start != x.want[i][0] || got[i].End != x.want[i][1] || got[i].Rule != x.rule) {
				bad = true
			}
		}
		if bad {
			t.Errorf("%s\n  got %s", x.at, describe(x.text, got))
		}
		if len(x.want) > 0 {
			hits[x.rule] = true
		} else {
			misses[x.rule] = true
		}
	}
	for _, r := range s.rules {
		if r.Prefix != nil || r.ID == "telegram-bot-token" {
			continue // generated, see TestVendorFormats
		}
		if !hits[r.ID] || !misses[r.ID] {
			t.Errorf("rule %s: want a specimen and a near miss in testdata/rules", r.ID)
		}
	}
}

func describe(text string, ms []Match) string {
	var b strings.Builder
	for _, m := range ms {
		b.WriteString(m.Rule + "=" + text[m.Start:m.End] + " ")
	}
	return b.String()
}

// randomOf returns n bytes of set that hold letters of both cases and digits where
// the set has them.
func randomOf(rnd *rand.Rand, set *charset, n int) string {
	var all []byte
	for b := range 128 {
		if set.has(byte(b)) && b != '-' && b != '.' && b != '_' && b != '=' && b != '/' && b != '+' && b != '%' && b != 'x' && b != 'X' {
			all = append(all, byte(b))
		}
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = all[rnd.IntN(len(all))]
	}
	return string(out)
}

// Each token format, generated from the rule's own description, is found in
// sentences, JSON, headers and escapes, and not when it is too short.
func TestVendorFormats(t *testing.T) {
	s := newTest(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, r := range s.rules {
		if r.Prefix == nil || r.Body == nil || r.ID == "slack-webhook" || r.ID == "sendgrid-key" {
			continue
		}
		for _, p := range r.Prefix {
			for range 20 {
				n := r.Min + rnd.IntN(min(r.Max-r.Min, 40)+1)
				v := p + randomOf(rnd, r.Body, n)
				if r.Valid != nil && !r.Valid(v) {
					continue
				}
				for _, around := range [][2]string{{"", ""}, {"use ", " now"}, {`{"a":"`, `"}`}, {`\"`, `\"`}, {"X=", "\n"}, {`line\n`, `\nline`}, {"(", ")"}, {"`", "`."}} {
					text := around[0] + v + around[1]
					got := s.Scan(nil, Key{}, text)
					if len(got) != 1 || got[0].Start != len(around[0]) || got[0].End != len(around[0])+len(v) || got[0].Level != r.level {
						t.Errorf("rule %s: prefix %q, %d bytes in %q…%q: got %d matches %s", r.ID, p, n, around[0], around[1], len(got), describe(text, got))
						break
					}
				}
				if r.Min > 16 {
					short := p + randomOf(rnd, r.Body, r.Min/3)
					if got := s.Scan(nil, Key{}, "use "+short+" now"); len(got) != 0 && got[0].Rule == r.ID {
						t.Errorf("rule %s: prefix %q found with %d bytes only", r.ID, p, r.Min/3)
					}
				}
			}
		}
	}
}

// Every issuer and length of the card table, with a valid check digit; and each
// again with its last digit changed.
func TestCardFormats(t *testing.T) {
	s := newTest(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	find := func(text string) bool {
		for _, m := range s.Scan(nil, Key{}, text) {
			if m.Type == "credit_card" {
				return true
			}
		}
		return false
	}
	for _, is := range issuers {
		for _, n := range is.lengths {
			for range 30 {
				v := []byte(strings.Repeat("0", n))
				p := is.lo + rnd.IntN(is.hi-is.lo+1)
				for i := is.digits - 1; i >= 0; i-- {
					v[i] = byte('0' + p%10)
					p /= 10
				}
				for i := is.digits; i < n; i++ {
					v[i] = byte('0' + rnd.IntN(10))
				}
				for !luhn(string(v)) {
					v[n-1] = '0' + (v[n-1]-'0'+1)%10
				}
				if text := "my card " + string(v) + " expired"; !find(text) {
					t.Errorf("issuer %d-%d, %d digits: not found", is.lo, is.hi, n)
				}
				v[n-1] = '0' + (v[n-1]-'0'+1)%10
				if find("my card " + string(v) + " expired") {
					t.Errorf("issuer %d-%d, %d digits: found with a wrong check digit", is.lo, is.hi, n)
				}
			}
		}
	}
}
