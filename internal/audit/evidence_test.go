package audit

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// An expectation is an expected file of testdata/reports or testdata/dialects; their READMEs explain the fields.
type expectation struct {
	Inputs, Files  []string
	Stretch        bool
	MustDetect     []wanted `json:"must_detect"`
	Expected       []wanted
	MustNotDetect  []string `json:"must_not_detect"`
	MustNotContain []string `json:"must_not_contain_after_redaction"`
	MustStay       []string `json:"must_stay_intact"`
	Leaked         []string
	LeakedOptional []string `json:"leaked_optional"`
	NotLeaked      []string `json:"not_leaked"`
	SourceOnly     []string `json:"source_only"`
	JSONAttributes []string `json:"json_attributes"`
	Score          *wantScore
}

type wanted struct {
	SpanID   string `json:"span_id"`
	Value    string
	Level    int
	Channel  string
	Accept   []string
	Optional bool
}

type wantScore struct {
	RI          *float64 `json:"ri"`
	WSL         *int     `json:"wsl"`
	RhoS        *int     `json:"rho_s"`
	LeakedCount *int     `json:"leaked_count"`
}

// run is a case read through the Auditor: one ledger for all its files.
type run struct {
	traces   []ptrace.Traces
	logs     []plog.Logs
	batches  []*Batch
	score    *Score
	findings []Finding
}

func newAuditor(t testing.TB, o Options) *Auditor {
	t.Helper()
	if o.Redaction.Style == "" {
		o.Redaction = DefaultRedaction()
	}
	a, err := New(DefaultPolicy(), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func readRun(t testing.TB, a *Auditor, files []string) *run {
	t.Helper()
	var r run
	var l Ledger
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err != nil {
			t.Fatal(err)
		}
		ld, err := (&plog.JSONUnmarshaler{}).UnmarshalLogs(data)
		if err != nil {
			t.Fatal(err)
		}
		r.traces, r.logs = append(r.traces, td), append(r.logs, ld)
	}
	tb, lb := make([]*Batch, len(files)), make([]*Batch, len(files))
	for i := range files {
		tb[i], lb[i] = a.ScanTraces(r.traces[i]), a.ScanLogs(r.logs[i])
		l.Add(a, tb[i])
		l.Add(a, lb[i])
	}
	for i := range files {
		a.FindCopies(r.traces[i], tb[i], &l)
		a.FindCopiesInLogs(r.logs[i], lb[i], &l)
	}
	r.score = a.Score(&l)
	for i := range files {
		r.findings = append(r.findings, r.score.Findings(tb[i])...)
		r.findings = append(r.findings, r.score.Findings(lb[i])...)
		a.Redact(r.traces[i], tb[i])
		a.RedactLogs(r.logs[i], lb[i])
	}
	r.batches = append(tb, lb...)
	return &r
}

// export is all text of the run as it stands: strings, numbers and names, and the strings inside JSON.
func (r *run) export(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	for i := range r.traces {
		data, err := (&ptrace.JSONMarshaler{}).MarshalTraces(r.traces[i])
		if err != nil {
			t.Fatal(err)
		}
		logs, err := (&plog.JSONMarshaler{}).MarshalLogs(r.logs[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range [][]byte{data, logs} {
			flatten(&b, string(doc), 0)
		}
	}
	return b.String()
}

func flatten(b *strings.Builder, text string, depth int) {
	b.WriteString(text)
	b.WriteByte(0)
	trimmed := strings.TrimSpace(text)
	if depth > 12 || trimmed == "" || !strings.ContainsRune(`{["`, rune(trimmed[0])) {
		return
	}
	var v any
	dec := json.NewDecoder(strings.NewReader(trimmed))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			flatten(b, v, depth+1)
		case json.Number:
			b.WriteString(v.String() + "\x00")
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for k, e := range v {
				b.WriteString(k + "\x00")
				walk(e)
			}
		}
	}
	walk(v)
}

func norm(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// covers: the found text is the planted value or holds it.
func covers(found, value string) bool {
	f, v := norm(found), norm(value)
	return v != "" && (f == v || len(v) > 5 && strings.Contains(f, v) || strings.Contains(found, value))
}

// tells: covers, or is the larger part of the value.
func tells(found, value string) bool {
	f, v := norm(found), norm(value)
	return covers(found, value) || len(f) > 5 && strings.Contains(v, f) && 2*len(f) >= len(v)
}

func (e *expectation) check(t testing.TB, r *run) (bad []string) {
	say := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	l4 := slices.Clone(e.MustNotContain)
	for _, w := range append(e.MustDetect, e.Expected...) {
		if w.Level == 4 {
			l4 = append(l4, w.Value)
		}
		channels := append([]string{w.Channel}, w.Accept...)
		if w.Optional || slices.Contains(channels, "replay") || slices.Contains(channels, "none") {
			continue
		}
		if !slices.ContainsFunc(r.findings, func(f Finding) bool {
			return int(f.Level) == w.Level && (slices.Contains(channels, "any") || slices.Contains(channels, f.Channel.String())) &&
				(w.SpanID == "" || f.SpanID.IsEmpty() || f.SpanID.String() == w.SpanID) && tells(f.Value, w.Value)
		}) {
			say("not found: %q L%d on %v in span %s", w.Value, w.Level, channels, w.SpanID)
		}
	}
	for _, s := range e.MustNotDetect {
		for _, f := range r.findings {
			if strings.Contains(f.Value, s) {
				say("wrongly found: %q as %s by %s", s, f.Type, f.Rule)
			}
		}
	}
	leaked := func(v string, same func(string, string) bool) bool {
		return slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Disclosed() && same(f.Value, v) })
	}
	for _, v := range e.Leaked {
		if !leaked(v, tells) {
			say("%q should count as leaked", v)
		}
	}
	for _, v := range append(e.NotLeaked, e.SourceOnly...) {
		if !slices.Contains(e.LeakedOptional, v) && leaked(v, covers) {
			say("%q should not count as leaked", v)
		}
	}
	if s := e.Score; s != nil {
		rep := r.score.Report
		if s.RI != nil && math.Abs(rep.RI-*s.RI) > 5e-5 || s.WSL != nil && rep.WSL != *s.WSL ||
			s.RhoS != nil && rep.Density != *s.RhoS || s.LeakedCount != nil && rep.LeakedCount != *s.LeakedCount {
			say("score RI %v WSL %d rho_S %d leaked %d", rep.RI, rep.WSL, rep.Density, rep.LeakedCount)
		}
	}
	out := r.export(t)
	for _, v := range l4 {
		if v != "" && strings.Contains(out, v) {
			say("exported in clear: %q", v)
		}
	}
	for _, v := range e.MustStay {
		if !strings.Contains(out, v) {
			say("lost from the export: %q", v)
		}
	}
	return bad
}

// checkCase runs one expected file through the Auditor.
func checkCase(t testing.TB, file string) (*expectation, []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var e expectation
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var files []string
	for _, f := range append(e.Inputs, e.Files...) {
		files = append(files, filepath.Join(filepath.Dir(file), f))
	}
	return &e, e.check(t, readRun(t, newAuditor(t, Options{KeepValues: true}), files))
}

// TestEvidence runs the cases that are made from public reports, and the dialect samples.
func TestEvidence(t *testing.T) {
	for _, dir := range []string{
		"reports", "dialects/otel-genai", "dialects/otel-genai-legacy", "dialects/openinference", "dialects/openllmetry",
		"dialects/vercel-ai-sdk",
	} {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", filepath.FromSlash(dir), "*.expected.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no cases: %v", dir, err)
		}
		for _, f := range files {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".expected.json"), func(t *testing.T) {
				_, bad := checkCase(t, f)
				for _, b := range bad {
					t.Error(b)
				}
			})
		}
	}
}
