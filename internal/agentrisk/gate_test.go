package agentrisk

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ptr[T any](v T) *T { return &v }

func TestRulesEvaluate(t *testing.T) {
	found := []Occurrence{
		{ChannelToolResponse, "ssn", L4},
		{ChannelLog, "email", L2},
		{ChannelFinalOutput, "email", L2},
		{ChannelNone, "password", L4},
	}
	leak := Report{RI: 0.2, PrivacyScore: 80, Leaked: Profile{0, 1, 0, 0}, Explicit: true}
	observed := leak
	observed.Explicit = false
	critical := leak
	critical.Leaked = Profile{0, 0, 0, 1}
	tests := []struct {
		name       string
		r          Rules
		rep        Report
		checked    string
		violations string
		blocked    bool
	}{
		{"zero value", Rules{}, critical, "", "", false},
		{"index equal", Rules{MaxRiskIndex: ptr(0.2)}, leak, "max_risk_index", "", false},
		{"index above", Rules{MaxRiskIndex: ptr(0.19)}, leak, "max_risk_index", "max_risk_index", true},
		{"index rounds to limit", Rules{MaxRiskIndex: ptr(0.2)}, Report{RI: 0.20004, PrivacyScore: 80}, "max_risk_index", "", false},
		{"index rounds above limit", Rules{MaxRiskIndex: ptr(0.2)}, Report{RI: 0.20006, PrivacyScore: 80}, "max_risk_index", "max_risk_index", true},
		{"index zero", Rules{MaxRiskIndex: ptr(0.0)}, Report{PrivacyScore: 100}, "max_risk_index", "", false},
		{"findings equal", Rules{MaxFindings: ptr(2)}, leak, "max_findings", "", false},
		{"findings above", Rules{MaxFindings: ptr(1)}, leak, "max_findings", "max_findings", true},
		{"level on a source", Rules{ForbidLevels: []Level{L4}}, leak, "forbid_levels", "", false},
		{"level", Rules{ForbidLevels: []Level{L3, L2}}, leak, "forbid_levels", "forbid_levels", true},
		{"source channel", Rules{ForbidChannels: []Channel{ChannelToolResponse}}, leak, "forbid_channels", "", false},
		{"channel", Rules{ForbidChannels: []Channel{ChannelLog}}, leak, "forbid_channels", "forbid_channels", true},
		{"type on a source", Rules{ForbidDataTypes: []DataType{"ssn", "password"}}, leak, "forbid_data_types", "", false},
		{"type", Rules{ForbidDataTypes: []DataType{"email"}}, leak, "forbid_data_types", "forbid_data_types", true},
		{"vault explicit", Rules{RequireExplicitVault: true}, leak, "require_explicit_vault", "", false},
		{"vault observed", Rules{RequireExplicitVault: true}, observed, "require_explicit_vault", "require_explicit_vault", true},
		{"score at threshold", Rules{FailBelow: 80}, leak, "", "", false},
		{"score below", Rules{FailBelow: 81}, leak, "", "", true},
		{"critical", Rules{BlockOnCritical: true}, critical, "", "", true},
		{"not critical", Rules{BlockOnCritical: true}, leak, "", "", false},
		{
			"all", Rules{ptr(0.1), ptr(0), []Level{L2}, []Channel{ChannelLog}, []DataType{"email"}, true, 40, true}, observed,
			"max_risk_index max_findings forbid_levels forbid_channels forbid_data_types require_explicit_vault",
			"max_risk_index max_findings forbid_levels forbid_channels forbid_data_types require_explicit_vault", true,
		},
	}
	for _, tt := range tests {
		got := tt.r.Evaluate(tt.rep, found)
		want := Outcome{Passed: tt.violations == "", Blocked: tt.blocked}
		if tt.checked != "" {
			want.Checked = strings.Fields(tt.checked)
		}
		if tt.violations != "" {
			want.Violations = strings.Fields(tt.violations)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

func TestRulesValidate(t *testing.T) {
	for _, r := range []Rules{
		{}, DefaultRules(),
		{MaxRiskIndex: ptr(0.0), MaxFindings: ptr(0), FailBelow: 101},
		{MaxRiskIndex: ptr(1.0), ForbidLevels: Levels(), ForbidChannels: Channels()},
	} {
		if err := r.Validate(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for want, r := range map[string]Rules{
		"max_risk_index: 1.5: ":        {MaxRiskIndex: ptr(1.5)},
		"max_risk_index: -0.1: ":       {MaxRiskIndex: ptr(-0.1)},
		"max_risk_index: NaN: ":        {MaxRiskIndex: ptr(math.NaN())},
		"max_findings: -1: ":           {MaxFindings: ptr(-1)},
		"forbid_levels: none: ":        {ForbidLevels: []Level{L1, LevelNone}},
		"forbid_levels: Level(5): ":    {ForbidLevels: []Level{5}},
		"forbid_channels: none: ":      {ForbidChannels: []Channel{ChannelNone}},
		"forbid_channels: Channel(9):": {ForbidChannels: []Channel{9}},
		"fail_below: -1: ":             {FailBelow: -1},
	} {
		if err := r.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that starts with %q", err, want)
		}
	}
}
