package detect

import "bytes"

// latin1 folds the second byte of U+00C0..U+00FF to the letters without accent.
var latin1 = [64]string{
	"a", "a", "a", "a", "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i",
	"d", "n", "o", "o", "o", "o", "o", " ", "o", "u", "u", "u", "u", "y", "th", "ss",
	"a", "a", "a", "a", "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i",
	"d", "n", "o", "o", "o", "o", "o", " ", "o", "u", "u", "u", "u", "y", "th", "y",
}

// appendWords appends the words of s to dst: lower case, without accents, each
// followed by one space, and a space in front of the first. camelCase, snake_case,
// kebab-case, dots and a change from letters to digits all separate words.
func appendWords(dst []byte, s string) []byte {
	if len(dst) == 0 {
		dst = append(dst, ' ')
	}
	gap := func() {
		if dst[len(dst)-1] != ' ' {
			dst = append(dst, ' ')
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isAlnum(c) && (i == 0 || !isAlnum(s[i-1])) {
			// "ZTW65MVS0" is an identifier and has no words in it.
			if n := opaque(s[i:]); n > 0 {
				for _, b := range []byte(s[i : i+n]) {
					if isUpper(b) {
						b |= 0x20
					}
					dst = append(dst, b)
				}
				i += n - 1
				continue
			}
		}
		switch {
		case isUpper(c):
			// "apiKey" and "IDNumber" split, "SSN" does not.
			if i > 0 && (isLower(s[i-1]) || isDigit(s[i-1]) ||
				isUpper(s[i-1]) && i+1 < len(s) && isLower(s[i+1])) {
				gap()
			}
			dst = append(dst, c|0x20)
		case isLower(c):
			if i > 0 && isDigit(s[i-1]) {
				gap()
			}
			dst = append(dst, c)
		case isDigit(c):
			if i > 0 && isLetter(s[i-1]) {
				gap()
			}
			dst = append(dst, c)
		case c == 0xC3 && i+1 < len(s) && s[i+1]&0xC0 == 0x80:
			i++
			dst = append(dst, latin1[s[i]&0x3F]...)
		case c == 0xC2 && i+1 < len(s): // signs and the non-breaking space
			i++
			gap()
		case c == 0xE2 && i+2 < len(s): // typographic punctuation
			i += 2
			gap()
		case c >= 0x80:
			dst = append(dst, c)
		case c == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 't' || s[i+1] == 'r'):
			i++
			gap()
		case c == '\'' && i+1 < len(s) && isLetter(s[i+1]): // the apostrophe of "l'assuré", "patient's"
			gap()
		default:
			gap()
		}
	}
	gap()
	return dst
}

// opaque returns the length of the run of letters and digits that s begins with, if letters and digits take turns in it
// three times or more; else 0.
func opaque(s string) int {
	turns, i := 0, 1
	for ; i < len(s) && isAlnum(s[i]); i++ {
		if isDigit(s[i]) != isDigit(s[i-1]) {
			turns++
		}
	}
	if turns < 3 {
		return 0
	}
	return i
}

// phrase is a phrase in the form that appendWords writes.
func phrase(s string) []byte { return appendWords(nil, s) }

// lastPhrase returns where the last of phrases ends in words, -1 for none.
func lastPhrase(words []byte, phrases [][]byte) int {
	at := -1
	for _, p := range phrases {
		if len(p) > len(words) {
			continue
		}
		if i := bytes.LastIndex(words, p); i >= 0 && i+len(p) > at {
			at = i + len(p)
		}
	}
	return at
}

// inSet reports whether w, folded to lower case, is in m, without allocating.
func inSet(m map[string]bool, w string) bool {
	var low [40]byte
	if len(w) > len(low) {
		return false
	}
	for i := range len(w) {
		b := w[i]
		if isUpper(b) {
			b |= 0x20
		}
		low[i] = b
	}
	return m[string(low[:len(w)])]
}
