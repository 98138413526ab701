package agentleakprocessor

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pipeline"
	"go.opentelemetry.io/collector/processor"
	"go.uber.org/zap"

	"github.com/agentleak/otelcol-agentleak/internal/assembly"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// Neither error is permanent: the same data may be sent again, to this collector later or to another.
var (
	errBusy    = errors.New("agentleak: the next component does not keep up, try again later")
	errStopped = errors.New("agentleak: not running")
)

// errRefused goes into the component's status. The next component's own words may hold what it was sent.
var errRefused = errors.New("the next component refuses traces")

// tracesProcessor owns the shards, their timers and the outbox.
type tracesProcessor struct {
	logger   *zap.Logger
	cfg      *Config
	policies *audit.Set
	tel      *telemetry
	settlers []*settler // by policy
	shards   shardSet
	id       component.ID
	others   *registry
	out      *outbox
	journal  *journal // nil where nothing is kept

	stopping, recovered atomic.Bool
	resumed             sync.WaitGroup

	// gate is held for reading while a batch is taken in, so that Shutdown sees all of it or none.
	gate    sync.RWMutex
	running bool
	stop    chan struct{}
	timers  sync.WaitGroup
}

func newTraces(
	set processor.Settings, c *Config, a *audit.Set, r *registry, next consumer.Traces,
) (*tracesProcessor, error) {
	tel, err := newTelemetry(set, pipeline.SignalTraces)
	if err != nil {
		return nil, err
	}
	p := &tracesProcessor{
		logger: set.Logger, cfg: c, policies: a, tel: tel, id: set.ID, others: r, stop: make(chan struct{}),
		settlers: newSettlers(a, c, tel),
		out:      newOutbox(next, tel, max(c.Limits.HeldBytes/4, batchBytes)),
	}
	n := shards(c, runtime.GOMAXPROCS(0))
	for range n {
		p.shards = append(p.shards, newShard(p.settlers, p.out, share(c, n), shareOfLedgers(c, n)))
	}
	return p, nil
}

// shards is how many shards to have: one for each core up to eight, but so few that each may hold four of the largest
// traces. A limit is the sum of those of the shards, and the smaller they are the more traces are torn apart by chance.
// Traces that share a ledger must meet under one lock, whatever their ids are.
func shards(c *Config, cores int) int {
	if len(c.Correlate) > 0 {
		return 1
	}
	l := c.Limits
	return max(1, min(cores, 8, int(min(l.HeldBytes/4/l.BytesPerTrace, 8)), l.OpenTraces))
}

// share is what one of n shards may hold.
func share(c *Config, n int) assembly.Options {
	return assembly.Options{
		Hold: c.Hold, Grace: c.Grace, Idle: c.IdleTimeout,
		HeldBytes: max(1, c.Limits.HeldBytes/int64(n)), BytesPerTrace: c.Limits.BytesPerTrace,
		OpenTraces: max(1, c.Limits.OpenTraces/n),
	}
}

func (p *tracesProcessor) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: true}
}

func (p *tracesProcessor) Start(ctx context.Context, host component.Host) error {
	st := newStatus(host, p.logger)
	left, err := p.open(ctx, host, st)
	if err != nil {
		return err
	}
	if err := p.tel.watch(p.shards, p.out, p.cfg.Limits.HeldBytes); err != nil {
		return err
	}
	logPolicy(p.logger, p.cfg, zap.Int("shards", len(p.shards)))
	p.out.health = func(ok bool) {
		st.set(trouble{errRefused, "the next component refuses traces, trying again", "the next component takes traces again"}, !ok)
	}
	go p.out.run()
	for _, s := range p.shards {
		p.timers.Go(func() { s.run(p.stop) })
	}
	p.others.join(p.id, p.shards)
	p.gate.Lock()
	p.running = true
	p.gate.Unlock()
	if p.recovered.Store(p.journal == nil); p.journal != nil {
		p.resumed.Go(func() { p.resume(left) })
	}
	return nil
}

// open opens the journal, if there is to be one.
func (p *tracesProcessor) open(ctx context.Context, host component.Host, st *status) (left leftover, err error) {
	if p.cfg.Storage == nil {
		return left, nil
	}
	if !p.others.claim(p.id) {
		return left, fmt.Errorf("storage: two traces pipelines name %s: give each a component of its own, since what is kept is sent on by the one that kept it", p.id)
	}
	if p.journal, left, err = openJournal(ctx, host, p.id, p.cfg, p.policies, p.tel, p.logger, st); err != nil {
		p.others.unclaim(p.id)
		return left, err
	}
	p.out.keeps = p.journal
	for _, s := range p.shards {
		s.journal = p.journal
	}
	go p.journal.run()
	return left, nil
}

// Shutdown passes on all that is held, in order, and waits until the next component took it or ctx ends.
func (p *tracesProcessor) Shutdown(ctx context.Context) error {
	p.gate.Lock()
	was := p.running
	p.running = false
	p.gate.Unlock()
	if !was {
		return nil
	}
	p.stopping.Store(true)
	p.resumed.Wait()
	p.others.leave(p.id, p.shards)
	close(p.stop)
	p.timers.Wait()
	for _, s := range p.shards {
		s.flush()
	}
	err := p.out.close(ctx)
	if p.journal != nil {
		err = errors.Join(err, p.journal.close(ctx))
		p.others.unclaim(p.id)
	}
	p.tel.Shutdown()
	p.logger.Info("agentleak stopped", zap.Int64("spans not passed on", p.out.spans.Load()))
	return err
}

// ConsumeTraces takes all of td or, with an error that permits a retry, none of it. td is void afterwards.
func (p *tracesProcessor) ConsumeTraces(ctx context.Context, td ptrace.Traces) error {
	p.gate.RLock()
	defer p.gate.RUnlock()
	begun, spans := time.Now(), td.SpanCount()
	switch {
	case spans == 0:
		return nil
	case !p.running:
		return errStopped
	case !p.recovered.Load():
		return errRecovering
	case p.out.full():
		p.tel.ProcessorAgentleakRefusedSpans.Add(ctx, int64(spans))
		return errBusy
	}
	p.tel.forged(stripTraces(td))
	if p.cfg.streams() && p.journal == nil {
		defer func() { p.tel.ProcessorInternalDuration.Record(ctx, time.Since(begun).Seconds(), p.tel.signal) }()
		return p.stream(ctx, td, spans)
	}
	pieces := split(td, p.policies.Matcher())
	kept := p.journal.keep(pieces) // is written while we scan
	p.scan(pieces...)
	if err := kept.wait(); err != nil {
		p.tel.ProcessorAgentleakRefusedSpans.Add(ctx, int64(spans))
		return err
	}
	p.tel.ProcessorIncomingItems.Add(ctx, int64(spans), p.tel.signal)
	for _, piece := range pieces {
		p.admit(piece)
	}
	p.tel.ProcessorInternalDuration.Record(ctx, time.Since(begun).Seconds(), p.tel.signal)
	return nil
}

// scan reads pieces that came together.
func (p *tracesProcessor) scan(pieces ...*piece) {
	begun, text := time.Now(), 0
	for _, x := range pieces {
		a := p.policies.At(x.policy)
		a.Expire(begun)
		x.batch = a.ScanTraces(x.td)
		x.group = groupUnder(p.policies, x.policy, correlated(x.td, p.cfg.Correlate))
		x.weigh()
		text += x.batch.Text()
	}
	p.tel.scanned(text, time.Since(begun))
}

// admit takes a scanned piece over.
func (p *tracesProcessor) admit(x *piece) {
	if x.id.IsEmpty() {
		p.out.put(p.settlers[x.policy].loose(x))
		return
	}
	p.shards.of(x.id).add(x)
}
