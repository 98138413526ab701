package leaf

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/xpdata/entity"
)

// fullSpan has something at every place of a span that can hold text.
func fullSpan() ptrace.Span {
	s := ptrace.NewSpan()
	s.SetName("chat SECRET")
	s.TraceState().FromRaw("v=SECRET")
	s.Status().SetMessage("failed: SECRET")
	a := s.Attributes()
	a.PutStr("text", "a SECRET b")
	a.PutInt("int", 4111111111111111)
	a.PutDouble("double", 4.111111111111111e15)
	a.PutBool("bool", true)
	a.PutEmpty("empty")
	a.PutEmptyBytes("bytes").FromRaw([]byte("\xff SECRET"))
	a.PutEmptyBytes("bytes.json").FromRaw([]byte(`{"k":"SECRET"}`))
	m := a.PutEmptyMap("map")
	m.PutStr("SECRET", `{"inner":"SECRET"}`)
	l := m.PutEmptySlice("list")
	l.AppendEmpty().SetStr("SECRET")
	l.AppendEmpty().SetInt(7)
	l.AppendEmpty().SetEmptyMap().PutStr("deep", "SECRET")
	a.PutStr("key SECRET", `[{"SECRET":"x"}]`)
	e := s.Events().AppendEmpty()
	e.SetName("exception SECRET")
	e.Attributes().PutStr("exception.message", "SECRET")
	k := s.Links().AppendEmpty()
	k.TraceState().FromRaw("l=SECRET")
	k.Attributes().PutStr("link", "SECRET")
	return s
}

func TestTextsOfSpan(t *testing.T) {
	d := NewDoc(Limits{})
	d.Span(fullSpan())
	want := []string{
		"name  = chat SECRET",
		"trace_state  = v=SECRET",
		"status.message  = failed: SECRET",
		"text  name = text",
		"text  = a SECRET b",
		"int  name = int",
		"int  = 4111111111111111",
		"double  name = double",
		"double  = 4111111111111111",
		"bool  name = bool",
		"empty  name = empty",
		"bytes  name = bytes",
		"bytes  = \xff SECRET",
		"bytes.json  name = bytes.json",
		"bytes.json k name = k",
		"bytes.json k = SECRET",
		"map  name = map",
		"map SECRET name = SECRET",
		"map SECRET|json|inner name = inner",
		"map SECRET|json|inner = SECRET",
		"map list name = list",
		"map list[0] = SECRET",
		"map list[1] = 7",
		"map list[2].deep name = deep",
		"map list[2].deep = SECRET",
		"key SECRET  name = key SECRET",
		"key SECRET [0].SECRET name = SECRET",
		"key SECRET [0].SECRET = x",
		"events[0]:name  = exception SECRET",
		"events[0]:exception SECRET/exception.message  name = exception.message",
		"events[0]:exception SECRET/exception.message  = SECRET",
		"links[0]:trace_state  = l=SECRET",
		"links[0]/link  name = link",
		"links[0]/link  = SECRET",
	}
	if diff := cmp.Diff(want, read(d)); diff != "" {
		t.Error(diff)
	}
	for i := range d.nodes.n {
		if n := &d.nodes.chunks[i/chunkLen][i%chunkLen]; int(n.Ord) != i {
			t.Fatalf("node %d has Ord %d", i, n.Ord)
		}
	}
}

func TestRewriteSpanEverywhere(t *testing.T) {
	d, s := NewDoc(Limits{}), fullSpan()
	d.Span(s)
	changed := d.RewriteSpan(s, d.replace("SECRET", "*"))
	d.Reset() // wipes what the span must not share with the Doc
	want := fullSpan()
	want.SetName("chat *")
	want.TraceState().FromRaw("v=*")
	want.Status().SetMessage("failed: *")
	a := want.Attributes()
	a.PutStr("text", "a * b")
	a.PutEmptyBytes("bytes").FromRaw([]byte("\xff *"))
	a.PutEmptyBytes("bytes.json").FromRaw([]byte(`{"k":"*"}`))
	m := a.PutEmptyMap("map")
	m.PutStr("*", `{"inner":"*"}`)
	l := m.PutEmptySlice("list")
	l.AppendEmpty().SetStr("*")
	l.AppendEmpty().SetInt(7)
	l.AppendEmpty().SetEmptyMap().PutStr("deep", "*")
	a.Remove("key SECRET")
	a.PutStr("key *", `[{"*":"x"}]`)
	want.Events().At(0).SetName("exception *")
	want.Events().At(0).Attributes().PutStr("exception.message", "*")
	want.Links().At(0).TraceState().FromRaw("l=*")
	want.Links().At(0).Attributes().PutStr("link", "*")
	if diff := cmp.Diff(marshal(t, want), marshal(t, s)); diff != "" {
		t.Error(diff)
	}
	if changed != 16 {
		t.Errorf("got %d changed, want 16", changed)
	}
}

func marshal(t testing.TB, s ptrace.Span) string {
	t.Helper()
	td := ptrace.NewTraces()
	s.CopyTo(td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty())
	b, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestNumbersBecomeStrings(t *testing.T) {
	tests := []struct {
		name string
		set  func(pcommon.Value)
		text string
	}{
		{"int", func(v pcommon.Value) { v.SetInt(-42) }, "-42"},
		{"double", func(v pcommon.Value) { v.SetDouble(0.25) }, "0.25"},
		{"large", func(v pcommon.Value) { v.SetDouble(1e40) }, "10000000000000000000000000000000000000000"},
		{"larger", func(v pcommon.Value) { v.SetDouble(1e41) }, "1e+41"},
		{"small", func(v pcommon.Value) { v.SetDouble(1e-7) }, "0.0000001"},
		{"smaller", func(v pcommon.Value) { v.SetDouble(1e-41) }, "1e-41"},
		{"zero", func(v pcommon.Value) { v.SetDouble(math.Copysign(0, -1)) }, "-0"},
		{"not a number", func(v pcommon.Value) { v.SetDouble(math.NaN()) }, "NaN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ptrace.NewSpan()
			tt.set(s.Attributes().PutEmpty("n"))
			d := NewDoc(Limits{})
			d.Span(s)
			if got := d.Fields[0].Root.Text; got != tt.text {
				t.Fatalf("got text %q, want %q", got, tt.text)
			}
			d.RewriteSpan(s, only(false, []Edit{{0, 1, "x"}}))
			if got, want := value(s, "n"), "x"+tt.text[1:]; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestResource(t *testing.T) {
	r := pcommon.NewResource()
	r.Attributes().PutStr("host SECRET", "SECRET")
	ref := entity.ResourceEntityRefs(r).AppendEmpty()
	ref.SetType("host")
	ref.IdKeys().Append("host SECRET")
	d := NewDoc(Limits{})
	d.Resource(r, "https://x/SECRET")
	want := []string{
		"resource/host SECRET  name = host SECRET",
		"resource/host SECRET  = SECRET",
		"resource:entities[0]  = host",
		"resource:entities[0]  = host SECRET",
		"resource:schema_url  = https://x/SECRET",
	}
	if diff := cmp.Diff(want, read(d)); diff != "" {
		t.Error(diff)
	}
	url, changed := d.RewriteResource(r, "https://x/SECRET", d.replace("SECRET", "*"))
	if v, _ := r.Attributes().Get("host *"); url != "https://x/*" || changed != 4 || v.Str() != "*" || ref.IdKeys().At(0) != "host *" {
		t.Errorf("got %q, %d changed, %v, %v", url, changed, r.Attributes().AsRaw(), ref.IdKeys().AsRaw())
	}
}

func TestScope(t *testing.T) {
	s := pcommon.NewInstrumentationScope()
	s.SetName("n SECRET")
	s.SetVersion("v SECRET")
	s.Attributes().PutStr("k", "SECRET")
	d := NewDoc(Limits{})
	d.Scope(s, "SECRET")
	want := []string{"scope:name  = n SECRET", "scope:version  = v SECRET", "scope/k  name = k", "scope/k  = SECRET", "scope:schema_url  = SECRET"}
	if diff := cmp.Diff(want, read(d)); diff != "" {
		t.Error(diff)
	}
	url, changed := d.RewriteScope(s, "SECRET", d.replace("SECRET", "*"))
	if v, _ := s.Attributes().Get("k"); url != "*" || changed != 4 || s.Name() != "n *" || s.Version() != "v *" || v.Str() != "*" {
		t.Errorf("got %q, %d changed, %q, %q", url, changed, s.Name(), s.Version())
	}
}

func TestLog(t *testing.T) {
	l := plog.NewLogRecord()
	l.Body().SetEmptyMap().PutStr("k", "SECRET")
	l.Attributes().PutStr("a", "SECRET")
	l.SetSeverityText("SECRET")
	l.SetEventName("e SECRET")
	d := NewDoc(Limits{})
	d.Log(l, 3)
	want := []string{
		"logs[3]:body k name = k", "logs[3]:body k = SECRET", "logs[3]:attributes/a  name = a",
		"logs[3]:attributes/a  = SECRET", "logs[3]:severity_text  = SECRET", "logs[3]:event_name  = e SECRET",
	}
	if diff := cmp.Diff(want, read(d)); diff != "" {
		t.Error(diff)
	}
	changed := d.RewriteLog(l, d.replace("SECRET", "*"))
	if v, _ := l.Body().Map().Get("k"); changed != 4 || v.Str() != "*" || l.SeverityText() != "*" || l.EventName() != "e *" {
		t.Errorf("got %d changed, body %v", changed, l.Body().AsRaw())
	}
	l.Body().SetInt(12)
	d.Reset()
	d.Log(l, 0)
	d.RewriteLog(l, d.replace("12", "*"))
	if got := l.Body().Str(); got != "*" {
		t.Errorf("got body %q, want *", got)
	}
}

func TestSeveralFillsInOneDoc(t *testing.T) {
	s := fullSpan()
	d := NewDoc(Limits{})
	r := pcommon.NewResource()
	r.Attributes().PutStr("k", "v")
	d.Resource(r, "")
	d.Span(s)
	if changed := d.RewriteSpan(s, d.replace("SECRET", "*")); changed != 16 {
		t.Errorf("got %d changed, want 16", changed)
	}
}

func TestRewriteOfOtherTelemetryPanics(t *testing.T) {
	for name, change := range map[string]func(ptrace.Span){
		"key":  func(s ptrace.Span) { s.Attributes().Remove("text") },
		"more": func(s ptrace.Span) { s.Links().AppendEmpty().Attributes().PutStr("a", "b") },
		"less": func(s ptrace.Span) { s.Links().RemoveIf(func(ptrace.SpanLink) bool { return true }) },
	} {
		t.Run(name, func(t *testing.T) {
			d, s := NewDoc(Limits{}), fullSpan()
			d.Span(s)
			change(s)
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			d.RewriteSpan(s, none)
		})
	}
}

func TestNativeDepth(t *testing.T) {
	s := ptrace.NewSpan()
	outer := s.Attributes().PutEmptySlice("k")
	outer.AppendEmpty().SetStr("x")
	outer.AppendEmpty().SetEmptySlice().AppendEmpty().SetEmptyMap().PutStr("a", "b")
	d := NewDoc(Limits{Containers: 2})
	d.Span(s)
	if d.Withheld() != 1 {
		t.Errorf("got %d withheld, want 1", d.Withheld())
	}
	d.RewriteSpan(s, none)
	if got, want := value(s, "k"), `["x",["[WITHHELD:too_deep]"]]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
