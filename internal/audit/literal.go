package audit

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// minLiteral is the shortest value that is removed wherever it stands, in bytes. Shorter ones are words and numbers
// that mean something else elsewhere.
const minLiteral = 6

// maxLiteral bounds the length of values that are searched for, in bytes: longer ones are whole documents.
const maxLiteral = 8192

// Bounds of values that are also looked for inside base64 and hex, in bytes.
const (
	minEncoded = 8
	maxEncoded = 512
)

// midLength is how much of a reading is compared at once; longer values take a second look.
const midLength = 16

// A literal is a value that a rule recognised, read in one form: keyed hashes of the reading and of how it begins,
// enough to find it again, not to know it.
type literal struct {
	litKey
	head, mid uint64 // hashes of the first minLiteral and midLength bytes
	first
	match *detect.Match
}

type litKey struct {
	form   form
	ends   ends
	length int // of the reading in bytes
	hash   uint64
}

// first is how a reading begins, for a filter over all values of a trace; nothing says which of them it belongs to.
type first struct {
	of   form
	r    [2]rune
	quad uint16 // keyed hash of the first four bytes
}

// ends says which letters around a find in base64 hold bits of the value too.
type ends uint8

const (
	letterBefore ends = 1 << iota
	letterAfter
)

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

// put adds one byte to a hash.
func (h literalHash) put(x uint64, b byte) uint64 { return addmod(mulmod(x, h.base), uint64(b)+1) }

// of reads a value in a form. It returns false if there is too little of it.
func (h literalHash) of(f form, value string, m *detect.Match) (literal, bool) {
	return h.reading(f, value, m, form.next)
}

// raw reads a value without decoding what looks like an escape in it, as a text reads where that was escaped itself.
func (h literalHash) raw(f form, value string, m *detect.Match) (literal, bool) {
	return h.reading(f, value, m, func(_ form, v string, i int) (rune, int) {
		r, n := utf8.DecodeRuneInString(v[i:])
		if r == utf8.RuneError && n == 1 {
			r = rawByte | rune(v[i])
		}
		if r < 0x80 && !special[r] {
			return f.next(v[i:i+1], 0)
		}
		return r, n
	})
}

func (h literalHash) reading(f form, value string, m *detect.Match, next func(form, string, int) (rune, int)) (literal, bool) {
	l := literal{litKey: litKey{form: f}, first: first{of: f}, match: m}
	runes, four := 0, uint32(0)
	for i := 0; i < len(value); {
		r, n := next(f, value, i)
		i += n
		if r < 0 {
			continue
		}
		if runes < len(l.r) {
			l.r[runes] = r
		}
		runes++
		var buf [utf8.UTFMax]byte
		for _, b := range buf[:encode(&buf, r)] {
			l.hash = h.put(l.hash, b)
			switch l.length++; l.length {
			case 1, 2, 3:
				four = four<<8 | uint32(b)
			case 4:
				l.quad = h.quad(four<<8 | uint32(b))
			case minLiteral:
				l.head = l.hash
			case midLength:
				l.mid = l.hash
			}
		}
	}
	return l, l.length >= minLiteral && runes > 1
}

// quad is a filter's hash of four bytes of a reading: 12 bits.
func (h literalHash) quad(four uint32) uint16 {
	return uint16((four ^ uint32(h.base)) * 0x9E3779B1 >> 20)
}

// encode writes a rune of a reading.
func encode(buf *[utf8.UTFMax]byte, r rune) int {
	if r < 0x80 || r >= rawByte {
		buf[0] = byte(r)
		return 1
	}
	return utf8.EncodeRune(buf[:], r)
}

// own is the literal of a value as it stands; not ok if it is none to look for.
func (h literalHash) own(value string, m *detect.Match) (x literal, ok bool) {
	if len(value) < minLiteral || len(value) > maxLiteral {
		return x, false
	}
	return h.of(formOf(*m, value), value, m)
}

// append adds the literals of a value found, its own first. Literals that are in dst already may be added again.
func (h literalHash) append(dst []literal, value string, m detect.Match) []literal {
	m.Start, m.End = 0, 0
	value = strings.TrimSpace(value)
	x, ok := h.own(value, &m)
	if !ok {
		return dst
	}
	f := x.form
	for i := max(0, len(dst)-64); i < len(dst); i++ {
		if dst[i].litKey == x.litKey && *dst[i].match == m {
			return dst // agents repeat themselves
		}
	}
	dst = append(dst, x)
	if strings.ContainsAny(value, `%\&`) {
		if y, ok := h.raw(f, value, &m); ok && y.litKey != x.litKey {
			dst = append(dst, y)
		}
	}
	if m.Type == "phone_number" && f&squeezed != 0 && x.length == 11 && x.r[0] == '1' {
		// The national form of a North American number.
		if i := strings.IndexByte(value, '1'); i >= 0 {
			if y, ok := h.of(f, value[i+1:], &m); ok {
				dst = append(dst, y)
			}
		}
	}
	if len(value) < minEncoded || len(value) > maxEncoded {
		return dst
	}
	dst = h.encoded(dst, value, &m)
	if f&squeezed != 0 {
		// Numbers are encoded without their grouping, too.
		if plain := reading(f&^caseless, value); plain != value && len(plain) >= minEncoded {
			dst = h.encoded(dst, plain, &m)
		}
	}
	return dst
}

// reading is the value read in a form.
func reading(f form, value string) string {
	var b []byte
	for i := 0; i < len(value); {
		r, n := f.next(value, i)
		if i += n; r >= 0 {
			var buf [utf8.UTFMax]byte
			b = append(b, buf[:encode(&buf, r)]...)
		}
	}
	return string(b)
}

// encoded adds how the value reads in hex, and in base64 at each of the three places it may have in a group of bytes.
// Of base64 only the letters count that are the value's alone.
func (h literalHash) encoded(dst []literal, value string, m *detect.Match) []literal {
	if x, ok := h.of(caseless|anywhere, hex.EncodeToString([]byte(value)), m); ok {
		dst = append(dst, x)
	}
	for lead := range 3 {
		in := append(make([]byte, lead, lead+len(value)), value...)
		text := base64.RawStdEncoding.EncodeToString(in)
		from, to := (8*lead+5)/6, 8*len(in)/6
		x, ok := h.of(base64ed|anywhere, text[from:to], m)
		if !ok {
			continue
		}
		if 8*lead%6 != 0 {
			x.ends |= letterBefore
		}
		if 8*len(in)%6 != 0 {
			x.ends |= letterAfter
		}
		dst = append(dst, x)
	}
	return dst
}

// literals are the values of a trace to look for. Adding is a join: the strongest find of a value names it.
type literals struct {
	known map[litKey]*detect.Match
	// How readings begin: most places in a text are told by one look at them, the rest by a second.
	heads  map[headKey]lengths
	mids   map[headKey][]int // lengths of readings beyond midLength, in increasing order
	firsts map[first]struct{}
}

type headKey struct {
	form form
	hash uint64
}

// lengths are those of the shortest and the longest reading, in bytes.
type lengths struct{ least, most int }

func (l *literals) add(x literal) {
	if l.known == nil {
		l.known, l.heads = map[litKey]*detect.Match{}, map[headKey]lengths{}
		l.mids, l.firsts = map[headKey][]int{}, map[first]struct{}{}
	}
	was := l.known[x.litKey]
	if was == nil || stronger(*x.match, *was) {
		l.known[x.litKey] = x.match
	}
	if was != nil {
		return
	}
	l.begin(headKey{x.form, x.head}, lengths{x.length, x.length})
	if x.length > midLength {
		l.middle(headKey{x.form, x.mid}, x.length)
	}
	l.firsts[x.first] = struct{}{}
}

func (l *literals) begin(k headKey, of lengths) {
	if was, ok := l.heads[k]; ok {
		of = lengths{min(was.least, of.least), max(was.most, of.most)}
	}
	l.heads[k] = of
}

func (l *literals) middle(k headKey, length int) {
	if i, ok := slices.BinarySearch(l.mids[k], length); !ok {
		l.mids[k] = slices.Insert(l.mids[k], i, length)
	}
}

// merge adds all of o.
func (l *literals) merge(o *literals) {
	if len(o.known) == 0 {
		return
	}
	if l.known == nil {
		l.known, l.heads = map[litKey]*detect.Match{}, map[headKey]lengths{}
		l.mids, l.firsts = map[headKey][]int{}, map[first]struct{}{}
	}
	for k, m := range o.known {
		if was := l.known[k]; was == nil || stronger(*m, *was) {
			l.known[k] = m
		}
	}
	for k, of := range o.heads {
		l.begin(k, of)
	}
	for k, lengths := range o.mids {
		for _, length := range lengths {
			l.middle(k, length)
		}
	}
	for k := range o.firsts {
		l.firsts[k] = struct{}{}
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
	if a.Rule != b.Rule {
		return a.Rule < b.Rule
	}
	return bytes.Compare(a.ID[:], b.ID[:]) < 0 // one reading, told apart by case or grouping
}

// knows reports whether x is among l already.
func (l *literals) knows(x *literal) bool { return l.known[x.litKey] != nil }

// size is the approximate memory in bytes.
func (l *literals) size() int {
	return 64*len(l.known) + 32*len(l.heads) + 64*len(l.mids) + 24*len(l.firsts)
}
