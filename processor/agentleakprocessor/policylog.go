package agentleakprocessor

import (
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// logPolicy says once what is in force: no key, no pattern, no scope.
func logPolicy(logger *zap.Logger, c *Config, more ...zap.Field) {
	key := "random"
	if c.Redaction.Key != "" {
		key = "configured"
	}
	storage := "none"
	switch {
	case c.StorageInClear:
		storage = "in clear"
	case c.Storage != nil:
		storage = "encrypted"
	}
	fields := []zap.Field{
		zap.String("storage", storage),
		zap.Duration("hold", c.Hold), zap.Duration("grace", c.Grace), zap.Duration("idle_timeout", c.IdleTimeout),
		zap.Any("limits", c.Limits), zap.Int("correlate", len(c.Correlate)),
		zap.Any("detectors", c.Detectors), zap.Int("custom_detectors", len(c.CustomDetectors)),
		zap.Ints("weights", c.Scoring.Weights), zap.Int("level_overrides", len(c.Scoring.LevelOverrides)),
		zap.Int("mapping_rules", len(c.Mapping.Rules)), zap.Int("allow", len(c.Allow)),
		zap.Bool("vault_declared", c.Vault.RhoS != nil || len(c.Vault.Levels) > 0),
		zap.Any("privacy_policy", c.PrivacyPolicy),
		zap.Ints("redaction_levels", c.Redaction.Levels), zap.String("redaction_style", c.Redaction.Style),
		zap.String("redaction_key", key), zap.String("mode", c.Mode), zap.Any("redaction_rules", c.Redaction.Rules),
		zap.String("annotate_spans", c.Annotate.Spans), zap.String("annotate_findings", c.Annotate.Findings),
		zap.String("annotate_leak_paths", c.Annotate.LeakPaths),
	}
	fields = append(fields, zap.Int("policies", len(c.Policies)))
	logger.Info("agentleak policy", append(fields, more...)...)
	f := c.file("")
	if err := f.Expired(time.Now()); err != nil {
		for line := range strings.Lines(err.Error()) {
			logger.Warn("agentleak policy: " + strings.TrimSpace(line))
		}
	}
	logEffective(logger, &f)
}

// logEffective says of each policy what holds: no key, canary, pattern, sample or scope.
func logEffective(logger *zap.Logger, f *audit.File) {
	if !logger.Core().Enabled(zap.DebugLevel) {
		return
	}
	for i := range len(f.Policies) + 1 {
		name, match := audit.DefaultName, ""
		if i > 0 {
			name, match = f.Policies[i-1].Name, f.Policies[i-1].MatchText()
		}
		fields := []zap.Field{zap.String("policy", name), zap.String("match", match)}
		for _, s := range f.Settings(i) {
			if s.Key == "vault.scope_def" {
				continue
			}
			fields = append(fields, zap.String(s.Key, s.Value+" ("+s.Source+")"))
		}
		logger.Debug("agentleak effective policy", fields...)
	}
}
