package audit

import (
	"errors"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// A keyGlob tells key paths step by step: "**" any number of steps, anyIndex one that is a number, in others "*" for any
// letters of the step.
type keyGlob []string

const (
	anyStep  = "*"
	anySteps = "**"
	anyIndex = "[*]"
)

// compileKeyGlob reads a path such as "gen_ai.input.messages[*].parts.**.text", or one with the piece of telemetry before
// it as reports write it: "resource/service.owner", "events[*]:gen_ai.choice/message.content".
func compileKeyGlob(path string) (keyGlob, error) {
	var g keyGlob
	for i, part := range strings.Split(path, anyIndex) {
		if i > 0 {
			g = append(g, anyIndex)
		}
		g = append(g, keySteps(part)...)
	}
	if len(g) == 0 {
		return nil, errors.New("no step: want an attribute key, and the path inside its value")
	}
	return g, nil
}

// keySteps parts a path at dots, indices, and what stands between the piece of telemetry, the key and the path inside.
func keySteps(path string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(path, "|json|", "."), func(r rune) bool {
		return strings.ContainsRune("./:[]| ", r)
	})
}

// any reports whether the glob holds of all paths but the shortest.
func (g keyGlob) any() bool {
	return slices.Contains(g, anySteps) && !slices.ContainsFunc(g, func(s string) bool { return s != anyStep && s != anySteps })
}

// A keyPath is where a text stands, in both of the ways in which a glob may tell it: with the piece of telemetry and,
// nil where it has none, by its key alone.
type keyPath struct{ whole, key []string }

func keyPathOf(f *leaf.Field, n *leaf.Node) keyPath {
	inside := keySteps(n.Path())
	p := keyPath{whole: append(keySteps(f.Where()), inside...)}
	switch {
	case f.Key != "":
		p.key = append(keySteps(f.Key), inside...)
	case f.Part == leaf.PartLogBody:
		p.key = append([]string{"body"}, inside...)
	}
	return p
}

func (g keyGlob) holds(p keyPath) bool { return g.match(p.whole) || p.key != nil && g.match(p.key) }

// match takes time in proportion to the product of the lengths: at a step that fails it goes on after the last "**".
func (g keyGlob) match(steps []string) bool {
	i, k := 0, 0
	star, mark := -1, 0
	for k < len(steps) {
		switch {
		case i < len(g) && g[i] == anySteps:
			star, mark = i, k
			i++
		case i < len(g) && stepMatch(g[i], steps[k]):
			i, k = i+1, k+1
		case star >= 0:
			mark++
			i, k = star+1, mark
		default:
			return false
		}
	}
	for i < len(g) && g[i] == anySteps {
		i++
	}
	return i == len(g)
}

func stepMatch(pattern, step string) bool {
	if pattern == anyIndex {
		return strings.Trim(step, "0123456789") == ""
	}
	head, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == step
	}
	if !strings.HasPrefix(step, head) {
		return false
	}
	step = step[len(head):]
	for {
		part, more, wild := strings.Cut(rest, "*")
		if !wild {
			return strings.HasSuffix(step, part)
		}
		i := strings.Index(step, part)
		if i < 0 {
			return false
		}
		step, rest = step[i+len(part):], more
	}
}
