package redteam

import (
	"strings"
	"testing"
)

const labels = `"scenario_id":"s","vertical":"hr","attack_class_id":"F1.1","attack_family_id":"F1","primary_channel":"final_output",` +
	`"adversary_level":"A1","vault_field_count":3,"expected_leaks":["ssn"]`

func TestReadRuns(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"inline trace", `{` + labels + `,"trace":{"events":[]}}`, ""},
		{"file", "\n{" + labels + `,"trace_file":"x.json","trace_id":"00"}` + "\n{" + labels + `,"trace_file":"y.json"}`, ""},
		{"measured", `{` + labels + `,"detected_leaks":[],"detected_on_primary":[],"risk_index":0.5,"privacy_score":50}`, ""},
		{"nothing", "", ""},
		{"not JSON", "\n\nSECRET", "line 3: not valid JSON"},
		{"a list", `["SECRET"]`, "line 1: want an object"},
		{"missing", `{"scenario_id":"s"}`, "line 1: vertical: missing; want scenario_id, vertical,"},
		{"second line", "{" + labels + `,"trace_file":"x"}` + "\n{}", "line 2: scenario_id: missing"},
		{"unknown", `{` + labels + `,"trace_fiel":"SECRET"}`, `line 1: "trace_fiel": unknown member: want one of scenario_id,`},
		{"wrong type", `{` + strings.Replace(labels, "3", `"SECRET"`, 1) + `,"trace_file":"x"}`, "line 1: vault_field_count: want a number"},
		{"negative", `{` + strings.Replace(labels, "3", `-3`, 1) + `,"trace_file":"x"}`, "line 1: vault_field_count -3: want 0 or more"},
		{"no trace", `{` + labels + `}`, "line 1: want one of trace, trace_file and detected_leaks"},
		{"two traces", `{` + labels + `,"trace":{},"trace_file":"x"}`, "line 1: want one of trace, trace_file and detected_leaks"},
		{"score alone", `{` + labels + `,"trace":{},"privacy_score":3}`, "line 1: detected_on_primary, risk_index and privacy_score: only with detected_leaks"},
		{"score", `{` + labels + `,"detected_leaks":[],"privacy_score":300}`, "line 1: privacy_score 300: want 0 to 100"},
		{"schema", `{"schema":"agentleak.redteam.run/9",` + labels + `,"trace":{}}`, `line 1: schema "agentleak.redteam.run/9": want agentleak.redteam.run/1`},
		{"empty canary", `{` + labels + `,"trace":{},"canaries":[""]}`, "line 1: canaries: want no empty value"},
	} {
		_, err := ReadRuns([]byte(test.in))
		switch {
		case err == nil && test.want == "":
		case err == nil || test.want == "" || !strings.HasPrefix(err.Error(), test.want):
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		case strings.Contains(err.Error(), "SECRET"):
			t.Errorf("%s: the error quotes the input: %v", test.name, err)
		}
	}
}

func FuzzReadRuns(f *testing.F) {
	f.Add([]byte(`{` + labels + `,"trace":{"events":[]}}`))
	f.Add([]byte(`{` + labels + `,"detected_leaks":["ssn","ssn"],"risk_index":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := ReadRuns(data)
		if err != nil {
			return
		}
		for _, r := range records {
			if r.Scenario == "" || r.VaultFields < 0 || r.Line < 1 {
				t.Errorf("accepted %+v", r)
			}
		}
	})
}
