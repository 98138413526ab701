// Package mapping says where in an agent's run a text of its telemetry stood, and which channel that is.
//
// It works in two steps, because one span is not enough to tell a final answer from a message between agents:
//
//   - A [Mapper] reads one span (or log record) at a time. Tables of attribute keys, one file a dialect, say which
//     slot an attribute is (a model's input, a tool's arguments, ...); the shapes of messages say what each text
//     inside it is (a user's words, a tool call, ...). The result is a [Place] for each text and a [SpanInfo], which
//     is what a span looks like without its content.
//   - SpanInfos join into a [Skeleton], in any order and any number of times. When a trace closes, its [Tree] turns
//     each place into a channel: the outermost agent's completion is the final output, an inner one's is a message
//     between agents, the user message of a nested agent was written by another agent, history is a replay.
//
// Rules R1 to R17 in the comments are those of docs/dialects.md. Mapping never asks whether a text is sensitive, and
// neither places nor skeletons hold content: texts that rules compare are kept as keyed 64-bit hashes.
package mapping

//go:generate go test -run TestDocs . -update
