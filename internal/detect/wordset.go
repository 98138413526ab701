package detect

import (
	"bytes"
	"math/bits"
)

// wordSet knows the words that any rule minds: one of each context phrase and the first one
// of each term. The pass looks each word of a text up once. What it finds here is
// tried as a term, and remembered as context, so that a value far from any such word never
// asks for its context.
type wordSet struct {
	bits  [1 << 10]uint64 // filter over wordKey
	infos [1 << 16]uint16 // place in list, plus one
	list  []wordInfo
}

// wordInfo is what a word may be. Two words may share one; entries compare themselves, and
// a group too many costs only time.
type wordInfo struct {
	groups  uint32 // of context, a set
	entries []*entry
}

// contextGroups is the number of groups that lists of context phrases fall into.
const contextGroups = 32

// Groups of context. Lists that are asked for only beside another share the first ones.
const (
	groupInnocent = iota
	groupSecondary
	groupMoney
	groupRest // and all above
)

// contextGroup returns the group of a list.
func (s *Scanner) contextGroup(id contextID) uint8 {
	switch {
	case id == ctxInnocent:
		return groupInnocent
	case id < ctxShared:
		return groupSecondary
	}
	for _, m := range s.moneyCtx {
		if id == m {
			return groupMoney
		}
	}
	return groupRest + uint8(id)%(contextGroups-groupRest)
}

// load4 reads four bytes in the order of memory.
func load4(text string, i int) uint32 {
	t := text[i : i+4]
	return uint32(t[0]) | uint32(t[1])<<8 | uint32(t[2])<<16 | uint32(t[3])<<24
}

// wordKey hashes the word text[i:j], case folded: its first and last four bytes and its
// length.
func wordKey(text string, i, j int) uint16 {
	n := j - i
	var a, b uint32
	if n >= 4 {
		a, b = load4(text, i), load4(text, j-4)
	} else {
		a = uint32(text[i])
		if n > 1 {
			a |= uint32(text[i+1]) << 8
		}
		if n > 2 {
			a |= uint32(text[i+2]) << 16
		}
	}
	x := uint64(a)<<32 | uint64(b) | 0x2020202020202020
	x = (x ^ uint64(n)*0x9FB21C651E98DF25) * 0x9E3779B97F4A7C15
	return uint16(x >> 48)
}

func (w *wordSet) has(k uint16) bool { return w.bits[k>>6]&(1<<(k&63)) != 0 }

// at returns what the set knows of words with this key.
func (w *wordSet) at(k uint16) *wordInfo { return &w.list[w.infos[k]-1] }

// put returns the info of a word, to be added to.
func (w *wordSet) put(word string) *wordInfo {
	k := wordKey(word, 0, len(word))
	if !w.has(k) {
		w.bits[k>>6] |= 1 << (k & 63)
		w.list = append(w.list, wordInfo{})
		w.infos[k] = uint16(len(w.list))
	}
	return w.at(k)
}

// groupsOf returns the groups of context that the word text[i:j] may end a phrase of.
func (w *wordSet) groupsOf(text string, i, j int) uint32 {
	if k := wordKey(text, i, j); w.has(k) {
		return w.at(k).groups
	}
	return 0
}

// partGroups is groupsOf for the words that appendWords would cut text[i:j] into, which is
// letters and digits of ASCII.
func (w *wordSet) partGroups(text string, i, j int) (g uint32) {
	turns := 0
	for k := i + 1; k < j; k++ {
		if isDigit(text[k-1]) != isDigit(text[k]) {
			if turns++; turns == 3 {
				return 0 // see opaque
			}
		}
	}
	from := i
	for k := i + 1; k < j; k++ {
		a, b := text[k-1], text[k]
		cut := isDigit(a) != isDigit(b) || isUpper(b) && isLower(a) ||
			isUpper(b) && isUpper(a) && k+1 < j && isLower(text[k+1])
		if cut {
			g |= w.groupsOf(text, from, k)
			from = k
		}
	}
	return g | w.groupsOf(text, from, j)
}

// firstToken returns the length of the first word of a literal, as the pass cuts it.
func firstToken(lit string) int {
	n := 0
	for n < len(lit) && inWord(classes[lit[n]]) {
		n++
	}
	return n
}

// addTerm files an entry under the first word of its literal. It reports false when the
// literal may go on in the same word of a text.
func (s *Scanner) addTerm(e *entry) bool {
	n := firstToken(e.lit)
	if n == 0 || isDigit(e.lit[0]) || n == len(e.lit) && !isAlnum(e.lit[n-1]) {
		return false
	}
	info := s.words.put(e.lit[:n])
	info.entries = append(info.entries, e)
	return true
}

// addContext registers the phrases of a list.
func (s *Scanner) addContext(id contextID, list [][]byte) {
	s.ctx.add(id, list)
	s.groupOf[id] = s.contextGroup(id)
}

// fileContexts files one word of each phrase under the group of its list: where that does
// not stand, the phrase does not. It is the word that the fewest phrases have.
func (s *Scanner) fileContexts() {
	uses := map[string]int{}
	for _, entries := range s.ctx.byLast {
		for _, e := range entries {
			for _, w := range bytes.Fields(e.phrase) {
				uses[string(w)]++
				if len(w)+2 == len(e.phrase) {
					uses[string(w)] += 1000 // stands for itself too
				}
			}
		}
	}
	for _, entries := range s.ctx.byLast {
		for _, e := range entries {
			words := bytes.Fields(e.phrase)
			rare := words[0]
			for _, w := range words[1:] {
				if n, m := uses[string(w)], uses[string(rare)]; n < m || n == m && len(w) > len(rare) {
					rare = w
				}
			}
			s.words.put(string(rare)).groups |= 1 << s.groupOf[e.id]
		}
	}
}

// see notes that a word which ends before text[end] may end context phrases of groups.
func (c *scan) see(groups uint32, end int) {
	for ; groups != 0; groups &= groups - 1 {
		c.seen[bits.TrailingZeros32(groups)] = end
	}
}

// allGroups says of a stretch that was not looked at that it may hold anything.
const allGroups = 1<<contextGroups - 1

// quietReach is contextReach and what may stand between a value and its context, bareReach
// how far from the start of a text a value may stand to be all of it.
const (
	bareReach  = 24
	quietReach = contextReach + bareReach
)

// quiet reports whether no phrase of the list can stand before the value at text[at], nor
// in the key of a text that begins with it. False where that is not known, ahead of the pass.
func (c *scan) quiet(at int, id contextID) bool {
	g := c.s.groupOf[id]
	if at > c.pos || at <= bareReach && c.key.groups&(1<<g) != 0 {
		return false
	}
	seen := c.seen[g]
	return seen == 0 || seen < at-quietReach
}

// termsAt returns the entries whose literal may begin at text[i].
func (s *Scanner) termsAt(text string, i int) []*entry {
	j := i
	for j < len(text) && inWord(classes[text[j]]) {
		j++
	}
	if j > i {
		if k := wordKey(text, i, j); s.words.has(k) {
			return s.words.at(k).entries
		}
	}
	return nil
}
