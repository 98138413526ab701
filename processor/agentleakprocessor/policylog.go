package agentleakprocessor

import (
	"go.uber.org/zap"
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
		zap.Int("mapping_rules", len(c.Mapping.Rules)),
		zap.Bool("vault_declared", c.Vault.RhoS != nil || len(c.Vault.Levels) > 0),
		zap.Any("privacy_policy", c.PrivacyPolicy),
		zap.Ints("redaction_levels", c.Redaction.Levels), zap.String("redaction_style", c.Redaction.Style),
		zap.String("redaction_key", key), zap.String("mode", c.Mode), zap.Any("redaction_rules", c.Redaction.Rules),
		zap.String("annotate_spans", c.Annotate.Spans), zap.String("annotate_findings", c.Annotate.Findings),
		zap.String("annotate_leak_paths", c.Annotate.LeakPaths),
	}
	logger.Info("agentleak policy", append(fields, more...)...)
}
