package detect

// A piece of a text may have to be read as a text of its own: the cell of a table
// under the name of its column, or what an encoded run stands for. It is scanned by
// the same rules, and what they find is mapped back to the surface.

// maxDepth bounds pieces inside pieces.
const maxDepth = 2

// decoded is a stretch of the text in plain form. at[i] is where byte i begins on
// the surface; the last entry is where the stretch ends.
type decoded struct {
	b  []byte
	at []int32
}

func (d *decoded) reset() { d.b, d.at = d.b[:0], d.at[:0] }

func (d *decoded) put(b byte, at int) {
	d.b = append(d.b, b)
	d.at = append(d.at, int32(at))
}

// child returns a scan for a piece, to be given back with release.
func (c *scan) child() *scan {
	d := c.s.pool.Get().(*scan)
	d.s, d.depth, d.inCell, d.allow = c.s, c.depth+1, false, c.allow
	return d
}

func (c *scan) release(d *scan) {
	clear(d.cands)
	d.text, d.s, d.allow, d.cands = "", nil, nil, d.cands[:0]
	c.s.pool.Put(d)
}

// cell scans text[start:end] with child d as a text under a key that says this.
func (c *scan) cell(d *scan, said *keyWords, start, end int) {
	d.reset(c.text[start:end])
	d.key = said
	d.whole()
	d.pass()
	for _, x := range d.cands {
		x.start += start
		x.end += start
		c.cands = append(c.cands, x)
	}
}

// plain scans c.dec, the plain form of text that ends before text[end], and keeps
// what stands in another form there. blob says that the form is all or nothing, as
// base64 is: when there is little but one value inside, all of it is the value.
// accept, if not nil, has the last word.
func (c *scan) plain(words []byte, blob bool, end int, accept func(x *cand) bool) {
	c.dec.at = append(c.dec.at, int32(end))
	at := c.dec.at
	d := c.child()
	defer c.release(d)
	d.reset(string(c.dec.b))
	d.own.set(c.s, words)
	d.key = &d.own
	d.whole()
	d.pass()
	for i := range c.s.custom {
		c.s.custom[i].find(d)
	}
	found, n := d.winners()
	for _, x := range found {
		if x.rule == nil {
			continue
		}
		if x.val == "" {
			x.val = d.text[x.start:x.end]
		}
		all := blob && n == 1 && 2*(x.end-x.start) >= len(d.text)
		x.start, x.end = int(at[x.start]), int(at[x.end])
		if all {
			x.start, x.end = int(at[0]), end
		}
		if c.text[x.start:x.end] == x.val || accept != nil && !accept(&x) {
			continue // plain already
		}
		c.cands = append(c.cands, x)
	}
}
