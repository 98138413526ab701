package agentrisk

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// oracleFinding is a finding the oracle reported. Its level is final: the
// override, else the table's, else the severity's. It is 0 where the finding is
// scored under another configuration than it was reported for.
type oracleFinding struct {
	Channel  string
	DataType DataType `json:"data_type"`
	Level    int
	Severity string
	Value    string `json:"matched_value"`
}

type traceReport struct {
	oracleNumbers
	Findings  []oracleFinding
	Disclosed int `json:"leaked_finding_count"`
	Blocked   bool
	Policy    struct {
		Enabled, Passed bool
		Checked         []string `json:"assertions_checked"`
		Violations      []struct{ Rule string }
	}
}

type traceError struct {
	Kind, Reason, Stage string
	Fields, Types       []string
}

type traceConfig struct {
	Detectors map[string]any
	Channels  *[]string
	Scoring   struct {
		Weights         *[]any
		Overrides       map[string]any `json:"level_overrides"`
		FailBelow       any            `json:"fail_below"`
		BlockOnCritical *bool          `json:"block_on_critical"`
	}
	Vault struct {
		Levels  map[string]any
		Density any    `json:"rho_s"`
		Scope   string `json:"scope_def"`
	}
	Policy struct {
		MaxRiskIndex         *float64   `json:"max_risk_index"`
		MaxFindings          any        `json:"max_findings"`
		ForbidLevels         []any      `json:"forbid_levels"`
		ForbidChannels       []string   `json:"forbid_channels"`
		ForbidDataTypes      []DataType `json:"forbid_data_types"`
		RequireExplicitVault bool       `json:"require_explicit_vault"`
	} `json:"privacy_policy"`
}

// plan is a configuration read for the core.
type plan struct {
	weights   Weights
	overrides Overrides
	vault     *Vault
	rules     Rules
}

// read turns the configuration into a plan. A vault given for the analysis
// replaces the configured one.
func (c traceConfig) read(analyzeVault json.RawMessage) (p plan, err error) {
	if p.weights, err = oracleWeights(c.Scoring.Weights); err != nil {
		return p, err
	}
	if p.overrides, err = oracleOverrides(c.Scoring.Overrides); err != nil {
		return p, err
	}
	var vault any
	switch {
	case analyzeVault != nil:
		d := json.NewDecoder(strings.NewReader(string(analyzeVault)))
		d.UseNumber()
		if err := d.Decode(&vault); err != nil {
			return p, err
		}
	case c.Vault.Density != nil:
		vault = c.Vault.Density
	case len(c.Vault.Levels) > 0:
		vault = c.Vault.Levels
	}
	if p.vault, err = oracleVault(vault); err != nil {
		return p, err
	}
	if p.vault != nil {
		p.vault.Scope = c.Vault.Scope
	}

	p.rules = DefaultRules()
	if v := c.Scoring.FailBelow; v != nil {
		if p.rules.FailBelow, err = integer(v); err != nil {
			return p, err
		}
	}
	if v := c.Scoring.BlockOnCritical; v != nil {
		p.rules.BlockOnCritical = *v
	}
	p.rules.MaxRiskIndex = c.Policy.MaxRiskIndex
	if v := c.Policy.MaxFindings; v != nil {
		n, err := integer(v)
		if err != nil {
			return p, err
		}
		p.rules.MaxFindings = &n
	}
	for _, v := range c.Policy.ForbidLevels {
		n, err := integer(v)
		if err != nil {
			return p, err
		}
		var l Level
		if err := l.UnmarshalText([]byte(strconv.Itoa(n))); err != nil {
			return p, err
		}
		p.rules.ForbidLevels = append(p.rules.ForbidLevels, l)
	}
	for _, v := range c.Policy.ForbidChannels {
		var ch Channel
		if err := ch.UnmarshalText([]byte(v)); err != nil {
			return p, err
		}
		p.rules.ForbidChannels = append(p.rules.ForbidChannels, ch)
	}
	p.rules.ForbidDataTypes = c.Policy.ForbidDataTypes
	p.rules.RequireExplicitVault = c.Policy.RequireExplicitVault
	return p, p.rules.Validate()
}

// score feeds the findings under the plan.
func (p plan) score(t *testing.T, findings []oracleFinding) (Report, []Occurrence, error) {
	t.Helper()
	var tally Tally
	var found []Occurrence
	severity := map[string]Level{"low": L1, "medium": L2, "high": L3, "critical": L4}
	for _, f := range findings {
		var c Channel
		if err := c.UnmarshalText([]byte(f.Channel)); err != nil {
			t.Fatal(err)
		}
		l := LevelOf(f.DataType, p.overrides, severity[f.Severity])
		if f.Level != 0 && l != clampLevel(f.Level) {
			t.Errorf("level of %s is %v, the oracle has %d", f.DataType, l, f.Level)
		}
		tally.Add(oracleID(f.DataType, f.Value), l, c)
		found = append(found, Occurrence{c, f.DataType, l})
	}
	r, err := tally.Report(p.vault, p.weights)
	return r, found, err
}

// compareTrace compares numbers and gates.
func compareTrace(t *testing.T, p plan, findings []oracleFinding, want *traceReport) {
	t.Helper()
	r, found, err := p.score(t, findings)
	if err != nil {
		t.Error(err)
		return
	}
	if d := diffNumbers(want.oracleNumbers, r, Channel.String); d != "" {
		t.Errorf("numbers (-want +got):\n%s", d)
	}
	disclosed := 0
	for _, f := range found {
		if f.Channel.Disclosure() {
			disclosed++
		}
	}
	if disclosed != want.Disclosed {
		t.Errorf("%d occurrences disclosed, want %d", disclosed, want.Disclosed)
	}
	var violations []string
	for _, v := range want.Policy.Violations {
		violations = append(violations, v.Rule)
	}
	o := p.rules.Evaluate(r, found)
	if o.Passed != want.Policy.Passed || o.Blocked != want.Blocked || len(o.Checked) > 0 != want.Policy.Enabled ||
		!slices.Equal(o.Checked, want.Policy.Checked) || !slices.Equal(o.Violations, violations) {
		t.Errorf("outcome %+v, want %+v, blocked %v", o, want.Policy, want.Blocked)
	}
}

// TestOracleTraceVectors recomputes each report from its findings. What the
// oracle refuses, it refuses before any arithmetic: a malformed trace or
// detector is a matter of the loader.
func TestOracleTraceVectors(t *testing.T) {
	var file struct {
		Vectors []struct {
			ID, Group string
			Config    traceConfig
			Report    *traceReport
			Error     *traceError
		}
	}
	readOracle(t, oracleDir+"trace_vectors.json", &file)
	count := map[string]int{}
	for _, v := range file.Vectors {
		if v.Error != nil {
			count[v.Error.Reason]++
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			p, err := v.Config.read(nil)
			if err != nil {
				t.Fatal(err)
			}
			count["exact"]++
			compareTrace(t, p, v.Report.Findings, v.Report)
		})
	}
	if want := map[string]int{"exact": 49, "trace_rejected": 14, "config_rejected": 3}; !reflect.DeepEqual(count, want) {
		t.Errorf("vectors by kind: %v, want %v", count, want)
	}
}
