package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// at starts each line of an error, which begins with the path of a key, with the place of that key in a file.
func at(file string, doc *yaml.Node, err error) error {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSuffix(line, "\n")
		path, what, _ := strings.Cut(line, ": ")
		place := file
		if n := find(doc, path, strings.HasPrefix(what, "unknown key")); n.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", file, n.Line, n.Column)
		}
		lines = append(lines, place+": "+line)
	}
	return errors.New(strings.Join(lines, "\n"))
}

// find returns the node at a path such as "custom_detectors[0].level", or the nearest one above it: a value that came
// from the environment stands where it is named. Of a value that is a block it is the key, which stands above, and the key
// too where that is what is wrong.
func find(doc *yaml.Node, path string, byKey bool) *yaml.Node {
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		doc = doc.Content[0]
	}
	best, n := doc, doc
	for path != "" {
		for n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		var key *yaml.Node
		var next *yaml.Node
		switch n.Kind {
		case yaml.MappingNode:
			key, next, path = member(n, strings.TrimPrefix(path, "."))
		case yaml.SequenceNode:
			next, path = element(n, path)
		}
		if next == nil {
			break
		}
		n, best = next, next
		if key != nil && (next.Line != key.Line || byKey && path == "") {
			best = key
		}
	}
	return best
}

// member is the entry of a map that a path begins with, the longest where several do: a key may hold a dot itself. The
// entries of a map that is merged into it count too, unless it has the key itself.
func member(n *yaml.Node, path string) (key, value *yaml.Node, rest string) {
	longest := -1
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Tag == "!!merge" {
			merged = append(merged, n.Content[i+1])
			continue
		}
		after, ok := strings.CutPrefix(path, k.Value)
		if ok && len(k.Value) > longest && (after == "" || after[0] == '.' || after[0] == '[') {
			key, value, rest, longest = k, n.Content[i+1], after, len(k.Value)
		}
	}
	for _, m := range merged {
		if m.Kind == yaml.AliasNode {
			m = m.Alias
		}
		if value == nil && m.Kind == yaml.MappingNode {
			key, value, rest = member(m, path)
		}
	}
	return key, value, rest
}

// element is the element of a list that a path begins with.
func element(n *yaml.Node, path string) (value *yaml.Node, rest string) {
	number, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i < 0 || i >= len(n.Content) {
		return nil, ""
	}
	return n.Content[i], rest
}
