package audit

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

func withCanaries(t testing.TB, canaries ...Canary) *Auditor {
	t.Helper()
	p := DefaultPolicy()
	p.Vault.Canaries = canaries
	r := Redaction{Levels: []int{4}, Key: "of no value"}
	if err := Validate(p, r); err != nil {
		t.Fatal(err)
	}
	a, err := New(p, Options{Redaction: r, KeepValues: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// canariesIn are the finds of canaries in a text.
func canariesIn(a *Auditor, text string) (ms []detect.Match) {
	for _, m := range a.Scanner().Scan(nil, detect.Key{}, text) {
		if m.Type == CanaryType {
			ms = append(ms, m)
		}
	}
	return ms
}

// TestCanaryForms wants a canary to be found in every form that copies of values are found in, in any surroundings, and
// nothing of it to be left.
func TestCanaryForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) }
	forms := map[string]func(string) string{
		"as it is": func(s string) string { return s },
		"in JSON":  quote,
		"JSON in JSON": func(s string) string {
			return quote(quote(s))
		},
		"hex":       func(s string) string { return hex.EncodeToString([]byte(s)) },
		"HEX":       func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
		"base64":    func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"base64 +1": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("x" + s + "yz")) },
		"base64 +2": func(s string) string { return base64.StdEncoding.EncodeToString([]byte("xx" + s + "y")) },
		"URL":       func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") },
		"HTML":      html.EscapeString,
		"escaped": func(s string) string {
			var b strings.Builder
			for _, c := range s {
				fmt.Fprintf(&b, `\u%04x`, c)
			}
			return b.String()
		},
		"invisible": func(s string) string { return s[:3] + "\u200b" + s[3:] },
		"broken":    func(s string) string { return strings.ReplaceAll(s, " ", "\n  ") },
		"in a word": func(s string) string { return "abc" + s + "xyz" },
	}
	for _, value := range []string{
		"CANARY_X1", "the patient has a rare flu", "q7-Kd.92/zz+1", "Zugangscode für Müller", "219-09-9999", `a"b\c<d>&e`, "CANARY-%41-x",
	} {
		a := withCanaries(t, Canary(value))
		for name, form := range forms {
			text := form(value)
			for range 5 {
				around := [2]string{"", ""}
				for i := range around {
					for range r.IntN(4) {
						around[i] += []string{" ", "see ", "{", "card 4111 1111 1111 1111 ", "\n", "mail ana@example.com, "}[r.IntN(6)]
					}
				}
				whole := around[0] + " " + text + " " + around[1]
				ms := canariesIn(a, whole)
				if len(ms) != 1 || ms[0].Level != agentrisk.L4 || ms[0].Rule != CanaryType {
					t.Errorf("%q %s: %d finds in %q", value, name, len(ms), whole)
					break
				}
				if left := a.Redactor().Text(detect.Key{}, whole); strings.Contains(left, text) || strings.Contains(left, value) {
					t.Errorf("%q %s: redacted to %q", value, name, left)
					break
				}
			}
		}
		if ms := canariesIn(a, value[:len(value)-1]+" "); len(ms) > 0 {
			t.Errorf("%q: found in a part of it", value)
		}
	}
	a := withCanaries(t, "219-09-9999")
	if ms := canariesIn(a, "order 219 09 9999."); len(ms) != 1 {
		t.Error("a number in another grouping is not found")
	}
}

// TestCanaryVectors runs those of the reference implementation. We differ in two on purpose: what both a canary and a
// detector find is one secret (t051), and a line break is white space (t054).
func TestCanaryVectors(t *testing.T) {
	data, err := os.ReadFile("../../testdata/oracle/trace_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID       string
			Canaries map[string][]Canary
			Texts    []string
			Report   struct {
				Findings []struct{ Detector string }
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, v := range file.Vectors {
		var list []Canary
		for _, tier := range v.Canaries {
			for _, c := range tier {
				if c != "" { // refused in a configuration, ignored there
					list = append(list, c)
				}
			}
		}
		if v.Canaries == nil {
			continue
		}
		seen++
		want := 0
		for _, f := range v.Report.Findings {
			if f.Detector == CanaryType {
				want++
			}
		}
		if v.ID == "t054" {
			want = 1
		}
		a, got := withCanaries(t, list...), 0
		for _, text := range v.Texts {
			got += len(canariesIn(a, text))
			if all := a.Scanner().Scan(nil, detect.Key{}, text); len(all) != len(canariesIn(a, text)) {
				t.Errorf("%s: %d finds, not all of them canaries", v.ID, len(all))
			}
		}
		if got != want {
			t.Errorf("%s: %d canaries found, want %d", v.ID, got, want)
		}
	}
	if seen < 8 {
		t.Errorf("%d vectors", seen)
	}
}

// TestCanaryBesideRules wants finds to stay sorted and disjoint, and each canary to be among them, wherever it stands.
func TestCanaryBesideRules(t *testing.T) {
	a := withCanaries(t, "CANARY_X1", "example.com", "1111 1111", "REDACTED")
	words := []string{"CANARY_X1", "ana@example.com", "4111 1111 1111 1111", "[REDACTED:L4:ssn:0123456789ab]", "https://u:CANARY_X1pw9@example.com/x", "a", " ", "SSN: 219-09-9999", "1111 1111", ",", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var text string
		for range 1 + r.IntN(8) {
			text += words[r.IntN(len(words))]
		}
		to, n := 0, 0
		for _, m := range a.Scanner().Scan(nil, detect.Key{}, text) {
			if m.Start < to || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("%q: %+v after %d", text, m, to)
			}
			to = m.End
			if m.Type == CanaryType {
				n++
			}
		}
		if strings.Contains(text, "CANARY_X1") && n == 0 {
			t.Errorf("%q: no canary", text)
		}
		if out := a.Redactor().Text(detect.Key{}, text); strings.Contains(out, "CANARY_X1") {
			t.Errorf("%q: redacted to %q", text, out)
		}
		once := a.Redactor().Text(detect.Key{}, text)
		if twice := a.Redactor().Text(detect.Key{}, once); twice != once {
			t.Errorf("%q: %q, and then %q", text, once, twice)
		}
	}
}

// TestCanaryFingerprint wants the fingerprint that a token shows to name the value that a rule recognises.
func TestCanaryFingerprint(t *testing.T) {
	plain := withCanaries(t)
	ms := plain.Scanner().Scan(nil, detect.Key{}, "card 4111 1111 1111 1111")
	if len(ms) != 1 {
		t.Fatal(ms)
	}
	a := withCanaries(t, Canary(fingerprintOf+ms[0].ID.Fingerprint()))
	for _, text := range []string{"card 4111 1111 1111 1111", "card 4111-1111-1111-1111", "card " + detect.FormatToken(ms[0].Level, ms[0].Type, ms[0].ID)} {
		if got := canariesIn(a, text); len(got) != 1 || got[0].ID.Family() != agentrisk.FamilyCanary {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got := canariesIn(a, "card 5500 0055 5555 5559"); len(got) > 0 {
		t.Error("another card is no canary")
	}
}

// TestCanaryScore wants a canary in a source to be in the vault only, and one that gets out to leak.
func TestCanaryScore(t *testing.T) {
	for _, out := range []bool{false, true} {
		a := withCanaries(t, "the blue heron lands")
		td := ptrace.NewTraces()
		span := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
		span.SetTraceID([16]byte{1})
		span.SetSpanID([8]byte{1})
		span.SetName("chat m")
		span.Attributes().PutStr("gen_ai.operation.name", "chat")
		span.Attributes().PutStr("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"the blue heron lands"}]}]`)
		if out {
			span.Attributes().PutStr("gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"dGhlIGJsdWUgaGVyb24gbGFuZHM="}]}]`)
		}
		b := a.ScanTraces(td)
		var l Ledger
		l.Add(a, b)
		a.FindCopies(td, b, &l)
		if s := a.Score(&l); s.Secrets != 1 || (s.Report.RI > 0) != out {
			t.Errorf("out %v: %d secrets, Risk Index %v", out, s.Secrets, s.Report.RI)
		}
	}
}

// TestCanaryIsRefused wants errors that name the place and never the value.
func TestCanaryIsRefused(t *testing.T) {
	for c, want := range map[Canary]string{
		"": "0 bytes: want 6 to 8192", "Zq9x!": "5 bytes", "  Zq9x!  ": "5 bytes", "fingerprint:Zq9x": "12 lower-case hex digits",
		"fingerprint:0123456789ab": "redaction.key", Canary(strings.Repeat("Zq9x!", 2000)): "10000 bytes",
	} {
		p := DefaultPolicy()
		p.Vault.Canaries = []Canary{"fine-value", c}
		err := Validate(p, DefaultRedaction())
		if err == nil || !strings.Contains(err.Error(), "vault.canaries[1]: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, want %s", len(c), err, want)
		} else if strings.Contains(err.Error(), "Zq9x") {
			t.Errorf("the value is told: %v", err)
		}
	}
}

// TestCanaryIsHidden wants no way of printing a configuration to show one.
func TestCanaryIsHidden(t *testing.T) {
	var v Vault
	conf := confmap.NewFromStringMap(map[string]any{"canaries": []any{"tell-nobody"}})
	if err := conf.Unmarshal(&v); err != nil || !slices.Equal(v.Canaries, []Canary{"tell-nobody"}) {
		t.Fatal(err, len(v.Canaries))
	}
	dump := confmap.New()
	if err := dump.Marshal(v); err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%v %+v %#v %s %q %x", v, v, v, v.Canaries, v.Canaries, v.Canaries) + fmt.Sprint(dump.ToStringMap()) + string(j)
	if strings.Contains(shown, "tell-nobody") || strings.Contains(shown, hex.EncodeToString([]byte("tell-nobody"))) {
		t.Errorf("shown: %s", shown)
	}
	err = confmap.NewFromStringMap(map[string]any{"canaries": []any{map[string]any{"tell-nobody": "tell-nobody"}}}).Unmarshal(&v)
	if err == nil || strings.Contains(err.Error(), "tell-nobody") {
		t.Errorf("error: %v", err)
	}
}

// TestCanaryBasis wants results with other canaries not to be compared.
func TestCanaryBasis(t *testing.T) {
	one, two := withCanaries(t, "CANARY_X1").Basis(), withCanaries(t, "CANARY_X2").Basis()
	if one.Rules == two.Rules || one.Rules == withCanaries(t).Basis().Rules || one.Rules != withCanaries(t, "CANARY_X1").Basis().Rules {
		t.Error("the basis does not tell canaries apart")
	}
}
