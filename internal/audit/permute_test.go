package audit

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// telemetry is the spans and log records of one case.
type telemetry struct {
	traces ptrace.Traces
	logs   plog.Logs
}

func readTelemetry(t testing.TB, files []string) telemetry {
	t.Helper()
	all := telemetry{ptrace.NewTraces(), plog.NewLogs()}
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
		td.ResourceSpans().MoveAndAppendTo(all.traces.ResourceSpans())
		ld.ResourceLogs().MoveAndAppendTo(all.logs.ResourceLogs())
	}
	return all
}

func (t telemetry) spans(do func(ptrace.ResourceSpans, ptrace.ScopeSpans, ptrace.Span)) {
	for _, rs := range t.traces.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				do(rs, ss, s)
			}
		}
	}
}

// values calls do for every attribute value and body that a dialect may read.
func (t telemetry) values(do func(key string, v pcommon.Value)) {
	attrs := func(m pcommon.Map) {
		for k, v := range m.All() {
			do(k, v)
		}
	}
	t.spans(func(_ ptrace.ResourceSpans, _ ptrace.ScopeSpans, s ptrace.Span) {
		attrs(s.Attributes())
		for _, e := range s.Events().All() {
			attrs(e.Attributes())
		}
	})
	for _, rl := range t.logs.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, l := range sl.LogRecords().All() {
				attrs(l.Attributes())
				do("", l.Body())
			}
		}
	}
}

// A stand is a secret on a channel.
type stand struct {
	id      agentrisk.SecretID
	channel agentrisk.Channel
}

// stands maps each secret on each channel of a case to one of its values.
func stands(t testing.TB, a *Auditor, c telemetry, pieces func(ptrace.Traces) []ptrace.Traces) map[stand]string {
	t.Helper()
	out := map[stand]string{}
	type part struct {
		traces ptrace.Traces
		logs   plog.Logs
		batch  *Batch
	}
	parts := map[pcommon.TraceID][]*part{}
	for _, td := range pieces(c.traces) {
		for id, p := range tracesOf(td) {
			parts[id] = append(parts[id], &part{p, plog.NewLogs(), a.ScanTraces(p)})
		}
	}
	for id, p := range logsByTrace(c.logs) {
		parts[id] = append(parts[id], &part{ptrace.NewTraces(), p, a.ScanLogs(p)})
	}
	for _, ps := range parts {
		var l Ledger
		for _, p := range ps {
			l.Add(a, p.batch)
		}
		for _, p := range ps {
			a.FindCopies(p.traces, p.batch, &l)
			a.FindCopiesInLogs(p.logs, p.batch, &l)
		}
		s := a.Score(&l)
		for _, p := range ps {
			for _, f := range s.Findings(p.batch) {
				if f.Channel != agentrisk.ChannelNone {
					out[stand{f.ID, f.Channel}] = f.Value
				}
			}
		}
	}
	return out
}

// leaks is what of it leaked, on whatever channel.
func leaks(all map[stand]string) map[stand]string {
	out := map[stand]string{}
	for s, v := range all {
		if s.channel.Disclosure() {
			out[stand{id: s.id}] = v
		}
	}
	return out
}

// tracesOf splits spans by trace, each with its resource and scope.
func tracesOf(td ptrace.Traces) map[pcommon.TraceID]ptrace.Traces {
	out := map[pcommon.TraceID]ptrace.Traces{}
	for _, one := range single(td) {
		id := one.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).TraceID()
		if _, ok := out[id]; !ok {
			out[id] = ptrace.NewTraces()
		}
		one.ResourceSpans().MoveAndAppendTo(out[id].ResourceSpans())
	}
	return out
}

func whole(td ptrace.Traces) []ptrace.Traces { return []ptrace.Traces{td} }

// single makes each span a batch of its own.
func single(td ptrace.Traces) (out []ptrace.Traces) {
	telemetry{traces: td}.spans(func(rs ptrace.ResourceSpans, ss ptrace.ScopeSpans, s ptrace.Span) {
		one := ptrace.NewTraces()
		r := one.ResourceSpans().AppendEmpty()
		rs.Resource().CopyTo(r.Resource())
		sc := r.ScopeSpans().AppendEmpty()
		ss.Scope().CopyTo(sc.Scope())
		s.CopyTo(sc.Spans().AppendEmpty())
		out = append(out, one)
	})
	return out
}

// TestPermutations: what leaked in a run, and on which channels, does not depend on the form that its content came in.
func TestPermutations(t *testing.T) {
	seed := rand.Uint64()
	a := newAuditor(t, Options{KeepValues: true, Redaction: Redaction{Style: DefaultRedaction().Style, Levels: DefaultRedaction().Levels, Key: "permutations"}})
	for _, pattern := range []string{"dialects/*/*.expected.json", "captures/*.expected.json"} {
		cases, err := filepath.Glob(filepath.Join("..", "..", "testdata", filepath.FromSlash(pattern)))
		if err != nil || len(cases) < 25 {
			t.Fatalf("%s: %d cases: %v", pattern, len(cases), err)
		}
		for i, file := range cases {
			if testing.Short() && i%4 != 0 {
				continue
			}
			name := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".expected.json")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				var e expectation
				if err := json.Unmarshal(data, &e); err != nil {
					t.Fatal(err)
				}
				var files []string
				for _, f := range append(e.Inputs, e.Files...) {
					files = append(files, filepath.Join(filepath.Dir(file), f))
				}
				want := stands(t, a, readTelemetry(t, files), whole)
				for _, p := range permutations {
					c := readTelemetry(t, files)
					p.change(c, rand.New(rand.NewPCG(seed, 1)))
					pieces := p.pieces
					if pieces == nil {
						pieces = whole
					}
					got, want := stands(t, a, c, pieces), want
					if p.lossy {
						got, want = leaks(got), leaks(want)
					}
					for s, v := range want {
						if _, ok := got[s]; !ok {
							t.Errorf("%s (seed %d): %q is not on %v any more", p.name, seed, v, s.channel)
						}
					}
					for s, v := range got {
						if _, ok := want[s]; !ok {
							t.Errorf("%s (seed %d): %q is on %v", p.name, seed, v, s.channel)
						}
					}
				}
			})
		}
	}
}
