package detect

import "strings"

// pass is the one walk over the text. Runs of letters and digits are words; what a
// word or a byte may begin is decided by tables, and only then is more read.
func (c *scan) pass() {
	text := c.text
	n := len(text)
	for i := 0; i < n; {
		switch classes[text[i]] {
		case clPlain:
			i++
		case clLower, clUpper, clHigh:
			i = c.word(i)
		case clDigit:
			c.pos = i
			i = c.digits(i)
		case clAt:
			c.atSign(i)
			i++
		case clSep:
			c.separator(i)
			i++
		case clComma:
			c.argument(i)
			i++
		case clDash:
			i = c.dash(i)
		case clOpen:
			i = c.skip(i+1, c.bracket(i))
		case clEscape:
			i = c.escape(i)
		case clCode:
			if text[i] == '~' {
				c.tilde(i)
			} else {
				c.escapes(i)
			}
			i++
		case clBreak:
			i = c.skip(i+1, c.lineBreak(i, i+1))
		case clPlus, clParen:
			i = c.phoneOpen(i)
		}
	}
}

// scriptEnd returns where the word text[i:j] ends when it runs from a script without
// spaces, or from its punctuation, into letters or digits of ASCII.
func scriptEnd(text string, i, j int) int {
	for k := i; k+2 < j; k++ {
		if text[k] >= 0xE2 || text[k] == 0xC2 {
			for k < j && text[k] >= 0x80 {
				k++
			}
			return k
		}
	}
	return j
}

// escape steps over backslashes and the letter of "\n", "\t", "\r" or "\u00e9", so
// that it is not taken for the first letter of a word.
func (c *scan) escape(i int) int {
	open := i
	for i < len(c.text) && c.text[i] == '\\' {
		i++
	}
	if i < len(c.text) {
		switch c.text[i] {
		case 'n':
			return c.skip(i+1, c.lineBreak(open, i+1))
		case 't', 'r':
			return i + 1
		case 'x':
			if i-open == 1 {
				c.escapes(open)
			}
		case 'u':
			if i-open == 1 {
				c.escapes(open)
			}
			if i+5 <= len(c.text) && isHex(c.text[i+1]) && isHex(c.text[i+2]) && isHex(c.text[i+3]) && isHex(c.text[i+4]) {
				return i + 5
			}
		}
	}
	return i
}

// bracket reads a redaction token.
func (c *scan) bracket(i int) int {
	if strings.HasPrefix(c.text[i:], tokenOpen) {
		if t, end, ok := parseToken(c.text, i); ok {
			c.cands = append(c.cands, cand{start: i, end: end, tok: t, level: t.level})
			return end
		}
	}
	return i + 1
}

// word handles the word that begins at text[i] and returns where to go on.
func (c *scan) word(i int) int {
	s, text := c.s, c.text
	j, first := i+1, classes[text[i]]
	var rest uint8
	if i < c.runTo { // the rest of a run that was cut
		rest, j = clWord, c.runTo
	}
	for j < len(text) {
		k := classes[text[j]]
		if !inWord(k) {
			break
		}
		rest |= k
		j++
	}
	kinds := first | rest
	if kinds&clHigh != 0 && kinds != clHigh {
		c.runTo = j
		j = scriptEnd(text, i, j)
	}
	c.pos = i
	if k := wordKey(text, i, j); s.words.has(k) {
		info := s.words.at(k)
		if len(info.entries) > 0 {
			c.terms(info.entries, i)
		}
		if info.groups != 0 {
			c.see(info.groups, j)
		}
	}
	if s.starts.has(text, i) {
		c.terms(s.starts.at(text, i), i)
	}
	n := j - i
	if rest != clLower && rest|first != clUpper && n > 1 {
		// Several words in one, or letters that are folded.
		if kinds&clHigh != 0 {
			c.see(allGroups, j)
			c.fold(i, j)
		} else {
			c.see(s.words.partGroups(text, i, j), j)
		}
	}
	if first == clUpper && (kinds&(clDigit|clHigh) != 0 || n <= 2 || n == 8 || n == 11 || n <= 4 && j < len(text) && (text[j] == '-' || text[j] == ' ')) {
		c.lettered(i, j)
	}
	if n >= 5 && j < len(text) && text[j] == ' ' && (text[j-1]|0x20 == 'y' || text[j-1]|0x20 == 'n' || text[j-1]|0x20 == 't' || n > 8 && text[j-1]|0x20 == 'd') {
		c.glued(i, j)
	}
	if n >= 12 {
		c.longWord(i, j)
		if i >= c.decTo {
			c.base64Run(i, j)
		}
	}
	return c.skip(j, c.skipTo)
}

// skip returns the place to go on when text[from:to] was read in another way; its words
// may be context of anything.
func (c *scan) skip(from, to int) int {
	if to <= from {
		return from
	}
	c.see(allGroups, to)
	return to
}

// terms tries entries on the word that begins at text[i].
func (c *scan) terms(entries []*entry, i int) {
	for _, e := range entries {
		if !e.matches(c.text, i) {
			continue
		}
		r := e.rule
		if r == nil {
			if e.rows {
				c.skipTo = max(c.skipTo, c.insert(i, i+len("values")))
			}
			if e.noun && (i == 0 || !isLetter(c.text[i-1])) {
				c.noun(i, i+len(e.lit))
			}
			if e.verb && (i == 0 || !isWord(c.text[i-1])) {
				c.verb(i, i+len(e.lit))
			}
			continue
		}
		if r.Prefix != nil && !e.fold {
			if start, end, ok := c.vendor(r, e.lit, i); ok {
				c.add(r, start, end)
			}
			continue
		}
		// A term is a whole word.
		end := i + len(e.lit)
		last := e.lit[len(e.lit)-1]
		if i > 0 && (isWord(c.text[i-1]) && !escaped(c.text, i) || c.text[i-1] == '-') || isAlnum(last) && end < len(c.text) && isWord(c.text[end]) {
			continue
		}
		if start, end, ok := r.Recognise(c, r, i); ok {
			c.add(r, start, end)
		}
	}
}

// escaped reports whether the letter before text[i] belongs to an escape: "\nWord".
func escaped(text string, i int) bool {
	return i >= 2 && text[i-2] == '\\' && (text[i-1] == 'n' || text[i-1] == 't' || text[i-1] == 'r')
}

// vendor reads a token of a published format: prefix, then a run of body bytes.
func (c *scan) vendor(r *rule, prefix string, i int) (start, end int, ok bool) {
	text := c.text
	if i > 0 && len(prefix) < 6 && !escaped(text, i) {
		if b := text[i-1]; b == '-' || b == '_' || isAlnum(b) || b == '.' && i > 1 && isAlnum(text[i-2]) {
			return 0, 0, false
		}
	}
	if r.Recognise != nil {
		return r.Recognise(c, r, i)
	}
	body := i + len(prefix)
	end = r.Body.span(text, body, r.Max+1)
	// Sentence punctuation and padding dashes are not part of a token.
	for end > body && (text[end-1] == '.' || text[end-1] == '-') {
		end--
	}
	if n := end - body; n < r.Min || n > r.Max {
		return 0, 0, false
	}
	v := text[i:end]
	if isFiller(v[len(prefix):]) || r.Valid != nil && !r.Valid(v) {
		return 0, 0, false
	}
	return i, end, true
}

// isFiller reports whether the body of a token was typed to fill the space:
// "xxxxxxxx", "00000000", "your-token-here".
func isFiller(v string) bool {
	x := varietyOf(v)
	if x.distinct <= 3 && len(v) > 6 {
		return true
	}
	mask := 0
	for i := range len(v) {
		if v[i] == 'x' || v[i] == 'X' || v[i] == '*' {
			mask++
		}
	}
	if mask*2 > len(v) {
		return true
	}
	if sequential(v) {
		return true
	}
	l := strings.ToLower(v)
	return strings.Contains(l, "your") && wordy(v) || strings.HasSuffix(l, "here") && wordy(v)
}

// atSign tries the rules anchored at '@'.
func (c *scan) atSign(i int) {
	for _, r := range c.s.at {
		if start, end, ok := r.Recognise(c, r, i); ok {
			c.add(r, start, end)
		}
	}
}
