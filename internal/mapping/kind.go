package mapping

import (
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// Kind says what a span is in the run.
type Kind uint8

// The kinds of spans. Zero is a span that no dialect knows.
const (
	KindOther     Kind = iota
	KindWorkflow       // a run or a graph that groups agents
	KindChain          // a step of a framework: plumbing unless it is the outermost (R9)
	KindAgent          // one agent's run
	KindLLM            // one model call
	KindTool           // one tool call
	KindRetriever      // retrieval or rerank
	KindMemory         // memory read or write
	KindGuardrail      // guardrail or evaluator (R11)
	KindPrompt         // prompt rendering
	KindEmbedding      // embedding: never content
	KindElicit         // an MCP server asks its client: the answer is sent to it
	KindListen         // speech to text
	KindSpeak          // text to speech
)

// kindKeys are the attributes that name a span's kind, in the order of R1, with their values.
var kindKeys = []struct {
	key    string
	values map[string]Kind
	open   bool // values of its own are a step of some kind
}{
	{"openinference.span.kind", map[string]Kind{
		"LLM": KindLLM, "CHAIN": KindChain, "TOOL": KindTool, "AGENT": KindAgent, "RETRIEVER": KindRetriever,
		"EMBEDDING": KindEmbedding, "RERANKER": KindRetriever, "GUARDRAIL": KindGuardrail,
		"EVALUATOR": KindGuardrail, "PROMPT": KindPrompt, "UNKNOWN": KindChain,
	}, true},
	{"traceloop.span.kind", map[string]Kind{
		"workflow": KindWorkflow, "task": KindChain, "agent": KindAgent, "tool": KindTool, "session": KindChain,
		"server": KindChain, "handoff": KindTool, "unknown": KindChain,
	}, true},
	{"langsmith.span.kind", map[string]Kind{
		"llm": KindLLM, "chain": KindChain, "tool": KindTool, "retriever": KindRetriever, "embedding": KindEmbedding,
		"prompt": KindPrompt, "parser": KindChain,
	}, true},
	{"langfuse.observation.type", map[string]Kind{
		"span": KindChain, "generation": KindLLM, "event": KindGuardrail, "embedding": KindEmbedding, "agent": KindAgent,
		"tool": KindTool, "chain": KindChain, "retriever": KindRetriever, "evaluator": KindGuardrail, "guardrail": KindGuardrail,
	}, true},
	{"mlflow.spanType", map[string]Kind{
		"LLM": KindLLM, "CHAT_MODEL": KindLLM, "TOOL": KindTool, "RETRIEVER": KindRetriever, "RERANKER": KindRetriever,
		"AGENT": KindAgent, "CHAIN": KindChain, "WORKFLOW": KindChain, "TASK": KindChain, "PARSER": KindChain,
		"UNKNOWN": KindChain, "MEMORY": KindMemory, "EVALUATOR": KindGuardrail, "GUARDRAIL": KindGuardrail,
		"EMBEDDING": KindEmbedding,
	}, true},
	{"gen_ai.span.kind", map[string]Kind{ // Dify
		"LLM": KindLLM, "RETRIEVER": KindRetriever, "TOOL": KindTool, "TASK": KindChain, "AGENT": KindAgent,
		"CHAIN": KindChain, "EMBEDDING": KindEmbedding, "RERANKER": KindRetriever, "WORKFLOW": KindWorkflow,
	}, false},
	{"mastra.span.type", map[string]Kind{
		"agent_run": KindAgent, "workflow_run": KindWorkflow, "model_generation": KindLLM, "model_step": KindLLM,
		"model_inference": KindLLM, "model_chunk": KindLLM, "tool_call": KindTool, "mcp_tool_call": KindTool,
		"mapping": KindChain, "workflow_step": KindChain, "generic": KindChain, "processor_run": KindGuardrail,
	}, false},
	{"genkit:metadata:subtype", map[string]Kind{
		"flow": KindWorkflow, "model": KindLLM, "tool": KindTool, "retriever": KindRetriever, "embedder": KindEmbedding,
		"agent": KindAgent, "prompt": KindPrompt, "evaluator": KindGuardrail,
	}, false},
	{"genkit:type", map[string]Kind{"util": KindChain, "flow": KindWorkflow}, false},
	{"lmnr.span.type", map[string]Kind{
		"LLM": KindLLM, "TOOL": KindTool, "AGENT": KindAgent, "DEFAULT": KindChain, "EVALUATOR": KindGuardrail, "EXECUTOR": KindChain,
		"EVALUATION": KindGuardrail, "PIPELINE": KindWorkflow,
	}, true},
	{"span.type", map[string]Kind{
		"interaction": KindAgent, "llm_request": KindLLM, "tool": KindTool, // Claude Code
		"agent": KindAgent, "llm": KindLLM, "memory": KindMemory, "retriever": KindRetriever, // VoltAgent
		"workflow-step": KindChain, "workflow": KindWorkflow, "guardrail": KindGuardrail, "summary": KindChain,
	}, false},
	{"entity.type", map[string]Kind{
		"agent": KindAgent, "tool": KindTool, "memory": KindMemory, "retriever": KindRetriever, "workflow": KindWorkflow,
	}, false},
	{"gen_ai.operation.name", map[string]Kind{
		"chat": KindLLM, "generate_content": KindLLM, "text_completion": KindLLM, "fetch_response": KindLLM,
		"completion": KindLLM, "invoke_agent": KindAgent, "create_agent": KindAgent, "plan": KindAgent,
		"invoke_workflow": KindWorkflow, "execute_tool": KindTool, "retrieval": KindRetriever,
		"vector_db_retrieve": KindRetriever, "embeddings": KindEmbedding, "search_memory": KindMemory,
		"create_memory": KindMemory, "update_memory": KindMemory, "upsert_memory": KindMemory,
		"delete_memory": KindMemory, "create_memory_store": KindMemory, "delete_memory_store": KindMemory,
		"run_guardrail": KindGuardrail, "apply_guardrail": KindGuardrail, "speech_to_text": KindListen, "text_to_speech": KindSpeak,
		// Operations that single producers write (section 4).
		"chat.completions": KindLLM, "text.completions": KindLLM, "llm_call": KindLLM, "tool_call": KindTool,
		"agent_call": KindAgent, "user_prompt": KindAgent, "schedule_tool_calls": KindChain, "agent_step": KindChain,
		"agent": KindAgent, "vectordb": KindRetriever, "invoke_swarm": KindWorkflow, "invoke_graph": KindWorkflow, "execute_event_loop_cycle": KindChain,
		"execute_agent_loop_cycle": KindChain, "execute_node": KindChain, "memory.search": KindMemory, "memory.add": KindMemory,
	}, false},
	{"ai.operationId", map[string]Kind{
		"ai.generateText": KindAgent, "ai.streamText": KindAgent, "ai.generateObject": KindAgent,
		"ai.streamObject": KindAgent, "ai.generateText.doGenerate": KindLLM, "ai.streamText.doStream": KindLLM,
		"ai.generateObject.doGenerate": KindLLM, "ai.streamObject.doStream": KindLLM, "ai.toolCall": KindTool,
		"ai.embed": KindEmbedding, "ai.embedMany": KindEmbedding, "ai.embed.doEmbed": KindEmbedding,
		"ai.embedMany.doEmbed": KindEmbedding, "ai.rerank": KindRetriever, "ai.rerank.doRerank": KindRetriever,
	}, false},
	{"llm.request.type", map[string]Kind{
		"chat": KindLLM, "completion": KindLLM, "rerank": KindRetriever, "embedding": KindEmbedding,
	}, false},
	{"mcp.method.name", mcpMethods, false},
}

// mcpMethods are the methods of MCP that carry content (7.3).
var mcpMethods = map[string]Kind{
	"tools/call": KindTool, "resources/read": KindTool, "prompts/get": KindTool, "completion/complete": KindTool,
	"sampling/createMessage": KindElicit, "elicitation/create": KindElicit, "notifications/message": KindGuardrail,
}

// kindPrefixes tell the kind from the keys on a span, and then from its name, where no attribute names it.
var kindPrefixes = []struct {
	prefix string
	kind   Kind
}{
	{"gen_ai.tool.call.", KindTool},
	{"gen_ai.retrieval.", KindRetriever},
	{"gen_ai.memory.", KindMemory},
	{"gen_ai.request.model", KindLLM},
	{"gen_ai.prompt", KindLLM},
	{"gen_ai.completion", KindLLM},
	{"gen_ai.input.messages", KindLLM},
	{"gen_ai.output.messages", KindLLM},
	{"llm.input_messages.", KindLLM},
	{"llm.output_messages.", KindLLM},
	{"gcp.vertex.agent.llm_request", KindLLM},
	{"crewai.task.", KindChain},
	{"crewai.agent.", KindAgent},
	{"lk.function_tool.", KindTool},
	{"lk.user_input", KindAgent},
	{"haystack.pipeline.", KindWorkflow},
	{"haystack.agent.", KindAgent},
	{"haystack.component.", KindChain},
}

// componentSuffixes tell the kind of a Haystack component from its class (7.18).
var componentSuffixes = []struct {
	suffix string
	kind   Kind
}{
	{"Generator", KindLLM}, {"Retriever", KindRetriever}, {"WebSearch", KindRetriever}, {"Ranker", KindRetriever},
	{"ToolInvoker", KindTool}, {"PromptBuilder", KindPrompt}, {"DocumentWriter", KindMemory}, {"Agent", KindAgent},
}

var kindNames = []struct {
	prefix string
	kind   Kind
}{
	{"execute_tool ", KindTool},
	{"invoke_agent ", KindAgent},
	{"invoke_workflow ", KindWorkflow},
	{"chat ", KindLLM},
}

// lookUp looks up the keys of all fields of a part, which stand side by side.
func (b *builder) lookUp(part leaf.Part) {
	fields := b.d.Fields
	b.first = max(0, slices.IndexFunc(fields, func(f leaf.Field) bool { return f.Part == part }))
	for i := b.first; i < len(fields) && fields[i].Part == part; i++ {
		c := b.look(fields[i].Key)
		if c.named {
			b.named = append(b.named, len(b.claims))
		}
		b.claims = append(b.claims, c)
	}
}

// kind finds the span's kind (R1).
func (b *builder) kind(name string) Kind {
	first, prefix := 0, len(kindPrefixes)+1
	for _, c := range b.claims {
		if c.crew {
			// CrewAI through OpenLLMetry says invoke_agent on crew, task and agent alike (7.17).
			return KindWorkflow
		}
		if c.kindKey > 0 && (first == 0 || c.kindKey < first) {
			first = c.kindKey
		}
		if c.prefix > 0 {
			prefix = min(prefix, c.prefix)
		}
	}
	if k := mcpMethods[b.attr("mcp.method.name")]; k == KindElicit {
		return k // whatever operation it says it is
	}
	fallback := KindOther
	// OpenLLMetry for JavaScript calls everything a task; the operation knows better (7.6).
	tool := first > 0 && b.attr("gen_ai.operation.name") == "execute_tool"
	for ; first > 0 && first <= len(kindKeys); first++ {
		k := &kindKeys[first-1]
		v := strings.Trim(b.attr(k.key), `"`) // MLflow writes every value as JSON
		if v == "" {
			continue
		}
		v = strings.TrimPrefix(v, "claude_code.")
		if k.open {
			fallback = KindChain
		}
		kind, ok := k.values[v]
		if !ok {
			kind, ok = k.values[strings.ToUpper(v)]
		}
		if ok && kind == KindChain && k.key == "traceloop.span.kind" && tool {
			return KindTool
		}
		if ok {
			return kind
		}
	}
	if component := b.attr("haystack.component.type"); component != "" {
		for _, s := range componentSuffixes {
			if strings.HasSuffix(component, s.suffix) {
				return s.kind
			}
		}
	}
	if prefix <= len(kindPrefixes) {
		return kindPrefixes[prefix-1].kind
	}
	for _, p := range kindNames {
		if strings.HasPrefix(name, p.prefix) && b.attr("gen_ai.system")+b.attr("gen_ai.provider.name") != "" {
			return p.kind
		}
	}
	if strings.HasSuffix(name, ".mcp") && b.hasPrefix("traceloop.entity.") {
		return KindTool // OpenLLMetry's span of a request: what a tool's span below it has too (7.6)
	}
	return fallback
}
