package detect

import "strings"

// maxField is the longest value read after a key, maxWord the longest of one word without
// quotes, maxKey the longest key before one.
const (
	maxField = 2048
	maxLong  = 16 << 10 // of a machine-made word
	maxKey   = 56
	maxWord  = 512
)

// field is a value that stands under a key.
type field struct {
	start, end int  // of the value, quotes left out
	quoted     bool // in quotes, or the whole text
	sep        byte // ':', '=', '>' of an element, ' ' after "is" or a flag, 0 for a whole text
	keyQuoted  bool
	prose      bool // the key is words of a sentence
	label      bool // the key is all of its line before the separator
	tight      bool // nothing stands between key, separator and value
}

// whole tries the text itself as the value of the Key it stands under.
func (c *scan) whole() {
	if len(c.key.named) == 0 || len(c.text) > maxField {
		return
	}
	start, end := trim(c.text, 0, len(c.text))
	if start == end {
		return
	}
	c.f = field{start: start, end: end, quoted: true}
	c.fieldRules(c.key.named, &c.f)
}

// fieldRules offers a field to the rules that its name named.
func (c *scan) fieldRules(named []*rule, f *field) {
	for _, r := range named {
		if r == nil { // a name that only looks like one of ours
			return
		}
		if start, end, ok := r.Shape(c, f); ok && start < end && !strings.Contains(c.text[start:end], tokenOpen) {
			c.add(r, start, end)
			return
		}
	}
}

// trim drops space around text[start:end].
func trim(text string, start, end int) (int, int) {
	for start < end && isSpace(text[start]) {
		start++
	}
	for end > start && isSpace(text[end-1]) {
		end--
	}
	return start, end
}

// separator handles ':', '=' and '>' at text[p]: the word before may be a key.
func (c *scan) separator(p int) {
	text := c.text
	if p == 0 {
		return
	}
	sep := text[p]
	if sep == ':' && p+2 < len(text) && text[p+1] == '/' && text[p+2] == '/' {
		c.url(p)
		return
	}
	if sep == ':' && p+1 < len(text) && (isHex(text[p-1]) || text[p-1] == ' ') && (text[p+1] == ':' || isHex(text[p+1])) {
		c.ipv6(p)
	}
	if sep == ':' && clock(text, p) {
		return
	}
	if sep == ':' && p+5 < len(text) && (isDigit(text[p+1]) || text[p+1] == '*') {
		q := p + 2
		for q < len(text) && q < p+7 && isDigit(text[q]) {
			q++
		}
		if q < len(text) && text[q] == ':' && (q >= p+5 || text[p+1] == '*') {
			c.pgpass(p, q)
		}
	}
	e := p
	if sep == '>' && isQuote(text[e-1]) {
		c.element(p)
	}
	switch text[e-1] {
	case ':', '.', '+', '?': // ":=", ".=", "+=", "?="
		if sep != '=' {
			return
		}
		for k := 0; k < 4 && e > 0 && strings.IndexByte(":.+?", text[e-1]) >= 0; k++ {
			e--
		}
	case '=', '!': // "=>", "==", "!="
		if p+1 < len(text) && text[p+1] == '=' || text[e-1] == '!' && sep == '>' {
			return
		}
		for k := 0; k < 2 && e > 0 && (text[e-1] == '=' || text[e-1] == '!'); k++ {
			e--
		}
	case '<', '>':
		return
	case '-':
		return
	}
	if p+1 < len(text) && sep == '=' && (text[p+1] == '=' || text[p+1] == '>') {
		return
	}
	for k := 0; k < 3 && e > 0 && isBlank(text[e-1]); k++ {
		e--
	}
	if e > 1 && text[e-1] == ']' && isQuote(text[e-2]) {
		e--
	}
	if sep == '=' && e > 6 && text[e-1] == '}' { // "public string Token { get; set; } ="
		if k := strings.LastIndexByte(text[max(0, e-32):e], '{'); k >= 0 {
			for e = max(0, e-32) + k; e > 0 && isSpace(text[e-1]); e-- {
			}
			if e == 0 {
				return
			}
		}
	}
	for k := 0; k < 2 && e > 0 && (text[e-1] == '*' || text[e-1] == '_'); k++ {
		e--
	}
	quoted := false
	if e > 0 && isQuote(text[e-1]) {
		quoted = true
		for e--; e > 0 && text[e-1] == '\\'; {
			e--
		}
	}
	if e > 1 && !quoted && (text[e-1] == '#' || text[e-1] == '.') { // "DL#:", "no. ="
		e--
	}
	if e > 0 && !c.s.keys.may(text, e) && sep == ':' && !quoted {
		e = beforeName(text, e)
	}
	if e == 0 || !c.s.keys.may(text, e) {
		return
	}
	if c.s.keys.unknown(text, e) {
		return
	}
	c.f = field{sep: sep, keyQuoted: quoted}
	c.f.tight = e == p && p+1 < len(text) && !isBlank(text[p+1])
	if !c.keyBefore(e, &c.f) && !c.pairName(e, &c.f) {
		return
	}
	v := p + 1
	if sep == ':' && v < len(text) && text[v] == '=' {
		v++
	}
	c.valueAfter(v, &c.f)
}

// clock reports whether the colon at text[p] divides the hours, minutes and seconds of a
// time: "T10:05:00", " 9:30".
func clock(text string, p int) bool {
	if p+2 >= len(text) || !isDigit(text[p-1]) || !isDigit(text[p+1]) || !isDigit(text[p+2]) || p+3 < len(text) && isDigit(text[p+3]) {
		return false
	}
	i := p - 1
	if i > 0 && isDigit(text[i-1]) {
		i--
	}
	return i == 0 || !isWord(text[i-1]) && text[i-1] != '-' || text[i-1] == 'T' && i > 1 && isDigit(text[i-2])
}

// keyBefore reads the key that ends before text[e] and looks it up. It leaves the
// rules in c.named.
func (c *scan) keyBefore(e int, f *field) bool {
	text := c.text
	i, limit := e, max(0, e-maxKey)
	spaces := 0
loop:
	for i > limit {
		b := text[i-1]
		switch {
		case isWord(b) || b == '-':
		case b == '.':
			if i < e && isBlank(text[i]) && !abbreviated(text, i-1) {
				break loop
			}
		case b == ' ' && f.sep == '=' && f.tight && !f.keyQuoted: // "export NAME=value"
			break loop
		case b == ' ', b == '\'' && !f.keyQuoted && i > 1 && isWord(text[i-2]) && isWord(text[i]), b == '(', b == ')', b == '/', b == '#':
			if b == ' ' && i < e {
				spaces++
			}
		case b == '\\':
			if i < e && (text[i] == 'n' || text[i] == 't' || text[i] == 'r') {
				i++
			}
			break loop
		default:
			break loop
		}
		i--
	}
	for i < e && text[i] == ' ' { // indentation
		i++
		spaces--
	}
	if i >= e {
		return false
	}
	// What looks like a key may be the end of a quoted string: {title:"Password:",x:"y"}.
	if i > 0 && !f.keyQuoted && isQuote(text[i-1]) && f.sep != ' ' {
		k := e
		for k < len(text) && k-e < 4 && (text[k] == ' ' || text[k] == ':' || text[k] == '=') {
			k++
		}
		if k > e && k < len(text) && text[k] == text[i-1] {
			return false
		}
	}
	if f.sep == '>' && (i == 0 || text[i-1] != '<') && text[max(0, e-1)] != '=' {
		// "=>" of a hash, or an XML element; otherwise a comparison.
		if k := e; !(k < len(text) && strings.HasPrefix(strings.TrimLeft(text[k:min(len(text), k+6)], "\"'` "), "=>")) {
			return false
		}
	}
	f.prose = spaces > 0 && !f.keyQuoted && !(f.tight && f.sep == ':')
	f.label = f.sep == ':' && !f.keyQuoted && spaces <= 2 && !isDigit(text[i]) && isWord(text[i]) && lineStart(text, i)
	if strings.HasPrefix(text[i:e], "-D") { // of java
		i += 2
	}
	if f.prose {
		e = i + len(withoutClause(text[i:e]))
	}
	words, named := c.names.get(c.s, text[i:e])
	c.name, c.named = append(c.name[:0], words...), append(c.named[:0], named...)
	return len(c.named) > 0
}

// valueAfter reads the value that begins at or after text[v] and offers it.
func (c *scan) valueAfter(v int, f *field) {
	text := c.text
	n := len(text)
	limit := min(n, v+24)
	for v < limit && (isBlank(text[v]) || text[v] == '*' || f.sep == '>' && isSpace(text[v])) {
		v++
	}
	if f.sep == ' ' && v < limit && text[v] == '(' {
		v++
	}
	// "name: str = value" and "key => value"
	if f.sep == ':' {
		k := v
		for k < min(n, v+28) && (isWord(text[k]) || strings.IndexByte("[]|.&'<>?", text[k]) >= 0 || text[k] == ' ' && text[v] == '&') {
			k++
		}
		if k > v+1 && text[k-1] == ' ' { // "&str = "
			k--
		}
		if k > v && k+3 < n && text[k] == ' ' && text[k+1] == '=' && text[k+2] == ' ' {
			v = k + 3
		}
	}
	if v+1 < n && strings.IndexByte("bBfFrRuUN@", text[v]) >= 0 && isQuote(text[v+1]) {
		v++
	}
	if v < n && text[v] == '[' && v+1 < n && (isQuote(text[v+1]) || text[v+1] == '\\') {
		v++
	}
	if v >= n {
		return
	}
	if isLetter(text[v]) {
		v = fallback(text, v)
	}
	q := v
	for q < n && text[q] == '\\' {
		q++
	}
	if q < n && isQuote(text[q]) && !(q > v && text[q] != '"') {
		f.start, f.quoted = q+1, true
		f.end = c.closing(q+1, text[q], q-v)
	} else {
		f.start = v
		f.end = c.bareEnd(v, f)
		if text[v-1] == '*' {
			// Emphasis ends with the value.
			if k := strings.IndexByte(text[v:min(f.end, v+256)], '*'); k > 0 {
				f.end = v + k
			}
		}
	}
	if f.sep == '=' && f.quoted {
		f.prose = false // "string token = ..."
	}
	if f.start < f.end {
		c.fieldRules(c.named, f)
	}
}
