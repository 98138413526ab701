package mapping

import (
	"strings"
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
// without a letter or digit is 0: it is nobody's message.
func (h hasher) text(s string) uint64 {
	x := h.seed ^ 14695981039346656037
	space, any := false, false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
				space = any
				continue
			}
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
		} else {
			r, n := utf8.DecodeRuneInString(s[i:])
			if unicode.IsSpace(r) {
				i += n
				space = any
				continue
			}
			i++ // byte by byte: case of letters outside ASCII is left as it is
		}
		if space {
			x, space = (x^' ')*prime64, false
		}
		any = true
		x = (x ^ uint64(c)) * prime64
	}
	if !any {
		return 0
	}
	return finish(x)
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

// pieces hashes the sentences and lines of s, at most max of them, so that "a piece of the user's text" (R3) can be
// told without keeping the text. A text of one piece is that piece.
func (h hasher) pieces(dst []uint64, s string, max int) []uint64 {
	for len(s) > 0 && max > 0 {
		i := strings.IndexAny(s, "\n.!?;")
		for i >= 0 && i+1 < len(s) && s[i] != '\n' && s[i+1] != ' ' && s[i+1] != '\n' {
			j := strings.IndexAny(s[i+1:], "\n.!?;")
			if j < 0 {
				i = -1
				break
			}
			i += 1 + j
		}
		piece := s
		if i >= 0 {
			piece, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if x := h.text(piece); x != 0 {
			dst = append(dst, x)
			max--
		}
	}
	return dst
}
