package audit

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Setting is a key of a policy in force, with its value as text. Of a key, canary, pattern or sample the value is not told.
type Setting struct{ Key, Value, Source string }

// Where the value of a Setting is from.
const (
	FromFile      = "file"      // the policy itself says it
	FromTop       = "inherited" // the top-level stanzas say it
	FromNobody    = "default"   // nobody does
	notTold       = "not shown"
	keyRandom     = "random"
	keyConfigured = "configured, not shown"
	keyDerived    = "made of the top-level key and the name"
)

// Settings are those of policy i, 0 for the top-level stanzas, in the order of the stanzas.
func (f *File) Settings(i int) []Setting {
	e := f.Effective()[i]
	own := ""
	if i > 0 {
		own = entryPath(i-1) + "."
	}
	source := func(path string) string {
		// What Effective does not take from above: a vault is one declaration, and keys are nobody else's.
		alone := path == "redaction.key" ||
			strings.HasPrefix(path, "vault.") && path != "vault.canaries" && (f.Said[own+"vault.levels"] || f.Said[own+"vault.rho_s"])
		switch {
		case path == overridesKey && i > 0 && f.Said[own+path] && f.Said[path]:
			return FromFile + ", " + FromTop
		case f.Said[own+path]:
			return FromFile
		case f.Said[path] && !alone:
			return FromTop
		}
		return FromNobody
	}
	var out []Setting
	walkSettings("", policyShape, reflect.ValueOf(&e).Elem(), func(path string, s *shape, v reflect.Value) {
		value := settingText(s, v)
		if path == "redaction.key" {
			switch {
			case v.String() != "":
				value = keyConfigured
			case i > 0:
				value = keyDerived
			default:
				value = keyRandom
			}
		}
		out = append(out, Setting{path, value, source(path)})
	})
	return out
}

// MatchText is what an entry matches, as a file has it.
func (n *NamedPolicy) MatchText() string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(n.Match)) {
		all = append(all, key+"="+flow(&shape{kind: list, elem: &shape{kind: phrase}}, reflect.ValueOf(n.Match[key])))
	}
	return strings.Join(all, ", ")
}

func walkSettings(path string, s *shape, v reflect.Value, visit func(string, *shape, reflect.Value)) {
	for i := range v.NumField() {
		name, squashed, ok := fieldKey(v.Type().Field(i))
		switch at := strings.TrimPrefix(path+"."+name, "."); {
		case !ok || at == policiesKey:
		case squashed:
			walkSettings(path, s, v.Field(i), visit)
		case v.Field(i).Kind() == reflect.Struct:
			walkSettings(at, s.fields[name], v.Field(i), visit)
		default:
			visit(at, s.fields[name], v.Field(i))
		}
	}
}

// settingText is a value, "none" where there is none.
func settingText(s *shape, v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return "none"
		}
	case reflect.Pointer:
		if v.IsNil() {
			return "none"
		}
		v = v.Elem()
	case reflect.String:
		if v.Len() == 0 {
			return "none"
		}
	}
	return flow(s, v)
}

var plainText = regexp.MustCompile(`^[\pL\pN_./:@+-]([\pL\pN_./:@+ -]*[\pL\pN_./:@+-])?$`)

// flow writes a value on one line as YAML has it.
func flow(s *shape, v reflect.Value) string {
	if s.secret {
		return notTold
	}
	switch v.Kind() {
	case reflect.Slice:
		if s.elem.secret {
			return fmt.Sprintf("%d, %s", v.Len(), notTold)
		}
		var all []string
		for i := range v.Len() {
			all = append(all, flow(s.elem, v.Index(i)))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case reflect.Map:
		var all []string
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, k := range keys {
			all = append(all, flow(&shape{}, k)+": "+flow(s.elem, v.MapIndex(k)))
		}
		return "{" + strings.Join(all, ", ") + "}"
	case reflect.Struct:
		var all []string
		for i := range v.NumField() {
			name, _, _ := fieldKey(v.Type().Field(i))
			if f := v.Field(i); !f.IsZero() {
				all = append(all, name+": "+flow(s.fields[name], f))
			}
		}
		return "{" + strings.Join(all, ", ") + "}"
	case reflect.Pointer:
		return flow(s, v.Elem())
	case reflect.Interface:
		if t, ok := v.Interface().(time.Time); ok {
			return t.UTC().Format(time.RFC3339)
		}
		return flow(s, v.Elem())
	case reflect.String:
		if text := v.String(); !plainText.MatchString(text) {
			return strconv.Quote(text)
		}
		return v.String()
	}
	return fmt.Sprint(v.Interface())
}
