package audit

import (
	"errors"
	"fmt"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// Mapping says where the texts of in-house instrumentations stand.
type Mapping struct {
	// Rules win over the built-in tables; of two that hold the first wins.
	Rules []MappingRule `mapstructure:"rules"`
}

// MappingRule puts attributes on a channel.
type MappingRule struct {
	// Key is an attribute key. "*" as an element stands for a list index, "**" as the last one for any rest.
	Key string `mapstructure:"key"`
	// SpanName and Scope restrict the rule; a "*" at the end stands for any rest. Empty: any.
	SpanName string `mapstructure:"span_name"`
	Scope    string `mapstructure:"scope"`
	// Channel is one of the eight, or none for text that is redacted and never scored.
	Channel string `mapstructure:"channel"`
}

func (m *Mapping) compile() ([]mapping.UserRule, error) {
	var errs []error
	rules := make([]mapping.UserRule, len(m.Rules))
	for i, r := range m.Rules {
		rules[i] = mapping.UserRule{Key: r.Key, SpanName: r.SpanName, Scope: r.Scope}
		if r.Channel == agentrisk.ChannelNone.String() {
			continue
		}
		if rules[i].Channel.UnmarshalText([]byte(r.Channel)) != nil {
			errs = append(errs, fmt.Errorf("mapping.rules[%d].channel: unknown channel %q: want one of %s, none", i, r.Channel, channelNames()))
		}
	}
	for _, err := range mapping.CheckRules(rules) {
		errs = append(errs, fmt.Errorf("mapping.%w", err))
	}
	return rules, errors.Join(errs...)
}
