package agentleakprocessor

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// account is what a run left: the marks of each span, what the spans are without them, and the counters.
type account struct {
	marks, rest map[pcommon.SpanID]string
	counters    map[string]int64
}

func runIn(t *testing.T, td ptrace.Traces, change func(*Config)) (got account, out string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) {
			c.Redaction.Levels, c.Annotate.Findings = []int{2, 3, 4}, findingsEvents
			change(c)
		})
		r.send(td)
		r.stopAfter(time.Minute)
		out = r.sink.json(t)
		got = account{map[pcommon.SpanID]string{}, map[pcommon.SpanID]string{}, map[string]int64{}}
		for _, got1 := range r.sink.got {
			for _, span := range spansOf(got1) {
				got.marks[span.SpanID()], got.rest[span.SpanID()] = partMarks(t, span)
			}
		}
		for _, name := range []string{"findings", "redactions", "withheld_values", "scored_traces", "leaked_secrets"} {
			got.counters[name] = r.sum("agentleak_" + name)
		}
	})
	return got, out
}

// partMarks parts a span into what the processor wrote on it and what came.
func partMarks(t *testing.T, span ptrace.Span) (marks, rest string) {
	t.Helper()
	mine, other := ptrace.NewSpan(), ptrace.NewSpan()
	span.CopyTo(mine)
	span.CopyTo(other)
	isOurs := func(k string) bool { return strings.HasPrefix(k, prefix) }
	mine.Attributes().RemoveIf(func(k string, _ pcommon.Value) bool { return !isOurs(k) })
	other.Attributes().RemoveIf(func(k string, _ pcommon.Value) bool { return isOurs(k) })
	mine.Events().RemoveIf(func(e ptrace.SpanEvent) bool { return e.Name() != eventName })
	other.Events().RemoveIf(func(e ptrace.SpanEvent) bool { return e.Name() == eventName })
	ourLink := func(l ptrace.SpanLink) bool {
		for k := range l.Attributes().All() {
			if isOurs(k) {
				return true
			}
		}
		return false
	}
	mine.Links().RemoveIf(func(l ptrace.SpanLink) bool { return !ourLink(l) })
	other.Links().RemoveIf(ourLink)
	mine.SetName("")
	mine.Status().SetMessage("")
	mine.TraceState().FromRaw("")
	return spanJSON(t, mine), spanJSON(t, other)
}

func spanJSON(t *testing.T, span ptrace.Span) string {
	t.Helper()
	td := ptrace.NewTraces()
	span.CopyTo(td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty())
	data, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAuditMode runs recorded telemetry in both modes: what is written on spans and counted is the same, and in audit
// mode nothing else changed.
func TestAuditMode(t *testing.T) {
	files, err := filepath.Glob("../../testdata/dialects/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	samples := []ptrace.Traces{secretNames()}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err == nil && td.SpanCount() > 0 && !strings.Contains(file, "expected") {
			samples = append(samples, td)
		}
	}
	changed := 0
	for i, td := range samples {
		for _, hold := range []time.Duration{0, 10 * time.Second} {
			want, redacted := runIn(t, td, func(c *Config) { c.Hold = hold })
			got, _ := runIn(t, td, func(c *Config) { c.Hold, c.Mode = hold, "audit" })
			if d := cmp.Diff(want.marks, got.marks); d != "" {
				t.Errorf("sample %d, hold %v: marks, -enforce +audit\n%s", i, hold, d)
			}
			if d := cmp.Diff(want.counters, got.counters); d != "" {
				t.Errorf("sample %d, hold %v: counters, -enforce +audit\n%s", i, hold, d)
			}
			raw := clone(td)
			stripTraces(raw)
			for _, span := range spansOf(raw) {
				if _, came := partMarks(t, span); got.rest[span.SpanID()] != came {
					t.Errorf("sample %d, hold %v: a span changed\n%s\n%s", i, hold, came, got.rest[span.SpanID()])
				}
			}
			if strings.Contains(redacted, "[REDACTED:") {
				changed++
			}
		}
	}
	if changed < 20 {
		t.Errorf("only %d runs redact anything", changed)
	}
}

// secretNames has secrets in names, which enforcing removes and a location must not tell.
func secretNames() ptrace.Traces {
	td := made(agentSpan(1, 1, "hello", "the card is "+visa))
	span := spansOf(td)[0]
	span.Attributes().PutStr("of "+visa, email)
	span.Events().AppendEmpty().SetName("mail to " + email)
	return td
}

// TestModeRules wants each finding treated in the mode of the first rule that holds.
func TestModeRules(t *testing.T) {
	td := made(toolSpan(1, 2, 1, visa), toolSpan(1, 3, 1, email), agentSpan(1, 1, "hello", "see "+visa+" and "+email))
	for _, test := range []struct {
		name         string
		mode         string
		rules        []audit.ModeRule
		card, mailed bool // still there
	}{
		{"enforce", "enforce", nil, false, false},
		{"audit", "audit", nil, true, true},
		{"audit of a level", "enforce", []audit.ModeRule{{Level: 2, Mode: "audit"}}, false, true},
		{"enforce of a type", "audit", []audit.ModeRule{{DataType: "email", Mode: "enforce"}}, true, false},
		{"enforce of a rule", "audit", []audit.ModeRule{{Rule: "payment-card", Mode: "enforce"}}, false, true},
		{"the first holds", "audit", []audit.ModeRule{{DataType: "email", Mode: "audit"}, {Level: 2, Mode: "enforce"}}, true, true},
		{"all of a rule", "enforce", []audit.ModeRule{{DataType: "email", Level: 4, Mode: "audit"}}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, out := runIn(t, td, func(c *Config) { c.Mode, c.Redaction.Rules = test.mode, test.rules })
			if card, mailed := strings.Contains(out, visa), strings.Contains(out, email); card != test.card || mailed != test.mailed {
				t.Errorf("card is there %v, want %v; address %v, want %v", card, test.card, mailed, test.mailed)
			}
		})
	}
}

// TestAuditModeLogs is TestAuditMode for log records.
func TestAuditModeLogs(t *testing.T) {
	run := func(mode string) (out string, redacted int64) {
		next := &logCatcher{}
		p, r := newLogsRig(t, next, func(c *Config) { c.Mode = mode })
		if err := p.Start(t.Context(), componenttest.NewNopHost()); err != nil {
			t.Fatal(err)
		}
		if err := p.ConsumeLogs(t.Context(), logsOf(1, "the card is "+visa, 2, "nothing")); err != nil {
			t.Fatal(err)
		}
		redacted = r.sum("agentleak_redactions")
		if err := p.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		return logJSON(t, next.got[0]), redacted
	}
	enforced, n := run("enforce")
	audited, m := run("audit")
	if n == 0 || n != m {
		t.Errorf("%d redactions counted, in audit mode %d", n, m)
	}
	want := regexp.MustCompile(`\[REDACTED:[^\]]*\]`).ReplaceAllString(enforced, visa)
	if audited != want {
		t.Errorf("got  %s\nwant %s", audited, want)
	}
}
