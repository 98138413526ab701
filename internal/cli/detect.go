package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/report"
)

// found is a line that --jsonl writes.
type found struct {
	ID       json.RawMessage `json:"id"`
	Findings []span          `json:"findings"`
}

type span struct {
	Start int                `json:"start"`
	End   int                `json:"end"`
	Type  agentrisk.DataType `json:"type"`
	Level int                `json:"level"`
	Rule  string             `json:"rule"`
	Why   []string           `json:"why,omitempty"`
	// Allowed is the row of the allow list by which it is no finding.
	Allowed string `json:"allowed,omitempty"`
}

// maxLine is the longest line of --jsonl, in bytes.
const maxLine = 64 << 20

func detectCommand() *cobra.Command {
	var config string
	var jsonl, explain bool
	var attributes attributeFlag
	cmd := &cobra.Command{
		Use:   "detect [flags] FILE",
		Short: "List what is sensitive in a text",
		Long: `Detect lists the findings in a text by their byte offsets, without their values. "-" reads standard
input. With --jsonl it reads lines of {"id": ..., "text": ...} and writes for each a line
{"id": ..., "findings": [{"start", "end", "type", "level", "rule"}]}, offsets in bytes of the UTF-8 text.

With --explain each finding says why: the format, the check that passed, the name of its field and the words near it,
in the rules' own words. What the allow list of the policy takes out is then listed too, with the row that does. Rows by
key path or channel take nothing out here, where a text stands nowhere.

Of the policies in the file the one is used that matches telemetry with the attributes of --attribute, which may
be repeated; without it, that of the top level.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			policies, err := newAuditors(config, cmd.ErrOrStderr(), audit.Options{})
			if err != nil {
				return failure(err)
			}
			of := attributes.policy(policies)
			a := policies.At(of)
			if explain && policies.Matcher() != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "policy %s\n", policies.Name(of))
			}
			if jsonl {
				return failure(detectLines(a, files[0], cmd.InOrStdin(), cmd.OutOrStdout(), explain))
			}
			return failure(detectText(a, files[0], cmd.InOrStdin(), cmd.OutOrStdout(), explain))
		},
	}
	cmd.Flags().StringVar(&config, "config", "", "policy file (agentleak.yaml)")
	attributes.register(cmd)
	cmd.Flags().BoolVar(&jsonl, "jsonl", false, "read and write JSON lines")
	cmd.Flags().BoolVar(&explain, "explain", false, "say why each finding is one")
	return cmd
}

// detectIn appends the findings in a text, and those that are allowed if all are wanted.
func detectIn(dst []detect.Match, a *audit.Auditor, text string, all bool) []detect.Match {
	if !all {
		return a.Scanner().Scan(dst, detect.Key{}, text)
	}
	return a.Scanner().ScanAround(dst, detect.Key{}, text, detect.FindMedia(nil, detect.Key{}, text))
}

// allowedBy names the row that allows a find, and why, empty for one that is not.
func allowedBy(a *audit.Auditor, m detect.Match) string {
	if m.Allowed == 0 {
		return ""
	}
	row := a.Allow()[m.Allowed-1]
	if row.Reason == "" {
		return row.Row
	}
	return row.Row + ": " + row.Reason
}

func detectText(a *audit.Auditor, name string, stdin io.Reader, stdout io.Writer, explain bool) error {
	in, err := open(name, stdin)
	if err != nil {
		return err
	}
	if !utf8.Valid(in.data) {
		return fmt.Errorf("%s: not UTF-8 text", name)
	}
	return writeTo("-", stdout, false, func(w io.Writer) error {
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		text, head := string(in.data), "OFFSET\tTYPE\tLEVEL\tRULE\tMASKED"
		if explain {
			head += "\tWHY"
		}
		fmt.Fprintln(tw, head)
		for _, m := range detectIn(nil, a, text, explain) {
			fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s", m.Start, m.Type, m.Level, m.Rule, report.Mask(m.End-m.Start))
			if explain {
				fmt.Fprintf(tw, "\t%s", strings.Join(a.Scanner().Explain(detect.Key{}, text, m), "; "))
				if by := allowedBy(a, m); by != "" {
					fmt.Fprintf(tw, "; allowed by %s", plainText(by))
				}
			}
			fmt.Fprintln(tw)
		}
		return tw.Flush()
	})
}

func detectLines(a *audit.Auditor, name string, stdin io.Reader, stdout io.Writer, explain bool) error {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, reason(err))
		}
		defer f.Close()
		r = f
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<20), maxLine)
	return writeTo("-", stdout, false, func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		var matches []detect.Match
		line := found{Findings: []span{}}
		number := 0
		for lines.Scan() {
			number++
			text := lines.Bytes()
			if len(text) == 0 {
				continue
			}
			var item struct {
				ID   json.RawMessage `json:"id"`
				Text *string         `json:"text"`
			}
			if json.Unmarshal(text, &item) != nil || item.Text == nil {
				return fmt.Errorf(`%s: line %d: want {"id": ..., "text": "..."}`, name, number)
			}
			matches = detectIn(matches[:0], a, *item.Text, explain)
			line.ID, line.Findings = item.ID, line.Findings[:0]
			for _, m := range matches {
				x := span{Start: m.Start, End: m.End, Type: m.Type, Level: int(m.Level), Rule: m.Rule}
				if explain {
					x.Why, x.Allowed = a.Scanner().Explain(detect.Key{}, *item.Text, m), allowedBy(a, m)
				}
				line.Findings = append(line.Findings, x)
			}
			if err := out.Encode(line); err != nil {
				return err
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			return fmt.Errorf("%s: line %d: longer than %d bytes", name, number+1, maxLine)
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, reason(err))
		}
		return nil
	})
}
