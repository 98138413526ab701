package audit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// A form is what of a text counts when a value is looked for in it. Every form reads escapes (percent, \u, \x, HTML
// entities), full-width signs and other scripts' digits as what they stand for, and zero-width signs as nothing.
// A value and the text around its copy are read in the same form, so equal readings are equal values.
type form uint8

const (
	caseless form = 1 << iota // letters have no case
	squeezed                  // letters and digits only
	worded                    // white space of any kind and length is one space; else a line break is nothing
	base64ed                  // the letters of base64, both alphabets one
	anywhere                  // also inside a longer word: an encoded run has no words

	exact form = 0
)

// encoded reports whether f reads hex or base64, in which nothing is escaped.
func (f form) encoded() bool { return f&base64ed != 0 || f&(caseless|anywhere) == caseless|anywhere }

// What next returns for a sign that is no part of a reading.
const skip rune = -1

// maxSkips is how many signs in a row may be nothing: what is further apart was not one value.
const maxSkips = 8

// rawByte marks a byte that is not UTF-8.
const rawByte = 0x110000

// next reads the sign at text[i]: the rune that counts, skip if none does, and the sign's length in bytes.
func (f form) next(text string, i int) (r rune, n int) {
	b := text[i]
	if f&base64ed != 0 {
		switch b {
		case '-':
			return '+', 1
		case '_':
			return '/', 1
		case '\n', '\r':
			return skip, 1
		}
		return rune(b), 1
	}
	r, n = rune(b), 1
	if special[b] {
		r, n = decode(text, i)
	}
	if r >= 0x80 {
		if f&caseless != 0 {
			r = unicode.ToLower(r)
		}
		if f&squeezed != 0 && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = skip
		}
		return r, n
	}
	switch {
	case r < 0:
	case 'A' <= r && r <= 'Z':
		if f&caseless != 0 {
			r |= 0x20
		}
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
	case f&squeezed != 0:
		return skip, n
	case r == '\n' || r == '\r' || f&worded != 0 && (r == ' ' || r == '\t'):
		end := blanks(text, i+n)
		if f&worded != 0 {
			return ' ', end - i
		}
		return skip, end - i
	}
	return r, n
}

// blanks returns where the white space ends that begins at text[i].
func blanks(text string, i int) int {
	for i < len(text) {
		r, n := rune(text[i]), 1
		if special[text[i]] {
			r, n = decode(text, i)
		}
		if r != ' ' && r != '\t' && r != '\n' && r != '\r' {
			break
		}
		i += n
	}
	return i
}

// special are the bytes that may begin a sign which stands for another one.
var special = func() (t [256]bool) {
	for i := range t {
		t[i] = i >= 0x80 || i == '%' || i == '\\' || i == '&'
	}
	return t
}()

// decode reads an escape or a sign beyond ASCII at text[i].
func decode(text string, i int) (r rune, n int) {
	switch text[i] {
	case '%':
		r, n = percent(text, i)
	case '\\':
		r, n = backslash(text, i)
	case '&':
		r, n = entity(text, i)
	default:
		r, n = utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return rawByte | rune(text[i]), 1
		}
	}
	if r < 0x80 || r >= rawByte {
		return r, n
	}
	var buf [utf8.UTFMax]byte
	plain, _, unseen := detect.Fold(string(buf[:utf8.EncodeRune(buf[:], r)]), 0)
	if unseen {
		return skip, n
	}
	if plain != 0 {
		return rune(plain), n
	}
	return r, n
}

// percent reads "%41" or the "%C3%A9" of a longer rune.
func percent(text string, i int) (rune, int) {
	var buf [utf8.UTFMax]byte
	k := 0
	for k < len(buf) && i+3*k+2 < len(text) && text[i+3*k] == '%' {
		b, ok := hexByte(text[i+3*k+1:])
		if !ok {
			break
		}
		buf[k] = b
		if k++; b < 0x80 || utf8.FullRune(buf[:k]) {
			break
		}
	}
	switch {
	case k == 0:
		return '%', 1
	case buf[0] < 0x80:
		return rune(buf[0]), 3
	}
	if r, n := utf8.DecodeRune(buf[:k]); r != utf8.RuneError {
		return r, 3 * n
	}
	return rawByte | rune(buf[0]), 3
}

// maxBackslashes bounds how often a text may have been quoted in another one.
const maxBackslashes = 15

// backslash reads an escape of JSON or a programming language; text inside of text doubles its backslashes.
func backslash(text string, i int) (rune, int) {
	k := i + 1
	for k < len(text) && k-i < maxBackslashes && text[k] == '\\' {
		k++
	}
	if k == len(text) {
		return '\\', k - i
	}
	switch b := text[k]; b {
	case 'n':
		return '\n', k + 1 - i
	case 'r':
		return '\r', k + 1 - i
	case 't':
		return '\t', k + 1 - i
	case '"', '\'', '/':
		return rune(b), k + 1 - i
	case 'x':
		if k+2 < len(text) {
			if v, ok := hexByte(text[k+1:]); ok {
				return rune(v), k + 3 - i
			}
		}
	case 'u':
		if k+4 < len(text) {
			hi, ok := hexByte(text[k+1:])
			lo, ok2 := hexByte(text[k+3:])
			if r := rune(hi)<<8 | rune(lo); ok && ok2 && utf8.ValidRune(r) {
				return r, k + 5 - i
			}
		}
	}
	return '\\', k - i
}

var entities = [...]struct {
	name string
	r    rune
}{{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", ' '}, {"&shy;", 0xAD}}

// entity reads "&#65;", "&#x41;" or one of the names that HTML writers escape with.
func entity(text string, i int) (rune, int) {
	rest := text[i:min(len(text), i+12)]
	if len(rest) > 3 && rest[1] == '#' {
		k, base := 2, rune(10)
		if rest[2]|0x20 == 'x' {
			k, base = 3, 16
		}
		v := rune(0)
		for from := k; k < len(rest) && v < rawByte; k++ {
			d, ok := unhex(rest[k])
			if !ok || rune(d) >= base {
				if rest[k] == ';' && k > from && utf8.ValidRune(v) {
					return v, k + 1
				}
				break
			}
			v = v*base + rune(d)
		}
		return '&', 1
	}
	for _, e := range entities {
		if strings.HasPrefix(rest, e.name) {
			return e.r, len(e.name)
		}
	}
	return '&', 1
}

// nests reports whether the sign at text[i] may be or hold one that an escape of JSON hides, such as "\u0026#65;" and
// "&\u0023;".
func nests(text string, i int) bool {
	r, n := decode(text, i)
	if n >= maxBackslashes && text[i] == '\\' {
		return true
	}
	if r >= 0x80 || r < 0 || !special[r] || r == '\\' {
		return false
	}
	const reach = len("&#1114111;")
	rest := text[i+n : min(len(text), i+n+reach)]
	switch {
	case text[i] != '\\':
		if r == '%' {
			rest = rest[:min(len(rest), 2)]
		}
		return strings.Contains(rest, `\u`)
	case r == '%':
		return rest != "" && (rest[0] == '\\' || hexDigit(rest[0]))
	}
	return strings.ContainsAny(rest, `;\`)
}

func hexDigit(b byte) bool {
	_, ok := unhex(b)
	return ok
}

func hexByte(s string) (byte, bool) {
	hi, ok := unhex(s[0])
	lo, ok2 := unhex(s[1])
	return hi<<4 | lo, ok && ok2
}

func unhex(b byte) (byte, bool) {
	switch {
	case '0' <= b && b <= '9':
		return b - '0', true
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return b | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// Shortest values in each form. Less than these and what looks like a copy is chance: six digits in groups are a date
// or a time, and a word in another case is that word.
const (
	minDigits    = 9  // digits that may be grouped in any way
	minMixed     = 8  // letters and digits, four of them digits, that may be grouped in any way
	minHex       = 16 // hex digits that may change their case
	minCaseless  = 10 // letters alone that may change their case
	minLowerName = 13 // a name all in lower case: "will grant" and "mark price" are talk
)

// formOf is how a value of a data type is looked for.
//
// Numbers assigned to somebody keep their meaning in any grouping. Addresses of all kinds have no case. Names have,
// since most given names are words too, but may be shouted. A credential is what it is, to the byte, unless it is hex.
func formOf(m detect.Match, value string) form {
	var letters, digits, hex, other, high int
	blank := false
	for i := range len(value) {
		b := value[i]
		switch _, h := unhex(b); {
		case '0' <= b && b <= '9':
			digits++
			hex++
		case 'a' <= b|0x20 && b|0x20 <= 'z':
			letters++
			if h {
				hex++
			}
		case b >= 0x80:
			high++
		default:
			other++
			blank = blank || b == ' ' || b == '\t' || b == '\n'
		}
	}
	f := exact
	if blank {
		f = worded
	}
	switch m.ID.Family() {
	case agentrisk.FamilyIDNumber:
		if digits >= minDigits || digits >= 4 && letters > 0 && digits+letters >= minMixed {
			return caseless | squeezed
		}
	case agentrisk.FamilyCredential:
		if hex >= minHex && hex == letters+digits && high == 0 {
			return f | caseless
		}
	case agentrisk.FamilyContact:
		if m.Type == "phone_number" && digits >= minDigits {
			return caseless | squeezed
		}
		if digits+other > 0 || letters+high >= minCaseless {
			return f | caseless
		}
	case agentrisk.FamilyNetwork:
		return f | caseless
	case agentrisk.FamilyPerson:
		if m.Type == "person_name" && blank {
			return f | caseless
		}
	}
	return f
}

// scripts without spaces between words begin here.
const noSpaces = 0x2E80

// wordClass is 0 for what ends a word, 1 for letters and digits, 2 for those of scripts without spaces. Two neighbours
// of one class are one word.
func wordClass(r rune) int {
	switch {
	case r < 0:
		return 0
	case r < 0x80:
		if wordByte(byte(r)) {
			return 1
		}
		return 0
	case r >= rawByte:
		return 1
	case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
		return 0
	case r >= noSpaces:
		return 2
	}
	return 1
}

// wordByte reports whether b continues a word of ASCII.
func wordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// classBefore is the wordClass of the sign that ends at text[i].
func classBefore(text string, i int) int {
	if i == 0 {
		return 0
	}
	b := text[i-1]
	if b >= 0x80 {
		_, n := utf8.DecodeLastRuneInString(text[:i])
		r, _ := decode(text, i-n)
		return wordClass(r)
	}
	if wordByte(b) {
		// The end of an escape is no letter: "%20", "\u0020", "\n".
		for _, n := range [...]int{2, 3, 4, 6} {
			if i >= n && (text[i-n] == '%' || text[i-n] == '\\') {
				if r, size := decode(text, i-n); size == n {
					return wordClass(r)
				}
			}
		}
	}
	return wordClass(rune(b))
}
