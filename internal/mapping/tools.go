package mapping

import (
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// Words of tool names that tell what a tool does (R7, R8, sections 5 and 6).
var (
	memoryReadVerbs   = set("search", "load", "recall", "get", "retrieve", "fetch", "query", "read", "list", "preload", "find")
	memoryWriteVerbs  = set("save", "store", "add", "create", "update", "upsert", "remember", "put", "write", "insert", "append")
	memoryDeleteVerbs = set("delete", "remove", "clear", "forget", "drop")
	fileWriteVerbs    = set("write", "create", "edit", "save", "append", "patch", "update", "replace")
	// memoryActions are values of the argument that decides for tools which read and write (mem0).
	memoryActions = map[string]Flag{
		"store": MemoryWrite, "add": MemoryWrite, "save": MemoryWrite, "update": MemoryWrite,
		"retrieve": MemoryRead, "list": MemoryRead, "get": MemoryRead, "history": MemoryRead, "search": MemoryRead,
	}
	// namedTools are tools known by their whole name.
	namedTools = map[string]Flag{
		"create_entities": MemoryWrite, "create_relations": MemoryWrite, "add_observations": MemoryWrite,
		"read_graph": MemoryRead, "search_nodes": MemoryRead, "open_nodes": MemoryRead,
		"final_answer": AnswerTool, "final_result": AnswerTool,
		"transfer_to_agent": HandOff, "handoff_to_agent": HandOff, "delegate_task": HandOff, "spawn_agent": HandOff,
		"send_input": HandOff, "Task": HandOff, "Agent": HandOff, "SendMessage": HandOff,
		"Delegate work to coworker": HandOff, "Ask question to coworker": HandOff,
		"Write": FileContent, "Edit": FileContent, "MultiEdit": FileContent, "NotebookEdit": FileContent, "apply_patch": FileContent,
	}
	handOffPrefixes = []string{"transfer_to_", "handoff_to_", "handoff to ", "agent-", "delegate_to_"}

	pathMembers = set("path", "file_path", "filepath", "filename", "file", "file_name", "target_file", "notebook_path")
	// bodyMembers are the arguments of file tools that hold what is written.
	bodyMembers = set("content", "contents", "text", "data", "body", "file_text", "new_string", "new_str", "new_source",
		"patch", "code", "code_edit", "input", "edits")
)

// toolFlags says from a tool's name what it does. FileContent here means that the tool writes files.
func toolFlags(name string) Flag {
	if f, ok := namedTools[name]; ok {
		return f
	}
	if strings.HasSuffix(name, "_structured_output") {
		return AnswerTool
	}
	if strings.HasPrefix(name, "str_replace_") {
		return FileContent
	}
	for _, p := range handOffPrefixes {
		if strings.HasPrefix(name, p) {
			return HandOff
		}
	}
	var memory, file, read, write, fileWrite bool
	for w := range words(name) {
		memory = memory || w == "memory" || w == "memories" || w == "remember"
		file = file || w == "file" || w == "files"
		read = read || memoryReadVerbs[w]
		write = write || memoryWriteVerbs[w]
		fileWrite = fileWrite || fileWriteVerbs[w]
	}
	switch {
	case memory && write:
		return MemoryWrite
	case memory && read:
		return MemoryRead
	case file && fileWrite:
		return FileContent
	}
	return 0
}

// namesMemory reports whether a tool's name is about a memory.
func namesMemory(name string) bool {
	for w := range words(name) {
		if strings.HasPrefix(w, "mem0") || w == "memory" || w == "memories" {
			return true
		}
	}
	return false
}

// memoryFlags says from its name what a span does that is known to be of a memory.
func memoryFlags(name string) Flag {
	if f, ok := namedTools[name]; ok {
		return f
	}
	for w := range words(name) {
		switch {
		case memoryDeleteVerbs[w]:
			return MemoryDelete
		case memoryWriteVerbs[w]:
			return MemoryWrite
		case memoryReadVerbs[w]:
			return MemoryRead
		}
	}
	return 0
}

// words splits an identifier at separators and capitals, in lower case.
func words(name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		flush := func(end int) bool {
			ok := start >= end || yield(strings.ToLower(name[start:end]))
			start = end
			return ok
		}
		for i := 0; i < len(name); i++ {
			c := name[i]
			letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
			switch {
			case !letter:
				if !flush(i) {
					return
				}
				start = i + 1
			case 'A' <= c && c <= 'Z' && i > start && 'a' <= name[i-1] && name[i-1] <= 'z':
				if !flush(i) {
					return
				}
			}
		}
		flush(len(name))
	}
}

// writesFile reports whether an argument set has a path and a content (R7).
func writesFile(args *leaf.Node) bool {
	v := args.Value()
	if v == nil || v.Kind != leaf.Object {
		return false
	}
	path, body := false, false
	for k := v.First; k != nil; k = k.Next {
		path = path || pathMembers[k.Name]
		body = body || k.Name == "content" || k.Name == "contents" || k.Name == "file_text"
	}
	return path && body
}
