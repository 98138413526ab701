package agentleakprocessor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// load resolves a URI as the collector does and reads the configuration under a key of it.
func load(t testing.TB, uri, key string) (*Config, error) {
	t.Helper()
	r, err := confmap.NewResolver(confmap.ResolverSettings{
		URIs:              []string{uri},
		ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory(), yamlprovider.NewFactory()},
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Resolve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sub, err := all.Sub(key)
	if err != nil {
		t.Fatal(err)
	}
	cfg := createDefaultConfig()
	if err := sub.Unmarshal(&cfg); err != nil {
		return nil, err
	}
	return cfg.(*Config), confmap.Validate(cfg)
}

func mustLoad(t testing.TB, uri, key string) *Config {
	t.Helper()
	c, err := load(t, uri, key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadConfig(t *testing.T) {
	def := func(change func(*Config)) *Config {
		c := createDefaultConfig().(*Config)
		change(c)
		return c
	}
	forty, fifth, five := 40, 0.2, 5
	for _, test := range []struct {
		key  string
		want *Config
	}{
		{"agentleak", def(func(*Config) {})},
		{"agentleak/all", &Config{
			Hold: 30 * time.Second, Grace: 5 * time.Second, IdleTimeout: time.Minute,
			Limits:    LimitsConfig{HeldBytes: 512 << 20, BytesPerTrace: 32 << 20, OpenTraces: 20_000},
			Correlate: []string{"gen_ai.conversation.id", "session.id"},
			Policy: audit.Policy{
				Mode:     "audit",
				Channels: []string{"tool_call", "final_output"},
				CustomDetectors: []audit.CustomDetector{{
					Name: "member-number", Pattern: `\bMBR-\d{8}\b`, DataType: "member_number", Level: 4, Severity: "high",
					Samples: []string{"MBR-20481234"},
				}},
				Scoring: audit.Scoring{
					Weights: []int{1, 2, 4, 8}, LevelOverrides: map[string]int{"email": 3}, FailBelow: 50, ConditionalBelow: 80,
				},
				Vault: audit.Vault{
					Levels: map[string]int{"1": 10, "4": 3}, RhoS: &forty, ScopeDef: "the customer file of the support team",
				},
				PrivacyPolicy: audit.PrivacyPolicy{
					MaxRiskIndex: &fifth, MaxFindings: &five, ForbidLevels: []int{4},
					ForbidChannels: []string{"log", "final_output"}, ForbidDataTypes: []string{"credit_card"},
					RequireExplicitVault: true,
				},
				Mapping: audit.Mapping{Rules: []audit.MappingRule{{
					Key: "myapp.prompt.**", SpanName: "call *", Scope: "myapp", Channel: "tool_call",
				}}},
				Allow: []audit.AllowRow{{
					Name: "sandbox card", Path: "gen_ai.tool.call.arguments.**", Channel: "tool_call", DataType: "credit_card", Rule: "payment-card",
					Pattern: "4111[ -]?1111[ -]?1111[ -]?1111", Fingerprint: "credit_card:9c1f0a77b2d4",
					Reason: "the test card of the payment sandbox", Expires: time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC),
				}},
			},
			Redaction: RedactionConfig{
				Levels: []int{2, 3, 4}, Style: "placeholder", Key: "of-no-value-of-no-value-of-no-value", Media: "keep",
				Rules: []audit.ModeRule{{Level: 4, Mode: "enforce"}},
			},
			Annotate: AnnotateConfig{Spans: "root", Findings: "events", LeakPaths: "none"},
		}},
		{"agentleak/edge", def(func(c *Config) {
			c.Hold, c.Grace = 0, time.Second
			c.Limits = LimitsConfig{HeldBytes: 32 << 20, BytesPerTrace: 4 << 20, OpenTraces: 10_000}
		})},
		{"agentleak/score", def(func(c *Config) {
			c.Redaction.Levels = []int{}
			c.Annotate.Spans, c.Annotate.Findings = "root", "none"
		})},
		{"agentleak/vault", def(func(c *Config) {
			c.Vault = audit.Vault{Levels: map[string]int{"1": 12, "L2": 30, "3": 5, "L4": 3}, ScopeDef: "customer file"}
		})},
	} {
		t.Run(test.key, func(t *testing.T) {
			got := mustLoad(t, "file:testdata/config.yaml", test.key)
			if d := cmp.Diff(test.want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Config{})); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if _, err := (factory{key: func() string { return "k" }}).auditors(got); err != nil {
				t.Errorf("valid, but no auditor: %v", err)
			}
		})
	}
}

// TestRefusedConfig wants a message with the path of the key and what is allowed.
func TestRefusedConfig(t *testing.T) {
	for _, test := range []struct {
		name, yaml string
		want       []string
	}{
		{"hold below zero", "hold: -1s", []string{"hold", "-1s", "0s or more"}},
		{"grace below zero", "grace: -2s", []string{"grace", "-2s", "0s or more"}},
		{"idle timeout of zero", "idle_timeout: 0s", []string{"idle_timeout", "0s", "more than 0s"}},
		{"no bytes", "limits: {held_bytes: 0}", []string{"limits.held_bytes", "0", "more than 0"}},
		{"no bytes per trace", "limits: {bytes_per_trace: -1}", []string{"limits.bytes_per_trace", "-1", "more than 0"}},
		{"no traces", "limits: {open_traces: 0}", []string{"limits.open_traces", "0", "more than 0"}},
		{"five weights", "scoring: {weights: [1, 2, 3, 4, 5]}", []string{"scoring.weights", "exactly 4", "5 elements"}},
		{"three weights", "scoring: {weights: [1, 2, 3]}", []string{"scoring.weights", "exactly 4", "3 elements"}},
		{"a zero weight", "scoring: {weights: [1, 2, 0, 4]}", []string{"scoring.weights[2]", "1 or more", "0"}},
		{"level 5 to redact", "redaction: {levels: [4, 5]}", []string{"redaction.levels[1]", "5", "1 to 4"}},
		{"level 5 to forbid", "privacy_policy: {forbid_levels: [5]}", []string{"privacy_policy.forbid_levels[0]", "5", "1 to 4"}},
		{"level 5 of a type", "scoring: {level_overrides: {email: 5}}", []string{"scoring.level_overrides.email", "5", "1 to 4"}},
		{"level 5 in the vault", "vault: {levels: {5: 1}}", []string{"vault", "levels.5", "1 to 4"}},
		{"level 5 of a detector", `custom_detectors: [{name: n, pattern: "nnn[0-9]+", level: 5}]`, []string{"custom_detectors[0].level", "5", "1 to 4"}},
		{"ledgers below zero", "limits: {ledger_bytes: -1, ledger_bytes_per_trace: -1}", []string{"limits.ledger_bytes: -1", "limits.ledger_bytes_per_trace: -1", "0 or more"}},
		{"values too long", "limits: {value_bytes: 536870913}", []string{"limits.value_bytes", "536870913", "536870912"}},
		{"storage without a key", "{storage: file_storage, redaction: {key: k}}", []string{"storage_key: empty", "storage_in_clear"}},
		{"storage with a short key", "{storage: file_storage, storage_key: short, redaction: {key: k}}", []string{"storage_key: 5 bytes", "16 or more"}},
		{"storage sealed and in clear", "{storage: file_storage, storage_key: 0123456789abcdef, storage_in_clear: true, redaction: {key: k}}", []string{"storage_in_clear: true", "either"}},
		{"storage without a redaction key", "{storage: file_storage, storage_in_clear: true}", []string{"redaction.key: empty"}},
		{"a storage key without storage", "storage_key: 0123456789abcdef", []string{"storage: not set"}},
		{"an unknown channel", "privacy_policy: {forbid_channels: [email]}", []string{"privacy_policy.forbid_channels", `"email"`, "final_output"}},
		{"an unknown style", "redaction: {style: blur}", []string{"redaction.style", `"blur"`, "token, placeholder, mask, hash, remove"}},
		{"a bad pattern", `custom_detectors: [{name: n, pattern: "a(b"}]`, []string{"custom_detectors[0]", "pattern"}},
		{"a negative vault count", "vault: {levels: {4: -1}}", []string{"vault", "levels.4", "-1", "0 or more"}},
		{"a negative rho_s", "vault: {rho_s: -1}", []string{"vault", "rho_s", "-1", "0 or more"}},
		{"a risk index above 1", "privacy_policy: {max_risk_index: 1.5}", []string{"privacy_policy.max_risk_index", "1.5", "0 to 1"}},
		{"unknown spans", "annotate: {spans: some}", []string{"annotate.spans", `"some"`, "root, all"}},
		{"unknown findings", "annotate: {findings: logs}", []string{"annotate.findings", `"logs"`, "none, attributes, events"}},
		{"an unknown channel of a rule", "mapping: {rules: [{key: a, channel: email}]}", []string{"mapping.rules[0].channel", `"email"`, "final_output, none"}},
		{"a rule without channel", "mapping: {rules: [{key: a}]}", []string{"mapping.rules[0].channel", "missing"}},
		{"a rule without key", "mapping: {rules: [{channel: log}]}", []string{"mapping.rules[0].key", "missing"}},
		{"a rule on our keys", "mapping: {rules: [{key: agentleak.x, channel: log}]}", []string{"mapping.rules[0].key", "never match", "agentleak."}},
		{"a rule that is shadowed", "mapping: {rules: [{key: a.**, channel: log}, {key: a.b, channel: none}]}", []string{"mapping.rules[1]", "never hold", "rules[0]"}},
		{"an empty key", "correlate: [session.id, \"\"]", []string{"correlate[1]", "an attribute key"}},
		{"an unknown mode", "mode: dry", []string{"mode", `"dry"`, "enforce, audit"}},
		{"a mode rule without mode", "redaction: {rules: [{level: 5}]}", []string{"redaction.rules[0].level", "1 to 4", "redaction.rules[0].mode", "is missing"}},
		{"unknown leak paths", "annotate: {leak_paths: spans}", []string{"annotate.leak_paths", `"spans"`, "links, none"}},
		{"an unknown key", "holds: 1s", []string{"holds"}},
		{"an unknown nested key", "limits: {bytes: 1}", []string{"limits", "bytes"}},
		{"a word for a number", "limits: {open_traces: many}", []string{"limits.open_traces"}},
		{"a fraction for an integer", "scoring: {weights: [1.5, 2, 3, 4], fail_below: 0.5}", []string{"scoring.weights[0]: 1.5", "scoring.fail_below: 0.5", "an integer"}},
		{"a misspelt key", "scoring: {fail_bellow: 3}", []string{"scoring.fail_bellow", "did you mean fail_below"}},
		{"no level", "redaction: {levels: [null]}", []string{"redaction.levels[0]", "an integer"}},
		{"all of the form at once", "scoring: {weights: [0, 1, 1, 1]}\nredaction: {style: y}", []string{"scoring.weights", "redaction.style"}},
		{"all of the rest at once", "hold: -1s\nannotate: {spans: x}\ncustom_detectors: [{name: n, pattern: \"a(b\"}]", []string{"hold", "annotate.spans", "custom_detectors[0]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "c.yaml")
			body := "agentleak:\n  " + strings.ReplaceAll(test.yaml, "\n", "\n  ") + "\n"
			if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := load(t, "file:"+file, "agentleak")
			if err == nil {
				t.Fatal("accepted")
			}
			for _, w := range test.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("got %q, want it to say %q", err, w)
				}
			}
		})
	}
}

func TestConfigHidesKey(t *testing.T) {
	c := createDefaultConfig().(*Config)
	c.Redaction.Key = "tell-nobody"
	conf := confmap.New()
	if err := conf.Marshal(c); err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{fmt.Sprintf("%v %+v %#v %s", c, c, c.Redaction, c.Redaction.Key), fmt.Sprint(conf.ToStringMap())} {
		if strings.Contains(shown, "tell-nobody") {
			t.Errorf("the key is shown: %s", shown)
		}
	}
	var _ component.Config = c
}
