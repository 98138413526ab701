package leaf

// nested reads n's text as JSON if it is; layer counts the JSON texts around its value, that one included.
func (d *Doc) nested(n *Node, layer int) {
	i := skipSpace(n.Text, 0)
	if i == len(n.Text) || n.Text[i] != '{' && n.Text[i] != '[' && n.Text[i] != '"' {
		return
	}
	if layer > d.limits.JSONInJSON {
		if d.valid(n.Text) {
			d.withhold(n, TooDeep)
		}
		return
	}
	nodes, withheld := d.nodes.n, d.withheld
	p := parser{doc: d, text: n.Text, at: i, layer: layer, cur: n}
	if p.parse() {
		n.JSON = true
		return
	}
	// What was read of a text that is no JSON, or too much of it, is forgotten.
	d.nodes.cut(nodes)
	d.withheld, n.First = withheld, nil
	if p.full && d.valid(n.Text) {
		d.withhold(n, TooLarge)
	}
}

// A parser reads one JSON text into nodes in one pass and without recursion, but for strings that are JSON again.
// Offsets fit the int32 of nodes by maxValueBytes.
type parser struct {
	doc   *Doc
	text  string
	at    int
	layer int
	depth int
	cur   *Node // the container being read; the node that holds the text when outside of any
	last  *Node // cur's last kid so far
	full  bool  // the Doc may hold no more nodes
}

func (p *parser) parse() bool {
	holder := p.cur
	if !p.value(nil) {
		return false
	}
	for p.cur != holder {
		// Between two tokens of the container cur: it was just opened if it has no last kid.
		c, ok := p.token()
		if !ok {
			return false
		}
		if c == closer(p.cur.Kind) {
			p.close()
			continue
		}
		if p.last != nil {
			if c != ',' {
				return false
			}
			p.at++
			if _, ok = p.token(); !ok {
				return false
			}
		}
		if p.cur.Kind == Object {
			ok = p.member()
		} else {
			ok = p.value(nil)
		}
		if !ok {
			return false
		}
	}
	return skipSpace(p.text, p.at) == len(p.text)
}

// token skips white space and returns the byte there.
func (p *parser) token() (byte, bool) {
	i := p.at
	for i < len(p.text) {
		c := p.text[i]
		if c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			p.at = i
			return c, true
		}
		i++
	}
	return 0, false
}

func closer(k Kind) byte {
	if k == Object {
		return '}'
	}
	return ']'
}

func (p *parser) close() {
	p.at++
	p.cur.rawEnd = int32(p.at)
	p.last, p.cur = p.cur, p.cur.Parent
	p.depth--
}

// member reads a name, the colon and the value, or the opening of it.
func (p *parser) member() bool {
	if p.text[p.at] != '"' {
		return false
	}
	start := p.at
	end, escaped, high := scanString(p.text, start+1)
	if end < 0 {
		return false
	}
	name, ok := p.doc.decoded(p.text[start+1:end-1], escaped, high)
	if !ok {
		p.full = true
		return false
	}
	p.at = end
	c, ok := p.token()
	if !ok || c != ':' {
		return false
	}
	p.at++
	if _, ok = p.token(); !ok {
		return false
	}
	return p.value(&member{name, start, end})
}

// A member is the name of an object's member and where its token stands.
type member struct {
	name       string
	start, end int
}

// value reads the value at p.at and appends it to cur. Of a container it reads only the opening.
func (p *parser) value(m *member) bool {
	d := p.doc
	if d.nodes.n >= d.limits.Nodes {
		p.full = true
		return false
	}
	n := d.kid(p.cur, p.last)
	n.rawStart = int32(p.at)
	if m != nil {
		n.Name, n.nameStart, n.nameEnd = m.name, int32(m.start), int32(m.end)
	}
	end := -1
	switch c := p.text[p.at]; c {
	case '{', '[':
		n.Kind = Array
		if c == '{' {
			n.Kind = Object
		}
		if p.depth < d.limits.Containers {
			p.depth++
			p.at++
			p.cur, p.last = n, nil
			return true
		}
		if end = d.skip(p.text, p.at); end >= 0 {
			d.withhold(n, TooDeep)
		}
	case '"':
		end = p.string(n)
	case 't', 'f', 'n':
		if end = scanLiteral(p.text, p.at); end >= 0 && c != 'n' {
			n.Kind, n.Text = Bool, literal(c)
		}
	default:
		var exponent bool
		if end, exponent = scanNumber(p.text, p.at); end >= 0 {
			n.Kind, n.Text = Number, p.text[p.at:end]
			if exponent {
				n.Text = d.plainNumber(n.Text)
			}
		}
	}
	if end < 0 {
		return false
	}
	n.rawEnd = int32(end)
	p.at, p.last = end, n
	return true
}

func (p *parser) string(n *Node) (end int) {
	end, escaped, high := scanString(p.text, p.at+1)
	if end < 0 {
		return -1
	}
	n.Kind = String
	text, ok := p.doc.decoded(p.text[p.at+1:end-1], escaped, high)
	if !ok {
		p.doc.withhold(n, TooLarge)
		return end
	}
	n.Text = text
	p.doc.nested(n, p.layer+1)
	return end
}

// valid reports whether text is one JSON value, keeping nothing of it.
func (d *Doc) valid(text string) bool {
	end := d.skip(text, skipSpace(text, 0))
	return end >= 0 && skipSpace(text, end) == len(text)
}

// skip returns the index behind the JSON value at i, -1 if there is none. Any depth is fine: the kinds of the open
// containers are bits in d.dry, set for objects.
func (d *Doc) skip(s string, i int) int {
	depth, first := 0, false
	for {
		// A value, or in a container that was just opened its end, or in an object a member.
		i = skipSpace(s, i)
		if i >= len(s) {
			return -1
		}
		object := depth > 0 && d.dry[(depth-1)/64]>>((depth-1)%64)&1 != 0
		closes := first && (object && s[i] == '}' || !object && s[i] == ']')
		if object && !closes {
			if s[i] != '"' {
				return -1
			}
			if i, _, _ = scanString(s, i+1); i < 0 {
				return -1
			}
			if i = skipSpace(s, i); i >= len(s) || s[i] != ':' {
				return -1
			}
			if i = skipSpace(s, i+1); i >= len(s) {
				return -1
			}
		}
		first = false
		switch c := s[i]; {
		case closes:
		case c == '{' || c == '[':
			if depth/64 == len(d.dry) {
				d.dry = append(d.dry, 0)
			}
			bit := uint64(1) << (depth % 64)
			d.dry[depth/64] &^= bit
			if c == '{' {
				d.dry[depth/64] |= bit
			}
			depth++
			i++
			first = true
			continue
		case c == '"':
			i, _, _ = scanString(s, i+1)
		case literal(c) != "":
			i = scanLiteral(s, i)
		default:
			i, _ = scanNumber(s, i)
		}
		if i < 0 {
			return -1
		}
		// Behind a value: the ends of containers, then a comma or the end.
		for depth > 0 {
			if i = skipSpace(s, i); i >= len(s) {
				return -1
			}
			end := byte(']')
			if d.dry[(depth-1)/64]>>((depth-1)%64)&1 != 0 {
				end = '}'
			}
			if s[i] != end {
				break
			}
			i++
			depth--
		}
		if depth == 0 {
			return i
		}
		if s[i] != ',' {
			return -1
		}
		i++
	}
}
