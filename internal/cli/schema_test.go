package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

const schemaFile = "../../docs/agentleak.schema.json"

// TestSchemaFile wants the published file to be what the command prints.
func TestSchemaFile(t *testing.T) {
	want := audit.Schema(elsewhere...)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/agentleak.schema.json is not what agentleak schema prints (%v): run the test with -update", err)
	}
}

// TestSchemaAgrees makes documents of the schema alone. The schema and the loader take each of them; of what is changed
// at one place at random both take or refuse the same.
func TestSchemaAgrees(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var shape map[string]any
	if err := json.Unmarshal(data, &shape); err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := documents{rand.New(rand.NewPCG(seed, 1)), 0}
	file := filepath.Join(t.TempDir(), "agentleak.yaml")
	takes := func(doc any) (bySchema, byLoader error) {
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, byLoader = readPolicy(file, io.Discard)
		return schema.Validate(v), byLoader
	}
	refused := 0
	const rounds = 400
	for range rounds {
		doc := g.of(shape, "").(map[string]any)
		keyed(doc)
		if s, l := takes(doc); s != nil || l != nil {
			t.Fatalf("%v\nschema: %v\nloader: %v", doc, s, l)
		}
		g.spoil(doc)
		keyed(doc)
		s, l := takes(doc)
		if (s == nil) != (l == nil) {
			t.Fatalf("%v\nschema: %v\nloader: %v", doc, s, l)
		}
		if s != nil {
			refused++
		}
	}
	if refused < rounds/2 {
		t.Errorf("only %d of %d changed documents are refused", refused, rounds)
	}
}

// keyed gives a document a key where it may have fingerprints: that they mean nothing without one is for the loader.
func keyed(doc map[string]any) {
	if doc["allow"] == nil && doc["policies"] == nil {
		return
	}
	if doc["redaction"] == nil {
		doc["redaction"] = map[string]any{}
	}
	if r, ok := doc["redaction"].(map[string]any); ok && r["key"] == nil {
		r["key"] = "of no value"
	}
	// Nor may an entry of policies, which has another key, take any from above.
	if rows, ok := doc["allow"].([]any); ok && doc["policies"] != nil {
		for _, row := range rows {
			if r, ok := row.(map[string]any); ok {
				delete(r, "fingerprint")
				r["data_type"] = "word"
			}
		}
	}
}

// documents makes values that a schema allows.
type documents struct {
	*rand.Rand
	n int
}

func (g *documents) of(s map[string]any, key string) any {
	kind, _ := s["type"].(string)
	optional := false
	if both, ok := s["type"].([]any); ok {
		kind, optional = both[0].(string), true
	}
	if optional && g.IntN(12) == 0 {
		return nil
	}
	if either, ok := s["anyOf"].([]any); ok && kind == "" {
		return g.of(either[g.IntN(len(either))].(map[string]any), key)
	}
	if words, ok := s["enum"].([]any); ok {
		return words[g.IntN(len(words))]
	}
	limit := func(name string, otherwise float64) float64 {
		if f, ok := s[name].(float64); ok && f < 1e6 && f > -1e6 {
			return f
		}
		return otherwise
	}
	switch kind {
	case "object":
		doc := map[string]any{}
		fields, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if slices.Contains(required, any(name)) || g.IntN(3) == 0 {
				doc[name] = g.of(fields[name].(map[string]any), name)
			}
		}
		if s["anyOf"] != nil {
			doc["rule"] = fmt.Sprintf("word%04d", g.n)
		}
		if elem, ok := s["additionalProperties"].(map[string]any); ok {
			doc["4"], doc["L2"] = g.of(elem, ""), g.of(elem, "")
		}
		return doc
	case "array":
		n := g.IntN(4)
		if f, ok := s["minItems"].(float64); ok {
			n = int(f)
		}
		l := []any{}
		for range n {
			l = append(l, g.of(s["items"].(map[string]any), key))
		}
		return l
	case "integer":
		lo := limit("minimum", 0)
		return lo + float64(g.IntN(int(limit("maximum", lo+50)-lo)+1))
	case "number":
		lo := limit("minimum", 0)
		return lo + g.Float64()*(limit("maximum", 1)-lo)
	case "boolean":
		return g.IntN(2) == 0
	case "string":
		g.n++
		// What only the loader can judge holds: a pattern that compiles and matches the samples, keys that differ.
		switch key {
		case "pattern":
			return "word[0-9]*"
		case "samples":
			return "a word"
		case "fingerprint":
			return []string{"9c1f0a77b2d4", "email:9c1f0a77b2d4"}[g.IntN(2)]
		case "expires":
			return []string{"2027-01-31", "2027-01-31T10:00:00Z", "2027-01-31T10:00:00.5+02:00"}[g.IntN(3)]
		}
		return fmt.Sprintf("word%04d", g.n)
	}
	return "anything" // a key of another program
}

// spoil changes one value, or adds or removes one.
func (g *documents) spoil(doc any) {
	var all []func()
	other := []any{"nonsense", 1.5, -1.0, 7.0, true, map[string]any{"x": 1.0}, []any{"x"}, 1e300}
	pick := func() any { return other[g.IntN(len(other))] }
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			all = append(all, func() { x["nonsense"] = 1.0 })
			for _, k := range slices.Sorted(maps.Keys(x)) {
				if k == "pattern" || k == "name" || k == "samples" || k == "span_name" || k == "scope" || k == "data_type" {
					all = append(all, func() { x[k] = 3.0 })
					continue // a text is a text to a schema; what it says is for the loader
				}
				if slices.Contains(elsewhere, k) {
					continue
				}
				all = append(all, func() {
					if was, ok := x[k].(string); ok && (k == "key" || strings.HasPrefix(was, "word")) {
						x[k] = 3.0
						return
					}
					x[k] = pick()
				}, func() { delete(x, k) })
				walk(x[k])
			}
		case []any:
			for i := range x {
				if was, ok := x[i].(string); ok && strings.HasPrefix(was, "word") {
					all = append(all, func() { x[i] = 2.0 })
					continue
				}
				all = append(all, func() { x[i] = pick() }, func() { x[i] = nil })
				walk(x[i])
			}
		}
	}
	walk(doc)
	all[g.IntN(len(all))]()
}
