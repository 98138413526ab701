package agentleakprocessor

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

func streaming(c *Config) { c.Hold, c.Grace = 0, 0 }

// idsOf are the resource's name and the span's id of each span, in order.
func idsOf(td ptrace.Traces) (list []string) {
	for _, rs := range td.ResourceSpans().All() {
		name, _ := rs.Resource().Attributes().Get("service.name")
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				list = append(list, name.AsString()+" "+ss.Scope().Name()+" "+span.SpanID().String())
			}
		}
	}
	return list
}

// mixed is a request of many traces whose spans stand between each other, under three resources.
func mixed(t *testing.T) ptrace.Traces {
	rng := seeded(t)
	td := ptrace.NewTraces()
	id := uint64(0)
	for _, service := range []string{"one", "two", "three"} {
		var specs []spanSpec
		for range 40 {
			id++
			parent := uint64(rng.IntN(3)) * 1000
			specs = append(specs, spanSpec{trace: uint64(rng.IntN(6)), id: id, parent: parent, attrs: map[string]any{"note": "card " + visa}})
		}
		part := made(specs...)
		part.ResourceSpans().At(0).Resource().Attributes().PutStr("service.name", service)
		part.ResourceSpans().MoveAndAppendTo(td.ResourceSpans())
	}
	return td
}

// TestStreamWhole passes a request on as one, at once, with the spans where they were.
func TestStreamWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, streaming)
		td := mixed(t)
		want := idsOf(td)
		r.send(td)
		if len(r.sink.got) != 1 {
			t.Fatalf("%d requests came of one", len(r.sink.got))
		}
		if got := idsOf(r.sink.got[0]); !slices.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		if strings.Contains(r.sink.json(t), visa) {
			t.Error("the card is still there")
		}
		if n := r.sum("agentleak_findings"); n != 120 {
			t.Errorf("%d findings, want 120", n)
		}
		r.conserved()
		r.stop()
	})
}

// TestStreamResource redacts what several traces share, whichever of them knows it for a secret.
func TestStreamResource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const word = "Tr0ub4dor-and-3-horses"
		r := newRig(t, streaming)
		td := made(
			spanSpec{trace: 1, id: 1, parent: 9, attrs: map[string]any{"db.password": word}},
			plainSpan(2, 2, 9, "nothing here"),
		)
		td.ResourceSpans().At(0).Resource().Attributes().PutStr("card", visa)
		td.ResourceSpans().At(0).Resource().Attributes().PutStr("comment", "it is "+word+" again")
		r.send(td)
		if got := r.sink.count(); got != 2 || len(r.sink.got) != 1 {
			t.Errorf("%d spans in %d requests", got, len(r.sink.got))
		}
		if strings.Contains(r.sink.json(t), visa) {
			t.Error("the card is still there")
		}
		first := r.sink.got[0].ResourceSpans().At(0).Resource().Attributes()
		if v, _ := first.Get("comment"); strings.Contains(v.AsString(), word) {
			t.Error("the password is still there in the trace that knows it")
		}
		r.conserved()
		r.stop()
	})
}

// TestStreamRefused tells the sender what the next component says, and a request that comes again counts once.
func TestStreamRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, streaming)
		r.sink.setRefuse(func(ptrace.Traces) error { return errTest })
		td := clone(leaky())
		if err := r.ConsumeTraces(t.Context(), td); !errors.Is(err, errTest) {
			t.Fatalf("got %v", err)
		}
		if in, refused := r.sum("incoming_items"), r.sum("agentleak_refused_spans"); in != 0 || refused != 4 {
			t.Errorf("%d in, %d refused, want 0 and 4", in, refused)
		}
		r.sink.setRefuse(nil)
		r.send(leaky())
		root := ours(r.sink.root(t, traceID(1)))
		if root["agentleak.wsl"] != int64(6) {
			t.Errorf("root: %v", root)
		}
		r.conserved()
		r.stop()
	})
}

// TestSplitWhole parts a request by trace, and puts it together again.
func TestSplitWhole(t *testing.T) {
	td := mixed(t)
	want := idsOf(td)
	pieces, homes := splitWhole(td, nil)
	total := 0
	for i, p := range pieces {
		spans := spansOf(p.td)
		if len(spans) != p.spans || len(homes[i]) != p.spans {
			t.Fatalf("a piece of %d spans says %d, from %d places", len(spans), p.spans, len(homes[i]))
		}
		root := slices.ContainsFunc(spans, func(s ptrace.Span) bool { return isRoot(s) })
		if root != p.root || slices.ContainsFunc(spans, func(s ptrace.Span) bool { return s.TraceID() != p.id }) {
			t.Errorf("piece of %v, root %v: spans of others, or root %v", p.id, p.root, root)
		}
		total += p.spans
	}
	seen := map[pcommon.TraceID]bool{}
	for _, p := range pieces {
		if seen[p.id] {
			t.Errorf("two pieces of %v", p.id)
		}
		seen[p.id] = true
	}
	if got := idsOf(rejoin(td, pieces, homes, nil)); total != len(want) || !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
