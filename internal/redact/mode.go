package redact

import (
	"fmt"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// Mode says whether what is to be removed is removed, or only told of.
type Mode uint8

// The modes.
const (
	Enforce Mode = iota
	Audit        // nothing is changed
)

var modes = [...]string{Enforce: "enforce", Audit: "audit"}

// String returns the mode's name in configuration.
func (m Mode) String() string { return modes[m] }

// ModeNames lists the names of modes in configuration.
func ModeNames() []string { return slices.Clone(modes[:]) }

// ParseMode returns the mode of a name in configuration. The empty name is Enforce.
func ParseMode(name string) (Mode, error) {
	if name == "" {
		return Enforce, nil
	}
	i := slices.Index(modes[:], name)
	if i < 0 {
		return 0, fmt.Errorf("unknown mode %q: want enforce or audit", name)
	}
	return Mode(i), nil
}

// A ModeRule gives matches a mode of their own. What is set must hold of the match; one that sets nothing holds of all.
type ModeRule struct {
	Rule  string
	Type  agentrisk.DataType
	Level agentrisk.Level
	Mode  Mode
}

func (r *ModeRule) holds(m *detect.Match) bool {
	return (r.Rule == "" || r.Rule == m.Rule) && (r.Type == "" || r.Type == m.Type) &&
		(r.Level == agentrisk.LevelNone || r.Level == m.Level)
}

// Modes are the mode of all matches but those for which a rule holds; of two that hold the first has the say. The zero
// value enforces.
type Modes struct {
	Default Mode
	Rules   []ModeRule
}

// Of returns the mode of a match.
func (ms *Modes) Of(m detect.Match) Mode {
	for i := range ms.Rules {
		if ms.Rules[i].holds(&m) {
			return ms.Rules[i].Mode
		}
	}
	return ms.Default
}

// Enforcing reports whether no match at all is only told of; Auditing whether all are.
func (ms *Modes) Enforcing() bool { return ms.all(Enforce) }

// Auditing is the opposite of Enforcing; with rules of both modes neither holds.
func (ms *Modes) Auditing() bool { return ms.all(Audit) }

func (ms *Modes) all(m Mode) bool {
	return ms.Default == m && !slices.ContainsFunc(ms.Rules, func(r ModeRule) bool { return r.Mode != m })
}

// In returns a Redactor that works in these modes.
func (r *Redactor) In(ms Modes) *Redactor {
	out := *r
	out.modes = ms
	return &out
}

// Modes are those that the Redactor works in. The caller changes nothing in them.
func (r *Redactor) Modes() *Modes { return &r.modes }

// Removes reports whether a match is in fact replaced: Redacts, and its mode is Enforce.
func (r *Redactor) Removes(m detect.Match) bool { return r.Redacts(m) && r.modes.Of(m) == Enforce }
