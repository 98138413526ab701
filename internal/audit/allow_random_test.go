package audit

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// rowOf makes a row that holds of a find: one to three conditions, each as narrow or wide as it happens.
func rowOf(r *rand.Rand, h *hit, t *mapping.Tree) (row AllowRow) {
	for range 1 + r.IntN(3) {
		switch r.IntN(7) {
		case 0:
			row.Path = widened(r, strings.TrimSuffix(h.where+"."+h.path, "."))
		case 1:
			ch, _ := t.Channel(h.place)
			row.Channel = ch.String()
		case 2:
			row.DataType = string(h.Type)
		case 3:
			row.Rule = h.Rule
		case 4:
			if row.Pattern = regexp.QuoteMeta(h.value); r.IntN(2) == 0 && len(h.value) > 4 {
				row.Pattern = regexp.QuoteMeta(h.value[:2]) + "(?s:.*)"
			}
			if h.Token {
				row.Pattern = ".*"
			}
		case 5:
			row.Fingerprint = h.ID.Fingerprint()
		case 6:
			row.Fingerprint = string(h.Type) + ":" + h.ID.Fingerprint()
		}
	}
	if _, err := compileAllow([]AllowRow{row}, true); err != nil { // of everything
		row.Rule = h.Rule
	}
	return row
}

// widened puts wildcards in the place of steps of a path.
func widened(r *rand.Rand, path string) string {
	steps := keySteps(path)
	for i := range steps {
		switch r.IntN(8) {
		case 0:
			steps[i] = "*"
		case 1:
			steps[i] = "**"
		case 2:
			steps[i] = steps[i][:1] + "*"
		}
	}
	return strings.Join(steps, ".")
}

// holdsPlainly reads a row anew and slowly, by what reports show of a find. decided is false where spans are missing.
func holdsPlainly(t testing.TB, row *AllowRow, h *hit, tree *mapping.Tree) bool {
	if row.Path != "" {
		var re strings.Builder
		for _, s := range keySteps(row.Path) {
			switch s {
			case "**":
				re.WriteString(`(/[^/]+)*`)
			default:
				re.WriteString(`/` + strings.ReplaceAll(regexp.QuoteMeta(s), `\*`, `[^/]*`))
			}
		}
		path := "/" + strings.Join(append(keySteps(h.where), keySteps(h.path)...), "/")
		ok, err := regexp.MatchString("^"+re.String()+"$", path)
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexAny(h.where, "/"); !ok && i >= 0 { // by the key alone
			path = "/" + strings.Join(append(keySteps(h.where[i+1:]), keySteps(h.path)...), "/")
			ok, _ = regexp.MatchString("^"+re.String()+"$", path)
		}
		if !ok {
			return false
		}
	}
	if row.Channel != "" {
		ch, _ := tree.Channel(h.place)
		if ch.String() != row.Channel || !tree.Complete() && !h.place.Slot.Fixed() {
			return false
		}
	}
	if row.Pattern != "" {
		if ok, err := regexp.MatchString(`^(?:`+row.Pattern+`)$`, h.value); err != nil || !ok || h.Token {
			return false
		}
	}
	digits := row.Fingerprint[strings.IndexByte(row.Fingerprint, ':')+1:]
	return (row.DataType == "" || row.DataType == string(h.Type)) && (row.Rule == "" || row.Rule == h.Rule) &&
		(digits == "" || digits == h.ID.Fingerprint())
}

// allowedTrace is one trace by random rows that were made of finds in it, beside the same without rows.
type allowedTrace struct {
	rows        []AllowRow
	tree        *mapping.Tree
	plain, with *Batch
	left        ptrace.Traces
}

func randomRows(t testing.TB, r *rand.Rand, plain *Auditor, td ptrace.Traces) (x allowedTrace, ok bool) {
	var l, l2 Ledger
	x.plain = plain.ScanTraces(td)
	if len(x.plain.hits) == 0 {
		return x, false
	}
	l.Add(plain, x.plain)
	x.tree = l.tree()
	for range 1 + r.IntN(4) {
		h := &x.plain.hits[r.IntN(len(x.plain.hits))]
		x.rows = append(x.rows, rowOf(r, h, x.tree))
	}
	a := withRows(t, x.rows...)
	x.left = cloneTraces(td)
	x.with = a.ScanTraces(x.left)
	l2.Add(a, x.with)
	a.FindCopies(x.left, x.with, &l2)
	a.Redact(x.left, x.with)
	return x, true
}

// check holds the finds by rows against those without: they are the same but for those for which a row holds, and those
// that these had covered.
func (x *allowedTrace) check(t *testing.T) (taken int) {
	covers := func(list []hit, h *hit) bool {
		return slices.ContainsFunc(list, func(o hit) bool { return o.spot == h.spot && o.Start < h.End && h.Start < o.End })
	}
	same := func(a, b *hit) bool {
		return a.spot == b.spot && a.Start == b.Start && a.End == b.End && a.Rule == b.Rule && a.ID == b.ID && a.Rest == b.Rest
	}
	var gone []hit
	for i := range x.plain.hits {
		h := &x.plain.hits[i]
		allowed := slices.ContainsFunc(x.rows, func(r AllowRow) bool { return holdsPlainly(t, &r, h, x.tree) })
		found := slices.ContainsFunc(x.with.hits, func(o hit) bool { return !o.copy && same(h, &o) })
		switch {
		case allowed:
			taken++
			gone = append(gone, *h)
			if found {
				t.Errorf("%+v hold of %s of %s at %s %s, which is still found", x.rows, h.Rule, h.Type, h.where, h.path)
			}
		case !found && !covers(copiesOf(x.with), h):
			t.Errorf("%+v took %s at %s %s", x.rows, h.Rule, h.where, h.path)
		}
	}
	for i := range x.with.hits {
		h := &x.with.hits[i]
		if slices.ContainsFunc(x.rows, func(r AllowRow) bool { return holdsPlainly(t, &r, h, x.tree) }) {
			t.Errorf("%+v hold of %s at %s %s, which is found", x.rows, h.Rule, h.where, h.path)
		}
		if !h.copy && !slices.ContainsFunc(x.plain.hits, func(o hit) bool { return same(h, &o) }) && !covers(gone, h) {
			t.Errorf("%+v brought %s at %s %s", x.rows, h.Rule, h.where, h.path)
		}
	}
	hits := 0
	for _, n := range x.with.Allowed() {
		hits += n
	}
	if whole := slices.DeleteFunc(slices.Clone(gone), func(h hit) bool { return h.Rest }); hits < len(whole) {
		t.Errorf("%+v: %d hits of %d", x.rows, hits, len(whole))
	}
	return taken
}

func copiesOf(b *Batch) []hit {
	return slices.DeleteFunc(slices.Clone(b.hits), func(h hit) bool { return !h.copy })
}

// TestAllowProperty: what a list of rows changes is what its rows hold of, in real traces by random rows; what was JSON
// is JSON.
func TestAllowProperty(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 4))
	plain, taken := withRows(t), 0
	for _, file := range traceFiles(t) {
		for _, pieces := range byTrace(readTraces(t, file), 1<<30) {
			for range 2 {
				x, ok := randomRows(t, r, plain, pieces[0])
				if !ok {
					break
				}
				if taken += x.check(t); t.Failed() {
					t.Fatalf("%s, seed %d", filepath.Base(file), seed)
				}
				eachText(pieces[0], x.left, func(was, is string) {
					if isJSON(was) && !isJSON(is) {
						t.Fatalf("%s, seed %d: no JSON any more: %s", filepath.Base(file), seed, is)
					}
				})
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d finds were allowed: the test says nothing", taken)
	}
}

// isJSON tells a document of JSON; a lone number or word is a text.
func isJSON(s string) bool {
	return strings.ContainsAny(s[:min(len(s), 1)], "{[") && json.Valid([]byte(s))
}

// eachText visits the texts of the spans' attributes before and after.
func eachText(was, is ptrace.Traces, visit func(was, is string)) {
	for i, rs := range was.ResourceSpans().All() {
		for j, ss := range rs.ScopeSpans().All() {
			for k, s := range ss.Spans().All() {
				after := is.ResourceSpans().At(i).ScopeSpans().At(j).Spans().At(k)
				for key, v := range s.Attributes().All() {
					if w, ok := after.Attributes().Get(key); ok {
						visit(v.AsString(), w.AsString())
					}
				}
			}
		}
	}
}

// TestAllowIsOrderFree: with rows too the score does not depend on how a trace was split, ordered or repeated.
func TestAllowIsOrderFree(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 5))
	plain, scored := withRows(t), 0
	for _, file := range traceFiles(t) {
		td := readTraces(t, file)
		whole := byTrace(td, 1<<30)
		for id, pieces := range byTrace(td, 1) {
			if r.IntN(2) == 0 || len(pieces) > 60 {
				continue // each piece is searched with all that is known
			}
			x, ok := randomRows(t, r, plain, whole[id][0])
			if !ok {
				continue
			}
			a := withRows(t, x.rows...)
			var all []ptrace.Traces
			for _, p := range whole[id] {
				all = append(all, cloneTraces(p))
			}
			want := score(a, all)
			if want.Secrets > 0 {
				scored++
			}
			var order []ptrace.Traces
			for _, i := range r.Perm(len(pieces)) {
				order = append(order, cloneTraces(pieces[i]))
				if r.IntN(3) == 0 {
					order = append(order, cloneTraces(pieces[r.IntN(len(pieces))]))
				}
			}
			got := score(a, order)
			if diff := cmp.Diff(want.Report, got.Report); diff != "" || !reflect.DeepEqual(want.Outcome, got.Outcome) || want.Secrets != got.Secrets {
				t.Errorf("%s: %+v: the score depends on the order of spans (seed %d):\n%s", filepath.Base(file), x.rows, seed, diff)
			}
		}
	}
	if scored < 10 {
		t.Errorf("only %d traces with secrets: the test says nothing", scored)
	}
}

// FuzzAllow: by any rows a text is redacted to one that is at rest, and holds no find that is not allowed.
func FuzzAllow(f *testing.F) {
	f.Add("mail maria.keller@example.org, card 4111 1111 1111 1111", "email", "maria.*", "**.text", uint8(1))
	f.Add(`{"password":"brambleFox91keep","note":"tom.baker@example.org"}`, "", `(?i)[a-z.]+@.*`, "app.*.password", uint8(6))
	f.Add("[REDACTED:L4:email:9c1f0a77b2d4] and maria.keller@example.org", "email", "", "x", uint8(0))
	channels := []string{"", "log", "tool_call", "user_input", "none"}
	f.Fuzz(func(t *testing.T, text, dataType, pattern, path string, channel uint8) {
		row := AllowRow{DataType: dataType, Pattern: pattern, Path: path, Channel: channels[int(channel)%len(channels)]}
		if _, err := compileAllow([]AllowRow{row}, true); err != nil {
			t.Skip()
		}
		a := withRows(t, row)
		td := mailRun{agent: map[string]string{"app.text": text}, first: map[string]string{arguments: text}}.traces()
		was := cloneTraces(td)
		b, _, left := audited(t, a, td)
		if hits := b.Allowed(); len(hits) > 1 {
			t.Fatalf("%d rows", len(hits))
		}
		eachText(was, td, func(was, is string) {
			if isJSON(was) && !isJSON(is) {
				t.Fatalf("no JSON any more: %q", is)
			}
		})
		again := a.ScanTraces(td)
		var l Ledger
		l.Add(a, again)
		a.decide(again, &l)
		for i := range again.hits {
			if h := &again.hits[i]; !h.Token && !h.Rest {
				t.Fatalf("%+v: %s is left at %s in %q", row, h.Rule, h.where, left)
			}
		}
	})
}
