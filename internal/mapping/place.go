package mapping

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// Slot says what a field of a span is, from its dialect's table.
type Slot uint8

// The slots. Zero is a text that no dialect claims.
const (
	SlotLog           Slot = iota // unclaimed text, errors, headers, metadata: channel log (R11)
	SlotNone                      // schemas, parameters, embeddings, identity: scanned and redacted, never scored (R15)
	SlotReplay                    // a copy of what is attributed elsewhere on the same span (R1, R12)
	SlotSource                    // instructions, prompt templates and their variables: always user_input (R2, R15)
	SlotInput                     // what the span was given
	SlotOutput                    // what it produced
	SlotToolArguments             // arguments of a tool call
	SlotToolResult                // result of a tool call
	SlotQuery                     // query towards a store (R10)
	SlotDocuments                 // retrieved documents (R10)
	SlotMemoryRecords             // records of a memory read or write (section 5)
	SlotChannel                   // a channel that the row itself names

	lastSlot = SlotChannel
)

// Unit says what one text inside a slot is, by the shape it stands in and never by its wording.
type Unit uint8

// The units. Zero is text without a message around it: the slot's default holds (R14).
const (
	UnitPlain Unit = iota
	UnitSystem
	UnitUser
	UnitAssistant
	UnitToolCall
	UnitToolResult
	UnitReasoning
	UnitFile

	lastUnit = UnitFile
)

// Flag marks what the channel rules need to know of a place beyond slot and unit.
type Flag uint16

// The flags of a Place.
const (
	FirstUser    Flag = 1 << iota // the first user message of its list, before any assistant message
	Authored                      // an assistant message that names its author (R3b)
	FileContent                   // the content field of a file-writing tool's arguments (R7)
	MemoryWrite                   // arguments of a memory-writing tool, or records of a write (section 5)
	MemoryRead                    // the same for a read
	HandOff                       // the tool's name says that it passes control or a task to an agent (section 6)
	Answers                       // an output of a log record that calls no tool: final where its span never came (R6)
	AnswerTool                    // a tool that only returns the structured answer (R7)
	FromLog                       // read from a log record, without its span
	MemoryDelete                  // a memory delete carries nothing
	Said                          // the output of a task that says what its agents said, and is no plumbing (7.17)
	Tasked                        // an agent whose task the operator wrote: other agents' words have a place of their own (7.17)
	perLeaf                       // Text is the hash of the leaf itself, filled in by At
)

// Fixed reports whether a slot alone tells the channel of a place, whatever other spans a trace has.
func (s Slot) Fixed() bool {
	switch s {
	case SlotLog, SlotNone, SlotReplay, SlotChannel, SlotSource, SlotDocuments, SlotMemoryRecords:
		return true
	}
	return false
}

// A Place is where a text stood, in terms that can be decided into a channel later. It is comparable, holds no
// content, and its sets join by union.
type Place struct {
	// Span is the span, or the span a log record belongs to. Zero: a resource, a scope or a lone record.
	Span pcommon.SpanID
	Slot Slot
	Unit Unit
	Flag Flag
	// Channel is set for SlotChannel only.
	Channel agentrisk.Channel
	// Text is the normalised hash of the unit's whole text, zero when the rules don't compare it.
	Text uint64
	// Tool is the hash of a name: of the tool called, for a result of the call's id, for an Authored message of the
	// author.
	Tool uint64
}
