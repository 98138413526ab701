package mapping

import (
	"maps"
	"testing"

	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// TestProducers holds mapping against what single producers are known to write, beyond the samples.
func TestProducers(t *testing.T) {
	llm := func(kv ...string) []string { return append([]string{"gen_ai.operation.name", "chat"}, kv...) }
	tool := func(name string, kv ...string) []string {
		return append([]string{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", name}, kv...)
	}
	user := `[{"role":"user","content":"the task"}]`
	for _, tt := range []struct {
		name  string
		spans []span
		want  map[string]string
	}{
		{"Logfire's pending span is no agent below itself", []span{
			{1, 0, "agent", append(agent("a"), "gen_ai.input.messages", user)},
			{2, 1, "agent", append(agent("a"), "gen_ai.input.messages", user, "logfire.span_type", "pending_span", "logfire.pending_parent_id", "0000000000000000")},
		}, map[string]string{"2/gen_ai.input.messages/[0].content": "user_input"}},
		{"and stands for the span that never came", []span{
			{2, 1, "agent", append(agent("a"), "gen_ai.input.messages", user, "logfire.span_type", "pending_span", "logfire.pending_parent_id", "0000000000000000")},
			{3, 1, "agent", append(agent("b"), "gen_ai.input.messages", `[{"role":"user","content":"another"}]`)},
		}, map[string]string{"2/gen_ai.input.messages/[0].content": "user_input", "3/gen_ai.input.messages/[0].content": "inter_agent_message"}},
		{"planning is a step of its agent", []span{
			{1, 0, "a", append(agent("a"), "gen_ai.input.messages", user)},
			{2, 1, "plan", []string{"gen_ai.operation.name", "plan", "gen_ai.input.messages", `[{"role":"user","content":"make a plan"}]`}},
		}, map[string]string{"2/gen_ai.input.messages/[0].content": "user_input"}},
		{"MLflow memory by its input", []span{
			{1, 0, "recollect", []string{"mlflow.spanType", `"AGENT"`, "mlflow.spanInputs", `{"q":"x"}`}},
			{2, 1, "step", []string{"mlflow.spanType", `"MEMORY"`, "mlflow.spanInputs", `{"query":"liking"}`, "mlflow.spanOutputs", `["known"]`}},
			{3, 1, "step", []string{"mlflow.spanType", `"MEMORY"`, "mlflow.spanInputs", `{"content":"new"}`, "mlflow.spanOutputs", `["echo"]`}},
			{4, 1, "delete_memory", []string{"mlflow.spanType", `"MEMORY"`, "mlflow.spanInputs", `{"id":"17"}`}},
			{5, 1, "step", []string{"mlflow.spanType", `"MEMORY"`, "mlflow.spanInputs", `{"what":"new"}`, "mlflow.spanOutputs", `["got"]`}},
		}, map[string]string{
			"2/mlflow.spanInputs/query": "tool_call", "2/mlflow.spanOutputs/[0]": "tool_response",
			"3/mlflow.spanInputs/content": "shared_memory", "3/mlflow.spanOutputs/[0]": "replay", "4/mlflow.spanInputs/id": "none",
			"5/mlflow.spanInputs/what": "shared_memory", "5/mlflow.spanOutputs/[0]": "tool_response",
		}},
		{"mem0's action decides", []span{
			{1, 0, "t", tool("mem0_memory", "gen_ai.tool.call.arguments", `{"action":"store","content":"c"}`, "gen_ai.tool.call.result", "stored c")},
			{2, 0, "t", tool("mem0_memory", "gen_ai.tool.call.arguments", `{"action":"retrieve","query":"c"}`, "gen_ai.tool.call.result", "known")},
			{3, 0, "c", llm("gen_ai.output.messages", `[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"mem0_memory","arguments":"{\"action\":\"store\",\"content\":\"c\"}"}}]}]`)},
		}, map[string]string{
			"1/gen_ai.tool.call.arguments/content": "shared_memory", "1/gen_ai.tool.call.result": "replay",
			"2/gen_ai.tool.call.arguments/query": "tool_call", "2/gen_ai.tool.call.result": "tool_response",
			"3/gen_ai.output.messages/[0].tool_calls[0].function.arguments|json|content": "shared_memory",
		}},
		{"an MCP server asks its client", []span{
			{1, 0, "sampling/createMessage", []string{"mcp.method.name", "sampling/createMessage", "gen_ai.operation.name", "chat", "gen_ai.input.messages", user, "gen_ai.output.messages", `[{"role":"assistant","content":"sent"}]`}},
			{2, 0, "elicitation/create", []string{"mcp.method.name", "elicitation/create", "gen_ai.tool.call.arguments", `{"ask":"your name"}`, "gen_ai.tool.call.result", `{"name":"me"}`}},
		}, map[string]string{
			"1/gen_ai.input.messages/[0].content": "tool_response", "1/gen_ai.output.messages/[0].content": "tool_call",
			"2/gen_ai.tool.call.arguments/ask": "tool_response", "2/gen_ai.tool.call.result/name": "tool_call",
		}},
		{"speech", []span{
			{1, 0, "stt", []string{"gen_ai.operation.name", "speech_to_text", "gen_ai.output.messages", `[{"role":"assistant","content":"hello"}]`}},
			{2, 0, "tts", []string{"gen_ai.operation.name", "text_to_speech", "gen_ai.input.messages", `[{"role":"user","content":"bye"}]`}},
		}, map[string]string{"1/gen_ai.output.messages/[0].content": "user_input", "2/gen_ai.input.messages/[0].content": "replay"}},
		{"CrewAI through OpenLLMetry", []span{
			{1, 0, "crewai.workflow", []string{"gen_ai.operation.name", "invoke_agent", "crewai.crew.tasks", `[{"description":"first"}]`, "crewai.crew.result", "the end"}},
			{2, 1, "write it.task", []string{"traceloop.span.kind", "task", "gen_ai.operation.name", "invoke_agent", "crewai.task.description", "write it", "crewai.task.context", "was said", "traceloop.entity.output", "a draft"}},
			{3, 2, "writer.agent", []string{"traceloop.span.kind", "agent", "gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "writer", "crewai.agent.goal", "good text"}},
			{4, 3, "m.llm", llm("gen_ai.input.messages", `[{"role":"user","content":"Current task: write it"}]`, "gen_ai.output.messages", `[{"role":"assistant","content":"a draft"}]`)},
			{5, 1, "end it.task", []string{"traceloop.span.kind", "task", "crewai.task.description", "end it", "traceloop.entity.output", "the end"}},
			{6, 5, "ender.agent", []string{"traceloop.span.kind", "agent", "gen_ai.agent.name", "ender", "crewai.agent.goal", "an end"}},
			{7, 6, "m.llm", llm("gen_ai.input.messages", `[{"role":"user","content":"Current task: end it"}]`)},
		}, map[string]string{
			"1/crewai.crew.result": "final_output", "1/crewai.crew.tasks/[0].description": "user_input", "2/crewai.task.context": "inter_agent_message",
			"2/traceloop.entity.output": "inter_agent_message", "3/crewai.agent.goal": "user_input", "4/gen_ai.output.messages/[0].content": "inter_agent_message",
			"5/traceloop.entity.output": "final_output", "7/gen_ai.input.messages/[0].content": "user_input",
		}},
		{"Langfuse's trace output is the answer wherever it stands", []span{
			{1, 0, "root", []string{"langfuse.observation.type", "span"}},
			{2, 1, "t", []string{"langfuse.observation.type", "tool", "langfuse.observation.output", "found", "langfuse.trace.output", "answer", "langfuse.trace.input", "question"}},
		}, map[string]string{"2/langfuse.observation.output": "tool_response", "2/langfuse.trace.output": "final_output", "2/langfuse.trace.input": "user_input"}},
		{"a span type of its own is a step", []span{
			{1, 0, "a", []string{"mlflow.spanType", `"AGENT"`, "mlflow.spanInputs", `{"q":"x"}`, "mlflow.spanOutputs", `"y"`}},
			{2, 1, "s", []string{"mlflow.spanType", `"MY_STEP"`, "mlflow.spanInputs", `{"v":"given"}`}},
		}, map[string]string{"2/mlflow.spanInputs/v": "replay"}},
		{"OpenLLMetry's MCP spans", []span{
			{1, 0, "tools/call.mcp", []string{"traceloop.entity.input", `{"params":{"name":"find","arguments":{"q":"x"}}}`, "traceloop.entity.output", `{"content":[{"type":"text","text":"found"}]}`}},
			{2, 1, "write_file.tool", []string{"traceloop.span.kind", "tool", "traceloop.entity.name", "write_file.tool", "traceloop.entity.input", `{"tool_name":"write_file","arguments":{"path":"p","content":"c"}}`}},
		}, map[string]string{
			"1/traceloop.entity.input/params.arguments.q": "tool_call", "1/traceloop.entity.output/content[0].text": "tool_response",
			"2/traceloop.entity.input/arguments.path": "tool_call", "2/traceloop.entity.input/arguments.content": "generated_file",
		}},
		{"a decorated file tool", []span{
			{1, 0, "save_report", []string{"traceloop.span.kind", "tool", "traceloop.entity.name", "save_report_file", "traceloop.entity.input", `{"args":[],"kwargs":{"path":"p","body":"b"}}`}},
		}, map[string]string{"1/traceloop.entity.input/kwargs.body": "generated_file"}},
		{"a rerank's documents are flattened messages", []span{
			{1, 0, "cohere.rerank", []string{"llm.request.type", "rerank", "gen_ai.prompt.0.role", "system", "gen_ai.prompt.0.content", "doc", "gen_ai.prompt.1.role", "user", "gen_ai.prompt.1.content", "query"}},
		}, map[string]string{"1/gen_ai.prompt.0.content": "tool_response", "1/gen_ai.prompt.1.content": "user_input"}},
		{"two conventions on one span agree on the first user message", []span{
			{1, 0, "a", append(agent("a"), "gen_ai.input.messages", `[{"role":"user","content":"hello"}]`)},
			{2, 1, "b", append(agent("b"), "gen_ai.input.messages", user)},
			{3, 2, "c", llm("openinference.span.kind", "LLM", "gen_ai.input.messages", user, "input.value", user)},
		}, map[string]string{"3/gen_ai.input.messages/[0].content": "replay", "3/input.value/[0].content": "replay"}},
		{"placeholders are no text", []span{
			{1, 0, "a", append(agent("a"), "gen_ai.input.messages", `[{"role":"user","content":"__REDACTED__"}]`, "gen_ai.output.messages", `[{"role":"assistant","content":"__REDACTED__"}]`)},
			{2, 1, "c", llm("gen_ai.output.messages", `[{"role":"assistant","content":"answer"}]`)},
		}, map[string]string{"2/gen_ai.output.messages/[0].content": "final_output"}},
		{"content by reference", []span{
			{1, 0, "c", llm("gen_ai.input.messages_ref", "s3://bucket/1")},
		}, map[string]string{"1/gen_ai.input.messages_ref": "none"}},
		{"the call that a model asked for, on its own span", []span{
			{1, 0, "c", llm("gen_ai.tool.name", "transfer_to_b", "gen_ai.tool.args", `{"task":"x"}`)},
		}, map[string]string{"1/gen_ai.tool.args/task": "inter_agent_message"}},
		{"guardrails and evaluations are log", []span{
			{1, 0, "c", llm("gen_ai.guardrail.security.content.input.value", user, "gen_ai.evaluation.explanation", "because")},
		}, map[string]string{"1/gen_ai.guardrail.security.content.input.value/[0].content": "log", "1/gen_ai.evaluation.explanation": "log"}},
		{"Claude Code's beta spans", []span{
			{1, 0, "claude_code.interaction", []string{"span.type", "claude_code.interaction", "user_prompt", "do it"}},
			{2, 1, "claude_code.llm_request", []string{"span.type", "llm_request", "new_context", "[USER] do it", "response.model_output", "done", "system_prompt", "be good"}},
			{3, 1, "claude_code.tool", []string{"span.type", "tool", "tool_name", "Bash", "full_command", "ls"}},
		}, map[string]string{
			"1/user_prompt": "user_input", "2/new_context": "user_input", "2/response.model_output": "final_output", "2/system_prompt": "user_input",
			"3/full_command": "tool_call",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := channels(t, tt.spans)
			for k, want := range tt.want {
				if got[k] != want {
					t.Errorf("%s: got %q, want %q", k, got[k], want)
				}
			}
			if t.Failed() {
				t.Logf("%v", maps.Clone(got))
			}
		})
	}
}

// TestRunsHistory: what stands before a run's first new message is not said by it (7.8).
func TestRunsHistory(t *testing.T) {
	s := span{1, 0, "agent run", append(agent("runner"), "pydantic_ai.all_messages",
		`[{"role":"user","parts":[{"type":"text","content":"a"}]},{"role":"assistant","parts":[{"type":"text","content":"b"}]},{"role":"user","parts":[{"type":"text","content":"c"}]},{"role":"assistant","parts":[{"type":"text","content":"d"}]}]`)}.pdata()
	s.Attributes().PutInt("pydantic_ai.new_message_index", 2)
	doc := leaf.NewDoc(leaf.Limits{})
	doc.Span(s)
	r := newMapper(t).Span(s, "pydantic-ai", doc)
	var skel Skeleton
	skel.Add(&r.Info)
	tree := skel.Tree()
	want := map[string]string{"a": "user_input", "b": "none", "c": "user_input", "d": "final_output"}
	doc.Texts(func(_ *leaf.Field, n *leaf.Node, name bool, text string) {
		if w, ok := want[text]; ok && !name {
			if ch, _ := tree.Channel(r.At(n)); ch.String() != w {
				t.Errorf("%s: got %v, want %s", text, ch, w)
			}
		}
	})
}

// TestLoneRecords: log records whose span never comes.
func TestLoneRecords(t *testing.T) {
	record := func(name string, body any, kv ...string) plog.LogRecord {
		l := plog.NewLogRecord()
		l.SetEventName(name)
		if err := l.Body().FromRaw(body); err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(kv); i += 2 {
			l.Attributes().PutStr(kv[i], kv[i+1])
		}
		return l
	}
	for _, tt := range []struct {
		name, scope string
		record      plog.LogRecord
		want        map[string]string
	}{
		{"Claude Code without a body", "com.anthropic.claude_code.events", record("", nil, "event.name", "user_prompt", "prompt", "p"), map[string]string{"p": "user_input"}},
		{"LiteLLM prompt", "litellm", record("", map[string]any{"role": "user", "content": "p"}, "event_name", "gen_ai.content.prompt"), map[string]string{"p": "user_input"}},
		{"LiteLLM completion", "litellm", record("", map[string]any{"index": 0, "message": map[string]any{"role": "assistant", "content": "p"}}, "event_name", "gen_ai.content.completion"), map[string]string{"p": "final_output"}},
		{"message event with attributes", "x", record("gen_ai.assistant.message", nil, "content", "p"), map[string]string{"p": "none"}},
		{"Codex patch", "codex", record("", nil, "event.name", "codex.tool_result", "tool_name", "apply_patch", "arguments", "*** p", "output", "o"), map[string]string{"*** p": "generated_file", "o": "tool_response"}},
		{"anything else", "x", record("", "p"), map[string]string{"p": "log"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := leaf.NewDoc(leaf.Limits{})
			doc.Log(tt.record, 0)
			r := newMapper(t).Log(tt.record, tt.scope, doc)
			var skel Skeleton
			tree := skel.Tree()
			doc.Texts(func(_ *leaf.Field, n *leaf.Node, name bool, text string) {
				if want, ok := tt.want[text]; ok && !name {
					if ch, _ := tree.Channel(r.At(n)); ch.String() != want {
						t.Errorf("%q: got %v, want %s", text, ch, want)
					}
				}
			})
		})
	}
}
