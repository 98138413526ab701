package leaf

import (
	"strings"
	"testing"
)

// Text made to be slow: each case would take minutes if any part of the way were quadratic in the text's length.
func TestHostileTextTakesLinearTime(t *testing.T) {
	const size = 1 << 19
	rep := strings.Repeat
	layered := func(text string, layers int) string {
		for range layers {
			text = `["` + quotable(text) + `"]`
		}
		return text
	}
	tests := map[string]string{
		"opened":             rep("[", size),
		"opened objects":     rep(`{"a":`, size/5),
		"deep":               rep("[", size/2) + rep("]", size/2),
		"quotes":             rep(`"`, size),
		"backslashes":        `"` + rep(`\`, size),
		"strings that fail":  `["` + rep(`[[[[`, 10) + rep(`","[1`, size/6) + `"]`,
		"strings that parse": `["` + rep(`","[1]`, size/7) + `"]`,
		"fails at the end":   `["` + rep(`","[1]`, size/7) + `",]`,
		"layers":             layered(rep("x", size/32)+"\n", 14),
		"layers of quotes":   layered(`"`, 17),
		"layers that fail":   layered("["+rep("1,", size/64)+"}", 14),
		"invalid UTF-8":      `["` + rep("\xff", size) + `"]`,
		"surrogates":         `["` + rep(`\ud83d`, size/6) + `"]`,
		"numbers":            "[" + rep("1,", size/2) + "1]",
		"long number":        "[" + rep("1", size) + "e2]",
		"leading zeros":      "[0." + rep("0", size) + "e40]",
		"one name":           "{" + rep(`"a":1,`, size/6) + `"a":1}`,
		"white space":        rep(" ", size) + "[" + rep("\n", size) + "]",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			d, s := NewDoc(Limits{}), spanWith("k", text)
			d.Span(s)
			d.Texts(func(*Field, *Node, bool, string) {})
			d.RewriteSpan(s, func(_ *Field, n *Node, name bool) []Edit {
				if n.Parent == nil {
					return nil
				}
				return []Edit{{0, 1, `"`}, {1 << 30, 1 << 30, "x"}}
			})
			if isJSON(text) && !isJSON(value(s, "k")) && !strings.HasPrefix(value(s, "k"), "[WITHHELD") {
				t.Error("no JSON any more")
			}
		})
	}
}
