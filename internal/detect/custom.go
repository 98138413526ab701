package detect

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// Custom is an operator's own detector. A pattern with a group finds what the
// group matched, otherwise the whole match.
type Custom struct {
	Name     string
	Pattern  string // RE2
	DataType agentrisk.DataType
	Level    agentrisk.Level // LevelNone: the taxonomy's, or L4 for a new type
	Samples  []string        // texts that CheckSamples wants found
}

// customRule is a compiled Custom.
type customRule struct {
	rule
	re      *regexp.Regexp
	literal string // must stand in the text; empty when none can be told
}

// compileCustom checks and compiles c. Its errors do not repeat the pattern, which
// may itself hold what must not be shown.
func compileCustom(c Custom, over agentrisk.Overrides) (customRule, error) {
	if c.Name == "" {
		return customRule{}, errors.New("name: want a name")
	}
	fail := func(format string, args ...any) (customRule, error) {
		return customRule{}, fmt.Errorf("%q: %s", c.Name, fmt.Sprintf(format, args...))
	}
	if c.DataType == "" {
		return fail("data_type: want a name")
	}
	if len(c.DataType) > maxTypeName {
		return fail("data_type: want at most %d bytes", maxTypeName)
	}
	for i := range len(c.DataType) {
		if !typeByte(c.DataType[i]) {
			return fail("data_type: want letters, digits, '_', '-' and '.'")
		}
	}
	if c.Level != agentrisk.LevelNone && !c.Level.Valid() {
		return fail("level: want L1 to L4")
	}
	re, err := regexp.Compile(c.Pattern)
	if err != nil {
		var se *syntax.Error
		if errors.As(err, &se) {
			return fail("pattern: %s", se.Code)
		}
		return fail("pattern: not a regular expression")
	}
	if re.MatchString("") {
		return fail("pattern: matches the empty text")
	}
	fallback := c.Level
	if !fallback.Valid() {
		fallback = agentrisk.LevelOf(c.DataType, nil, agentrisk.L4)
	}
	// The operator's level for this detector beats the taxonomy, an override of the
	// type beats both.
	level := fallback
	if _, ok := over[c.DataType]; ok {
		level = agentrisk.LevelOf(c.DataType, over, fallback)
	}
	out := customRule{re: re, literal: requiredLiteral(c.Pattern)}
	out.rule = rule{ID: c.Name, Type: c.DataType, Group: groupCustom, Rank: rankCustom, Doc: "custom detector",
		Canon: canonExact, level: level, fam: familyOf(c.DataType)}
	return out, nil
}

// CheckSamples reports whether c finds each of its samples. The error names the
// sample by its number only.
func CheckSamples(c Custom) error {
	r, err := compileCustom(c, nil)
	if err != nil {
		return err
	}
	for i, s := range c.Samples {
		if !r.re.MatchString(s) {
			return fmt.Errorf("%q: samples[%d]: not matched by the pattern", c.Name, i)
		}
	}
	return nil
}

// find adds what the rule matches in the text.
func (r *customRule) find(c *scan) {
	if r.literal != "" && !strings.Contains(c.text, r.literal) {
		return
	}
	for _, m := range r.re.FindAllStringSubmatchIndex(c.text, -1) {
		start, end := m[0], m[1]
		if len(m) >= 4 && m[2] >= 0 && m[3] > m[2] {
			start, end = m[2], m[3]
		}
		if start < end {
			c.add(&r.rule, start, end)
		}
	}
}

// requiredLiteral returns a literal that every match of the pattern contains, the
// longest that can be told, or "".
func requiredLiteral(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	return literalOf(re.Simplify())
}

func literalOf(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return literalOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalOf(re.Sub[0])
		}
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if l := literalOf(sub); len(l) > len(best) {
				best = l
			}
		}
		return best
	}
	return ""
}
