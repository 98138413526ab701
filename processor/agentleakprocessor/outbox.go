package agentleakprocessor

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// The bounds of retrying. An exporter with a sending queue takes all offers until the queue is full, so most refusals
// are short; behind one that is down for longer, senders are refused in turn (outbox.full).
const (
	firstWait   = 100 * time.Millisecond
	longestWait = 10 * time.Second
	patience    = 5 * time.Minute  // with one batch
	farewell    = 30 * time.Second // with all batches together, once shut down
)

// A parcel is finished spans that go out in one piece.
type parcel struct {
	td    ptrace.Traces
	spans int
	bytes int64
	// entries are its pieces in the journal.
	entries []entry
}

// An outbox passes parcels on in their order: one goroutine merges what has come together and offers it to the next
// component until that takes it. Putting never waits, so the timers of the shards never do; what bounds the queue is
// that senders are refused while it is full, and that shards hold no more than they may.
type outbox struct {
	next   consumer.Traces
	tel    *telemetry
	health func(ok bool) // called when it changes
	bound  int64
	keeps  *journal // nil where nothing is kept

	mu     sync.Mutex
	queue  []parcel
	closed bool
	wake   chan struct{} // a parcel came, or close

	// What waits or is being offered.
	bytes, spans atomic.Int64

	hurry  chan struct{} // closed by close
	until  time.Time     // of the farewell, written before hurry is closed
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	well   bool // the sender's
}

func newOutbox(next consumer.Traces, tel *telemetry, bound int64) *outbox {
	ctx, cancel := context.WithCancel(context.Background())
	return &outbox{
		next: next, tel: tel, health: func(bool) {}, bound: bound, ctx: ctx, cancel: cancel, well: true,
		wake: make(chan struct{}, 1), hurry: make(chan struct{}), done: make(chan struct{}),
	}
}

// full reports whether so much waits that no more should be accepted from senders.
func (o *outbox) full() bool { return o.bytes.Load() > o.bound }

// put adds parcels. It never waits.
func (o *outbox) put(ps []parcel) {
	if len(ps) == 0 {
		return
	}
	for i := range ps {
		o.bytes.Add(ps[i].bytes)
		o.spans.Add(int64(ps[i].spans))
	}
	o.mu.Lock()
	o.queue = append(o.queue, ps...)
	o.mu.Unlock()
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run is the sender. It returns when the outbox is closed and empty.
func (o *outbox) run() {
	defer close(o.done)
	for {
		o.mu.Lock()
		var ps []parcel
		ps, o.queue = portion(o.queue)
		closed := o.closed
		o.mu.Unlock()
		switch {
		case len(ps) > 0:
			p := merge(ps)
			o.deliver(p)
			o.bytes.Add(-p.bytes)
			o.spans.Add(-int64(p.spans))
		case closed:
			return
		default:
			<-o.wake
		}
	}
}

// close lets the sender end once all is passed on or given up, and waits for it. What ctx leaves no time for is lost.
func (o *outbox) close(ctx context.Context) error {
	defer o.cancel()
	now := time.Now()
	o.until = now.Add(farewell)
	if by, ok := ctx.Deadline(); ok {
		// A tenth is left for counting what is lost.
		most := by.Sub(now) * 9 / 10
		o.until = earliest(o.until, now.Add(most))
		stop := time.AfterFunc(most, o.cancel)
		defer stop.Stop()
	}
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	close(o.hurry)
	o.signal()
	select {
	case <-o.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// deliver offers p until it is taken or given up. Each span of it is counted as gone on or as lost.
func (o *outbox) deliver(p parcel) {
	begun, wait := time.Now(), firstWait
	for o.ctx.Err() == nil {
		err := o.offer(p.td)
		if err == nil {
			o.sent(p.spans)
			o.keeps.gone(p.entries)
			o.feel(true)
			return
		}
		o.feel(false)
		// A next component that took a part says what is left.
		var left consumererror.Traces
		if errors.As(err, &left) {
			if n := left.Data().SpanCount(); 0 < n && n < p.spans {
				o.sent(p.spans - n)
				p.td, p.spans = left.Data(), n
			}
		}
		if consumererror.IsPermanent(err) {
			o.lose(p, lostPermanent)
			return
		}
		if reason := o.pause(begun, wait); reason != "" {
			o.lose(p, reason)
			return
		}
		o.tel.ProcessorAgentleakSendRetries.Add(context.Background(), 1)
		wait = min(2*wait, longestWait)
	}
	o.lose(p, lostShutdown)
}

// lose counts what is given up. What a shutdown has no time for is not lost if the journal has it.
func (o *outbox) lose(p parcel, reason string) {
	if reason == lostShutdown && o.keeps.has(p.entries) {
		o.tel.ProcessorAgentleakKeptSpans.Add(context.Background(), int64(p.spans))
		return
	}
	o.tel.lost(p.spans, reason)
	o.keeps.gone(p.entries)
}

// offer makes one attempt. The next component owns what it gets, changes it perhaps and refuses it all the same, so it
// gets a copy. Strings are not copied, which makes that cheap beside the scan.
//
// A panic there is a permanent error here: an exporter that two pipelines share may be gone already when a shutdown
// flushes to it, and the spans of others are not to be lost with these.
func (o *outbox) offer(td ptrace.Traces) (err error) {
	defer func() {
		if recover() != nil { // what it says may be content
			err = consumererror.NewPermanent(errPanicked)
		}
	}()
	again := ptrace.NewTraces()
	td.CopyTo(again)
	return o.next.ConsumeTraces(o.ctx, again)
}

var errPanicked = errors.New("the next component panicked")

// pause waits for the time to try again, and returns why not to when time is up.
func (o *outbox) pause(begun time.Time, wait time.Duration) (giveUp string) {
	limit, reason, hurry := begun.Add(patience), lostRetries, o.hurry
	select {
	case <-hurry:
		// A nil channel no longer interrupts.
		limit, reason, hurry, wait = o.until, lostShutdown, nil, min(wait, time.Second)
	default:
	}
	left := time.Until(limit)
	if left <= 0 {
		return reason
	}
	timer := time.NewTimer(min(wait, left))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-hurry:
	case <-o.ctx.Done():
	}
	return ""
}

func (o *outbox) sent(spans int) {
	o.tel.ProcessorOutgoingItems.Add(context.Background(), int64(spans), o.tel.signal)
}

// feel tells of a change of health.
func (o *outbox) feel(ok bool) {
	if ok != o.well {
		o.well = ok
		o.health(ok)
	}
}
