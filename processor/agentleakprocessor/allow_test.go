package agentleakprocessor

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// TestAllow: what a row of the allow list takes out leaves as it came, is in no score and no count but the row's, whether
// the row tells it by its value, its place or its channel, held or streamed; everything else is as ever.
func TestAllow(t *testing.T) {
	for name, c := range map[string]struct {
		row  audit.AllowRow
		hits int64
	}{
		"by value":   {audit.AllowRow{Name: "row", Pattern: visa}, 2},
		"by path":    {audit.AllowRow{Name: "row", Path: "gen_ai.tool.call.arguments.**", DataType: "credit_card"}, 1},
		"by channel": {audit.AllowRow{Name: "row", Channel: "tool_call", Rule: "payment-card"}, 1},
	} {
		for _, streams := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := newRig(t, func(cfg *Config) {
						cfg.Allow = []audit.AllowRow{c.row}
						if streams {
							cfg.Hold, cfg.Grace = 0, 0
						}
					})
					r.send(made(toolSpan(1, 2, 1, visa), agentSpan(1, 1, "card "+visa, "to "+email)))
					r.stopAfter(3 * time.Second)
					if got := r.sum("agentleak_allowed_findings", "row", "row"); got != c.hits {
						t.Errorf("%d hits, want %d", got, c.hits)
					}
					if got := r.sum("agentleak_leaked_secrets", "channel", "tool_call"); got != 0 {
						t.Errorf("%d leaks by the call", got)
					}
					if got := r.sum("agentleak_redactions"); got != 2-c.hits {
						t.Errorf("%d redactions, want %d", got, 2-c.hits)
					}
					left := r.sink.json(t)
					if n := strings.Count(left, visa); n != int(c.hits) {
						t.Errorf("the card stands %d times in what left, want %d", n, c.hits)
					}
					if n := strings.Count(left, "[REDACTED:L4"); n != 2-int(c.hits) {
						t.Errorf("%d tokens, want %d", n, 2-c.hits)
					}
				})
			})
		}
	}
}

// TestAllowInLogs is the same for log records.
func TestAllowInLogs(t *testing.T) {
	next := &logCatcher{}
	p, r := newLogsRig(t, next, func(c *Config) { c.Allow = []audit.AllowRow{{Path: "body.card"}} })
	ld := plog.NewLogs()
	lr := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty()
	lr.SetTraceID([16]byte{1})
	lr.SetSpanID([8]byte{1})
	lr.Body().SetStr(`{"card":"` + visa + `","other":"` + visa + `"}`)
	if err := p.ConsumeLogs(t.Context(), ld); err != nil {
		t.Fatal(err)
	}
	if n := r.sum("agentleak_allowed_findings", "row", "allow[0]"); n != 1 {
		t.Errorf("%d hits", n)
	}
	got := next.got[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0).Body().Str()
	if !strings.HasPrefix(got, `{"card":"`+visa+`","other":"[REDACTED:L4`) {
		t.Errorf("body is %s", got)
	}
}

// TestAllowExpired: a row that has expired is warned of at the start and takes nothing out; one that expires while the
// collector runs takes nothing out from then on.
func TestAllowExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon := time.Now().Add(time.Minute)
		r := newRig(t, func(c *Config) {
			c.Allow = []audit.AllowRow{{DataType: "credit_card", Expires: "1999-12-31"}, {DataType: "credit_card", Expires: soon}}
		})
		warned := r.logs.FilterMessageSnippet("allow[0].expires: has passed").Len()
		if warned != 1 || r.logs.FilterMessageSnippet("allow[1]").Len() != 0 {
			t.Errorf("%d warnings: %v", warned, r.logs.All())
		}
		r.send(made(agentSpan(1, 1, "card "+visa, "done")))
		time.Sleep(2 * time.Minute)
		r.send(made(agentSpan(2, 1, "card "+visa, "done")))
		r.stopAfter(3 * time.Second)
		if hits := r.sum("agentleak_allowed_findings", "row", "allow[1]"); hits != 1 || r.sum("agentleak_allowed_findings") != 1 {
			t.Errorf("%d hits", hits)
		}
		if n := strings.Count(r.sink.json(t), visa); n != 1 {
			t.Errorf("the card stands %d times in what left, want 1", n)
		}
	})
}
