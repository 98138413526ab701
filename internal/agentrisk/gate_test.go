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
		blockedBy  string
	}{
		{"zero value", Rules{}, critical, "", "", ""},
		{"index equal", Rules{MaxRiskIndex: ptr(0.2)}, leak, "max_risk_index", "", ""},
		{"index above", Rules{MaxRiskIndex: ptr(0.19)}, leak, "max_risk_index", "max_risk_index", "privacy_policy"},
		{"index rounds to limit", Rules{MaxRiskIndex: ptr(0.2)}, Report{RI: 0.20004, PrivacyScore: 80}, "max_risk_index", "", ""},
		{"index rounds above limit", Rules{MaxRiskIndex: ptr(0.2)}, Report{RI: 0.20006, PrivacyScore: 80}, "max_risk_index", "max_risk_index", "privacy_policy"},
		{"index zero", Rules{MaxRiskIndex: ptr(0.0)}, Report{PrivacyScore: 100}, "max_risk_index", "", ""},
		{"findings equal", Rules{MaxFindings: ptr(2)}, leak, "max_findings", "", ""},
		{"findings above", Rules{MaxFindings: ptr(1)}, leak, "max_findings", "max_findings", "privacy_policy"},
		{"level on a source", Rules{ForbidLevels: []Level{L4}}, leak, "forbid_levels", "", ""},
		{"level", Rules{ForbidLevels: []Level{L3, L2}}, leak, "forbid_levels", "forbid_levels", "privacy_policy"},
		{"source channel", Rules{ForbidChannels: []Channel{ChannelToolResponse}}, leak, "forbid_channels", "", ""},
		{"channel", Rules{ForbidChannels: []Channel{ChannelLog}}, leak, "forbid_channels", "forbid_channels", "privacy_policy"},
		{"type on a source", Rules{ForbidDataTypes: []DataType{"ssn", "password"}}, leak, "forbid_data_types", "", ""},
		{"type", Rules{ForbidDataTypes: []DataType{"email"}}, leak, "forbid_data_types", "forbid_data_types", "privacy_policy"},
		{"vault explicit", Rules{RequireExplicitVault: true}, leak, "require_explicit_vault", "", ""},
		{"vault observed", Rules{RequireExplicitVault: true}, observed, "require_explicit_vault", "require_explicit_vault", "privacy_policy"},
		{"score at threshold", Rules{FailBelow: 80}, leak, "", "", ""},
		{"score below", Rules{FailBelow: 81}, leak, "", "", "fail_below"},
		{"critical", Rules{BlockOnCritical: true}, critical, "", "", "block_on_critical"},
		{"all that block", Rules{MaxFindings: ptr(0), FailBelow: 81, BlockOnCritical: true}, critical, "max_findings", "max_findings", "privacy_policy fail_below block_on_critical"},
		{"not critical", Rules{BlockOnCritical: true}, leak, "", "", ""},
		{
			"all", Rules{ptr(0.1), ptr(0), []Level{L2}, []Channel{ChannelLog}, []DataType{"email"}, true, 40, true, 70}, observed,
			"max_risk_index max_findings forbid_levels forbid_channels forbid_data_types require_explicit_vault",
			"max_risk_index max_findings forbid_levels forbid_channels forbid_data_types require_explicit_vault", "privacy_policy",
		},
	}
	for _, tt := range tests {
		got := tt.r.Evaluate(tt.rep, found)
		want := Outcome{Passed: tt.violations == "", Blocked: tt.blockedBy != ""}
		if tt.blockedBy != "" {
			want.BlockedBy = strings.Fields(tt.blockedBy)
		}
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

func TestConditional(t *testing.T) {
	for _, test := range []struct {
		r     Rules
		score int
		want  bool
	}{
		{DefaultRules(), 70, false}, {DefaultRules(), 69, true}, {DefaultRules(), 39, false}, // blocked
		{Rules{ConditionalBelow: 101}, 100, true}, {Rules{}, 0, false},
	} {
		if o := test.r.Evaluate(Report{PrivacyScore: test.score}, nil); o.Conditional != test.want {
			t.Errorf("%+v, score %d: conditional %v", test.r, test.score, o.Conditional)
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
		"conditional_below: -1: ":      {ConditionalBelow: -1},
		"conditional_below: 101: ":     {ConditionalBelow: 101},
	} {
		if err := r.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that starts with %q", err, want)
		}
	}
}
