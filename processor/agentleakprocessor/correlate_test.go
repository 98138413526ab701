package agentleakprocessor

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func with(s spanSpec, key, value string) spanSpec {
	s.attrs[key] = value
	return s
}

// TestCorrelate wants a run that is exported as several traces to be scored as one, and one without the value by itself.
func TestCorrelate(t *testing.T) {
	const key = "gen_ai.conversation.id"
	for _, test := range []struct {
		name string
		keys []string
		rho  int64 // of the last trace
		more int   // links to another trace
	}{{"off", nil, 4, 0}, {"by conversation", []string{"session.id", key}, 6, 1}, {"by another key", []string{"session.id"}, 4, 0}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Correlate = test.keys })
				r.send(made(with(agentSpan(1, 1, "card "+visa, "sent to "+email), key, "c1")))
				r.send(made(toolSpan(2, 12, 11, visa))) // joins before its trace says where it belongs
				r.send(made(with(agentSpan(2, 11, "hello", "done"), key, "c1")))
				r.send(made(with(agentSpan(3, 21, "hello", "sent to "+email), key, "c2")))
				time.Sleep(3 * time.Second)
				if got := ours(r.sink.root(t, traceID(2)))["agentleak.rho_s"]; got != test.rho {
					t.Errorf("the second trace: rho_s %v, want %d", got, test.rho)
				}
				if got := ours(r.sink.root(t, traceID(3)))["agentleak.rho_s"]; got != int64(2) {
					t.Errorf("another conversation: rho_s %v", got)
				}
				tool, _ := r.sink.byID(12)
				n := 0
				for _, l := range tool.Links().All() {
					if n++; l.TraceID() != traceID(1) || l.SpanID() != spanID(1) {
						t.Errorf("a link to %v %v", l.TraceID(), l.SpanID())
					}
				}
				if n != test.more {
					t.Errorf("%d links", n)
				}
				time.Sleep(time.Hour)
				for _, s := range r.shards {
					if s.mu.Lock(); s.ledgers != 0 || len(s.groups) != 0 || len(s.traces) != 0 {
						t.Errorf("%d bytes, %d groups, %d traces are left", s.ledgers, len(s.groups), len(s.traces))
					}
					s.mu.Unlock()
				}
				r.stop()
				r.conserved()
			})
		})
	}
}

// TestCorrelateLogs wants records and traces that share a value to share a ledger.
func TestCorrelateLogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "one", func(c *Config) { c.Correlate = []string{"session.id"} })
		ld := asked(0, 0, "card "+visa)
		recordsOf(ld)[0].Attributes().PutStr("session.id", "s1")
		p.sendLogs(ld)
		p.send(made(with(agentSpan(2, 1, "hello", "done"), "session.id", "s1"), toolSpan(2, 2, 1, email)))
		time.Sleep(3 * time.Second)
		p.stopAll()
		if got := ours(p.sink.root(t, traceID(2))); got["agentleak.rho_s"] != int64(6) || !slices.Equal(p.sink.told(t), nil) {
			t.Errorf("got %v", got)
		}
	})
}
