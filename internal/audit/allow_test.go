package audit

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// withRows is an Auditor that removes all levels and has an allow list.
func withRows(t testing.TB, rows ...AllowRow) *Auditor {
	t.Helper()
	p := DefaultPolicy()
	p.Allow = rows
	r := Redaction{Levels: []int{1, 2, 3, 4}, Key: "of the tests"}
	if err := Validate(p, r); err != nil {
		t.Fatal(err)
	}
	a, err := New(p, Options{Redaction: r, KeepValues: true, Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A mail run is one agent that calls a tool twice: the attributes of the spans, the agent's first.
type mailRun struct{ agent, first, second map[string]string }

func (r mailRun) traces() ptrace.Traces {
	td := ptrace.NewTraces()
	spans := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
	for i, attrs := range []map[string]string{r.agent, r.first, r.second} {
		s := spans.AppendEmpty()
		s.SetTraceID([16]byte{7})
		s.SetSpanID([8]byte{byte(i + 1)})
		s.SetStartTimestamp(pcommon.Timestamp(i + 1))
		if i > 0 {
			s.SetParentSpanID([8]byte{1})
			s.Attributes().PutStr("gen_ai.operation.name", "execute_tool")
			s.Attributes().PutStr("gen_ai.tool.name", "send_mail")
		} else {
			s.Attributes().PutStr("gen_ai.operation.name", "invoke_agent")
		}
		for k, v := range attrs {
			s.Attributes().PutStr(k, v)
		}
	}
	return td
}

const (
	arguments  = "gen_ai.tool.call.arguments"
	toolResult = "gen_ai.tool.call.result"

	mail      = "maria.keller@example.org"
	otherMail = "tom.baker@example.org"
	card      = "4111 1111 1111 1111"
)

// audited scans, searches and redacts a trace in one piece, and returns its attributes as one text.
func audited(t testing.TB, a *Auditor, td ptrace.Traces) (b *Batch, s *Score, left string) {
	t.Helper()
	var l Ledger
	b = a.ScanTraces(td)
	l.Add(a, b)
	a.FindCopies(td, b, &l)
	s = a.Score(&l)
	a.Redact(td, b)
	return b, s, marshal(t, td)
}

// TestAllowRows: what a row allows stays and is no find, and nothing else is different. Each case names the rows, and of
// the values of one run those that stay.
func TestAllowRows(t *testing.T) {
	print := func(value string, family agentrisk.Family) string {
		return withRows(t).Scanner().Fingerprint(family, value).Fingerprint()
	}
	run := mailRun{
		agent:  map[string]string{"app.note": "card " + card},
		first:  map[string]string{arguments: `{"to":"` + mail + `","cc":["` + otherMail + `"],"card":"` + card + `"}`},
		second: map[string]string{toolResult: `{"from":"` + mail + `"}`},
	}
	// The places of the run, as they are in the text that is left.
	const to, cc, from, inArguments, inNote = `"to\":\"%s`, `cc\":[\"%s`, `"from\":\"%s`, `"card\":\"%s`, `card %s`
	all := map[string]string{
		to: mail, cc: otherMail, from: mail, inArguments: card, inNote: card,
	}
	for name, c := range map[string]struct {
		rows  []AllowRow
		stays []string
	}{
		"nothing":         {nil, nil},
		"a data type":     {[]AllowRow{{DataType: "email"}}, []string{to, cc, from}},
		"a rule":          {[]AllowRow{{Rule: "email"}}, []string{to, cc, from}},
		"a key path":      {[]AllowRow{{Path: "gen_ai.tool.call.arguments.to"}}, []string{to}},
		"a list's path":   {[]AllowRow{{Path: "gen_ai.tool.call.arguments.cc[*]"}}, []string{cc}},
		"an index":        {[]AllowRow{{Path: "gen_ai.tool.call.arguments.cc[0]"}}, []string{cc}},
		"another index":   {[]AllowRow{{Path: "gen_ai.tool.call.arguments.cc[1]"}}, nil},
		"steps":           {[]AllowRow{{Path: "gen_ai.*.call.*.to"}}, []string{to}},
		"too few steps":   {[]AllowRow{{Path: "gen_ai.*.to"}}, nil},
		"any steps":       {[]AllowRow{{Path: "**.to"}}, []string{to}},
		"all below":       {[]AllowRow{{Path: "gen_ai.tool.call.arguments.**"}}, []string{to, cc, inArguments}},
		"part of a step":  {[]AllowRow{{Path: "gen_ai.tool.call.arg*.t*"}}, []string{to}},
		"a channel":       {[]AllowRow{{Channel: "tool_call"}}, []string{to, cc, inArguments}},
		"the log":         {[]AllowRow{{Channel: "log"}}, []string{inNote}},
		"a value":         {[]AllowRow{{Pattern: `maria\..*@example\.org`}}, []string{to, from}},
		"part of a value": {[]AllowRow{{Pattern: `maria`}}, nil},
		"a fingerprint":   {[]AllowRow{{Fingerprint: print(mail, agentrisk.FamilyContact)}}, []string{to, from}},
		"with its type":   {[]AllowRow{{Fingerprint: "email:" + print(mail, agentrisk.FamilyContact)}}, []string{to, from}},
		"of its family":   {[]AllowRow{{Fingerprint: "phone_number:" + print(mail, agentrisk.FamilyContact)}}, []string{to, from}},
		"of another type": {[]AllowRow{{Fingerprint: "credit_card:" + print(mail, agentrisk.FamilyContact)}}, nil},
		"all conditions":  {[]AllowRow{{Path: "**.arguments.**", DataType: "email", Pattern: "tom.*", Channel: "tool_call", Rule: "email"}}, []string{cc}},
		"one fails":       {[]AllowRow{{Path: "**.arguments.**", DataType: "email", Pattern: "tom.*", Channel: "tool_response"}}, nil},
		"several rows":    {[]AllowRow{{Path: "**.to"}, {DataType: "credit_card", Channel: "log"}}, []string{to, inNote}},
		"an expired row":  {[]AllowRow{{DataType: "email", Expires: "2026-05-31"}}, nil},
		"the last day":    {[]AllowRow{{DataType: "email", Expires: "2026-06-01"}}, []string{to, cc, from}},
		"to the second":   {[]AllowRow{{DataType: "email", Expires: "2026-06-01T00:00:00Z"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := withRows(t, c.rows...)
			b, s, left := audited(t, a, run.traces())
			hits := 0
			for _, n := range b.Allowed() {
				hits += n
			}
			if hits != len(c.stays) {
				t.Errorf("%d hits, want %d", hits, len(c.stays))
			}
			secrets := map[string]bool{}
			for place, value := range all {
				stays := slices.Contains(c.stays, place)
				if got := strings.Contains(left, fmt.Sprintf(place, value)); got != stays {
					t.Errorf("%s stays: %v, want %v\n%s", fmt.Sprintf(place, "…"), got, stays, left)
				}
				if !stays {
					secrets[value] = true
				}
			}
			if s.Secrets != len(secrets) || s.Report.ReachableCount != len(secrets) {
				t.Errorf("%d secrets, %d in the vault, want %d", s.Secrets, s.Report.ReachableCount, len(secrets))
			}
			if n := len(s.Findings(b)); n != len(all)-len(c.stays) {
				t.Errorf("%d findings, want %d", n, len(all)-len(c.stays))
			}
			if n := len(s.AllowedFinds(b)); n != len(c.stays) {
				t.Errorf("%d allowed finds, want %d", n, len(c.stays))
			}
			// What leaked on the channel of the call is what was not allowed there.
			leaks := 0
			for l, n := range s.Leaked() {
				if l.Channel == agentrisk.ChannelToolCall {
					leaks += n
				}
			}
			want := 3
			for _, place := range []string{to, cc, inArguments} {
				if slices.Contains(c.stays, place) {
					want--
				}
			}
			if leaks != want {
				t.Errorf("%d leaks by the tool's call, want %d", leaks, want)
			}
			// A second time nothing changes, and no token is taken for something else.
			td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(left))
			if err != nil {
				t.Fatal(err)
			}
			_, again, twice := audited(t, a, td)
			if twice != left || again.Report.WSL != s.Report.WSL || again.Report.Density != s.Report.Density {
				t.Errorf("redacted twice:\n%s\nonce:\n%s", twice, left)
			}
		})
	}
}

// TestAllowForms: a value that a pattern or a fingerprint allows is allowed in each form in which rules find it.
func TestAllowForms(t *testing.T) {
	plain := withRows(t)
	a := withRows(t, AllowRow{Pattern: regexp.QuoteMeta(mail)}, AllowRow{Fingerprint: plain.Scanner().Fingerprint(agentrisk.FamilyIDNumber, "4111111111111111").Fingerprint()})
	for _, text := range []string{
		mail, "to " + base64.StdEncoding.EncodeToString([]byte("mail "+mail+" now")), fmt.Sprintf("%x", "send it to "+mail),
		strings.ReplaceAll(mail, "@", "%40"), strings.ReplaceAll(mail, "@", `\u0040`), strings.ReplaceAll(mail, "@", "&#64;"),
		"card " + card, "card 4111-1111-1111-1111", "card 4111111111111111",
	} {
		if len(plain.Scanner().Scan(nil, detect.Key{}, text)) == 0 {
			t.Errorf("%q is no find at all", text)
		}
		if ms := a.Scanner().Scan(nil, detect.Key{}, text); len(ms) > 0 {
			t.Errorf("%q: %+v", text, ms)
		}
		if got := a.Redactor().Text(detect.Key{}, text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestAllowUncovers: what an allowed find had covered comes forth in its place.
func TestAllowUncovers(t *testing.T) {
	p := DefaultPolicy()
	p.CustomDetectors = []CustomDetector{
		{Name: "ticket", Pattern: `TCK-[0-9]{4}-[a-z]+`, Level: 4, DataType: "ticket"},
		{Name: "number", Pattern: `[0-9]{4}-[a-z]+`, Level: 2, DataType: "number"},
		{Name: "tail", Pattern: `-[a-z]+ [a-z]+`, Level: 1, DataType: "tail"},
	}
	const text = "see TCK-1234-abc def"
	for _, c := range []struct {
		allow AllowRow
		want  []string
	}{
		{AllowRow{Rule: "nothing"}, []string{"ticket"}},
		{AllowRow{Rule: "ticket"}, []string{"number"}},
		{AllowRow{Rule: "number"}, []string{"ticket"}},
		{AllowRow{Pattern: "TCK.*"}, []string{"number"}},
		{AllowRow{Path: "app.note", Rule: "ticket"}, []string{"number"}},
		{AllowRow{Channel: "log", Rule: "ticket"}, []string{"number"}},
		{AllowRow{Channel: "log", Pattern: "(TCK-)?1234.*"}, []string{"tail"}},
		{AllowRow{Path: "app.note"}, nil},
	} {
		p.Allow = []AllowRow{c.allow}
		a, err := New(p, Options{Redaction: Redaction{Levels: []int{1, 2, 3, 4}, Key: "k"}})
		if err != nil {
			t.Fatal(err)
		}
		td := mailRun{agent: map[string]string{"app.note": text}}.traces()
		b, s, left := audited(t, a, td)
		var got []string
		for _, f := range s.Findings(b) {
			got = append(got, f.Rule)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: finds %v, want %v", c.allow, got, c.want)
		}
		if n := strings.Count(left, "[REDACTED"); n != len(c.want) {
			t.Errorf("%+v: %d replaced, want %d\n%s", c.allow, n, len(c.want), left)
		}
	}
}

// TestAllowCopies: a value that is allowed at one place is looked for elsewhere only if it was found elsewhere.
func TestAllowCopies(t *testing.T) {
	const secret = "brambleFox91keep"
	known := `{"password":"` + secret + `"}`
	for _, row := range []AllowRow{{Path: "**.arguments.password"}, {Channel: "tool_call"}, {Path: "**.arguments.**", Pattern: "bramble.*"}} {
		// Found nowhere else: its bare copy is no find.
		run := mailRun{first: map[string]string{arguments: known}, second: map[string]string{"app.echo": "got " + secret}}
		b, s, left := audited(t, withRows(t, row), run.traces())
		if n := strings.Count(left, secret); n != 2 || s.Secrets != 0 || b.Findings() != 0 {
			t.Errorf("%+v: %d left of 2, %d secrets, %d findings", row, n, s.Secrets, b.Findings())
		}
		// Found in a result too: the copy goes, and what is allowed stays.
		run.agent = map[string]string{"app.reply": known}
		b, s, left = audited(t, withRows(t, row), run.traces())
		if n := strings.Count(left, secret); n != 1 || s.Secrets != 1 || b.Findings() != 2 || !strings.Contains(left, `{\"password\":\"`+secret) {
			t.Errorf("%+v: %d left of 1, %d secrets, %d findings\n%s", row, n, s.Secrets, b.Findings(), left)
		}
	}
	// A copy is allowed by a row for its place.
	run := mailRun{agent: map[string]string{"app.reply": known}, second: map[string]string{"app.echo": "got " + secret, "app.other": "got " + secret}}
	b, _, left := audited(t, withRows(t, AllowRow{Path: "app.echo"}), run.traces())
	if n := strings.Count(left, secret); n != 1 || len(b.Allowed()) != 1 || b.Allowed()[0] != 1 {
		t.Errorf("%d copies left, hits %v", n, b.Allowed())
	}
}

// TestAllowStreams: chunks of one stream are allowed as the whole is.
func TestAllowStreams(t *testing.T) {
	chunks := func() plog.Logs {
		ld := plog.NewLogs()
		rs := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords()
		for _, part := range []string{"write to maria.kel", "ler@exam", "ple.org or tom.ba", "ker@example.org today"} {
			r := rs.AppendEmpty()
			r.SetTraceID([16]byte{7})
			r.SetSpanID([8]byte{1})
			r.SetEventName("gen_ai.chunk")
			r.Body().SetStr(part)
		}
		return ld
	}
	for _, c := range []struct {
		row  AllowRow
		left int
	}{{AllowRow{Rule: "none"}, 0}, {AllowRow{Pattern: "maria.*"}, 1}, {AllowRow{Path: "body"}, 2}, {AllowRow{Path: "logs[0].body"}, 0}} {
		a := withRows(t, c.row)
		ld := chunks()
		var l Ledger
		b := a.ScanLogs(ld)
		l.Add(a, b)
		a.FindCopiesInLogs(ld, b, &l)
		a.RedactLogs(ld, b)
		var text strings.Builder
		for _, r := range ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().All() {
			text.WriteString(r.Body().Str())
		}
		n := strings.Count(text.String(), mail) + strings.Count(text.String(), otherMail)
		if n != c.left || b.Findings() != 2-c.left {
			t.Errorf("%+v: %d addresses left, want %d: %s", c.row, n, c.left, text.String())
		}
	}
}

// TestAllowUnsure: where a missing span may change the channel of a place, a row by channel does not hold, for neither
// the score nor the text. It holds as soon as the span is known.
func TestAllowUnsure(t *testing.T) {
	a := withRows(t, AllowRow{Channel: "tool_call"})
	td := mailRun{first: map[string]string{arguments: `{"to":"` + mail + `"}`}}.traces()
	pieces := byTrace(td, 1)[[16]byte{7}]
	tool := pieces[1]
	var l Ledger
	b := a.ScanTraces(tool)
	l.Add(a, b)
	if s := a.Score(&l); s.Report.LeakedCount != 1 {
		t.Errorf("%d leaks before the root is known", s.Report.LeakedCount)
	}
	early := cloneTraces(tool)
	early2 := a.ScanTraces(early)
	a.FindCopies(early, early2, &l)
	if a.Redact(early, early2); strings.Contains(marshal(t, early), mail) {
		t.Error("what left before the root was known is not redacted")
	}
	for _, p := range pieces {
		l.Add(a, a.ScanTraces(p))
	}
	if s := a.Score(&l); s.Report.LeakedCount != 0 || s.Secrets != 0 {
		t.Errorf("%d leaks, %d secrets of a complete trace", s.Report.LeakedCount, s.Secrets)
	}
	a.FindCopies(tool, b, &l)
	if a.Redact(tool, b); !strings.Contains(marshal(t, tool), mail) {
		t.Error("what is allowed was redacted")
	}
	// Also in a process that reads the ledger.
	var read Ledger
	if err := a.Read(&read, a.Write(&l)); err != nil {
		t.Fatal(err)
	}
	if s := a.Score(&read); s.Report.LeakedCount != 0 || s.Secrets != 0 {
		t.Errorf("%d leaks, %d secrets after reading", s.Report.LeakedCount, s.Secrets)
	}
}

// TestAllowExpires: a row ends while an Auditor runs, for texts that it knows too.
func TestAllowExpires(t *testing.T) {
	end := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	a := withRows(t, AllowRow{DataType: "email", Expires: end}, AllowRow{Path: "**.to", DataType: "credit_card", Expires: "2026-08-01"})
	run := func() (int, int) {
		td := mailRun{first: map[string]string{arguments: `{"to":"card ` + card + ` ` + strings.Repeat("and more words ", 5) + mail + `"}`}}.traces()
		b, _, _ := audited(t, a, td)
		return b.Findings(), len(b.spared.finds)
	}
	for _, c := range []struct {
		now            time.Time
		finds, allowed int
	}{
		{end.Add(-time.Second), 0, 2}, {end, 1, 1}, {end.Add(time.Hour), 1, 1},
		{time.Date(2026, 8, 1, 23, 59, 59, 0, time.UTC), 1, 1}, {time.Date(2026, 8, 2, 0, 0, 0, 0, time.UTC), 2, 0},
	} {
		a.Expire(c.now)
		for range 2 {
			if finds, allowed := run(); finds != c.finds || allowed != c.allowed {
				t.Errorf("at %v: %d finds, %d allowed, want %d, %d", c.now, finds, allowed, c.finds, c.allowed)
			}
		}
	}
	for i, r := range a.Allow() {
		if !r.Off {
			t.Errorf("row %d is on", i)
		}
	}
}

// TestAllowCanaries: a canary is no find that a row for another type takes out.
func TestAllowCanaries(t *testing.T) {
	p := DefaultPolicy()
	r := Redaction{Levels: []int{4}, Key: "k"}
	plain, err := New(p, Options{Redaction: r})
	if err != nil {
		t.Fatal(err)
	}
	fp := plain.Scanner().Fingerprint(agentrisk.FamilyContact, mail).Fingerprint()
	for _, canary := range []Canary{mail, Canary("fingerprint:" + fp)} {
		for _, c := range []struct {
			row  AllowRow
			want []string
		}{
			{AllowRow{DataType: "email"}, []string{CanaryType}}, {AllowRow{Rule: "email"}, []string{CanaryType}},
			{AllowRow{DataType: CanaryType, Pattern: "maria.*"}, []string{"email"}}, {AllowRow{Pattern: "maria.*"}, nil},
		} {
			p.Allow, p.Vault.Canaries = []AllowRow{c.row}, []Canary{canary}
			a, err := New(p, Options{Redaction: r})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range a.Scanner().Scan(nil, detect.Key{}, "write to "+mail) {
				got = append(got, string(m.Type))
			}
			if strings.HasPrefix(string(canary), fingerprintOf) && len(c.want) > 0 && c.want[0] == "email" {
				c.want = nil // the address is the canary, there is no other find
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%.12s, %+v: %v, want %v", string(canary), c.row, got, c.want)
			}
		}
	}
}
