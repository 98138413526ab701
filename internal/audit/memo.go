package audit

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// A memo remembers what was found in texts, so that each distinct text is scanned once: model spans resend the whole
// conversation with every call, system prompts and tool schemas come with every trace. It keeps no text, only 128 bits
// of a hash with a key of this process, and of texts with matches the matches. What a text holds depends on nothing but
// the text and the words of its key, so one memo serves all traces. It is of fixed size and without locks; a place is
// lost to whoever comes later.
type memo struct {
	seeds [2]maphash.Seed
	clean []cleanPlace
	found []atomic.Pointer[foundText]
}

// Sizes of all memos of a Set in places, powers of two: 1 MiB for clean texts, and at most some 4 MiB for others. One has at
// least a few.
const (
	cleanPlaces = 1 << 16
	foundPlaces = 1 << 12
	leastPlaces = 1 << 8
	maxRemember = 16 // matches; a text with more is scanned again
)

// memoFrom is the length from which looking a text up is cheaper than scanning it.
const memoFrom = 48

// A textID is the hash of a text and the words of its key. Two hashes with secret keys make it: nobody outside can
// search for two texts that share one.
type textID struct{ a, b uint64 }

// A cleanPlace holds a textID. Its halves are written one after the other, so the second is mixed with the first:
// halves of two texts are the id of none.
type cleanPlace struct{ a, ab atomic.Uint64 }

type foundText struct {
	id      textID
	matches []detect.Match
}

// newMemo makes one of n that share what memos may take. They share nothing else.
func newMemo(n int) *memo {
	part := bits.Len(uint(max(n, 1) - 1)) // rounded up, as a power of two
	return &memo{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		clean: make([]cleanPlace, max(cleanPlaces>>part, leastPlaces)),
		found: make([]atomic.Pointer[foundText], max(foundPlaces>>part, leastPlaces)),
	}
}

// The places of an id.
func (m *memo) cleanAt(id textID) *cleanPlace { return &m.clean[id.a&uint64(len(m.clean)-1)] }
func (m *memo) foundAt(id textID) *atomic.Pointer[foundText] {
	return &m.found[id.a&uint64(len(m.found)-1)]
}

// id is that of a text under a key whose words hash to key.
func (m *memo) id(key textID, text string) textID {
	return textID{maphash.String(m.seeds[0], text) + key.a, maphash.String(m.seeds[1], text) + key.b}
}

// with is the id of a text of which media is not read: what is media may be said beside it.
func (id textID) with(media []detect.Media) textID {
	for _, m := range media {
		at := uint64(m.Start)<<32 | uint64(m.End)
		id.a, id.b = (id.a^at)*0x9e3779b97f4a7c15, (id.b^at)*0xbf58476d1ce4e5b9
	}
	return id
}

// words is the hash of a key's words. It is not that of the words as a text, so that the two do not cancel out.
func (m *memo) words(words []byte) textID {
	id := textID{maphash.Bytes(m.seeds[0], words), maphash.Bytes(m.seeds[1], words)}
	return textID{id.a*0x9e3779b97f4a7c15 ^ id.b, id.b*0xbf58476d1ce4e5b9 ^ id.a}
}

// get appends the matches of a text to dst. It is not ok when the text is not known.
func (m *memo) get(dst []detect.Match, id textID) (_ []detect.Match, ok bool) {
	c := m.cleanAt(id)
	if c.a.Load() == id.a && c.ab.Load() == id.a^id.b {
		return dst, true
	}
	if f := m.foundAt(id).Load(); f != nil && f.id == id {
		return append(dst, f.matches...), true
	}
	return dst, false
}

// put remembers the matches of a text.
func (m *memo) put(id textID, ms []detect.Match) {
	switch {
	case len(ms) == 0:
		c := m.cleanAt(id)
		c.a.Store(id.a)
		c.ab.Store(id.a ^ id.b)
	case len(ms) <= maxRemember:
		m.foundAt(id).Store(&foundText{id, slices.Clone(ms)})
	}
}

// Bounds of a scan's memory of keys, in keys and in bytes of one: keys come from the sender.
const (
	maxKeys   = 1 << 12
	maxKeyLen = 256
)

// words is the hash of what a key says.
func (s *scan) words(key detect.Key) textID {
	id, ok := s.keys[key]
	if ok {
		return id
	}
	id = s.a.memo.words(detect.AppendKeyWords(nil, key))
	if len(key.Name)+len(key.Parent) <= maxKeyLen {
		if len(s.keys) >= maxKeys {
			clear(s.keys)
		}
		s.keys[detect.Key{Name: strings.Clone(key.Name), Parent: strings.Clone(key.Parent)}] = id
	}
	return id
}
