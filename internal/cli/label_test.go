package cli

import (
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

func TestLabel(t *testing.T) {
	s, err := detect.New(detect.Options{Families: detect.AllFamilies(), Key: []byte("test")})
	if err != nil {
		t.Fatal(err)
	}
	id := agentrisk.NewSecretID(agentrisk.FamilyCustom, [6]byte{1, 2, 3, 4, 5, 6})
	found := func(value string) audit.Finding {
		return audit.Finding{Value: value, Type: "custom", Level: agentrisk.L4, ID: id}
	}
	l := newLabeller(s, []audit.Finding{found("secret-a"), found("secret-a-long"), found("short"), {Value: "[REDACTED:x]", Token: true}})
	const token = "[REDACTED:L4:custom:010203040506]"
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"gen_ai.input.messages", "gen_ai.input.messages"},
		{"a short name", "a short name"}, // too short to be looked for
		{"x.secret-a.y", "x." + token + ".y"},
		{"secret-a-long", token},          // the longest value at a place
		{"xsecret-ax", "x" + token + "x"}, // also inside a word: better unreadable than told
	} {
		for range 2 { // the second time it is remembered
			if got := l.label(test.in); got != test.want {
				t.Errorf("label(%q): got %q, want %q", test.in, got, test.want)
			}
		}
	}
	// By rule, although nothing in the trace told of it.
	got := l.label("orders of ana@example.com and bob@example.com")
	if strings.Contains(got, "@") || strings.Count(got, "[REDACTED:L2:email:") != 2 {
		t.Errorf("got %q, want two tokens", got)
	}
	if again := l.label(got); again != got {
		t.Errorf("a token was replaced: %q became %q", got, again)
	}
}

// TestParts wants texts cut at line ends, whole when put together again, and a private key in one part.
func TestParts(t *testing.T) {
	line := strings.Repeat("x", 1023) + "\n"
	long := strings.Repeat(line, chunkSize/len(line)-1)
	key := "-----BEGIN PRIVATE KEY-----\n" + line + line + "-----END PRIVATE KEY-----\n"
	for _, test := range []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"JSON", "{\n\"a\": 1\n}\n", 1},
		{"JSON lines", "{}\n\n[1]\n", 3},
		{"text", "a\n{}\n", 1},
		{"no end of line", "a\nb", 1},
		{"long", long + line + line + "end", 2},
		{"a key at the cut", long + key + line + "end", 2},
	} {
		ps := parts([]byte(test.text))
		whole := ""
		for _, p := range ps {
			whole += string(p)
			if strings.Count(string(p), "-----BEGIN") != strings.Count(string(p), "-----END") {
				t.Errorf("%s: a key was cut", test.name)
			}
		}
		if len(ps) != test.want || whole != test.text {
			t.Errorf("%s: got %d parts of %d bytes, want %d of %d", test.name, len(ps), len(whole), test.want, len(test.text))
		}
	}
}
