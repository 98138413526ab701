package detect

import "strings"

// Where the value of a field ends.

// closing returns where the quoted value that begins at text[i] ends, before its
// closing quote and that one's backslashes. depth is the number of backslashes
// before the opening quote. A value that is cut off ends with its line.
func (c *scan) closing(i int, quote byte, depth int) int {
	text := c.text
	stop := min(len(text), i+maxField)
	for at := i; at < stop; {
		k := strings.IndexByte(text[at:stop], quote)
		if k < 0 {
			break
		}
		at += k
		slashes := 0
		for at-slashes > i && text[at-slashes-1] == '\\' {
			slashes++
		}
		if depth == 0 && slashes%2 == 0 || depth > 0 && slashes <= depth {
			return at - min(slashes, depth)
		}
		at++
	}
	if k := strings.IndexAny(text[i:stop], "\r\n"); k >= 0 {
		return i + k
	}
	return stop
}

// bareEnd returns where a value without quotes ends that begins at text[i]: at the
// end of its line, element or sentence. Shapes that want one word cut it further.
// What it read is remembered, so that a long line of keys is not read again for each.
func (c *scan) bareEnd(i int, f *field) int {
	text := c.text
	stop := min(len(text), i+maxField)
	if i >= c.bareFrom && i < c.bareTo && c.bareTag == (f.sep == '>') {
		if c.bareStops {
			return min(c.bareTo, stop)
		}
	} else {
		c.bareFrom, c.bareTo, c.bareTag = i, i, f.sep == '>'
	}
	k := c.bareTo
	for ; k < stop; k++ {
		b := text[k]
		if b != '"' && b != '\\' && b != '<' && b != '\n' && b != '\r' {
			continue
		}
		if b == '"' && k == i || b == '<' && f.sep != '>' && !(k+1 < len(text) && text[k+1] == '/') {
			continue
		}
		if b == '\\' && (k+1 == len(text) || strings.IndexByte("nrt\"\\", text[k+1]) < 0) {
			continue
		}
		break
	}
	c.bareTo, c.bareStops = k, k < stop
	return k
}

// oneWord cuts a bare value to its first word, without the punctuation around it.
func (c *scan) oneWord(f *field) (start, end int) {
	text := c.text
	start, end = f.start, f.end
	if f.quoted {
		return trim(text, start, end)
	}
	for start < end && (isSpace(text[start]) || isQuote(text[start]) || text[start] == '(') {
		start++
	}
	if strings.HasPrefix(text[start:end], "&quot;") {
		start += len("&quot;")
	}
	if hard := c.hardEnd(start, end); hard-start > maxWord && !c.wordSoft {
		// No word is that long, but tokens are.
		if start >= c.longTo {
			c.longTo = tokenBody.span(text, start, maxLong)
		}
		if c.longTo < start+maxWord {
			return start, start
		}
		return start, c.longTo
	}
	k := start
	end = min(end, start+maxWord)
	for k < end {
		b := text[k]
		if isSpace(b) || isQuote(b) || b == ',' || b == ';' || b == '|' || b == ')' && !strings.Contains(text[start:k], "(") ||
			b == '}' && !strings.Contains(text[start:k], "{") || b == ']' && !strings.Contains(text[start:k], "[") ||
			b == '&' && (f.sep == '=' && nextParam(text, k) || strings.HasPrefix(text[k:end], "&quot;")) || b == '<' && k > start {
			break
		}
		k++
	}
	if k == start+maxWord {
		// No word is that long, but tokens are.
		if start >= c.longTo {
			c.longTo = tokenBody.span(text, start, maxLong)
		}
		if c.longTo < k {
			return start, start
		}
		return start, c.longTo
	}
	for k > start && (text[k-1] == '.' || text[k-1] == ':' || text[k-1] == '?') {
		k--
	}
	return start, k
}

// hardEnd returns where the bare word at text[start] ends at the latest, before stop:
// at a space, a quote or a comma. c.wordSoft tells whether a bracket or '&' before may
// end it sooner. What was read is remembered for the next field in the same run.
func (c *scan) hardEnd(start, stop int) int {
	if start < c.wordFrom || start >= c.wordTo {
		c.wordFrom, c.wordTo, c.wordStops, c.wordSoft = start, start, false, false
	}
	for k := c.wordTo; k < stop && !c.wordStops; k++ {
		switch b := c.text[k]; b {
		case ' ', '\t', '\n', '\r', '"', '\'', '`', ',', ';', '|':
			c.wordStops = true
		case ')', '}', ']', '&', '<':
			c.wordSoft = true
		}
		if !c.wordStops {
			c.wordTo = k + 1
		}
	}
	return min(c.wordTo, stop)
}

// nextParam reports whether the '&' at text[k] begins another parameter: "&name=".
func nextParam(text string, k int) bool {
	for k++; k < len(text) && (isWord(text[k]) || text[k] == '-' || text[k] == '.' || text[k] == ';'); k++ {
	}
	return k >= len(text) || text[k] == '='
}
