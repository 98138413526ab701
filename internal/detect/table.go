package detect

import "strings"

// A table names its columns once, in a line above: a CSV header, or the first row
// of a markdown table. Each cell below is read as a text under that name.

const (
	maxRow     = 4096
	maxColumns = 64
)

// table is the header of a table.
type table struct {
	delim byte
	brk   string   // what ends a row: a line break, or one in escaped form
	cols  [][2]int // words of each column's name in words
	words []byte
	row   [][2]int   // cells of the row at hand
	said  []keyWords // what each column's name says
	// upright says that the first cell of a row names the second.
	upright bool
}

// name reads the names of the columns for the cells below them.
func (t *table) name(s *Scanner) {
	for len(t.said) < len(t.cols) {
		t.said = append(t.said, keyWords{})
	}
	for i, x := range t.cols {
		t.said[i].set(s, t.words[x[0]:x[1]])
	}
}

// lineBreak is called for the line break text[p:q]; when the line before it is the
// header of a table, it reads the rows. It returns where to go on.
func (c *scan) lineBreak(p, q int) int {
	start := c.line
	c.line = q
	if p > 0 && tokenBody.has(c.text[p-1]) {
		c.wrapped(p, q)
	}
	if p-start < 5 || p-start > 800 || c.depth > 0 && c.inCell {
		return q
	}
	line := c.text[start:p]
	t := &c.table
	t.brk = c.text[p:q]
	if len(t.brk) > 1 {
		// Inside a JSON string the header begins after the quote.
		if k := strings.LastIndexByte(line, '"'); k >= 0 {
			start, line = start+k+1, line[k+1:]
		}
	}
	line = strings.TrimRight(line, " \r")
	t.delim = delimiter(line)
	if t.delim == 0 {
		return q
	}
	if !c.header(line) {
		// "| field | value |": the first cell of each row names the second.
		if len(t.row) != 2 || len(t.cols) != 2 || t.delim != '|' && !isContentName(line[t.row[1][0]:t.row[1][1]]) {
			return q
		}
		t.upright = true
	}
	at := q
	if t.delim == '|' {
		n := c.rowEnd(at)
		if !ruleLine(c.text[at:n]) {
			return q
		}
		at = min(len(c.text), n+len(t.brk))
	}
	return c.rows(at, q)
}

// delimiter tells what divides the cells of a header line, 0 when it is none.
func delimiter(line string) byte {
	if strings.IndexByte(line, '|') >= 0 {
		return '|'
	}
	for _, b := range []byte(",;\t") {
		if k := strings.IndexByte(line, b); k > 0 {
			if !columnName(line[:k]) {
				return 0
			}
			return b
		}
	}
	return 0
}

// columnName reports whether v may name a column: a few words, no sentence.
func columnName(v string) bool {
	v = strings.Trim(v, " \"'`*")
	if v == "" || len(v) > 40 || strings.Count(v, " ") > 4 {
		return v == ""
	}
	for i := range len(v) {
		if b := v[i]; !isWord(b) && b != ' ' && b != '-' && b != '.' && b != '(' && b != ')' && b != '#' && b != '/' && b != '\'' {
			return false
		}
	}
	return !isDigit(v[0])
}

// header splits line into names of columns. It wants two or more, and one that says
// what stands under it.
func (c *scan) header(line string) bool {
	t := &c.table
	t.row = cells(t.row[:0], line, 0, t.delim)
	if len(t.row) < 2 || len(t.row) > maxColumns {
		return false
	}
	t.cols, t.words, t.upright = t.cols[:0], t.words[:0], false
	known := false
	for _, x := range t.row {
		name := line[x[0]:x[1]]
		if name == "" && t.delim != '|' || !columnName(name) {
			return false
		}
		from := len(t.words)
		if !isContentName(name) {
			c.name = appendWords(c.name[:0], name)
			t.words = append(t.words, c.name...)
			if !known {
				c.named = c.s.keys.find(c.named[:0], c.name)
				c.s.ctx.read(&c.found, c.name[:min(len(c.name), 250)])
				c.wordsAt = 0
				known = len(c.named) > 0 || len(c.found.hit) > 0
			}
		}
		t.cols = append(t.cols, [2]int{from, len(t.words)})
	}
	return known
}

// rows scans the cells of the rows that begin at text[at]. It returns where the
// table ends, or q when no row has as many cells as there are columns.
func (c *scan) rows(at, q int) int {
	t := &c.table
	text := c.text
	var d *scan
	for at < len(text) {
		end := c.rowEnd(at)
		if end-at > maxRow {
			break
		}
		t.row = cells(t.row[:0], text[at:end], at, t.delim)
		if len(t.row) != len(t.cols) {
			break
		}
		if d == nil {
			d = c.child()
			d.inCell = true
			t.name(c.s)
		}
		if t.upright {
			t.words = t.words[:0]
			if name := text[t.row[0][0]:t.row[0][1]]; columnName(name) {
				t.words = appendWords(t.words, name)
			}
			t.said[1].set(c.s, t.words)
		}
		for i, x := range t.row {
			if x[0] < x[1] {
				c.cell(d, &t.said[i], x[0], x[1])
			}
		}
		q = end
		if !strings.HasPrefix(text[end:], t.brk) {
			break
		}
		at = end + len(t.brk)
		q = at
	}
	if d != nil {
		c.release(d)
	}
	c.line = q
	return q
}

// rowEnd returns where the row that begins at text[at] ends.
func (c *scan) rowEnd(at int) int {
	brk := c.table.brk
	rest := c.text[at:min(len(c.text), at+maxRow+2)]
	k := strings.Index(rest, brk)
	if k < 0 {
		k = len(rest)
	}
	if len(brk) > 1 {
		// The string that the table stands in may end first.
		if m := strings.IndexByte(rest[:k], '"'); m >= 0 && (m == 0 || rest[m-1] != '\\') {
			k = m
		}
	}
	for k > 0 && rest[k-1] == '\r' {
		k--
	}
	return at + k
}

// ruleLine reports whether line is the one below the header of a markdown table.
func ruleLine(line string) bool {
	return len(line) >= 3 && strings.Trim(line, "|-: \r") == "" && strings.Contains(line, "--")
}

// cells appends the places of the cells of line, which begins at off, without the
// space and quotes around them.
func cells(dst [][2]int, line string, off int, delim byte) [][2]int {
	if delim == '|' {
		s := strings.TrimSpace(line)
		lead := strings.Index(line, s)
		if strings.HasPrefix(s, "|") {
			s = s[1:]
			lead++
		}
		s = strings.TrimSuffix(s, "|")
		line, off = s, off+lead
	}
	for i := 0; i <= len(line) && len(dst) <= maxColumns; {
		var end int
		if delim != '|' && i < len(line) && line[i] == '"' {
			end = i + 1
			for end < len(line) && (line[end] != '"' || end+1 < len(line) && line[end+1] == '"') {
				if line[end] == '"' {
					end++
				}
				end++
			}
			end = min(end, len(line))
		} else {
			end = i
		}
		if k := strings.IndexByte(line[end:], delim); k >= 0 {
			end += k
		} else {
			end = len(line)
		}
		a, b := trim(line, i, end)
		for a < b && (isQuote(line[a]) || line[a] == '*') {
			a++
		}
		for b > a && (isQuote(line[b-1]) || line[b-1] == '*') {
			b--
		}
		dst = append(dst, [2]int{off + a, off + b})
		i = end + 1
	}
	return dst
}
