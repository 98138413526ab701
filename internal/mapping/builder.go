package mapping

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// A builder reads the fields of one span (or log record) into places and a SpanInfo. Tags of leaf nodes are
// positions in places, from 1; a node without a tag belongs to its nearest ancestor with one.
type builder struct {
	m        *Mapper
	d        *leaf.Doc
	attrs    pcommon.Map
	info     SpanInfo
	scope    string
	spanName string
	places   []entry
	by       *claim // the row that claims what is being read
	// claims are those on the fields from first on.
	claims []*claim
	named  []int // positions of claims whose value attr knows
	first  int
	flats  []flat
	// keys remember look-ups over spans.
	keys      map[string]*claim
	eventKeys map[eventKey]*claim
	// in and out are the span's two conversations, however many attributes and events they are spread over.
	in, out thread
	// tool is the hash of the tool that tool slots belong to, does what its name says that it does.
	tool uint64
	does Flag
	// acts is true for a tool of a memory whose name does not say whether it reads or writes.
	acts bool
	// raw is true for a span that holds a provider's request and response as they were (7.19).
	raw bool
}

// A thread is what was seen so far of a message list.
type thread struct {
	user, assistant bool
	last            Role // of the message before
}

// thread starts a conversation of its own: each attribute that holds a message list is one, and of two that hold the
// same (R1) the second is read like the first.
func (b *builder) thread(slot Slot) {
	if slot == SlotInput {
		b.in = thread{}
	} else {
		b.out = thread{}
	}
}

func (b *builder) tag(n *leaf.Node, p Place) {
	p.Span = b.info.ID
	b.places = append(b.places, entry{p, b.by})
	n.Tag = int32(len(b.places))
}

// value reads a whole slot that may or may not hold messages.
func (b *builder) value(n *leaf.Node, slot Slot, role Role) {
	switch slot {
	case SlotInput, SlotOutput:
		b.thread(slot)
		slot = slotByKind(b.info.Kind, b.does, slot)
	case SlotToolArguments, SlotToolResult:
		if b.info.Kind == KindElicit {
			slot = slotByKind(KindElicit, 0, slot)
		}
	}
	switch slot {
	case SlotInput, SlotOutput:
		f := perLeaf
		if slot == SlotOutput && b.info.Kind == KindChain && b.hasPrefix("crewai.task.") {
			f |= Said
		}
		b.tag(n, Place{Slot: slot, Flag: f}) // text without messages: each leaf is a text of its own
		b.callback(n)
		b.messages(n, slot, role)
	case SlotToolArguments, SlotToolResult:
		b.toolSlot(n, slot)
	case SlotMemoryRecords:
		b.tag(n, Place{Slot: slot, Flag: b.does})
	case SlotQuery:
		b.tag(n, Place{Slot: slot, Flag: perLeaf})
	case SlotNone, SlotReplay, SlotLog, SlotSource, SlotDocuments:
		b.tag(n, Place{Slot: slot})
		if slot == SlotNone {
			b.headers(n)
		}
	}
}

// slotByKind turns the input and output of spans that are no agents or models into what they are (R14). does is what
// the tool or memory operation does.
func slotByKind(k Kind, does Flag, slot Slot) Slot {
	in := slot == SlotInput
	switch k {
	case KindTool:
		if in {
			return SlotToolArguments
		}
		return SlotToolResult
	case KindRetriever:
		if in {
			return SlotQuery
		}
		return SlotDocuments
	case KindMemory:
		switch {
		case does&MemoryDelete != 0:
			return SlotNone
		case in && does&MemoryRead != 0:
			return SlotQuery
		case in:
			return SlotToolArguments // a write, or undecided: it errs on the side of reporting
		}
		return SlotToolResult
	case KindElicit: // a server asks, what is answered is sent to it (7.3)
		switch slot {
		case SlotInput, SlotToolArguments:
			return SlotToolResult
		}
		return SlotToolArguments
	case KindListen: // speech becomes the user's words
		if in {
			return SlotNone
		}
		return SlotSource
	case KindSpeak: // the answer once more
		return SlotReplay
	case KindGuardrail:
		return SlotLog
	case KindPrompt:
		return SlotSource
	case KindEmbedding:
		return SlotNone
	}
	return slot
}

// notePlain records the leaves of a value without messages as what the span was given or produced.
func (b *builder) notePlain(n *leaf.Node, slot Slot) {
	if n.IsText() {
		if slot == SlotInput {
			b.noteInput(n.Text)
		} else {
			h := b.m.hash.text(n.Text)
			b.info.Out.add(h)
			b.info.Last.add(h)
		}
		return
	}
	for k := n.First; k != nil; k = k.Next {
		b.notePlain(k, slot)
	}
}

// noteInput records a text that a user said, and returns its hash.
func (b *builder) noteInput(text string) uint64 {
	h := b.m.hash.text(text)
	b.info.In.add(h)
	if h != 0 && !b.in.user {
		b.info.User.add(h)
		if b.info.Kind != KindLLM {
			b.m.hash.pieces(&b.info.Pieces, text)
		}
	}
	return h
}
