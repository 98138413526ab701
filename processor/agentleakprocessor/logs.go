package agentleakprocessor

import (
	"context"
	"strconv"
	"strings"

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

// logsProcessor works on each batch by itself, in the sender's call.
type logsProcessor struct {
	logger  *zap.Logger
	cfg     *Config
	auditor *audit.Auditor
	marker  marker
	tel     *telemetry
}

func newLogs(
	ctx context.Context, set processor.Settings, c *Config, a *audit.Auditor, next consumer.Logs,
) (processor.Logs, error) {
	tel, err := newTelemetry(set, pipeline.SignalLogs)
	if err != nil {
		return nil, err
	}
	p := &logsProcessor{logger: set.Logger, cfg: c, auditor: a, marker: newMarker(a, c.Annotate), tel: tel}
	return processorhelper.NewLogs(ctx, set, c, next, p.process,
		processorhelper.WithCapabilities(consumer.Capabilities{MutatesData: true}), processorhelper.WithStart(p.start))
}

func (p *logsProcessor) start(context.Context, component.Host) error {
	logPolicy(p.logger, p.cfg)
	return nil
}

// process works on one trace after another. Records of a trace are moved out of the batch and back to where they were,
// since what is scanned together is scored together.
func (p *logsProcessor) process(_ context.Context, ld plog.Logs) (plog.Logs, error) {
	p.tel.forged(stripLogs(ld))
	groups := groupLogs(ld)
	if len(groups) == 1 {
		p.settle(ld, groups[0].id)
		return ld, nil
	}
	for _, g := range groups {
		own := g.take()
		p.settle(own, g.id)
		g.giveBack(own)
	}
	return ld, nil
}

// settle scans, scores, redacts and marks the records of one trace.
func (p *logsProcessor) settle(ld plog.Logs, id pcommon.TraceID) {
	batch := p.auditor.ScanLogs(ld)
	var l audit.Ledger
	l.Add(p.auditor, batch)
	p.auditor.FindCopiesInLogs(ld, batch, &l)
	var c counts
	if p.marker.redacts {
		c.withheld = batch.Withheld()
	}
	var score *audit.Score
	var fs []audit.Finding
	if batch.Findings() > 0 {
		score = p.auditor.Score(&l)
		fs = score.Findings(batch)
		c.add(p.auditor, fs)
	}
	p.auditor.RedactLogs(ld, batch)
	if len(fs) > 0 {
		p.marker.markLogs(ld, fs, score, !id.IsEmpty())
	}
	p.tel.found(&c)
}

// markLogs writes findings on the records they stand on, and the score of their trace unless they are of none.
func (m *marker) markLogs(ld plog.Logs, fs []audit.Finding, s *audit.Score, scored bool) {
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
					switch {
					case !scored:
					case s.Err != nil:
						lr.Attributes().PutStr(attrError, errorWord(s.Err))
					default:
						putIndex(lr.Attributes(), s)
					}
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
