package mapping

import "strings"

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
)

// kindKeys are the attributes that name a span's kind, in the order of R1, with their values.
var kindKeys = []struct {
	key    string
	values map[string]Kind
}{
	{"openinference.span.kind", map[string]Kind{
		"LLM": KindLLM, "CHAIN": KindChain, "TOOL": KindTool, "AGENT": KindAgent, "RETRIEVER": KindRetriever,
		"EMBEDDING": KindEmbedding, "RERANKER": KindRetriever, "GUARDRAIL": KindGuardrail,
		"EVALUATOR": KindGuardrail, "PROMPT": KindPrompt, "UNKNOWN": KindChain,
	}},
	{"traceloop.span.kind", map[string]Kind{
		"workflow": KindWorkflow, "task": KindChain, "agent": KindAgent, "tool": KindTool, "session": KindChain,
		"server": KindChain, "handoff": KindTool, "unknown": KindChain,
	}},
	{"langsmith.span.kind", map[string]Kind{
		"llm": KindLLM, "chain": KindChain, "tool": KindTool, "retriever": KindRetriever, "embedding": KindEmbedding,
		"prompt": KindPrompt, "parser": KindChain,
	}},
	{"langfuse.observation.type", map[string]Kind{
		"span": KindChain, "generation": KindLLM, "event": KindGuardrail, "embedding": KindEmbedding, "agent": KindAgent,
		"tool": KindTool, "chain": KindChain, "retriever": KindRetriever, "evaluator": KindGuardrail, "guardrail": KindGuardrail,
	}},
	{"mlflow.spanType", map[string]Kind{
		"LLM": KindLLM, "CHAT_MODEL": KindLLM, "TOOL": KindTool, "RETRIEVER": KindRetriever, "RERANKER": KindRetriever,
		"AGENT": KindAgent, "CHAIN": KindChain, "WORKFLOW": KindChain, "TASK": KindChain, "PARSER": KindChain,
		"UNKNOWN": KindChain, "MEMORY": KindMemory, "EVALUATOR": KindGuardrail, "GUARDRAIL": KindGuardrail,
		"EMBEDDING": KindEmbedding,
	}},
	{"gen_ai.span.kind", map[string]Kind{ // Dify
		"LLM": KindLLM, "RETRIEVER": KindRetriever, "TOOL": KindTool, "TASK": KindChain, "AGENT": KindAgent,
		"CHAIN": KindChain, "EMBEDDING": KindEmbedding, "RERANKER": KindRetriever, "WORKFLOW": KindWorkflow,
	}},
	{"mastra.span.type", map[string]Kind{
		"agent_run": KindAgent, "workflow_run": KindWorkflow, "model_generation": KindLLM, "model_step": KindLLM,
		"model_inference": KindLLM, "model_chunk": KindLLM, "tool_call": KindTool, "mcp_tool_call": KindTool,
		"mapping": KindChain, "workflow_step": KindChain, "generic": KindChain, "processor_run": KindGuardrail,
	}},
	{"genkit:metadata:subtype", map[string]Kind{
		"flow": KindWorkflow, "model": KindLLM, "tool": KindTool, "retriever": KindRetriever, "embedder": KindEmbedding,
		"agent": KindAgent, "prompt": KindPrompt, "evaluator": KindGuardrail,
	}},
	{"genkit:type", map[string]Kind{"util": KindChain, "flow": KindWorkflow}},
	{"lmnr.span.type", map[string]Kind{
		"LLM": KindLLM, "TOOL": KindTool, "DEFAULT": KindChain, "EVALUATOR": KindGuardrail, "EXECUTOR": KindChain,
		"EVALUATION": KindGuardrail, "PIPELINE": KindWorkflow,
	}},
	{"span.type", map[string]Kind{
		"interaction": KindAgent, "llm_request": KindLLM, "tool": KindTool, // Claude Code
		"agent": KindAgent, "llm": KindLLM, "memory": KindMemory, "retriever": KindRetriever, // VoltAgent
		"workflow-step": KindChain, "workflow": KindWorkflow, "guardrail": KindGuardrail, "summary": KindChain,
	}},
	{"entity.type", map[string]Kind{
		"agent": KindAgent, "tool": KindTool, "memory": KindMemory, "retriever": KindRetriever, "workflow": KindWorkflow,
	}},
	{"gen_ai.operation.name", map[string]Kind{
		"chat": KindLLM, "generate_content": KindLLM, "text_completion": KindLLM, "fetch_response": KindLLM,
		"completion": KindLLM, "invoke_agent": KindAgent, "create_agent": KindAgent, "plan": KindAgent,
		"invoke_workflow": KindWorkflow, "execute_tool": KindTool, "retrieval": KindRetriever,
		"vector_db_retrieve": KindRetriever, "embeddings": KindEmbedding, "search_memory": KindMemory,
		"create_memory": KindMemory, "update_memory": KindMemory, "upsert_memory": KindMemory,
		"delete_memory": KindMemory, "create_memory_store": KindMemory, "delete_memory_store": KindMemory,
		"run_guardrail": KindGuardrail, "apply_guardrail": KindGuardrail, "speech_to_text": KindLLM,
		// Operations that single producers write (section 4).
		"chat.completions": KindLLM, "text.completions": KindLLM, "llm_call": KindLLM, "tool_call": KindTool,
		"agent_call": KindAgent, "user_prompt": KindAgent, "schedule_tool_calls": KindChain, "agent_step": KindChain,
		"agent": KindAgent, "vectordb": KindRetriever, "invoke_swarm": KindWorkflow, "invoke_graph": KindWorkflow, "execute_event_loop_cycle": KindChain,
		"execute_agent_loop_cycle": KindChain, "execute_node": KindChain, "memory.search": KindMemory, "memory.add": KindMemory,
	}},
	{"ai.operationId", map[string]Kind{
		"ai.generateText": KindAgent, "ai.streamText": KindAgent, "ai.generateObject": KindAgent,
		"ai.streamObject": KindAgent, "ai.generateText.doGenerate": KindLLM, "ai.streamText.doStream": KindLLM,
		"ai.generateObject.doGenerate": KindLLM, "ai.streamObject.doStream": KindLLM, "ai.toolCall": KindTool,
		"ai.embed": KindEmbedding, "ai.embedMany": KindEmbedding, "ai.embed.doEmbed": KindEmbedding,
		"ai.embedMany.doEmbed": KindEmbedding, "ai.rerank": KindRetriever, "ai.rerank.doRerank": KindRetriever,
	}},
	{"llm.request.type", map[string]Kind{
		"chat": KindLLM, "completion": KindLLM, "rerank": KindRetriever, "embedding": KindEmbedding,
	}},
	{"mcp.method.name", map[string]Kind{
		"tools/call": KindTool, "resources/read": KindTool, "prompts/get": KindTool, "completion/complete": KindTool,
	}},
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

// kindOf finds a span's kind (R1). attr returns the text of an attribute, "" where there is none.
func kindOf(name string, keys []string, attr func(string) string) Kind {
	// OpenLLMetry for JavaScript calls everything a task; the operation knows better (7.6).
	tool := attr("gen_ai.operation.name") == "execute_tool"
	// CrewAI through OpenLLMetry says invoke_agent on crew, task and agent alike (7.17).
	for _, k := range keys {
		if strings.HasPrefix(k, "crewai.crew.") || strings.HasPrefix(k, "crewai.flow.") {
			return KindWorkflow
		}
	}
	for _, k := range kindKeys {
		v := attr(k.key)
		if v == "" {
			continue
		}
		v = strings.Trim(v, `"`) // MLflow writes every value as JSON
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
	for _, s := range componentSuffixes {
		if strings.HasSuffix(attr("haystack.component.type"), s.suffix) {
			return s.kind
		}
	}
	for _, p := range kindPrefixes {
		for _, k := range keys {
			if strings.HasPrefix(k, p.prefix) {
				return p.kind
			}
		}
	}
	for _, p := range kindNames {
		if strings.HasPrefix(name, p.prefix) && attr("gen_ai.system")+attr("gen_ai.provider.name") != "" {
			return p.kind
		}
	}
	return KindOther
}
