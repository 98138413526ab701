package agentleakprocessor

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pipeline"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processorhelper"
	"go.uber.org/zap"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// logsProcessor works on each batch in the sender's call. It holds no record; what it finds joins the ledgers of the
// traces instances of the same component, or where there are none, of its own.
type logsProcessor struct {
	logger   *zap.Logger
	cfg      *Config
	policies *audit.Set
	settlers []*settler // by policy
	tel      *telemetry
	id       component.ID
	others   *registry

	mu      sync.Mutex // guards own and running
	own     shardSet   // where no traces pipeline names the component
	running bool
	stop    chan struct{} // of own's timers
	timers  sync.WaitGroup
}

func newLogs(
	ctx context.Context, set processor.Settings, c *Config, a *audit.Set, r *registry, next consumer.Logs,
) (processor.Logs, error) {
	tel, err := newTelemetry(set, pipeline.SignalLogs)
	if err != nil {
		return nil, err
	}
	p := &logsProcessor{logger: set.Logger, cfg: c, policies: a, settlers: newSettlers(a, c, tel), tel: tel, id: set.ID, others: r}
	return processorhelper.NewLogs(ctx, set, c, next, p.process,
		processorhelper.WithCapabilities(consumer.Capabilities{MutatesData: true}), processorhelper.WithStart(p.start),
		processorhelper.WithShutdown(p.shutdown))
}

func (p *logsProcessor) start(context.Context, component.Host) error {
	logPolicy(p.logger, p.cfg)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = true
	return nil
}

func (p *logsProcessor) shutdown(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running = false; p.own != nil {
		p.others.leave(p.id, p.own)
		close(p.stop)
		p.timers.Wait()
		p.own = nil
	}
	return nil
}

// sets are where the ledgers of traces are. Where no traces pipeline names the component it makes a set that never
// holds a span.
func (p *logsProcessor) sets() []shardSet {
	if sets := p.others.of(p.id); len(sets) > 0 {
		return sets
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.own == nil && p.running {
		n := shards(p.cfg, runtime.GOMAXPROCS(0))
		p.stop = make(chan struct{})
		for range n {
			own := newShard(p.settlers, nil, share(p.cfg, n), shareOfLedgers(p.cfg, n))
			p.own = append(p.own, own)
			p.timers.Go(func() { own.run(p.stop) })
		}
		p.others.join(p.id, p.own)
	}
	return p.others.of(p.id)
}

// process works on one trace after another. Records of a trace are moved out of the batch and back to where they were,
// since what is scanned together is scored together.
func (p *logsProcessor) process(_ context.Context, ld plog.Logs) (plog.Logs, error) {
	p.tel.forged(stripLogs(ld))
	var policies resourcePolicies
	if m := p.policies.Matcher(); m != nil {
		policies, _ = m.Logs(ld)
	}
	groups := groupLogs(ld, policies)
	if len(groups) == 1 {
		return ld, p.settle(ld, groups[0].partID)
	}
	for _, g := range groups {
		own := g.take()
		err := p.settle(own, g.partID)
		if g.giveBack(own); err != nil {
			return ld, err
		}
	}
	return ld, nil
}

// settle scans, scores, redacts and marks the records of one trace. A record of none is scored by itself: what came in
// one batch may be of anybody.
//
// It fails only where what was found could not be kept. The records may be sent again then: finding the same twice is the
// same as once.
func (p *logsProcessor) settle(ld plog.Logs, id partID) error {
	begun, s := time.Now(), p.settlers[id.policy]
	s.auditor.Expire(begun)
	batch := s.auditor.ScanLogs(ld)
	p.tel.scanned(batch.Text(), time.Since(begun))
	if id.trace.IsEmpty() && batch.Findings() > 0 && ld.LogRecordCount() > 1 {
		for _, g := range eachLog(ld) {
			own := g.take()
			err := p.settle(own, id)
			if g.giveBack(own); err != nil {
				return err
			}
		}
		return nil
	}
	j, err := p.judge(ld, id, batch)
	if err != nil {
		return err
	}
	var c counts
	if s.marker.redacts {
		c.withheld = batch.Withheld()
	}
	c.add(s.auditor, j.findings)
	c.allow(s.auditor, batch)
	s.auditor.RedactLogs(ld, batch)
	if len(j.findings) > 0 {
		s.marker.markLogs(ld, j.findings, j.score)
	}
	p.tel.found(&c, s.of)
	return nil
}

// judge joins a batch with the ledgers of its trace. Of several traces pipelines the one that knows most has the say.
func (p *logsProcessor) judge(ld plog.Logs, id partID, b *audit.Batch) (j judgement, err error) {
	var sets []shardSet
	var group pcommon.TraceID
	if !id.trace.IsEmpty() {
		sets, group = p.sets(), groupUnder(p.policies, id.policy, correlatedLogs(ld, p.cfg.Correlate))
	}
	if len(sets) == 0 {
		a, t := p.policies.At(id.policy), newTrace(id.policy)
		t.ledger.Add(a, b)
		a.FindCopiesInLogs(ld, b, t.ledger)
		return judge(a, b, t), nil
	}
	for _, set := range sets {
		now := set.of(id.trace).addLogs(id, group, ld, b)
		if err := now.kept.wait(); err != nil {
			return j, err
		}
		if now.score != nil && (len(now.findings) > len(j.findings) || now.size > j.size) {
			j = now
		}
	}
	return j, nil
}

// markLogs writes findings on the records they stand on, and the score of their trace.
func (m *marker) markLogs(ld plog.Logs, fs []audit.Finding, s *audit.Score) {
	on := map[int][]*audit.Finding{}
	for i := range fs {
		if n, ok := recordOf(fs[i].Where); ok {
			on[n] = append(on[n], &fs[i])
		}
	}
	n := 0
	for _, rl := range ld.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, lr := range sl.LogRecords().All() {
				if fs := on[n]; len(fs) > 0 {
					if m.marks {
						m.put(lr.Attributes(), recordMark, fs)
					}
					if s.Err != nil {
						lr.Attributes().PutStr(attrError, errorWord(s.Err))
					} else {
						putIndex(lr.Attributes(), s)
					}
					m.putPolicy(lr.Attributes())
				}
				n++
			}
		}
	}
}

// recordOf reads the number of the log record from "logs[3]:body". Resources and scopes have none.
func recordOf(where string) (int, bool) {
	rest, ok := strings.CutPrefix(where, "logs[")
	if !ok {
		return 0, false
	}
	digits, _, _ := strings.Cut(rest, "]")
	n, err := strconv.Atoi(digits)
	return n, err == nil
}
