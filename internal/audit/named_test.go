package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.yaml.in/yaml/v3"
)

// fileOf reads a policy file as both doors do.
func fileOf(t *testing.T, text string) File {
	t.Helper()
	var doc map[string]any
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	f, err := readFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func readFile(doc map[string]any) (File, error) {
	f := DefaultFile()
	conf := confmap.NewFromStringMap(doc)
	doc = conf.ToStringMap()
	if err := CheckFile(doc); err != nil {
		return f, err
	}
	for _, key := range Empty(doc) {
		conf.Delete(strings.Join(key, confmap.KeyDelimiter))
	}
	if err := conf.Unmarshal(&f); err != nil {
		return f, err
	}
	f.Said = SaidIn(doc)
	return f, f.Validate()
}

const layered = `
detectors: {pii: false}
custom_detectors: [{name: a, pattern: "aaa[0-9]+"}, {name: b, pattern: "bbb[0-9]+"}]
scoring: {weights: [1, 2, 3, 9], level_overrides: {email: 1, phone: 3}, fail_below: 60}
vault: {rho_s: 40, scope_def: all, canaries: [over the hills]}
privacy_policy: {forbid_levels: [4], max_findings: 3}
channels: [log]
redaction: {levels: [2, 4], style: hash, key: TOPKEY}
policies:
  - name: nothing
    match: {service.name: one}
  - name: much
    match: {service.name: [two, three], span.deployment.environment: prod}
    detectors: {pii: true, hr: false}
    custom_detectors: [{name: c, pattern: "ccc[0-9]+"}]
    scoring: {level_overrides: {email: 4}, block_on_critical: false, fail_below: null}
    vault: {levels: {4: 2}}
    privacy_policy: {forbid_levels: [], max_risk_index: 0.5}
    mode: audit
    redaction: {levels: [], key: OWNKEY}
`

// TestEffective wants an entry to say what it says, and the rest to be as above.
func TestEffective(t *testing.T) {
	f := fileOf(t, layered)
	all := f.Effective()
	top, nothing, much := all[0], all[1], all[2]
	if d := cmp.Diff(top.Policy, nothing.Policy); d != "" || nothing.Redaction.Key != "" || nothing.Redaction.Style != "hash" {
		t.Errorf("an entry that says nothing is not as the top:\n%s", d)
	}
	want := top.Policy
	want.Detectors.PII, want.Detectors.HR = true, false
	want.CustomDetectors = f.Policies[1].CustomDetectors
	want.Scoring.LevelOverrides = map[string]int{"email": 4, "phone": 3}
	want.Scoring.BlockOnCritical = false
	want.Vault = Vault{Levels: map[string]int{"4": 2}, Canaries: top.Vault.Canaries}
	half := 0.5
	want.PrivacyPolicy.ForbidLevels, want.PrivacyPolicy.MaxRiskIndex = []int{}, &half
	want.Mode = "audit"
	if d := cmp.Diff(want, much.Policy); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff(Redaction{Levels: []int{}, Style: "hash", Key: "OWNKEY", Media: "keep"}, much.Redaction); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if top.Scoring.LevelOverrides["email"] != 1 || len(top.CustomDetectors) != 2 {
		t.Error("an entry changed the top level")
	}
	// Without a document, what is not zero is said.
	f.Said = nil
	if e := f.Effective()[2]; e.Vault.RhoS != nil || !e.Detectors.PII || e.Scoring.FailBelow != 60 {
		t.Errorf("without what was said: %+v", e)
	}
}

// TestRefusedPolicies wants each error to lead to its key and to say what to do.
func TestRefusedPolicies(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{"policies: [{match: {a: b}}]", "policies[0].name: is missing"},
		{"policies: [{name: a}]", "policies[0].match: is missing"},
		{"policies: [{name: a, match: {}}]", "policies[0].match: 0: want at least 1"},
		{"policies: [{name: a, match: {a: []}}]", "policies[0].match.a: 0: want at least 1"},
		{"policies: [{name: a, match: {tenant: 42}}]", "policies[0].match.tenant: 42: want a text or a list of texts, with numbers in quotes"},
		{"policies: [{name: a, match: {a: {b: c}}}]", "policies[0].match.a: want a text or a list"},
		{"policies: [{name: a, match: b}]", "policies[0].match: \"b\": want a map"},
		{"policies: {}", "policies: want a list"},
		{"policies: [{name: a b, match: {a: b}}]", `policies[0].name: "a b": want 1 to 63 letters, digits`},
		{"policies: [{name: default, match: {a: b}}]", `policies[0].name: "default": want 1 to 63 letters, digits, dots, hyphens and underscores, a letter or digit first, and not default`},
		{"policies: [{name: a, match: {a: b}}, {name: a, match: {a: c}}]", `policies[1].name: "a": the name of policies[0]: want another`},
		{"policies: [{name: a, match: {agentleak.x: b}}]", "policies[0].match.agentleak.x: never there"},
		{"policies: [{name: a, match: {resource.: b}}]", "policies[0].match.resource.: never there"},
		{"policies: [{name: a, match: {resource.a: b, a: c}}]", "policies[0].match.a: can never hold"},
		{"policies: [{name: a, match: {a: b}, scoring: {fail_bellow: 3}}]", "policies[0].scoring.fail_bellow: unknown key: did you mean fail_below?"},
		{"policies: [{name: a, match: {a: b}, storage: c}]", "policies[0].storage: unknown key"},
		{"policies: [{name: a, match: {a: b}, policies: []}]", "policies[0].policies: unknown key"},
		{"policies: [{name: a, match: {a: b}, redaction: {levels: [5]}}]", "policies[0].redaction.levels[0]: 5: want 1 to 4"},
		{"policies: [{name: a, match: {a: b}, custom_detectors: [{name: n, pattern: 'a(b'}]}]", "policies[0].custom_detectors[0]: "},
		{"policies: [{name: a, match: {a: b}, vault: {canaries: ['fingerprint:00112233aabb']}}]", "policies[0].vault.canaries[0]: a fingerprint means nothing without redaction.key"},
		{"redaction: {key: k}\nvault: {canaries: ['fingerprint:00112233aabb']}\npolicies: [{name: a, match: {a: b}}]",
			"policies[0]: vault.canaries[0], from above, is a fingerprint by another key: want vault.canaries of its own"},
		{"redaction: {key: k}\nallow: [{data_type: email}, {fingerprint: 00112233aabb}]\npolicies: [{name: a, match: {a: b}}]",
			"policies[0]: allow[1], from above, is a fingerprint by another key: want allow of its own"},
		{"policies: [{name: a, match: {a: b}}, {name: c, match: {a: b}}]",
			`policies[1].match: a tie: policies "a" and "c" may match the same telemetry with 1 key each, so neither is more specific: add a key to one of them, or take the values that both have out of one (a)`},
		{"policies: [{name: a, match: {a: b}}, {name: c, match: {d: e}}]",
			`with 1 key each, so neither is more specific: add a key to one of them, or give both the same key with different values, such as d`},
		{"policies: [{name: a, match: {a: [b, c], d: e}}, {name: f, match: {a: [c, g], h: i}}]", `"a" and "f" may match the same telemetry with 2 keys each`},
		{"scoring: {conditional_below: 101}", "scoring.conditional_below: 101: want 0 to 100"},
	} {
		var doc map[string]any
		if err := yaml.Unmarshal([]byte(test.yaml), &doc); err != nil {
			t.Fatal(err)
		}
		if _, err := readFile(doc); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.yaml, err, test.want)
		}
	}
	for _, right := range []string{
		"policies: [{name: a, match: {a: b}}, {name: c, match: {a: d}}]",
		"policies: [{name: a, match: {a: b}}, {name: c, match: {a: b, d: e}}]",
		"policies: [{name: a, match: {resource.a: b}}, {name: c, match: {a: d}}]",
		"redaction: {key: k}\nallow: [{fingerprint: 00112233aabb}]\npolicies: [{name: a, match: {a: b}, allow: []}]",
		"redaction: {key: k}\nallow: [{fingerprint: 00112233aabb}]\npolicies: [{name: a, match: {a: b}, redaction: {key: k}}]",
		"policies: []",
		"policies:",
	} {
		fileOf(t, right)
	}
}

// TestSetIsApart wants policies to share no fingerprint, and the default to be what it is without others.
func TestSetIsApart(t *testing.T) {
	text := "mail casey.jones@example.com"
	redacted := func(a *Auditor) string {
		ld := plog.NewLogs()
		ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty().Body().SetStr(text)
		b := a.ScanLogs(ld)
		a.RedactLogs(ld, b)
		return ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0).Body().Str()
	}
	set := func(key, names string) *Set {
		s, err := NewSet(fileOf(t, fmt.Sprintf("redaction: {levels: [2], key: %q}\npolicies: [%s]", key, names)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const two = "{name: a, match: {t: a}}, {name: b, match: {t: b}}"
	s := set("k", two)
	tokens := []string{redacted(s.At(0)), redacted(s.At(1)), redacted(s.At(2))}
	if slices.Sort(tokens); len(slices.Compact(slices.Clone(tokens))) != 3 || strings.Contains(tokens[0], "casey") {
		t.Fatalf("tokens %q", tokens)
	}
	alone := newAuditor(t, Options{Redaction: Redaction{Levels: []int{2}, Style: "token", Key: "k"}})
	if got, want := redacted(s.At(0)), redacted(alone); got != want {
		t.Errorf("the default's token is %s, without policies %s", got, want)
	}
	// A policy's tokens depend on its name and key, not on its place or its neighbours.
	if got, want := redacted(set("k", "{name: c, match: {t: c}}, {name: b, match: {t: x}}").At(2)), redacted(s.At(2)); got != want {
		t.Errorf("the token of b is %s, then %s", want, got)
	}
	if redacted(set("l", two).At(1)) == redacted(s.At(1)) {
		t.Error("another key makes the same token")
	}
	own := "{name: a, match: {t: a}, redaction: {key: own}}"
	if redacted(set("k", own).At(1)) != redacted(set("l", own).At(1)) {
		t.Error("a key of its own depends on the top-level key")
	}
	var l Ledger
	if err := s.At(1).Read(&l, s.At(2).Write(&Ledger{})); !errors.Is(err, ErrLedgerKey) {
		t.Errorf("a ledger of another policy is read: %v", err)
	}
	if b := set("", own); b.Default().Basis().Key != "" || b.At(1).Basis().Key == "" {
		t.Error("which keys are stable is not told")
	}
	if b := set("", two); b.At(1).Basis().Key != "" {
		t.Error("a key made of a random one is taken for stable")
	}
}

// TestSettings wants the effective policies told, with where each value is from, and no secret.
func TestSettings(t *testing.T) {
	f := fileOf(t, strings.Replace(layered, "aaa[0-9]+", "aaaSECRET[0-9]+", 1))
	got := map[string]Setting{}
	for i := range 3 {
		for _, s := range f.Settings(i) {
			got[fmt.Sprintf("%d %s", i, s.Key)] = s
		}
		if n := len(f.Settings(i)); n < len(policyShape.fields) {
			t.Errorf("policy %d: %d settings", i, n)
		}
	}
	for key, want := range map[string][2]string{
		"0 detectors.pii": {"false", FromFile}, "1 detectors.pii": {"false", FromTop}, "2 detectors.pii": {"true", FromFile},
		"0 detectors.hr": {"true", FromNobody}, "1 detectors.hr": {"true", FromNobody}, "2 detectors.hr": {"false", FromFile},
		"0 custom_detectors": {"[{name: a, pattern: not shown}, {name: b, pattern: not shown}]", FromFile},
		"1 scoring.weights":  {"[1, 2, 3, 9]", FromTop}, "2 scoring.fail_below": {"60", FromTop},
		"2 scoring.level_overrides": {"{email: 4, phone: 3}", "file, inherited"},
		"1 vault.rho_s":             {"40", FromTop}, "2 vault.rho_s": {"none", FromNobody}, "2 vault.levels": {"{4: 2}", FromFile},
		"2 vault.scope_def": {"none", FromNobody}, "2 vault.canaries": {"1, not shown", FromTop},
		"0 redaction.key": {keyConfigured, FromFile}, "1 redaction.key": {keyDerived, FromNobody}, "2 redaction.key": {keyConfigured, FromFile},
		"2 redaction.levels": {"[]", FromFile}, "1 redaction.style": {"hash", FromTop}, "2 mode": {"audit", FromFile},
		"0 privacy_policy.max_risk_index": {"none", FromNobody}, "2 privacy_policy.max_risk_index": {"0.5", FromFile},
	} {
		if s := got[key]; s.Value != want[0] || s.Source != want[1] {
			t.Errorf("%s: %q by %q, want %q by %q", key, s.Value, s.Source, want[0], want[1])
		}
	}
	all := fmt.Sprint(got, f.Policies[1].MatchText())
	if strings.Contains(all, "KEY") || strings.Contains(all, "hills") || strings.Contains(all, "SECRET") {
		t.Errorf("a secret is told: %s", all)
	}
	if got, want := f.Policies[1].MatchText(), "service.name=[two, three], span.deployment.environment=[prod]"; got != want {
		t.Errorf("match %s, want %s", got, want)
	}
	if shown := fmt.Sprintf("%v %+v %#v", f.Policies[1].Redaction.Key, f.Policies[1].Redaction, f.Policies[1].Redaction); strings.Contains(shown, "KEY") {
		t.Errorf("a key is shown: %s", shown)
	}
}

// TestAmong wants a part of a trace complete when the rest of it was seen elsewhere, and not else.
func TestAmong(t *testing.T) {
	a := newAuditor(t, Options{})
	part := func(spans ...[2]byte) *Ledger {
		var l Ledger
		td := ptrace.NewTraces()
		to := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
		for _, s := range spans {
			span := to.AppendEmpty()
			span.SetSpanID(pcommon.SpanID{s[0]})
			if s[1] != 0 {
				span.SetParentSpanID(pcommon.SpanID{s[1]})
			}
		}
		l.Add(a, a.ScanTraces(td))
		return &l
	}
	root, kids, deep := part([2]byte{1, 0}), part([2]byte{2, 1}, [2]byte{3, 2}), part([2]byte{5, 4})
	for _, test := range []struct {
		name   string
		of     *Ledger
		others []*Ledger
		want   string
	}{
		{"alone", kids, nil, "[root]"}, {"with its root", kids, []*Ledger{root}, "[]"}, {"the root's part", root, []*Ledger{kids}, "[]"},
		{"a parent that nobody saw", deep, []*Ledger{root, kids}, "[parent]"}, {"no root", deep, []*Ledger{kids}, "[root]"},
		{"others that lack one", kids, []*Ledger{root, deep}, "[]"},
	} {
		s := a.Score(test.of)
		s.Among(test.of, test.others...)
		if got := fmt.Sprint(s.Missing); got != test.want || s.Complete != (test.want == "[]") {
			t.Errorf("%s: missing %s, want %s", test.name, got, test.want)
		}
	}
}
