package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// hostile are names as an attacker would send them, one for each thing that reads a report.
var hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`';alert(1)//</style></title><svg onload=alert(1)>`,
	"javascript:alert(1)",
	"a|b `c` *d* _e_ [f](http://evil.example) ![g](http://evil.example/p.png)",
	"@security-team #1 https://evil.example/?x=1 www.evil.example mail@evil.example",
	"</details></summary><!-- --> ]]> <![CDATA[ &lt; &amp;",
	"line\r\nbreak\n| new | row |\n# heading\n- item",
	"\x00\x01\x1b[31mred\x1b]0;title\a\u009b\x7f",
	"abc\u202etxt.exe\u2066\u2069\u200b\ufeff",
	strings.Repeat("long name ", 300),
	strings.Repeat("x", 1500),
	"\xff\xfe broken \xc3\x28 utf8",
	"{{.}}${x}%s%n`{{template \"x\"}}",
	"שלום عربي 你好 e\u0301\u0301\u0301",
}

// hostileTrace has each of the hostile names wherever a name of telemetry may stand.
func hostileTrace(t *testing.T) Trace {
	var tally agentrisk.Tally
	tr := Trace{ID: hostile[0] + hostile[4]}
	root := pcommon.SpanID{0xff}
	tr.Spans = append(tr.Spans, Span{ID: root.String(), Name: hostile[0], Agent: hostile[1], Start: 1, End: 1e9})
	channels := []agentrisk.Channel{agentrisk.ChannelToolCall, agentrisk.ChannelSharedMemory, agentrisk.ChannelInterAgentMessage,
		agentrisk.ChannelLog, agentrisk.ChannelGeneratedFile, agentrisk.ChannelFinalOutput}
	for i, name := range hostile {
		id := secret(byte(i + 1))
		level := agentrisk.Level(i%4 + 1)
		ch := channels[i%len(channels)]
		tally.Add(id, level, ch)
		span := pcommon.SpanID{1, byte(i)}
		f := audit.Finding{SpanID: span, SpanName: name, Where: name, Path: name, Channel: ch, Type: agentrisk.DataType(name), Level: level,
			Rule: name, ID: id, Length: 7}
		tr.Findings = append(tr.Findings, f)
		tr.Origins = append(tr.Origins, Origin{File: name, Line: i})
		tr.Spans = append(tr.Spans, Span{ID: span.String(), Parent: root.String(), Name: name, Agent: name, Start: uint64(i + 1), End: uint64(1e9)})
		tr.Paths = append(tr.Paths, audit.Path{ID: id, Type: f.Type, Level: level,
			Entered: &audit.Step{SpanID: root, Name: name, Agent: hostile[(i+1)%len(hostile)], Channel: agentrisk.ChannelUserInput},
			Leaks:   []audit.Step{{SpanID: span, Name: name, Agent: hostile[(i+2)%len(hostile)], Channel: ch}}})
	}
	tr.Score = score(t, &tally, nil)
	tr.Score.Outcome = agentrisk.Rules{ForbidLevels: []agentrisk.Level{agentrisk.L4}, FailBelow: 40}.Evaluate(tr.Score.Report,
		[]agentrisk.Occurrence{{Channel: agentrisk.ChannelToolCall, Type: "x", Level: agentrisk.L4}})
	tr.Score.Explicit, tr.Score.Scope = true, hostile[3]+hostile[0]
	return tr
}

// story is a run of three agents with secrets of every level.
func story(t *testing.T) Trace {
	var tally agentrisk.Tally
	tr := Trace{ID: "5b8efff798038103d269b633813fc60c"}
	const ms = 1_000_000
	at := uint64(1_700_000_000_000 * ms)
	span := func(n, parent byte, name, agent string, from, to uint64) pcommon.SpanID {
		id := pcommon.SpanID{n}
		s := Span{ID: id.String(), Name: name, Agent: agent, Start: at + from*ms, End: at + to*ms}
		if parent != 0 {
			s.Parent = pcommon.SpanID{parent}.String()
		}
		tr.Spans = append(tr.Spans, s)
		return id
	}
	root := span(1, 0, "invoke_agent triage", "triage", 0, 2400)
	lookup := span(2, 1, "execute_tool lookup_customer", "triage", 150, 420)
	handoff := span(3, 1, "chat gpt-4o", "triage", 430, 900)
	billing := span(4, 1, "invoke_agent billing", "billing", 910, 1800)
	refund := span(5, 4, "execute_tool issue_refund", "billing", 1100, 1500)
	memory := span(6, 4, "upsert_memory", "billing", 1510, 1530)
	final := span(7, 1, "chat gpt-4o", "triage", 1850, 2390)
	span(8, 7, "POST", "triage", 1855, 2380)
	type stop struct {
		span        pcommon.SpanID
		spanName    string
		name, agent string
		ch          agentrisk.Channel
		where, path string
	}
	user := stop{root, "invoke_agent triage", "triage", "triage", agentrisk.ChannelUserInput, "gen_ai.input.messages", "[0].parts[0].content"}
	crm := stop{lookup, "execute_tool lookup_customer", "lookup_customer", "triage", agentrisk.ChannelToolResponse, "gen_ai.tool.call.result", "customer"}
	message := stop{handoff, "chat gpt-4o", "", "triage", agentrisk.ChannelInterAgentMessage, "gen_ai.output.messages", "[0].parts[0].arguments.request"}
	call := stop{refund, "execute_tool issue_refund", "issue_refund", "billing", agentrisk.ChannelToolCall, "gen_ai.tool.call.arguments", "card"}
	write := stop{memory, "upsert_memory", "upsert_memory", "billing", agentrisk.ChannelSharedMemory, "gen_ai.memory.records", "[0].content"}
	answer := stop{final, "chat gpt-4o", "", "triage", agentrisk.ChannelFinalOutput, "gen_ai.output.messages", "[0].parts[0].content"}
	logged := stop{billing, "invoke_agent billing", "billing", "billing", agentrisk.ChannelLog, "exception.message", ""}
	var found []agentrisk.Occurrence
	add := func(n byte, level agentrisk.Level, typ agentrisk.DataType, size int, stops ...stop) {
		p := audit.Path{ID: secret(n), Type: typ, Level: level}
		for i, s := range stops {
			tally.Add(secret(n), level, s.ch)
			tr.Findings = append(tr.Findings, audit.Finding{SpanID: s.span, SpanName: s.spanName, Where: s.where, Path: s.path, Channel: s.ch,
				Type: typ, Level: level, Rule: string(typ), ID: secret(n), Length: size, Copy: i > 0})
			tr.Origins = append(tr.Origins, Origin{File: "traces/run 1.jsonl", Line: int(s.span[0])})
			step := audit.Step{SpanID: s.span, Name: s.name, Agent: s.agent, Channel: s.ch}
			if s.ch.Disclosure() {
				found = append(found, agentrisk.Occurrence{Channel: s.ch, Type: typ, Level: level})
				p.Leaks = append(p.Leaks, step)
			} else if p.Entered == nil {
				p.Entered = &step
			}
		}
		if len(p.Leaks) > 0 {
			tr.Paths = append(tr.Paths, p)
		}
	}
	add(1, agentrisk.L4, "credit_card", 19, user, message, call, write)
	add(2, agentrisk.L4, "ssn", 11, crm)
	add(3, agentrisk.L4, "bearer_token", 43, logged)
	add(4, agentrisk.L3, "salary", 7, crm, message, answer)
	add(5, agentrisk.L2, "email", 22, user, call, answer)
	add(6, agentrisk.L1, "person_name", 12, user, message, answer)
	tr.Score = score(t, &tally, nil)
	limit := 0.25
	tr.Score.Outcome = agentrisk.Rules{MaxRiskIndex: &limit, ForbidLevels: []agentrisk.Level{agentrisk.L4},
		ForbidChannels: []agentrisk.Channel{agentrisk.ChannelGeneratedFile}, FailBelow: 40, BlockOnCritical: true}.Evaluate(tr.Score.Report, found)
	return tr
}

// tenants is a set of two policies, one of which holds for a part of a trace.
func tenants(t *testing.T, key audit.Basis) *Set {
	own := key
	own.Vault, own.Key = "v", "of billing"
	a, b := leak(t), leak(t)
	a.Policy, b.Policy = audit.DefaultName, "billing"
	return &Set{Basis: key, Policies: []PolicyBasis{{"billing", own}}, Version: "1.2.3", Traces: []Trace{a, b}}
}

// compared is now against then, by way of its JSON.
func compared(t *testing.T, then, now *Set) *Comparison {
	t.Helper()
	var b bytes.Buffer
	if err := then.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	old, err := ReadBaseline(&b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := now.Compare(old)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// thousand is a set as large as people may make one.
func thousand(t *testing.T) *Set {
	set := &Set{Version: "1.2.3"}
	for i := range 1000 {
		tr := story(t)
		tr.ID = fmt.Sprintf("%032x", i)
		set.Traces = append(set.Traces, tr)
	}
	return set
}
