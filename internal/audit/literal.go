package audit

import (
	"math/bits"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// minLiteral is the shortest value that is removed wherever it stands, in bytes. Shorter ones are words and numbers
// that mean something else elsewhere.
const minLiteral = 6

// maxLiteral bounds the length of values that are searched for, in bytes: longer ones are whole documents.
const maxLiteral = 8192

// A literal is a value that a rule recognised, as length and keyed hash: enough to find it again, not to know it.
type literal struct {
	length int
	hash   uint64
	head   uint64       // hash of its first minLiteral bytes
	match  detect.Match // of the rule that found it; its offsets mean nothing here
}

// literalHash is a polynomial hash modulo 2^61-1 in a secret base (Karp and Rabin, 1987): two different texts of n
// bytes collide with probability n/2^61 over the choice of the base.
type literalHash struct{ base uint64 }

const mod61 = 1<<61 - 1

func newLiteralHash(seed uint64) literalHash {
	return literalHash{base: seed%(mod61-256) + 256}
}

func mulmod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	r := lo&mod61 + (lo>>61 | hi<<3)
	if r >= mod61 {
		r -= mod61
	}
	return r
}

func (h literalHash) of(s string) uint64 {
	var x uint64
	for i := 0; i < len(s); i++ {
		x = addmod(mulmod(x, h.base), uint64(s[i])+1)
	}
	return x
}

func addmod(a, b uint64) uint64 {
	if a += b; a >= mod61 {
		a -= mod61
	}
	return a
}

func submod(a, b uint64) uint64 {
	if a < b {
		a += mod61
	}
	return a - b
}

func (h literalHash) append(dst []literal, value string, m detect.Match) []literal {
	if len(value) < minLiteral || len(value) > maxLiteral {
		return dst
	}
	m.Start, m.End = 0, 0
	return append(dst, literal{len(value), h.of(value), h.of(value[:minLiteral]), m})
}

// literals are the values of a trace to look for. Adding is a join: the strongest find of a value names it.
type literals struct {
	byLen   map[int]map[uint64]detect.Match
	lengths []int    // sorted
	powers  []uint64 // of the base, for each length
	// heads are the hashes of how the values begin: most places in a text are told by one look at them.
	heads map[uint64]struct{}
}

func (l *literals) add(h literalHash, x literal) {
	power := uint64(1)
	if l.byLen[x.length] == nil {
		for range x.length {
			power = mulmod(power, h.base)
		}
	}
	l.put(power, x)
	l.heads[x.head] = struct{}{}
}

// merge adds all of o.
func (l *literals) merge(o *literals) {
	for i, length := range o.lengths {
		for hash, m := range o.byLen[length] {
			l.put(o.powers[i], literal{length: length, hash: hash, match: m})
		}
	}
	for head := range o.heads {
		l.heads[head] = struct{}{}
	}
}

// put adds a literal; power is that of its length.
func (l *literals) put(power uint64, x literal) {
	if l.byLen == nil {
		l.byLen, l.heads = map[int]map[uint64]detect.Match{}, map[uint64]struct{}{}
	}
	same := l.byLen[x.length]
	if same == nil {
		same = map[uint64]detect.Match{}
		l.byLen[x.length] = same
		i, _ := slices.BinarySearch(l.lengths, x.length)
		l.lengths = slices.Insert(l.lengths, i, x.length)
		l.powers = slices.Insert(l.powers, i, power)
	}
	was, ok := same[x.hash]
	if !ok || stronger(x.match, was) {
		same[x.hash] = x.match
	}
}

// stronger orders finds of one value: by level, then by name, so that the order of arrival plays no part.
func stronger(a, b detect.Match) bool {
	if a.Level != b.Level {
		return a.Level > b.Level
	}
	if a.Type != b.Type {
		return a.Type < b.Type
	}
	return a.Rule < b.Rule
}

func (l *literals) size() int {
	n := 0
	for _, same := range l.byLen {
		n += 48 + 96*len(same)
	}
	return n
}

// find appends where values stand bare in text: not inside a longer word, and not where taken matches stand already.
// The longest value at a position wins. prefix is scratch space.
func (l *literals) find(h literalHash, prefix *[]uint64, dst []detect.Match, text string, taken []detect.Match) []detect.Match {
	if len(l.lengths) == 0 || len(text) < l.lengths[0] {
		return dst
	}
	sums := (*prefix)[:0]
	var x uint64
	sums = append(sums, 0)
	for i := 0; i < len(text); i++ {
		x = addmod(mulmod(x, h.base), uint64(text[i])+1)
		sums = append(sums, x)
	}
	*prefix = sums
	power := uint64(1)
	for range minLiteral {
		power = mulmod(power, h.base)
	}
	for at := 0; at+l.lengths[0] <= len(text); at++ {
		for len(taken) > 0 && taken[0].End <= at {
			taken = taken[1:]
		}
		if len(taken) > 0 && taken[0].Start <= at {
			at = taken[0].End - 1
			continue
		}
		if at > 0 && wordByte(text[at]) && wordByte(text[at-1]) {
			continue
		}
		if _, ok := l.heads[submod(sums[at+minLiteral], mulmod(sums[at], power))]; !ok {
			continue
		}
		for i := len(l.lengths) - 1; i >= 0; i-- {
			end := at + l.lengths[i]
			if end > len(text) || end < len(text) && wordByte(text[end]) && wordByte(text[end-1]) ||
				len(taken) > 0 && taken[0].Start < end {
				continue
			}
			if m, ok := l.byLen[l.lengths[i]][submod(sums[end], mulmod(sums[at], l.powers[i]))]; ok {
				m.Start, m.End = at, end
				dst = append(dst, m)
				at = end - 1
				break
			}
		}
	}
	return dst
}

// wordByte reports whether b continues a word. Bytes of longer characters do.
func wordByte(b byte) bool {
	return b >= 0x80 || b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
