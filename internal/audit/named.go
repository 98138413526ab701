package audit

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// DefaultName is the name of the policy of the top-level stanzas, which holds where no other does. No entry of policies
// may have it.
const DefaultName = "default"

// A NamedPolicy is an entry of policies: the stanzas that hold for the telemetry that it matches. What it does not say is
// as the top-level stanzas have it.
type NamedPolicy struct {
	// Name tells it apart, in reports and on spans. It is part of the key of its fingerprints.
	Name string `mapstructure:"name"`
	// Match are the attributes that telemetry must have, all of them. See Matcher.
	Match     map[string]Values `mapstructure:"match"`
	Policy    `mapstructure:",squash"`
	Redaction NamedRedaction `mapstructure:"redaction"`
}

// NamedRedaction is Redaction of an entry, whose key hides itself: a collector prints its configuration.
type NamedRedaction struct {
	Levels []int  `mapstructure:"levels"`
	Style  string `mapstructure:"style"`
	// Key of the fingerprints. Empty: one that is made of the top-level key and the name.
	Key   Secret     `mapstructure:"key"`
	Media string     `mapstructure:"media"`
	Rules []ModeRule `mapstructure:"rules"`
}

// A Secret never shows itself.
type Secret string

// String hides the value.
func (Secret) String() string { return hidden }

// GoString hides the value.
func (Secret) GoString() string { return hidden }

// MarshalText hides the value.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Values are those an attribute may have: in a file a text, or a list of texts.
type Values []Value

// A Value is the text of an attribute's value, of a number or a boolean as JSON writes it.
type Value string

// UnmarshalText takes one value as it is.
func (v *Values) UnmarshalText(text []byte) error {
	*v = Values{Value(text)}
	return nil
}

// Said are the keys that a document sets, by path: those of the stanzas, such as "vault.levels", and those of entries, such
// as "policies[0].vault.levels". A key with nothing after it is not set.
type Said map[string]bool

// SaidIn lists the keys of a document that CheckFile or CheckStanzas takes.
func SaidIn(doc map[string]any) Said {
	s := Said{}
	s.read("", policyShape, doc)
	return s
}

func (s Said) read(path string, of *shape, doc map[string]any) {
	for key, v := range doc {
		f := of.fields[key]
		if f == nil || v == nil {
			continue
		}
		at := strings.TrimPrefix(path+"."+key, ".")
		switch x := v.(type) {
		case map[string]any:
			if f.kind == objects {
				s.read(at, f, x)
				continue
			}
		case []any:
			if at == policiesKey {
				for i, e := range x {
					if m, ok := e.(map[string]any); ok {
						s.read(entryPath(i), f.elem, m)
					}
				}
			}
		}
		s[at] = true
	}
}

const (
	policiesKey  = "policies"
	overridesKey = "scoring.level_overrides"
)

func entryPath(i int) string { return policiesKey + "[" + strconv.Itoa(i) + "]" }

// Effective are the policies in force: the top-level stanzas first, then each entry over them. Their Policies are nil, and
// the redaction key of an entry is its own or empty.
//
// Scalars and lists of an entry replace those above. Of maps that are no stanza level_overrides joins the one above; a vault
// is one declaration: an entry that says levels or rho_s takes neither them nor scope_def from above.
func (f *File) Effective() []File {
	top := *f
	top.Policies, top.Said = nil, nil
	out := []File{top}
	for i := range f.Policies {
		n := &f.Policies[i]
		own := File{Policy: n.Policy, Redaction: n.Redaction.plain()}
		e := top
		says := func(path string, v reflect.Value) bool { return f.says(i, path, v) }
		if says("vault.levels", reflect.ValueOf(own.Vault.Levels)) || says("vault.rho_s", reflect.ValueOf(own.Vault.RhoS)) {
			e.Vault.Levels, e.Vault.RhoS, e.Vault.ScopeDef = nil, nil, ""
		}
		e.Redaction.Key = ""
		overlay("", reflect.ValueOf(&e).Elem(), reflect.ValueOf(&own).Elem(), says)
		out = append(out, e)
	}
	return out
}

// strangers are the fingerprints that entry i takes from above, where they are by another key than its own.
func (f *File) strangers(i int, e *File) (errs []error) {
	if e.Redaction.Key == f.Redaction.Key {
		return nil
	}
	n := &f.Policies[i]
	for _, list := range []struct {
		path string
		own  reflect.Value
		at   int
	}{
		{"vault.canaries", reflect.ValueOf(n.Vault.Canaries), slices.IndexFunc(e.Vault.Canaries, Canary.known)},
		{"allow", reflect.ValueOf(n.Allow), slices.IndexFunc(e.Allow, func(r AllowRow) bool { return r.Fingerprint != "" })},
	} {
		if list.at >= 0 && !f.says(i, list.path, list.own) {
			errs = append(errs, fmt.Errorf("%s: %s[%d], from above, is a fingerprint by another key: want %s of its own", entryPath(i), list.path, list.at, list.path))
		}
	}
	return errs
}

// says reports whether entry i sets the key at path, whose value there is v.
func (f *File) says(i int, path string, v reflect.Value) bool {
	if f.Said == nil {
		return !v.IsZero()
	}
	return f.Said[entryPath(i)+"."+path]
}

// overlay sets what is said of over in v.
func overlay(path string, v, over reflect.Value, says func(string, reflect.Value) bool) {
	for i := range v.NumField() {
		name, squashed, ok := fieldKey(v.Type().Field(i))
		if !ok {
			continue
		}
		at := path
		if !squashed {
			at = strings.TrimPrefix(path+"."+name, ".")
		}
		to, from := v.Field(i), over.Field(i)
		switch {
		case to.Kind() == reflect.Struct:
			overlay(at, to, from, says)
		case !says(at, from):
		case at == overridesKey && to.Len() > 0:
			all := maps.Clone(to.Interface().(map[string]int))
			maps.Copy(all, from.Interface().(map[string]int))
			to.Set(reflect.ValueOf(all))
		default:
			to.Set(from)
		}
	}
}

// fieldKey reads the key of a field, not ok for one that no document sets.
func fieldKey(f reflect.StructField) (name string, squashed, ok bool) {
	name, option, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
	return name, option == "squash", name != "-"
}

func (r *NamedRedaction) plain() Redaction {
	return Redaction{Levels: r.Levels, Style: r.Style, Key: string(r.Key), Media: r.Media, Rules: r.Rules}
}

// Validate returns all that is wrong with the stanzas, and if they are right, with the entries over them and with what they
// match.
func (f *File) Validate() error {
	if err := Validate(f.Policy, f.Redaction); err != nil {
		return err
	}
	var errs []error
	seen := map[string]int{}
	for i, e := range f.Effective()[1:] {
		at, name := entryPath(i), f.Policies[i].Name
		switch before, ok := seen[name]; {
		case name == DefaultName:
			errs = append(errs, fmt.Errorf("%s.name: %q: the name of the policy of the top level: want another", at, name))
		case ok:
			errs = append(errs, fmt.Errorf("%s.name: %q: the name of %s: want another", at, name, entryPath(before)))
		default:
			seen[name] = i
		}
		errs = append(errs, f.strangers(i, &e)...)
		if e.Redaction.Key == "" {
			e.Redaction.Key = f.Redaction.Key // of which its own is made
		}
		if err := Validate(e.Policy, e.Redaction); err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				errs = append(errs, fmt.Errorf("%s.%s", at, line))
			}
		}
	}
	return errors.Join(append(errs, checkMatches(f.Policies)...)...)
}
