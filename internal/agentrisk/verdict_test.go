package agentrisk

import "testing"

func TestVerdictOf(t *testing.T) {
	for score := -1; score <= 101; score++ {
		want := Fail
		switch {
		case score >= 90:
			want = Pass
		case score >= 70:
			want = ConditionalPass
		case score >= 40:
			want = HighRisk
		}
		if got := VerdictOf(score); got != want {
			t.Errorf("VerdictOf(%d) = %v, want %v", score, got, want)
		}
	}
}

func TestVerdictNames(t *testing.T) {
	for v, want := range map[Verdict][2]string{
		Pass:            {"pass", "Pass"},
		ConditionalPass: {"conditional_pass", "Conditional pass"},
		HighRisk:        {"high_risk", "High risk"},
		Fail:            {"fail", "Fail"},
		4:               {"Verdict(4)", "Verdict(4)"},
	} {
		if got := [2]string{v.String(), v.Title()}; got != want {
			t.Errorf("names of %d = %q, want %q", uint8(v), got, want)
		}
	}
}
