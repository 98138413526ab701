package cli

import (
	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a policy file",
		Long: `Schema prints the JSON Schema of a policy file (agentleak.yaml), for editors and validators. The same
document is docs/agentleak.schema.json.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(audit.Schema(elsewhere...))
			return failure(err)
		},
	}
}
