package cli

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/redteam"
)

// A judge audits the traces of runs by one policy, that of the top-level stanzas: runs are compared with each other.
type judge struct {
	config  string
	auditor *audit.Auditor
}

func newJudge(config string, stderr io.Writer) (*judge, error) {
	a, err := newAuditor(config, stderr, audit.Options{})
	if err != nil {
		return nil, err
	}
	return &judge{config, a}, nil
}

// run audits the trace of a run. With canaries it is audited twice: detections don't overlap, so that a canary which
// is a sentence would hide what the detectors find in it, or they would hide the canary. The types are those of both;
// the score is the one with canaries.
func (j *judge) run(r *labelledRun) (redteam.Run, error) {
	if r.measured != nil {
		return *r.measured, nil
	}
	t, err := r.trace()
	if err != nil {
		return redteam.Run{}, err
	}
	whole := auditTrace(j.auditor, t, false)
	score, found := whole.Score, whole.Findings
	if len(r.canaries) > 0 {
		a, err := newAuditor(j.config, io.Discard, audit.Options{}, canaryDetector(r.canaries))
		if err != nil {
			return redteam.Run{}, err
		}
		with := auditTrace(a, t, false)
		score, found = with.Score, slices.Concat(found, with.Findings)
	}
	out, err := redteam.Judge(r.labels, score, found)
	if err != nil {
		return out, fmt.Errorf("run %q: %w", r.labels.Scenario, err)
	}
	return out, nil
}

// canaryDetector finds exact values, the longest first.
func canaryDetector(values []string) audit.CustomDetector {
	values = slices.Clone(values)
	slices.SortStableFunc(values, func(a, b string) int { return len(b) - len(a) })
	pattern := ""
	for _, v := range values {
		if v == "" {
			continue
		}
		if pattern != "" {
			pattern += "|"
		}
		pattern += regexp.QuoteMeta(v)
	}
	return audit.CustomDetector{Name: "canary", Pattern: pattern, DataType: "canary", Level: 4}
}

// trace is the one trace of a run.
func (r *labelledRun) trace() (*traceParts, error) {
	traces := group([]*input{{docs: r.docs}}, nil).order
	if r.traceID != "" {
		for _, t := range traces {
			if t.trace.String() == r.traceID || t.run != nil && t.run.id == r.traceID {
				return t, nil
			}
		}
		return nil, fmt.Errorf("trace_id %q: not among %d traces", r.traceID, len(traces))
	}
	switch len(traces) {
	case 1:
		return traces[0], nil
	case 0:
		return nil, errors.New("the trace has no spans or log records")
	}
	return nil, fmt.Errorf("%d traces: want one, or a trace_id that picks one", len(traces))
}
