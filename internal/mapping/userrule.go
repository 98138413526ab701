package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// A UserRule puts attributes of an in-house instrumentation on a channel. It wins over the built-in tables; of two that
// hold the first wins.
type UserRule struct {
	// Key is a pattern of attribute keys in the notation of Row.Key, or "**" for every attribute of a span, event or log
	// record.
	Key string
	// SpanName and Scope restrict the rule to spans and scopes of that name; a "*" at the end stands for any rest. Empty:
	// any. A log record has no span name.
	SpanName, Scope string
	// Channel is where the texts are. ChannelNone: they are scanned and redacted, and never scored.
	Channel agentrisk.Channel
}

// ByUser is the dialect of what a UserRule claims.
const ByUser = "mapping.rules"

// reserved is the namespace of the processor's own attributes, which no sender's reach the mapping.
const reserved = "agentleak."

// CheckRules returns an error for each rule that can never hold, starting with its path: "rules[1].key: ...".
func CheckRules(rules []UserRule) []error {
	var errs []error
	for i := range rules {
		r := &rules[i]
		for _, c := range []struct {
			field string
			err   error
		}{{"key", checkKey(r.Key)}, {"span_name", checkName(r.SpanName)}, {"scope", checkName(r.Scope)}} {
			if c.err != nil {
				errs = append(errs, fmt.Errorf("rules[%d].%s: %w", i, c.field, c.err))
			}
		}
		for j := range rules[:i] {
			if checkKey(rules[j].Key) == nil && rules[j].covers(r) {
				errs = append(errs, fmt.Errorf("rules[%d]: %q: can never hold: want it before rules[%d], which holds wherever it would", i, r.Key, j))
				break
			}
		}
	}
	return errs
}

func checkKey(key string) error {
	const want = `want an attribute key, with "*" for a list index and "**" as the last element for any rest`
	switch {
	case key == "":
		return errors.New("empty: " + want)
	case key == "**":
		return nil
	case strings.HasPrefix(key, reserved):
		return fmt.Errorf("%q: can never match: what senders write under %q is dropped: want another key", key, reserved)
	}
	if k, ok := strings.CutSuffix(key, "/**"); ok {
		key = k
	} else if k, ok := strings.CutSuffix(key, ".**"); ok {
		key = k
	}
	for i, part := range strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '/' }) {
		if strings.Contains(part, "*") && (part != "*" || i == 0) {
			return fmt.Errorf("%q: can never match: %s", key, want)
		}
	}
	return nil
}

func checkName(name string) error {
	if i := strings.IndexByte(name, '*'); i >= 0 && i < len(name)-1 {
		return fmt.Errorf(`%q: want a name, or the beginning of one with a "*" at the end`, name)
	}
	return nil
}

// covers reports whether r holds wherever o does.
func (r *UserRule) covers(o *UserRule) bool {
	if !nameCovers(r.SpanName, o.SpanName) || !nameCovers(r.Scope, o.Scope) {
		return false
	}
	// A rule that names an event is asked before those that name an attribute of any.
	if strings.Contains(r.Key, "/") != strings.Contains(o.Key, "/") {
		return false
	}
	return r.Key == o.Key || r.matches(o.Key, fold(o.Key))
}

func nameCovers(a, b string) bool {
	p, open := strings.CutSuffix(a, "*")
	return a == "" || a == b || open && strings.HasPrefix(b, p)
}

// matches reports whether a key, folded besides, fits the pattern.
func (r *UserRule) matches(key, folded string) bool {
	if r.Key == key || r.Key == folded || r.Key == "**" {
		return true
	}
	p, open := strings.CutSuffix(r.Key, "**")
	return open && (strings.HasPrefix(key, p) || strings.HasPrefix(folded, p))
}

func (r *UserRule) holds(span, scope string) bool {
	return nameCovers(r.SpanName, span) && nameCovers(r.Scope, scope)
}

// asRow is the rule as a row of a table.
func (r *UserRule) asRow() *Row {
	if r.Channel == agentrisk.ChannelNone {
		return &Row{Key: r.Key, Slot: SlotNone}
	}
	return &Row{Key: r.Key, Slot: SlotChannel, Channel: r.Channel}
}

// A userRule is a compiled UserRule.
type userRule struct {
	UserRule
	row *Row
}

// alternatives are claims of user rules on a key, each of which wins over c where it holds.
func (m *Mapper) alternatives(key string, c *claim) (alts []*claim) {
	folded := key
	if len(m.rules) > 0 {
		folded = fold(key)
	}
	for i := range m.rules {
		if r := &m.rules[i]; r.matches(key, folded) {
			alt := *c
			alt.Row, alt.dialect, alt.user = r.row, ByUser, &r.UserRule
			alts = append(alts, &alt)
		}
	}
	return alts
}

// eventAlternatives are those of rules that name an event.
func (m *Mapper) eventAlternatives(key string, c *claim) []*claim {
	return slices.DeleteFunc(m.alternatives(key, c), func(a *claim) bool { return !strings.Contains(a.Key, "/") })
}

// decide picks the claim that holds on this span or record.
func (b *builder) decide(c *claim) *claim {
	for _, alt := range c.alts {
		if alt.user.holds(b.spanName, b.scope) {
			return alt
		}
	}
	return c
}

// ruled reads a value that a user rule claims.
func (b *builder) ruled(n *leaf.Node, c *claim) {
	if c.Slot == SlotChannel {
		b.info.Claimed = true
	}
	b.tag(n, Place{Slot: c.Slot, Channel: c.Channel})
}
