package detect

import (
	"strings"
)

// scan is the state of one Scan. It is pooled; its slices keep their room.
type scan struct {
	s         *Scanner
	text      string
	keyWords  []byte // words of the Key the text stands under
	cands     []cand
	words     []byte // see before
	wordsAt   int
	found     found
	tail      []byte // see after
	tailAt    int
	tailFound found
	name      []byte // see keyRules
	named     []*rule
	f         field
	// See bareEnd: no end of a value between bareFrom and bareTo; one at bareTo if
	// bareStops.
	bareFrom, bareTo int
	bareStops        bool
	bareTag          bool // they end values of elements
	noEnd            int  // no "-----END" at or after this offset; len(text) when unknown

	depth  int // of pieces inside pieces
	inCell bool
	line   int // where the line at hand begins
	table  table
	dec    decoded
	// See hardEnd.
	wordFrom, wordTo    int
	wordStops, wordSoft bool
	runTo               int // end of the run of letters, digits and high bytes read last
	skipTo              int // what is before this offset was read
	longTo              int // end of the long word read last
	decTo               int // what is encoded before this offset was read
}

// Scan appends the matches of text to dst, sorted by Start and disjoint, and
// returns it. It takes time in proportion to the length of text and allocates only
// for what it finds.
func (s *Scanner) Scan(dst []Match, key Key, text string) []Match {
	if len(text) == 0 {
		return dst
	}
	c := s.pool.Get().(*scan)
	c.begin(s, key, text)
	c.whole()
	c.pass()
	for i := range s.custom {
		s.custom[i].find(c)
	}
	if len(c.cands) > 0 {
		dst = c.finish(dst)
	}
	c.text, c.s = "", nil
	s.pool.Put(c)
	return dst
}

// reset prepares c for a text.
func (c *scan) reset(text string) {
	c.text = text
	c.cands, c.wordsAt, c.tailAt, c.noEnd = c.cands[:0], 0, 0, len(text)+1
	c.keyWords = c.keyWords[:0]
	c.bareFrom, c.bareTo, c.bareStops = 0, 0, false
	c.line, c.decTo, c.longTo, c.runTo, c.skipTo = 0, 0, 0, 0, 0
	c.wordFrom, c.wordTo, c.wordStops, c.wordSoft = 0, 0, false, false
}

func (c *scan) begin(s *Scanner, key Key, text string) {
	c.s, c.depth, c.inCell = s, 0, false
	c.reset(text)
	name, parent := lastDotted(key.Name), key.Parent
	if parent == "" {
		// A dotted attribute name carries its own parent.
		if i := strings.LastIndexByte(key.Name, '.'); i > 0 {
			parent = lastDotted(key.Name[:i])
		}
	} else {
		parent = lastDotted(parent)
	}
	if len(name) > 64 || isContentName(name) {
		return
	}
	if len(parent) <= 64 && !isContentName(parent) && parent != "" {
		c.keyWords = appendWords(c.keyWords, parent)
	}
	c.keyWords = appendWords(c.keyWords, name)
}

// lastDotted returns the last part of a dotted name that is no index.
func lastDotted(name string) string {
	for {
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return name
		}
		last := name[i+1:]
		if last != "" && !isDigit(last[0]) {
			return last
		}
		name = name[:i]
	}
}

func isContentName(n string) bool {
	var low [16]byte
	if len(n) > len(low) {
		return false
	}
	for i := range len(n) {
		low[i] = n[i]
		if isUpper(n[i]) {
			low[i] |= 0x20
		}
	}
	return contentNames[string(low[:len(n)])]
}

// add leaves a candidate.
func (c *scan) add(r *rule, start, end int) {
	c.cands = append(c.cands, cand{rule: r, start: start, end: end, rank: r.Rank, level: r.level})
}

// finish resolves the candidates and appends what is left of them to dst.
func (c *scan) finish(dst []Match) []Match {
	for _, x := range resolve(settleWeak(c.cands)) {
		if x.rule == nil {
			dst = append(dst, Match{Rule: "token", Type: x.tok.typ, Level: x.tok.level, Start: x.start, End: x.end,
				ID: x.tok.id(), Token: true})
			continue
		}
		canon := x.rule.Canon
		if canon == nil {
			canon = canonExact
		}
		value := x.val
		if value == "" {
			value = c.text[x.start:x.end]
		}
		dst = append(dst, Match{Rule: x.rule.ID, Type: x.rule.Type, Level: x.level, Start: x.start, End: x.end,
			ID: c.s.Fingerprint(x.rule.fam, canon(value))})
	}
	clear(c.cands)
	return dst
}
