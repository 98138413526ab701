package detect

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slow is the reference that Scan is held against: it walks the same text and asks every rule at every byte where a
// rule of its kind may begin, without tables, filters, buckets and shapes to choose them by, and it forgets before each
// question what it has read, so that a memory of the scan is shown to be only that. What it shares with the fast scan
// are the recognisers themselves and what a region read as a whole (a table, a key block, a token) takes out of the
// walk. Pieces are scanned by the fast scan: each is a text with a key, which the reference is held against as well.
type slow struct {
	s       *Scanner
	entries [256][]*entry // by first byte, in the order of the rules
	digits  []*form       // beginning with a digit
	letters []*form       // beginning with a letter
	numbers []*rule
}

func newSlow(t testing.TB) *slow {
	w := &slow{s: newTest(t)}
	enter := func(e *entry) {
		b := e.lit[0]
		w.entries[b] = append(w.entries[b], e)
		if e.fold && isLower(b) {
			w.entries[b-'a'+'A'] = append(w.entries[b-'a'+'A'], e)
		}
	}
	for _, v := range nouns {
		enter(&entry{lit: v, fold: true, noun: true})
	}
	for _, v := range []string{"values ", "values(", "values\n"} {
		enter(&entry{lit: v, fold: true, rows: true})
	}
	for _, v := range verbs {
		enter(&entry{lit: v, fold: true, verb: true})
	}
	for _, r := range w.s.rules {
		for _, p := range r.Prefix {
			enter(&entry{lit: p, rule: r})
		}
		for _, p := range r.Terms {
			enter(&entry{lit: p, fold: true, rule: r})
		}
		for _, lit := range r.Forms {
			if f := (&form{lit: lit, rule: r}); lit[0] == '#' {
				w.digits = append(w.digits, f)
			} else {
				w.letters = append(w.letters, f)
			}
		}
		if r.Numbers != 0 {
			w.numbers = append(w.numbers, r)
		}
	}
	return w
}

func (w *slow) Scan(key Key, text string) []Match {
	if text == "" {
		return nil
	}
	c := new(scan)
	c.begin(w.s, key, text)
	c.whole()
	for i := 0; i < len(text); {
		i = w.at(c, i)
	}
	if len(c.cands) == 0 {
		return nil
	}
	return c.finish(nil)
}

// forget drops what c remembers of the text.
func forget(c *scan) {
	c.wordsAt, c.tailAt, c.noEnd, c.longTo = 0, 0, len(c.text)+1, 0
	c.bareFrom, c.bareTo, c.bareStops = 0, 0, false
	c.wordFrom, c.wordTo, c.wordStops, c.wordSoft = 0, 0, false, false
}

// at asks what may begin at text[i] and returns where to go on.
func (w *slow) at(c *scan, i int) int {
	forget(c)
	text := c.text
	switch b := text[i]; {
	case isLetter(b) || b >= 0x80:
		return w.word(c, i)
	case isDigit(b):
		return w.number(c, i)
	case b == '@':
		for _, r := range w.s.rules {
			if r.At {
				w.ask(c, r, i)
			}
		}
	case b == ':' || b == '=' || b == '>':
		c.separator(i)
	case b == ',':
		c.argument(i)
	case b == '-':
		return c.dash(i)
	case b == '[':
		return c.bracket(i)
	case b == '\\':
		return c.escape(i)
	case b == '~':
		c.tilde(i)
	case b == '%' || b == '&':
		c.escapes(i)
	case b == '\n':
		return c.lineBreak(i, i+1)
	case b == '+' || b == '(':
		for _, r := range w.numbers {
			if r.Numbers&numOpen != 0 && i+1 < len(text) && (isDigit(text[i+1]) || text[i+1] == '(') {
				w.ask(c, r, i)
			}
		}
	}
	return i + 1
}

func (w *slow) ask(c *scan, r *rule, i int) {
	forget(c)
	if start, end, ok := r.Recognise(c, r, i); ok {
		c.add(r, start, end)
	}
}

// word asks every literal and every layout of letters at the word that begins with text[i].
func (w *slow) word(c *scan, i int) int {
	text := c.text
	for _, e := range w.entries[text[i]] {
		if !e.matches(text, i) {
			continue
		}
		forget(c)
		end := i + len(e.lit)
		switch {
		case e.rows:
			c.skipTo = max(c.skipTo, c.insert(i, i+len("values")))
		case e.noun && (i == 0 || !isLetter(text[i-1])):
			c.noun(i, end)
		case e.verb && (i == 0 || !isWord(text[i-1])):
			c.verb(i, end)
		case e.rule == nil:
		case !e.fold:
			if start, end, ok := c.vendor(e.rule, e.lit, i); ok {
				c.add(e.rule, start, end)
			}
		case i > 0 && (isWord(text[i-1]) && !escaped(text, i) || text[i-1] == '-'), isAlnum(text[end-1]) && end < len(text) && isWord(text[end]):
			// part of a longer word
		default:
			w.ask(c, e.rule, i)
		}
	}
	j, high := i, false
	for j < len(text) && (isAlnum(text[j]) || text[j] >= 0x80) {
		high = high || text[j] >= 0x80
		j++
	}
	if high {
		j = scriptEnd(text, i, j)
	}
	if isUpper(text[i]) && leftBound(text, i) {
		if w.s.legalRule != nil && j-i == 2 && inSet(shortForms2, text[i:j]) {
			if start, end, ok := companyBefore(c, w.s.legalRule, i); ok {
				c.add(w.s.legalRule, start, end)
			}
		}
		for _, f := range w.letters {
			forget(c)
			c.tryForm(f, i)
		}
	}
	forget(c)
	if j-i >= 5 && j < len(text) && text[j] == ' ' {
		c.glued(i, j)
	}
	c.longWord(i, j)
	if j-i >= 12 && i >= c.decTo {
		c.base64Run(i, j)
	}
	if high {
		c.fold(i, j)
	}
	return max(j, c.skipTo)
}

// number asks every layout of digits and every rule for numbers at the run of digits that begins with text[i].
func (w *slow) number(c *scan, i int) int {
	text := c.text
	j := i
	for j < len(text) && isDigit(text[j]) {
		j++
	}
	k := j
	for k < len(text) && isAlnum(text[k]) {
		k++
	}
	if k-i >= 15 {
		c.hexRun(i, k)
		c.longWord(i, k)
	}
	if !leftBound(text, i) {
		return k
	}
	for _, f := range w.digits {
		forget(c)
		c.tryForm(f, i)
	}
	if k == j && j-i <= 5 && j+1 < len(text) && (text[j] == ' ' || text[j] == '-') && isDigit(text[j+1]) {
		forget(c)
		c.split(i, j)
	}
	for _, r := range w.numbers {
		if r.Numbers&w.shapes(text, i, j, k) != 0 {
			w.ask(c, r, i)
		}
	}
	return k
}

// shapes are the shapes of numbers that text[i:] may have, j where its digits end and k where its word does. They are
// what a rule says of itself; only in a list of numbers the shape that is there narrows them.
func (w *slow) shapes(text string, i, j, k int) uint16 {
	if k > j { // "12B Baker Street", "1st of May", "85k"
		var s uint16
		if k-j == 1 && j-i <= 4 || j-i <= 2 && k-j <= 9 {
			s |= numWord | numMonth
		}
		if k == j+1 && text1(text[j]) {
			s |= numAmount
		}
		return s
	}
	if listed(text, i) {
		return numberShape(text, i, j) & (numCard | numGroup | numLong | numColon | numYear | numDotted)
	}
	return ^uint16(0)
}

// held wants a scan to find what the reference finds.
func (w *slow) held(t testing.TB, key Key, text string) {
	t.Helper()
	if fast, want := w.s.Scan(nil, key, text), w.Scan(key, text); !slices.Equal(fast, want) {
		t.Errorf("%v %q:\n fast %s\n slow %s", key, text, describe(text, fast), describe(text, want))
	}
}

// splices are texts put together of parts of specimens and words of rules, with what stands between values in traces.
func splices(t testing.TB, seed uint64, n int) (out []specimen) {
	all := specimens(t)
	rnd := rand.New(rand.NewPCG(seed, 13))
	var vocabulary []string
	for _, r := range newTest(t).rules {
		vocabulary = slices.Concat(vocabulary, r.Terms, r.Keys, r.Near, r.Prefix, r.Forms)
	}
	glue := []string{"", " ", "\n", ", ", ": ", "=", "\"", "\":\"", "\\n", "\\\"", "'", "-", "_", ".", "/", "é", "\u00a0", "(", ") ", "|", "\t", "0", "A", "k", "&", "@", "7 ", "is ", "key ", ";", "<b>", "[", "]", "\r\n", "%20", "&#65;", "“", "→ "}
	for range n {
		var b strings.Builder
		x := all[rnd.IntN(len(all))]
		for range 1 + rnd.IntN(5) {
			part := all[rnd.IntN(len(all))].text
			if rnd.IntN(3) == 0 {
				if part = vocabulary[rnd.IntN(len(vocabulary))]; rnd.IntN(3) == 0 {
					part = strings.ToUpper(part)
				}
			} else if rnd.IntN(3) == 0 {
				from := rnd.IntN(len(part) + 1)
				part = part[from : from+rnd.IntN(len(part)-from+1)]
			}
			b.WriteString(part)
			b.WriteString(glue[rnd.IntN(len(glue))])
		}
		x.text = b.String()
		if rnd.IntN(4) > 0 {
			x.key = Key{}
		}
		out = append(out, x)
	}
	return out
}

// The fast scan finds what a slow one finds that tries every rule at every byte.
func TestFastEqualsSlow(t *testing.T) {
	w := newSlow(t)
	for _, x := range specimens(t) {
		w.held(t, x.key, x.text)
		w.held(t, Key{}, x.text)
	}
	for _, x := range splices(t, 11, 20000) {
		w.held(t, x.key, x.text)
	}
	for _, h := range hostile(120) {
		w.held(t, Key{}, h)
	}
	for _, name := range []string{"generated.jsonl", "generated-neg.jsonl", "generated-trace.jsonl"} {
		for i, d := range corpus(t, name) {
			if i%8 == 0 || !testing.Short() && i%2 == 0 && len(d.Text) < 4096 {
				w.held(t, Key{}, d.Text)
			}
		}
	}
}

// A name of a field is looked up as a walk over all names would.
func TestKeysByWalk(t *testing.T) {
	s := newTest(t)
	type name struct {
		phrase, one string
		rule        *rule
	}
	var all []name
	enter := func(k string, r *rule) {
		p := string(phrase(k))
		x := name{p, " " + strings.ReplaceAll(p, " ", "") + " ", r}
		all = append(all, x)
	}
	seen := map[*rule]bool{}
	for _, r := range s.rules {
		if r.Shape == nil || !s.readsKeys(r) || seen[r] {
			continue
		}
		seen[r] = true
		for _, k := range r.Keys {
			enter(k, r)
		}
	}
	for _, k := range innocentKeys {
		enter(k, nil)
	}
	// The rules whose name for a field is the longest that words end in, written apart or as one word.
	walk := func(words string) (out []*rule) {
		best := 0
		for _, e := range all {
			for i, p := range [...]string{e.phrase, e.one} {
				if len(p) < best || i > 0 && e.one == e.phrase || !strings.HasSuffix(words, p) {
					continue
				}
				if len(p) > best {
					best, out = len(p), nil
				}
				out = append(out, e.rule)
			}
		}
		return out
	}
	rnd := rand.New(rand.NewPCG(17, 19))
	pool := []string{"user", "of", "http", "config", "zeta", "x"}
	for _, e := range all {
		pool = append(pool, strings.Fields(e.phrase)...)
	}
	for range 10000 {
		words := []byte(" ")
		for range rnd.IntN(3) {
			words = append(append(words, pool[rnd.IntN(len(pool))]...), ' ')
		}
		if e := all[rnd.IntN(len(all))]; rnd.IntN(4) > 0 {
			words = append(words, e.phrase[1:]...)
		}
		want := walk(string(words))
		if len(want) == 0 {
			continue // what only qualifies, or is glued to another word, is passed over
		}
		if got := s.keys.find(nil, words); !slices.Equal(got, want) {
			t.Fatalf("%q: %d rules, %d by a walk over all", words, len(got), len(want))
		}
		if name := strings.TrimSpace(string(words)); !s.keys.may(name, len(name)) {
			t.Fatalf("%q: a name, but the filter says it can be none", name)
		}
	}
}

// Context is read as a search for each phrase of each list would.
func TestContextBySearch(t *testing.T) {
	s := newTest(t)
	var pool []string
	for _, list := range s.ctx.byLast {
		for _, e := range list {
			pool = append(pool, strings.Fields(string(e.phrase))...)
		}
	}
	slices.Sort(pool)
	rnd := rand.New(rand.NewPCG(23, 29))
	var f found
	for range 3000 {
		words := []byte(" ")
		for range rnd.IntN(12) {
			words = append(append(words, pool[rnd.IntN(len(pool))]...), ' ')
		}
		words = words[:min(len(words), 250)]
		want := map[contextID]int{}
		for _, list := range s.ctx.byLast {
			for _, e := range list {
				if i := strings.LastIndex(string(words), string(e.phrase)); i >= 0 {
					want[e.id] = max(want[e.id], i+len(e.phrase))
				}
			}
		}
		s.ctx.read(&f, words)
		for id := range f.pos {
			if int(f.pos[id]) != want[contextID(id)] {
				t.Fatalf("%q: list %d ends at %d, by search at %d", words, id, f.pos[id], want[contextID(id)])
			}
		}
	}
}
