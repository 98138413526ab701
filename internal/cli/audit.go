package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/report"
)

type auditFlags struct {
	config, format, output string
	failUnder              int
	showValues             bool
}

func auditCommand() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "audit [flags] FILE...",
		Short: "Score the traces in files",
		Long: `Audit reads OTLP traces and logs (JSON, JSON lines as the file exporter writes them, protobuf) and
AgentLeak trace JSON, and computes the privacy score of each trace. All files of one call are one
set: spans and log records belong together by their trace id. "-" reads standard input.

It exits 0 when the policy holds for every trace, 1 when it fails for one or a score is under
--fail-under, and 2 on anything else.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return runAudit(cmd, &f, files) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "policy file (agentleak.yaml)")
	flags.StringVar(&f.format, "format", "text", "form of the report: text or json")
	flags.StringVar(&f.output, "output", "-", "where the report goes, - for standard output")
	flags.IntVar(&f.failUnder, "fail-under", 0, "exit 1 when a privacy score is under this, 0 to 100")
	flags.BoolVar(&f.showValues, "show-values", false, "show the values found, for triage on your own machine")
	return cmd
}

var formats = map[string]func(*report.Set) writer{
	"text": func(s *report.Set) writer { return s.WriteText },
	"json": func(s *report.Set) writer { return s.WriteJSON },
}

func runAudit(cmd *cobra.Command, f *auditFlags, files []string) error {
	form, ok := formats[f.format]
	if !ok {
		return failure(fmt.Errorf("--format %q: want text or json", f.format))
	}
	if f.failUnder < 0 || f.failUnder > 100 {
		return failure(fmt.Errorf("--fail-under %d: want 0 to 100", f.failUnder))
	}
	// Values are needed to keep them out of the names in the report.
	a, err := newAuditor(f.config, cmd.ErrOrStderr(), audit.Options{KeepValues: true})
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
		in.data = nil
		inputs = append(inputs, in)
	}
	var set report.Set
	for _, t := range group(inputs).order {
		set.Traces = append(set.Traces, auditTrace(a, t, f.showValues))
	}
	if len(set.Traces) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "no spans or log records in %s\n", strings.Join(files, ", "))
	}
	if err := writeTo(f.output, cmd.OutOrStdout(), f.showValues, form(&set)); err != nil {
		return failure(err)
	}
	return gate(&set, f.failUnder)
}

// auditTrace scores one trace.
func auditTrace(a *audit.Auditor, t *traceParts, showValues bool) report.Trace {
	spans, logs := t.copySpans(), t.copyLogs()
	if t.run == nil {
		distrust(spans, logs)
	}
	x := examine(a, spans, logs)
	sc := a.Score(&x.ledger)
	ofLogs := sc.Findings(x.ofLogs)
	where := t.logWhere()
	for i := range ofLogs {
		ofLogs[i].Where = where(ofLogs[i].Where)
	}
	out := report.Trace{Score: sc, Findings: slices.Concat(sc.Findings(x.ofSpans), ofLogs), Paths: sc.Paths(&x.ledger)}
	names := newLabeller(a.Scanner(), out.Findings)
	out.ID = names.label(t.name())
	names.findings(out.Findings, showValues)
	names.paths(out.Paths)
	return out
}

// gate is the error of a set that does not pass.
func gate(set *report.Set, failUnder int) error {
	low := 0
	for i := range set.Traces {
		if s := set.Traces[i].Score; s.Err == nil && s.Report.PrivacyScore < failUnder {
			low++
		}
	}
	var why []string
	if n := set.Failed(); n > 0 {
		why = append(why, fmt.Sprintf("the policy blocks %d of %d traces", n, len(set.Traces)))
	}
	if low > 0 {
		why = append(why, fmt.Sprintf("%d of %d traces scored under %d", low, len(set.Traces), failUnder))
	}
	if why == nil {
		return nil
	}
	return &ExitError{Code: exitPolicy, Err: fmt.Errorf("%s", strings.Join(why, ", "))}
}
