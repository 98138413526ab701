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

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// An expectation is an expected file of testdata/reports or testdata/dialects; their READMEs explain the fields.
type expectation struct {
	Inputs, Files  []string
	Stretch        bool
	MustDetect     []wanted `json:"must_detect"`
	Expected       []wanted
	Planted        []planted
	MustNotDetect  []string `json:"must_not_detect"`
	MustNotContain []string `json:"must_not_contain_after_redaction"`
	MustStay       []string `json:"must_stay_intact"`
	Leaked         []text
	LeakedOptional []text   `json:"leaked_optional"`
	NotLeaked      []text   `json:"not_leaked"`
	SourceOnly     []text   `json:"source_only"`
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

// text is a string, or an object that holds it as value.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var o struct{ Value text }
	if data[0] == '{' {
		err := json.Unmarshal(data, &o)
		*t = o.Value
		return err
	}
	return json.Unmarshal(data, (*string)(t))
}

// planted is a value of a capture, with all the places it stands in.
type planted struct {
	Value       string
	Level       int
	Occurrences []wanted
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
	ledgers := map[pcommon.TraceID]*Ledger{}
	ledger := func(id pcommon.TraceID) *Ledger {
		if ledgers[id] == nil {
			ledgers[id] = new(Ledger)
		}
		return ledgers[id]
	}
	type piece struct {
		traces ptrace.Traces
		logs   plog.Logs
		batch  *Batch
		ledger *Ledger
	}
	var pieces []*piece
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
		for id, parts := range byTrace(td, 1<<30) {
			for _, part := range parts {
				pieces = append(pieces, &piece{part, plog.NewLogs(), a.ScanTraces(part), ledger(id)})
			}
		}
		for id, part := range logsByTrace(ld) {
			pieces = append(pieces, &piece{ptrace.NewTraces(), part, a.ScanLogs(part), ledger(id)})
		}
	}
	for _, p := range pieces {
		p.ledger.Add(a, p.batch)
	}
	for _, p := range pieces {
		a.FindCopies(p.traces, p.batch, p.ledger)
		a.FindCopiesInLogs(p.logs, p.batch, p.ledger)
	}
	for _, p := range pieces {
		r.score = a.Score(p.ledger)
		r.findings = append(r.findings, r.score.Findings(p.batch)...)
		a.Redact(p.traces, p.batch)
		a.RedactLogs(p.logs, p.batch)
		r.traces, r.logs = append(r.traces, p.traces), append(r.logs, p.logs)
	}
	return &r
}

// logsByTrace splits log records by trace.
func logsByTrace(ld plog.Logs) map[pcommon.TraceID]plog.Logs {
	out := map[pcommon.TraceID]plog.Logs{}
	for _, rl := range ld.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, lr := range sl.LogRecords().All() {
				if _, ok := out[lr.TraceID()]; !ok {
					out[lr.TraceID()] = plog.NewLogs()
				}
				r := out[lr.TraceID()].ResourceLogs().AppendEmpty()
				rl.Resource().CopyTo(r.Resource())
				s := r.ScopeLogs().AppendEmpty()
				sl.Scope().CopyTo(s.Scope())
				lr.CopyTo(s.LogRecords().AppendEmpty())
			}
		}
	}
	return out
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
	all := append(slices.Clone(e.MustDetect), e.Expected...)
	for _, p := range e.Planted {
		for _, o := range p.Occurrences {
			o.Value, o.Level = p.Value, p.Level
			all = append(all, o)
		}
	}
	for _, w := range all {
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
		if !leaked(string(v), tells) {
			say("%q should count as leaked", v)
		}
	}
	for _, v := range append(e.NotLeaked, e.SourceOnly...) {
		if !slices.Contains(e.LeakedOptional, v) && leaked(string(v), covers) {
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

// TestEvidence runs the cases made from public reports, the samples of every dialect and the telemetry of real SDKs.
func TestEvidence(t *testing.T) {
	for pattern, least := range map[string]int{
		"reports/*.expected.json": 15, "dialects/*/*.expected.json": 25, "captures/*.expected.json": 25,
	} {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", filepath.FromSlash(pattern)))
		if err != nil || len(files) < least {
			t.Fatalf("%s: %d cases, want %d: %v", pattern, len(files), least, err)
		}
		for _, f := range files {
			name := filepath.Base(filepath.Dir(f)) + "/" + strings.TrimSuffix(filepath.Base(f), ".expected.json")
			t.Run(name, func(t *testing.T) {
				e, bad := checkCase(t, f)
				for _, b := range bad {
					if e.Stretch {
						t.Log("stretch: " + b)
					} else {
						t.Error(b)
					}
				}
			})
		}
	}
}
