package report

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// sarifWant says which members SARIF 2.1.0 requires of an object, or code scanning needs, by its place in the log.
// "*" is any element of a list.
var sarifWant = map[string][]string{
	"":                           {"version", "runs", "$schema"},
	"runs/*":                     {"tool", "results", "artifacts", "invocations", "columnKind"},
	"runs/*/tool":                {"driver"},
	"runs/*/tool/driver":         {"name", "rules", "informationUri"},
	"runs/*/tool/driver/rules/*": {"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"},
	"runs/*/tool/driver/rules/*/shortDescription":                                             {"text"},
	"runs/*/tool/driver/rules/*/fullDescription":                                              {"text"},
	"runs/*/tool/driver/rules/*/help":                                                         {"text", "markdown"},
	"runs/*/tool/driver/rules/*/properties":                                                   {"tags", "security-severity"},
	"runs/*/tool/driver/rules/*/defaultConfiguration":                                         {"level"},
	"runs/*/artifacts/*":                                                                      {"location"},
	"runs/*/artifacts/*/location":                                                             {"uri"},
	"runs/*/invocations/*":                                                                    {"executionSuccessful"},
	"runs/*/invocations/*/toolExecutionNotifications/*":                                       {"message", "level"},
	"runs/*/invocations/*/toolExecutionNotifications/*/message":                               {"text"},
	"runs/*/results/*":                                                                        {"ruleId", "ruleIndex", "message", "level", "locations", "partialFingerprints"},
	"runs/*/results/*/message":                                                                {"text"},
	"runs/*/results/*/partialFingerprints":                                                    {"primaryLocationLineHash", "agentleakPlace/v1"},
	"runs/*/results/*/fingerprints":                                                           {"agentleakSecret/v1"},
	"runs/*/results/*/locations/*":                                                            {"logicalLocations"},
	"runs/*/results/*/locations/*/logicalLocations/*":                                         {"name", "fullyQualifiedName", "kind"},
	"runs/*/results/*/locations/*/physicalLocation":                                           {"artifactLocation", "region"},
	"runs/*/results/*/locations/*/physicalLocation/artifactLocation":                          {"uri", "index"},
	"runs/*/results/*/locations/*/physicalLocation/region":                                    {"startLine"},
	"runs/*/results/*/codeFlows/*":                                                            {"threadFlows"},
	"runs/*/results/*/codeFlows/*/threadFlows/*":                                              {"locations"},
	"runs/*/results/*/codeFlows/*/threadFlows/*/locations/*":                                  {"location"},
	"runs/*/results/*/codeFlows/*/threadFlows/*/locations/*/location":                         {"logicalLocations", "message"},
	"runs/*/results/*/codeFlows/*/threadFlows/*/locations/*/location/message":                 {"text"},
	"runs/*/results/*/codeFlows/*/threadFlows/*/locations/*/location/physicalLocation":        {"artifactLocation"},
	"runs/*/results/*/codeFlows/*/threadFlows/*/locations/*/location/logicalLocations/*":      {"name", "kind"},
	"runs/*/results/*/codeFlows/*/threadFlows/*/locations/*/location/physicalLocation/region": {"startLine"},
}

// TestSARIF checks the structure of every log of the goldens, and what refers to what in it.
func TestSARIF(t *testing.T) {
	places := map[string]bool{}
	defer func() {
		for at := range sarifWant {
			if !places[at] {
				t.Errorf("no log has a %s", at)
			}
		}
	}()
	for name, set := range sets(t) {
		out := written(t, set, (*Set).WriteSARIF)
		var tree any
		if err := json.Unmarshal([]byte(out), &tree); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		walkSARIF(t, name, "", tree, places)

		var log sarifLog
		if err := json.Unmarshal([]byte(out), &log); err != nil {
			t.Fatal(err)
		}
		if log.Version != "2.1.0" || len(log.Runs) != 1 {
			t.Fatalf("%s: version %q, %d runs", name, log.Version, len(log.Runs))
		}
		run := &log.Runs[0]
		disclosed := 0
		for i := range set.Traces {
			_, leaks, _ := set.Traces[i].listed()
			disclosed += leaks
		}
		if len(run.Results) != disclosed {
			t.Errorf("%s: %d results, %d disclosed findings", name, len(run.Results), disclosed)
		}
		seen := map[string]bool{}
		for i, r := range run.Results {
			if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
				t.Errorf("%s: result %d names rule %q at %d", name, i, r.RuleID, r.RuleIndex)
			}
			if !slices.Contains([]string{"error", "warning", "note"}, r.Level) {
				t.Errorf("%s: result %d has level %q", name, i, r.Level)
			}
			if r.Baseline != "" && !slices.Contains([]string{"new", "unchanged"}, r.Baseline) || (r.Baseline != "") != (set.Baseline != nil) {
				t.Errorf("%s: result %d has state %q", name, i, r.Baseline)
			}
			if (r.Fingerprints != nil) != set.StableKey(&set.Traces[0]) {
				t.Errorf("%s: result %d has fingerprints %v", name, i, r.Fingerprints)
			}
			line := r.Partial["primaryLocationLineHash"]
			if seen[line] {
				t.Errorf("%s: two results are one alert: %s", name, line)
			}
			seen[line] = true
			for _, l := range r.Locations {
				if p := l.Physical; p != nil && (p.Artifact.Index == nil || run.Artifacts[*p.Artifact.Index].Location.URI != p.Artifact.URI || p.Region.StartLine < 1) {
					t.Errorf("%s: result %d stands at %+v", name, i, p)
				}
			}
		}
		for _, a := range run.Artifacts {
			if _, err := url.Parse(a.Location.URI); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func walkSARIF(t *testing.T, name, at string, v any, seen map[string]bool) {
	t.Helper()
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			walkSARIF(t, name, strings.TrimPrefix(at+"/*", "/"), e, seen)
		}
	case map[string]any:
		seen[at] = true
		for _, m := range sarifWant[at] {
			if x[m] == nil {
				t.Errorf("%s: %s lacks %s", name, at, m)
			}
		}
		for k, e := range x {
			if e == nil {
				t.Errorf("%s: %s/%s is null", name, at, k)
			}
			walkSARIF(t, name, strings.TrimPrefix(at+"/"+k, "/"), e, seen)
		}
	}
}

// TestFingerprintsAreStable wants the fingerprints of one leak to be the same in two runs of one agent, which differ in
// ids, times, order and counters, and different for another place, type or channel.
func TestFingerprintsAreStable(t *testing.T) {
	f := audit.Finding{SpanName: "execute_tool lookup 17", Where: "llm.input_messages.3.content", Path: "[2].text", Type: "email", Channel: agentrisk.ChannelLog}
	same := f
	same.SpanName, same.Where, same.Path = "execute_tool lookup 4", "llm.input_messages.12.content", "[0].text"
	same.ID, same.SpanID, same.Length = secret(9), [8]byte{7}, 30
	if placeKey("", &f) != placeKey("", &same) {
		t.Errorf("%q and %q", placeKey("", &f), placeKey("", &same))
	}
	token := f
	token.Where = "[REDACTED:L4:ssn:9c1f0a77b2d4]"
	other := f
	other.Where = "[REDACTED:L4:ssn:0123456789ab]"
	if placeKey("", &token) != placeKey("", &other) {
		t.Errorf("%q and %q", placeKey("", &token), placeKey("", &other))
	}
	for _, change := range []func(*audit.Finding){
		func(f *audit.Finding) { f.SpanName = "execute_tool refund 17" },
		func(f *audit.Finding) { f.Where = "llm.output_messages.3.content" },
		func(f *audit.Finding) { f.Path = "[2].name" },
		func(f *audit.Finding) { f.Type = "ssn" },
		func(f *audit.Finding) { f.Channel = agentrisk.ChannelToolCall },
	} {
		o := f
		change(&o)
		if placeKey("", &o) == placeKey("", &f) {
			t.Errorf("%q stands for two places", placeKey("", &f))
		}
	}
}

func TestFileURI(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"traces/a.json", "traces/a.json"}, {"./a b.json", "a%20b.json"}, {"/var/x.json", "file:///var/x.json"},
		{`C:\logs\x.json`, "file:///C:/logs/x.json"}, {"a:b?#%.json", "a%3Ab%3F%23%25.json"}, {"stdin", "stdin"},
	} {
		if got := fileURI(test.in); got != test.want {
			t.Errorf("fileURI(%q): got %q, want %q", test.in, got, test.want)
		}
	}
}
