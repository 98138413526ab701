package detect

import (
	"bytes"
	"strings"
)

// keyWords is what a Key says to the rules.
type keyWords struct {
	id     uint32  // of the key, to tell it from others of the same scan
	words  []byte  // as appendWords writes them, the parent's first; empty when they say nothing
	groups uint32  // of context that they may be
	named  []*rule // whose Keys they end in
}

var noKey keyWords

// set takes words for those of the key.
func (k *keyWords) set(s *Scanner, words []byte) {
	k.words = append(k.words[:0], words...)
	k.groups = 0
	for i := 0; i < len(words); {
		n := bytes.IndexByte(words[i:], ' ')
		if n < 0 {
			break
		}
		if n > 0 {
			k.groups |= s.words.groupsOf(string(words[i:i+n]), 0, n)
		}
		i += n + 1
	}
	k.named = s.keys.find(k.named[:0], k.words)
}

// nameMemo remembers what the names of fields inside texts say.
type nameMemo struct {
	slots [256]struct {
		name  string
		words []byte
		named []*rule
	}
}

// get returns the words of name and the rules they name, void after the next call.
func (m *nameMemo) get(s *Scanner, name string) ([]byte, []*rule) {
	slot := &m.slots[keySlot(Key{Name: name})]
	if slot.name != name {
		slot.words = appendWords(slot.words[:0], name)
		slot.named = s.keys.find(slot.named[:0], slot.words)
		slot.name = ""
		if len(name) <= maxMemoName {
			slot.name = strings.Clone(name)
		}
	}
	return slot.words, slot.named
}

// maxMemoName is the longest name of a field that is remembered.
const maxMemoName = 32

// keyMemo remembers what keys say: telemetry has few of them. It is of one scan, so that
// nothing is locked.
type keyMemo struct {
	slots [256]struct {
		key  Key
		said keyWords
	}
	buf  []byte
	last uint32 // id given out last
}

// maxMemoKey is the longest key that is remembered.
const maxMemoKey = 128

// get returns what key says, void after the next call.
func (m *keyMemo) get(s *Scanner, key Key) *keyWords {
	slot := &m.slots[keySlot(key)]
	if slot.key == key {
		return &slot.said
	}
	m.buf = appendKey(m.buf[:0], key)
	slot.said.set(s, m.buf)
	m.last++
	slot.said.id, slot.key = m.last, Key{}
	if len(key.Name)+len(key.Parent) <= maxMemoKey {
		slot.key = Key{strings.Clone(key.Name), strings.Clone(key.Parent)}
	}
	return &slot.said
}

func keySlot(key Key) uint8 {
	h := uint32(len(key.Name))*31 + uint32(len(key.Parent))
	if n := len(key.Name); n > 0 {
		h = h*31 + uint32(key.Name[0]) + uint32(key.Name[n-1])<<8 + uint32(key.Name[n/2])<<16
	}
	if n := len(key.Parent); n > 0 {
		h = h*31 + uint32(key.Parent[0]) + uint32(key.Parent[n-1])<<8 + uint32(key.Parent[n/2])<<16
	}
	return uint8(h * 2654435761 >> 24)
}

// appendKey appends the words of a key that say something of the text under it.
func appendKey(dst []byte, key Key) []byte {
	name, parent := lastDotted(key.Name), key.Parent
	if parent == "" {
		// A dotted attribute name carries its own parent.
		if i := strings.LastIndexByte(key.Name, '.'); i > 0 {
			parent = lastDotted(key.Name[:i])
		}
	} else {
		parent = lastDotted(parent)
	}
	if len(name) > 64 || isContentName(name) {
		return dst
	}
	if len(parent) <= 64 && !isContentName(parent) && parent != "" {
		dst = appendWords(dst, parent)
	}
	return appendWords(dst, name)
}

// lastDotted returns the last part of a dotted name that is no index.
func lastDotted(name string) string {
	for {
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return name
		}
		last := name[i+1:]
		if last != "" && !isDigit(last[0]) {
			return last
		}
		name = name[:i]
	}
}

func isContentName(n string) bool {
	var low [16]byte
	if len(n) > len(low) {
		return false
	}
	for i := range len(n) {
		low[i] = n[i]
		if isUpper(n[i]) {
			low[i] |= 0x20
		}
	}
	return contentNames[string(low[:len(n)])]
}

// cleanMemo remembers short texts in which nothing was found: roles, types and the names of
// members stand in every message.
type cleanMemo [512]struct {
	key  uint32 // keyWords.id
	n    uint8
	text [maxCleanText]byte
}

// maxCleanText is the longest text that is remembered.
const maxCleanText = 40

// has reports whether text was found clean under the key.
func (m *cleanMemo) has(key uint32, text string) bool {
	slot := &m[wordKey(text, 0, len(text))%uint16(len(m))]
	return slot.key == key && string(slot.text[:slot.n]) == text
}

// put notes that text is clean under the key.
func (m *cleanMemo) put(key uint32, text string) {
	slot := &m[wordKey(text, 0, len(text))%uint16(len(m))]
	slot.key, slot.n = key, uint8(copy(slot.text[:], text))
}
