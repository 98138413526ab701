package audit

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// traceFiles are all traces among the evidence.
func traceFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"reports/*.json", "dialects/*/*.json", "captures/*.json"} {
		fs, err := filepath.Glob(filepath.Join("..", "..", "testdata", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fs {
			if !strings.HasSuffix(f, ".expected.json") && !strings.HasSuffix(f, ".logs.json") {
				files = append(files, f)
			}
		}
	}
	if len(files) < 30 {
		t.Fatalf("only %d traces found", len(files))
	}
	return files
}

func readTraces(t testing.TB, file string) ptrace.Traces {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
	if err != nil {
		t.Fatal(err)
	}
	return td
}

func cloneTraces(td ptrace.Traces) ptrace.Traces {
	out := ptrace.NewTraces()
	td.CopyTo(out)
	return out
}

// byTrace splits telemetry into pieces of one trace and at most n spans, each with its resource and scope.
func byTrace(td ptrace.Traces, n int) map[pcommon.TraceID][]ptrace.Traces {
	out := map[pcommon.TraceID][]ptrace.Traces{}
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for i, s := range ss.Spans().All() {
				pieces := out[s.TraceID()]
				if i%n == 0 || len(pieces) == 0 {
					piece := ptrace.NewTraces()
					r := piece.ResourceSpans().AppendEmpty()
					rs.Resource().CopyTo(r.Resource())
					sc := r.ScopeSpans().AppendEmpty()
					ss.Scope().CopyTo(sc.Scope())
					pieces = append(pieces, piece)
					out[s.TraceID()] = pieces
				}
				last := pieces[len(pieces)-1]
				s.CopyTo(last.ResourceSpans().At(0).ScopeSpans().At(0).Spans().AppendEmpty())
			}
		}
	}
	return out
}

// score runs pieces of one trace through a ledger and returns the score; the pieces are redacted in place.
func score(a *Auditor, pieces []ptrace.Traces) *Score {
	var l Ledger
	batches := make([]*Batch, len(pieces))
	for i, p := range pieces {
		batches[i] = a.ScanTraces(p)
		l.Add(a, batches[i])
	}
	for i, p := range pieces {
		a.FindCopies(p, batches[i], &l)
	}
	s := a.Score(&l)
	for i, p := range pieces {
		a.Redact(p, batches[i])
	}
	return s
}

// TestScoreIsOrderFree: the score does not depend on how a trace was split, ordered or repeated.
func TestScoreIsOrderFree(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	a := newAuditor(t, Options{})
	scored := 0
	for _, file := range traceFiles(t) {
		td := readTraces(t, file)
		whole := byTrace(td, 1<<30)
		for id, pieces := range byTrace(td, 1) {
			want := score(a, whole[id])
			if want.Secrets > 0 {
				scored++
			}
			for range 2 {
				// every piece at least once, some twice, in any order
				var order []ptrace.Traces
				for _, i := range rng.Perm(len(pieces)) {
					order = append(order, cloneTraces(pieces[i]))
					if rng.IntN(3) == 0 {
						order = append(order, cloneTraces(pieces[rng.IntN(len(pieces))]))
					}
				}
				got := score(a, order)
				if diff := cmp.Diff(want.Report, got.Report); diff != "" || !reflect.DeepEqual(want.Outcome, got.Outcome) {
					t.Errorf("%s: the score depends on the order of spans (seed %d):\n%s", filepath.Base(file), seed, diff)
				}
			}
		}
	}
	if scored < 20 {
		t.Errorf("only %d traces with secrets: the test says nothing", scored)
	}
}

// TestRedactTwice: redacting what was redacted changes nothing, and finds the same score in what is left: tokens stand
// for the secrets they replaced, also for an Auditor with another key that shares nothing but their text.
func TestRedactTwice(t *testing.T) {
	a := newAuditor(t, Options{Redaction: Redaction{Levels: []int{1, 2, 3, 4}, Style: "token", Key: "edge"}})
	gateway := newAuditor(t, Options{Redaction: Redaction{Levels: []int{1, 2, 3, 4}, Style: "token", Key: "gateway"}})
	for _, file := range traceFiles(t) {
		for _, pieces := range byTrace(readTraces(t, file), 1<<30) {
			raw := score(a, pieces)
			once := marshal(t, pieces[0])
			for name, second := range map[string]*Auditor{"same key": a, "other key": gateway} {
				again := score(second, pieces)
				if diff := cmp.Diff(once, marshal(t, pieces[0])); diff != "" {
					t.Errorf("%s, %s: redacting again changed:\n%s", filepath.Base(file), name, diff)
				}
				if diff := cmp.Diff(raw.Report, again.Report); diff != "" {
					t.Errorf("%s, %s: the score from tokens differs from that of the raw trace:\n%s", filepath.Base(file), name, diff)
				}
			}
		}
	}
}

// TestCleanIsUntouched: what holds nothing to redact leaves byte for byte as it came.
func TestCleanIsUntouched(t *testing.T) {
	a := newAuditor(t, Options{Redaction: Redaction{Levels: nil, Style: "token"}})
	for _, file := range traceFiles(t) {
		td := readTraces(t, file)
		before := marshal(t, td)
		score(a, []ptrace.Traces{td})
		if marshal(t, td) != before {
			t.Errorf("%s: changed though nothing is to be redacted", filepath.Base(file))
		}
	}
}

// TestStyles: no style leaves a value of a redacted level behind, and JSON stays JSON.
func TestStyles(t *testing.T) {
	for _, style := range []string{"token", "placeholder", "mask", "hash", "remove"} {
		a := newAuditor(t, Options{KeepValues: true, Redaction: Redaction{Levels: []int{4}, Style: style}})
		for _, file := range traceFiles(t) {
			td := readTraces(t, file)
			b := a.ScanTraces(td)
			var l Ledger
			l.Add(a, b)
			a.FindCopies(td, b, &l)
			jsons := jsonAttributes(td)
			a.Redact(td, b)
			out := (&run{traces: []ptrace.Traces{td}}).exportTraces(t)
			for _, f := range a.Score(&l).Findings(b) {
				if f.Level == agentrisk.L4 && !f.Token && len(f.Value) >= minLiteral && strings.Contains(out, f.Value) {
					t.Errorf("%s, %s: a value of type %s found by %s is still there", filepath.Base(file), style, f.Type, f.Rule)
				}
			}
			if got := jsonAttributes(td); got != jsons {
				t.Errorf("%s, %s: %d JSON attributes before, %d after", filepath.Base(file), style, jsons, got)
			}
		}
	}
}

func (r *run) exportTraces(t testing.TB) string {
	var b strings.Builder
	for _, td := range r.traces {
		flatten(&b, marshal(t, td), 0)
	}
	return b.String()
}

func marshal(t testing.TB, td ptrace.Traces) string {
	t.Helper()
	data, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// jsonAttributes counts string attributes that hold JSON.
func jsonAttributes(td ptrace.Traces) int {
	n := 0
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				for _, v := range s.Attributes().All() {
					if v.Type() == pcommon.ValueTypeStr && strings.HasPrefix(v.Str(), "{") && json.Valid([]byte(v.Str())) {
						n++
					}
				}
			}
		}
	}
	return n
}

// oneSpan is a trace of one span with the given attributes, keys and values in turn.
func oneSpan(kv ...string) ptrace.Traces {
	td := ptrace.NewTraces()
	s := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	s.SetTraceID(pcommon.TraceID{1})
	s.SetSpanID(pcommon.SpanID{2})
	for i := 0; i+1 < len(kv); i += 2 {
		s.Attributes().PutStr(kv[i], kv[i+1])
	}
	return td
}

func onlySpan(td ptrace.Traces) ptrace.Span {
	return td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
}

// TestCopies: a value that only its key gave away is removed and counted where it stands bare, and not inside a word.
func TestCopies(t *testing.T) {
	a := newAuditor(t, Options{})
	const secret = "Tr0ub4dor-horse"
	td := oneSpan(
		"gen_ai.operation.name", "invoke_agent",
		"gen_ai.tool.call.result", `{"password":"`+secret+`"}`,
		"gen_ai.output.messages", `[{"role":"assistant","content":"use `+secret+`, not x`+secret+`y"}]`,
	)
	s := score(a, []ptrace.Traces{td})
	out, _ := onlySpan(td).Attributes().Get("gen_ai.output.messages")
	if strings.Contains(out.Str(), " "+secret) || !strings.Contains(out.Str(), "x"+secret+"y") {
		t.Errorf("got %s", out.Str())
	}
	if s.Report.WSL != 4 || s.Report.ByChannel[agentrisk.ChannelFinalOutput] != 1 {
		t.Errorf("a bare copy in the answer is a leak: %+v", s.Report)
	}
}

// TestNothingPointsIntoReusedMemory: what a batch and a ledger keep is not of the memory in which the next span's text
// is decoded. A token's data type once was.
func TestNothingPointsIntoReusedMemory(t *testing.T) {
	a := newAuditor(t, Options{KeepValues: true})
	token := `{"note":"\u0041 [REDACTED:L4:house_type:9c1f0a77b2d4] and [REDACTED:L4:ssn:9c1f0a77b2d4] \u0041"}`
	first := oneSpan("gen_ai.tool.call.result", token)
	b := a.ScanTraces(first)
	for range 10 {
		a.ScanTraces(oneSpan("gen_ai.tool.call.result", strings.ReplaceAll(token, "REDACTED", "REDACT\u0045D")))
	}
	var l Ledger
	l.Add(a, b)
	got := map[agentrisk.DataType]bool{}
	for _, f := range a.Score(&l).Findings(b) {
		got[f.Type] = true
	}
	if !got["house_type"] || !got["ssn"] || len(got) != 2 {
		t.Errorf("got types %v", got)
	}
}

// TestVaultTooSmall: no index is computed when more leaked than the vault declares.
func TestVaultTooSmall(t *testing.T) {
	p := DefaultPolicy()
	p.Vault.Levels = map[string]int{"1": 1}
	a, err := New(p, Options{Redaction: DefaultRedaction()})
	if err != nil {
		t.Fatal(err)
	}
	s := score(a, []ptrace.Traces{oneSpan("note", "mail me at someone@example.com")})
	if !errors.Is(s.Err, agentrisk.ErrVaultTooSmall) || s.Report.RI != 0 || !s.Outcome.Blocked || s.Outcome.Passed {
		t.Errorf("got %+v", s)
	}
}

// TestPolicyErrors: each mistake is named by its path and with what is allowed.
func TestPolicyErrors(t *testing.T) {
	negative := -1
	high := 1.5
	for _, tt := range []struct {
		name string
		set  func(*Policy)
		want string
	}{
		{"five weights", func(p *Policy) { p.Scoring.Weights = []int{1, 2, 3, 4, 5} }, "scoring.weights: "},
		{"no weights", func(p *Policy) { p.Scoring.Weights = []int{} }, "scoring.weights: "},
		{"a zero weight", func(p *Policy) { p.Scoring.Weights = []int{0, 1, 2, 3} }, "scoring.weights: "},
		{"an override to level 5", func(p *Policy) { p.Scoring.LevelOverrides = map[string]int{"ssn": 5} }, "scoring.level_overrides.ssn: level 5: want 1 to 4"},
		{"a forbidden level 5", func(p *Policy) { p.PrivacyPolicy.ForbidLevels = []int{5} }, "privacy_policy.forbid_levels: level 5: want 1 to 4"},
		{"an unknown channel", func(p *Policy) { p.PrivacyPolicy.ForbidChannels = []string{"email"} }, `privacy_policy.forbid_channels: unknown channel "email": want one of user_input, `},
		{"an index above 1", func(p *Policy) { p.PrivacyPolicy.MaxRiskIndex = &high }, "privacy_policy.max_risk_index: 1.5: want 0 to 1"},
		{"a negative count of findings", func(p *Policy) { p.PrivacyPolicy.MaxFindings = &negative }, "privacy_policy.max_findings: -1: want 0 or more"},
		{"a negative vault count", func(p *Policy) { p.Vault.Levels = map[string]int{"4": -1} }, "vault.levels.4: -1: want a count of 0 or more"},
		{"a vault of level 9", func(p *Policy) { p.Vault.Levels = map[string]int{"9": 1} }, `vault.levels: unknown level "9": want 1 to 4`},
		{"a negative rho_s", func(p *Policy) { p.Vault.RhoS = &negative }, "vault.rho_s: -1: want 0 or more"},
		{"a bad pattern", func(p *Policy) { p.CustomDetectors = []CustomDetector{{Name: "x", Pattern: "("}} }, "custom_detectors[0]: \"x\": "},
		{"a sample that is not found", func(p *Policy) {
			p.CustomDetectors = []CustomDetector{{Name: "x", Pattern: "abc", Samples: []string{"def"}}}
		}, "custom_detectors[0]: "},
		{"a detector of level 7", func(p *Policy) { p.CustomDetectors = []CustomDetector{{Name: "x", Pattern: "abc", Level: 7}} }, "custom_detectors[0].level: level 7: want 1 to 4"},
		{"fail_below 200", func(p *Policy) { p.Scoring.FailBelow = -3 }, "scoring.fail_below: -3: want "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultPolicy()
			tt.set(&p)
			err := p.Check()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if _, err2 := New(p, Options{}); (err2 == nil) != (err == nil) {
				t.Errorf("New says %v", err2)
			}
		})
	}
	r := Redaction{Levels: []int{5}, Style: "star"}
	err := r.Validate()
	if err == nil || !strings.Contains(err.Error(), "redaction.levels: level 5: want 1 to 4") ||
		!strings.Contains(err.Error(), `redaction.style: unknown style "star": want one of token, placeholder, mask, hash, remove`) {
		t.Errorf("got %v", err)
	}
}
