package detect

import (
	"math/rand/v2"
	"testing"
)

// fill writes random digits and letters into a layout.
func fill(rnd *rand.Rand, layout string) string {
	out := make([]byte, 0, len(layout))
	for i := range len(layout) {
		switch b := layout[i]; b {
		case '#':
			out = append(out, byte('0'+rnd.IntN(10)))
		case 'A':
			out = append(out, byte('A'+rnd.IntN(26)))
		case 'X':
			out = append(out, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"[rnd.IntN(33)])
		case '~':
			if rnd.IntN(2) == 0 {
				out = append(out, ' ')
			}
		default:
			out = append(out, b)
		}
	}
	return string(out)
}

// heads are first digits that all numbers of a rule have, or enough of them to find one.
var heads = map[string]string{"cn-identity-card": "11010519", "ae-emirates-id": "78419", "ae-emirates-id-context": "78419"}

// solve fills a layout until the rule's check passes, "" when it never does.
func solve(rnd *rand.Rand, r *rule, layout string) string {
	head := heads[r.ID]
	for range 200000 {
		v := []byte(fill(rnd, layout))
		for i, k := 0, 0; i < len(v) && k < len(head); i++ {
			if isDigit(v[i]) {
				v[i] = head[k]
				k++
			}
		}
		if v := string(v); r.Valid(v) {
			return v
		}
	}
	return ""
}

// Values of every layout with a check, solved from the rule's own description, are found
// beside the rule's own words in a sentence, under a key and as a variable; and the rule no
// longer finds them when one digit was changed so that the check fails.
func TestCheckedLayouts(t *testing.T) {
	s := newTest(t)
	rnd := rand.New(rand.NewPCG(41, 43))
	rules, positives, misses := 0, 0, 0
	for _, r := range s.rules {
		if r.Valid == nil || r.Forms == nil || r.Recognise != nil {
			continue
		}
		rules++
		word := "the number"
		if len(r.Near) > 0 {
			word = r.Near[0]
		} else if len(r.Keys) > 0 {
			word = r.Keys[0]
		}
		found := func(text string, same func(m Match) bool) bool {
			for _, m := range s.Scan(nil, Key{}, text) {
				if same(m) {
					return true
				}
			}
			return false
		}
		hit, tried := 0, 0
		for _, layout := range r.Forms {
			for range 20 {
				v := solve(rnd, r, layout)
				if v == "" {
					t.Errorf("rule %s: no value of layout %s passes its check", r.ID, layout)
					break
				}
				for _, text := range []string{word + " " + v, `{"` + word + `":"` + v + `"}`, word + ": " + v + "\n"} {
					tried++
					positives++
					if found(text, func(m Match) bool { return m.Level >= r.level && m.End-m.Start >= len(v)-2 }) {
						hit++
					}
				}
				b := []byte(v)
				for k := len(b) - 1; k >= 0; k-- {
					if isDigit(b[k]) {
						b[k] = '0' + (b[k]-'0'+1)%10
						if !r.Valid(string(b)) {
							misses++
							if text := word + " " + string(b); found(text, func(m Match) bool { return m.Rule == r.ID && m.End-m.Start == len(b) && r.Shape == nil }) {
								t.Errorf("rule %s: layout %s: found with a check that fails", r.ID, layout)
							}
						}
						break
					}
				}
			}
		}
		// One in fifty may be another thing by its look: a filler, a date, a number of one digit.
		if hit*50 < tried*49 {
			t.Errorf("rule %s: %d of %d solved values found beside %q", r.ID, hit, tried, word)
		}
	}
	if rules < 20 || positives < 5000 || misses < 500 {
		t.Errorf("%d rules, %d positives, %d near misses: too few", rules, positives, misses)
	}
	t.Logf("%d rules, %d positives, %d near misses", rules, positives, misses)
}
