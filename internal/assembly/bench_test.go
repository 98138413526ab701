package assembly

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// BenchmarkBuffer is the steady state: each operation adds one chunk and ticks, and with each five
// one trace of five chunks begins and one ends. Budget: 3 µs an operation, at any number of traces:
// from 1k to 200k only cache misses may be added. A span takes longer to scan.
func BenchmarkBuffer(b *testing.B) {
	for _, n := range []int{1_000, 50_000, 200_000} {
		const step = time.Millisecond
		wait := time.Duration(n/5) * step
		hold := Options{Hold: 100 * wait, Grace: wait, Idle: wait * 5 / 4}
		stream := hold
		stream.Hold = 0
		tight := hold
		tight.HeldBytes = int64(n) // of some 2n that the traces would hold
		few := hold
		few.OpenTraces = n / 2
		for _, bb := range []struct {
			name string
			opt  Options
		}{{"hold", hold}, {"stream", stream}, {"pressure", tight}, {"evict", few}} {
			b.Run(fmt.Sprintf("%s/open=%d", bb.name, n), func(b *testing.B) {
				buf := New[*int](bb.opt)
				op, now := 0, start
				next := func() {
					kind, tr := op%5, op/5
					if kind == 0 {
						now = now.Add(step)
					}
					op++
					c := Chunk[*int]{Trace: number(tr - kind*n/5), Spans: 1, Bytes: 1, Root: kind == 4}
					buf.Add(now, c)
					buf.Tick(now)
				}
				for range 10 * n {
					next()
				}
				b.ReportAllocs()
				for b.Loop() {
					next()
				}
				b.ReportMetric(float64(buf.OpenTraces()), "open")
			})
		}
	}
}

// BenchmarkMemory reports what the buffer itself keeps in memory for an open trace that holds
// nothing, for a closed one, and for an open one that holds one chunk, payload apart.
func BenchmarkMemory(b *testing.B) {
	const n = 200_000
	forever := Options{Hold: time.Hour, Grace: time.Hour, Idle: time.Hour}
	stream, ended := forever, forever
	stream.Hold, ended.Grace = 0, 0
	for _, bb := range []struct {
		name string
		opt  Options
		root bool
	}{{"open", stream, false}, {"closed", ended, true}, {"chunk", forever, false}} {
		b.Run(bb.name, func(b *testing.B) {
			var perTrace float64
			for b.Loop() {
				before := inUse()
				buf := New[*int](bb.opt)
				for i := range n {
					buf.Add(start, Chunk[*int]{Trace: number(i), Spans: 1, Bytes: 1, Root: bb.root})
				}
				perTrace = float64(inUse()-before) / n
				runtime.KeepAlive(buf)
			}
			b.ReportMetric(perTrace, "B/trace")
		})
	}
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func number(n int) (id pcommon.TraceID) {
	binary.BigEndian.PutUint64(id[8:], uint64(n))
	return id
}
