package agentleakprocessor

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// leaky is a trace that leaks a card to a tool and a log, and an address in the answer.
func leaky() ptrace.Traces {
	return made(
		agentSpan(1, 1, "refund card "+visa, "sent to "+email),
		toolSpan(1, 2, 1, visa),
		plainSpan(1, 3, 2, "charged "+visa),
		plainSpan(1, 4, 1, "nothing here"),
	)
}

func TestScoreAttributes(t *testing.T) {
	score := map[string]any{
		"agentleak.risk_index":                      1.0,
		"agentleak.privacy_score":                   int64(0),
		"agentleak.verdict":                         "fail",
		"agentleak.severity":                        "L4",
		"agentleak.wsl":                             int64(6),
		"agentleak.rho_s":                           int64(6),
		"agentleak.leaked.l1":                       int64(0),
		"agentleak.leaked.l2":                       int64(1),
		"agentleak.leaked.l3":                       int64(0),
		"agentleak.leaked.l4":                       int64(1),
		"agentleak.channel.tool_call.risk_index":    4.0 / 6,
		"agentleak.channel.log.risk_index":          4.0 / 6,
		"agentleak.channel.final_output.risk_index": 2.0 / 6,
		"agentleak.vault.explicit":                  false,
		"agentleak.policy.passed":                   true,
		"agentleak.trace.complete":                  true,
	}
	rootMarks := map[string]any{
		"agentleak.span.severity":   "L4",
		"agentleak.span.channels":   []any{"final_output", "user_input"},
		"agentleak.span.data_types": []any{"credit_card", "email"},
		"agentleak.span.findings":   int64(2),
		"agentleak.span.redacted":   int64(1),
	}
	index := map[string]any{"agentleak.risk_index": 1.0, "agentleak.severity": "L4"}
	toolMarks := map[string]any{
		"agentleak.span.severity":   "L4",
		"agentleak.span.channels":   []any{"tool_call"},
		"agentleak.span.data_types": []any{"credit_card"},
		"agentleak.span.findings":   int64(1),
		"agentleak.span.redacted":   int64(1),
	}
	tenth, ten := 0.1, 10
	for _, test := range []struct {
		name               string
		change             func(*Config)
		root, tool, silent map[string]any
	}{
		{"defaults", nil, join(score, rootMarks), join(index, toolMarks), index},
		{"root only", func(c *Config) { c.Annotate.Spans = spansRoot }, join(score, rootMarks), toolMarks, nil},
		{"no findings", func(c *Config) { c.Annotate.Findings = findingsNone }, score, index, index},
		{
			"vault and policy", func(c *Config) {
				c.Vault = audit.Vault{Levels: map[string]int{"2": 10, "4": 10}, ScopeDef: "customer file"}
				c.PrivacyPolicy = audit.PrivacyPolicy{MaxRiskIndex: &tenth, MaxFindings: &ten, ForbidChannels: []string{"tool_call"}}
			},
			join(score, rootMarks, map[string]any{
				"agentleak.risk_index":                      0.1,
				"agentleak.privacy_score":                   int64(90),
				"agentleak.verdict":                         "pass",
				"agentleak.rho_s":                           int64(60),
				"agentleak.channel.tool_call.risk_index":    4.0 / 60,
				"agentleak.channel.log.risk_index":          4.0 / 60,
				"agentleak.channel.final_output.risk_index": 2.0 / 60,
				"agentleak.vault.explicit":                  true,
				"agentleak.vault.scope":                     "customer file",
				"agentleak.policy.passed":                   false,
				"agentleak.policy.violations":               []any{"forbid_channels"},
			}),
			join(map[string]any{"agentleak.risk_index": 0.1, "agentleak.severity": "L4"}, toolMarks),
			map[string]any{"agentleak.risk_index": 0.1, "agentleak.severity": "L4"},
		},
		{
			"vault too small", func(c *Config) { c.Vault.Levels = map[string]int{"1": 1} },
			join(rootMarks, map[string]any{
				"agentleak.error":             "vault_too_small",
				"agentleak.vault.explicit":    true,
				"agentleak.policy.passed":     false,
				"agentleak.policy.violations": []any{"vault"},
				"agentleak.trace.complete":    true,
			}),
			toolMarks, nil,
		},
		{
			"nothing redacted", func(c *Config) { c.Redaction.Levels = nil },
			join(score, rootMarks, map[string]any{"agentleak.span.redacted": int64(0)}),
			join(index, toolMarks, map[string]any{"agentleak.span.redacted": int64(0)}),
			index,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, test.change)
				r.send(leaky())
				r.stopAfter(3 * time.Second)
				for id, want := range map[uint64]map[string]any{1: test.root, 2: test.tool, 4: test.silent} {
					span, ok := r.sink.byID(id)
					if !ok {
						t.Fatalf("span %d did not come", id)
					}
					if d := cmp.Diff(join(want), ours(span)); d != "" {
						t.Errorf("span %d: -want +got\n%s", id, d)
					}
				}
				if got := strings.Contains(r.sink.json(t), visa); got != (test.name == "nothing redacted") {
					t.Errorf("the card came out: %v", got)
				}
			})
		})
	}
}

// join merges maps, the later ones winning.
func join(ms ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range ms {
		maps.Copy(all, m)
	}
	return all
}

func TestFindingEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Annotate.Findings = findingsEvents })
		tool := toolSpan(1, 2, 1, visa)
		// Names that are secrets themselves: an attribute key, a member name, an event name.
		tool.attrs["4012888888881881"] = email
		tool.attrs["data"] = `{"5555555555554444": {"mail": "` + email + `"}}`
		td := made(agentSpan(1, 1, "hello", "hello"), tool)
		e := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(1).Events().AppendEmpty()
		e.SetName("charge 378282246310005")
		e.Attributes().PutStr("to", email)
		r.send(td)
		r.stopAfter(3 * time.Second)

		span, _ := r.sink.byID(2)
		got := map[string]bool{}
		for _, e := range span.Events().All() {
			if e.Name() != eventName {
				continue
			}
			if e.Timestamp() != span.EndTimestamp() {
				t.Errorf("an event at %v", e.Timestamp())
			}
			a := e.Attributes().AsRaw()
			if id, _ := a["secret_id"].(string); len(id) != 12 {
				t.Errorf("secret_id %q", id)
			}
			if rule, _ := a["rule"].(string); rule == "" {
				t.Errorf("no rule: %v", a)
			}
			where, _ := a["location"].(string)
			got[strings.Join([]string{a["data_type"].(string), a["level"].(string), a["channel"].(string), where}, " ")] = a["disclosed"].(bool)
		}
		want := map[string]bool{
			"credit_card L4 tool_call gen_ai.tool.call.arguments.query": true,
			"credit_card L4 log ":               true, // the attribute key
			"email L2 log ":                     true, // under it, and on the event
			"credit_card L4 log data.*":         true, // the member name
			"email L2 log data.*.*":             true,
			"credit_card L4 log events[0]:name": true,
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
		out := r.sink.json(t)
		for _, v := range []string{visa, "4012888888881881", "5555555555554444", "378282246310005"} {
			if strings.Contains(out, v) {
				t.Errorf("%s is still there", v)
			}
		}
	})
}

func TestFindingEventsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Annotate.Findings = findingsEvents })
		r.send(made(agentSpan(1, 1, "hello", strings.Repeat(visa+", ", 300))))
		r.stopAfter(3 * time.Second)
		span, _ := r.sink.byID(1)
		if got := span.Events().Len(); got != maxEvents {
			t.Errorf("%d events", got)
		}
		if v, _ := span.Attributes().Get("agentleak.span.findings"); v.Int() != 300 {
			t.Errorf("%d findings", v.Int())
		}
	})
}
