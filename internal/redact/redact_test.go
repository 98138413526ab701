package redact

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

func newScanner(t testing.TB, custom ...detect.Custom) *detect.Scanner {
	t.Helper()
	s, err := detect.New(detect.Options{Families: detect.AllFamilies(), Key: []byte("k"), Custom: custom})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const text = "card 4111 1111 1111 1111, again 4111-1111-1111-1111, mail a.b@example.com"

func TestStyles(t *testing.T) {
	s := newScanner(t)
	for style, want := range map[Style]string{
		Placeholder: "card [REDACTED:credit_card], again [REDACTED:credit_card], mail a.b@example.com",
		Mask:        "card ********, again ********, mail a.b@example.com",
		Remove:      "card , again , mail a.b@example.com",
	} {
		r := New(s, style, []agentrisk.Level{agentrisk.L4})
		if got := r.Text(detect.Key{}, text); got != want {
			t.Errorf("%v: got %q, want %q", style, got, want)
		}
	}
	// One card in two notations is one token, and one hash.
	token := New(s, Token, []agentrisk.Level{agentrisk.L4}).Text(detect.Key{}, text)
	first, rest, ok := strings.Cut(strings.TrimPrefix(token, "card "), ", again ")
	if !ok || !strings.HasPrefix(first, "[REDACTED:L4:credit_card:") || !strings.HasPrefix(rest, first+", mail a.b@") {
		t.Errorf("token: got %q", token)
	}
	hashed := New(s, Hash, []agentrisk.Level{agentrisk.L4}).Text(detect.Key{}, text)
	if strings.Contains(hashed, "1111") || len(hashed) != len("card , again , mail a.b@example.com")+24 {
		t.Errorf("hash: got %q", hashed)
	}
}

func TestNoLevels(t *testing.T) {
	r := New(newScanner(t), Token, nil)
	if r.Active() || r.Text(detect.Key{}, text) != text {
		t.Error("a Redactor without levels changes text")
	}
}

// TestComesToRest: a replacement that makes a new match of what is left is followed up, and a detector that matches
// every replacement ends with the text withheld, not passed.
func TestComesToRest(t *testing.T) {
	grow := newScanner(t, detect.Custom{Name: "all", Pattern: `[a-z*]+`, DataType: "custom", Level: agentrisk.L4})
	if got := New(grow, Mask, []agentrisk.Level{agentrisk.L4}).Text(detect.Key{}, "abc def"); got != "[WITHHELD:unstable]" {
		t.Errorf("got %q", got)
	}
	joined := newScanner(t, detect.Custom{Name: "ab", Pattern: `ab`, DataType: "custom", Level: agentrisk.L4})
	if got := New(joined, Remove, []agentrisk.Level{agentrisk.L4}).Text(detect.Key{}, "-aabbc-"); got != "-c-" {
		t.Errorf("got %q, want the ab that removing ab made to be removed too", got)
	}
}

// TestTwice: redacting is idempotent for any mix of pieces, keys and styles.
func TestTwice(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	s := newScanner(t)
	pieces := []string{
		"4111111111111111", "password: ", "hunter2-Xy9!", "a.b@example.com", "postgres://u:p4ssW0rd@h/d", "\n", " ", ",", `"`, `\"`,
		"Bearer ", "abcdef0123456789abcdef", "=", "api_key", "[REDACTED:L4:ssn:0123456789ab]", "219-09-9999", "ssn ", "born 1990-01-02",
		"Dr. Jane Roe", "salary 95,000", "[", "]", ":", "GB82WEST12345698765432", "\u00e9", "\xff", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln",
	}
	all := agentrisk.Levels()
	for range 3000 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		key := detect.Key{Name: []string{"", "password", "note", "ssn", "content"}[rng.IntN(5)]}
		r := New(s, Style(rng.IntN(5)), all)
		once := r.Text(key, b.String())
		if twice := r.Text(key, once); twice != once {
			t.Fatalf("%v under %q (seed %d): %q became %q, then %q", r.style, key.Name, seed, b.String(), once, twice)
		}
	}
}

func TestParseStyle(t *testing.T) {
	for _, s := range []Style{Token, Placeholder, Mask, Hash, Remove} {
		if got, err := ParseStyle(s.String()); err != nil || got != s {
			t.Errorf("%v: got %v, %v", s, got, err)
		}
	}
	if _, err := ParseStyle("star"); err == nil || !strings.Contains(err.Error(), "token, placeholder, mask, hash, remove") {
		t.Errorf("got %v", err)
	}
}
