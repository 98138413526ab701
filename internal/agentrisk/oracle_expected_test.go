package agentrisk

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestOracleExpected recomputes every case of the oracle's ten example traces.
// These files stay outside the repository.
func TestOracleExpected(t *testing.T) {
	files, err := filepath.Glob("../../../shared/oracle/expected/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("shared/oracle/expected is not beside the repository")
	}
	count := map[string]int{}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) { oracleExpected(t, path, count) })
	}
	want := map[string]int{
		"cases altogether": 905,
		"exact":            675,
		"score error":      70,
		"core refuses":     110, // weights and policy, when configured
		"loader refuses":   40,  // values that are no integers
		"same as another":  10,  // no_config is declared to have the report of all_detectors
	}
	if !reflect.DeepEqual(count, want) {
		t.Errorf("cases by kind: %v, want %v", count, want)
	}
}

type expectedCase struct {
	ID           string
	Config       traceConfig
	AnalyzeVault json.RawMessage `json:"analyze_vault"`
	SameAsAll    bool            `json:"same_as_all_detectors"`
	Report       *traceReport
	Error        *traceError
}

// findingsOf returns what the oracle found in the case. Most cases list nothing:
// they have all detectors on, so it is what all_detectors found, on the channels
// that their filter lets through.
func (c expectedCase) findingsOf(t *testing.T, all expectedCase) []oracleFinding {
	t.Helper()
	if c.Report != nil && c.Report.Findings != nil {
		return c.Report.Findings
	}
	if !reflect.DeepEqual(c.Config.Detectors, all.Config.Detectors) {
		t.Fatal("has other detectors than all_detectors and lists no findings")
	}
	var out []oracleFinding
	for _, f := range all.Report.Findings {
		if c.Config.Channels == nil || slices.Contains(*c.Config.Channels, f.Channel) {
			f.Level = 0
			out = append(out, f)
		}
	}
	return out
}

func oracleExpected(t *testing.T, path string, count map[string]int) {
	var file struct{ Cases []expectedCase }
	readOracle(t, path, &file)
	i := slices.IndexFunc(file.Cases, func(c expectedCase) bool { return c.ID == "all_detectors" })
	if i < 0 {
		t.Fatal("no case all_detectors")
	}
	all := file.Cases[i]
	for _, c := range file.Cases {
		count["cases altogether"]++
		t.Run(c.ID, func(t *testing.T) {
			p, err := c.Config.read(c.AnalyzeVault)
			switch {
			case c.SameAsAll:
				count["same as another"]++
			case c.Report != nil:
				if err != nil {
					t.Fatal(err)
				}
				count["exact"]++
				compareTrace(t, p, c.findingsOf(t, all), c.Report)
			case c.Error.Stage == "score":
				if err != nil {
					t.Fatal(err)
				}
				count["score error"]++
				_, _, err := p.score(t, c.findingsOf(t, all))
				if want := oracleErrors[c.Error.Reason]; want == nil || !errors.Is(err, want) {
					t.Errorf("error %v, want %s", err, c.Error.Reason)
				}
			case errors.Is(err, errCoercion):
				count["loader refuses"]++
				if !slices.Contains([]string{"int_parsing", "int_from_float"}, c.Error.Types[0]) {
					t.Errorf("error %v, want %v", err, c.Error.Types)
				}
			case err != nil:
				count["core refuses"]++
				if field := c.Error.Fields[0]; errors.Is(err, ErrWeights) != (field == "scoring.weights") {
					t.Errorf("error %v, want one of %s", err, field)
				}
			default:
				t.Errorf("accepted, the oracle refuses: %+v", *c.Error)
			}
		})
	}
}
