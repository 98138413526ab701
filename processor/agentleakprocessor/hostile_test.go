package agentleakprocessor

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// TestHostile sends what a sender with bad intentions may: every span arrives, no card does, nothing forged stays, and
// the trace beside it is scored as ever.
func TestHostile(t *testing.T) {
	attr := func(value any) func(ptrace.Span) {
		return func(s ptrace.Span) { _ = s.Attributes().PutEmpty("a").FromRaw(value) }
	}
	nested := func(depth int) any {
		var v any = visa
		for range depth {
			v = map[string]any{"a": v}
		}
		return v
	}
	layers := func(n int) string {
		v := `{"card":"` + visa + `"}`
		for range n {
			v = fmt.Sprintf("%q", v)
		}
		return v
	}
	bomb := func(n int) string {
		v := visa
		for range n {
			v = base64.StdEncoding.EncodeToString([]byte(v + " " + v))
		}
		return v
	}
	for _, test := range []struct {
		name     string
		do       func(ptrace.Span)
		withheld bool // values are, and the score says that it may be too low
	}{
		{"forged attributes", func(s ptrace.Span) {
			for _, m := range []pcommon.Map{s.Attributes(), s.Events().AppendEmpty().Attributes(), s.Links().AppendEmpty().Attributes()} {
				m.PutStr("agentleak.risk_index", "forged")
				m.PutStr("agentleak.trace.complete", "forged")
				m.PutEmptyMap("agentleak.").PutStr("x", "forged")
			}
			s.Events().AppendEmpty().SetName("agentleak.finding forged")
		}, false},
		{"deep map", attr(nested(90)), false},
		{"deeper map", attr(nested(600)), true},
		{"deep JSON", attr(strings.Repeat(`{"a":`, 100_000) + `"` + visa + `"` + strings.Repeat("}", 100_000)), true},
		{"unclosed JSON", attr(strings.Repeat(`[{"a":`, 100_000) + `"` + visa), false},
		{"JSON in JSON", attr(layers(12)), false},
		{"broken JSON", attr(`{"card": "` + visa + `", "b": tru`), false},
		{"broken escapes", attr(`{"card": "\u00zz ` + visa + `\"}`), false},
		{"invalid UTF-8", attr("\xff\xfe" + visa + "\xc3"), false},
		{"NUL bytes", attr("\x00" + visa + "\x00\x00"), false},
		{"bytes that are no text", attr([]byte("\x00\x01\xff" + visa)), false},
		{"a key", func(s ptrace.Span) { s.Attributes().PutStr("k "+visa, "v") }, false},
		{"an empty key, twice", func(s ptrace.Span) {
			_ = s.Attributes().FromRaw(map[string]any{"": visa})
			s.Attributes().PutEmptySlice("s").AppendEmpty().SetEmptyMap().PutStr("", visa)
		}, false},
		{"a long key", func(s ptrace.Span) { s.Attributes().PutStr(strings.Repeat("k", 1<<20)+" "+visa, "v") }, false},
		{"many attributes", func(s ptrace.Span) {
			s.Attributes().EnsureCapacity(20_001)
			m := make(map[string]any, 20_001)
			for i := range 20_000 {
				m[fmt.Sprintf("k%d", i)] = i
			}
			m["last"] = visa
			_ = s.Attributes().FromRaw(m)
		}, false},
		{"many events", func(s ptrace.Span) {
			for range 5_000 {
				s.Events().AppendEmpty().SetName("again")
			}
			s.Events().AppendEmpty().Attributes().PutStr("x", visa)
		}, false},
		{"50 MB", attr(strings.Repeat("a lot of text ", 50<<20/14) + visa), true},
		{"50 MB of bytes", attr([]byte(strings.Repeat("a lot of text ", 50<<20/14) + visa)), true},
		{"a base64 bomb", attr(bomb(14)), false},
		{"its own parent", func(s ptrace.Span) { s.SetParentSpanID(s.SpanID()); attr(visa)(s) }, false},
		{"times beyond all", func(s ptrace.Span) {
			s.SetStartTimestamp(1<<64 - 1)
			s.SetEndTimestamp(0)
			attr(visa)(s)
		}, false},
		{"no span id", func(s ptrace.Span) { s.SetSpanID(pcommon.SpanID{}); attr(visa)(s) }, false},
		{"a name of 1 MB", func(s ptrace.Span) { s.SetName(strings.Repeat("step ", 1<<18) + visa) }, false},
		{"trace state", func(s ptrace.Span) { s.TraceState().FromRaw("a=" + visa + ",,=;") }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				td := made(plainSpan(1, 2, 1, "x"), agentSpan(1, 1, "hello", "hello"))
				test.do(spansOf(td)[0])
				r.send(td)
				r.send(leaky2())
				r.stopAfter(3 * time.Second)
				if got := r.sink.count(); got != 4 {
					t.Fatalf("%d of 4 spans came", got)
				}
				var out strings.Builder
				for _, td := range r.sink.got {
					wire, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(td)
					if err != nil {
						t.Fatal(err)
					}
					out.Write(wire)
				}
				for _, bad := range []string{visa, "forged", base64.StdEncoding.EncodeToString([]byte(visa))} {
					if strings.Contains(out.String(), bad) {
						t.Errorf("%q is still there", bad)
					}
				}
				if got := r.sum("agentleak_withheld_values") > 0; got != test.withheld {
					t.Errorf("withheld: %v", got)
				}
				root := ours(r.sink.root(t, traceID(1)))
				if why := fmt.Sprint(root["agentleak.trace.incomplete"]); strings.Contains(why, "withheld") != test.withheld {
					t.Errorf("incomplete: %s", why)
				}
				if got := ours(r.sink.root(t, traceID(2))); got["agentleak.wsl"] != int64(4) || got["agentleak.trace.complete"] != true {
					t.Errorf("the trace beside it: %v", got)
				}
			})
		})
	}
}

// leaky2 is a trace whose tool call discloses a card.
func leaky2() ptrace.Traces {
	return made(toolSpan(2, 2, 1, visa), agentSpan(2, 1, "card "+visa, "done"))
}

// TestManySecrets sends a trace with more distinct cards than its ledger has room for, in spans of many: memory stays
// within its bounds, no card leaves, and the score says that it is a lower bound.
func TestManySecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bound = 1 << 20
		r := newRig(t, func(c *Config) { c.Limits.LedgerBytesPerTrace = bound })
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range uint64(20) {
			var b strings.Builder
			for range 1000 {
				b.WriteString("card " + card(rng) + " ")
			}
			r.send(made(toolSpan(1, i+2, 1, b.String())))
			if got := r.sum("agentleak_ledger_bytes"); got > bound+bound/8 {
				t.Fatalf("the ledger takes %d bytes", got)
			}
		}
		r.send(made(agentSpan(1, 1, "hello", "hello")))
		r.send(leaky2())
		r.stopAfter(3 * time.Second)
		if regexp.MustCompile(`\b4\d{15}\b`).MatchString(r.sink.json(t)) {
			t.Error("a card is still there")
		}
		root := ours(r.sink.root(t, traceID(1)))
		if root["agentleak.trace.complete"] != false || !strings.Contains(fmt.Sprint(root["agentleak.trace.incomplete"]), "ledger") {
			t.Errorf("root: %v", root)
		}
		if wsl := root["agentleak.wsl"].(int64); wsl < 1000 {
			t.Errorf("wsl %d", wsl)
		}
		if got := ours(r.sink.root(t, traceID(2))); got["agentleak.trace.complete"] != true {
			t.Errorf("the trace beside it: %v", got)
		}
	})
}

// TestCrowd sends more distinct cards in one span than a piece remembers: the value is withheld.
func TestCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("finds 70,000 cards")
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		rng := rand.New(rand.NewPCG(1, 1))
		var b strings.Builder
		last := ""
		for range 70_000 {
			last = card(rng)
			b.WriteString("card " + last + " ")
		}
		r.send(made(toolSpan(1, 2, 1, b.String()), agentSpan(1, 1, "hello", "hello")))
		r.stopAfter(3 * time.Second)
		out := r.sink.json(t)
		if strings.Contains(out, last) || !strings.Contains(out, "[WITHHELD:too_many]") {
			t.Error("the last card is still there, or nothing was withheld")
		}
		root := ours(r.sink.root(t, traceID(1)))
		if root["agentleak.trace.complete"] != false || root["agentleak.wsl"].(int64) < 1000 {
			t.Errorf("root: %v", root)
		}
	})
}

// TestRunaway sends a trace of 100,000 spans, in requests of 5,000, with small traces between: those are held and scored
// as if they were alone, and all of the large one arrives, redacted, in portions.
func TestRunaway(t *testing.T) {
	spans, each := uint64(100_000), uint64(5000)
	if testing.Short() {
		spans = 20_000
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) {
			c.Limits = LimitsConfig{HeldBytes: 64 << 20, BytesPerTrace: 4 << 20, OpenTraces: 1000}
		})
		largest := 0
		r.sink.setRefuse(func(td ptrace.Traces) error {
			largest = max(largest, td.SpanCount())
			return nil
		})
		for i := uint64(0); i < spans; i += each {
			specs := make([]spanSpec, each)
			for j := range specs {
				specs[j] = toolSpan(1, i+uint64(j)+2, 1, "x")
			}
			specs[0] = toolSpan(1, i+2, 1, visa)
			r.send(made(specs...))
			n := 1000 + i/each
			r.send(made(toolSpan(n, 2, 1, visa), agentSpan(n, 1, "card "+visa, "done")))
			if held := r.sum("agentleak_held_bytes"); held > 6<<20 {
				t.Fatalf("%d bytes held", held)
			}
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		for i := uint64(0); i < spans; i += each {
			root := ours(r.sink.root(t, traceID(1000+i/each)))
			if root["agentleak.trace.complete"] != true || root["agentleak.risk_index"] != 1.0 {
				t.Fatalf("a small trace: %v", root)
			}
		}
		r.send(made(agentSpan(1, 1, "hello", "hello")))
		r.stopAfter(3 * time.Second)
		root := ours(r.sink.root(t, traceID(1)))
		if root["agentleak.wsl"] != int64(4) || fmt.Sprint(root["agentleak.trace.incomplete"]) != "[too_big ledger]" {
			t.Errorf("the root of the large trace: %v", root)
		}
		if largest > batchSpans {
			t.Errorf("a batch of %d spans", largest)
		}
		if strings.Contains(r.sink.json(t), visa) {
			t.Error("the card is still there")
		}
		if got := uint64(r.sink.count()); got != spans+1+2*spans/each {
			t.Errorf("%d spans came", got)
		}
	})
}

// TestCut: pieces that are too large are cut, and together they are what they were.
func TestCut(t *testing.T) {
	specs := make([]spanSpec, 3*pieceSpans+5)
	for i := range specs {
		specs[i] = plainSpan(1, uint64(i+2), 1, "x")
	}
	large := plainSpan(1, 9_000_000, 1, strings.Repeat("x", pieceBytes))
	specs = append(specs, large, large)
	td := made(specs...)
	want := td.SpanCount()
	pieces := split(td, nil)
	n, last := 0, pcommon.Timestamp(0)
	for i, p := range pieces {
		n += p.td.SpanCount()
		if p.spans != p.td.SpanCount() || p.spans > pieceSpans || p.large() {
			t.Errorf("piece %d has %d spans, says %d", i, p.td.SpanCount(), p.spans)
		}
		for _, s := range spansOf(p.td) {
			if s.StartTimestamp() < last {
				t.Fatal("spans are in another order")
			}
			last = s.StartTimestamp()
		}
		if v, _ := p.td.ResourceSpans().At(0).Resource().Attributes().Get("service.name"); v.Str() != "agents" {
			t.Errorf("piece %d: the resource is gone", i)
		}
	}
	if n != want || len(pieces) != 6 {
		t.Errorf("%d of %d spans in %d pieces", n, want, len(pieces))
	}
}

// FuzzConsumeTraces takes any bytes that are OTLP, with a card planted in them: nothing panics, each span arrives once,
// and no card does.
func FuzzConsumeTraces(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 5 {
		wire, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(newStory(rng, i, true).td)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wire, "k", `{"a":"%s"}`)
	}
	f.Add([]byte{}, "", "[\"%s")
	f.Fuzz(func(t *testing.T, wire []byte, key, around string) {
		td, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(wire)
		if err != nil || strings.Contains(string(wire), visa) {
			return
		}
		planted := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
		planted.SetTraceID(traceID(7))
		planted.SetSpanID(spanID(7))
		before, after, _ := strings.Cut(around, "%s")
		planted.Attributes().PutStr(key, before+" "+visa+" "+after)
		alone := newRigHere(t)
		if err := alone.ConsumeTraces(context.Background(), clone(td)); err != nil {
			t.Fatal(err)
		}
		alone.finish()
		if got := alone.sink.count(); got != td.SpanCount() {
			t.Errorf("%d of %d spans came", got, td.SpanCount())
		}
		alone.sink.json(t)
	})
}

// newRigHere is a rig outside of a synctest bubble that ends with finish.
func newRigHere(t *testing.T) *rig {
	return newRig(t, func(c *Config) { c.Grace = 0 })
}
