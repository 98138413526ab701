package mapping

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

func newMapper(t testing.TB) *Mapper {
	t.Helper()
	m, err := New(7)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// span is a span in short: attributes alternate key and value.
type span struct {
	id, parent byte
	name       string
	attrs      []string
}

func (s span) pdata() ptrace.Span {
	out := ptrace.NewSpan()
	out.SetSpanID(pcommon.SpanID{7: s.id})
	if s.parent != 0 {
		out.SetParentSpanID(pcommon.SpanID{7: s.parent})
	}
	out.SetName(s.name)
	out.SetStartTimestamp(pcommon.Timestamp(1000 * int(s.id)))
	out.SetEndTimestamp(pcommon.Timestamp(1000*int(s.id) + 500))
	for i := 0; i+1 < len(s.attrs); i += 2 {
		out.Attributes().PutStr(s.attrs[i], s.attrs[i+1])
	}
	return out
}

// channels maps "span/attribute/path" to the channel of each text of a run, "replay" where it is one.
func channels(t testing.TB, spans []span) map[string]string {
	t.Helper()
	m := newMapper(t)
	var skel Skeleton
	places := map[string]Place{}
	doc := leaf.NewDoc(leaf.Limits{})
	for _, s := range spans {
		doc.Reset()
		p := s.pdata()
		doc.Span(p)
		r := m.Span(p, "", doc)
		skel.Add(&r.Info)
		doc.Texts(func(f *leaf.Field, n *leaf.Node, name bool, _ string) {
			if !name {
				places[strings.TrimSuffix(fmt.Sprintf("%d/%s/%s", s.id, f.Where(), n.Path()), "/")] = r.At(n)
			}
		})
	}
	tree := skel.Tree()
	out := map[string]string{}
	for k, p := range places {
		ch, replay := tree.Channel(p)
		out[k] = ch.String()
		if replay {
			out[k] = "replay"
		}
	}
	return out
}

func agent(name string) []string {
	return []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", name}
}

func TestChannels(t *testing.T) {
	user := func(text string) string {
		return `[{"role":"user","parts":[{"type":"text","content":"` + text + `"}]}]`
	}
	said := func(text string) string {
		return `[{"role":"assistant","parts":[{"type":"text","content":"` + text + `"}]}]`
	}
	text := "/gen_ai.input.messages/[0].parts[0].content"
	out := "/gen_ai.output.messages/[0].parts[0].content"
	for _, tt := range []struct {
		name  string
		spans []span
		want  map[string]string
	}{
		{"nested agent is written to by an agent", []span{
			{1, 0, "a", append(agent("a"), "gen_ai.input.messages", user("hello"), "gen_ai.output.messages", said("bye"))},
			{2, 1, "b", append(agent("b"), "gen_ai.input.messages", user("task"), "gen_ai.output.messages", said("done"))},
		}, map[string]string{"1" + text: "user_input", "1" + out: "final_output", "2" + text: "inter_agent_message", "2" + out: "inter_agent_message"}},
		{"the same answer on parent and child is one final output", []span{
			{1, 0, "a", append(agent("a"), "gen_ai.output.messages", said("the answer"))},
			{2, 1, "chat", []string{"gen_ai.operation.name", "chat", "gen_ai.output.messages", said("The  Answer")}},
		}, map[string]string{"1" + out: "final_output", "2" + out: "final_output"}},
		{"a root without content leaves the answer to the last model call", []span{
			{1, 0, "POST /", nil},
			{2, 1, "chat", []string{"gen_ai.operation.name", "chat", "gen_ai.output.messages", said("thinking")}},
			{3, 1, "chat", []string{"gen_ai.operation.name", "chat", "gen_ai.output.messages", said("answer")}},
		}, map[string]string{"2" + out: "inter_agent_message", "3" + out: "final_output"}},
		{"history is no disclosure", []span{
			{1, 0, "chat", []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages",
				`[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"x\":\"y\"}"}}]},{"role":"tool","tool_call_id":"1","content":"c"}]`}},
		}, map[string]string{
			"1/gen_ai.input.messages/[0].content": "user_input", "1/gen_ai.input.messages/[1].content": "replay",
			"1/gen_ai.input.messages/[1].tool_calls[0].function.arguments|json|x": "replay", "1/gen_ai.input.messages/[2].content": "tool_response",
		}},
		{"a tool that is an agent", []span{
			{1, 0, "a", append(agent("a"), "gen_ai.input.messages", user("hi"))},
			{2, 1, "execute_tool ask", []string{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "ask", "gen_ai.tool.call.arguments", `{"q":"x"}`, "gen_ai.tool.call.result", "from b"}},
			{3, 2, "b", append(agent("b"), "gen_ai.output.messages", said("from b"))},
			{4, 1, "chat", []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", `[{"role":"tool","parts":[{"type":"tool_call_response","id":"c","response":"from b"}]}]`}},
		}, map[string]string{
			"2/gen_ai.tool.call.arguments/q": "inter_agent_message", "2/gen_ai.tool.call.result": "inter_agent_message",
			"4/gen_ai.input.messages/[0].parts[0].response": "replay",
		}},
		{"a file-writing tool", []span{
			{1, 0, "t", []string{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "write_file", "gen_ai.tool.call.arguments", `{"path":"p","content":"c"}`}},
		}, map[string]string{"1/gen_ai.tool.call.arguments/path": "tool_call", "1/gen_ai.tool.call.arguments/content": "generated_file"}},
		{"a memory tool", []span{
			{1, 0, "t", []string{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "saveMemory", "gen_ai.tool.call.arguments", `{"text":"c"}`, "gen_ai.tool.call.result", "ok then"}},
			{2, 0, "t", []string{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "recall_memory", "gen_ai.tool.call.arguments", `{"q":"c"}`, "gen_ai.tool.call.result", "known"}},
		}, map[string]string{
			"1/gen_ai.tool.call.arguments/text": "shared_memory", "1/gen_ai.tool.call.result": "replay",
			"2/gen_ai.tool.call.arguments/q": "tool_call", "2/gen_ai.tool.call.result": "tool_response",
		}},
		{"a schema is no argument", []span{
			{1, 0, "t", []string{"openinference.span.kind", "TOOL", "tool.parameters", `{"type":"object","properties":{"x":{"type":"string"}}}`, "input.value", "v"}},
		}, map[string]string{"1/tool.parameters/properties.x.type": "none", "1/input.value": "tool_call"}},
		{"headers among parameters are logged", []span{
			{1, 0, "c", []string{"openinference.span.kind", "LLM", "llm.invocation_parameters", `{"temperature":"0","extra_headers":{"X-Key":"k"}}`}},
		}, map[string]string{"1/llm.invocation_parameters/temperature": "none", "1/llm.invocation_parameters/extra_headers.X-Key": "log"}},
		{"what no dialect claims is log", []span{
			{1, 0, "GET /", []string{"http.url", "u", "user.id", "me", "app.messages", `[{"role":"user","content":"x"}]`}},
		}, map[string]string{"1/name": "log", "1/http.url": "log", "1/user.id": "none", "1/app.messages/[0].content": "user_input"}},
		{"plumbing repeats", []span{
			{1, 0, "graph", []string{"openinference.span.kind", "CHAIN", "input.value", "hi", "output.value", "answer"}},
			{2, 1, "node", []string{"openinference.span.kind", "CHAIN", "input.value", "hi", "output.value", "inner"}},
			{3, 2, "llm", []string{"openinference.span.kind", "LLM", "output.value", "inner"}},
			{4, 1, "leaf", []string{"openinference.span.kind", "CHAIN", "output.value", "only here"}},
		}, map[string]string{
			"1/input.value": "user_input", "1/output.value": "final_output", "2/input.value": "replay", "2/output.value": "replay",
			"3/output.value": "inter_agent_message", "4/output.value": "inter_agent_message",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := channels(t, tt.spans)
			for k, want := range tt.want {
				if got[k] != want {
					t.Errorf("%s: got %q, want %q", k, got[k], want)
				}
			}
		})
	}
}

// samples lists the inputs of every dialect sample and capture.
func samples(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"dialects/*/*.json", "captures/*.json", "reports/*.json"} {
		fs, err := filepath.Glob(filepath.Join("..", "..", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fs {
			if !strings.HasSuffix(f, ".expected.json") {
				files = append(files, f)
			}
		}
	}
	if len(files) < 20 {
		t.Fatalf("only %d samples found", len(files))
	}
	return files
}

// TestSkeletonJoins: the channels of a run do not depend on the order, the split or the repetition of its spans.
func TestSkeletonJoins(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	m := newMapper(t)
	for _, file := range samples(t) {
		all, skel := readRun(t, m, []string{file})
		infos := slices.Collect(maps.Values(skel.spans))
		want := decide(skel, all)
		for range 3 {
			var parts [3]Skeleton
			for _, i := range append(slices.Clone(infos), infos...) {
				parts[rng.IntN(3)].Add(i)
			}
			var joined Skeleton
			for _, p := range rng.Perm(3) {
				joined.Merge(&parts[p])
			}
			if got := decide(&joined, all); !slices.Equal(got, want) {
				t.Fatalf("%s: channels depend on the order of spans (seed %d)", filepath.Base(file), seed)
			}
			if joined.Size() != skel.Size() || joined.Len() != skel.Len() {
				t.Errorf("%s: size %d of %d spans, want %d of %d (seed %d)", filepath.Base(file), joined.Size(), joined.Len(), skel.Size(), skel.Len(), seed)
			}
		}
	}
}

func decide(s *Skeleton, all []seen) []agentrisk.Channel {
	tree := s.Tree()
	var out []agentrisk.Channel
	for _, x := range all {
		ch, _ := tree.Channel(x.place)
		out = append(out, ch)
	}
	return out
}

// TestTablesAreComplete: each dialect names its source, and each row is of a known slot.
func TestTablesAreComplete(t *testing.T) {
	for _, d := range Dialects() {
		if d.Name == "" || d.Source == "" || len(d.Rows) == 0 {
			t.Errorf("dialect %q: want a name, a source and rows", d.Name)
		}
		for _, r := range d.Rows {
			if r.Key == "" || r.Slot > SlotChannel {
				t.Errorf("dialect %s: row %+v is incomplete", d.Name, r)
			}
			if r.Flat != FlatNot && r.Slot != SlotInput && r.Slot != SlotOutput {
				t.Errorf("dialect %s: %s: a flattened message is an input or an output", d.Name, r.Key)
			}
			if (r.Slot == SlotChannel) != (r.Channel != agentrisk.ChannelNone) {
				t.Errorf("dialect %s: %s: a channel goes with SlotChannel", d.Name, r.Key)
			}
		}
	}
}

func TestCompileRefusesTwoMeanings(t *testing.T) {
	_, err := compile([]Dialect{
		{Name: "a", Rows: []Row{{Key: "k", Slot: SlotInput}}},
		{Name: "b", Rows: []Row{{Key: "k", Slot: SlotOutput}}},
	})
	if err == nil || !strings.Contains(err.Error(), `a and b both claim "k"`) {
		t.Errorf("got %v, want an error that names both dialects and the key", err)
	}
}

func TestPieces(t *testing.T) {
	h := hasher{1}
	var whole hashes
	h.pieces(&whole, "Refund card 4111. Mail me at a.b@c.d!\nThanks")
	for _, piece := range []string{"refund card 4111", "  Mail me at a.b@c.d", "THANKS"} {
		if !slices.Contains(whole, h.text(piece)) {
			t.Errorf("%q is no piece", piece)
		}
	}
	if len(whole) != 3 {
		t.Errorf("got %d pieces, want 3", len(whole))
	}
	if h.text(" \n\t") != 0 {
		t.Error("white space is a text")
	}
}

// plainHash is hasher.text one byte at a time.
func plainHash(h hasher, s string) uint64 {
	if placeholders[s] {
		return 0
	}
	even := strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
	x := h.seed ^ 14695981039346656037
	var word uint64
	for i := range len(even) {
		if word = word<<8 | uint64(even[i]); i&7 == 7 {
			x = mix(x, word)
		}
	}
	if even == "" {
		return 0
	}
	return finish(mix(mix(x, word), uint64(len(even))))
}

// FuzzTextHash: reading eight bytes at once changes no hash.
func FuzzTextHash(f *testing.F) {
	f.Add("One  Two three\n four, fiveZ[@ six\u00a0seven \u00e9ight  ")
	f.Add(strings.Repeat("a b  cD ", 9))
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		for i := range min(len(s), 9) {
			if s := strings.ToValidUTF8(s[i:], ""); !strings.ContainsAny(s, "\v\f") && hasher.text(hasher{7}, s) != plainHash(hasher{7}, s) {
				t.Errorf("another hash for %q", s)
			}
		}
	})
}

// FuzzMapping: no input makes mapping panic, every text has a place whose channel can be decided, and what stands in an
// input slot is disclosed only by the two exceptions of R3 or as a log.
func FuzzMapping(f *testing.F) {
	seen := map[string]bool{}
	for _, file := range samples(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err != nil {
			f.Fatal(err)
		}
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					for k, v := range s.Attributes().All() {
						if fold(k) != k || seen[k] || len(v.AsString()) > 2000 {
							continue
						}
						seen[k] = true
						f.Add(k, v.AsString(), "gen_ai.choice", byte(2), byte(1))
					}
				}
			}
		}
	}
	m, err := New(1)
	if err != nil {
		f.Fatal(err)
	}
	// Every row of every dialect.
	shapes := []string{"text", `{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"tool","content":"b"}],"action":"store","path":"p","content":"c"}`}
	for _, d := range Dialects() {
		for _, r := range d.Rows {
			key := strings.ReplaceAll(strings.ReplaceAll(r.Key, "**", "x"), "*", "0")
			event, key, ok := strings.Cut(key, "/")
			if !ok {
				event, key = "gen_ai.choice", event
			}
			for i, s := range shapes {
				f.Add(key, s, event, byte(2), byte(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, key, value, event string, id, parent byte) {
		doc := leaf.NewDoc(leaf.Limits{})
		var skel Skeleton
		var places []Place
		for i, kind := range []string{"", "invoke_agent", "chat", "execute_tool", "search_memory"} {
			s := span{id: id + byte(i), parent: parent + byte(i), name: "n", attrs: []string{"gen_ai.operation.name", kind, key, value}}.pdata()
			e := s.Events().AppendEmpty()
			e.SetName(event)
			e.Attributes().PutStr(key, value)
			doc.Reset()
			doc.Span(s)
			before := texts(doc)
			r := m.Span(s, "", doc)
			skel.Add(&r.Info)
			places = append(places, visited(t, m, doc, &r, before)...)
			lr := plog.NewLogRecord()
			lr.SetEventName(event)
			lr.SetSpanID(s.SpanID())
			lr.Body().SetStr(value)
			lr.Attributes().PutStr(key, value)
			doc.Reset()
			doc.Log(lr, 0)
			before = texts(doc)
			r = m.Log(lr, "autogen_core.events", doc)
			skel.Add(&r.Info)
			places = append(places, visited(t, m, doc, &r, before)...)
		}
		tree := skel.Tree()
		for _, p := range places {
			ch, replay, rule := tree.Explain(p)
			if rule == "" {
				t.Fatalf("%+v: no rule decided", p)
			}
			if replay && ch != agentrisk.ChannelNone {
				t.Fatalf("%+v: a replay on %v", p, ch)
			}
			kind := KindOther
			if i := skel.Span(p.Span); i != nil {
				kind = i.Kind
			}
			if p.Slot == SlotInput && (p.Flag&FromLog == 0 || slotByKind(kind, 0, SlotInput) == SlotInput) && ch.Disclosure() && ch != agentrisk.ChannelInterAgentMessage {
				t.Fatalf("%+v: an input on %v", p, ch)
			}
		}
	})
}

func texts(d *leaf.Doc) (all []string) {
	d.Texts(func(_ *leaf.Field, _ *leaf.Node, _ bool, text string) { all = append(all, text) })
	return all
}

// visited wants each text of a Doc to have one place, of its span, after mapping as before, and one who claims it.
func visited(t *testing.T, m *Mapper, d *leaf.Doc, r *Reading, before []string) (places []Place) {
	t.Helper()
	rows := map[string]bool{ByShape: true, ByNone: true}
	for _, d := range Dialects() {
		rows[d.Name] = true
	}
	i := 0
	d.Texts(func(f *leaf.Field, n *leaf.Node, _ bool, text string) {
		if i >= len(before) || before[i] != text {
			t.Fatalf("text %d of %d changed", i, len(before))
		}
		i++
		p := r.At(n)
		if p.Span != r.Info.ID {
			t.Fatalf("%s: place of span %v, want %v", f.Where(), p.Span, r.Info.ID)
		}
		if name, key := r.ClaimedBy(n); !rows[name] || (key == "") != (name == ByShape || name == ByNone) {
			t.Fatalf("%s: claimed by %q %q", f.Where(), name, key)
		}
		places = append(places, p)
	})
	if i != len(before) {
		t.Fatalf("%d texts, want %d", i, len(before))
	}
	return places
}
