package assembly

import (
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

func TestRecall(t *testing.T) {
	b := New[int](Options{Hold: time.Minute, Grace: time.Second, Idle: time.Minute, OpenTraces: 2})
	now := time.Unix(1000, 0)
	id := func(n byte) pcommon.TraceID { return pcommon.TraceID{n} }
	if rs := b.Recall(now, id(1)); len(rs) > 0 || b.KnownTraces() != 1 || b.OpenTraces() != 0 {
		t.Fatalf("released %v, %d known, %d open", rs, b.KnownTraces(), b.OpenTraces())
	}
	for _, root := range []bool{false, true} {
		rs := b.Add(now, Chunk[int]{Trace: id(1), Root: root})
		if len(rs) != 1 || rs[0].Reason != Late || len(rs[0].Chunks) != 1 {
			t.Errorf("root %v of a recalled trace: %v", root, rs)
		}
	}
	// An open trace is not closed by it.
	b.Add(now, Chunk[int]{Trace: id(2)})
	if rs := b.Recall(now, id(2)); len(rs) > 0 || b.OpenTraces() != 1 {
		t.Errorf("recalled while open: %v", rs)
	}
	if rs := b.Recall(now, id(3)); len(rs) != 1 || rs[0].Reason != Evicted || rs[0].Trace != id(1) {
		t.Errorf("beyond the bound: %v", rs)
	}
	if rs := b.Tick(now.Add(time.Hour)); len(rs) != 2 { // one closes, one is forgotten
		t.Errorf("after the silence: %v", rs)
	}
}

func TestShed(t *testing.T) {
	b := New[int](Options{Hold: time.Minute, Grace: time.Minute, Idle: time.Hour})
	now := time.Unix(1000, 0)
	for n := range byte(3) {
		b.Add(now.Add(time.Duration(n)), Chunk[int]{Trace: pcommon.TraceID{n + 1}, Bytes: 10, Payload: int(n)})
	}
	b.Recall(now.Add(10), pcommon.TraceID{9})
	for i, want := range []pcommon.TraceID{{9}, {1}, {2}, {3}} {
		rs := b.Shed()
		if len(rs) != 1 || rs[0].Trace != want || !rs[0].Forget || rs[0].Reason != Evicted || i > 0 && len(rs[0].Chunks) != 1 {
			t.Errorf("%d: %+v, want %v", i, rs, want)
		}
	}
	if rs := b.Shed(); rs != nil || b.HeldBytes() != 0 {
		t.Errorf("from nothing: %v", rs)
	}
}
