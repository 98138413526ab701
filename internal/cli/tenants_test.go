package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

const tenantsConfig = `
redaction: {levels: [2, 3, 4], key: of no value}
policies:
  - name: acme
    match: {tenant: acme}
    redaction: {levels: [1, 2, 3, 4]}
    scoring: {weights: [1, 2, 3, 9]}
  - name: globex
    match: {tenant: globex}
    redaction: {levels: [4], style: mask, key: another of no value}
    vault: {rho_s: 100000}
`

// TestTenants wants files with spans of several tenants to come to what those of each come to alone, in any order of files:
// the redacted bytes, and the numbers of the report. Tenants are told by resources or by spans.
func TestTenants(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	files, _ := filepath.Glob("../../testdata/dialects/*/*.json")
	dir := t.TempDir()
	config := filepath.Join(dir, "agentleak.yaml")
	if err := os.WriteFile(config, []byte(tenantsConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".expected.json") || rng.IntN(4) > 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err != nil || td.SpanCount() < 2 {
			continue // logs
		}
		tried++
		tenants := []string{"", "acme", "globex"}
		all := map[string]ptrace.Traces{"mixed": ptrace.NewTraces()}
		add := func(to string, tenant string, onSpan bool, rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) {
			if all[to] == (ptrace.Traces{}) {
				all[to] = ptrace.NewTraces()
			}
			r := all[to].ResourceSpans().AppendEmpty()
			rs.Resource().CopyTo(r.Resource())
			sc := r.ScopeSpans().AppendEmpty()
			ss.Scope().CopyTo(sc.Scope())
			span := sc.Spans().AppendEmpty()
			s.CopyTo(span)
			switch {
			case tenant == "":
			case onSpan:
				span.Attributes().PutStr("tenant", tenant)
			default:
				r.Resource().Attributes().PutStr("tenant", tenant)
			}
		}
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					tenant, onSpan := tenants[rng.IntN(3)], rng.IntN(2) == 0
					add("mixed", tenant, onSpan, rs, ss, s)
					add("of "+tenant, tenant, onSpan, rs, ss, s)
				}
			}
		}
		names := map[string]string{}
		for name, td := range all {
			out, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
			if err != nil {
				t.Fatal(err)
			}
			names[name] = filepath.Join(dir, name+".json")
			if err := os.WriteFile(names[name], out, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		mixed, scores := redactedSpans(t, config, names["mixed"]), tenantScores(t, config, names["mixed"])
		apart := []string{}
		for name, path := range names {
			if name == "mixed" {
				continue
			}
			apart = append(apart, path)
			for id, want := range redactedSpans(t, config, path) {
				if d := cmp.Diff(want, mixed[id]); d != "" {
					t.Errorf("%s, %s: -alone +mixed\n%s", file, name, d)
				}
			}
			for of, want := range tenantScores(t, config, path) {
				if scores[of] != want {
					t.Errorf("%s, %s: %s scores %s alone and %s among others", file, name, of, want, scores[of])
				}
			}
		}
		if d := cmp.Diff(scores, tenantScores(t, config, apart...)); d != "" {
			t.Errorf("%s: -one file +several\n%s", file, d)
		}
	}
	if tried < 3 {
		t.Errorf("only %d files were tried", tried)
	}
}

func redactedSpans(t *testing.T, config string, files ...string) map[pcommon.SpanID]string {
	t.Helper()
	code, stdout, stderr := run(t, "", append([]string{"redact", "--config", config}, files...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	all := map[pcommon.SpanID]string{}
	for line := range strings.Lines(stdout) {
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					all[s.SpanID()] = fmt.Sprint(rs.Resource().Attributes().AsRaw(), s.Name(), s.Attributes().AsRaw())
				}
			}
		}
	}
	return all
}

// tenantScores are the numbers of each part of a trace, by trace and policy.
func tenantScores(t *testing.T, config string, files ...string) map[string]string {
	t.Helper()
	code, stdout, stderr := run(t, "", append([]string{"audit", "--format", "json", "--config", config}, files...)...)
	if code > 1 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var report struct {
		Traces []struct {
			ID       string   `json:"trace_id"`
			RI       *float64 `json:"risk_index"`
			WSL      *int     `json:"wsl"`
			RhoS     *int     `json:"rho_s"`
			Policy   struct{ Name string }
			Findings []struct {
				Span   string `json:"span_id"`
				Secret string `json:"secret_id"`
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, tr := range report.Traces {
		all[tr.ID+" "+tr.Policy.Name] = fmt.Sprint(*tr.RI, *tr.WSL, *tr.RhoS, len(tr.Findings))
	}
	return all
}
