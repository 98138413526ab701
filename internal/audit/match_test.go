package audit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// The attributes of a small world, in which every telemetry there may be can be tried.
var (
	worldKeys   = []string{"a", "b"}
	worldValues = []string{"", "x", "y"} // the first: absent
)

// randomEntries are policies over that world.
func randomEntries(r *rand.Rand) []NamedPolicy {
	entries := make([]NamedPolicy, 1+r.IntN(4))
	for i := range entries {
		m := map[string]Values{}
		for len(m) == 0 || r.IntN(2) == 0 && len(m) < 5 {
			key := []string{"", onResource, onRecord}[r.IntN(3)] + worldKeys[r.IntN(2)]
			v := Values{Value(worldValues[1+r.IntN(2)])}
			if r.IntN(4) == 0 {
				v = Values{"x", "y"}
			}
			m[key] = v
		}
		entries[i] = NamedPolicy{Name: fmt.Sprintf("p%d", i), Match: m}
	}
	return entries
}

// world visits each pair of a resource and a record.
func world(visit func(resource, record map[string]string)) {
	n := len(worldValues)
	for i := range n * n * n * n {
		at := func(k int) string {
			v := i
			for range k {
				v /= n
			}
			return worldValues[v%n]
		}
		resource, record := map[string]string{}, map[string]string{}
		for k, name := range worldKeys {
			if v := at(k); v != "" {
				resource[name] = v
			}
			if v := at(2 + k); v != "" {
				record[name] = v
			}
		}
		visit(resource, record)
	}
}

// meets is what a match says, in the words of its documentation.
func meets(m map[string]Values, resource, record map[string]string) bool {
	for key, values := range m {
		name, onlyResource, onlyRecord := cutPrefix(key)
		v, ok := resource[name]
		if onlyRecord || !ok && !onlyResource {
			v, ok = record[name]
		}
		if !ok || !slices.Contains(values, Value(v)) {
			return false
		}
	}
	return true
}

func attributes(of map[string]string) pcommon.Map {
	m := pcommon.NewMap()
	for k, v := range of {
		m.PutStr(k, v)
	}
	return m
}

// TestMatches tries every telemetry of a small world against random policies. Ties and matches that never hold are found
// exactly where there are some, and where there are none the matcher finds what trying every policy finds.
func TestMatches(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	ties, right := 0, 0
	for range 2000 {
		entries := randomEntries(r)
		tied, held := map[[2]int]bool{}, map[int]bool{}
		world(func(resource, record map[string]string) {
			for i := range entries {
				if !meets(entries[i].Match, resource, record) {
					continue
				}
				held[i] = true
				for j := range i {
					if len(entries[i].Match) == len(entries[j].Match) && meets(entries[j].Match, resource, record) {
						tied[[2]int{j, i}] = true
					}
				}
			}
		})
		errs := checkMatches(entries)
		for i := range entries {
			never := slices.ContainsFunc(errs, func(err error) bool {
				return strings.HasPrefix(err.Error(), fmt.Sprintf("policies[%d].match.", i)) && strings.Contains(err.Error(), "never hold")
			})
			if never == held[i] {
				t.Fatalf("%v: never holds: %v, found %v", entries[i].Match, !held[i], errs)
			}
			for j := range i {
				found := slices.ContainsFunc(errs, func(err error) bool {
					return strings.HasPrefix(err.Error(), fmt.Sprintf("policies[%d].match: a tie", i)) &&
						strings.Contains(err.Error(), fmt.Sprintf("%q and %q", entries[j].Name, entries[i].Name))
				})
				if found != tied[[2]int{j, i}] {
					t.Fatalf("%v and %v: tie %v, found %v", entries[j].Match, entries[i].Match, !found, errs)
				}
			}
		}
		if ties += len(tied); len(errs) > 0 {
			continue
		}
		right++
		c := newMatcher(entries).Cursor()
		world(func(resource, record map[string]string) {
			want := 0
			for i := range entries {
				if meets(entries[i].Match, resource, record) && (want == 0 || len(entries[i].Match) > len(entries[want-1].Match)) {
					want = i + 1
				}
			}
			of, decided := c.Resource(attributes(resource))
			if got := c.Record(attributes(record)); got != want || decided && got != of {
				t.Fatalf("%v, %v: policy %d, want %d", resource, record, got, want)
			}
		})
	}
	if ties < 100 || right < 100 {
		t.Errorf("%d ties and %d lists without: the world is too small", ties, right)
	}
}

// TestMatchValues compares attributes of any type as texts, and those that are no scalar not at all.
func TestMatchValues(t *testing.T) {
	m := pcommon.NewMap()
	m.PutStr("text", "42")
	m.PutInt("int", 42)
	m.PutBool("bool", true)
	m.PutDouble("double", 4.5)
	m.PutEmpty("empty")
	m.PutStr("blank", "")
	m.PutEmptySlice("list").AppendEmpty().SetStr("42")
	m.PutEmptyMap("map")
	m.PutEmptyBytes("bytes").FromRaw([]byte("42"))
	for _, test := range []struct {
		key, value string
		want       bool
	}{
		{"text", "42", true}, {"int", "42", true}, {"int", "042", false}, {"bool", "true", true}, {"double", "4.5", true},
		{"blank", "", true}, {"empty", "", false}, {"list", "42", false}, {"list", "", false}, {"map", "{}", false}, {"bytes", "42", false},
		{"none", "", false},
	} {
		c := newMatcher([]NamedPolicy{{Match: map[string]Values{test.key: {Value(test.value)}}}}).Cursor()
		if of, _ := c.Resource(m); (of == 1) != test.want {
			t.Errorf("%s=%q: %v, want %v", test.key, test.value, of == 1, test.want)
		}
		c.Resource(pcommon.NewMap())
		if got := c.Record(m) == 1; got != test.want {
			t.Errorf("%s=%q on a record: %v, want %v", test.key, test.value, got, test.want)
		}
	}
}

// TestParted wants each record under a resource of one policy, none lost, and the order told.
func TestParted(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		entries := randomEntries(r)
		if len(checkMatches(entries)) > 0 {
			continue
		}
		m := newMatcher(entries)
		td, ld := ptrace.NewTraces(), plog.NewLogs()
		want := map[string]int{} // policy by name of a span
		n := 0
		for range 1 + r.IntN(4) {
			resource := map[string]string{}
			fill := func(to map[string]string) {
				for _, k := range worldKeys {
					if v := worldValues[r.IntN(3)]; v != "" {
						to[k] = v
					}
				}
			}
			fill(resource)
			rs, rl := td.ResourceSpans().AppendEmpty(), ld.ResourceLogs().AppendEmpty()
			attributes(resource).CopyTo(rs.Resource().Attributes())
			attributes(resource).CopyTo(rl.Resource().Attributes())
			for j := range r.IntN(3) {
				ss, sl := rs.ScopeSpans().AppendEmpty(), rl.ScopeLogs().AppendEmpty()
				ss.Scope().SetName(fmt.Sprint("scope ", j))
				for range r.IntN(4) {
					record := map[string]string{}
					fill(record)
					name := fmt.Sprint(n)
					s, l := ss.Spans().AppendEmpty(), sl.LogRecords().AppendEmpty()
					s.SetName(name)
					l.SetEventName(name)
					attributes(record).CopyTo(s.Attributes())
					attributes(record).CopyTo(l.Attributes())
					c := m.Cursor()
					c.Resource(rs.Resource().Attributes())
					want[name] = c.Record(s.Attributes())
					n++
				}
			}
		}
		scopes := func() (n int) {
			for _, rs := range td.ResourceSpans().All() {
				for _, ss := range rs.ScopeSpans().All() {
					if ss.Spans().Len() == 0 {
						n++
					}
				}
			}
			return n
		}
		shells := scopes()
		policies := m.Traces(td)
		of, order := m.Logs(ld)
		seen := 0
		for i, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					if seen++; want[s.Name()] != policies[i] {
						t.Fatalf("span %s is under policy %d, want %d", s.Name(), policies[i], want[s.Name()])
					}
				}
			}
		}
		if seen != n || td.SpanCount() != n || scopes() != shells || len(policies) != td.ResourceSpans().Len() {
			t.Fatalf("%d spans of %d, %d empty scopes of %d, %d policies of %d resources", seen, n, scopes(), shells, len(policies), td.ResourceSpans().Len())
		}
		seen = 0
		for i, rl := range ld.ResourceLogs().All() {
			for _, sl := range rl.ScopeLogs().All() {
				for _, l := range sl.LogRecords().All() {
					if want[l.EventName()] != of[i] {
						t.Fatalf("record %s is under policy %d, want %d", l.EventName(), of[i], want[l.EventName()])
					}
					was := seen
					if order != nil {
						was = order[seen]
					}
					if fmt.Sprint(was) != l.EventName() {
						t.Fatalf("record %s was at %d", l.EventName(), was)
					}
					seen++
				}
			}
		}
		if seen != n {
			t.Fatalf("%d records of %d", seen, n)
		}
	}
}

// BenchmarkMatch is the cost of a resource and ten spans among 100 policies of one key. Budget: 1 µs a span, no allocation.
func BenchmarkMatch(b *testing.B) {
	for _, on := range []string{"service.name", "gen_ai.agent.name"} {
		b.Run(on, func(b *testing.B) {
			var entries []NamedPolicy
			for i := range 100 {
				entries = append(entries, NamedPolicy{Match: map[string]Values{on: {Value(fmt.Sprint("tenant ", i))}}})
			}
			resource, record := pcommon.NewMap(), pcommon.NewMap()
			for i := range 10 {
				resource.PutStr(fmt.Sprint("host.", i), "x")
				record.PutStr(fmt.Sprint("gen_ai.", i), "x")
			}
			resource.PutStr("service.name", "tenant 99")
			record.PutStr("gen_ai.agent.name", "tenant 99")
			c := newMatcher(entries).Cursor()
			b.ReportAllocs()
			for b.Loop() {
				c.Resource(resource)
				for range 10 {
					if c.Record(record) != 100 {
						b.Fatal("no match")
					}
				}
			}
		})
	}
}
