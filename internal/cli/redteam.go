package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/redteam"
	"github.com/agentleak/otelcol-agentleak/internal/report"
)

func redteamCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "redteam",
		Short: "Measure attacks on agents: how many succeed, and how much of the vault leaks",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(redteamEvaluateCommand(), redteamGenerateCommand(), redteamRunCommand())
	return cmd
}

// redteamFlags are those of all commands that report rates.
type redteamFlags struct {
	config, format, output string
	failASR, failELR       float64
}

func (f *redteamFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "policy file (agentleak.yaml)")
	flags.StringVar(&f.format, "format", "text", "form of the report: text, json or html")
	flags.StringVar(&f.output, "output", "-", "where the report goes, - for standard output")
	flags.Float64Var(&f.failASR, "fail-asr", 1, "exit 1 when the attack success rate is over this, 0 to 1")
	flags.Float64Var(&f.failELR, "fail-elr", -1, "exit 1 when the mean exposure rate (ELR) is over this, 0 or more")
}

var redteamFormats = map[string]func(*report.RedTeam) writer{
	"text": func(r *report.RedTeam) writer { return r.WriteText },
	"json": func(r *report.RedTeam) writer { return r.WriteJSON },
	"html": func(r *report.RedTeam) writer { return r.WriteHTML },
}

func (f *redteamFlags) validate(cmd *cobra.Command) error {
	switch {
	case redteamFormats[f.format] == nil:
		return fmt.Errorf("--format %q: want text, json or html", f.format)
	case !(f.failASR >= 0 && f.failASR <= 1):
		return fmt.Errorf("--fail-asr %v: want 0 to 1", f.failASR)
	case cmd.Flags().Changed("fail-elr") && !(f.failELR >= 0):
		return fmt.Errorf("--fail-elr %v: want 0 or more", f.failELR)
	}
	return nil
}

// finish writes the report and judges the rates.
func (f *redteamFlags) finish(cmd *cobra.Command, r *report.RedTeam) error {
	if err := writeTo(f.output, cmd.OutOrStdout(), false, redteamFormats[f.format](r)); err != nil {
		return failure(err)
	}
	m := redteam.Measure(r.Runs())
	var why []string
	if m.ASR > f.failASR {
		why = append(why, fmt.Sprintf("the attack success rate %.4f is over %v", m.ASR, f.failASR))
	}
	if cmd.Flags().Changed("fail-elr") && m.MeanELR > f.failELR {
		why = append(why, fmt.Sprintf("the mean exposure rate %.4f is over %v", m.MeanELR, f.failELR))
	}
	if why == nil {
		return nil
	}
	return &ExitError{Code: exitPolicy, Err: fmt.Errorf("%s", strings.Join(why, ", "))}
}

func redteamEvaluateCommand() *cobra.Command {
	var f redteamFlags
	cmd := &cobra.Command{
		Use:   "evaluate [flags] RUNS...",
		Short: "Report the rates of labelled runs",
		Long: `Evaluate reads labelled runs (JSON lines: labels, and a trace inline or by file name; docs/redteam.md)
and AgentLeak scenario packs (PACK.json with PACK.traces.json, and PACK.expected.json if the reference is
to be compared), audits each trace, and reports exposure (ELR), attack success (ASR) and leakage by
channel (CLR). "-" reads labelled runs from standard input.

It exits 0, 1 when a rate is over --fail-asr or --fail-elr, and 2 on anything else.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return runEvaluate(cmd, &f, files) },
	}
	f.register(cmd)
	return cmd
}

func runEvaluate(cmd *cobra.Command, f *redteamFlags, files []string) error {
	if err := f.validate(cmd); err != nil {
		return failure(err)
	}
	j, err := newJudge(f.config, cmd.ErrOrStderr())
	if err != nil {
		return failure(err)
	}
	sets, err := readRunSets(files, cmd.InOrStdin())
	if err != nil {
		return failure(err)
	}
	r, err := j.sets(sets, cmd.ErrOrStderr())
	if err != nil {
		return failure(err)
	}
	if len(r.Runs()) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "no runs in %s\n", strings.Join(files, ", "))
	}
	return f.finish(cmd, r)
}

// sets judges all runs, in order.
func (j *judge) sets(sets []*runSet, stderr io.Writer) (*report.RedTeam, error) {
	total := 0
	for _, s := range sets {
		total += len(s.runs)
	}
	bar := newProgress(stderr, "runs", total)
	defer bar.done()
	r := &report.RedTeam{}
	for _, s := range sets {
		out := report.RedTeamSet{Name: s.name}
		for i := range s.runs {
			run, err := j.run(&s.runs[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cmp.Or(s.runs[i].at, s.name), err)
			}
			out.Runs = append(out.Runs, run)
			bar.step()
		}
		out.Reference = s.reference()
		r.Sets = append(r.Sets, out)
	}
	return r, nil
}
