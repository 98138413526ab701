package leaf

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// decoded returns what the inside of a string token says, without copying where nothing is escaped. It is not ok if
// the Doc may decode no more.
func (d *Doc) decoded(raw string, escaped, high bool) (text string, ok bool) {
	size := len(raw)
	valid := !high || utf8.ValidString(raw)
	if !valid {
		size *= len(string(utf8.RuneError)) // each byte that is not UTF-8 becomes U+FFFD
	} else if !escaped {
		return raw, true
	}
	if size > d.decode {
		return "", false
	}
	d.decode -= size
	dst := d.text.room(size)
	for len(raw) > 0 {
		if raw[0] == '\\' {
			if c := raw[1]; c != 'u' {
				dst = append(dst, unescape[c])
				raw = raw[2:]
				continue
			}
			r, n := escape(raw)
			dst = utf8.AppendRune(dst, r)
			raw = raw[n:]
			continue
		}
		run := raw
		if i := strings.IndexByte(raw, '\\'); i > 0 {
			run = raw[:i]
		}
		raw = raw[len(run):]
		if valid {
			dst = append(dst, run...)
			continue
		}
		for _, r := range run {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return d.text.keep(dst), true
}

// A cursor goes through the inside of a string token and tells for offsets in the decoded text where they lie in the
// token. Offsets are asked in ascending order and lie between runes.
type cursor struct {
	raw     string
	at, dec int
}

func (c *cursor) seek(dec int) int {
	for c.dec < dec {
		b := c.raw[c.at]
		if b < utf8.RuneSelf && b != '\\' {
			c.at++
			c.dec++
			continue
		}
		if b == '\\' {
			r, n := escape(c.raw[c.at:])
			c.at += n
			c.dec += utf8.RuneLen(r)
			continue
		}
		r, n := utf8.DecodeRuneInString(c.raw[c.at:])
		c.at += n
		c.dec += utf8.RuneLen(r) // 3 for one byte that is not UTF-8
	}
	return c.at
}

// runes returns s as a JSON string can hold it: bytes that are not UTF-8 are U+FFFD each.
func runes(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// quotable returns s as it stands inside a JSON string. Only what must be escaped is.
func quotable(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }) {
		return s
	}
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(s)+len(s)/8+8)
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// maxExponent is the largest exponent that numbers are written out for.
const maxExponent = 40

// plainNumber writes a number token that has an exponent without it, if the exponent is small.
func (d *Doc) plainNumber(token string) string {
	e := strings.IndexAny(token, "eE")
	exp, err := strconv.Atoi(token[e+1:])
	if err != nil || exp < -maxExponent || exp > maxExponent || e > d.decode {
		return token
	}
	d.decode -= e
	mantissa, sign := token[:e], ""
	if mantissa[0] == '-' {
		mantissa, sign = mantissa[1:], "-"
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	point := len(whole) + exp // where the decimal point falls in whole followed by frac
	dst := append(d.text.room(len(token)+maxExponent+4), sign...)
	digit := func(i int) byte {
		switch {
		case i < 0 || i >= len(whole)+len(frac):
			return '0'
		case i < len(whole):
			return whole[i]
		}
		return frac[i-len(whole)]
	}
	first := 0
	for first < point-1 && digit(first) == '0' {
		first++
	}
	for i := min(first, point-1); i < max(point, len(whole)+len(frac)); i++ {
		if i == point {
			dst = append(dst, '.')
		}
		dst = append(dst, digit(i))
	}
	return d.text.keep(dst)
}
