package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// spelledJSON writes x as JSON the way one of several languages does: they escape other characters.
func spelledJSON(rng *rand.Rand, x any) string {
	data, _ := json.Marshal(x) // Go: < > &
	escapes := []string{"", "+'`/", "/", "é"}[rng.IntN(4)]
	var b strings.Builder
	escape := false
	for _, r := range string(data) {
		switch {
		case escape:
			escape = false
			b.WriteRune(r)
			continue
		case r == '/' && escapes == "/":
			b.WriteString(`\/`)
			continue
		case strings.ContainsRune(escapes, r) || r >= 0x80 && r < 0x10000 && len(escapes) > 1:
			fmt.Fprintf(&b, `\u%04X`, r)
			continue
		}
		escape = r == '\\'
		b.WriteRune(r)
	}
	return b.String()
}

// TestFilterLosesNoCopy: reading only the records that may hold a copy finds what reading all of them does.
func TestFilterLosesNoCopy(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 15))
	a := newAuditor(t, Options{})
	keys := map[byte]string{'p': "password", 'n': "account_number", 'e': "email", 'h': "api_key", 'm': "full_name"}
	skipped := 0
	for round := range 1500 {
		type value struct {
			kind byte
			text string
		}
		values := make([]value, 1+rng.IntN(3))
		for i := range values {
			values[i].kind = "pnehm"[rng.IntN(5)]
			values[i].text, _, _ = aValue(rng, values[i].kind)
		}
		td := ptrace.NewTraces()
		ss := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty()
		for i := range 1 + rng.IntN(4) {
			s := ss.Spans().AppendEmpty()
			s.SetTraceID(pcommon.TraceID{1})
			s.SetSpanID(pcommon.SpanID{byte(i + 1)})
			s.SetName("execute_tool")
			s.Attributes().PutDouble("score", float64(rng.IntN(1e9))/8)
			s.Attributes().PutInt("seq", rng.Int64N(1e16))
			for k := range 1 + rng.IntN(3) {
				v := values[rng.IntN(len(values))]
				x := map[string]any{"note": "see below"}
				if rng.IntN(3) > 0 {
					x[keys[v.kind]] = v.text
				}
				for rng.IntN(3) == 0 {
					d := disguises[rng.IntN(len(disguises))]
					if w := values[rng.IntN(len(values))]; strings.IndexByte(d.kinds, w.kind) >= 0 {
						x["note"] = fmt.Sprintf("%v, %s", x["note"], d.make(rng, w.text))
					}
				}
				text := spelledJSON(rng, x)
				for depth := 1; depth < 5 && rng.IntN(3) == 0; depth++ {
					text = spelledJSON(rng, map[string]any{"result": text, "n": rng.IntN(1e9)})
				}
				s.Attributes().PutStr(fmt.Sprint("tool.", k), text)
			}
		}
		b, all := a.ScanTraces(td), a.ScanTraces(td)
		for i := range all.records {
			if all.seams == nil {
				all.seams = map[int]bool{}
			}
			all.seams[i] = true
		}
		var l, m Ledger
		l.Add(a, b)
		m.Add(a, all)
		d := newFinder(a.lit, &l.literals)
		for i, s := range ss.Spans().All() {
			if !d.span(s, b.headsOf(i+2)) { // behind the resource and the scope
				skipped++
			}
		}
		a.FindCopies(td, b, &l)
		a.FindCopies(td, all, &m)
		if !reflect.DeepEqual(b.hits, all.hits) {
			text, _ := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
			t.Fatalf("seed %d, round %d: %d hits with the filter, %d without in\n%s", seed, round, len(b.hits), len(all.hits), text)
		}
		if !maps.Equal(l.literals.heads, m.literals.heads) {
			t.Fatalf("seed %d, round %d: other values are known with the filter", seed, round)
		}
	}
	if skipped < 300 {
		t.Errorf("the filter spared %d records", skipped)
	}
}
