package agentleakprocessor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// TestSamples sends recorded telemetry of many frameworks through and compares the score on the root with what the other
// door, an audit of the whole file, makes of it. No value of level 4 that the audit finds comes out.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*/*.json")
	more, err2 := filepath.Glob("../../testdata/*/*.json")
	if err != nil || err2 != nil || len(files)+len(more) == 0 {
		t.Fatal("no samples")
	}
	seen := 0
	for _, file := range append(files, more...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err != nil || td.SpanCount() == 0 || strings.Contains(file, "expected") {
			continue
		}
		if _, one, roots := survey(td); one == nil || roots == 0 {
			continue
		}
		seen++
		a, err := audit.New(audit.DefaultPolicy(), audit.Options{
			Redaction: audit.Redaction{Levels: []int{4}, Key: testKey}, KeepValues: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		batch := a.ScanTraces(td)
		var l audit.Ledger
		l.Add(a, batch)
		a.FindCopies(td, batch, &l)
		score := a.Score(&l)

		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, func(c *Config) { c.Annotate.Findings = findingsEvents })
			r.send(td)
			r.stopAfter(3 * time.Second)
			root := ours(r.sink.root(t, spansOf(td)[0].TraceID()))
			if score.GenAI || score.Secrets > 0 {
				if got := root[attrRiskIndex]; got != score.Report.RI {
					t.Errorf("%s: risk index %v, want %v", file, got, score.Report.RI)
				}
				if got := root[attrWSL]; got != int64(score.Report.WSL) {
					t.Errorf("%s: wsl %v, want %v", file, got, score.Report.WSL)
				}
			} else if len(root) > 0 {
				t.Errorf("%s: %v on a trace that is of no agent", file, root)
			}
			out := r.sink.json(t)
			for _, f := range score.Findings(batch) {
				if f.Level == 4 && len(f.Value) >= 8 && strings.Contains(out, f.Value) {
					t.Errorf("%s: a value of rule %s is still there", file, f.Rule)
				}
			}
			r.conserved()
		})
	}
	if seen < 20 {
		t.Errorf("only %d samples", seen)
	}
}
