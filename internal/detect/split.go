package detect

// Numbers and tokens that were taken apart: digits in groups no notation has, and
// words cut by the end of a line. They count only where a whole one would, and
// digits only where a word says what they are.

// maxSplit is the longest run of groups of digits that is read together.
const maxSplit = 48

// split reads the groups of digits that begin with text[i:j] as one number.
func (c *scan) split(i, j int) {
	text := c.text
	sep := text[j]
	if c.depth >= maxDepth || i < c.decTo || !leftBound(text, i) {
		return
	}
	if sep == '-' && j-i == 4 && isDateLike(text[i:min(len(text), i+10)]) {
		return
	}
	d := &c.dec
	d.reset()
	groups, run, k := 1, 0, i
	for k < len(text) && k-i < maxSplit {
		b := text[k]
		switch {
		case isDigit(b):
			if run++; run > 5 {
				return
			}
			d.put(b, k)
		case b == sep && k+1 < len(text) && isDigit(text[k+1]):
			groups++
			run = 0
		default:
			goto done
		}
		k++
	}
done:
	c.decTo = max(c.decTo, k)
	n := len(d.b)
	// A letter may close the number, as in a Spanish DNI.
	if l := k; n == 8 {
		if l < len(text) && text[l] == sep {
			l++
		}
		if l < len(text) && isUpper(text[l]) && (l+1 == len(text) || !isWord(text[l+1])) {
			d.put(text[l], l)
			k = l + 1
		}
	}
	if groups < 3 && len(d.b) == n || n < 8 || n > 19 || isDateLike(text[i:k]) || !rightBound(text, k) {
		return
	}
	end := k
	c.plain(c.before(i), false, end, func(x *cand) bool {
		// Only what has a check digit of its own.
		return x.rule.ctx != ctxNone && (x.rule.Valid != nil || x.rule.Numbers&numCard != 0) && c.near(x.rule, i, end)
	})
}

// wrapped looks at the line break text[p:q] for a token that goes on in the next line.
func (c *scan) wrapped(p, q int) {
	text := c.text
	if p < 8 || q+6 > len(text) || c.depth >= maxDepth || !isAlnum(text[q]) || !tokenBody.has(text[p-1]) {
		return
	}
	start := p
	for start > 0 && p-start < 160 && tokenBody.has(text[start-1]) {
		start--
	}
	end := tokenBody.span(text, q, 160)
	// Words of a sentence break here all the time; tokens have a digit in both parts,
	// or one and letters of both cases.
	a, b := text[start:p], text[q:end]
	if len(a) < 8 || len(b) < 6 || !hasDigit(a) && !hasDigit(b) || wordy(b) || len(b) > 8 && wordy(a) && !c.prefixed(start) {
		return
	}
	d := &c.dec
	d.reset()
	for k := start; k < p; k++ {
		d.put(text[k], k)
	}
	for k := q; k < end; k++ {
		d.put(text[k], k)
	}
	c.plain(c.before(start), false, end, func(x *cand) bool {
		return x.rule.Rank == rankVendor && x.start < p && x.end > q
	})
}

// prefixed reports whether a token of a published format may begin at text[i].
func (c *scan) prefixed(i int) bool { return c.s.starts.has(c.text, i) }
