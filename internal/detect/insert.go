package detect

import "strings"

// insert handles "VALUES" at text[i:end] of an INSERT statement: the names before it,
// in brackets, are the columns of the tuples after it. It returns where to go on.
func (c *scan) insert(i, end int) int {
	text, t := c.text, &c.table
	if c.inCell || i < 4 {
		return end
	}
	k := i
	for k > 0 && isSpace(text[k-1]) {
		k--
	}
	if k == 0 || text[k-1] != ')' {
		return end
	}
	open := strings.LastIndexByte(text[max(0, k-1024):k], '(')
	if open < 0 {
		return end
	}
	open += max(0, k-1024)
	t.delim = ','
	if !c.header(text[open+1 : k-1]) {
		return end
	}
	d := c.child()
	d.inCell = true
	t.name(c.s)
	defer c.release(d)
	at := end
	for {
		for at < len(text) && (isSpace(text[at]) || text[at] == ',') {
			at++
		}
		if at >= len(text) || text[at] != '(' {
			return end
		}
		stop := tupleEnd(text, at+1)
		t.row = sqlCells(t.row[:0], text, at+1, stop)
		if len(t.row) != len(t.cols) || stop >= len(text) {
			return end
		}
		for n, x := range t.row {
			if x[0] < x[1] {
				c.cell(d, &t.said[n], x[0], x[1])
			}
		}
		at = stop + 1
		end = at
	}
}

// tupleEnd returns where the tuple whose first value is at text[k] is closed, at most
// maxRow bytes on.
func tupleEnd(text string, k int) int {
	quoted := false
	for stop := min(len(text), k+maxRow); k < stop; k++ {
		switch text[k] {
		case '\'':
			quoted = !quoted
		case ')':
			if !quoted {
				return k
			}
		}
	}
	return len(text)
}

// sqlCells appends the places of the values of text[k:stop], without quotes.
func sqlCells(dst [][2]int, text string, k, stop int) [][2]int {
	for start, quoted := k, false; k <= stop && k < len(text); k++ {
		if k < stop && text[k] == '\'' {
			quoted = !quoted
		}
		if k < stop && (quoted || text[k] != ',') {
			continue
		}
		a, b := trim(text, start, k)
		for a < b && (isQuote(text[a]) || text[a] == '\\') {
			a++
		}
		for b > a && (isQuote(text[b-1]) || text[b-1] == '\\') {
			b--
		}
		dst = append(dst, [2]int{a, b})
		start = k + 1
	}
	return dst
}
