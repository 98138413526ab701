package detect

import "strings"

// block handles "-----BEGIN" at text[i:]; j is where the word BEGIN stands. It
// returns where to go on.
func (c *scan) block(i, j int) int {
	text := c.text
	head := text[j:min(len(text), j+64)]
	k := strings.Index(head, "---")
	if k < 0 {
		return j
	}
	if !strings.Contains(head[:k], "PRIVATE KEY") || strings.Contains(head[:k], "PUBLIC") {
		return j
	}
	r := c.s.blockRule
	if r == nil {
		return j
	}
	body := j + k
	for body < len(text) && text[body] == '-' {
		body++
	}
	end := c.blockEnd(body)
	c.add(r, i, end)
	return end
}

// blockEnd finds the end of a key block whose body begins at text[body]: after its
// END line, or where it stops looking like a key when it was cut off.
func (c *scan) blockEnd(body int) int {
	text := c.text
	if body < c.noEnd {
		if k := strings.Index(text[body:], "-----END"); k < 0 {
			c.noEnd = body
		} else if tail := body + k + 8; !strings.Contains(text[body:body+k], "-----BEGIN") {
			if m := strings.Index(text[tail:min(len(text), tail+48)], "-----"); m >= 0 {
				return tail + m + 5
			}
			return min(len(text), tail)
		}
	}
	// Lines of base64 and headers, through escapes, quotes and concatenation.
	end, run, i := body, 0, body
	for i < len(text) {
		b := text[i]
		switch {
		case base64Std.has(b) || b == '-':
			run++
			end = i + 1
		case b == '\\' && i+1 < len(text):
			i++
			run = 0
		case isSpace(b):
			run = 0
			if b == ' ' && i+1 < len(text) && isLetter(text[i+1]) && !longRun(text, i+1) && !strings.HasSuffix(text[:i], ":") {
				return end
			}
		case b == ':' && run < 12, b == ',' && run < 12, b == '"', b == '\'', b == '.' && run == 0:
		default:
			return end
		}
		i++
	}
	return end
}

// longRun reports whether a run of base64 of 16 bytes or more begins at text[i].
func longRun(text string, i int) bool {
	return base64Std.span(text, i, 16)-i >= 16
}

// dash handles '-': a key block, a flag, or nothing.
func (c *scan) dash(i int) int {
	text := c.text
	if i+1 >= len(text) || text[i+1] != '-' {
		if i+1 < len(text) && (text[i+1] == 'u' || text[i+1] == 'p' || text[i+1] == 'a' || text[i+1] == 'w' || text[i+1] == 'P') {
			c.shortFlag(i)
		}
		if i > 0 && text[i-1] == ' ' && i+6 < len(text) && isLetter(text[i+1]) && isLetter(text[i+2]) && isLetter(text[i+3]) {
			c.flag(i - 1) // "-storepass x", "-Password x"
		}
		return i + 1
	}
	j := i + 2
	for j < len(text) && text[j] == '-' {
		j++
	}
	switch {
	case j-i == 2 && j < len(text) && isLetter(text[j]) && (i == 0 || !isWord(text[i-1])):
		c.flag(i)
		c.shortFlag(i)
	case j-i >= 4 && strings.HasPrefix(text[j:], "BEGIN"):
		return c.skip(j, c.block(i, j))
	}
	return j
}
