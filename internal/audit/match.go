package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Where an attribute of a match is looked for, by the prefix of its key. Without a prefix it is the resource's where the
// resource has the key, and else that of the span or log record: whoever deployed a service has the say before its code.
const (
	onResource = "resource."
	onRecord   = "span."
)

// maxMatch bounds the keys of one match.
const maxMatch = 16

// A Matcher finds the policy of a resource, span or log record: of the entries whose attributes it has all, the one with
// the most keys; policy 0 where there is none. Entries are numbered from 1. Values are compared as texts; lists, maps and
// bytes match nothing. It is safe for concurrent use.
type Matcher struct {
	rows []matchRow // the most keys first
	keys []string   // of resources and records, without prefix
}

type matchRow struct {
	policy     int
	conditions []condition
}

type condition struct {
	key      int // of Matcher.keys
	resource bool
	record   bool // neither: the resource's before the record's
	values   map[string]struct{}
}

// newMatcher compiles the matches of entries that were checked; nil where there are none.
func newMatcher(entries []NamedPolicy) *Matcher {
	if len(entries) == 0 {
		return nil
	}
	m := &Matcher{}
	number := map[string]int{}
	for i := range entries {
		row := matchRow{policy: i + 1}
		for _, key := range slices.Sorted(maps.Keys(entries[i].Match)) {
			name, resource, record := cutPrefix(key)
			n, ok := number[name]
			if !ok {
				n = len(m.keys)
				number[name] = n
				m.keys = append(m.keys, name)
			}
			values := map[string]struct{}{}
			for _, v := range entries[i].Match[key] {
				values[string(v)] = struct{}{}
			}
			row.conditions = append(row.conditions, condition{n, resource, record, values})
		}
		m.rows = append(m.rows, row)
	}
	slices.SortStableFunc(m.rows, func(a, b matchRow) int { return cmp.Compare(len(b.conditions), len(a.conditions)) })
	return m
}

func cutPrefix(key string) (name string, resource, record bool) {
	if name, ok := strings.CutPrefix(key, onResource); ok {
		return name, true, false
	}
	if name, ok := strings.CutPrefix(key, onRecord); ok {
		return name, false, true
	}
	return key, false, false
}

// A Cursor goes through resources and their records. It is for one goroutine.
type Cursor struct {
	m      *Matcher
	best   int      // policy of who has nothing more to show
	open   []waiter // what records decide, the most keys first
	values []matchValue
	spare  []matchValue // of the record
}

// A waiter is a row that the resource fits as far as it goes.
type waiter struct {
	row  *matchRow
	left uint32 // the conditions that the record must meet
}

// A matchValue is an attribute: there, and with a text if it is a scalar.
type matchValue struct {
	text         string
	there, plain bool
}

// Cursor returns one that stands on no resource.
func (m *Matcher) Cursor() *Cursor {
	return &Cursor{m: m, values: make([]matchValue, len(m.keys)), spare: make([]matchValue, len(m.keys))}
}

// Resource goes to a resource. It is decided when the policy is that of all its records.
func (c *Cursor) Resource(attrs pcommon.Map) (policy int, decided bool) {
	c.m.read(c.values, attrs)
	c.best, c.open = 0, c.open[:0]
rows:
	for i := range c.m.rows {
		row := &c.m.rows[i]
		var left uint32
		for j := range row.conditions {
			x := &row.conditions[j]
			v := c.values[x.key]
			switch {
			case x.record || !x.resource && !v.there:
				left |= 1 << j
			case !x.holds(v):
				continue rows
			}
		}
		if left == 0 {
			c.best = row.policy // those after it have fewer keys, or cannot hold beside it
			break
		}
		c.open = append(c.open, waiter{row, left})
	}
	return c.best, len(c.open) == 0
}

// Record is the policy of a span or log record under the resource.
func (c *Cursor) Record(attrs pcommon.Map) int {
	if len(c.open) == 0 {
		return c.best
	}
	c.m.read(c.spare, attrs)
open:
	for _, w := range c.open {
		for j := range w.row.conditions {
			if x := &w.row.conditions[j]; w.left&(1<<j) != 0 && !x.holds(c.spare[x.key]) {
				continue open
			}
		}
		return w.row.policy
	}
	return c.best
}

func (c *condition) holds(v matchValue) bool {
	if !v.plain {
		return false
	}
	_, ok := c.values[v.text]
	return ok
}

// read looks the keys up in one pass over the attributes; of a key that stands twice the first counts, as for others.
func (m *Matcher) read(dst []matchValue, attrs pcommon.Map) {
	clear(dst)
	for k, v := range attrs.All() {
		for i, key := range m.keys {
			if k == key && !dst[i].there {
				dst[i] = valueOf(v)
				break
			}
		}
	}
}

// valueOf is the text of a scalar. What is no scalar is there and equals nothing.
func valueOf(v pcommon.Value) matchValue {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return matchValue{v.Str(), true, true}
	case pcommon.ValueTypeInt:
		return matchValue{strconv.FormatInt(v.Int(), 10), true, true}
	case pcommon.ValueTypeBool, pcommon.ValueTypeDouble:
		return matchValue{v.AsString(), true, true}
	case pcommon.ValueTypeEmpty:
		return matchValue{}
	}
	return matchValue{there: true}
}

// checkMatches finds matches that can never hold, and ties: two that telemetry may meet at once, with as many keys.
func checkMatches(entries []NamedPolicy) (errs []error) {
	for i := range entries {
		a := &entries[i]
		for _, key := range slices.Sorted(maps.Keys(a.Match)) {
			name, _, _ := cutPrefix(key)
			if name == "" || strings.HasPrefix(name, "agentleak.") {
				errs = append(errs, fmt.Errorf("%s.match.%s: never there: want an attribute key, not under agentleak.", entryPath(i), key))
			}
		}
		if key := apart(a, a); key != "" {
			errs = append(errs, fmt.Errorf("%s.match.%s: can never hold: with the other keys for %q no value is left", entryPath(i), key, key))
			continue
		}
		for j := range entries[:i] {
			b := &entries[j]
			if len(a.Match) != len(b.Match) || apart(a, b) != "" {
				continue
			}
			errs = append(errs, fmt.Errorf("%s.match: a tie: policies %q and %q may match the same telemetry with %s each, so neither is more specific: %s",
				entryPath(i), b.Name, a.Name, keyCount(len(a.Match)), apartBy(b, a)))
		}
	}
	return errs
}

func keyCount(n int) string {
	if n == 1 {
		return "1 key"
	}
	return strconv.Itoa(n) + " keys"
}

// apartBy says how to break a tie.
func apartBy(a, b *NamedPolicy) string {
	var shared []string
	for _, key := range slices.Sorted(maps.Keys(a.Match)) {
		if b.Match[key] != nil {
			shared = append(shared, key)
		}
	}
	if shared == nil {
		key := slices.Min(slices.Collect(maps.Keys(b.Match)))
		return fmt.Sprintf("add a key to one of them, or give both the same key with different values, such as %s", key)
	}
	return fmt.Sprintf("add a key to one of them, or take the values that both have out of one (%s)", strings.Join(shared, ", "))
}

// apart names an attribute by which no telemetry meets both matches, empty where there may be some. Keys don't depend on
// each other, so each is looked at alone: its value on the resource, if any, and that on the record.
func apart(a, b *NamedPolicy) string {
	names := map[string]bool{}
	for _, p := range []*NamedPolicy{a, b} {
		for key := range p.Match {
			name, _, _ := cutPrefix(key)
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		lists := func(prefixes ...string) (all []Values) {
			for _, prefix := range prefixes {
				for _, p := range []*NamedPolicy{a, b} {
					// A bare key that looks like one with a prefix is one with a prefix.
					if n, resource, record := cutPrefix(prefix + name); n == name && resource == (prefix == onResource) && record == (prefix == onRecord) {
						if v := p.Match[prefix+name]; v != nil {
							all = append(all, v)
						}
					}
				}
			}
			return all
		}
		resource, record, either := lists(onResource), lists(onRecord), lists("")
		onIt := meet(slices.Concat(resource, either)) && meet(record)
		without := len(resource) == 0 && meet(slices.Concat(record, either))
		if !onIt && !without {
			return name
		}
	}
	return ""
}

// meet reports whether lists have a value in common; no list at all leaves any.
func meet(lists []Values) bool {
	if len(lists) == 0 {
		return true
	}
	return slices.ContainsFunc(lists[0], func(v Value) bool {
		return !slices.ContainsFunc(lists[1:], func(l Values) bool { return !slices.Contains(l, v) })
	})
}
