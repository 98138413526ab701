package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/confmap"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// refusedHere are values that the reference coerces and a policy here refuses, by the path of the key: a level outside 1
// to 4, a number in quotes, a channel that there is none of.
var refusedHere = []string{"scoring.level_overrides.", "vault.levels.", "scoring.weights[", "channels["}

// TestOraclePolicies reads the configuration of each case of the oracle as a policy and gates its findings.
func TestOraclePolicies(t *testing.T) {
	files, err := filepath.Glob("../../../shared/oracle/expected/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("shared/oracle/expected is not beside the repository")
	}
	count := map[string]int{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []oracleCase }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(file.Cases, func(c oracleCase) bool { return c.ID == "all_detectors" })
		for _, c := range file.Cases {
			if c.Vault == nil {
				t.Run(filepath.Base(path)+"/"+c.ID, func(t *testing.T) { count[c.gate(t, &file.Cases[i])]++ })
			}
		}
	}
	want := map[string]int{"agrees": 580, "both refuse": 205, "only this refuses": 50}
	if d := cmp.Diff(want, count); d != "" {
		t.Errorf("cases by kind (-want +got):\n%s", d)
	}
}

type oracleCase struct {
	ID     string
	Config json.RawMessage
	Vault  any `json:"analyze_vault"`
	Report *struct {
		Score     int     `json:"privacy_score"`
		RiskIndex float64 `json:"risk_index"`
		Blocked   bool
		Findings  []oracleFinding
		Policy    struct {
			Passed     bool
			Checked    []string `json:"assertions_checked"`
			Violations []struct{ Rule string }
		}
	}
	Error *struct{ Stage string }
}

type oracleFinding struct {
	Channel  string
	DataType agentrisk.DataType `json:"data_type"`
	Severity string
	Value    string `json:"matched_value"`
}

func (c *oracleCase) gate(t *testing.T, all *oracleCase) string {
	var doc map[string]any
	if err := json.Unmarshal(c.Config, &doc); err != nil {
		t.Fatal(err)
	}
	f, err := loadPolicy(doc)
	if err != nil {
		if c.Error != nil {
			return "both refuse"
		}
		for _, line := range bytes.Split([]byte(err.Error()), []byte("\n")) {
			if !slices.ContainsFunc(refusedHere, func(p string) bool { return bytes.HasPrefix(line, []byte(p)) }) {
				t.Errorf("refused: %s", line)
			}
		}
		return "only this refuses"
	}
	if c.Error != nil && c.Error.Stage == "config" {
		if string(c.Config) != "" && f.Vault.Levels["L4"] > 0 {
			return "both refuse" // the reference knows no such key
		}
		t.Errorf("accepted, the oracle refuses")
	}
	p, err := f.compile()
	if err != nil {
		t.Fatal(err)
	}
	findings := all.Report.Findings
	if c.Report != nil && c.Report.Findings != nil {
		findings = c.Report.Findings
	}
	var tally agentrisk.Tally
	var found []agentrisk.Occurrence
	for _, x := range findings {
		var ch agentrisk.Channel
		if err := ch.UnmarshalText([]byte(x.Channel)); err != nil {
			t.Fatal(err)
		}
		if !p.scored.Has(ch) {
			continue
		}
		severity, err := severityLevel(x.Severity)
		if err != nil {
			t.Fatal(err)
		}
		level := agentrisk.LevelOf(x.DataType, p.detect.Overrides, severity)
		var id agentrisk.SecretID
		copy(id[:], digest(x.DataType, x.Value))
		tally.Add(id, level, ch)
		found = append(found, agentrisk.Occurrence{Channel: ch, Type: x.DataType, Level: level})
	}
	rep, err := tally.Report(p.vault, p.weights)
	if err != nil {
		if c.Error == nil || !errors.Is(err, agentrisk.ErrVaultTooSmall) {
			t.Errorf("no score: %v", err)
		}
		return "both refuse"
	}
	if c.Report == nil {
		return "agrees" // no_config is declared to be as all_detectors
	}
	o, r := p.rules.Evaluate(rep, found), c.Report
	var violations []string
	for _, v := range r.Policy.Violations {
		violations = append(violations, v.Rule)
	}
	if rep.PrivacyScore != r.Score || rep.RiskIndex() != r.RiskIndex || o.Blocked != r.Blocked || o.Passed != r.Policy.Passed ||
		!slices.Equal(o.Violations, violations) || !slices.Equal(o.Checked, r.Policy.Checked) {
		t.Errorf("score %d, index %v, %+v; want %+v", rep.PrivacyScore, rep.RiskIndex(), o, *r)
	}
	return "agrees"
}

// loadPolicy does what both doors do with a document.
func loadPolicy(doc map[string]any) (File, error) {
	f := DefaultFile()
	if err := CheckFile(doc); err != nil {
		return f, err
	}
	conf := confmap.NewFromStringMap(doc)
	for _, key := range Empty(doc) {
		for i := range key[1:] {
			key[0] += confmap.KeyDelimiter + key[i+1]
		}
		conf.Delete(key[0])
	}
	if err := conf.Unmarshal(&f); err != nil {
		return f, err
	}
	return f, f.Policy.Check()
}
