package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"google.golang.org/protobuf/encoding/protowire"
)

// TestEndToEnd sends traces of agents with the OpenTelemetry SDK to the program and reads them back from a sink: each
// span as it was but for what was planted, of which no byte is there or in what the program says of itself. A second
// sink gets the same spans from the SDK directly.
func TestEndToEnd(t *testing.T) {
	t.Parallel()
	sink, control := newSink(t), newSink(t)
	c := startCollector(t, sink, "hold: 10s, grace: 300ms")

	const runs = 6
	const spans = runs*spansOfRun + spansOfRefund
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() { export(t, secretsOf(i), secretsOf(i), agentRun, c.endpoint, control.endpoint) })
	}
	wg.Go(func() { export(t, secretsOf(runs), nil, refund, c.endpoint, control.endpoint) })
	wg.Wait()
	if t.Failed() {
		return
	}
	sink.await(t, spans)
	metrics := c.scrape(t)
	c.stop(t)

	sent, received := control.spans(), sink.spans()
	if len(sent) != spans || len(received) != spans {
		t.Errorf("%d spans came to the sink, %d to the control, want %d", len(received), len(sent), spans)
	}
	for id, s := range sent {
		got, ok := received[id]
		if !ok {
			t.Errorf("span %q did not come", s.Name())
			continue
		}
		if diff := cmp.Diff(frame(s), frame(got)); diff != "" {
			t.Errorf("span %q (-sent +received)\n%s", s.Name(), diff)
		}
		if strings.HasPrefix(s.Name(), nameWithSecret) {
			if !strings.HasPrefix(got.Name(), nameWithSecret+"[REDACTED:L4:credit_card:") {
				t.Error("the name with a secret is redacted otherwise")
			}
		} else if got.Name() != s.Name() {
			t.Errorf("span %q came as %q", s.Name(), got.Name())
		}
		if ri, ok := got.Attributes().Get("agentleak.risk_index"); !ok || ri.Double() <= 0 || ri.Double() > 1 {
			t.Errorf("span %q has risk index %v", s.Name(), ri.AsRaw())
		}
		if _, whole := got.Attributes().Get("agentleak.verdict"); whole != got.ParentSpanID().IsEmpty() {
			t.Errorf("span %q has the whole score: %v", s.Name(), whole)
		}
		if s.Name() == refundAgent || s.Name() == refundTool {
			checkRefund(t, got)
		}
	}

	for i := range runs + 1 {
		checkNoSecret(t, secretsOf(i), i < runs, control, map[string]string{
			"sink": sink.bytes(), "log": c.stderr.String(), "output": c.stdout.String(), "metrics": metrics,
		})
	}
	if !strings.Contains(metrics, "processor_agentleak_findings") {
		t.Errorf("no metrics to look at:\n%s", metrics)
	}
}

// TestShutdown ends the program while it holds everything and expects it to be passed on first.
func TestShutdown(t *testing.T) {
	t.Parallel()
	sink, control := newSink(t), newSink(t)
	c := startCollector(t, sink, "hold: 10m, grace: 10m")
	const runs = 3
	for i := range runs {
		export(t, secretsOf(i), secretsOf(i), agentRun, c.endpoint, control.endpoint)
	}
	if n := len(sink.spans()); n != 0 {
		t.Errorf("%d spans came before their time", n)
	}
	c.stop(t)
	received := sink.spans()
	if want := runs * spansOfRun; len(received) != want {
		t.Errorf("%d spans came, want %d", len(received), want)
	}
	for _, s := range received {
		if !s.ParentSpanID().IsEmpty() {
			continue
		}
		if _, ok := s.Attributes().Get("agentleak.verdict"); !ok {
			t.Errorf("span %q has no score", s.Name())
		}
		if complete, ok := s.Attributes().Get("agentleak.trace.complete"); !ok || complete.Bool() {
			t.Errorf("span %q: complete, though nobody waited for the rest", s.Name())
		}
	}
	for i := range runs {
		checkNoSecret(t, secretsOf(i), true, control, map[string]string{"sink": sink.bytes(), "log": c.stderr.String()})
	}
}

// checkRefund compares all that was written on the spans of the small trace with what a person works out: a card and an
// email address came from the user and an SSN from a tool, so 4 + 2 + 4 = 10 was in reach. The card went into a tool
// call and the address into the answer: 4 + 2 = 6 leaked. 6/10 is a Risk Index of 0.6, and 100 * (1 - 0.6) = 40.
func checkRefund(t *testing.T, s ptrace.Span) {
	t.Helper()
	want := map[string]any{
		"risk_index": 0.6, "severity": "L4", "privacy_score": int64(40), "verdict": "high_risk", "wsl": int64(6), "rho_s": int64(10),
		"leaked.l1": int64(0), "leaked.l2": int64(1), "leaked.l3": int64(0), "leaked.l4": int64(1),
		"channel.tool_call.risk_index": 0.4, "channel.final_output.risk_index": 0.2,
		"vault.explicit": false, "policy.passed": true, "trace.complete": true,
		"span.severity": "L4", "span.channels": []any{"final_output", "user_input"}, "span.data_types": []any{"credit_card", "email"},
		"span.findings": int64(3), "span.redacted": int64(1),
	}
	if s.Name() == refundTool {
		want = map[string]any{
			"risk_index": 0.6, "severity": "L4",
			"span.severity": "L4", "span.channels": []any{"tool_call", "tool_response"}, "span.data_types": []any{"credit_card", "ssn"},
			"span.findings": int64(2), "span.redacted": int64(2),
		}
	}
	got := map[string]any{}
	for k, v := range s.Attributes().All() {
		if name, ok := strings.CutPrefix(k, "agentleak."); ok {
			got[name] = v.AsRaw()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("span %q (-want +got)\n%s", s.Name(), diff)
	}
}

// checkNoSecret wants none of the secrets in any of the texts. all says that each of them was sent.
func checkNoSecret(t *testing.T, secrets map[string]string, all bool, control *sink, texts map[string]string) {
	t.Helper()
	sent := control.bytes()
	for name, value := range secrets {
		if name == secretNumber {
			value = string(protowire.AppendVarint(nil, uint64(number(value))))
		}
		if all && !strings.Contains(sent, value) {
			t.Errorf("%s was not planted", name)
		}
		for what, text := range texts {
			if strings.Contains(text, value) || strings.Contains(text, strings.NewReplacer(" ", "", "-", "").Replace(value)) {
				t.Errorf("%s is in the %s", name, what)
			}
		}
	}
}

// frame is what redaction leaves alone of any span.
func frame(s ptrace.Span) map[string]any {
	attrs := 0
	for k := range s.Attributes().All() {
		if !strings.HasPrefix(k, "agentleak.") {
			attrs++
		}
	}
	events := []pcommon.Timestamp{}
	for _, e := range s.Events().All() {
		events = append(events, e.Timestamp())
	}
	links := []pcommon.SpanID{}
	for _, l := range s.Links().All() {
		if _, ours := l.Attributes().Get("agentleak.link"); !ours {
			links = append(links, l.SpanID())
		}
	}
	return map[string]any{
		"trace": s.TraceID(), "id": s.SpanID(), "parent": s.ParentSpanID(), "kind": s.Kind(), "start": s.StartTimestamp(),
		"end": s.EndTimestamp(), "status": s.Status().Code(), "flags": s.Flags(), "attributes": attrs, "events": events, "links": links,
	}
}
