package audit

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// A finder looks for the values of a trace in texts. One filter over pairs of bytes tells nearly all places; where it
// does not, the text is read on from there, a few signs in each form, and hashed.
type finder struct {
	h      literalHash
	l      *literals
	forms  []form
	pairs  [1024]uint64     // one bit for each two bytes that a value may begin with
	quads  [1 << 12]formSet // by the hash of four bytes of a reading
	begins [1 << 10]formSet // by the hash of two bytes of a text
	blocks map[form]*block
	own    []ownHead                   // see span
	idle   map[agentrisk.SecretID]bool // that are not looked for
	sparing
}

// A sparing is what the allow list says of a text that a finder looks at.
type sparing struct {
	list   *detect.AllowList
	spared []detect.Match // that rules found in it
	gone   []detect.Match // copies that are allowed
}

// spares reports whether a copy is allowed: as a find of its own, or as one of a rule's with its value.
func (d *finder) spares(m *detect.Match, text string) bool {
	if d.idle[m.ID] {
		return true
	}
	for i := range d.spared {
		if s := &d.spared[i]; s.ID == m.ID && s.Start < m.End && m.Start < s.End {
			return true
		}
	}
	if d.list == nil {
		return false
	}
	value := text[m.Start:m.End]
	plain, ok := decodeText(value)
	if !ok {
		plain = value
	}
	row := d.list.Row(m, value, plain)
	if row == 0 {
		return false
	}
	if n := len(d.gone); n == 0 || d.gone[n-1].End <= m.Start || d.gone[n-1].ID != m.ID {
		out := *m
		out.Allowed = row
		d.gone = append(d.gone, out)
	}
	return true
}

// A formSet has a bit for each form in use.
type formSet uint16

var formBits = func() (t [32]formSet) {
	for i, f := range [...]form{exact, worded, caseless, caseless | worded, caseless | squeezed, caseless | anywhere, base64ed | anywhere, anywhere, anywhere | worded} {
		t[f] = 1 << i
	}
	return t
}()

// simple are the bytes that read as one byte whatever stands around them, by form; zero for others.
var simple = func() (t [32][256]byte) {
	for f, bit := range formBits {
		for b := range 0x80 {
			if r, n := form(f).next(string(rune(b)), 0); bit != 0 && n == 1 && r >= ' ' && (!special[b] || form(f)&base64ed != 0) {
				t[f][b] = byte(r)
			}
		}
	}
	return t
}()

// newFinder returns a finder for the values of l, which must not grow while it is used.
func newFinder(h literalHash, l *literals) *finder {
	d := &finder{}
	d.set(h, l)
	return d
}

// set makes d a finder for the values of l, whatever it was one for before.
func (d *finder) set(h literalHash, l *literals) {
	d.h, d.l, d.forms = h, l, d.forms[:0]
	clear(d.pairs[:])
	clear(d.quads[:])
	clear(d.begins[:])
	if d.blocks == nil {
		d.blocks = map[form]*block{}
	}
	for k := range l.firsts {
		if !slices.Contains(d.forms, k.of) {
			d.forms = append(d.forms, k.of)
		}
		d.quads[k.quad] |= formBits[k.of]
		d.filter(k)
	}
	slices.Sort(d.forms)
}

func beginOf(a, b byte) int { return (int(a)*61 ^ int(b)*5) & (1<<10 - 1) }

// filter lets pass what a reading that begins with these runes may begin with in a text.
func (d *finder) filter(k first) {
	bit := formBits[k.of]
	pair := func(a, b byte) {
		d.pairs[int(a)<<2|int(b)>>6] |= 1 << (b & 63)
		d.begins[beginOf(a, b)] |= bit
	}
	one, two := spellings(k.of, k.r[0]), spellings(k.of, k.r[1])
	for _, a := range one {
		if len(a) > 1 {
			pair(a[0], a[1])
			continue
		}
		for _, b := range two {
			pair(a[0], b[0])
		}
		for _, b := range between(k) {
			pair(a[0], b)
		}
	}
	if k.of&base64ed != 0 && (k.r[0] == '+' || k.r[0] == '/') {
		pair('\\', 'u')
		pair('\\', '/')
		pair('\\', '\\')
	}
	if k.of.encoded() {
		return
	}
	for _, a := range one {
		const digits = "0123456789abcdef"
		hi := digits[a[0]>>4]
		pair('%', hi)
		pair('%', byte(unicode.ToUpper(rune(hi))))
		if len(a) == 1 {
			detect.FoldsTo(a[0], pair)
		}
	}
	for _, e := range [...]string{"&#", `\u`, `\x`, `\\`, `&\`, `%\`} {
		pair(e[0], e[1])
	}
	switch k.r[0] {
	case '&', '<', '>', '"', '\'':
		for _, e := range entities {
			pair(e.name[0], e.name[1])
		}
	}
	if k.r[0] < 0x80 && !wordByte(byte(k.r[0])) {
		pair('\\', byte(k.r[0]))
	}
}

// between are the bytes other than the second one that may follow the first: of an escape, of a sign beyond ASCII, and
// what the form skips.
func between(k first) []byte {
	out := []byte("\n\r")
	if k.of&base64ed != 0 {
		return append(out, '\\')
	}
	if k.of.encoded() {
		return nil
	}
	for b := range 256 {
		if special[b] {
			out = append(out, byte(b))
		}
	}
	if k.of&squeezed != 0 {
		out = append(out, " \t-./_()"...)
	}
	if k.r[1] == ' ' {
		out = append(out, '\t')
	}
	return out
}

// spellings are the plain ways in which a rune of a reading stands in a text.
func spellings(f form, r rune) []string {
	if r >= rawByte {
		return []string{string([]byte{byte(r)})}
	}
	out := []string{string(r)}
	switch {
	case f&caseless != 0 && unicode.ToUpper(r) != r:
		out = append(out, string(unicode.ToUpper(r)))
	case f&base64ed != 0 && r == '+':
		out = append(out, "-")
	case f&base64ed != 0 && r == '/':
		out = append(out, "_")
	}
	return out
}

// skip returns the next place from i on at which a value may begin.
func (d *finder) skip(text string, i int) int {
	if i >= len(text) {
		return len(text)
	}
	pairs, a := &d.pairs, text[i]
	for i++; i < len(text); i++ {
		b := text[i]
		if pairs[(uint(a)<<2|uint(b>>6))&1023]&(1<<(b&63)) != 0 {
			return i - 1
		}
		a = b
	}
	return len(text)
}

// find appends where values stand in text: not inside a longer word, unless encoded, and not where taken matches
// stand already. The longest value at a place wins. It takes time in proportion to the text.
func (d *finder) find(dst []detect.Match, text string, taken []detect.Match) []detect.Match {
	for _, b := range d.blocks {
		b.reset()
	}
	to := 0 // end of the last find
	for i := d.skip(text, 0); i+1 < len(text); i = d.skip(text, i+1) {
		for len(taken) > 0 && taken[0].End <= i {
			to = max(to, taken[0].End)
			taken = taken[1:]
		}
		if len(taken) > 0 && taken[0].Start <= i {
			i = taken[0].End - 1
			continue
		}
		limit := len(text)
		if len(taken) > 0 {
			limit = taken[0].Start
		}
		if m, ok := d.at(text, i, to, limit); ok {
			dst = append(dst, m)
			i, to = m.End-1, m.End
		}
	}
	return dst
}

// mayHold reports whether any value of the trace may begin in text, which may be JSON that was not read yet, but for
// those in d.own, once each.
func (d *finder) mayHold(text string) bool {
	for i := d.skip(text, 0); i+1 < len(text); i = d.skip(text, i+1) {
		set := d.begins[beginOf(text[i], text[i+1])]
		for _, f := range d.forms {
			if set&formBits[f] != 0 && d.mayBegin(f, text, i) {
				if of, k, ok := d.head(f, text, i); ok && !d.isOwn(k, of) {
					return true
				}
			}
		}
	}
	return false
}

// mayBegin looks at four bytes at once where they are simple ones.
func (d *finder) mayBegin(f form, text string, i int) bool {
	if i+4 > len(text) {
		return i+minLiteral <= len(text)
	}
	t := &simple[f]
	var four uint32
	for n, k := 0, i; n < 4; k++ {
		if k == len(text) {
			return false
		}
		b := text[k]
		if special[b] && f&base64ed == 0 {
			return true
		}
		c := t[b]
		switch {
		case c != 0 && (c != ' ' || f&worded == 0 || k+1 < len(text) && text[k+1] > ' '):
			four = four<<8 | uint32(c)
			n++
		case f&squeezed == 0 || k > i+12:
			return true
		}
	}
	return d.quads[d.h.quad(four)]&formBits[f] != 0
}

// head reads as much of text[i:] as the shortest values have, and returns how long those are that begin like it. Where text is JSON, escapes may stand inside escapes: there
// it says that a value begins.
func (d *finder) head(f form, text string, i int) (of lengths, k headKey, ok bool) {
	var x uint64
	n, skips := 0, 0
	for n < minLiteral && i < len(text) {
		r, size := f.next(text, i)
		switch {
		case f&base64ed != 0 && text[i] == '\\':
			if r, size = decode(text, i); r == '-' || r == '_' {
				r, _ = f.next(string(r), 0)
			}
		case special[text[i]] && f&base64ed == 0 && nests(text, i):
			return of, k, true
		}
		i += size
		if r < 0 {
			if skips++; skips > maxSkips || n == 0 {
				return of, k, false
			}
			continue
		}
		skips = 0
		var buf [utf8.UTFMax]byte
		for _, b := range buf[:encode(&buf, r)] {
			if x = d.h.put(x, b); n < minLiteral {
				if n++; n == minLiteral {
					k = headKey{f, x}
					of, ok = d.l.heads[k]
				}
			}
		}
	}
	return of, k, ok
}

// at returns the longest value that begins at text[i] and ends before limit. What it covers begins at or after from.
func (d *finder) at(text string, i, from, limit int) (best detect.Match, found bool) {
	before := -1
	set := d.begins[beginOf(text[i], text[i+1])]
	for _, f := range d.forms {
		if set&formBits[f] == 0 || !d.mayBegin(f, text, i) {
			continue
		}
		if f&anywhere == 0 {
			if before < 0 {
				before = classBefore(text, i)
			}
			if before != 0 {
				if r, _ := f.next(text, i); wordClass(r) == before {
					continue
				}
			}
		}
		if m, ok := d.in(f, text, i, from, limit); ok && (!found || m.End > best.End || m.End == best.End && stronger(m, best)) {
			best, found = m, true
		}
	}
	return best, found
}

// in is at in one form.
func (d *finder) in(f form, text string, i, from, limit int) (best detect.Match, found bool) {
	longest := 0
	var x uint64
	n, skips := 0, 0
	for at := i; at < limit && n < midLength; {
		r, size := f.next(text, at)
		at += size
		if r < 0 {
			if skips++; skips > maxSkips || n == 0 {
				return best, found
			}
			continue
		}
		skips = 0
		var buf [utf8.UTFMax]byte
		for _, b := range buf[:encode(&buf, r)] {
			if n == midLength {
				break
			}
			x = d.h.put(x, b)
			if n++; n == minLiteral {
				of, ok := d.l.heads[headKey{f, x}]
				if !ok {
					return best, false
				}
				longest = of.most
			}
		}
		if n < minLiteral {
			continue
		}
		if m, ok := d.known(f, n, x, text, i, at, from, limit); ok {
			best, found = m, true
		}
		if n >= longest {
			return best, found
		}
	}
	if n < midLength {
		return best, found
	}
	lengths := d.l.mids[headKey{f, x}]
	if len(lengths) == 0 {
		return best, found
	}
	b := d.blocks[f]
	if b == nil {
		b = &block{}
		d.blocks[f] = b
	}
	start := b.read(d.h, f, text, i, lengths[len(lengths)-1])
	for k := len(lengths) - 1; k >= 0 && start >= 0; k-- {
		hash, end, ok := b.hash(d.h, start, lengths[k])
		if !ok || end > limit {
			continue
		}
		if m, ok := d.known(f, lengths[k], hash, text, i, end, from, limit); ok {
			return m, true
		}
	}
	return best, found
}

// known is the value with a reading that text[start:end] has, if it may stand there.
func (d *finder) known(f form, length int, hash uint64, text string, start, end, from, limit int) (detect.Match, bool) {
	for ends := range letterBefore | letterAfter + 1 {
		m := d.l.known[litKey{f, ends, length, hash}]
		if m == nil {
			if f&base64ed == 0 {
				break
			}
			continue
		}
		out := *m
		out.Start, out.End = start, end
		if f&base64ed != 0 {
			out.Start, out.End = widen(text, start, end, from, limit, ends)
			return out, !d.spares(&out, text)
		}
		if f&anywhere == 0 && !ended(text, start, end) || d.spares(&out, text) {
			return out, false
		}
		if m.Type == "person_name" && length < minLowerName && lower(text[start:end]) {
			return out, false
		}
		return out, true
	}
	return detect.Match{}, false
}

// ended reports whether the word that ends text[start:end] ends there.
func ended(text string, start, end int) bool {
	if end == len(text) {
		return true
	}
	class := classBefore(text, end)
	if class == 0 {
		return true
	}
	r, n := decode(text, end)
	if r == skip && end+n < len(text) {
		r, _ = decode(text, end+n)
	}
	return wordClass(r) != class
}

func lower(s string) bool {
	for _, r := range s {
		if unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

// widen returns what of a run of base64 to remove for a value in text[start:end]. A run that is mostly the value goes
// whole. Of a longer one, such as a file, the letters go that hold bits of the value, and what stands around them
// stays and can be decoded.
func widen(text string, start, end, from, limit int, e ends) (int, int) {
	s, t := start, end
	for s > from && start-s <= end-start && base64Letter[text[s-1]] {
		s--
	}
	for t < limit && t-end <= end-start && base64Letter[text[t]] {
		t++
	}
	if t-s <= 2*(end-start) {
		for t < limit && text[t] == '=' {
			t++
		}
		return s, t
	}
	if e&letterBefore != 0 && start > s {
		start--
	}
	if e&letterAfter != 0 && end < t {
		end++
	}
	return start, end
}

var base64Letter = func() (t [256]bool) {
	for i := range t {
		t[i] = wordByte(byte(i)) || i == '+' || i == '/' || i == '-'
	}
	return t
}()

// A block is a stretch of a text read in one form, with the hash of every beginning of it, so that the hash of any part
// takes no time. Blocks of a text overlap by less than a value, which keeps the search linear.
type block struct {
	sums []uint64 // sums[k] is the hash of the first k bytes
	at   []int32  // where the sign of byte k begins in the text
	ends []int32  // and where it ends
	from int      // starts before this one are in the block
}

func (b *block) reset() { b.sums, b.at, b.ends, b.from = b.sums[:0], b.at[:0], b.ends[:0], 0 }

// read returns where text[i] is in a block that holds a value of the longest length from there, -1 if nothing begins
// there.
func (b *block) read(h literalHash, f form, text string, i, longest int) int {
	if len(b.at) == 0 || i < int(b.at[0]) || i >= b.from && b.from < len(text) || len(b.at)-longest < 0 && b.from < len(text) {
		b.reset()
		b.sums = append(b.sums, 0)
		at := i
		for at < len(text) && len(b.at) < 4*longest {
			r, n := f.next(text, at)
			if r >= 0 {
				var buf [utf8.UTFMax]byte
				for _, c := range buf[:encode(&buf, r)] {
					b.sums = append(b.sums, h.put(b.sums[len(b.sums)-1], c))
					b.at = append(b.at, int32(at))
					b.ends = append(b.ends, int32(at+n))
				}
			}
			at += n
		}
		b.from = len(text)
		if at < len(text) {
			b.from = int(b.at[len(b.at)-longest])
		}
	}
	k, ok := slices.BinarySearch(b.at, int32(i))
	if !ok {
		return -1
	}
	return k
}

// hash is that of length bytes from the k-th on, and where they end in the text.
func (b *block) hash(h literalHash, k, length int) (hash uint64, end int, ok bool) {
	if k+length > len(b.at) {
		return 0, 0, false
	}
	power, base := uint64(1), h.base
	for n := length; n > 0; n >>= 1 {
		if n&1 == 1 {
			power = mulmod(power, base)
		}
		base = mulmod(base, base)
	}
	return submod(b.sums[k+length], mulmod(b.sums[k], power)), int(b.ends[k+length-1]), true
}
