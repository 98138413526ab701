package agentleakprocessor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// recordedFiles lists the files of recorded telemetry.
func recordedFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/*/*/*.json")
	more, err2 := filepath.Glob("../../testdata/*/*.json")
	if err != nil || err2 != nil || len(files)+len(more) == 0 {
		t.Fatal("no samples")
	}
	return append(files, more...)
}

// TestAuditModeLater runs all that is recorded, captures too, with all levels. It wants audit mode to differ from enforce
// in the texts only, which stay what they were, and its output to come to the same when it is redacted later.
func TestAuditModeLater(t *testing.T) {
	var in []ptrace.Traces
	for _, file := range recordedFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err == nil && td.SpanCount() > 0 {
			in = append(in, td)
		}
	}
	// Of each file what went through, and what was counted by then.
	through := func(in []ptrace.Traces, mode string) (out []ptrace.Traces, counted [][]int64) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, func(c *Config) {
				c.Mode, c.Redaction.Levels = mode, []int{1, 2, 3, 4}
				c.Annotate.Findings, c.IdleTimeout = findingsEvents, time.Minute
			})
			for _, td := range in {
				before := len(r.sink.from(0))
				r.send(td)
				time.Sleep(5 * time.Minute) // forgotten: files may share trace ids
				all := ptrace.NewTraces()
				for _, got := range r.sink.from(before) {
					clone(got).ResourceSpans().MoveAndAppendTo(all.ResourceSpans())
				}
				out = append(out, all)
				var n []int64
				for _, name := range []string{"redactions", "findings", "leaked_secrets", "scored_traces", "unscored_traces"} {
					n = append(n, r.sum("agentleak_"+name))
				}
				counted = append(counted, n)
			}
			r.stop()
		})
		return out, counted
	}
	enforced, m1 := through(in, "enforce")
	audited, m2 := through(in, "audit")
	later, _ := through(audited, "enforce")
	if d := cmp.Diff(m1, m2); d != "" {
		t.Errorf("counted otherwise: -enforce +audit\n%s", d)
	}
	changed := 0
	for i := range in {
		if enforced[i].SpanCount() != in[i].SpanCount() {
			t.Errorf("%d spans of %d", enforced[i].SpanCount(), in[i].SpanCount())
		}
		if d := cmp.Diff(oursOf(enforced[i]), oursOf(audited[i])); d != "" {
			t.Errorf("marked otherwise: -enforce +audit\n%s", d)
		}
		if d := cmp.Diff(bySpan(t, enforced[i]), bySpan(t, later[i])); d != "" {
			t.Errorf("redacted later it is another: -at once +later\n%s", d)
		}
		if toJSON(t, enforced[i]) != toJSON(t, audited[i]) {
			changed++
		}
		stripTraces(in[i])
		stripTraces(audited[i])
		if d := cmp.Diff(bySpan(t, in[i]), bySpan(t, audited[i])); d != "" {
			t.Errorf("changed in audit mode: -was +is\n%s", d)
		}
	}
	if len(in) < 20 || changed < 10 {
		t.Errorf("only %d samples, %d of them redacted", len(in), changed)
	}
}

// oursOf are the attributes and events that are ours, of each span.
func oursOf(td ptrace.Traces) map[string][]any {
	m := map[string][]any{}
	for _, span := range spansOf(td) {
		id := span.TraceID().String() + span.SpanID().String()
		m[id] = append(m[id], ours(span))
		for _, e := range span.Events().All() {
			if e.Name() == eventName {
				m[id] = append(m[id], e.Attributes().AsRaw())
			}
		}
		for _, l := range span.Links().All() {
			if _, ok := l.Attributes().Get(attrLink); ok {
				m[id] = append(m[id], l.Attributes().AsRaw(), l.SpanID().String())
			}
		}
	}
	return m
}

// bySpan are the spans as text, each with what stands above it.
func bySpan(t *testing.T, td ptrace.Traces) map[string][]string {
	m := map[string][]string{}
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				one := ptrace.NewTraces()
				to := one.ResourceSpans().AppendEmpty()
				rs.Resource().CopyTo(to.Resource())
				in := to.ScopeSpans().AppendEmpty()
				ss.Scope().CopyTo(in.Scope())
				span.CopyTo(in.Spans().AppendEmpty())
				id := span.TraceID().String() + span.SpanID().String()
				m[id] = append(m[id], toJSON(t, one))
			}
		}
	}
	return m
}

// TestAuditModeOfLogsLater is TestAuditModeLater for log records.
func TestAuditModeOfLogsLater(t *testing.T) {
	seen := 0
	for _, file := range recordedFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in, err := (&plog.JSONUnmarshaler{}).UnmarshalLogs(data)
		if err != nil || in.LogRecordCount() == 0 {
			continue
		}
		seen++
		through := func(in plog.Logs, mode string) (plog.Logs, int64) {
			next := &logCatcher{}
			p, r := newLogsRig(t, next, func(c *Config) { c.Mode, c.Redaction.Levels = mode, []int{1, 2, 3, 4} })
			ld := plog.NewLogs()
			in.CopyTo(ld)
			if err := p.ConsumeLogs(t.Context(), ld); err != nil {
				t.Fatal(err)
			}
			return next.got[0], r.sum("agentleak_redactions")
		}
		enforced, n := through(in, "enforce")
		audited, m := through(in, "audit")
		if n != m {
			t.Errorf("%s: %d redactions counted, %d in audit mode", file, n, m)
		}
		later, _ := through(audited, "enforce")
		if d := cmp.Diff(logsJSON(t, enforced), logsJSON(t, later)); d != "" {
			t.Errorf("%s: redacted later it is another: -at once +later\n%s", file, d)
		}
		for i, lr := range recordsOf(enforced) {
			got := recordsOf(audited)[i]
			if d := cmp.Diff(oursOfLog(lr), oursOfLog(got)); d != "" {
				t.Errorf("%s: marked otherwise: -enforce +audit\n%s", file, d)
			}
		}
		stripLogs(audited)
		was := plog.NewLogs()
		in.CopyTo(was)
		stripLogs(was)
		if d := cmp.Diff(logsJSON(t, was), logsJSON(t, audited)); d != "" {
			t.Errorf("%s: changed in audit mode: -was +is\n%s", file, d)
		}
	}
	if seen == 0 {
		t.Error("no samples")
	}
}

func logsJSON(t *testing.T, ld plog.Logs) string {
	t.Helper()
	data, err := (&plog.JSONMarshaler{}).MarshalLogs(ld)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func oursOfLog(lr plog.LogRecord) map[string]any {
	m := map[string]any{}
	for k, v := range lr.Attributes().AsRaw() {
		if strings.HasPrefix(k, prefix) {
			m[k] = v
		}
	}
	return m
}
