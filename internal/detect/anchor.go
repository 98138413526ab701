package detect

import "slices"

// Classes of bytes. The scan loop looks at nothing else until a byte asks for more.
const (
	clPlain uint8 = 0 // spaces, most punctuation
	clLower uint8 = 1 // letters and digits; these four are a set
	clUpper uint8 = 2
	clDigit uint8 = 4
	clHigh  uint8 = 8 // bytes of what is not ASCII
	clWord        = clLower | clUpper | clDigit | clHigh
)

const (
	clAt     = clWord + 1 + iota // '@'
	clSep                        // ':' '=' '>'
	clDash                       // '-'
	clOpen                       // '['
	clEscape                     // '\\'
	clPlus                       // '+' before a phone number
	clParen                      // '(' before an area code
	clComma                      // ',' after the name of an argument
	clBreak                      // line break
	clCode                       // '%' '&' of an encoded byte, and '~'
)

// inWord reports whether a byte of class k is part of a word.
func inWord(k uint8) bool { return k-1 < clWord }

// classes maps each byte to its class.
var classes = func() (t [256]uint8) {
	for b := range 256 {
		switch c := byte(b); {
		case isDigit(c):
			t[b] = clDigit
		case isLower(c):
			t[b] = clLower
		case isUpper(c):
			t[b] = clUpper
		case c >= 0x80:
			t[b] = clHigh
		}
	}
	t['@'], t[':'], t['='], t['>'], t['-'] = clAt, clSep, clSep, clSep, clDash
	t['['], t['\\'], t['+'], t['('], t[','] = clOpen, clEscape, clPlus, clParen, clComma
	t['\n'], t['%'], t['&'], t['~'] = clBreak, clCode, clCode, clCode
	return t
}()

func isDigit(b byte) bool  { return b-'0' < 10 }
func isLetter(b byte) bool { return b|0x20-'a' < 26 }
func isUpper(b byte) bool  { return b-'A' < 26 }
func isLower(b byte) bool  { return b-'a' < 26 }
func isAlnum(b byte) bool  { return isDigit(b) || isLetter(b) }
func isWord(b byte) bool   { return isAlnum(b) || b == '_' || b >= 0x80 }
func isBlank(b byte) bool  { return b == ' ' || b == '\t' }
func isSpace(b byte) bool  { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
func isQuote(b byte) bool  { return b == '"' || b == '\'' || b == '`' }
func isHex(b byte) bool    { return isDigit(b) || b|0x20-'a' < 6 }

// starts is the set of word starts that some token format wants to see: a filter over a
// hash of the first four bytes, folded to lower case, and the entries behind it. The
// filter is 8 KB, so that it stays in the first-level cache.
type starts struct {
	filter  [1 << 10]uint64
	lists   [][]*entry
	buckets [1 << 16]uint16 // place in lists, plus one
}

// entry is one literal that a word may begin with.
type entry struct {
	lit  string // as written, or lower case when fold is set
	fold bool
	verb bool // joins a key to a value in prose; has no rule
	rows bool // is followed by tuples of values; has no rule
	noun bool // ends a key that the value follows; has no rule
	rule *rule
	// heads are the four-byte beginnings of finds, where lit is shorter and they can
	// be told.
	heads []string
}

// fold4 reads four bytes folded to lower case; the fold also maps some
// punctuation onto other punctuation, which the entry's own comparison undoes.
func fold4(text string, i int) uint32 {
	if i+4 <= len(text) {
		t := text[i : i+4]
		return (uint32(t[0]) | uint32(t[1])<<8 | uint32(t[2])<<16 | uint32(t[3])<<24) | 0x20202020
	}
	var x uint32
	for k := 0; i+k < len(text); k++ {
		x |= uint32(text[i+k]) << (8 * k)
	}
	return x | 0x20202020
}

func hash4(x uint32) uint32 { return (x * 2654435761) >> 16 }

// add puts an entry in; literals shorter than four bytes go under every byte that
// may follow them.
func (s *starts) add(e *entry) {
	put := func(x uint32) {
		h := hash4(x)
		s.filter[h>>6] |= 1 << (h & 63)
		if s.buckets[h] == 0 {
			s.lists = append(s.lists, nil)
			s.buckets[h] = uint16(len(s.lists))
		}
		k := s.buckets[h] - 1
		if !slices.Contains(s.lists[k], e) {
			s.lists[k] = append(s.lists[k], e)
		}
	}
	var each func(lit string)
	each = func(lit string) {
		if len(lit) >= 4 {
			put(fold4(lit, 0))
			return
		}
		for b := range 256 {
			if e.mayFollow(byte(b)) {
				each(lit + string([]byte{byte(b)}))
			}
		}
	}
	if e.heads != nil {
		for _, h := range e.heads {
			each(h)
		}
		return
	}
	each(e.lit)
}

// mayFollow reports whether b may come after the literal in a find. The tighter it
// is, the emptier the filter stays.
func (e *entry) mayFollow(b byte) bool {
	last := e.lit[len(e.lit)-1]
	switch {
	case !e.fold:
		return e.rule.Body == nil && b != ' ' && b < 0x80 || e.rule.Body != nil && e.rule.Body.has(b)
	case isAlnum(last):
		return !isWord(b) // a whole word
	default:
		return (b > ' ' || last != ' ' && b == ' ') && (b < 0x80 || b >= 0xC2)
	}
}

// has reports whether some entry may begin at text[i]. It may be wrong, rarely,
// when it says yes.
func (s *starts) has(text string, i int) bool {
	h := hash4(fold4(text, i))
	return s.filter[h>>6]&(1<<(h&63)) != 0
}

// at returns the entries that may begin at text[i].
func (s *starts) at(text string, i int) []*entry {
	if k := s.buckets[hash4(fold4(text, i))]; k > 0 {
		return s.lists[k-1]
	}
	return nil
}

// matches reports whether the entry's literal begins at text[i].
func (e *entry) matches(text string, i int) bool {
	if len(text)-i < len(e.lit) {
		return false
	}
	s := text[i : i+len(e.lit)]
	return s == e.lit || e.fold && equalFold(s, e.lit)
}

// equalFold compares s with a lower-case literal, folding ASCII only.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if isUpper(c) {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
