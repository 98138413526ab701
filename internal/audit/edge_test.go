package audit

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// account is what a score says that tells no key: the report, and the ways out of each secret by type and span.
type account struct {
	Report any
	Leaked map[Leak]int
	Paths  []string
}

func accountOf(s *Score, l *Ledger) account {
	a := account{Report: s.Report, Leaked: s.Leaked()}
	for _, p := range s.Paths(l) {
		way := fmt.Sprint(p.Type, p.Level, " from ")
		if p.Entered != nil {
			way += fmt.Sprint(p.Entered.SpanID, p.Entered.Channel)
		}
		for _, st := range p.Leaks {
			way += fmt.Sprint(" to ", st.SpanID, st.Channel)
		}
		a.Paths = append(a.Paths, way)
	}
	slices.Sort(a.Paths)
	return a
}

// stream redacts pieces of one trace in place as an edge with hold: 0s does, each with what was known when it came.
func stream(a *Auditor, pieces []ptrace.Traces) account {
	var l Ledger
	for _, p := range pieces {
		b := a.ScanTraces(p)
		l.Add(a, b)
		a.FindCopies(p, b, &l)
		a.Redact(p, b)
	}
	return accountOf(a.Score(&l), &l)
}

// gather scores pieces of one trace as a gateway does, which changes nothing of them here.
func gather(a *Auditor, pieces []ptrace.Traces) account {
	var l Ledger
	var batches []*Batch
	for _, p := range pieces {
		batches = append(batches, a.ScanTraces(p))
		l.Add(a, batches[len(batches)-1])
	}
	for i, p := range pieces {
		a.FindCopies(p, batches[i], &l)
	}
	return accountOf(a.Score(&l), &l)
}

// TestEdgeAndGateway: a gateway comes from the tokens of edges to what the raw trace comes to: the same index, by channel
// and by level, the same leak paths, however the trace was split among edges and over time.
func TestEdgeAndGateway(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 5))
	all, critical := []int{1, 2, 3, 4}, []int{4}
	at := func(key string, levels []int) *Auditor {
		return newAuditor(t, Options{Redaction: Redaction{Levels: levels, Style: "token", Key: key}})
	}
	// Edges of one key, and a gateway of the same, of another, or of none to speak of.
	for _, c := range []struct {
		name           string
		edges, gateway *Auditor
	}{
		{"one key", at("shared", critical), at("shared", critical)},
		{"one key, all levels", at("shared", all), at("shared", all)},
		{"gateway without the key, all levels", at("edge", all), at("", all)},
		{"gateway without the key", at("edge", critical), at("", critical)},
	} {
		t.Run(c.name, func(t *testing.T) {
			leaked := 0
			for _, file := range traceFiles(t) {
				td := readTraces(t, file)
				for id, pieces := range byTrace(td, 1) {
					for range 2 {
						// Each span goes by one of three edges, which do not know of each other.
						var edges [3][]ptrace.Traces
						for _, i := range rng.Perm(len(pieces)) {
							k := rng.IntN(len(edges))
							edges[k] = append(edges[k], cloneTraces(pieces[i]))
						}
						var raw, redacted []ptrace.Traces
						for _, ps := range edges {
							for _, p := range ps {
								raw = append(raw, cloneTraces(p))
							}
							stream(c.edges, ps)
							redacted = append(redacted, ps...)
						}
						want := gather(c.edges, raw)
						if !early(c.edges, raw) {
							if diff := cmp.Diff(want, gather(c.gateway, redacted)); diff != "" {
								t.Errorf("%s %v: the gateway's account differs (seed %d):\n%s", filepath.Base(file), id, seed, diff)
							}
							leaked += len(want.Paths)
						}
					}
				}
			}
			if leaked < 100 {
				t.Errorf("only %d leaks: the test says nothing", leaked)
			}
		})
	}
}

// early reports whether a value stands bare in a piece where no rule finds it: an edge that has not seen yet what gives
// it away lets it pass (decision 6), and nothing later can tell.
func early(a *Auditor, pieces []ptrace.Traces) bool {
	var l Ledger
	var batches []*Batch
	for _, p := range pieces {
		batches = append(batches, a.ScanTraces(p))
		l.Add(a, batches[len(batches)-1])
	}
	for i, p := range pieces {
		n := batches[i].Findings()
		if a.FindCopies(p, batches[i], &l); batches[i].Findings() != n {
			return true
		}
	}
	return false
}

// TestEdgesWithoutOneKey: edges that share no key have two tokens for one secret, which then counts as two; so does one
// that a token stands for at one place and that stands bare at another for a gateway without the key.
func TestEdgesWithoutOneKey(t *testing.T) {
	span := func(key, text string) ptrace.Traces {
		td := oneSpan("gen_ai.operation.name", "execute_tool", key, text)
		return td
	}
	card := `{"card": "4111 1111 1111 1111"}`
	secrets := func(first, second, gateway string, redactSecond bool) int {
		at := func(key string) *Auditor {
			return newAuditor(t, Options{Redaction: Redaction{Levels: []int{4}, Style: "token", Key: key}})
		}
		a, b := span("gen_ai.tool.call.result", card), span("gen_ai.tool.call.arguments", card)
		stream(at(first), []ptrace.Traces{a})
		if redactSecond {
			stream(at(second), []ptrace.Traces{b})
		}
		g := at(gateway)
		var l Ledger
		l.Add(g, g.ScanTraces(a))
		l.Add(g, g.ScanTraces(b))
		return l.Secrets()
	}
	for _, c := range []struct {
		name                   string
		first, second, gateway string
		redactSecond           bool
		want                   int
	}{
		{"one key", "k", "k", "k", true, 1},
		{"one key, one place bare", "k", "", "k", false, 1},
		{"gateway without the key", "k", "k", "g", true, 1},
		{"two keys", "k", "l", "k", true, 2},
		{"gateway without the key, one place bare", "k", "", "g", false, 2},
	} {
		if got := secrets(c.first, c.second, c.gateway, c.redactSecond); got != c.want {
			t.Errorf("%s: %d secrets, want %d", c.name, got, c.want)
		}
	}
}

// TestForgedTokens: whatever is written in a token's place, the trace is scored: what still is a token counts as what it
// claims, what is none is text.
func TestForgedTokens(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	a := newAuditor(t, Options{Redaction: Redaction{Levels: []int{4}, Style: "token", Key: "gateway"}})
	counted := 0
	for range 2000 {
		token := []byte("[REDACTED:L4:credit_card:9c1f0a77b2d4]")
		for range rng.IntN(3) {
			switch i := rng.IntN(len(token)); rng.IntN(3) {
			case 0:
				token[i] = byte(rng.IntN(256))
			case 1:
				token = slices.Delete(token, i, i+1)
			default:
				token = slices.Insert(token, i, "0123456789abcdefL:_-[]{}\"\\\x00\xff"[rng.IntN(26)])
			}
		}
		td := oneSpan("gen_ai.operation.name", "execute_tool", "gen_ai.tool.call.arguments", `{"note": "`+string(token)+`"}`)
		var l Ledger
		l.Add(a, a.ScanTraces(td))
		s := a.Score(&l)
		if s.Err != nil || s.Report.RI > 1 {
			t.Fatalf("a forged token: error %v, index %v", s.Err, s.Report.RI)
		}
		if string(token) == "[REDACTED:L4:credit_card:9c1f0a77b2d4]" {
			if counted++; s.Secrets != 1 || s.Report.RI != 1 {
				t.Fatalf("a token counts as %d secrets, index %v", s.Secrets, s.Report.RI)
			}
		}
	}
	if counted == 0 {
		t.Error("no token was left whole: the test says nothing")
	}
}
