package report

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// keyedBasis is one with a key.
func keyedBasis() audit.Basis {
	return audit.Basis{Rules: "r", Vault: "v", Policy: "p", Weights: []int{1, 2, 3, 4}, Key: "k"}
}

// leaksOf is a set of one trace that disclosed secrets, by number, each at the place of that name.
func leaksOf(t *testing.T, b audit.Basis, at map[byte][]string) *Set {
	tr := clean100(t)
	tr.ID = "x"
	for n, places := range at {
		for _, p := range places {
			tr.Findings = append(tr.Findings, audit.Finding{ID: secret(n), Type: "email", Level: agentrisk.L2, Channel: agentrisk.ChannelLog, SpanName: "s", Where: p})
		}
	}
	return &Set{Basis: b, Traces: []Trace{tr}}
}

// TestCompare counts secrets by each way of telling them apart.
func TestCompare(t *testing.T) {
	type at = map[byte][]string
	for _, test := range []struct {
		name              string
		then, now         at
		bySecret, byPlace [3]int // new, fixed, unchanged
		newPlaces         []string
	}{
		{"the same", at{1: {"a"}}, at{1: {"a"}}, [3]int{0, 0, 1}, [3]int{0, 0, 1}, nil},
		{"one more at a place", at{1: {"a"}}, at{1: {"a"}, 2: {"a"}}, [3]int{1, 0, 1}, [3]int{1, 0, 1}, []string{"a"}},
		{"one for another", at{1: {"a"}}, at{2: {"a"}}, [3]int{1, 1, 0}, [3]int{0, 0, 1}, []string{"a"}},
		{"moved", at{1: {"a"}}, at{1: {"b"}}, [3]int{0, 0, 1}, [3]int{1, 1, 0}, nil},
		{"repeated", at{1: {"a"}}, at{1: {"a", "a", "a"}}, [3]int{0, 0, 1}, [3]int{0, 0, 1}, nil},
		{"numbers differ", at{1: {"m.0.text"}}, at{1: {"m.17.text"}}, [3]int{0, 0, 1}, [3]int{0, 0, 1}, nil},
		{"nothing then", nil, at{1: {"a"}, 2: {"b"}}, [3]int{2, 0, 0}, [3]int{2, 0, 0}, []string{"a", "b"}},
		{"nothing now", at{1: {"a"}, 2: {"b"}}, nil, [3]int{0, 2, 0}, [3]int{0, 2, 0}, nil},
	} {
		count := func(c *Comparison) [3]int { return [3]int{secrets(c.New), secrets(c.Fixed), secrets(c.Unchanged)} }
		c := compared(t, leaksOf(t, keyedBasis(), test.then), leaksOf(t, keyedBasis(), test.now))
		if got := count(c); got != test.bySecret || c.By != BySecret || c.Notes != nil {
			t.Errorf("%s: %v by %s, want %v", test.name, got, c.By, test.bySecret)
		}
		var places []string
		for _, l := range c.New {
			places = append(places, l.Where)
		}
		slices.Sort(places)
		if !slices.Equal(places, test.newPlaces) {
			t.Errorf("%s: new at %q, want %q", test.name, places, test.newPlaces)
		}
		random, other := keyedBasis(), keyedBasis()
		random.Key, other.Key = "", "l"
		for _, keys := range [][2]audit.Basis{{random, random}, {keyedBasis(), random}, {random, keyedBasis()}, {keyedBasis(), other}} {
			c := compared(t, leaksOf(t, keys[0], test.then), leaksOf(t, keys[1], test.now))
			if got := count(c); got != test.byPlace || c.By != ByPlace || len(c.Notes) != 1 {
				t.Errorf("%s, keys %q and %q: %v by %s, want %v", test.name, keys[0].Key, keys[1].Key, got, c.By, test.byPlace)
			}
		}
	}
}

// TestIncomparable wants a refusal that names what differs, and none for a policy.
func TestIncomparable(t *testing.T) {
	for _, test := range []struct {
		change func(*audit.Basis)
		want   string
	}{
		{func(b *audit.Basis) { b.Vault = "other" }, "the vault"},
		{func(b *audit.Basis) { b.Weights = []int{1, 1, 1, 1} }, "the weights"},
		{func(b *audit.Basis) { b.Rules, b.Vault = "other", "other" }, "the vault, the rules"},
		{func(b *audit.Basis) { b.Policy = "other" }, ""},
	} {
		b := keyedBasis()
		test.change(&b)
		old, err := ReadBaseline(strings.NewReader(written(t, leaksOf(t, b, nil), (*Set).WriteJSON)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = leaksOf(t, keyedBasis(), nil).Compare(old)
		if (err == nil) != (test.want == "") || err != nil && (!errors.Is(err, ErrIncomparable) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("want %q, got %v", test.want, err)
		}
	}
}

// TestPoliciesApart wants each policy compared by its own basis, its leaks told from those of others, and a refusal where
// one report knows a policy that the other lacks.
func TestPoliciesApart(t *testing.T) {
	under := func(policy string, b audit.Basis, at map[byte][]string) *Set {
		set := leaksOf(t, keyedBasis(), at)
		for i := range set.Traces {
			set.Traces[i].Policy = policy
		}
		set.Policies = []PolicyBasis{{"acme", b}}
		return set
	}
	leaks := map[byte][]string{1: {"a"}}
	own := keyedBasis()
	own.Vault, own.Key = "acme's", "of acme"
	if c := compared(t, under("acme", own, leaks), under("acme", own, leaks)); len(c.Unchanged) != 1 || c.By != BySecret {
		t.Errorf("the same twice: %+v", c)
	}
	both := func(first, second *Set) *Set {
		first.Traces = append(first.Traces, second.Traces...)
		return first
	}
	was := both(under("acme", own, nil), under("default", own, leaks))
	if c := compared(t, was, both(under("acme", own, leaks), under("default", own, leaks))); len(c.New) != 1 || len(c.Unchanged) != 1 {
		t.Errorf("a leak of another policy is not new: %+v", c)
	}
	other, random := own, own
	other.Vault, random.Key = "another", ""
	if c := compared(t, under("acme", own, leaks), under("acme", random, leaks)); c.By != ByPlace {
		t.Errorf("compared by secret with a random key")
	}
	if c := compared(t, under("", own, leaks), under("default", other, leaks)); len(c.Unchanged) != 1 || c.By != BySecret {
		t.Errorf("a policy that no trace has counts: %+v", c)
	}
	for _, test := range []struct {
		then, now *Set
		want      string
	}{
		{under("acme", own, leaks), under("acme", other, leaks), "another basis of policy acme: the vault"},
		{leaksOf(t, keyedBasis(), leaks), under("acme", own, leaks), "one of the reports has no policy acme"},
		{under("acme", own, leaks), leaksOf(t, keyedBasis(), leaks), "one of the reports has no policy acme"},
	} {
		old, err := ReadBaseline(strings.NewReader(written(t, test.then, (*Set).WriteJSON)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = test.now.Compare(old); !errors.Is(err, ErrIncomparable) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// TestReadBaseline wants errors that say what is wrong and repeat nothing of the file.
func TestReadBaseline(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", "want a JSON report (agentleak.report/1)"},
		{"4111 1111 1111 1111", "want a JSON report (agentleak.report/1)"},
		{`{"resourceSpans": []}`, "want a JSON report (agentleak.report/1)"},
		{`{"schema": "agentleak.report/2"}`, `schema "agentleak.report/2": want "agentleak.report/1"`},
		{`{"schema": "agentleak.report/1"}`, "basis: missing: the report is of an older version, write it again"},
		{`{"schema": "agentleak.report/1", "basis": {}, "traces": [{"findings": [{"level": "hunter2"}]}]}`,
			"traces.findings.level: not as the schema has it"},
	} {
		_, err := ReadBaseline(strings.NewReader(test.in))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.in, err, test.want)
		}
	}
}

// FuzzReadBaseline wants any file to be refused or compared, and what is compared to be written.
func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte(`{"schema":"agentleak.report/1","basis":{"rules":"r","vault":"v","weights":[1,2,3,4],"key":"k"},"traces":[{"findings":[{"disclosed":true,"channel":"log","level":-9,"data_type":"<b>\u0000","secret_id":"zz","where":"|"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ReadBaseline(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		set := leaksOf(t, keyedBasis(), map[byte][]string{1: {"a"}})
		if set.Baseline, err = set.Compare(b); err != nil {
			return
		}
		for _, write := range forms {
			written(t, set, write)
		}
	})
}
