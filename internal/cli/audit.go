package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/report"
)

type auditFlags struct {
	config, format, output string
	reports                []string
	baseline               string
	failUnder              int
	failOnNew              bool
	showValues, explain    bool
}

func auditCommand(version string) *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "audit [flags] FILE...",
		Short: "Score the traces in files",
		Long: `Audit reads OTLP traces and logs (JSON, JSON lines as the file exporter writes them, protobuf) and
AgentLeak trace JSON, and computes the privacy score of each trace. All files of one call are one
set: spans and log records belong together by their trace id. "-" reads standard input. Several reports
of one audit may be written at once: --report html=report.html --report sarif=leaks.sarif.

It exits 0 when the gate is open for every trace, 1 when one is blocked: its score is under
scoring.fail_below, which --fail-under overrides, a secret of level 4 leaked and scoring.block_on_critical
is on, or privacy_policy is violated. It exits 2 on anything else. With --baseline and --fail-on-new it is
new leaks that fail and scores under --fail-under, and the policy is only reported.

Where the policy file has policies, each part of a trace is scored by the one that matches it, and reported by itself.
With --explain the policies in force are written first: each key with its value, where that is from (file, inherited
from the top level, or default), and the traces they held for. It goes before a text report on standard output, and
to standard error beside any other. Without files nothing is audited.`,
		Args: func(cmd *cobra.Command, files []string) error {
			if f.explain {
				return nil
			}
			return cobra.MinimumNArgs(1)(cmd, files)
		},
		RunE: func(cmd *cobra.Command, files []string) error { return runAudit(cmd, &f, version, files) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "policy file (agentleak.yaml)")
	flags.StringVar(&f.format, "format", "text", "form of the report: "+formatNames())
	flags.StringVar(&f.output, "output", "-", "where the report goes, - for standard output")
	flags.StringArrayVar(&f.reports, "report", nil, "FORMAT=FILE, another report of the same audit; may be repeated")
	flags.IntVar(&f.failUnder, "fail-under", 0, "lowest privacy score that does not block, 0 to 100, instead of scoring.fail_below")
	flags.StringVar(&f.baseline, "baseline", "", "an earlier JSON report, to tell new leaks from known ones")
	flags.BoolVar(&f.failOnNew, "fail-on-new", false, "with --baseline: exit 1 for new leaks only, whatever the policy says")
	flags.BoolVar(&f.explain, "explain", false, "write the policies in force, and what each held for")
	flags.BoolVar(&f.showValues, "show-values", false, "show the values found, for triage on your own machine")
	return cmd
}

func runAudit(cmd *cobra.Command, f *auditFlags, version string, files []string) error {
	outputs, err := f.outputs()
	if err != nil {
		return failure(err)
	}
	override := cmd.Flags().Changed("fail-under")
	if f.failUnder < 0 || f.failUnder > 100 {
		return failure(fmt.Errorf("--fail-under %d: want 0 to 100", f.failUnder))
	}
	if f.failOnNew && f.baseline == "" {
		return failure(fmt.Errorf("--fail-on-new: want --baseline with it"))
	}
	// Values are needed to keep them out of the names in the report.
	policy, err := readPolicy(f.config, cmd.ErrOrStderr())
	if err != nil {
		return failure(err)
	}
	if override {
		policy.Scoring.FailBelow = f.failUnder
		for i := range policy.Policies {
			policy.Policies[i].Scoring.FailBelow = f.failUnder
		}
	}
	policies, err := audit.NewSet(policy, audit.Options{KeepValues: true, Now: time.Now()})
	if err != nil {
		return failure(err)
	}
	baseline, err := f.readBaseline()
	if err != nil {
		return failure(err)
	}
	var inputs []*input
	for _, name := range files {
		in, err := open(name, cmd.InOrStdin())
		if err == nil {
			err = in.parse()
		}
		if err != nil {
			return failure(err)
		}
		if outputs.pointAtLines() {
			in.findSpans()
		}
		in.data = nil
		inputs = append(inputs, in)
	}
	set := report.Set{Files: files, Version: version, Basis: policies.Default().Basis()}
	for i := 1; i < policies.Len(); i++ {
		set.Policies = append(set.Policies, report.PolicyBasis{Name: policies.Name(i), Basis: policies.At(i).Basis()})
	}
	for i := range policies.Len() {
		for k, r := range policies.At(i).Allow() {
			set.Allow = append(set.Allow, report.AllowRow{Policy: policyName(policies, i), Index: k, Allowing: r})
		}
	}
	set.Traces = auditAll(policies, group(inputs, policies.Matcher()), f.showValues)
	if f.explain {
		w := cmd.OutOrStdout()
		if f.format != "text" || f.output != "-" {
			w = cmd.ErrOrStderr()
		}
		if err := writeTo("-", w, false, func(w io.Writer) error {
			return explainPolicies(w, &policy, override, len(files) > 0, set.Traces)
		}); err != nil {
			return failure(err)
		}
		if len(files) == 0 {
			return nil
		}
	}
	if len(set.Traces) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "no spans or log records in %s\n", strings.Join(files, ", "))
	}
	if baseline != nil {
		if set.Baseline, err = set.Compare(baseline); err != nil {
			return failure(fmt.Errorf("%s: %w", f.baseline, err))
		}
	}
	if err := outputs.write(cmd.OutOrStdout(), &set, f.showValues); err != nil {
		return failure(err)
	}
	return f.gate(&set)
}

// readBaseline reads the report that --baseline names, nil where it names none.
func (f *auditFlags) readBaseline() (*report.Baseline, error) {
	if f.baseline == "" {
		return nil, nil
	}
	file, err := os.Open(f.baseline)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.baseline, reason(err))
	}
	defer file.Close()
	b, err := report.ReadBaseline(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.baseline, reason(err))
	}
	return b, nil
}

// auditAll scores the parts of all traces, each by its policy.
func auditAll(policies *audit.Set, traces *traceSet, showValues bool) (out []report.Trace) {
	siblings := traces.siblings()
	early := map[*traceParts]*examined{} // parts that were looked at for another of their trace
	look := func(t *traceParts) *examined {
		if x := early[t]; x != nil {
			return x
		}
		return examineTrace(policies.At(t.policy), t)
	}
	for _, t := range traces.order {
		x := look(t)
		var others []*audit.Ledger
		for _, o := range siblings[t.trace] {
			if o != t {
				early[o] = look(o)
				others = append(others, &early[o].ledger)
			}
		}
		r := reportTrace(policies.At(t.policy), t, x, others, showValues)
		r.Policy = policyName(policies, t.policy)
		out = append(out, r)
	}
	return out
}

// auditTrace scores one trace.
func auditTrace(a *audit.Auditor, t *traceParts, showValues bool) report.Trace {
	return reportTrace(a, t, examineTrace(a, t), nil, showValues)
}

// examineTrace scans copies of the records of a trace.
func examineTrace(a *audit.Auditor, t *traceParts) *examined {
	spans, logs := t.copySpans(), t.copyLogs()
	if t.run == nil {
		distrust(spans, logs)
	}
	return examine(a, spans, logs)
}

// reportTrace scores what was examined; others are what is known of the parts of its trace under other policies.
func reportTrace(a *audit.Auditor, t *traceParts, x *examined, others []*audit.Ledger, showValues bool) report.Trace {
	sc := a.Score(&x.ledger)
	sc.Among(&x.ledger, others...)
	out := report.Trace{Score: sc, Findings: sc.Findings(x.ofSpans), Paths: sc.Paths(&x.ledger), Allowed: x.allowed()}
	origins := t.spanOrigins()
	for i := range out.Findings {
		out.Origins = append(out.Origins, origins[out.Findings[i].SpanID])
	}
	where := t.logWhere()
	for _, f := range sc.Findings(x.ofLogs) {
		var from origin
		f.Where, from = where(f.Where)
		out.Findings, out.Origins = append(out.Findings, f), append(out.Origins, from.report())
	}
	names := newLabeller(a.Scanner(), out.Findings)
	out.ID = names.label(t.name())
	out.Spans = reportSpans(x.spans, sc, names)
	names.findings(out.Findings, showValues)
	names.paths(out.Paths)
	return out
}

// gate is the error of a set that does not pass. It says how many traces what blocked.
func (f *auditFlags) gate(set *report.Set) error {
	by := map[string]int{}
	for i := range set.Traces {
		for _, b := range set.Traces[i].Score.Outcome.BlockedBy {
			by[b]++
		}
	}
	var why []string
	if f.failOnNew {
		switch n := set.Baseline.NewLeaks(); {
		case n == 1:
			why = append(why, "1 leak that the baseline lacks")
		case n > 1:
			why = append(why, fmt.Sprintf("%d leaks that the baseline lacks", n))
		}
		if low := by[agentrisk.BlockedByScore]; low > 0 && f.failUnder > 0 {
			why = append(why, fmt.Sprintf("%d of %d traces scored under %d", low, len(set.Traces), f.failUnder))
		}
	} else if n := set.Failed(); n > 0 {
		var reasons []string
		for _, b := range []string{
			agentrisk.BlockedByVault, agentrisk.BlockedByPolicy, agentrisk.BlockedByScore, agentrisk.BlockedByCritical,
		} {
			if by[b] > 0 {
				reasons = append(reasons, fmt.Sprintf("%s %d", b, by[b]))
			}
		}
		why = append(why, fmt.Sprintf("the policy blocks %d of %d traces (%s)", n, len(set.Traces), strings.Join(reasons, ", ")))
	}
	if why == nil {
		return nil
	}
	return &ExitError{Code: exitPolicy, Err: fmt.Errorf("%s", strings.Join(why, ", "))}
}
