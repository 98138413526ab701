package audit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
	"github.com/agentleak/otelcol-agentleak/internal/redact"
)

// A Policy is what an operator decides about detection and scoring. Its stanzas are the same text in an
// agentleak.yaml file and in the collector's configuration.
type Policy struct {
	// Detectors switches families of detectors.
	Detectors Detectors `mapstructure:"detectors"`
	// CustomDetectors are the operator's own, besides the built-in ones.
	CustomDetectors []CustomDetector `mapstructure:"custom_detectors"`
	// Scoring sets weights and levels, and the thresholds that block a release.
	Scoring Scoring `mapstructure:"scoring"`
	// Channels are those that are scored. Nil: all. What stands on another is not part of the vault, no leak and no
	// finding of the gate, and it is redacted all the same.
	Channels []string `mapstructure:"channels"`
	// Vault declares what was in reach; empty: what was observed.
	Vault Vault `mapstructure:"vault"`
	// PrivacyPolicy are the rules of the gate.
	PrivacyPolicy PrivacyPolicy `mapstructure:"privacy_policy"`
	// Mapping are the operator's own rules of where texts stand.
	Mapping Mapping `mapstructure:"mapping"`
	// Allow are finds that are none.
	Allow []AllowRow `mapstructure:"allow"`
	// Mode is enforce, or audit: the collector finds, scores, counts and marks what it would remove, and removes
	// nothing. Empty: enforce.
	Mode string `mapstructure:"mode"`
}

// Detectors are the families of detectors, all on by default.
type Detectors struct {
	PII        bool `mapstructure:"pii"`
	Secrets    bool `mapstructure:"secrets"`
	Healthcare bool `mapstructure:"healthcare"`
	Finance    bool `mapstructure:"finance"`
	HR         bool `mapstructure:"hr"`
	// Keyname finds values by the name of the key they stand under.
	Keyname bool `mapstructure:"keyname"`
}

// CustomDetector finds what an RE2 pattern matches, its first group if it has one.
type CustomDetector struct {
	Name    string `mapstructure:"name"`
	Pattern string `mapstructure:"pattern"`
	// DataType is the type of what it finds, a known one or a new name. Empty: "custom".
	DataType string `mapstructure:"data_type"`
	// Level is 1 to 4. Zero: the level of the data type, or 4 for a new one.
	Level int `mapstructure:"level"`
	// Severity is low, medium, high or critical: the level of a data type that has none, as AgentLeak spells it.
	// Level wins over it.
	Severity string `mapstructure:"severity"`
	// Samples are texts that the detector must find something in; validation tries them.
	Samples []string `mapstructure:"samples"`
}

// Scoring are the parameters of AgentRisk.
type Scoring struct {
	// Weights of L1 to L4: exactly four positive integers. Empty: 1, 2, 3, 4.
	Weights []int `mapstructure:"weights"`
	// LevelOverrides gives data types another level, 1 to 4.
	LevelOverrides map[string]int `mapstructure:"level_overrides"`
	// FailBelow is the lowest privacy score that does not block, 0 to 100.
	FailBelow int `mapstructure:"fail_below"`
	// ConditionalBelow is the lowest privacy score that passes without a condition, 0 to 100. It never blocks.
	ConditionalBelow int `mapstructure:"conditional_below"`
	// BlockOnCritical blocks when a secret of level 4 leaked.
	BlockOnCritical bool `mapstructure:"block_on_critical"`
}

// Vault declares the secrets in reach of the agents.
type Vault struct {
	// Levels counts them by level, keys "1" to "4" (or "L1" to "L4"). Empty: no explicit vault.
	Levels map[string]int `mapstructure:"levels"`
	// RhoS is the weighted sum itself; it wins over Levels.
	RhoS *int `mapstructure:"rho_s"`
	// ScopeDef says in words what the vault covers.
	ScopeDef string `mapstructure:"scope_def"`
	// Canaries are values planted to see whether they get out: a find of one is of the data type canary and level 4.
	Canaries []Canary `mapstructure:"canaries"`
}

// PrivacyPolicy are limits on what may be disclosed. The zero value allows everything.
type PrivacyPolicy struct {
	MaxRiskIndex         *float64 `mapstructure:"max_risk_index"`
	MaxFindings          *int     `mapstructure:"max_findings"`
	ForbidLevels         []int    `mapstructure:"forbid_levels"`
	ForbidChannels       []string `mapstructure:"forbid_channels"`
	ForbidDataTypes      []string `mapstructure:"forbid_data_types"`
	RequireExplicitVault bool     `mapstructure:"require_explicit_vault"`
}

// Redaction says what is removed before export.
type Redaction struct {
	// Levels that are removed. Empty: nothing is.
	Levels []int `mapstructure:"levels"`
	// Style is one of token, placeholder, mask, hash, remove. Empty: token.
	Style string `mapstructure:"style"`
	// Key of the fingerprints in tokens. Empty: a random one for this process.
	Key string `mapstructure:"key"`
	// Media is keep, or replace to put a token with type and size in the place of pictures, sound and documents that
	// stand in texts. Empty: keep.
	Media string `mapstructure:"media"`
	// Rules give some findings another mode than the policy's; of two that hold the first has the say.
	Rules []ModeRule `mapstructure:"rules"`
}

// The values of Redaction.Media.
const (
	MediaKeep    = "keep"
	MediaReplace = "replace"
)

// A File is a policy file: the stanzas that the collector's configuration has too.
type File struct {
	Policy    `mapstructure:",squash"`
	Redaction Redaction `mapstructure:"redaction"`
	// Policies hold for the telemetry that they match, and the stanzas above for all other.
	Policies []NamedPolicy `mapstructure:"policies"`
	// Said are the keys that the file sets. Nil: those that are not zero.
	Said Said `mapstructure:"-"`
}

// DefaultFile is an empty one.
func DefaultFile() File { return File{Policy: DefaultPolicy(), Redaction: DefaultRedaction()} }

// Validate returns all that is wrong with a policy and the redaction beside it.
func Validate(p Policy, r Redaction) error {
	err := p.Check()
	if err == nil {
		_, allow := compileAllow(p.Allow, r.Key != "")
		err = errors.Join(p.Vault.checkCanaries(r.Key != ""), allow)
	}
	return errors.Join(err, r.Validate())
}

// DefaultPolicy returns the policy in force where nothing is configured.
func DefaultPolicy() Policy {
	rules := agentrisk.DefaultRules()
	return Policy{
		Channels:  strings.Split(channelNames(), ", "),
		Detectors: Detectors{PII: true, Secrets: true, Healthcare: true, Finance: true, HR: true, Keyname: true},
		Scoring: Scoring{
			Weights: slices.Clone(agentrisk.DefaultWeights[:]), FailBelow: rules.FailBelow, BlockOnCritical: rules.BlockOnCritical,
			ConditionalBelow: rules.ConditionalBelow,
		},
		Mode: redact.Enforce.String(),
	}
}

// DefaultRedaction removes level 4 and leaves tokens.
func DefaultRedaction() Redaction {
	return Redaction{Levels: []int{4}, Style: redact.Token.String(), Media: MediaKeep}
}

// Check returns all that is wrong with the policy. Each error starts with the path of the key and says what is
// allowed.
func (p *Policy) Check() error {
	_, err := p.compile()
	return err
}

// Validate returns all that is wrong with the stanza, as Policy.Check does.
func (r *Redaction) Validate() error {
	_, _, err := r.compile()
	return err
}

func (r *Redaction) compile() (redact.Style, []agentrisk.Level, error) {
	levels, err := levelsOf("redaction.levels", r.Levels)
	style, err2 := redact.ParseStyle(r.Style)
	if err2 != nil {
		err2 = fmt.Errorf("redaction.style: %w", err2)
	}
	var err3 error
	switch r.Media {
	case "", MediaKeep, MediaReplace:
	default:
		err3 = fmt.Errorf("redaction.media: %q: want one of %s, %s", r.Media, MediaKeep, MediaReplace)
	}
	_, err4 := compileModes("", r.Rules)
	return style, levels, errors.Join(err, err2, err3, err4)
}

// compiled is a policy in the terms of the packages below.
type compiled struct {
	detect  detect.Options
	weights agentrisk.Weights
	mapping []mapping.UserRule
	vault   *agentrisk.Vault
	rules   agentrisk.Rules
	scored  agentrisk.ChannelSet // the channels that are
	mode    redact.Mode
}

func (p *Policy) compile() (compiled, error) {
	var c compiled
	var errs []error
	fail := func(path string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
		}
	}
	var err error
	c.weights = agentrisk.DefaultWeights
	if p.Scoring.Weights != nil {
		c.weights, err = agentrisk.ParseWeights(p.Scoring.Weights)
		fail("scoring.weights", err)
	}
	over := agentrisk.Overrides{}
	for _, t := range slices.Sorted(maps.Keys(p.Scoring.LevelOverrides)) {
		l, err := levelOf(p.Scoring.LevelOverrides[t])
		fail("scoring.level_overrides."+t, err)
		over[agentrisk.DataType(t)] = l
	}
	c.scored, err = p.scoredChannels()
	fail("channels", err)
	c.vault, err = p.Vault.compile()
	if err != nil {
		errs = append(errs, err)
	}
	if err := p.Vault.checkCanaries(true); err != nil {
		errs = append(errs, err)
	}
	if _, err := compileAllow(p.Allow, true); err != nil {
		errs = append(errs, err)
	}
	c.rules, err = p.rules()
	if err != nil {
		errs = append(errs, err)
	}
	c.mode, err = redact.ParseMode(p.Mode)
	fail("mode", err)
	c.mapping, err = p.Mapping.compile()
	if err != nil {
		errs = append(errs, err)
	}
	c.detect = detect.Options{
		Families: detect.Families{
			PII: p.Detectors.PII, Secrets: p.Detectors.Secrets, Healthcare: p.Detectors.Healthcare,
			Finance: p.Detectors.Finance, HR: p.Detectors.HR, Keyname: p.Detectors.Keyname,
		},
		Overrides: over,
	}
	for i, d := range p.CustomDetectors {
		path := "custom_detectors[" + strconv.Itoa(i) + "]"
		custom := detect.Custom{Name: d.Name, Pattern: d.Pattern, DataType: agentrisk.DataType(d.DataType), Samples: d.Samples}
		if d.DataType == "" {
			custom.DataType = "custom"
		}
		if d.Level != 0 {
			custom.Level, err = levelOf(d.Level)
			fail(path+".level", err)
			if err != nil {
				continue
			}
		}
		if l, err := severityLevel(d.Severity); err != nil {
			fail(path+".severity", err)
			continue
		} else if custom.Level == agentrisk.LevelNone {
			custom.Level = agentrisk.LevelOf(custom.DataType, nil, l)
		}
		if _, err := detect.New(detect.Options{Custom: []detect.Custom{custom}}); err != nil {
			fail(path, cmp.Or(errors.Unwrap(err), err)) // without the index that New gives it
			continue
		}
		fail(path, detect.CheckSamples(custom))
		c.detect.Custom = append(c.detect.Custom, custom)
	}
	return c, errors.Join(errs...)
}

// rules compiles the gate.
func (p *Policy) rules() (agentrisk.Rules, error) {
	r := agentrisk.Rules{
		MaxRiskIndex: p.PrivacyPolicy.MaxRiskIndex, MaxFindings: p.PrivacyPolicy.MaxFindings,
		RequireExplicitVault: p.PrivacyPolicy.RequireExplicitVault,
		FailBelow:            p.Scoring.FailBelow, BlockOnCritical: p.Scoring.BlockOnCritical, ConditionalBelow: p.Scoring.ConditionalBelow,
	}
	var errs []error
	var err error
	if r.ForbidLevels, err = levelsOf("privacy_policy.forbid_levels", p.PrivacyPolicy.ForbidLevels); err != nil {
		errs = append(errs, err)
		r.ForbidLevels = nil
	}
	for _, name := range p.PrivacyPolicy.ForbidChannels {
		var ch agentrisk.Channel
		if err := ch.UnmarshalText([]byte(name)); err != nil || ch == agentrisk.ChannelNone {
			errs = append(errs, fmt.Errorf("privacy_policy.forbid_channels: unknown channel %q: want one of %s", name, channelNames()))
			continue
		}
		r.ForbidChannels = append(r.ForbidChannels, ch)
	}
	for _, t := range p.PrivacyPolicy.ForbidDataTypes {
		r.ForbidDataTypes = append(r.ForbidDataTypes, agentrisk.DataType(t))
	}
	if err := r.Validate(); err != nil {
		stanza := "privacy_policy."
		if strings.HasPrefix(err.Error(), "fail_below") || strings.HasPrefix(err.Error(), "conditional_below") {
			stanza = "scoring."
		}
		errs = append(errs, fmt.Errorf("%s%w", stanza, err))
	}
	return r, errors.Join(errs...)
}

func (v *Vault) compile() (*agentrisk.Vault, error) {
	if v.RhoS == nil && len(v.Levels) == 0 {
		return nil, nil
	}
	vault := &agentrisk.Vault{Density: v.RhoS, Scope: v.ScopeDef}
	for _, key := range slices.Sorted(maps.Keys(v.Levels)) {
		var l agentrisk.Level
		if err := l.UnmarshalText([]byte(key)); err != nil || !l.Valid() {
			return nil, fmt.Errorf("vault.levels: unknown level %q: want 1 to 4", key)
		}
		n := v.Levels[key]
		if n < 0 {
			return nil, fmt.Errorf("vault.levels.%s: %d: want a count of 0 or more", key, n)
		}
		vault.Levels[l-agentrisk.L1] += n
	}
	if v.RhoS != nil && *v.RhoS < 0 {
		return nil, fmt.Errorf("vault.rho_s: %d: want 0 or more", *v.RhoS)
	}
	if err := vault.Validate(); err != nil {
		return nil, fmt.Errorf("vault: %w", err)
	}
	return vault, nil
}

// severities are the words of AgentLeak for levels.
var severities = []string{"low", "medium", "high", "critical"}

// severityLevel is none for no word.
func severityLevel(word string) (agentrisk.Level, error) {
	if word == "" {
		return agentrisk.LevelNone, nil
	}
	i := slices.Index(severities, word)
	if i < 0 {
		return 0, fmt.Errorf("%q: want one of %s", word, strings.Join(severities, ", "))
	}
	return agentrisk.L1 + agentrisk.Level(i), nil
}

func (p *Policy) scoredChannels() (set agentrisk.ChannelSet, err error) {
	if p.Channels == nil {
		for _, ch := range agentrisk.Channels() {
			set.Add(ch)
		}
		return set, nil
	}
	for _, name := range p.Channels {
		var ch agentrisk.Channel
		if ch.UnmarshalText([]byte(name)) != nil || ch == agentrisk.ChannelNone {
			return 0, fmt.Errorf("unknown channel %q: want one of %s", name, channelNames())
		}
		set.Add(ch)
	}
	return set, nil
}

func levelOf(n int) (agentrisk.Level, error) {
	if n < 1 || n > 4 {
		return agentrisk.LevelNone, fmt.Errorf("level %d: want 1 to 4", n)
	}
	return agentrisk.Level(n), nil
}

func levelsOf(path string, list []int) ([]agentrisk.Level, error) {
	var levels []agentrisk.Level
	for _, n := range list {
		l, err := levelOf(n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		levels = append(levels, l)
	}
	return levels, nil
}

func channelNames() string {
	var names []string
	for _, c := range agentrisk.Channels() {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}
