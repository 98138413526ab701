package detect

// Encoded runs: percent escapes, HTML entities and \u escapes among plain bytes,
// and runs that are base64 or hex of a text. Each is read once, at its anchor.

// maxEncoded is the longest run that is decoded, as it stands in the text.
const maxEncoded = 16 << 10

// escapeAt decodes the escape at text[i]: "%41", "&#65;", "&#x41;" or "\u0041". n is
// its length, 0 for none.
func escapeAt(text string, i int) (b byte, n int) {
	rest := text[i:min(len(text), i+10)]
	switch rest[0] {
	case '%':
		if len(rest) >= 3 && isHex(rest[1]) && isHex(rest[2]) {
			return unhex(rest[1])<<4 | unhex(rest[2]), 3
		}
	case '\\':
		if len(rest) >= 6 && rest[1] == 'u' && rest[2] == '0' && rest[3] == '0' && isHex(rest[4]) && isHex(rest[5]) {
			return unhex(rest[4])<<4 | unhex(rest[5]), 6
		}
		if len(rest) >= 4 && rest[1] == 'x' && isHex(rest[2]) && isHex(rest[3]) {
			return unhex(rest[2])<<4 | unhex(rest[3]), 4
		}
	case '&':
		if len(rest) < 4 || rest[1] != '#' {
			return 0, 0
		}
		k, base := 2, 10
		if rest[2]|0x20 == 'x' {
			k, base = 3, 16
		}
		v, from := 0, k
		for k < len(rest) && isHex(rest[k]) && (base == 16 || isDigit(rest[k])) {
			v = v*base + int(unhex(rest[k]))
			k++
		}
		if k > from && k < len(rest) && rest[k] == ';' && v < 0x80 {
			return byte(v), k + 1
		}
	}
	return 0, 0
}

func unhex(b byte) byte {
	if isDigit(b) {
		return b - '0'
	}
	return b | 0x20 - 'a' + 10
}

// inRun are the bytes that stand for themselves in a run with escapes.
var inRun = chars("A-Za-z0-9._~+@:,/!$*-")

// escapes handles an escape at text[i].
func (c *scan) escapes(i int) {
	if i < c.decTo || c.depth >= maxDepth {
		return
	}
	_, n := escapeAt(c.text, i)
	if n == 0 {
		return
	}
	text, lead := c.text, c.text[i]
	start := i
	for start > c.decTo && i-start < 96 && inRun.has(text[start-1]) && text[start-1] != '/' && text[start-1] != ':' && text[start-1] != ',' {
		start--
	}
	if start > 0 && start < i && text[start-1] == '\\' {
		start++ // the letter of "\n"
	}
	d := &c.dec
	d.reset()
	escaped, k := 0, start
	for k < len(text) && k-start < maxEncoded {
		b := text[k]
		if b == lead {
			e, n := escapeAt(text, k)
			if n == 0 || e == 0 {
				break
			}
			d.put(e, k)
			escaped += n
			k += n
			continue
		}
		if !inRun.has(b) {
			// Entities leave spaces as they are.
			if b != ' ' || lead == '%' || k+1 >= len(text) || text[k+1] != lead && text[k-1] != ';' {
				break
			}
		}
		d.put(b, k)
		k++
	}
	c.decTo = k
	if k-start < 6 || len(d.b) < 4 {
		return
	}
	c.plain(c.before(start), escaped*4 >= (k-start)*3, k, nil)
}

// printable reports whether b may stand in a text of ASCII.
func printable(b byte) bool { return b >= 0x20 && b < 0x7f || b == '\n' || b == '\t' || b == '\r' }

// base64Value maps the letters of both alphabets to their values, -1 the rest.
var base64Value = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i, b := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[b] = int8(i)
	}
	t['-'], t['_'] = 62, 63
	return t
}()

// base64Run tries the run that begins with the word text[i:j] as base64 of a text.
// Since the text is ASCII, it begins with a letter of 'I' to 'f'.
func (c *scan) base64Run(i, j int) {
	text := c.text
	if text[i] < 'I' || text[i] > 'f' || c.depth >= maxDepth || i > 0 && base64Value[text[i-1]] >= 0 && text[i-1] != '/' && !escaped(text, i) {
		return
	}
	// Three bytes of each four letters; most words fail in the first.
	ok := func(k int) bool {
		a, b, x, y := base64Value[text[k]], base64Value[text[k+1]], base64Value[text[k+2]], base64Value[text[k+3]]
		if a|b|x|y < 0 {
			return false
		}
		return printable(byte(a<<2|b>>4)) && printable(byte(b<<4|x>>2)) && printable(byte(x<<6|y))
	}
	if i+12 > len(text) || !ok(i) || !ok(i+4) || !ok(i+8) {
		return
	}
	d := &c.dec
	d.reset()
	k := i
	var acc, bits uint32
	for k < len(text) && k-i < maxEncoded {
		v := base64Value[text[k]]
		if v < 0 {
			// Lines of base64 may be broken.
			n := breakLen(text, k)
			if n == 0 || k-i < 40 || k+n+4 > len(text) || bits != 0 || !ok(k+n) {
				break
			}
			k += n
			continue
		}
		acc = acc<<6 | uint32(v)
		if bits += 6; bits >= 8 {
			bits -= 8
			b := byte(acc >> bits)
			if !printable(b) && b < 0x80 {
				break
			}
			d.put(b, k-int(bits+7)/6)
		}
		k++
	}
	c.decTo = max(c.decTo, k)
	for k < len(text) && text[k] == '=' {
		k++
	}
	if len(d.b) < 10 || k < len(text) && base64Value[text[k]] >= 0 && k-i < maxEncoded {
		return
	}
	c.plain(c.before(i), true, k, nil)
}

// breakLen returns the length of the line break at text[k], plain or escaped.
func breakLen(text string, k int) int {
	switch rest := text[k:min(len(text), k+4)]; {
	case rest == "":
	case rest[0] == '\n':
		return 1
	case len(rest) > 1 && (rest[:2] == "\r\n" || rest[:2] == `\n`):
		return 2
	case rest == `\r\n`:
		return 4
	}
	return 0
}

// hexRun tries the word text[i:j] as hex of a text.
func (c *scan) hexRun(i, j int) {
	text := c.text
	if (j-i)%2 != 0 || j-i < 20 || j-i > maxEncoded || c.depth >= maxDepth || i < c.decTo {
		return
	}
	for k := i; k < j; k += 2 {
		if !isHex(text[k]) || !isHex(text[k+1]) || !printable(unhex(text[k])<<4|unhex(text[k+1])) {
			return
		}
	}
	d := &c.dec
	d.reset()
	for k := i; k < j; k += 2 {
		d.put(unhex(text[k])<<4|unhex(text[k+1]), k)
	}
	c.decTo = j
	c.plain(c.before(i), true, j, nil)
}
