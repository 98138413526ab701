package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// detector is one line of the list.
type detector struct {
	ID     string             `json:"id"`
	Type   agentrisk.DataType `json:"type"`
	Level  int                `json:"level"`
	Family string             `json:"family"`
	Group  string             `json:"group"`
	What   string             `json:"what"`
	Why    string             `json:"why"`
	Source string             `json:"source,omitempty"`
}

func rulesCommand() *cobra.Command {
	var config, format string
	var attributes attributeFlag
	cmd := &cobra.Command{
		Use:   "rules [flags]",
		Short: "List the detectors in force",
		Long: `Rules lists the detectors that the policy leaves on, with what each finds, what a find rests on, and the
publication it follows. A group is the detector's switch in the stanza detectors of the policy; custom
detectors come last. The samples of custom detectors are checked: one that its pattern misses is an error.

Of the policies in the file it is the one for telemetry with the attributes of --attribute, or that of the top level.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "text" && format != "json" {
				return failure(fmt.Errorf("--format %q: want text or json", format))
			}
			policies, err := newAuditors(config, cmd.ErrOrStderr(), audit.Options{})
			if err != nil {
				return failure(err)
			}
			a := policies.At(attributes.policy(policies))
			write := writeRulesText
			if format == "json" {
				write = writeRulesJSON
			}
			rules := a.Scanner().Rules()
			return failure(writeTo("-", cmd.OutOrStdout(), false, func(w io.Writer) error { return write(w, rules) }))
		},
	}
	attributes.register(cmd)
	cmd.Flags().StringVar(&config, "config", "", "policy file (agentleak.yaml)")
	cmd.Flags().StringVar(&format, "format", "text", "form of the list: text, or json for a line a detector")
	return cmd
}

func writeRulesText(w io.Writer, rules []detect.RuleInfo) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ID\tTYPE\tLEVEL\tFAMILY\tGROUP\tWHAT\tWHY\tSOURCE")
	for _, r := range rules {
		source := r.Source
		if source == "" {
			source = "-"
		}
		cells := []string{plainText(r.ID), string(r.Type), r.Level.String(), r.Family.String(), r.Group, r.Doc, r.Why, source}
		fmt.Fprintln(tw, strings.Join(cells, "\t"))
	}
	return tw.Flush()
}

func writeRulesJSON(w io.Writer, rules []detect.RuleInfo) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range rules {
		d := detector{r.ID, r.Type, int(r.Level), r.Family.String(), r.Group, r.Doc, r.Why, r.Source}
		if err := enc.Encode(d); err != nil {
			return err
		}
	}
	return nil
}
