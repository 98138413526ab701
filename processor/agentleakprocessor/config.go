package agentleakprocessor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configopaque"
	"go.opentelemetry.io/collector/confmap"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// Config is the configuration of the processor. Hold, Grace and most of Annotate concern traces; the rest concerns logs
// too.
type Config struct {
	// Hold is the longest a span is held so that its whole trace can be redacted and scored. Zero streams all but roots,
	// which wait their Grace; with a Grace of zero too each request goes on as it came.
	Hold time.Duration `mapstructure:"hold"`
	// Grace is how long stragglers are awaited after the root span arrived. Zero: not at all.
	Grace time.Duration `mapstructure:"grace"`
	// IdleTimeout is the silence after which a trace without a root is closed, and after which a closed one is
	// forgotten.
	IdleTimeout time.Duration `mapstructure:"idle_timeout"`
	Limits      LimitsConfig  `mapstructure:"limits"`

	// Storage is an extension that keeps what is held, so that a crash does not lose it. Nil: memory only.
	Storage *component.ID `mapstructure:"storage"`
	// StorageKey encrypts what is kept.
	StorageKey configopaque.String `mapstructure:"storage_key"`
	// StorageInClear says that what is kept is not encrypted, for a storage that is.
	StorageInClear bool `mapstructure:"storage_in_clear"`

	// Correlate are attribute keys: traces that share a value of one share a ledger and a score. Empty: none do.
	Correlate []string `mapstructure:"correlate"`

	// The stanzas of a policy file, with the same keys and meaning.
	audit.Policy `mapstructure:",squash"`

	Redaction RedactionConfig `mapstructure:"redaction"`
	// Policies hold for the telemetry that they match, and the stanzas above for all other.
	Policies []audit.NamedPolicy `mapstructure:"policies"`
	Annotate AnnotateConfig      `mapstructure:"annotate"`

	said audit.Said // by the document that was read
}

// LimitsConfig bounds what is held. At a bound spans are released early, redacted all the same.
type LimitsConfig struct {
	// HeldBytes bounds the approximate memory of all spans held.
	HeldBytes int64 `mapstructure:"held_bytes"`
	// BytesPerTrace bounds that of the spans held of one trace. Above HeldBytes it has no effect.
	BytesPerTrace int64 `mapstructure:"bytes_per_trace"`
	// OpenTraces bounds the traces that are remembered, closed ones until their IdleTimeout included.
	OpenTraces int `mapstructure:"open_traces"`
	// LedgerBytes bounds the approximate memory of all ledgers. Zero: half of HeldBytes.
	LedgerBytes int64 `mapstructure:"ledger_bytes"`
	// LedgerBytesPerTrace bounds that of one. Zero: an eighth of LedgerBytes.
	LedgerBytesPerTrace int64 `mapstructure:"ledger_bytes_per_trace"`
	// ValueBytes is the longest value that is read; a longer one is withheld. Zero: 32 MiB.
	ValueBytes int64 `mapstructure:"value_bytes"`
}

// RedactionConfig says what is removed.
type RedactionConfig struct {
	// Levels that are removed, each 1 to 4. Empty: nothing is.
	Levels []int `mapstructure:"levels"`
	// Style is token, placeholder, mask, hash or remove.
	Style string `mapstructure:"style"`
	// Key of the fingerprints in tokens and hashes. Empty: a random one for this process.
	Key configopaque.String `mapstructure:"key"`
	// Media that stands in texts: keep, or replace by a token with its type and size.
	Media string `mapstructure:"media"`
	// Rules give some findings another mode than Mode does.
	Rules []audit.ModeRule `mapstructure:"rules"`
}

// AnnotateConfig says what is written on spans.
type AnnotateConfig struct {
	// Spans that get the trace's score: root, or all that are still held when it is known. The others get its index
	// and severity only.
	Spans string `mapstructure:"spans"`
	// Findings of a span: none, as attributes that sum them up, or as one span event each besides.
	Findings string `mapstructure:"findings"`
	// LeakPaths of a trace: links from each span that disclosed a secret to the one where it entered, or none.
	LeakPaths string `mapstructure:"leak_paths"`
}

// The values of AnnotateConfig.
const (
	spansRoot = "root"
	spansAll  = "all"

	findingsNone       = "none"
	findingsAttributes = "attributes"
	findingsEvents     = "events"

	leakPathsLinks = "links"
	leakPathsNone  = "none"
)

// streams reports whether nothing is held, not even roots.
func (c *Config) streams() bool { return c.Hold == 0 && c.Grace == 0 }

func createDefaultConfig() component.Config {
	p, r := audit.DefaultPolicy(), audit.DefaultRedaction()
	return &Config{
		Hold:        10 * time.Second,
		Grace:       2 * time.Second,
		IdleTimeout: 5 * time.Minute,
		Limits:      LimitsConfig{HeldBytes: 256 << 20, BytesPerTrace: 16 << 20, OpenTraces: 100_000},

		Policy: p,

		Redaction: RedactionConfig{Levels: r.Levels, Style: r.Style, Media: r.Media},
		Annotate:  AnnotateConfig{Spans: spansAll, Findings: findingsAttributes, LeakPaths: leakPathsLinks},
	}
}

// Unmarshal refuses what a policy file may not hold either. Decoding alone would cut fractions off numbers.
func (c *Config) Unmarshal(conf *confmap.Conf) error {
	doc := conf.ToStringMap()
	if err := audit.CheckStanzas(doc); err != nil {
		return err
	}
	for _, key := range audit.Empty(doc) {
		conf.Delete(strings.Join(key, confmap.KeyDelimiter))
	}
	c.said = audit.SaidIn(doc)
	return conf.Unmarshal(c)
}

// Validate returns all that is wrong at once, each error with the path of the key, the value, and what is allowed. It
// speaks for the nested stanzas too, whose checks depend on each other and are those of a policy file.
func (c *Config) Validate() error {
	var errs []error
	want := func(ok bool, path string, got any, allowed string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %v: want %s", path, got, allowed))
		}
	}
	want(c.Hold >= 0, "hold", c.Hold, "0s or more")
	want(c.Grace >= 0, "grace", c.Grace, "0s or more")
	want(c.IdleTimeout > 0, "idle_timeout", c.IdleTimeout, "more than 0s")
	want(c.Limits.HeldBytes > 0, "limits.held_bytes", c.Limits.HeldBytes, "more than 0")
	want(c.Limits.BytesPerTrace > 0, "limits.bytes_per_trace", c.Limits.BytesPerTrace, "more than 0")
	want(c.Limits.OpenTraces > 0, "limits.open_traces", c.Limits.OpenTraces, "more than 0")
	want(c.Limits.LedgerBytes >= 0, "limits.ledger_bytes", c.Limits.LedgerBytes, "0 or more")
	want(c.Limits.LedgerBytesPerTrace >= 0, "limits.ledger_bytes_per_trace", c.Limits.LedgerBytesPerTrace, "0 or more")
	want(0 <= c.Limits.ValueBytes && c.Limits.ValueBytes <= 512<<20, "limits.value_bytes", c.Limits.ValueBytes, "0 to 536870912")
	errs = append(errs, c.validateStorage()...)
	oneOf := func(path, got string, allowed ...string) {
		want(slices.Contains(allowed, got), path, fmt.Sprintf("%q", got), "one of "+strings.Join(allowed, ", "))
	}
	oneOf("annotate.spans", c.Annotate.Spans, spansRoot, spansAll)
	oneOf("annotate.findings", c.Annotate.Findings, findingsNone, findingsAttributes, findingsEvents)
	oneOf("annotate.leak_paths", c.Annotate.LeakPaths, leakPathsLinks, leakPathsNone)

	for i, key := range c.Correlate {
		want(key != "" && !strings.HasPrefix(key, prefix), fmt.Sprintf("correlate[%d]", i), fmt.Sprintf("%q", key), "an attribute key, not under "+prefix)
	}

	f := c.file("")
	return errors.Join(append(errs, f.Validate())...)
}

// file is the policy file of the same stanzas.
func (c *Config) file(key string) audit.File {
	return audit.File{Policy: c.Policy, Redaction: c.redaction(key), Policies: c.Policies, Said: c.said}
}

// Expired says which rows of allow lists hold no more at now, as audit.File.Expired.
func (c *Config) Expired(now time.Time) error {
	f := c.file("")
	return f.Expired(now)
}

// redaction uses key where none is configured.
func (c *Config) redaction(key string) audit.Redaction {
	if c.Redaction.Key != "" {
		key = string(c.Redaction.Key)
	}
	return audit.Redaction{Levels: c.Redaction.Levels, Style: c.Redaction.Style, Key: key, Media: c.Redaction.Media, Rules: c.Redaction.Rules}
}
