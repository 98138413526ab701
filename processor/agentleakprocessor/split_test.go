package agentleakprocessor

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// TestSplit parts random batches: each span is in one piece, of its trace, in its order; roots are alone and last.
func TestSplit(t *testing.T) {
	rng := seeded(t)
	for range 300 {
		var specs []spanSpec
		traces := rng.IntN(4)
		for i := range 1 + rng.IntN(12) {
			s := plainSpan(uint64(rng.IntN(traces+1)), uint64(i+1), 1, "x")
			if rng.IntN(4) == 0 {
				s.parent = 0
			}
			specs = append(specs, s)
		}
		in := made(specs...)
		want := placed(in)
		got := map[pcommon.SpanID]string{}
		roots := 0
		for _, p := range split(in, nil) {
			spans := spansOf(p.td)
			last := ptrace.NewSpan()
			for _, s := range spans {
				if s.TraceID() != p.id || isRoot(s) != p.root || s.StartTimestamp() <= last.StartTimestamp() {
					t.Fatalf("span %v in the piece of %v (root: %v), after %v", s.SpanID(), p.id, p.root, last.SpanID())
				}
				last = s
			}
			switch {
			case len(spans) != p.spans || p.spans == 0:
				t.Fatalf("a piece of %d spans says %d", len(spans), p.spans)
			case p.root && p.spans != 1:
				t.Fatalf("%d spans with a root", p.spans)
			case p.root:
				roots++
			case roots > 0:
				t.Fatal("a root before others")
			}
			for id, at := range placed(p.td) {
				if got[id] != "" {
					t.Fatalf("span %v twice", id)
				}
				got[id] = at
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("-want +got\n%s", d)
		}
	}
}
