package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/redteam"
)

// scenarioFlags say what to generate.
func scenarioFlags(cmd *cobra.Command, o *redteam.Options) {
	flags := cmd.Flags()
	flags.StringVar(&o.Vertical, "vertical", "healthcare", fmt.Sprintf("line of business, one of %v", redteam.Verticals()))
	flags.StringVar(&o.Adversary, "adversary", "A1", "what the attacker controls: A0 nothing, A1 the user's words, A2 also tools and memory")
	flags.StringVar(&o.Dialect, "dialect", "otel-genai", fmt.Sprintf("form of the telemetry, one of %v", redteam.Dialects()))
	flags.Uint64Var(&o.Seed, "seed", 42, "the same seed gives the same bytes")
	flags.IntVarP(&o.N, "count", "n", 10, "number of scenarios")
}

func redteamGenerateCommand() *cobra.Command {
	var o redteam.Options
	var output string
	cmd := &cobra.Command{
		Use:   "generate [flags]",
		Short: "Write scenarios: a vault, an attack, and the trace of the agent that was attacked",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			data, err := generate(o)
			if err == nil {
				err = writeTo(output, cmd.OutOrStdout(), false, func(w io.Writer) error { _, err := w.Write(data); return err })
			}
			return failure(err)
		},
	}
	scenarioFlags(cmd, &o)
	cmd.Flags().StringVar(&output, "output", "-", "where the labelled runs go, - for standard output")
	return cmd
}

func redteamRunCommand() *cobra.Command {
	var o redteam.Options
	var f redteamFlags
	cmd := &cobra.Command{
		Use:   "run [flags]",
		Short: "Generate scenarios, audit them, and report the rates",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.validate(cmd); err != nil {
				return failure(err)
			}
			j, err := newJudge(f.config, cmd.ErrOrStderr())
			if err != nil {
				return failure(err)
			}
			data, err := generate(o)
			if err != nil {
				return failure(err)
			}
			set, err := readRunFile(&input{name: o.Vertical + " " + o.Adversary, data: data})
			if err != nil {
				return failure(err)
			}
			r, err := j.sets([]*runSet{set}, cmd.ErrOrStderr())
			if err != nil {
				return failure(err)
			}
			return f.finish(cmd, r)
		},
	}
	scenarioFlags(cmd, &o)
	f.register(cmd)
	return cmd
}

// generate writes scenarios as lines.
func generate(o redteam.Options) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := redteam.Generate(o, func(s *redteam.Scenario) error {
		r, err := s.Record()
		if err != nil {
			return err
		}
		return enc.Encode(r)
	})
	return out.Bytes(), err
}
