package agentleakprocessor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// tenants are policies by the service, and of one by an attribute of spans too.
const tenants = `
agentleak:
  hold: 10h
  idle_timeout: 1h
  redaction: {levels: [3, 4], key: "` + testKey + `"}
  policies:
    - name: acme
      match: {service.name: acme}
      scoring: {weights: [1, 2, 3, 9]}
      redaction: {levels: [2, 4], style: placeholder}
    - name: vip
      match: {service.name: acme, tier: [vip, "1"]}
      vault: {rho_s: 100000, scope_def: all}
      allow: [{path: gen_ai.tool.call.*.**}, {data_type: credit_card, channel: log}]
      redaction: {levels: [1, 2, 3, 4]}
    - name: globex
      match: {resource.service.name: globex}
      channels: [user_input, tool_response, tool_call]
      annotate-is-not-here:
      redaction: {levels: [], key: of no value}
`

// ofTenants loads them; change comes after.
func ofTenants(t testing.TB, change func(*Config)) func(*Config) {
	yaml := strings.Replace(tenants, "      annotate-is-not-here:\n", "", 1)
	return func(c *Config) {
		storage, key := c.Storage, c.StorageKey
		*c = *mustLoad(t, "yaml:"+yaml, "agentleak")
		c.Storage, c.StorageKey = storage, key
		if change != nil {
			change(c)
		}
	}
}

// services are those of the tenants' spans, the last with a tier.
var services = []string{"agents", "acme", "globex", "acme vip"}

// assign puts each span of td under a service at random; secret stands on the resource of some.
func assign(r *rand.Rand, td ptrace.Traces, secret string) ptrace.Traces {
	out := ptrace.NewTraces()
	to := map[string]ptrace.SpanSlice{}
	for _, service := range services {
		rs := out.ResourceSpans().AppendEmpty()
		name, _, _ := strings.Cut(service, " ")
		rs.Resource().Attributes().PutStr("service.name", name)
		if name == "acme" {
			rs.Resource().Attributes().PutStr("note", "of "+secret)
		}
		to[service] = rs.ScopeSpans().AppendEmpty().Spans()
	}
	// Those with a tier come from the same resource as those without.
	to["acme vip"] = to["acme"]
	for _, span := range spansOf(td) {
		service := services[r.IntN(len(services))]
		s := to[service].AppendEmpty()
		span.CopyTo(s)
		if service == "acme vip" {
			s.Attributes().PutInt("tier", 1)
		}
	}
	out.ResourceSpans().RemoveIf(func(rs ptrace.ResourceSpans) bool { return rs.ScopeSpans().At(0).Spans().Len() == 0 })
	return out
}

// of keeps the spans of one service.
func of(td ptrace.Traces, service string) ptrace.Traces {
	out := clone(td)
	for _, rs := range out.ResourceSpans().All() {
		name, _ := rs.Resource().Attributes().Get("service.name")
		rs.ScopeSpans().At(0).Spans().RemoveIf(func(s ptrace.Span) bool {
			is := name.Str()
			if _, ok := s.Attributes().Get("tier"); ok {
				is += " vip"
			}
			return is != service
		})
	}
	out.ResourceSpans().RemoveIf(func(rs ptrace.ResourceSpans) bool { return rs.ScopeSpans().At(0).Spans().Len() == 0 })
	return out
}

// bytesOf is each span with its resource, but for what a part says of the whole trace.
func bytesOf(t testing.TB, got []ptrace.Traces) map[pcommon.SpanID]string {
	all := map[pcommon.SpanID]string{}
	for _, td := range got {
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, span := range ss.Spans().All() {
					one := ptrace.NewTraces()
					to := one.ResourceSpans().AppendEmpty()
					rs.Resource().CopyTo(to.Resource())
					s := to.ScopeSpans().AppendEmpty().Spans().AppendEmpty()
					span.CopyTo(s)
					for _, key := range []string{attrComplete, attrIncomplete} {
						s.Attributes().Remove(key)
					}
					all[span.SpanID()] = toJSON(t, one)
				}
			}
		}
	}
	return all
}

// TestTenantsApart wants telemetry of several tenants to come to what that of each comes to alone: every byte of each span,
// scores included, in whatever requests it comes. Beside a policy's own settings at the top level the scores are the same.
func TestTenantsApart(t *testing.T) {
	rng := seeded(t)
	n := 16
	if testing.Short() {
		n = 5
	}
	parted, scored := 0, 0
	for i := range n {
		s := newStory(rng, i, true)
		td := assign(rng, s.td, card(rng))
		change := ofTenants(t, func(c *Config) {
			if i%4 == 3 {
				c.Annotate.Findings = findingsEvents
			}
		})
		synctest.Test(t, func(t *testing.T) {
			run := func(change func(*Config), td ptrace.Traces) *rig {
				r := newRig(t, change)
				for _, b := range deal(rng, td, 1+rng.IntN(6)) {
					r.send(b)
				}
				time.Sleep(3 * time.Hour)
				r.stop()
				return r
			}
			whole := run(change, td)
			mixed := bytesOf(t, whole.sink.from(0))
			if len(mixed) != td.SpanCount() {
				t.Fatalf("%d spans of %d", len(mixed), td.SpanCount())
			}
			if again := bytesOf(t, run(change, td).sink.from(0)); gocmp.Diff(mixed, again) != "" {
				t.Errorf("in other requests:\n%s", gocmp.Diff(mixed, again))
			}
			names := map[string]bool{}
			for k, service := range services {
				part := of(td, service)
				if part.SpanCount() == 0 {
					continue
				}
				r := run(change, part)
				for id, want := range bytesOf(t, r.sink.from(0)) {
					if d := gocmp.Diff(want, mixed[id]); d != "" {
						t.Errorf("%s: -alone +mixed\n%s", service, d)
					}
				}
				number := []int{0, 1, 3, 2}[k]
				top := run(func(c *Config) {
					change(c)
					f := c.file("")
					e := f.Effective()[number]
					c.Policy, c.Policies, c.said = e.Policy, nil, nil
					c.Redaction.Levels, c.Redaction.Style = e.Redaction.Levels, e.Redaction.Style
				}, part)
				want, got := scoresOf(top), scoresOf(r)
				for id, m := range got {
					name := m[attrPolicy].(string)
					if delete(m, attrPolicy); name != []string{"default", "acme", "globex", "vip"}[k] {
						t.Errorf("%s is scored by policy %s", service, name)
					}
					names[name] = true
					scored++
					if d := gocmp.Diff(want[id], m); d != "" {
						t.Errorf("%s: -at the top +by its name\n%s", service, d)
					}
				}
			}
			if len(names) > 1 {
				parted++
			}
			// Each span of the mixed trace that has a score says of which policy, and knows the root.
			for _, span := range whole.sink.spans() {
				if _, ok := span.Attributes().Get(attrPrivacyScore); !ok {
					continue
				}
				if v, ok := span.Attributes().Get(attrComplete); !ok || !v.Bool() {
					t.Errorf("a part of a whole trace is not complete: %v", ours(span))
				}
			}
			if got := whole.sum("agentleak_scored_traces", "policy", "acme") + whole.sum("agentleak_scored_traces", "policy", "vip") +
				whole.sum("agentleak_scored_traces", "policy", "globex") + whole.sum("agentleak_scored_traces", "policy", "default"); got != whole.sum("agentleak_scored_traces") {
				t.Errorf("%d parts scored by name, %d in all", got, whole.sum("agentleak_scored_traces"))
			}
		})
	}
	if parted < n/2 || scored < n {
		t.Errorf("only %d of %d traces have several policies, %d scores", parted, n, scored)
	}
}

// scoresOf are the attributes of each span with a score.
func scoresOf(r *rig) map[pcommon.SpanID]map[string]any {
	all := map[pcommon.SpanID]map[string]any{}
	for _, span := range r.sink.spans() {
		if _, ok := span.Attributes().Get(attrPrivacyScore); ok {
			m := ours(span)
			for k := range m {
				if strings.HasPrefix(k, spanMark) {
					delete(m, k)
				}
			}
			all[span.SpanID()] = m
		}
	}
	return all
}

// TestTenantsStream is with nothing held: each request goes on whole, in its order but for resources that were parted, and
// the scores are those of the parts.
func TestTenantsStream(t *testing.T) {
	rng := seeded(t)
	for i := range 10 {
		s := newStory(rng, i, false)
		td := assign(rng, s.td, card(rng))
		change := ofTenants(t, func(c *Config) { c.Hold, c.Grace = 0, 0 })
		r := newRig(t, change)
		r.send(td)
		all := bytesOf(t, r.sink.from(0))
		if len(all) != td.SpanCount() || r.sink.batches() != 1 {
			t.Fatalf("%d spans of %d in %d requests", len(all), td.SpanCount(), r.sink.batches())
		}
		for _, service := range services {
			part := of(td, service)
			if part.SpanCount() == 0 {
				continue
			}
			alone := newRig(t, change)
			alone.send(part)
			for id, want := range bytesOf(t, alone.sink.from(0)) {
				// Without its root a part is not closed, and says no score yet.
				if !strings.Contains(want, attrPrivacyScore) && strings.Contains(all[id], attrPrivacyScore) {
					continue
				}
				if d := gocmp.Diff(want, all[id]); d != "" && strings.Contains(want, attrRiskIndex) == strings.Contains(all[id], attrRiskIndex) {
					t.Errorf("%s: -alone +mixed\n%s", service, d)
				}
			}
		}
	}
}

// TestTenantsCrash wants a run of several tenants that crashes at random to end as one that does not.
func TestTenantsCrash(t *testing.T) {
	rng := seeded(t)
	lives := 12
	if testing.Short() {
		lives = 4
	}
	for i := range lives {
		s := newStory(rng, i, i%2 == 0)
		td := assign(rng, s.td, card(rng))
		batches := deal(rng, td, 1+rng.IntN(6))
		change := ofTenants(t, func(c *Config) {
			c.IdleTimeout = time.Minute
			if i%3 == 2 {
				c.Correlate = []string{"service.name"}
			}
		})
		synctest.Test(t, func(t *testing.T) {
			whole := newRig(t, change)
			for _, b := range batches {
				whole.send(b)
			}
			whole.stopAfter(10 * time.Second)
			want := bytesOf(t, whole.sink.from(0))

			current := newStore()
			r := newRigWith(t, current, change)
			got := map[pcommon.SpanID]string{}
			crash := func() {
				next := current.crash()
				for id, b := range bytesOf(t, r.sink.from(0)) {
					got[id] = b
				}
				r.stop()
				current = next
				r = newRigWith(t, current, change)
			}
			for _, b := range batches {
				r.send(b)
				if rng.IntN(3) == 0 {
					crash()
				}
			}
			crash()
			time.Sleep(10 * time.Second)
			for id, b := range bytesOf(t, r.sink.from(0)) {
				got[id] = b
			}
			r.stop()
			r.conserved()
			if d := gocmp.Diff(want, got); d != "" {
				t.Errorf("-without +with crashes\n%s", d)
			}
			if n := current.entries(pieceEntry) + current.entries(noteEntry); n > 0 {
				t.Errorf("%d records are kept for ever", n)
			}
			if n := r.sum("agentleak_reassigned_spans") + r.sum("agentleak_skipped_records"); n != 0 {
				t.Errorf("%d spans or records have lost their policy", n)
			}
		})
	}
}

// TestPolicyGone wants the spans that were kept under a policy that a restart does not know any more to have another, to be
// counted, and to be redacted by it; the score says that something is missing.
func TestPolicyGone(t *testing.T) {
	secret := "robin.fox@example.com"
	telemetry := func(n uint64, root bool) ptrace.Traces {
		td := made(toolSpan(n, 2, 1, "mail "+secret))
		if root {
			td = made(agentSpan(n, 1, "hello", "hello "+secret))
		}
		td.ResourceSpans().At(0).Resource().Attributes().PutStr("service.name", "acme")
		return td
	}
	without := func(hold time.Duration) func(*Config) {
		return ofTenants(t, func(c *Config) { c.Policies, c.Redaction.Levels, c.Hold = nil, []int{2, 4}, hold })
	}
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := newRigWith(t, s, ofTenants(t, nil))
		r.send(telemetry(1, false))
		next := s.crash()
		r.stop()
		r = newRigWith(t, next, without(time.Hour))
		r.send(telemetry(1, true))
		r.stopAfter(10 * time.Second)
		if n := r.sum("agentleak_reassigned_spans"); n != 1 || r.sink.count() != 2 {
			t.Errorf("%d spans have another policy, %d came", n, r.sink.count())
		}
		out := r.sink.json(t)
		if strings.Contains(out, secret) || strings.Contains(out, "[REDACTED:email]") || !strings.Contains(out, "[REDACTED:L2:email:") {
			t.Errorf("not redacted by the default:\n%s", out)
		}
		if got := ours(r.sink.root(t, traceID(1))); got[attrComplete] != true || got[attrWSL] != int64(2) || got[attrPolicy] != nil {
			t.Errorf("the score is %v", got)
		}
		if next.len() != 0 {
			t.Errorf("%d records are kept for ever", next.len())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := newRigWith(t, s, ofTenants(t, func(c *Config) { c.Hold = 0 }))
		r.send(telemetry(1, false)) // leaves at once; what was learned of it stays
		synctest.Wait()
		next := s.crash()
		r.stop()
		if next.entries(noteEntry) != 1 {
			t.Fatal("no note")
		}
		r = newRigWith(t, next, without(0))
		r.send(telemetry(1, true))
		r.stopAfter(3 * time.Hour)
		if n := r.sum("agentleak_skipped_records"); n != 1 {
			t.Errorf("%d records skipped", n)
		}
		got := ours(r.sink.root(t, traceID(1)))
		if why := fmt.Sprint(got[attrIncomplete]); got[attrComplete] != false || !strings.Contains(why, whyTrimmed) {
			t.Errorf("the score is %v", got)
		}
		if next.len() != 0 {
			t.Errorf("%d records are kept for ever", next.len())
		}
	})
}

// TestTenantsClosed wants a trace that a plain root of another policy closed to be closed after a crash too.
func TestTenantsClosed(t *testing.T) {
	span := func(n uint64) ptrace.Traces {
		td := made(toolSpan(1, n, 1, "card 4111 1111 1111 1111"))
		td.ResourceSpans().At(0).Resource().Attributes().PutStr("service.name", "acme")
		return td
	}
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		change := ofTenants(t, func(c *Config) { c.Hold = 0 })
		r := newRigWith(t, s, change)
		r.send(span(2))
		root := made(agentSpan(1, 1, "", ""))
		root.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).Attributes().Clear()
		r.send(root)
		time.Sleep(10 * time.Second)
		next := s.crash()
		r.stop()
		r = newRigWith(t, next, change)
		r.send(span(3))
		r.stopAfter(time.Second)
		if got := ours(r.sink.spans()[0]); got[attrLate] != true || got[attrPolicy] != "acme" || fmt.Sprint(got[attrIncomplete]) == "[root]" {
			t.Errorf("the span says %v", got)
		}
	})
}

// TestTenantsLogs wants log records judged and marked by the policy of each, with the part of their trace, and a resource
// that two policies share to be of neither's making in the other's.
func TestTenantsLogs(t *testing.T) {
	change := ofTenants(t, nil)
	next := &logCatcher{}
	p, _ := newLogsRig(t, next, change)
	if err := p.Start(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Shutdown(t.Context()) }()
	secret := "robin.fox@example.com"
	ld := logsOf(1, "mail "+secret, 2, "call "+secret, 0, "write "+secret)
	for i, rl := range ld.ResourceLogs().All() {
		rl.Resource().Attributes().PutStr("service.name", []string{"acme", "globex"}[i])
		rl.Resource().Attributes().PutStr("owner", secret)
	}
	for i, lr := range recordsOf(ld) {
		if i%3 == 0 {
			lr.Attributes().PutStr("tier", "vip")
		}
	}
	n := ld.LogRecordCount()
	if err := p.ConsumeLogs(t.Context(), ld); err != nil {
		t.Fatal(err)
	}
	got := next.got[0]
	if got.LogRecordCount() != n {
		t.Fatalf("%d records of %d", got.LogRecordCount(), n)
	}
	tokens := map[string]string{}
	for _, rl := range got.ResourceLogs().All() {
		owner, _ := rl.Resource().Attributes().Get("owner")
		service, _ := rl.Resource().Attributes().Get("service.name")
		for _, sl := range rl.ScopeLogs().All() {
			for _, lr := range sl.LogRecords().All() {
				_, body, _ := strings.Cut(lr.Body().Str(), " ")
				is := service.Str()
				if _, ok := lr.Attributes().Get("tier"); ok && is == "acme" {
					is = "vip"
				}
				if body != owner.Str() {
					t.Errorf("%s: %q under a resource with %q", is, body, owner.Str())
				}
				if was, ok := tokens[is]; ok && was != body {
					t.Errorf("%s: %q and %q", is, was, body)
				}
				tokens[is] = body
			}
		}
	}
	if tokens["acme"] != "[REDACTED:email]" || tokens["globex"] != secret || !strings.HasPrefix(tokens["vip"], "[REDACTED:L2:email:") || len(tokens) != 3 {
		t.Errorf("redacted to %v", tokens)
	}
}

// TestTenantsLogsJoin wants log records to join the part of their trace that is of their policy, and no other.
func TestTenantsLogsJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "one", ofTenants(t, nil))
		td := made(agentSpan(1, 1, "hello", "hello"))
		td.ResourceSpans().At(0).Resource().Attributes().PutStr("service.name", "acme")
		p.send(td)
		for _, service := range []string{"acme", "globex"} {
			ld := logsOf(1, "card 4111 1111 1111 1111")
			n := 0
			ld.ResourceLogs().RemoveIf(func(plog.ResourceLogs) bool { n++; return n > 1 })
			ld.ResourceLogs().At(0).Resource().Attributes().PutStr("service.name", service)
			p.sendLogs(ld)
		}
		p.stopAfter(10 * time.Second)
		got := ours(p.sink.root(t, traceID(1)))
		if got[attrPolicy] != "acme" || got[attrLeaked+"l4"] != int64(1) || got[attrWSL] != int64(9) {
			t.Errorf("the root says %v", got)
		}
	})
}

// TestTenantsCorrelate wants traces that share a value of a correlate key to share a ledger only as far as they share a
// policy.
func TestTenantsCorrelate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, ofTenants(t, func(c *Config) { c.Correlate = []string{"session.id"} }))
		for i, service := range []string{"acme", "globex", "acme"} {
			td := made(agentSpan(uint64(i+1), 1, "hello", "card 4111 1111 1111 1111"))
			if i == 1 {
				td = made(agentSpan(uint64(i+1), 1, "hello", "hello"))
			}
			td.ResourceSpans().At(0).Resource().Attributes().PutStr("service.name", service)
			td.ResourceSpans().At(0).Resource().Attributes().PutStr("session.id", "one")
			r.send(td)
			time.Sleep(10 * time.Second)
		}
		for i, want := range []int64{1, 0, 1} {
			if got := ours(r.sink.root(t, traceID(uint64(i+1)))); got[attrLeaked+"l4"] != want {
				t.Errorf("trace %d: %v", i+1, got)
			}
		}
	})
}

// TestPoliciesConfig wants errors of entries to name them, keys and canaries hidden, and the effective policies logged
// without them.
func TestPoliciesConfig(t *testing.T) {
	secret := "tell-nobody-of-this"
	yaml := strings.Replace(tenants, "annotate-is-not-here:", "vault: {canaries: ["+secret+"]}", 1)
	yaml = strings.Replace(yaml, "of no value", secret, 1)
	c := mustLoad(t, "yaml:"+yaml, "agentleak")
	conf := confmap.New()
	if err := conf.Marshal(c); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(to *Config) { *to = *c })
	shown := fmt.Sprintf("%v %+v %#v", c, c, c.Policies) + fmt.Sprint(conf.ToStringMap(), r.logs.All())
	if strings.Contains(shown, secret) || strings.Contains(shown, testKey) {
		t.Errorf("a secret is shown: %s", shown)
	}
	lines := r.logs.FilterMessage("agentleak effective policy").AllUntimed()
	if len(lines) != 4 {
		t.Fatalf("%d lines of policies", len(lines))
	}
	if m := lines[2].ContextMap(); m["policy"] != "vip" || m["match"] != `service.name=[acme], tier=[vip, 1]` || m["redaction.levels"] != "[1, 2, 3, 4] (file)" ||
		m["redaction.key"] != "made of the top-level key and the name (default)" || m["vault.rho_s"] != "100000 (file)" {
		t.Errorf("%v", m)
	}
	for _, test := range []struct{ yaml, want string }{
		{"agentleak: {policies: [{name: a, match: {a: b}}, {name: c, match: {d: e}}]}", `policies[1].match: a tie: policies "a" and "c"`},
		{"agentleak: {policies: [{name: a, match: {a: b}, hold: 3s}]}", "policies[0].hold: unknown key"},
		{"agentleak: {policies: [{name: a, match: {a: b}, scoring: {weights: [1]}}]}", "policies[0].scoring.weights: 1 elements"},
	} {
		if _, err := load(t, "yaml:"+test.yaml, "agentleak"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.yaml, err, test.want)
		}
	}
	var _ component.Config = c
}
