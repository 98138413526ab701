package mapping

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// A hasher makes the 64-bit hashes under which texts are compared. The seed keeps hashes of one key apart from those
// of another, so that a skeleton says nothing to who does not know it.
type hasher struct{ seed uint64 }

const prime64 = 1099511628211 // FNV-1a

// name hashes an identifier as it is.
func (h hasher) name(s string) uint64 {
	if s == "" {
		return 0
	}
	x := h.seed ^ 14695981039346656037
	for i := 0; i < len(s); i++ {
		x = (x ^ uint64(s[i])) * prime64
	}
	return finish(x)
}

// text hashes a text with letter case and white space evened out, since copies of one text differ in both. Text
// without anything else is 0: it is nobody's message.
func (h hasher) text(s string) uint64 {
	if len(s) < 32 && placeholders[s] {
		return 0
	}
	x := h.seed ^ 14695981039346656037
	var word uint64 // the last bytes, mixed in eight at a time
	n, space := 0, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			space = n > 0
			continue
		case c >= utf8.RuneSelf: // case of letters outside ASCII is left as it is
			if r, size := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
				space = n > 0
				i += size - 1
				continue
			}
		}
		if space {
			space = false
			word = word<<8 | ' '
			if n++; n&7 == 0 {
				x = mix(x, word)
			}
		}
		word = word<<8 | uint64(c)
		if n++; n&7 == 0 {
			x = mix(x, word)
		}
	}
	if n == 0 {
		return 0
	}
	return finish(mix(mix(x, word), uint64(n)))
}

// placeholders stand where content was left out (R13): two of them are not one text.
var placeholders = set("__REDACTED__", "<REDACTED>", "[REDACTED]", "<not serializable>", "<replaced>", "<elided>", "N/A", "None")

func mix(x, word uint64) uint64 {
	return bits.RotateLeft64(x^word*0x9e3779b97f4a7c15, 29) * 0xbf58476d1ce4e5b9
}

// finish spreads the bits (the finaliser of MurmurHash3) and keeps 0 for "no text".
func finish(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	if x == 0 {
		x = 1
	}
	return x
}

// pieces adds the hashes of the sentences and lines of s to a set, so that "a piece of the user's text" (R3) can be told
// without keeping the text. A text of one piece is that piece.
func (h hasher) pieces(dst *hashes, s string) {
	for n, start, i := 0, 0, 0; i <= len(s) && n < maxPieces; i++ {
		if i < len(s) && !ends[s[i]] || i+1 < len(s) && s[i] != '\n' && s[i+1] != ' ' && s[i+1] != '\n' {
			continue
		}
		if x := h.text(s[start:i]); x != 0 {
			dst.add(x)
			n++
		}
		start = i + 1
	}
}

// ends are the bytes that end a piece, before white space.
var ends = [256]bool{'\n': true, '.': true, '!': true, '?': true, ';': true}
