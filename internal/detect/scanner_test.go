package detect

import (
	"strings"
	"sync"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

func TestTypesKnown(t *testing.T) {
	s := newTest(t)
	seen := map[string]bool{}
	for _, r := range s.Rules() {
		if seen[r.ID] {
			t.Errorf("rule %s: twice", r.ID)
		}
		seen[r.ID] = true
		if info, ok := agentrisk.Lookup(r.Type); !ok || info.Level != r.Level {
			t.Errorf("rule %s: type %q, level %v: not as in the taxonomy", r.ID, r.Type, r.Level)
		}
		if r.Doc == "" {
			t.Errorf("rule %s: no description", r.ID)
		}
	}
	if len(s.ctx.byLast) == 0 || int(ctxShared)+s.ctx.n > maxContexts {
		t.Errorf("%d context lists, room for %d", int(ctxShared)+s.ctx.n, maxContexts)
	}
}

func TestToken(t *testing.T) {
	id := agentrisk.NewSecretID(familyOf("credit_card"), [6]byte{0x9c, 0x1f, 0x0a, 0x77, 0xb2, 0xd4})
	text := FormatToken(agentrisk.L4, "credit_card", id)
	if text != "[REDACTED:L4:credit_card:9c1f0a77b2d4]" {
		t.Fatal(text)
	}
	s := newTest(t)
	got := s.Scan(nil, Key{"ssn", ""}, "card "+text+".")
	want := Match{Rule: "token", Type: "credit_card", Level: agentrisk.L4, Start: 5, End: 5 + len(text), ID: id, Token: true}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, bad := range []string{"[REDACTED:L5:ssn:9c1f0a77b2d4]", "[REDACTED:L4:ssn:9C1F0A77B2D4]", "[REDACTED:L4::9c1f0a77b2d4]", "[REDACTED:L4:ssn:9c1f0a77b2d]", "[REDACTED:L4:ssn]", "[REDACTED:", "[REDACTED]"} {
		if got := s.Scan(nil, Key{}, bad); len(got) > 0 {
			t.Errorf("%s: read as %+v", bad, got)
		}
	}
}

func TestFamilies(t *testing.T) {
	text := `{"password":"tr0ub4dor&3","ssn":"219-09-9999","diagnosis":"asthma","salary":85000,"iban":"GB82WEST12345698765432"}`
	for _, x := range []struct {
		name string
		f    Families
		want string
	}{
		{"none", Families{}, ""},
		{"secrets", Families{Secrets: true}, "password"},
		{"pii", Families{PII: true}, "ssn"},
		{"healthcare", Families{Healthcare: true, Keyname: true}, "health_condition"},
		{"finance", Families{Finance: true}, "iban"},
		{"hr", Families{HR: true}, "salary"},
	} {
		s, err := New(Options{Families: x.f})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range s.Scan(nil, Key{}, text) {
			got = append(got, string(m.Type))
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s: got %v, want %q", x.name, got, x.want)
		}
	}
}

func TestCustom(t *testing.T) {
	s, err := New(Options{
		Custom: []Custom{
			{Name: "badge", Pattern: `\bBDG-\d{4}\b`, DataType: "badge", Level: agentrisk.L2},
			{Name: "project", Pattern: `project (\w+)`, DataType: "project_name"},
		},
		Overrides: agentrisk.Overrides{"project_name": agentrisk.L1},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := "badge BDG-1234 of project falcon"
	if got := describe(text, s.Scan(nil, Key{}, text)); got != "badge=BDG-1234 project=falcon " {
		t.Error(got)
	}
	ms := s.Scan(nil, Key{}, text)
	if ms[0].Level != agentrisk.L2 || ms[1].Level != agentrisk.L1 {
		t.Errorf("levels %v and %v", ms[0].Level, ms[1].Level)
	}
	for _, x := range []struct {
		c    Custom
		want string
	}{
		{Custom{Pattern: "a", DataType: "x"}, "name"},
		{Custom{Name: "n", Pattern: "a(", DataType: "x"}, "pattern"},
		{Custom{Name: "n", Pattern: "a*", DataType: "x"}, "empty"},
		{Custom{Name: "n", Pattern: "a"}, "data_type"},
		{Custom{Name: "n", Pattern: "a", DataType: "x y"}, "data_type"},
		{Custom{Name: "n", Pattern: "a", DataType: "x", Level: 9}, "level"},
	} {
		_, err := New(Options{Custom: []Custom{x.c}})
		if err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), "custom_detectors[0]") {
			t.Errorf("%+v: error %v, want one naming %q", x.c, err, x.want)
		}
	}
	if err := CheckSamples(Custom{Name: "n", Pattern: "ab+", DataType: "x", Samples: []string{"abb", "b"}}); err == nil || !strings.Contains(err.Error(), "samples[1]") {
		t.Errorf("CheckSamples: %v", err)
	}
}

func TestRequiredLiteral(t *testing.T) {
	for pattern, want := range map[string]string{`BDG-\d{4}`: "BDG-", `(?i)abc`: "", `x(foo|bar)yz`: "yz", `(secret){2}`: "secret", `a|b`: "", `[ab]+`: ""} {
		if got := requiredLiteral(pattern); got != want {
			t.Errorf("%s: got %q, want %q", pattern, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	s := newTest(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, x := range specimens(t) {
				if got := s.Scan(nil, x.key, x.text); len(got) != len(x.want) {
					t.Errorf("%s: %d matches", x.at, len(got))
				}
			}
		})
	}
	wg.Wait()
}
