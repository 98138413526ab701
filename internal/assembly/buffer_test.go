package assembly

import (
	"runtime"
	"testing"
	"time"
	"weak"
)

// What was released is not in reach of the buffer any more, though it still knows the trace and
// holds neighbours of the chunk: text that left must not linger in memory.
func TestReleasedIsLetGo(t *testing.T) {
	b := New[*[64]byte](Options{Hold: 2 * time.Second, Grace: time.Hour, Idle: time.Hour})
	add := func(at time.Duration) weak.Pointer[[64]byte] {
		p := new([64]byte)
		b.Add(start.Add(at), Chunk[*[64]byte]{Trace: number(1), Payload: p})
		return weak.Make(p)
	}
	first, second, third := add(0), add(time.Second), add(2*time.Second)
	b.Tick(start.Add(3 * time.Second)) // the second; the first left with the last Add
	runtime.GC()
	if first.Value() != nil || second.Value() != nil {
		t.Errorf("a released payload is still held")
	}
	if third.Value() == nil {
		t.Errorf("a held payload is gone")
	}
	runtime.KeepAlive(b)
}
