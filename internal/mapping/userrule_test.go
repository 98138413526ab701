package mapping

import (
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

func TestUserRules(t *testing.T) {
	m, err := New(1,
		UserRule{Key: "myapp.turns.*.text", Channel: interAgent},
		UserRule{Key: "myapp.prompt.**", SpanName: "call *", Channel: toolCall},
		UserRule{Key: "myapp.prompt.**", Scope: "myapp", Channel: userInput},
		UserRule{Key: "gen_ai.input.messages", SpanName: "publish", Channel: finalOutput},
		UserRule{Key: "secretary.note", Channel: sharedMemory},
		UserRule{Key: "myapp.debug", Channel: none},
		UserRule{Key: "spoken/text", Channel: finalOutput},
		UserRule{Key: "heard/**", Channel: userInput},
	)
	if err != nil {
		t.Fatal(err)
	}
	channelOf := func(r *Reading, d *leaf.Doc) string {
		var sk Skeleton
		if !r.Info.ID.IsEmpty() {
			sk.Add(&r.Info)
		}
		tree := sk.Tree()
		got := ""
		d.Texts(func(f *leaf.Field, n *leaf.Node, name bool, text string) {
			if !name && text == "here" {
				ch, _ := tree.Channel(r.At(n))
				dialect, _ := r.ClaimedBy(n)
				got = ch.String() + " " + dialect
			}
		})
		return got
	}
	const by = " " + ByUser
	for _, test := range []struct{ span, scope, event, key, value, want string }{
		{"x", "", "", "myapp.turns.3.text", "here", "inter_agent_message" + by},
		{"x", "", "", "myapp.turns.3.role", "here", "log none"},
		{"call bank", "myapp", "", "myapp.prompt.a.b", "here", "tool_call" + by},
		{"other", "myapp", "", "myapp.prompt.a", `{"in": ["here"]}`, "user_input" + by},
		{"other", "myapps", "", "myapp.prompt.a", "here", "log none"},
		{"other", "myapp", "", "myapp.prompt", "here", "log none"},
		{"publish", "", "", "gen_ai.input.messages", `[{"role": "user", "content": "here"}]`, "final_output" + by},
		{"ask", "", "", "gen_ai.input.messages", `[{"role": "user", "content": "here"}]`, "user_input otel-genai"},
		{"x", "", "", "secretary.note", "here", "shared_memory" + by},
		{"x", "", "ev", "secretary.note", "here", "shared_memory" + by},
		{"x", "", "gen_ai.client.inference.operation.details", "secretary.note", "here", "shared_memory" + by},
		{"x", "", "", "myapp.debug", "here", "none" + by},
		{"x", "", "spoken", "text", "here", "final_output" + by},
		{"x", "", "heard", "anything", "here", "user_input" + by},
		{"x", "", "other", "text", "here", "log none"},
	} {
		span := ptrace.NewSpan()
		span.SetSpanID([8]byte{1})
		span.SetName(test.span)
		to := span.Attributes()
		if test.event != "" {
			e := span.Events().AppendEmpty()
			e.SetName(test.event)
			to = e.Attributes()
		}
		to.PutStr(test.key, test.value)
		d := leaf.NewDoc(leaf.Limits{})
		d.Span(span)
		r := m.Span(span, test.scope, d)
		if got := channelOf(&r, d); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
	for _, test := range []struct{ event, key, want string }{
		{"e", "secretary.note", "shared_memory" + by},
		{"spoken", "text", "final_output" + by},
		{"heard", "body", "user_input" + by},
		{"e", "body", "log none"},
		{"e", "text", "log none"},
	} {
		lr := plog.NewLogRecord()
		lr.SetEventName(test.event)
		if test.key == "body" {
			lr.Body().SetStr("here")
		} else {
			lr.Attributes().PutStr(test.key, "here")
		}
		d := leaf.NewDoc(leaf.Limits{})
		d.Log(lr, 0)
		r := m.Log(lr, "", d)
		if got := channelOf(&r, d); got != test.want {
			t.Errorf("record %+v: got %s", test, got)
		}
	}
}

// A rule changes nothing else that a key says: an agent stays one.
func TestUserRuleKeepsKind(t *testing.T) {
	m, err := New(1, UserRule{Key: "gen_ai.**", Channel: toLog})
	if err != nil {
		t.Fatal(err)
	}
	span := ptrace.NewSpan()
	span.Attributes().PutStr("gen_ai.operation.name", "invoke_agent")
	span.Attributes().PutStr("gen_ai.agent.name", "clerk")
	d := leaf.NewDoc(leaf.Limits{})
	d.Span(span)
	if r := m.Span(span, "", d); r.Info.Kind != KindAgent || r.Info.Name != "clerk" {
		t.Errorf("got %v %q", r.Info.Kind, r.Info.Name)
	}
}

func TestCheckRules(t *testing.T) {
	ok := UserRule{Key: "a.b", Channel: agentrisk.ChannelLog}
	for _, test := range []struct {
		rules []UserRule
		want  []string // of the one error; nil: none
	}{
		{[]UserRule{ok, {Key: "a.**"}, {Key: "**"}}, nil},
		{[]UserRule{{Key: "a.b", SpanName: "x"}, {Key: "a.b", SpanName: "y*"}, {Key: "a.b", Scope: "s"}, ok}, nil},
		{[]UserRule{{Key: "a.**"}, {Key: "a"}, {Key: "a.b/c"}}, nil},
		{[]UserRule{{Key: "a.*.b"}, {Key: "a.*.c"}, {Key: "e/body"}, {Key: "e/**"}}, nil},
		{[]UserRule{{Key: ""}}, []string{"rules[0].key", "empty", "want"}},
		{[]UserRule{ok, {Key: "agentleak.channel"}}, []string{"rules[1].key", "agentleak.", "never"}},
		{[]UserRule{{Key: "agentleak.**"}}, []string{"rules[0].key", "never"}},
		{[]UserRule{{Key: "a.b*"}}, []string{"rules[0].key", "never", `"**"`}},
		{[]UserRule{{Key: "a.**.b"}}, []string{"rules[0].key", "never"}},
		{[]UserRule{{Key: "*.b"}}, []string{"rules[0].key", "never"}},
		{[]UserRule{{Key: "a", SpanName: "a*b"}}, []string{"rules[0].span_name", "at the end"}},
		{[]UserRule{{Key: "a", Scope: "*a"}}, []string{"rules[0].scope", "at the end"}},
		{[]UserRule{ok, ok}, []string{"rules[1]", "never", "rules[0]"}},
		{[]UserRule{{Key: "a.**"}, {Key: "a.b.**"}}, []string{"rules[1]", "rules[0]"}},
		{[]UserRule{{Key: "a.*.b"}, {Key: "a.0.b"}}, []string{"rules[1]", "rules[0]"}},
		{[]UserRule{{Key: "**", SpanName: "x*"}, {Key: "a", SpanName: "xy"}}, []string{"rules[1]", "rules[0]"}},
	} {
		errs := CheckRules(test.rules)
		switch {
		case test.want == nil && len(errs) == 0:
		case test.want == nil || len(errs) != 1:
			t.Errorf("%+v: got %q", test.rules, errs)
		default:
			for _, w := range test.want {
				if !strings.Contains(errs[0].Error(), w) {
					t.Errorf("%+v: got %q, want %q in it", test.rules, errs[0], w)
				}
			}
			if _, err := New(1, test.rules...); err == nil {
				t.Errorf("%+v: accepted by New", test.rules)
			}
		}
	}
}
