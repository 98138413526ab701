package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// An attributeFlag is what the user says that a text is of, since a text has no attributes of its own.
type attributeFlag map[string]string

func (f *attributeFlag) register(cmd *cobra.Command) {
	*f = attributeFlag{}
	cmd.Flags().Var(f, "attribute", "KEY=VALUE of the resource that text is of, to find its policy; may be repeated")
}

// policy is the number of the one that matches.
func (f attributeFlag) policy(s *audit.Set) int {
	if s.Matcher() == nil {
		return 0
	}
	resource, record := pcommon.NewMap(), pcommon.NewMap()
	for key, value := range f {
		if name, ok := strings.CutPrefix(key, "span."); ok {
			record.PutStr(name, value)
			continue
		}
		resource.PutStr(strings.TrimPrefix(key, "resource."), value)
	}
	c := s.Matcher().Cursor()
	c.Resource(resource)
	return c.Record(record)
}

// Set takes one attribute.
func (f *attributeFlag) Set(given string) error {
	key, value, ok := strings.Cut(given, "=")
	if !ok || key == "" {
		return fmt.Errorf("want KEY=VALUE, such as service.name=checkout")
	}
	(*f)[key] = value
	return nil
}

func (f *attributeFlag) String() string { return "" }

// Type names the value in the usage.
func (f *attributeFlag) Type() string { return "KEY=VALUE" }
