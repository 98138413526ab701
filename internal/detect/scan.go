package detect

// scan is the state of one Scan. It is pooled; its slices keep their room.
type scan struct {
	s         *Scanner
	text      string
	key       *keyWords // what the text stands under
	allow     *AllowList
	own       keyWords // where it was made, for a piece
	keys      keyMemo
	names     nameMemo
	clean     cleanMemo
	cands     []cand
	words     []byte // see before
	wordsAt   int
	unread    bool               // words and found are empty because no context is near
	pos       int                // where the pass is
	seen      [contextGroups]int // where the last word ended that may be context of a group
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
	base := len(dst)
	dst = s.ScanAround(dst, key, text, FindMedia(nil, key, text))
	if s.allow.Load() != nil {
		_, rest := TakeAllowed(nil, dst[base:])
		dst = dst[:base+len(rest)]
	}
	return dst
}

// ScanAround is Scan where the media of the text is known, as FindMedia returns it. Finds that are allowed are among the
// matches and say so; they overlap what comes forth in their place.
func (s *Scanner) ScanAround(dst []Match, key Key, text string, media []Media) []Match {
	return s.scanAround(dst, key, text, media, s.allow.Load())
}

func (s *Scanner) scanAround(dst []Match, key Key, text string, media []Media, allow *AllowList) []Match {
	c, base := s.pool.Get().(*scan), len(dst)
	c.allow = allow
	if len(media) == 0 {
		dst = s.scan(c, dst, key, text)
	} else {
		dst = s.around(c, dst, key, text, media)
	}
	c.allow = nil
	s.pool.Put(c)
	switch {
	case s.also == nil:
	case allow == nil:
		dst = s.also.apply(dst, base, text, media, nil)
	default:
		dst = s.also.applyAllowing(dst, base, text, media, allow)
	}
	return dst
}

func (s *Scanner) scan(c *scan, dst []Match, key Key, text string) []Match {
	if len(text) == 0 {
		return dst
	}
	c.begin(s, key, text)
	if short := len(text) <= maxCleanText; !short || !c.clean.has(c.key.id, text) {
		c.whole()
		c.pass()
		c.documents()
		for i := range s.custom {
			s.custom[i].find(c)
		}
		if len(c.cands) > 0 {
			dst = c.finish(dst)
		} else if short {
			c.clean.put(c.key.id, text)
		}
	}
	c.text, c.s = "", nil
	return dst
}

// reset prepares c for a text.
func (c *scan) reset(text string) {
	c.text = text
	c.cands, c.wordsAt, c.tailAt, c.noEnd = c.cands[:0], 0, 0, len(text)+1
	c.key = &noKey
	c.unread, c.pos = false, 0
	clear(c.seen[:])
	c.bareFrom, c.bareTo, c.bareStops = 0, 0, false
	c.line, c.decTo, c.longTo, c.runTo, c.skipTo = 0, 0, 0, 0, 0
	c.wordFrom, c.wordTo, c.wordStops, c.wordSoft = 0, 0, false, false
}

func (c *scan) begin(s *Scanner, key Key, text string) {
	c.s, c.depth, c.inCell = s, 0, false
	c.reset(text)
	if key != (Key{}) {
		c.key = c.keys.get(s, key)
	}
}

// add leaves a candidate.
func (c *scan) add(r *rule, start, end int) {
	c.cands = append(c.cands, cand{rule: r, start: start, end: end, rank: r.Rank, level: r.level})
}

// finish resolves the candidates and appends what is left of them to dst.
func (c *scan) finish(dst []Match) []Match {
	found, _ := c.winners()
	for i := range found {
		m, value := c.match(&found[i])
		if c.allow != nil {
			m.Allowed = c.row(m, value)
		}
		dst = append(dst, m)
	}
	clear(c.cands)
	return dst
}
