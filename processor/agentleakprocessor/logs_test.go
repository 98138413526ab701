package agentleakprocessor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/processor"

	"github.com/agentleak/otelcol-agentleak/processor/agentleakprocessor/internal/metadatatest"
)

// A logCatcher is the next component of logs.
type logCatcher struct {
	ctx context.Context
	got []plog.Logs
	err error
}

func (c *logCatcher) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (c *logCatcher) ConsumeLogs(ctx context.Context, ld plog.Logs) error {
	c.ctx = ctx
	c.got = append(c.got, ld)
	return c.err
}

func newLogsRig(t *testing.T, next *logCatcher, change func(*Config)) (processor.Logs, *rig) {
	t.Helper()
	tel := componenttest.NewTelemetry()
	c := createDefaultConfig().(*Config)
	c.Redaction.Key = testKey
	if change != nil {
		change(c)
	}
	p, err := NewFactory().CreateLogs(t.Context(), metadatatest.NewSettings(tel), c, next)
	if err != nil {
		t.Fatal(err)
	}
	return p, &rig{TB: t, tel: tel}
}

// logsOf makes records under two resources with two scopes each. A record is the number of its trace and its body.
func logsOf(records ...any) plog.Logs {
	ld := plog.NewLogs()
	for i := range 2 {
		rl := ld.ResourceLogs().AppendEmpty()
		rl.Resource().Attributes().PutInt("resource", int64(i))
		for j := range 2 {
			sl := rl.ScopeLogs().AppendEmpty()
			sl.Scope().SetName(fmt.Sprint("scope ", i, j))
			for k := 0; k < len(records); k += 2 {
				lr := sl.LogRecords().AppendEmpty()
				if n := records[k].(int); n > 0 {
					lr.SetTraceID(traceID(uint64(n)))
					lr.SetSpanID(spanID(uint64(n)))
				}
				lr.SetTimestamp(pcommon.Timestamp(100*i + 10*j + k))
				lr.Body().SetStr(records[k+1].(string))
			}
		}
	}
	return ld
}

func recordsOf(ld plog.Logs) (all []plog.LogRecord) {
	for _, rl := range ld.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, lr := range sl.LogRecords().All() {
				all = append(all, lr)
			}
		}
	}
	return all
}

func TestLogs(t *testing.T) {
	next := &logCatcher{}
	p, r := newLogsRig(t, next, nil)
	in := logsOf(1, "card "+visa, 2, "mail "+email, 0, "for the order, see "+visa, 1, "for the order, see "+visa, 0, "SSN: 536-22-1847")
	in.ResourceLogs().At(0).Resource().Attributes().PutStr("agentleak.risk_index", "0")
	before := recordsOf(in)
	type ctxKey struct{}
	ctx := context.WithValue(t.Context(), ctxKey{}, "x")
	var want []string
	for _, lr := range before {
		want = append(want, fmt.Sprint(lr.TraceID(), lr.SpanID(), lr.Timestamp()))
	}
	if err := p.ConsumeLogs(ctx, in); err != nil {
		t.Fatal(err)
	}
	if next.ctx.Value(ctxKey{}) != "x" {
		t.Error("the context is another")
	}
	var got []string
	records := recordsOf(next.got[0])
	for _, lr := range records {
		got = append(got, fmt.Sprint(lr.TraceID(), lr.SpanID(), lr.Timestamp()))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("records: -want +got\n%s", d)
	}

	marks := func(severity, dataType string, redacted int) map[string]any {
		return map[string]any{
			"agentleak.record.severity": severity, "agentleak.record.channels": []any{"log"},
			"agentleak.record.data_types": []any{dataType}, "agentleak.record.findings": int64(1),
			"agentleak.record.redacted": int64(redacted),
		}
	}
	score := func(severity string) map[string]any {
		return map[string]any{"agentleak.risk_index": 1.0, "agentleak.severity": severity}
	}
	for i, w := range []struct {
		body  string // what it starts with
		attrs map[string]any
	}{
		{"card [REDACTED:L4:credit_card:", join(marks("L4", "credit_card", 1), score("L4"))},
		{"mail " + email, join(marks("L2", "email", 0), score("L2"))},
		{"for the order, see " + visa, map[string]any{}}, // of no trace: nobody says what the number is
		{"for the order, see [REDACTED:L4:credit_card:", join(marks("L4", "credit_card", 1), score("L4"))},
		{"SSN: [REDACTED:L4:ssn:", join(marks("L4", "ssn", 1), score("L4"))}, // scored by itself
	} {
		for copy := range 4 { // in each scope
			lr := records[5*copy+i]
			if !strings.HasPrefix(lr.Body().Str(), w.body) {
				t.Errorf("record %d: %q", i, lr.Body().Str())
			}
			if d := cmp.Diff(w.attrs, lr.Attributes().AsRaw()); d != "" {
				t.Errorf("record %d: -want +got\n%s", i, d)
			}
		}
	}
	for name, want := range map[string]int64{
		"incoming_items": 20, "outgoing_items": 20, "agentleak_findings": 16, "agentleak_redactions": 12,
		"agentleak_forged_attributes": 1,
	} {
		if got := r.sum(name); got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
}

func TestLogsWithoutScore(t *testing.T) {
	next := &logCatcher{}
	p, _ := newLogsRig(t, next, func(c *Config) {
		c.Vault.Levels = map[string]int{"1": 1}
		c.Annotate.Findings = findingsNone
	})
	in := logsOf(1, "card "+visa)
	// A value above the records belongs to none of them.
	in.ResourceLogs().At(0).Resource().Attributes().PutStr("owner", email)
	if err := p.ConsumeLogs(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"agentleak.error": "vault_too_small"}
	if d := cmp.Diff(want, recordsOf(next.got[0])[0].Attributes().AsRaw()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestLogsPassErrors(t *testing.T) {
	next := &logCatcher{err: errors.New("no")}
	p, _ := newLogsRig(t, next, nil)
	if err := p.ConsumeLogs(t.Context(), logsOf(1, "x")); err != next.err {
		t.Errorf("got %v", err)
	}
}

// TestLogGroups takes groups out and gives them back: nothing moves.
func TestLogGroups(t *testing.T) {
	rng := seeded(t)
	for range 50 {
		var records []any
		for i := range 1 + rng.IntN(8) {
			records = append(records, rng.IntN(4), fmt.Sprint("body ", i))
		}
		ld := logsOf(records...)
		ld.ResourceLogs().At(rng.IntN(2)).ScopeLogs().At(rng.IntN(2)).LogRecords().RemoveIf(func(plog.LogRecord) bool { return rand.N(2) == 0 })
		want := logJSON(t, ld)
		groups := groupLogs(ld, nil)
		rng.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
		n := 0
		for _, g := range groups {
			own := g.take()
			n += own.LogRecordCount()
			for _, lr := range recordsOf(own) {
				if lr.TraceID() != g.trace {
					t.Errorf("a record of another trace")
				}
			}
			g.giveBack(own)
		}
		if got := logJSON(t, ld); got != want || n != ld.LogRecordCount() {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func logJSON(t *testing.T, ld plog.Logs) string {
	t.Helper()
	data, err := (&plog.JSONMarshaler{}).MarshalLogs(ld)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
