package detect

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

var update = flag.Bool("update", false, "rewrite docs/detectors.md")

// document is docs/detectors.md: the taxonomy, then the rules by family.
func document(t *testing.T, head string) string {
	rules := rulesOf(t, AllFamilies())
	finders := map[agentrisk.DataType]int{}
	families := map[agentrisk.Family][]RuleInfo{}
	last := agentrisk.Family(0)
	for _, r := range rules {
		finders[r.Type]++
		families[r.Family] = append(families[r.Family], r)
		last = max(last, r.Family)
		if r.Doc == "" {
			t.Errorf("rule %s: want a Doc", r.ID)
		}
	}
	cell := strings.NewReplacer("|", `\|`, "\n", " ")
	var b bytes.Buffer
	b.WriteString(head)
	b.WriteString("\n## Data types\n\n| Data type | Level | Family | Detectors | Legal basis |\n|---|---|---|---:|---|\n")
	for _, x := range agentrisk.Types() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %d | %s |\n", x.Type, x.Level, x.Family, finders[x.Type], cell.Replace(x.Basis))
	}
	fmt.Fprintf(&b, "\n## Detectors\n\n%d detectors, by family.\n", len(rules))
	for f := agentrisk.Family(0); f <= last; f++ {
		if families[f] == nil {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n| Detector | Data type | Level | Group | Finds | By | After |\n|---|---|---|---|---|---|---|\n", f)
		for _, r := range families[f] {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s | %s |\n", r.ID, r.Type, r.Level, r.Group, cell.Replace(r.Doc), r.Why, cell.Replace(r.Source))
		}
	}
	return b.String()
}

// TestDocs wants docs/detectors.md to be what the rules and the taxonomy say.
func TestDocs(t *testing.T) {
	head, err := os.ReadFile(filepath.Join("testdata", "detectors_head.md"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "detectors.md")
	want := document(t, string(head))
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not current (%v): run go generate ./internal/detect", path, err)
	}
}

// TestRulesInForce wants the rules that only names of fields anchor gone when those are not read, and no others.
func TestRulesInForce(t *testing.T) {
	some := AllFamilies()
	some.Keyname = false
	on := map[string]bool{}
	for _, r := range rulesOf(t, some) {
		on[r.ID] = true
	}
	const name = "name of its field"
	for _, r := range rulesOf(t, AllFamilies()) {
		if want := r.Why != name || r.Group == "secrets"; on[r.ID] != want {
			t.Errorf("without names of fields %s (%s) is listed: %v, want %v", r.ID, r.Why, on[r.ID], want)
		}
	}
}

func rulesOf(t *testing.T, f Families) []RuleInfo {
	t.Helper()
	s, err := New(Options{Families: f, Key: []byte("docs")})
	if err != nil {
		t.Fatal(err)
	}
	return s.Rules()
}
