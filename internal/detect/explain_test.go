package detect

import (
	"strings"
	"testing"
)

// Every find is explained, and no explanation repeats the value or four bytes of what is
// beside it that the rules do not have themselves.
func TestExplain(t *testing.T) {
	s := newTest(t)
	own := map[string]string{} // what each rule may quote
	for _, r := range s.rules {
		var b strings.Builder
		for _, list := range [][]string{r.Prefix, r.Forms, r.Keys, r.Near, r.Terms} {
			for _, w := range list {
				b.WriteString(w + "\n" + string(phrase(w)) + "\n")
			}
		}
		own[r.ID] = b.String()
	}
	for _, x := range append(specimens(t), splices(t, 31, 500)...) {
		for _, m := range s.Scan(nil, x.key, x.text) {
			why := s.Explain(x.key, x.text, m)
			if len(why) == 0 {
				t.Errorf("%s: %s is not explained", x.at, m.Rule)
			}
			value := x.text[m.Start:m.End]
			for _, w := range why {
				_, quoted, ok := strings.Cut(w, ": ")
				if ok && strings.Contains(w, value) && !strings.Contains(own[m.Rule], quoted) {
					t.Errorf("%s: %s: an explanation holds the value", x.at, m.Rule)
				}
				for _, head := range [...]string{"named: ", "near: ", "after: ", "format: begins with ", "format: layout "} {
					if q, ok := strings.CutPrefix(w, head); ok && !strings.Contains(own[m.Rule], q) {
						t.Errorf("%s: %s: %q is none of the rule's own words", x.at, m.Rule, head)
					}
				}
			}
		}
	}
	for _, x := range []struct{ text, want string }{
		{"tax: ssn 219-09-9999", "format: layout ###-##-####; check: the value passes the rule's check; named: ssn"},
		{"IBAN GB82 WEST 1234 5698 7654 32", "format: IBAN: country length, mod 97"},
		{`{"db_password":"Tulip!482x"}`, "named: password"},
		{"use ghp_16C7e42F292c6912E7710c838347Ae178B4a now", "format: begins with ghp_"},
		{"Authorization: Bearer q8Zr4Lw9bT2mVx6KpN3s", "after: bearer"},
		{"mail casey.test@example.com", "format: mailbox@domain"},
		{"[REDACTED:L4:ssn:9c1f0a77b2d4]", "a redaction token, read back"},
	} {
		ms := s.Scan(nil, Key{}, x.text)
		if len(ms) != 1 {
			t.Fatalf("%q: %d matches", x.text, len(ms))
		}
		if got := strings.Join(s.Explain(Key{}, x.text, ms[0]), "; "); got != x.want {
			t.Errorf("%q:\n got %s\nwant %s", x.text, got, x.want)
		}
	}
}
