package mapping

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/dialects.md")

// A section of the document: its tables by name, and what tells that a span is of it. A dialect that is in none below
// gets one of its own.
type section struct{ title, tables, recognise string }

// sections are the dialects as users know them, with the tables that read them.
var sections = []section{
	{"OTel GenAI, current", "otel-genai", "`gen_ai.operation.name`; the event `gen_ai.client.inference.operation.details` carries the same keys"},
	{"OTel GenAI, older generations", "otel-genai-legacy", "`gen_ai.system`; events `gen_ai.*.message`, `gen_ai.choice`, `gen_ai.content.*`"},
	{"MCP", "mcp", "`mcp.method.name`; content in the keys of otel-genai"},
	{"OpenInference (Phoenix)", "openinference", "`openinference.span.kind`"},
	{"LlamaIndex, smolagents, CrewAI through OpenInference", "openinference-family", "as OpenInference"},
	{"OpenLLMetry (Traceloop)", "openllmetry", "`traceloop.span.kind`, `llm.request.type`"},
	{"Vercel AI SDK", "vercel-ai-sdk", "`ai.operationId`; newer versions by otel-genai"},
	{"Pydantic AI, Logfire", "pydantic-ai", "scope `pydantic-ai`; beside it otel-genai"},
	{"Google ADK", "google-adk", "`gen_ai.operation.name`, `gcp.vertex.agent.*`"},
	{"Strands Agents", "strands", "message events, whose meaning on tool spans differs"},
	{"Langfuse", "langfuse", "`langfuse.observation.type`"},
	{"LangSmith", "langsmith", "`langsmith.span.kind`; content in `gen_ai.prompt` and `gen_ai.completion`"},
	{"MLflow", "mlflow", "`mlflow.spanType`"},
	{"Microsoft Agent Framework, Microsoft.Extensions.AI", "microsoft-agent-framework", "as otel-genai, and its older events as log records"},
	{"Semantic Kernel", "semantic-kernel", "log records of the older events"},
	{"AutoGen", "autogen", "scope `autogen_core.events`, by the `type` in the body"},
	{"CrewAI through OpenLLMetry", "crewai", "`crewai.*`"},
	{"Haystack", "haystack", "`haystack.component.type`"},
	{"LiteLLM", "litellm", "as otel-genai and otel-genai-legacy; on `raw_gen_ai_request` all of `llm.*` is a copy"},
	{"Dify", "dify", "`gen_ai.span.kind`; content in `input.value` and `output.value`"},
	{"Bedrock AgentCore (ADOT)", "", "a log record with `input` and `output` in its body: messages by the kind of the record's span"},
	{"Claude Code", "claude-code", "records `claude_code.*`, `span.type`"},
	{"Codex CLI", "codex-cli", "records `codex.*`"},
	{"Gemini CLI, Qwen Code", "gemini-cli", "records `gemini_cli.*`, `qwen-code.*`"},
	{"OpenLIT, Spring AI", "openlit-spring", "as otel-genai"},
	{"OpenAI Agents SDK", "", "by OpenInference or OpenLLMetry: no exporter of its own"},
	{"Laminar, LiveKit, Weave", "others", "`lmnr.span.type`, `lk.*`"},
	{"Genkit, Mastra, VoltAgent, TanStack AI", "genkit mastra voltagent", "`genkit:metadata:subtype`, `mastra.span.type`, `span.type`; TanStack AI by otel-genai"},
	{"All", "identity agentleak", "keys of no single convention"},
}

var slotWords = map[Slot][2]string{
	SlotLog:           {"telemetry", "log"},
	SlotNone:          {"no content", "none"},
	SlotReplay:        {"copy", "replay"},
	SlotSource:        {"instructions or user text", "user_input"},
	SlotInput:         {"input", "by R2, R3, R14"},
	SlotOutput:        {"output", "by R5, R6, R14"},
	SlotToolArguments: {"arguments of a tool", "tool_call (R7, R8)"},
	SlotToolResult:    {"result of a tool", "tool_response (R7, R8)"},
	SlotQuery:         {"query", "tool_call or user_input (R10)"},
	SlotDocuments:     {"documents", "tool_response"},
	SlotMemoryRecords: {"memory records", "shared_memory written, tool_response read"},
	SlotChannel:       {"content", ""},
}

var flatWords = map[Flat]string{
	FlatRole: "role", FlatContent: "text", FlatPart: "part", FlatCallID: "id of the call answered", FlatAuthor: "author",
	FlatToolName: "tool called", FlatToolID: "id of a call", FlatArguments: "arguments of a call", FlatFinish: "finish reason",
}

// inWords says what a row reads, and the channel.
func (r *Row) inWords() (what, channel string) {
	w := slotWords[r.Slot]
	what, channel = w[0], w[1]
	if r.Slot == SlotChannel {
		channel = r.Channel.String()
	}
	switch r.Flat {
	case FlatNot:
	case FlatContent, FlatPart, FlatArguments:
		what += ": " + flatWords[r.Flat]
	default:
		what, channel = what+": "+flatWords[r.Flat], "none"
	}
	if r.Run {
		what = "input and output of a run"
	}
	if r.Trace {
		channel = "final_output"
	}
	if r.Schema {
		what += ", if it is no schema"
	}
	if r.Copies != "" {
		what += ", a copy beside `" + r.Copies + "*`"
	}
	if r.With != "" {
		what += ", only with `" + strings.ReplaceAll(r.With, "|", "`, `") + "`"
	}
	return what, channel
}

func document(head string) string {
	var b bytes.Buffer
	b.WriteString(head)
	b.WriteString("## Tables\n\nIn a key `*` is a list index and `**` any rest; `event/key` is an attribute of a span event, or of a log record of that name,\n" +
		"whose text is `event/body`.\n")
	byName := map[string]*Dialect{}
	all := Dialects()
	for i := range all {
		byName[all[i].Name] = &all[i]
	}
	named := ""
	for _, s := range sections {
		named += " " + s.tables + " "
	}
	list := slices.Clone(sections)
	for _, d := range all {
		if !strings.Contains(named, " "+d.Name+" ") {
			list = append(list, section{d.Name, d.Name, "its keys"})
		}
	}
	for i, s := range list {
		fmt.Fprintf(&b, "\n### %d %s\n\nRecognised by %s.\n", i+1, s.title, s.recognise)
		for _, name := range strings.Fields(s.tables) {
			d := byName[name]
			if d == nil {
				panic("no table " + name)
			}
			fmt.Fprintf(&b, "\n`%s`, after %s\n\n| Key | Holds | Channel |\n|---|---|---|\n", d.Name, d.Source)
			rows := slices.Clone(d.Rows)
			slices.SortFunc(rows, func(x, y Row) int { return strings.Compare(x.Key, y.Key) })
			for _, r := range rows {
				what, channel := r.inWords()
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Key, what, channel)
			}
		}
	}
	return b.String()
}

// TestDocs wants docs/dialects.md to be what the tables say.
func TestDocs(t *testing.T) {
	head, err := os.ReadFile(filepath.Join("testdata", "dialects_head.md"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "dialects.md")
	want := document(string(head))
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not current (%v): run go generate ./internal/mapping", path, err)
	}
}
