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
	for i := 0; i < len(s); {
		if !space && i+8 < len(s) {
			if w, ok := evenWord(s, i); ok && (n > 0 || s[i] != ' ') {
				// Eight bytes at once, the first into the highest bits.
				if part := 8 * (n & 7); part == 0 {
					x = mix(x, w)
				} else {
					x = mix(x, word<<(64-part)|w>>part)
				}
				word = w
				n, i = n+8, i+8
				continue
			}
		}
		c, size := s[i], 1
		blank := c == ' ' || c == '\n' || c == '\t' || c == '\r'
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c >= utf8.RuneSelf: // case of letters outside ASCII is left as it is
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
				blank = true
			} else {
				size = 1
			}
		}
		i += size
		if blank {
			space = n > 0
			continue
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

// evenWord reads s[i:i+8], of which s[i+8] follows, in lower case. It is not ok where white space may have to be evened
// out: single spaces between words are even already.
func evenWord(s string, i int) (w uint64, ok bool) {
	const ones = 0x0101010101010101
	t := s[i : i+9]
	w = uint64(t[7]) | uint64(t[6])<<8 | uint64(t[5])<<16 | uint64(t[4])<<24 |
		uint64(t[3])<<32 | uint64(t[2])<<40 | uint64(t[1])<<48 | uint64(t[0])<<56
	if w&(0x80*ones) != 0 || t[7] == ' ' && (t[8] <= ' ' || t[8] >= utf8.RuneSelf) {
		return 0, false
	}
	// With the top bits clear, adding carries into them and nowhere else: over marks bytes from the value on.
	over := func(from uint64) uint64 { return (w + (0x80-from)*ones) & (0x80 * ones) }
	blank := ^over(' '+1) & (0x80 * ones) // with the next line: spaces
	if over(' ') != 0x80*ones || blank&(blank>>8) != 0 {
		return 0, false
	}
	upper := over('A') &^ over('Z'+1)
	return w | upper>>2, true
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
