package audit

import (
	"errors"
	"fmt"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/redact"
)

// ModeRule gives some findings a mode of their own: those of a rule, a data type or a level, of all that
// are set. One that sets nothing holds of all.
type ModeRule struct {
	Rule     string `mapstructure:"rule"`
	DataType string `mapstructure:"data_type"`
	// Level is 1 to 4. Zero: any.
	Level int `mapstructure:"level"`
	// Mode is enforce or audit.
	Mode string `mapstructure:"mode"`
}

// compileModes reads mode and redaction.rules.
func compileModes(mode string, rules []ModeRule) (ms redact.Modes, err error) {
	var errs []error
	if ms.Default, err = redact.ParseMode(mode); err != nil {
		errs = append(errs, fmt.Errorf("mode: %w", err))
	}
	for i, r := range rules {
		path := fmt.Sprintf("redaction.rules[%d]", i)
		row := redact.ModeRule{Rule: r.Rule, Type: agentrisk.DataType(r.DataType)}
		if r.Level != 0 {
			if row.Level, err = levelOf(r.Level); err != nil {
				errs = append(errs, fmt.Errorf("%s.level: %w", path, err))
			}
		}
		if row.Mode, err = redact.ParseMode(r.Mode); err == nil && r.Mode == "" {
			err = errors.New(`"": want enforce or audit`)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s.mode: %w", path, err))
		}
		ms.Rules = append(ms.Rules, row)
	}
	return ms, errors.Join(errs...)
}
