package mapping

import (
	"encoding/hex"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// identityAttrs are the attributes that identity and kind read, beside kindKeys.
var identityAttrs = set("gen_ai.agent.name", "agent.name", "agent_name", "graph.node.name", "graph.node.id", "lk.agent_name",
	"traceloop.entity.name", "gen_ai.workflow.name", "ai.telemetry.functionId", "gen_ai.tool.name", "tool.name",
	"ai.toolCall.name", "genkit:name", "gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id", "gen_ai.transfer.target.name",
	"gen_ai.tool.type", "haystack.component.type", "gen_ai.system", "gen_ai.provider.name", "logfire.span_type",
	"logfire.pending_parent_id", "tool_name")

// identity reads who a span is (R17) and what its tool or memory operation does.
func (b *builder) identity(name string) {
	attr, i := b.attr, &b.info
	first := func(keys ...string) string {
		for _, k := range keys {
			if v := attr(k); v != "" {
				return v
			}
		}
		return ""
	}
	if attr("logfire.span_type") == "pending_span" {
		// Logfire exports a span when it starts as a child of itself.
		i.CopyOf, i.Parent = i.Parent, pcommon.SpanID{}
		if id, err := hex.DecodeString(attr("logfire.pending_parent_id")); err == nil && len(id) == len(i.Parent) {
			copy(i.Parent[:], id)
		}
	}
	i.Agent = first("gen_ai.agent.name", "agent.name", "agent_name", "graph.node.name", "graph.node.id")
	switch i.Kind {
	case KindAgent, KindWorkflow:
		if i.Name = first("gen_ai.agent.name", "agent.name", "agent_name", "traceloop.entity.name", "gen_ai.workflow.name",
			"ai.telemetry.functionId", "graph.node.name", "graph.node.id"); i.Name == "" {
			i.Name = strings.TrimPrefix(strings.TrimPrefix(name, "invoke_agent "), "invoke_workflow ")
			if op := attr("gen_ai.operation.name"); op == "plan" || op == "create_agent" {
				i.Name = strings.TrimSpace(strings.TrimPrefix(name, op)) // a step of the agent around it
			}
		}
		if b.hasPrefix("crewai.agent.") {
			i.Flag |= Tasked
		}
		i.Tool = b.m.hash.name(i.Name)
	case KindTool:
		if i.Name = first("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "genkit:name", "traceloop.entity.name", "tool_name"); i.Name == "" {
			i.Name = strings.TrimPrefix(strings.TrimPrefix(name, "execute_tool "), "tool.execute ")
		}
		i.Name = strings.TrimSuffix(i.Name, ".tool") // an MCP client's span (7.6)
		i.Flag = toolFlags(i.Name)
		if strings.HasPrefix(name, "running output function") {
			i.Flag = AnswerTool // Pydantic AI (7.8)
		}
		i.Tool = b.m.hash.name(i.Name)
		b.tool, b.acts = i.Tool, namesMemory(i.Name)
		i.Call = b.m.hash.name(first("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id"))
		if attr("gen_ai.transfer.target.name") != "" || attr("gen_ai.tool.type") == "AgentTool" || attr("traceloop.span.kind") == "handoff" {
			i.Flag |= HandOff
		}
	case KindMemory:
		switch op := attr("gen_ai.operation.name"); op {
		case "search_memory", "memory.search":
			i.Flag = MemoryRead
		case "create_memory", "update_memory", "upsert_memory", "memory.add":
			i.Flag = MemoryWrite
		case "delete_memory", "create_memory_store", "delete_memory_store":
			i.Flag = MemoryDelete
		default:
			if i.Flag = memoryFlags(name); i.Flag == 0 {
				i.Flag = b.memoryByInput()
			}
		}
	case KindLLM:
		// The call that a model asked for, on its own span (7.25).
		if tool := attr("gen_ai.tool.name"); tool != "" {
			b.tool = b.m.hash.name(tool)
			b.does = toolFlags(tool)
			return
		}
	}
	b.does = i.Flag
}

// memoryByInput tells what a memory span does by what it was given: a query reads, anything to keep writes (section 5).
func (b *builder) memoryByInput() Flag {
	for i, c := range b.claims {
		if !c.ok() || c.Slot != SlotInput {
			continue
		}
		in := b.d.Fields[b.first+i].Root
		switch {
		case in.Member("query") != nil || in.Member("search_query") != nil:
			return MemoryRead
		case in.Member("content") != nil || in.Member("messages") != nil || in.Member("memory") != nil:
			return MemoryWrite
		}
	}
	return 0
}
