package main

import (
	"path/filepath"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/otelcol"
)

// TestShippedConfigs validates the embedded configuration and the examples as `validate` does.
func TestShippedConfigs(t *testing.T) {
	// What the examples take from the environment.
	t.Setenv("BACKEND_ENDPOINT", "traces.internal:4317")
	t.Setenv("GATEWAY_ENDPOINT", "gateway.internal:4317")
	t.Setenv("VENDOR_ENDPOINT", "https://otlp.vendor.example")
	t.Setenv("VENDOR_API_KEY", "of-no-value")
	t.Setenv("AGENTLEAK_KEY", strings.Repeat("of-no-value-", 3))
	t.Setenv("AGENTLEAK_STORAGE_KEY", strings.Repeat("of-no-value-", 3))
	t.Setenv("AGENTLEAK_STATE_DIR", t.TempDir())
	t.Setenv("KAFKA_BROKERS", "kafka.internal:9092")

	files, err := filepath.Glob("../../examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range append(files, "default.yaml") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			set := settings()
			set.ConfigProviderSettings.ResolverSettings.URIs = []string{"file:" + file}
			col, err := otelcol.NewCollector(set)
			if err != nil {
				t.Fatal(err)
			}
			if err := col.DryRun(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
