package audit

import (
	"slices"
	"testing"
)

func basisOf(t *testing.T, key string, change func(*Policy)) Basis {
	t.Helper()
	p := DefaultPolicy()
	if change != nil {
		change(&p)
	}
	a, err := New(p, Options{Redaction: Redaction{Key: key}})
	if err != nil {
		t.Fatal(err)
	}
	return a.Basis()
}

// TestBasis wants each part of the basis to change with what it stands for, and with nothing else.
func TestBasis(t *testing.T) {
	was := basisOf(t, "k", nil)
	for range 5 {
		if again := basisOf(t, "k", nil); again.Rules != was.Rules || again.Key != was.Key || again.Policy != was.Policy || again.Vault != was.Vault {
			t.Fatalf("not the same again: %v, %v", was, again)
		}
	}
	limit, rho := 0.5, 9
	for _, test := range []struct {
		name                             string
		key                              string
		change                           func(*Policy)
		rules, vault, policy, weigh, ids bool // which parts differ
	}{
		{"another key", "l", nil, false, false, false, false, true},
		{"no key", "", nil, false, false, false, false, true},
		{"a detector off", "k", func(p *Policy) { p.Detectors.HR = false }, true, false, false, false, false},
		{"a level", "k", func(p *Policy) { p.Scoring.LevelOverrides = map[string]int{"email": 4} }, true, false, false, false, false},
		{"a custom detector", "k", func(p *Policy) {
			p.CustomDetectors = []CustomDetector{{Name: "a", Pattern: "abc", DataType: "x", Level: 1}}
		}, true, false, false, false, false},
		{"a mapping rule", "k", func(p *Policy) { p.Mapping.Rules = []MappingRule{{Key: "a", Channel: "log"}} }, true, false, false, false, false},
		{"weights", "k", func(p *Policy) { p.Scoring.Weights = []int{1, 1, 1, 1} }, false, false, false, true, false},
		{"a vault", "k", func(p *Policy) { p.Vault.RhoS = &rho }, false, true, false, false, false},
		{"a limit", "k", func(p *Policy) { p.PrivacyPolicy.MaxRiskIndex = &limit }, false, false, true, false, false},
		{"a threshold", "k", func(p *Policy) { p.Scoring.FailBelow = 1 }, false, false, true, false, false},
	} {
		b := basisOf(t, test.key, test.change)
		if (b.Rules != was.Rules) != test.rules || (b.Vault != was.Vault) != test.vault || (b.Policy != was.Policy) != test.policy ||
			slices.Equal(b.Weights, was.Weights) == test.weigh || (b.Key != was.Key) != test.ids {
			t.Errorf("%s: %+v against %+v", test.name, b, was)
		}
	}
	if basisOf(t, "", nil).Key != "" {
		t.Error("a random key has an identity")
	}
}
