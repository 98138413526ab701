package assembly

import "testing"

func TestReasonNames(t *testing.T) {
	seen := map[string]bool{}
	for r := RootEnded; r <= Late; r++ {
		if s := r.String(); s == "" || s[0] == 'R' || seen[s] {
			t.Errorf("reason %d has no name of its own: %q", uint8(r), s)
		}
		seen[r.String()] = true
	}
	for _, r := range []Reason{0, Late + 1} {
		if r.String()[0] != 'R' {
			t.Errorf("got name %q for no reason", r)
		}
	}
}
