package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// forms are all formats by the ending of their files.
var forms = map[string]func(*Set, io.Writer) error{
	".txt": (*Set).WriteText, ".json": (*Set).WriteJSON, ".md": (*Set).WriteMarkdown, ".html": (*Set).WriteHTML,
	".sarif": (*Set).WriteSARIF, ".xml": (*Set).WriteJUnit,
}

// sets are what the goldens are of. The browser test opens their HTML.
func sets(t *testing.T) map[string]*Set {
	key := audit.Basis{Rules: "r", Vault: "observed", Policy: "p", Weights: []int{1, 2, 3, 4}, Key: "k"}
	random := key
	random.Key = ""
	one := story(t)
	many := &Set{Basis: random, Version: "1.2.3", Traces: []Trace{one, leak(t), smallVault(t)}}
	for i := range 12 {
		c := clean100(t)
		c.ID = fmt.Sprintf("%032x", i+1)
		many.Traces = append(many.Traces, c)
	}
	against := &Set{Basis: key, Version: "1.2.3", Files: []string{"now.json"}, Traces: []Trace{one}}
	against.Baseline = compared(t, &Set{Basis: key, Version: "1.2.3", Traces: []Trace{leak(t)}}, against)
	return map[string]*Set{
		"leak":     {Traces: []Trace{leak(t), clean100(t)}},
		"vault":    {Traces: []Trace{smallVault(t)}},
		"none":     {},
		"story":    {Basis: key, Version: "1.2.3", Files: []string{"traces/run 1.jsonl"}, Traces: []Trace{one}},
		"many":     many,
		"hostile":  {Basis: key, Version: "1.2.3", Files: []string{hostile[0]}, Traces: []Trace{hostileTrace(t)}},
		"baseline": against,
		"tenants":  tenants(t, key),
		"allowed":  allowed(t, key),
	}
}

// TestGolden compares each form of each set with testdata/<name>.<form>.
func TestGolden(t *testing.T) {
	for name, set := range sets(t) {
		t.Run(name, func(t *testing.T) {
			for ending, write := range forms {
				if ending == ".html" && (name == "leak" || name == "vault") {
					continue // like others
				}
				golden(t, name+ending, func(w io.Writer) error { return write(set, w) })
			}
		})
	}
}

// TestDeterministic writes each form again and wants the same bytes.
func TestDeterministic(t *testing.T) {
	first, second := sets(t), sets(t)
	for name := range first {
		for ending, write := range forms {
			var a, b bytes.Buffer
			if err := errors.Join(write(first[name], &a), write(second[name], &b)); err != nil {
				t.Fatal(err)
			}
			if a.String() != b.String() {
				t.Errorf("%s%s differs from one run to the next", name, ending)
			}
		}
	}
}

func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
	}
}

// TestBounds wants long lists cut in the text, with what was cut named, and whole in the JSON.
func TestBounds(t *testing.T) {
	const n = 120
	long := leak(t)
	for i := range n {
		f := long.Findings[0]
		f.Where = fmt.Sprintf("attribute.%d", i)
		long.Findings = append(long.Findings, f)
		long.Paths = append(long.Paths, long.Paths[0])
	}
	for range n {
		long.Paths[0].Leaks = append(long.Paths[0].Leaks, long.Paths[0].Leaks[0])
	}
	var set Set
	for i := range n {
		c := clean100(t)
		c.ID = fmt.Sprintf("clean-%d", i)
		set.Traces = append(set.Traces, c)
	}
	set.Traces = append(set.Traces, long) // the one that needs attention comes last

	var text, js bytes.Buffer
	if err := set.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := set.WriteJSON(&js); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(text.String(), "\n"); lines > 500 {
		t.Errorf("text has %d lines", lines)
	}
	for _, want := range []string{"and 71 more traces", "and 75 more\n", "and 102 more\n", "114 more\n", "Trace " + long.ID} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("text lacks %q", want)
		}
	}
	var back jsonSet
	if err := json.Unmarshal(js.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	last := back.Traces[n]
	if len(back.Traces) != n+1 || len(last.Findings) != len(long.Findings) || len(last.Paths) != len(long.Paths) ||
		len(last.Paths[0].Disclosed) != len(long.Paths[0].Leaks) {
		t.Errorf("JSON was cut: %d traces, %d findings, %d paths", len(back.Traces), len(last.Findings), len(last.Paths))
	}
	if set.Traces[0].ID != "clean-0" {
		t.Error("writing reordered the set")
	}
}

func TestBar(t *testing.T) {
	for _, test := range []struct {
		share float64
		want  string
	}{
		{0, "                    "},
		{0.00001, "▏                   "},
		{0.025, "▌                   "},
		{0.5, "██████████          "},
		{0.99, "███████████████████▊"},
		{1, "████████████████████"},
	} {
		if got := bar(test.share); got != test.want {
			t.Errorf("bar(%v): got %q, want %q", test.share, got, test.want)
		}
	}
}

// TestClean wants nothing in the text that a terminal would obey.
func TestClean(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain", "plain"},
		{"two\nlines\tand", "two lines and"},
		{"\x1b]0;title\a\x1b[31mred", "·]0;title··[31mred"},
		{"a\u202eb\u200bc\xffd", "a·b·c\ufffdd"},
		{"0123456789abcdefghij", "0123456789ab…fghij"},
	} {
		if got := clean(test.in, 18); got != test.want {
			t.Errorf("clean(%q): got %q, want %q", test.in, got, test.want)
		}
	}
}

func secret(n byte) agentrisk.SecretID {
	return agentrisk.NewSecretID(agentrisk.FamilyIDNumber, [6]byte{n, n, n, n, n, n})
}

func score(t *testing.T, tally *agentrisk.Tally, v *agentrisk.Vault) *audit.Score {
	t.Helper()
	r, err := tally.Report(v, agentrisk.DefaultWeights)
	return &audit.Score{Report: r, Err: err, Complete: true, GenAI: true, Secrets: tally.Len(), Explicit: v != nil}
}

// leak is a trace in which one secret travelled, one stayed and one came redacted.
func leak(t *testing.T) Trace {
	var tally agentrisk.Tally
	tally.Add(secret(1), agentrisk.L4, agentrisk.ChannelUserInput)
	tally.Add(secret(1), agentrisk.L4, agentrisk.ChannelToolCall)
	tally.Add(secret(1), agentrisk.L4, agentrisk.ChannelFinalOutput)
	tally.Add(secret(2), agentrisk.L2, agentrisk.ChannelToolResponse)
	tally.Add(secret(3), agentrisk.L1, agentrisk.ChannelLog)
	sc := score(t, &tally, nil)
	limit := 0.5
	sc.Outcome = agentrisk.Rules{MaxRiskIndex: &limit, ForbidLevels: []agentrisk.Level{agentrisk.L4}, FailBelow: 40}.Evaluate(
		sc.Report, []agentrisk.Occurrence{{Channel: agentrisk.ChannelToolCall, Type: "credit_card", Level: agentrisk.L4}})
	sc.Withheld = 1
	span := pcommon.SpanID{0xab, 1}
	user := audit.Step{SpanID: pcommon.SpanID{0xaa}, Name: "support_agent", Agent: "support_agent", Channel: agentrisk.ChannelUserInput}
	call := audit.Step{SpanID: span, Name: "lookup_order", Agent: "support_agent", Channel: agentrisk.ChannelToolCall}
	final := audit.Step{SpanID: pcommon.SpanID{0xaa}, Name: "support_agent", Agent: "support_agent", Channel: agentrisk.ChannelFinalOutput}
	return Trace{
		ID: "0102030405060708090a0b0c0d0e0f10", Score: sc,
		Findings: []audit.Finding{
			{SpanName: "chat", SpanID: span, Where: "gen_ai.input.messages", Path: "[0].parts[0].content", Channel: agentrisk.ChannelUserInput,
				Type: "credit_card", Level: agentrisk.L4, Rule: "payment-card", ID: secret(1), Length: 19},
			{SpanName: "execute_tool lookup_order", SpanID: span, Where: "gen_ai.tool.call.arguments", Path: "card",
				Channel: agentrisk.ChannelToolCall, Type: "credit_card", Level: agentrisk.L4, Rule: "payment-card", ID: secret(1), Length: 16, Copy: true},
			{SpanName: "chat", SpanID: span, Where: "gen_ai.output.messages", Path: "[0].parts[0].content", Channel: agentrisk.ChannelFinalOutput,
				Type: "credit_card", Level: agentrisk.L4, Rule: "payment-card", ID: secret(1), Length: 38, Token: true},
			{SpanName: "chat", SpanID: span, Where: "gen_ai.input.messages", Path: "[2].parts[0].content", Replay: true,
				Type: "credit_card", Level: agentrisk.L4, Rule: "payment-card", ID: secret(1), Length: 19},
			{Where: "resource/owner", Channel: agentrisk.ChannelLog, Type: "person_name", Level: agentrisk.L1, Rule: "name", ID: secret(3),
				Length: 1, Value: "Ann\x1b[31m"},
			{SpanName: "a span\u202e with a name that is far too long for a column of a table", Where: "gen_ai.tool.call.result",
				Path: strings.Repeat("deep.", 20) + "email", Channel: agentrisk.ChannelToolResponse, Type: "email", Level: agentrisk.L2,
				Rule: "email", ID: secret(2), Length: 15},
		},
		Paths: []audit.Path{
			{ID: secret(1), Type: "credit_card", Level: agentrisk.L4, Entered: &user, Leaks: []audit.Step{call, final}},
			{ID: secret(3), Type: "person_name", Level: agentrisk.L1, Leaks: []audit.Step{{Channel: agentrisk.ChannelLog}}},
		},
	}
}

func clean100(t *testing.T) Trace {
	sc := score(t, &agentrisk.Tally{}, nil)
	sc.Outcome = agentrisk.DefaultRules().Evaluate(sc.Report, nil)
	sc.Complete = false
	return Trace{Score: sc}
}

func smallVault(t *testing.T) Trace {
	var tally agentrisk.Tally
	tally.Add(secret(1), agentrisk.L4, agentrisk.ChannelLog)
	sc := score(t, &tally, &agentrisk.Vault{Levels: agentrisk.Profile{1}})
	sc.Outcome = agentrisk.Outcome{Violations: []string{"vault"}, Blocked: true}
	return Trace{ID: "run_1", Score: sc, Findings: []audit.Finding{
		{Where: "agentleak.event.log", Channel: agentrisk.ChannelLog, Type: "ssn", Level: agentrisk.L4, Rule: "us-ssn", ID: secret(1), Length: 11},
	}}
}
