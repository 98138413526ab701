package agentleakprocessor

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// TestMerge parts telemetry at random and merges it: each span stays under what stood above it.
func TestMerge(t *testing.T) {
	rng := seeded(t)
	for range 100 {
		td := ptrace.NewTraces()
		for range 1 + rng.IntN(4) {
			rs := td.ResourceSpans().AppendEmpty()
			rs.SetSchemaUrl(fmt.Sprint(rng.IntN(2)))
			rs.Resource().Attributes().PutInt("r", int64(rng.IntN(3)))
			for range 1 + rng.IntN(3) {
				ss := rs.ScopeSpans().AppendEmpty()
				ss.Scope().SetName(fmt.Sprint(rng.IntN(2)))
				ss.Scope().Attributes().PutInt("s", int64(rng.IntN(2)))
				for range rng.IntN(4) {
					ss.Spans().AppendEmpty().SetSpanID(spanID(rng.Uint64()))
				}
			}
		}
		var ps []parcel
		for _, b := range deal(rng, td, 1+rng.IntN(5)) {
			ps = append(ps, parcel{td: b, spans: b.SpanCount(), bytes: 1})
		}
		n := len(ps)
		p := merge(ps)
		if d := cmp.Diff(placed(td), placed(p.td)); d != "" || p.spans != td.SpanCount() || p.bytes != int64(n) {
			t.Fatalf("%d spans, %d bytes: -want +got\n%s", p.spans, p.bytes, d)
		}
	}
}

func placed(td ptrace.Traces) map[pcommon.SpanID]string {
	at := map[pcommon.SpanID]string{}
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				at[s.SpanID()] = fmt.Sprint(rs.SchemaUrl(), rs.Resource().Attributes().AsRaw(), ss.Scope().Name(), ss.Scope().Attributes().AsRaw())
			}
		}
	}
	return at
}

func TestPortion(t *testing.T) {
	queue := []parcel{{spans: 1, bytes: 3 << 20}, {spans: 5000, bytes: 1}, {spans: 3000, bytes: 1}, {spans: 200, bytes: 1}, {spans: 1, bytes: 2 << 20}}
	var got []int
	for len(queue) > 0 {
		var ps []parcel
		ps, queue = portion(queue)
		got = append(got, len(ps))
	}
	if d := cmp.Diff([]int{1, 2, 1, 1}, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
