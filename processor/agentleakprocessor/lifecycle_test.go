package agentleakprocessor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"
)

func TestVerifyShutdown(t *testing.T) {
	for _, hold := range []time.Duration{0, 10 * time.Second} {
		c := createDefaultConfig().(*Config)
		c.Hold = hold
		processortest.VerifyShutdown(t, NewFactory(), c)
	}
}

func TestShutdownIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.send(leaky())
		r.stop()
		r.stop() // again
		if got := r.sink.count(); got != 4 {
			t.Errorf("%d of 4 spans came", got)
		}
		if err := r.ConsumeTraces(t.Context(), leaky()); !errors.Is(err, errStopped) {
			t.Errorf("after Shutdown: %v", err)
		}
		if got := ours(r.sink.root(t, traceID(1)))["agentleak.trace.complete"]; got != false {
			t.Errorf("complete is %v, but stragglers were not awaited", got)
		}
	})
}

func TestBeforeStart(t *testing.T) {
	c := createDefaultConfig().(*Config)
	p, err := NewFactory().CreateTraces(t.Context(), processortest.NewNopSettings(typ), c, &catcher{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.ConsumeTraces(t.Context(), leaky()); !errors.Is(err, errStopped) {
		t.Errorf("ConsumeTraces: %v", err)
	}
	if err := errors.Join(p.Shutdown(t.Context()), p.Shutdown(t.Context())); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

// TestShutdownUnderLoad wants all that was accepted to come out, whatever was under way.
func TestShutdownUnderLoad(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Grace = time.Millisecond })
	var wg sync.WaitGroup
	started := make(chan struct{}, 800)
	for g := range 4 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for i := range 200 {
				s := newStory(rng, g*1000+i, true)
				if err := r.ConsumeTraces(context.Background(), s.td); err != nil {
					if !errors.Is(err, errStopped) {
						t.Error(err)
					}
					return
				}
				started <- struct{}{}
			}
		})
	}
	for range 20 {
		<-started
	}
	r.stop()
	wg.Wait()
	if in := r.sum("incoming_items"); in == 0 || int64(r.sink.count()) != in {
		t.Errorf("%d spans in, %d out", in, r.sink.count())
	}
	r.conserved()
}

// TestNothingEscapes looks for values, names and ids in all that the processor says of itself.
func TestNothingEscapes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) {
			c.Annotate.Findings = findingsEvents
			c.CustomDetectors = mustLoad(t, "file:testdata/config.yaml", "agentleak/all").CustomDetectors
			c.Vault.ScopeDef = "the scope"
		})
		r.sink.setRefuse(func(td ptrace.Traces) error { return errors.New(toJSON(t, td)) })
		r.send(leaky())
		r.send(made(toolSpan(2, 2, 1, visa)))
		time.Sleep(3 * time.Second)
		said := fmt.Sprintf("%+v", r.logs.All())
		r.sink.setRefuse(nil)
		r.stop()
		said += fmt.Sprintf("%+v", r.logs.All())
		said += r.metricsText()
		for _, secret := range []string{visa, email, testKey, `MBR-\d`, "the scope", traceID(1).String(), "gen_ai", "lookup", "REDACTED:"} {
			if strings.Contains(said, secret) {
				t.Errorf("it says %q:\n%s", secret, said)
			}
		}
		if n := r.logs.FilterMessage("agentleak policy").Len(); n != 1 {
			t.Errorf("the policy was logged %d times", n)
		}
		if n := r.logs.Len(); n > 5 {
			t.Errorf("%d lines in the log", n)
		}
		if got := r.sum("agentleak_held_bytes_limit"); got != 0 {
			t.Errorf("a gauge is still observed after Shutdown: %d", got)
		}
	})
}

func TestLogsLifecycle(t *testing.T) {
	c := createDefaultConfig().(*Config)
	p, err := NewFactory().CreateLogs(t.Context(), processortest.NewNopSettings(typ), c, &logCatcher{})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(p.Start(t.Context(), componenttest.NewNopHost()), p.Shutdown(t.Context()), p.Shutdown(t.Context()))
	if err != nil {
		t.Error(err)
	}
}
