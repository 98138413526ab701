package audit

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// CheckFile returns all that is wrong with the form of a policy file that was read as plain maps, lists and scalars. Each
// line of the error starts with the path of a key, such as "custom_detectors[0].level", and says what is allowed. What
// takes more than a look at one value, such as a pattern, is for Validate.
func CheckFile(doc map[string]any) error { return check(policyShape, doc, true) }

// CheckStanzas is CheckFile for a configuration that has other keys besides, which it passes over.
func CheckStanzas(doc map[string]any) error { return check(policyShape, doc, false) }

func check(s *shape, doc map[string]any, closed bool) error {
	c := checker{}
	c.object("", s, doc, closed)
	return errors.Join(c.errs...)
}

// Empty lists the keys of doc under which nothing stands, each as its path. They are to be left out before the rest is
// decoded, so that their defaults hold.
func Empty(doc map[string]any) (paths [][]string) {
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		switch v := doc[key].(type) {
		case nil:
			paths = append(paths, []string{key})
		case map[string]any:
			for _, p := range Empty(v) {
				paths = append(paths, append([]string{key}, p...))
			}
		}
	}
	return paths
}

type checker struct{ errs []error }

func (c *checker) fail(path, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...)))
}

func (c *checker) object(path string, s *shape, m map[string]any, closed bool) {
	before := len(c.errs)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		if f := s.fields[key]; f != nil {
			c.value(at, f, m[key], true)
		} else if closed {
			c.fail(at, "unknown key%s", suggest(key, slices.Sorted(maps.Keys(s.fields))))
		}
	}
	for _, key := range s.required {
		if m[key] == nil {
			c.fail(path+"."+key, "is missing")
		}
	}
	if s.oneOf != nil && len(c.errs) == before && !slices.ContainsFunc(s.oneOf, func(key string) bool { return m[key] != nil }) {
		c.fail(path, "holds of everything: want one or more of %s", strings.Join(s.oneOf, ", "))
	}
}

// value checks one value. None, where it may be none, is as if its key were not there.
func (c *checker) value(path string, s *shape, v any, optional bool) {
	if v == nil && optional {
		return
	}
	switch x := v.(type) {
	case map[string]any:
		switch s.kind {
		case objects:
			c.object(path, s, x, true)
			return
		case dict:
			c.count(path, s, len(x))
			for _, key := range slices.Sorted(maps.Keys(x)) {
				if !s.key.MatchString(key) {
					c.fail(path+"."+key, "unknown key: want %s", s.keyWant)
					continue
				}
				c.value(path+"."+key, s.elem, x[key], false)
			}
			return
		}
	case []any:
		if s.kind != list && s.kind != phrases {
			break
		}
		c.count(path, s, len(x))
		if s.size > 0 && len(x) != s.size {
			c.fail(path, "%d elements: want exactly %d", len(x), s.size)
		}
		for i, e := range x {
			c.value(fmt.Sprintf("%s[%d]", path, i), s.elem, e, false)
		}
		return
	case string:
		if s.kind == phrases {
			c.value(path, s.elem, v, false)
			return
		}
		if s.kind == phrase || s.kind == date {
			if s.pattern != nil && !s.pattern.MatchString(x) || s.except != "" && s.except == x {
				said := fmt.Sprintf("%q: ", x)
				if s.secret {
					said = ""
				}
				c.fail(path, "%swant %s", said, s.want)
			}
			if s.enum != nil && !slices.Contains(s.enum, x) {
				c.fail(path, "%q%s", x, suggest(x, s.enum))
			}
			if n := utf8.RuneCountInString(x); s.length[1] > 0 && (n < s.length[0] || n > s.length[1]) {
				c.fail(path, "%d characters: want %d to %d", n, s.length[0], s.length[1])
			}
			return
		}
	case time.Time:
		if s.kind == date {
			return
		}
	case bool:
		if s.kind == boolean || s.kind == phrase {
			return // of a text see below
		}
	default:
		if s.kind == phrase && v != nil {
			// What looks like a number is a text where it came from the environment, which only decoding can tell; it
			// refuses all others.
			return
		}
		if f, ok := numberOf(v); ok && (s.kind == integer || s.kind == number) {
			c.number(path, s, f)
			return
		}
	}
	c.fail(path, "%swant %s", shown(s, v), kinds[s.kind])
}

// count checks how many elements or keys there are.
func (c *checker) count(path string, s *shape, n int) {
	switch {
	case n < s.few:
		c.fail(path, "%d: want at least %d", n, s.few)
	case s.many > 0 && n > s.many:
		c.fail(path, "%d: want at most %d", n, s.many)
	}
}

func (c *checker) number(path string, s *shape, f float64) {
	switch {
	case s.kind == integer && (f != math.Trunc(f) || math.Abs(f) > maxInteger):
		c.fail(path, "%v: want an integer", f)
	case s.min != nil && !(f >= *s.min) || s.max != nil && !(f <= *s.max) || math.IsNaN(f):
		if s.max == nil {
			c.fail(path, "%v: want %v or more", f, *s.min)
		} else {
			c.fail(path, "%v: want %v to %v", f, *s.min, *s.max)
		}
	}
}

// shown is a scalar of the wrong kind, where that tells nothing.
func shown(s *shape, v any) string {
	if s.secret || s.kind == phrase && s.enum == nil {
		return ""
	}
	switch x := v.(type) {
	case nil:
		return "empty: "
	case string:
		return fmt.Sprintf("%q: ", x)
	case map[string]any, []any:
		return ""
	}
	return fmt.Sprintf("%v: ", v)
}

func numberOf(v any) (float64, bool) {
	switch x := v.(type) {
	case int:
		return float64(x), true
	case int64:
		return float64(x), true
	case uint64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// suggest names what is allowed, and first what was most likely meant.
func suggest(word string, allowed []string) string {
	all := ": want one of " + strings.Join(allowed, ", ")
	best, least := "", 1+min(2, len(word)/3)
	for _, a := range allowed {
		if d := distance(word, a); d < least {
			best, least = a, d
		}
	}
	if best == "" {
		return all
	}
	return fmt.Sprintf(": did you mean %s?%s", best, strings.Replace(all, ":", "", 1))
}

// distance is the number of letters to insert, remove or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost = 1 + min(last, row[j], row[j+1])
			}
			last, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
