package mapping

import (
	"maps"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Bounds of what a skeleton keeps of one span: hashes of that many texts a set.
const (
	maxTexts  = 64
	maxPieces = 64
)

// A SpanInfo is what the channel rules need of a span, without content. It joins: merging is commutative, associative
// and idempotent, up to the bounds on the sizes of its sets.
type SpanInfo struct {
	ID, Parent pcommon.SpanID
	// CopyOf is the span that this one is an early copy of (7.8). The copy has a span id of its own.
	CopyOf pcommon.SpanID
	Kind   Kind
	// Start and End are nanoseconds since 1970; zero when only log records of the span were seen.
	Start, End uint64
	// Seen is true once the span itself was seen, not only log records that name it.
	Seen bool
	// Claimed is true when a dialect knows a text or the kind of the span: it is part of an agent's run.
	Claimed bool
	// Name is the agent's or the tool's name, an identifier and not content (R17).
	Name string
	// Agent is the emitting agent's name where the span carries one.
	Agent string
	// Tool is the hash of the called tool's name on a tool span and of the agent's own on an agent span; Call is the
	// hash of the tool call's id.
	Tool, Call uint64
	Flag       Flag
	// Calls is true when the output holds tool calls.
	Calls bool
	// User holds the hash of the first user text, Pieces of its sentences.
	User   hashes
	Pieces hashes
	// In holds the texts the span was given and In of a tool its arguments; Out those it produced, Last those of
	// its last message.
	In, Out, Last hashes
	// Names maps ids of tool calls in the output to the names of the tools.
	Names map[uint64]uint64
}

// hashes is a small sorted set.
type hashes []uint64

func (h *hashes) add(x uint64) {
	if x == 0 {
		return
	}
	if i, ok := slices.BinarySearch(*h, x); !ok && len(*h) < maxTexts {
		*h = slices.Insert(*h, i, x)
	}
}

func (h hashes) has(x uint64) bool {
	_, ok := slices.BinarySearch(h, x)
	return ok
}

func (h *hashes) union(o hashes) {
	for _, x := range o {
		h.add(x)
	}
}

// join merges what o knows into i. Both are of the same span.
func (i *SpanInfo) join(o *SpanInfo) {
	if i.Parent.IsEmpty() {
		i.Parent = o.Parent
	}
	if i.CopyOf.IsEmpty() {
		i.CopyOf = o.CopyOf
	}
	i.Kind = max(i.Kind, o.Kind)
	if i.Start == 0 || o.Start != 0 && o.Start < i.Start {
		i.Start = o.Start
	}
	i.End = max(i.End, o.End)
	i.Seen = i.Seen || o.Seen
	i.Claimed = i.Claimed || o.Claimed
	i.Name = max(i.Name, o.Name)
	i.Agent = max(i.Agent, o.Agent)
	i.Tool = max(i.Tool, o.Tool)
	i.Call = max(i.Call, o.Call)
	i.Flag |= o.Flag
	i.Calls = i.Calls || o.Calls
	i.User.union(o.User)
	i.Pieces.union(o.Pieces)
	i.In.union(o.In)
	i.Out.union(o.Out)
	i.Last.union(o.Last)
	for id, name := range o.Names {
		if i.Names == nil {
			i.Names = map[uint64]uint64{}
		}
		if len(i.Names) < maxTexts || i.Names[id] != 0 {
			i.Names[id] = max(i.Names[id], name)
		}
	}
}

// own gives i sets of its own, all in one piece of memory.
func (i *SpanInfo) own() {
	n := len(i.User) + len(i.Pieces) + len(i.In) + len(i.Out) + len(i.Last)
	var room hashes
	if n > 0 {
		room = make(hashes, 0, n)
	}
	for _, h := range [...]*hashes{&i.User, &i.Pieces, &i.In, &i.Out, &i.Last} {
		if len(*h) == 0 {
			*h = nil
			continue
		}
		at := len(room)
		room = append(room, *h...)
		*h = room[at:len(room):len(room)] // what is added goes elsewhere
	}
}

func (i *SpanInfo) clone() *SpanInfo {
	c := *i
	c.own()
	c.Names = maps.Clone(i.Names)
	return &c
}

// Size is the approximate memory of the info in bytes.
func (i *SpanInfo) Size() int {
	return 240 + len(i.Name) + len(i.Agent) + 8*(len(i.User)+len(i.Pieces)+len(i.In)+len(i.Out)+len(i.Last)) + 32*len(i.Names)
}

// A Skeleton is the span tree of one trace without content. The zero value is ready. Adding is a join, so the order
// and repetition of spans do not matter.
type Skeleton struct {
	spans map[pcommon.SpanID]*SpanInfo
	size  int
}

// Add joins a span's info; info is not kept.
func (s *Skeleton) Add(info *SpanInfo) {
	if s.spans == nil {
		s.spans = map[pcommon.SpanID]*SpanInfo{}
	}
	if was, ok := s.spans[info.ID]; ok {
		s.size -= was.Size()
		was.join(info)
		s.size += was.Size()
		return
	}
	s.spans[info.ID] = info.clone()
	s.size += info.Size()
}

// Merge joins another skeleton of the same trace.
func (s *Skeleton) Merge(o *Skeleton) {
	for _, i := range o.spans {
		s.Add(i)
	}
}

// Each visits the infos, in no order. They must not be changed.
func (s *Skeleton) Each(visit func(*SpanInfo)) {
	for _, i := range s.spans {
		visit(i)
	}
}

// Len is the number of spans seen or named.
func (s *Skeleton) Len() int { return len(s.spans) }

// Size is the approximate memory of the skeleton in bytes.
func (s *Skeleton) Size() int { return s.size }

// GenAI reports whether any span belongs to an agent's run.
func (s *Skeleton) GenAI() bool {
	for _, i := range s.spans {
		if i.Claimed {
			return true
		}
	}
	return false
}

// Span returns what is known of a span, nil when nothing is. The result must not be changed.
func (s *Skeleton) Span(id pcommon.SpanID) *SpanInfo { return s.spans[id] }
