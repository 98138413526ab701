package redteam

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// A dialect writes the spans of a run as one instrumentation does. Each method fills a span that is new.
type dialect interface {
	// about says what writes the spans: the SDK's language, and the scope with its version.
	about() (language, scope, version string)
	// run fills the span around the run and reports whether there is one; without, the agent's is the outermost.
	run(s ptrace.Span, name, request, answer string) bool
	agent(s ptrace.Span, a *agentRun)
	model(s ptrace.Span, a *agentRun, history []message, reply message)
	tool(s ptrace.Span, c *call)
}

// dialects by name.
var dialects = map[string]dialect{
	"otel-genai":    otelGenAI{},
	"openinference": openInference{},
	"openllmetry":   openLLMetry{},
	"vercel":        vercelAI{},
}

// An agentRun is one agent's part of a run.
type agentRun struct{ name, system, input, output string }

// A message is one turn of a conversation with a model. Role is user, assistant or tool.
type message struct {
	role, text string
	thought    string // of the assistant
	call       *call  // that the assistant makes, or that a tool's text answers
}

// A call is a step with its id.
type call struct {
	*step
	id string
}

// An emitter writes one story.
type emitter struct {
	dialect
	rnd    *rand.Rand
	traces ptrace.Traces
	logs   plog.Logs
	spans  ptrace.SpanSlice
	trace  pcommon.TraceID
	now    pcommon.Timestamp
	calls  int
}

// epoch is when the first generated run began: 2026-01-01.
const epoch pcommon.Timestamp = 1767225600_000000000

// emit writes a story as telemetry.
func emit(d dialect, s *story, start pcommon.Timestamp, rnd *rand.Rand) (ptrace.Traces, plog.Logs) {
	e := &emitter{dialect: d, rnd: rnd, traces: ptrace.NewTraces(), logs: plog.NewLogs(), now: start}
	binary.BigEndian.PutUint64(e.trace[:8], rnd.Uint64())
	binary.BigEndian.PutUint64(e.trace[8:], rnd.Uint64()|1)
	language, scope, version := d.about()
	rs := e.traces.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", s.workflow)
	rs.Resource().Attributes().PutStr("telemetry.sdk.language", language)
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName(scope)
	ss.Scope().SetVersion(version)
	e.spans = ss.Spans()

	root := e.open(pcommon.SpanID{})
	main := &agentRun{s.agent, s.system, s.request, s.answer}
	if d.run(root, s.workflow, s.request, s.answer) {
		e.agent(root.SpanID(), main, s)
	} else {
		e.runAgent(root, main, s)
	}
	e.close(root)
	return e.traces, e.logs
}

func (e *emitter) open(parent pcommon.SpanID) ptrace.Span {
	s := e.spans.AppendEmpty()
	s.SetTraceID(e.trace)
	var id pcommon.SpanID
	binary.BigEndian.PutUint64(id[:], e.rnd.Uint64()|1)
	s.SetSpanID(id)
	s.SetParentSpanID(parent)
	s.SetKind(ptrace.SpanKindInternal)
	e.pass(2)
	s.SetStartTimestamp(e.now)
	return s
}

func (e *emitter) close(s ptrace.Span) {
	e.pass(40)
	s.SetEndTimestamp(e.now)
}

// pass lets up to some milliseconds go by.
func (e *emitter) pass(ms int) { e.now += pcommon.Timestamp(1+e.rnd.IntN(ms)) * 1_000_000 }

func (e *emitter) agent(parent pcommon.SpanID, a *agentRun, s *story) {
	span := e.open(parent)
	e.runAgent(span, a, s)
	e.close(span)
}

// runAgent fills the span of an agent that goes through a story, and writes what is below it.
func (e *emitter) runAgent(span ptrace.Span, a *agentRun, s *story) {
	e.dialect.agent(span, a)
	history := []message{{role: "user", text: a.input}}
	for i := range s.steps {
		e.calls++
		c := &call{&s.steps[i], fmt.Sprintf("call_%d", e.calls)}
		ask := message{role: "assistant", call: c}
		e.model(span.SpanID(), a, history, ask)
		e.tool(span.SpanID(), c)
		history = append(history, ask, message{role: "tool", text: c.result, call: c})
	}
	e.model(span.SpanID(), a, history, message{role: "assistant", text: a.output, thought: s.thought})
}

func (e *emitter) model(parent pcommon.SpanID, a *agentRun, history []message, reply message) {
	span := e.open(parent)
	e.dialect.model(span, a, history, reply)
	e.close(span)
}

// tool writes a tool's span: the agent that a hand-off calls is below it, and so is what it logs.
func (e *emitter) tool(parent pcommon.SpanID, c *call) {
	span := e.open(parent)
	e.dialect.tool(span, c)
	if c.logLine != "" {
		e.log(span, c.logLine)
	}
	if c.does == deedHandOff {
		e.agent(span.SpanID(), &agentRun{c.agent, "You check what others wrote.", c.message, c.result}, &story{})
	}
	e.close(span)
}

func (e *emitter) log(span ptrace.Span, line string) {
	if e.logs.ResourceLogs().Len() == 0 {
		rl := e.logs.ResourceLogs().AppendEmpty()
		e.traces.ResourceSpans().At(0).Resource().CopyTo(rl.Resource())
		rl.ScopeLogs().AppendEmpty().Scope().SetName("app.tools")
	}
	r := e.logs.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().AppendEmpty()
	e.pass(2)
	r.SetTimestamp(e.now)
	r.SetTraceID(e.trace)
	r.SetSpanID(span.SpanID())
	r.SetSeverityNumber(plog.SeverityNumberDebug)
	r.SetSeverityText("DEBUG")
	r.Body().SetStr(line)
}
