package assembly

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

var seedFlag = flag.Uint64("seed", 0, "repeat TestRandom with the seed it printed")

// TestRandom plays random lives and checks each step against the model and against what must hold
// of any buffer, whatever the model thinks.
func TestRandom(t *testing.T) {
	lives := 2000
	if testing.Short() {
		lives = 200
	}
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	seen := map[string]int{}
	for i := range lives {
		data := make([]byte, 8+rng.IntN(400))
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		l := newLife(t, data)
		l.play()
		if t.Failed() {
			t.Fatalf("seed %d, life %d", seed, i)
		}
		for k, n := range l.seen {
			seen[k] += n
		}
	}
	// A property that its cases never reach proves nothing.
	for _, r := range []Reason{RootEnded, HeldLongest, Quiet, TooBig, Pressure, Evicted, Flushed, Late} {
		if seen[r.String()] < lives/10 {
			t.Errorf("%v happened %d times in %d lives", r, seen[r.String()], lives)
		}
	}
	for _, k := range []string{"reopened", "closed by pressure", "second root too big", "touched"} {
		if seen[k] == 0 {
			t.Errorf("%s: never happened", k)
		}
	}
}

func FuzzBuffer(f *testing.F) {
	f.Add([]byte("\x03\x02\x04\x00\x00\x00\x00\x00abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			t.Skip()
		}
		newLife(t, data).play()
	})
}

// life is a buffer that is driven by bytes: first its options, then what happens.
type life struct {
	t    *testing.T
	data []byte
	opt  Options
	b    *Buffer[int]
	m    *model
	now  time.Time
	seen map[string]int

	added  []Chunk[int] // by payload
	out    []int        // how often each was released
	traces map[pcommon.TraceID]*record
}

// record is what is known of a trace from the outside, until it is forgotten.
type record struct {
	closed   bool
	rootAt   time.Time // when the first root came, while it is held
	lastRest int       // payload of the chunk, no root, that was released last
}

func newLife(t *testing.T, data []byte) *life {
	l := &life{t: t, data: data, now: start, seen: map[string]int{}, traces: map[pcommon.TraceID]*record{}}
	pick := func(of ...int) int { return of[l.byte()%len(of)] }
	l.opt = Options{
		Hold:          time.Duration(pick(0, 1, 3, 10, 40)) * time.Second,
		Grace:         time.Duration(pick(0, 1, 2, 2, 5)) * time.Second,
		Idle:          time.Duration(pick(0, 1, 8, 20, 20)) * time.Second,
		HeldBytes:     int64(pick(0, 0, 40, 100)),
		BytesPerTrace: int64(pick(0, 0, 20, 60, 200)),
		OpenTraces:    pick(0, 0, 1, 3, 6),
	}
	l.b, l.m = New[int](l.opt), newModel(l.opt)
	l.tick(start) // so that all agree on where a clock that steps back stops
	return l
}

func (l *life) record(id pcommon.TraceID) *record {
	rec := l.traces[id]
	if rec == nil {
		rec = &record{lastRest: -1}
		l.traces[id] = rec
	}
	return rec
}

func (l *life) byte() int {
	if len(l.data) == 0 {
		return 0
	}
	c := l.data[0]
	l.data = l.data[1:]
	return int(c)
}

func (l *life) play() {
	for len(l.data) > 0 && !l.t.Failed() {
		switch op := l.byte(); {
		case op < 190:
			at := l.now.Add(time.Duration(op%4) * 250 * time.Millisecond)
			if op >= 180 { // a clock that steps back
				at = l.now.Add(-time.Second)
			}
			if op >= 160 && op < 180 {
				l.touch(at, traceID(fmt.Sprint("t", l.byte()%8)))
				break
			}
			how := l.byte()
			l.add(at, Chunk[int]{
				Trace: traceID(fmt.Sprint("t", l.byte()%8)), Root: how%6 == 0,
				Bytes: how % 25, Spans: how % 3, Payload: len(l.added),
			})
		case op < 200: // it does so here, too
			l.tick(l.now.Add(-time.Second))
		case op < 215: // exactly when the next thing is due, and just before
			if next, ok := l.b.Next(); ok {
				if rs := l.tick(next.Add(-1)); len(rs) > 0 {
					l.t.Errorf("released before Next %v: %v", next.Sub(start), rs)
				}
				if rs := l.tick(next); len(rs) == 0 {
					l.t.Errorf("nothing released at Next %v", next.Sub(start))
				}
			}
		case op < 253:
			l.tick(l.now.Add(time.Duration(l.byte()) * 50 * time.Millisecond))
		default:
			l.flush()
		}
	}
	l.flush()
}

func (l *life) add(now time.Time, c Chunk[int]) {
	if now.After(l.now) {
		l.now = now
	}
	l.added, l.out = append(l.added, c), append(l.out, 0)
	l.check(l.b.Add(now, c), l.m.add(now, c))
	if l.out[c.Payload] > 0 {
		return
	}
	rec := l.record(c.Trace)
	if rec.closed {
		l.seen["reopened"]++
		rec.closed = false
	}
	if c.Root && rec.rootAt.IsZero() {
		rec.rootAt = l.now
	}
}

func (l *life) touch(now time.Time, id pcommon.TraceID) {
	if now.After(l.now) {
		l.now = now
	}
	l.seen["touched"]++
	l.check(l.b.Touch(now, id), l.m.touchOnly(now, id))
	if _, known := l.b.traces[id]; known {
		l.record(id)
	}
}

func (l *life) tick(now time.Time) []Release[int] {
	if now.After(l.now) {
		l.now = now
	}
	rs := l.b.Tick(now)
	l.check(rs, l.m.tick(now))
	if again := l.b.Tick(now); len(again) > 0 {
		l.t.Errorf("a second Tick released %v", again)
	}
	return rs
}

func (l *life) flush() {
	l.check(l.b.Flush(l.now), l.m.flush(l.now))
	if _, ok := l.b.Next(); ok || l.b.HeldBytes() != 0 || l.b.HeldSpans() != 0 || l.b.KnownTraces() != 0 {
		l.t.Errorf("not empty after Flush")
	}
	for p, n := range l.out {
		if n != 1 {
			l.t.Errorf("chunk %d was released %d times", p, n)
		}
	}
	for id := range l.traces {
		l.t.Errorf("trace %s was not forgotten", id[:2])
	}
}

// check looks at the releases of one step and at the buffer after it.
func (l *life) check(got, want []Release[int]) {
	l.t.Helper()
	if !reflect.DeepEqual(want, got) {
		l.t.Errorf("at %v with %+v (-model +buffer)\n%s", l.now.Sub(start), l.opt, cmp.Diff(want, got))
	}
	for _, r := range got {
		l.release(r)
	}
	l.bounds()
}

func (l *life) release(r Release[int]) {
	l.t.Helper()
	rec := l.record(r.Trace)
	l.seen[r.Reason.String()]++
	roots := 0
	for _, c := range r.Chunks {
		l.out[c.Payload]++
		switch in := l.added[c.Payload]; {
		case c.Trace != r.Trace || in.Trace != c.Trace || in.Bytes != c.Bytes || in.Spans != c.Spans || in.Root != c.Root:
			l.t.Errorf("chunk %+v came out as %+v", in, c)
		case c.Arrived.After(l.now):
			l.t.Errorf("chunk %d left before it came", c.Payload)
		case c.Root:
			roots++
		case roots > 0:
			l.t.Errorf("%v: a root before chunk %d", r.Reason, c.Payload)
		case c.Payload <= rec.lastRest:
			l.t.Errorf("%v: chunk %d after chunk %d", r.Reason, c.Payload, rec.lastRest)
		default:
			rec.lastRest = c.Payload
		}
	}
	early := r.Reason == TooBig || r.Reason == Pressure || r.Reason == Evicted || r.Reason == Flushed
	if held := !rec.rootAt.IsZero(); held && r.Closed {
		if !early && l.now.Sub(rec.rootAt) < l.opt.Grace {
			l.t.Errorf("%v: the root waited %v", r.Reason, l.now.Sub(rec.rootAt))
		}
		if roots == 0 {
			l.t.Errorf("%v: closed, but the root stays", r.Reason)
		}
	} else if roots > 0 && !r.Closed {
		l.seen["second root too big"]++
		if r.Reason != TooBig {
			l.t.Errorf("%v: a root without a score", r.Reason)
		}
	}
	if r.Reason == Late && !rec.closed {
		l.t.Errorf("late, but the trace was not closed")
	}
	if r.Reason != Late && rec.closed && len(r.Chunks) > 0 && roots == 0 {
		l.t.Errorf("%v: held although the trace was closed", r.Reason)
	}
	if r.Reason == Pressure && r.Closed {
		l.seen["closed by pressure"]++
	}
	if r.Closed {
		rec.closed, rec.rootAt = true, time.Time{}
	}
	if r.Forget {
		if !rec.closed {
			l.t.Errorf("%v: forgotten before it was closed", r.Reason)
		}
		delete(l.traces, r.Trace)
	}
	if len(r.Chunks) == 0 && !r.Closed && !r.Forget {
		l.t.Errorf("%v: a release of nothing", r.Reason)
	}
}

// bounds compares what the buffer says of itself with what is in it, and both with the bounds.
func (l *life) bounds() {
	l.t.Helper()
	var bytes int64
	spans, open := 0, 0
	perTrace := map[pcommon.TraceID]int64{}
	for p, n := range l.out {
		if n == 0 {
			bytes += int64(l.added[p].Bytes)
			spans += l.added[p].Spans
			perTrace[l.added[p].Trace] += int64(l.added[p].Bytes)
		}
	}
	for _, t := range l.b.traces {
		if t.in != &l.b.closed {
			open++
		}
		if t.bytes != perTrace[t.id] {
			l.t.Errorf("trace %s says %d bytes, holds %d", t.id[:2], t.bytes, perTrace[t.id])
		}
		if (t.in == &l.b.ending) != (t.roots.n > 0) || t.in == &l.b.closed && t.rest.n > 0 {
			l.t.Errorf("trace %s is in the wrong queue", t.id[:2])
		}
		if lim := l.opt.BytesPerTrace; lim > 0 && t.bytes > lim {
			l.t.Errorf("trace %s holds %d of %d bytes", t.id[:2], t.bytes, lim)
		}
	}
	if l.b.HeldBytes() != bytes || l.b.HeldSpans() != spans || l.b.OpenTraces() != open {
		l.t.Errorf("says %d bytes, %d spans, %d open; holds %d, %d, %d",
			l.b.HeldBytes(), l.b.HeldSpans(), l.b.OpenTraces(), bytes, spans, open)
	}
	if lim := l.opt.HeldBytes; lim > 0 && bytes > lim {
		l.t.Errorf("holds %d of %d bytes", bytes, lim)
	}
	if lim := l.opt.OpenTraces; lim > 0 && l.b.KnownTraces() > lim {
		l.t.Errorf("knows %d of %d traces", l.b.KnownTraces(), lim)
	}
}
