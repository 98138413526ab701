package leaf

import (
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// This file reads the tokens of JSON (RFC 8259): strings, numbers, literals. Each function takes the text and the
// index of the token and returns the index behind it, -1 if there is none such.

const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

// scanString scans a string whose opening quote stands before i. It also tells whether the string holds escapes and
// whether it may hold bytes outside ASCII. Invalid UTF-8 is let through, as encoding/json does.
func scanString(s string, i int) (end int, escaped, high bool) {
	var seen uint64
	for {
		for ; i+8 <= len(s); i += 8 {
			w := word(s[i : i+8])
			seen |= w
			// In each term the lowest set bit marks the first byte that is a quote, a backslash or a control.
			// Borrows make false marks only above a true one.
			quote, slash := w^('"'*ones), w^('\\'*ones)
			hit := ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w) & tops
			if hit != 0 {
				i += bits.TrailingZeros64(hit) / 8
				break
			}
		}
		if i >= len(s) {
			return -1, false, false
		}
		switch c := s[i]; {
		case c == '"':
			return i + 1, escaped, seen&tops != 0
		case c == '\\':
			escaped = true
			// Most escapes are two bytes and plenty of them follow each other in nested JSON.
			for i+1 < len(s) && s[i] == '\\' && unescape[s[i+1]] != 0 {
				i += 2
			}
			if i < len(s) && s[i] == '\\' {
				if i = scanUnicode(s, i); i < 0 {
					return -1, false, false
				}
			}
		case c < ' ':
			return -1, false, false
		default:
			seen |= uint64(c)
			i++
		}
	}
}

// word loads eight bytes, the first into the lowest bits. The compiler makes it one instruction.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// unescape says what a backslash and the byte mean, 0 if nothing. The escape \u is not in it.
var unescape = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// scanUnicode scans \u and four hexadecimal digits.
func scanUnicode(s string, i int) int {
	if i+1 < len(s) && s[i+1] == 'u' && hex4(s, i+2) >= 0 {
		return i + 6
	}
	return -1
}

// hex4 reads four hexadecimal digits at i.
func hex4(s string, i int) rune {
	if i+4 > len(s) {
		return -1
	}
	var r rune
	for _, c := range []byte(s[i : i+4]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// escape decodes the escape at the start of raw, which scanString has accepted, and says how long it is. A surrogate
// pair is one escape; a surrogate alone stands for U+FFFD.
func escape(raw string) (rune, int) {
	if raw[1] != 'u' {
		return rune(unescape[raw[1]]), 2
	}
	r := hex4(raw, 2)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(raw, 8)); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// scanNumber also tells whether the number has an exponent.
func scanNumber(s string, i int) (end int, exponent bool) {
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case i < len(s) && s[i] == '0':
		i++
	default:
		if i = digits(s, i); i < 0 {
			return -1, false
		}
	}
	if i < len(s) && s[i] == '.' {
		if i = digits(s, i+1); i < 0 {
			return -1, false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return digits(s, i), true
	}
	return i, false
}

// digits scans one digit or more.
func digits(s string, i int) int {
	from := i
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	if i == from {
		return -1
	}
	return i
}

// literal returns the literal that starts with c, "" if none does.
func literal(c byte) string {
	switch c {
	case 't':
		return "true"
	case 'f':
		return "false"
	case 'n':
		return "null"
	}
	return ""
}

func scanLiteral(s string, i int) int {
	if lit := literal(s[i]); lit != "" && len(s)-i >= len(lit) && s[i:i+len(lit)] == lit {
		return i + len(lit)
	}
	return -1
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}
