package agentleakprocessor

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/processor"

	"github.com/agentleak/otelcol-agentleak/processor/agentleakprocessor/internal/metadatatest"
)

// A pair is the instances of one component in a traces and a logs pipeline.
type pair struct {
	*rig
	logs processor.Logs
	sent *logCatcher
	reg  *registry
}

func newPair(t *testing.T, logsID string, change func(*Config)) *pair {
	t.Helper()
	f := newFactory()
	p := &pair{rig: &rig{TB: t, sink: &catcher{}, tel: componenttest.NewTelemetry()}, sent: &logCatcher{}, reg: f.running}
	c := createDefaultConfig().(*Config)
	if change != nil {
		change(c)
	}
	set := metadatatest.NewSettings(p.tel)
	set.ID = component.MustNewIDWithName("agentleak", "one")
	traces, err := f.traces(t.Context(), set, c, p.sink)
	if err != nil {
		t.Fatal(err)
	}
	p.tracesProcessor = traces.(*tracesProcessor)
	set.ID = component.MustNewIDWithName("agentleak", logsID)
	if p.logs, err = f.logs(t.Context(), set, c, p.sent); err != nil {
		t.Fatal(err)
	}
	for _, c := range []component.Component{p.logs, p.tracesProcessor} {
		if err := c.Start(t.Context(), componenttest.NewNopHost()); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// sendLogs returns what came of a batch.
func (p *pair) sendLogs(ld plog.Logs) plog.Logs {
	p.Helper()
	if err := p.logs.ConsumeLogs(p.Context(), ld); err != nil {
		p.Fatal(err)
	}
	return p.sent.got[len(p.sent.got)-1]
}

func (p *pair) stopAll() {
	p.Helper()
	p.stop()
	if err := p.logs.Shutdown(p.Context()); err != nil {
		p.Error(err)
	}
	if n := len(p.reg.shards); n != 0 {
		p.Errorf("%d components are left", n)
	}
}

// asked is a log record of an agent's span that holds the user's words.
func asked(trace, span uint64, text string) plog.Logs {
	ld := plog.NewLogs()
	lr := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty()
	if trace != 0 {
		lr.SetTraceID(traceID(trace))
		lr.SetSpanID(spanID(span))
	}
	lr.SetEventName("gen_ai.user.message")
	lr.Body().SetEmptyMap().PutStr("content", text)
	return ld
}

// TestSharedLedger wants a secret that entered through a log event and left through a span to be one.
func TestSharedLedger(t *testing.T) {
	root := func() spanSpec {
		s := agentSpan(1, 1, "", "")
		delete(s.attrs, "gen_ai.input.messages")
		delete(s.attrs, "gen_ai.output.messages")
		return s
	}
	for _, test := range []struct {
		name      string
		logsFirst bool
		other     bool // the logs pipeline names another component
		rho       int64
		links     int
	}{{"logs first", true, false, 4, 1}, {"spans first", false, false, 4, 1}, {"another component", true, true, 4, 0}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				id := "one"
				if test.other {
					id = "two"
				}
				p := newPair(t, id, nil)
				spans := made(root(), toolSpan(1, 2, 1, visa))
				if !test.logsFirst {
					p.send(spans)
					time.Sleep(time.Second)
				}
				out := p.sendLogs(asked(1, 1, "refund card "+visa))
				if body := fmt.Sprint(recordsOf(out)[0].Body().AsRaw()); strings.Contains(body, visa) {
					t.Errorf("the card left with the log: %s", body)
				}
				if test.logsFirst {
					time.Sleep(time.Second)
					p.send(spans)
				}
				time.Sleep(3 * time.Second)
				p.stopAll()
				got := ours(p.sink.root(t, traceID(1)))
				if got["agentleak.rho_s"] != test.rho || got["agentleak.leaked.l4"] != int64(1) || got["agentleak.risk_index"] != 1.0 {
					t.Errorf("got %v", got)
				}
				if links := p.sink.told(t); len(links) != test.links {
					t.Errorf("links: %q", links)
				}
				if n := p.sum("agentleak_scored_traces"); !test.other && n != 1 {
					t.Errorf("%d traces scored", n)
				}
				p.conservedSpans()
			})
		})
	}
}

// conservedSpans is conserved, for traces alone.
func (p *pair) conservedSpans() {
	p.Helper()
	if in, out := p.sum("incoming_items", "otel.signal", "traces"), p.sum("outgoing_items", "otel.signal", "traces"); in != out {
		p.Errorf("%d spans in, %d out", in, out)
	}
}

// TestLogsLearnFromSpans wants a value that only a span gives away to be removed from a later log record of its trace.
func TestLogsLearnFromSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "one", nil)
		tool := toolSpan(1, 2, 1, "x")
		tool.attrs["gen_ai.tool.call.arguments"] = `{"password": "tr0ub4dor-and-3"}`
		p.send(made(tool))
		for trace, gone := range map[int]bool{1: true, 2: false} {
			out := p.sendLogs(logsOf(trace, "retrying with tr0ub4dor-and-3 now"))
			lr := recordsOf(out)[0]
			if got := !strings.Contains(lr.Body().Str(), "tr0ub4dor"); got != gone {
				t.Errorf("trace %d: %q", trace, lr.Body().Str())
			}
		}
		p.stopAll()
	})
}

// TestSessions wants records without trace id to share a score by session, over requests, and plain ones to leave no
// trace.
func TestSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := &logCatcher{}
		p, _ := newLogsRig(t, next, nil)
		if err := p.Start(t.Context(), componenttest.NewNopHost()); err != nil {
			t.Fatal(err)
		}
		send := func(key, session, text string) map[string]any {
			ld := logsOf(0, text)
			for _, lr := range recordsOf(ld) {
				lr.Attributes().PutStr(key, session)
			}
			if err := p.ConsumeLogs(t.Context(), ld); err != nil {
				t.Fatal(err)
			}
			return recordsOf(next.got[len(next.got)-1])[0].Attributes().AsRaw()
		}
		send("session.id", "s1", "card "+visa)
		if got := send("session.id", "s1", "mail "+email); got["agentleak.severity"] != "L4" {
			t.Errorf("same session: %v", got)
		}
		if got := send("gen_ai.conversation.id", "s2", "mail "+email); got["agentleak.severity"] != "L2" {
			t.Errorf("another: %v", got)
		}
		if got := send("thread", "s1", "mail "+email); got["agentleak.severity"] != "L2" {
			t.Errorf("no session, so by itself: %v", got)
		}
		time.Sleep(time.Hour)
		if got := send("session.id", "s1", "mail "+email); got["agentleak.severity"] != "L2" {
			t.Errorf("after an hour: %v", got)
		}
		if err := p.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if got := send("session.id", "s1", "mail "+email); got["agentleak.record.findings"] != int64(1) {
			t.Errorf("after Shutdown: %v", got)
		}
	})
}

// TestPlainLogsAreNotRemembered: most logs are of no agent.
func TestPlainLogsAreNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "one", nil)
		for i := range 100 {
			p.sendLogs(logsOf(i+1, "listening"))
		}
		if n := p.sum("agentleak_known_traces"); n != 0 {
			t.Errorf("%d traces known", n)
		}
		p.sendLogs(logsOf(1, "card "+visa))
		if n := p.sum("agentleak_known_traces"); n != 1 {
			t.Errorf("%d traces known", n)
		}
		time.Sleep(time.Hour)
		if n := p.sum("agentleak_known_traces"); n != 0 {
			t.Errorf("%d traces known after an hour", n)
		}
		p.stopAll()
	})
}
