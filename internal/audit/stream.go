package audit

import (
	"cmp"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// Models stream, and some instrumentations record each chunk as it came: as an event, a log record, an element of a
// list. A value may be cut anywhere between them. Pieces are texts of one key in one place, told apart by position
// only: "choices[*].delta.content" of each event of one kind. Pieces that follow each other are read as one text.
//
// Where a key or an event says that these are chunks, the joined text is the text, and its pieces are none. Elsewhere,
// in lists, parts and messages, each piece is a text of its own, and the joined text adds only what stands across a
// seam and has a format of its own: two numbers of a list are not one number.

// A piece is a text that may be one of several.
type piece struct {
	spot
	stream uint64 // hash of what the pieces of one text have in common
	at     [maxPositions]int32
	depth  int
	said   bool // a name says that it is a chunk
	event  bool // at[0] is the number of an event or record: others may stand between
	text   string
	f      *leaf.Field
	n      *leaf.Node
	// Of log records, whose Doc is void when the next one is read.
	key  detect.Key
	hit  hit
	rows []*allowRow
}

const maxPositions = 8

// Bounds of the text around a seam where pieces are texts of their own, in bytes.
const aroundSeam = 256

// pieceNames are the members that hold content in chunks, parts and messages.
var pieceNames = map[string]bool{
	"content": true, "text": true, "value": true, "delta": true, "message": true, "output": true, "arguments": true,
	"partial_json": true, "body": true, "completion": true, "reasoning_content": true, "reasoning": true,
	"thinking": true, "transcript": true, "token": true, "chunk": true, "refusal": true, "input": true, "data": true,
	"textDelta": true, "argsTextDelta": true, "inputTextDelta": true, "response": true, "answer": true,
}

// saysChunk reports whether a name is that of a stream's chunk.
func saysChunk(name string) bool {
	for i := 0; i < len(name); i++ {
		switch name[i] | 0x20 {
		case 'c', 'd', 'p', 's', 'n':
			for _, w := range [...]string{"chunk", "delta", "partial", "stream", "new_token"} {
				if len(name)-i >= len(w) && strings.EqualFold(name[i:i+len(w)], w) {
					return true
				}
			}
		}
	}
	return false
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func (p *piece) mix(s string) {
	for i := range len(s) {
		p.stream = (p.stream ^ uint64(s[i])) * fnvPrime
	}
	p.stream = (p.stream ^ 0xFF) * fnvPrime
}

func (p *piece) position(n int32) {
	if p.depth < maxPositions {
		p.at[p.depth] = n
	}
	p.depth++
}

// dotted mixes a dotted name with its numbers as positions.
func (p *piece) dotted(name string) {
	for part := range strings.SplitSeq(name, ".") {
		n, digits := int32(0), part != "" && len(part) < 8
		for i := 0; i < len(part) && digits; i++ {
			digits = '0' <= part[i] && part[i] <= '9'
			n = n*10 + int32(part[i]-'0')
		}
		if digits {
			p.position(n)
			part = "*"
		}
		p.mix(part)
	}
	p.said = p.said || saysChunk(name)
}

// label is the name that a text's content is known by: its own, or that of the attribute. A list's elements have none.
func label(f *leaf.Field, n *leaf.Node) (name string, element bool) {
	for at := n; at != nil; at = at.Parent {
		if at.Name != "" {
			return at.Name, false
		}
		if at.Parent != nil && at.Parent.Kind == leaf.Array {
			return "", true
		}
	}
	for key := f.Key; ; {
		i := strings.LastIndexByte(key, '.')
		last := key[i+1:]
		if i < 0 || last != "" && (last[0] < '0' || last[0] > '9') {
			return last, false
		}
		key = key[:i]
	}
}

// piece reads what a text has in common with others of its stream. It returns false for one that is alone.
func (s *scan) piece(f *leaf.Field, n *leaf.Node) (p piece, ok bool) {
	name, element := label(f, n)
	if !element && !pieceNames[name] && f.Part != leaf.PartLogBody {
		return p, false
	}
	p = piece{spot: spot{s.batch.records, n.Ord, false}, stream: fnvOffset, text: n.Text, f: f, n: n}
	switch f.Part {
	case leaf.PartEventAttr:
		p.event = true
		p.position(int32(f.Index))
		p.dotted(f.Event)
	case leaf.PartLogBody, leaf.PartLogAttr:
		p.event = true
		p.position(int32(p.record))
		p.mix(string(s.span.id[:]))
		p.mix(s.name)
		p.said = saysChunk(s.name)
	case leaf.PartSpanAttr:
	default:
		return p, false
	}
	p.stream = (p.stream ^ uint64(f.Part)) * fnvPrime
	p.dotted(f.Key)
	p.path(n)
	return p, p.depth > 0
}

// path mixes the members above a node, from the field's root down, and what kind of element each list has there.
func (p *piece) path(n *leaf.Node) {
	if n.Parent == nil {
		return
	}
	p.path(n.Parent)
	switch n.Parent.Kind {
	case leaf.Object:
		p.mix(n.Name)
		p.said = p.said || saysChunk(n.Name)
	case leaf.Array:
		p.mix("[")
		p.position(n.Index)
		for _, member := range [...]string{"role", "type"} {
			if m := n.Member(member); m != nil && m.Kind == leaf.String {
				p.mix(m.Text)
				p.said = p.said || saysChunk(m.Text)
			}
		}
		if m := n.Member("index"); m != nil && n.Parent.First.Next == nil {
			p.mix(m.Text) // one of several answers
		}
	}
}

func (p *piece) order(q *piece) int {
	if c := cmp.Compare(p.stream, q.stream); c != 0 {
		return c
	}
	return slices.Compare(p.at[:min(p.depth, maxPositions)], q.at[:min(q.depth, maxPositions)])
}

// follows reports whether q is the next piece after p.
func (p *piece) follows(q *piece) bool {
	if p.stream != q.stream || p.depth != q.depth {
		return false
	}
	for i := range min(p.depth, maxPositions) {
		if d := q.at[i] - p.at[i]; d != 0 {
			return d == 1 || d > 0 && i == 0 && p.event
		}
	}
	return false
}

// gather takes the pieces of the record that the Doc holds.
func (s *scan) gather(f *leaf.Field, n *leaf.Node, name bool, text string) {
	if name || n.Kind != leaf.String || text == "" {
		return
	}
	if p, ok := s.piece(f, n); ok {
		s.pieces = append(s.pieces, p)
	}
}

// streams reads the runs of pieces gathered that say they are chunks, or those that do not. lone says that pieces were
// not read as texts of their own yet.
func (s *scan) streams(said, lone bool) {
	for i := 0; i < len(s.pieces); {
		j := i + 1
		for j < len(s.pieces) && s.pieces[j-1].follows(&s.pieces[j]) {
			j++
		}
		ps := s.pieces[i:j]
		i = j
		switch {
		case ps[0].said != said:
		case !said:
			s.soft(ps)
		case len(ps) > 1 && !cumulative(ps):
			s.joined(ps, true)
		case lone:
			for k := range ps {
				s.joined(ps[k:k+1], true)
			}
		}
	}
}

// order sorts the pieces into runs.
func (s *scan) order() {
	slices.SortStableFunc(s.pieces, func(p, q piece) int { return p.order(&q) })
}

// forget drops the pieces of a record that was read.
func (s *scan) forget() {
	clear(s.pieces)
	s.pieces = s.pieces[:0]
	clear(s.streamed)
}

// soft reads the seams between pieces that are texts of their own. A long one ends what is read together.
func (s *scan) soft(ps []piece) {
	for i := 1; i < len(ps); {
		if !seam(ps[i-1].text, ps[i].text) {
			i++
			continue
		}
		j := i + 1
		for j < len(ps) && len(ps[j-1].text) <= 2*aroundSeam && seam(ps[j-1].text, ps[j].text) {
			j++
		}
		s.joined(ps[i-1:j], false)
		i = j
	}
}

// cumulative reports whether each piece repeats the ones before it.
func cumulative(ps []piece) bool {
	for i := 1; i < len(ps); i++ {
		if !strings.HasPrefix(ps[i].text, ps[i-1].text) {
			return false
		}
	}
	return len(ps[len(ps)-1].text) > len(ps[0].text)
}

// seam reports whether a value may go on from the end of a into b: both sides are of a word, or digits in groups.
func seam(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, y := a[len(a)-1], b[0]
	if x == ' ' {
		a = strings.TrimRight(a, " ")
		return a != "" && digit(a[len(a)-1]) && digit(y)
	}
	if y == ' ' {
		b = strings.TrimLeft(b, " ")
		return b != "" && digit(b[0]) && digit(x)
	}
	const joins = "-_@./+="
	switch wx, wy := wordByte(x), wordByte(y); {
	case wx && wy:
		return true
	case wx:
		return strings.IndexByte(joins, y) >= 0 && len(b) > 1
	case wy:
		return strings.IndexByte(joins, x) >= 0 && (x != '.' || y < 'A' || y > 'Z')
	}
	return false
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// joined scans pieces as one text. whole says that they are nothing on their own.
func (s *scan) joined(ps []piece, whole bool) {
	var b strings.Builder
	offs := make([]int, 0, 2*len(ps)) // of each piece in the joined text, and how much of the piece stands before
	var taken, gone []detect.Match
	for i := range ps {
		p := &ps[i]
		if s.finder == nil {
			if s.batch.seams == nil {
				s.batch.seams = map[int]bool{}
			}
			s.batch.seams[p.record] = true
		}
		head, cut := p.text, 0
		if !whole && i == 0 {
			cut = max(0, len(head)-aroundSeam)
		}
		offs = append(offs, b.Len(), cut)
		if !whole && i == len(ps)-1 {
			head = head[:min(len(head), aroundSeam)]
		}
		for _, m := range s.taken(p.spot) {
			if m.Start >= cut && m.End <= len(head) {
				m.Start += b.Len() - cut
				m.End += b.Len() - cut
				taken = append(taken, m)
			}
		}
		for _, m := range s.gone[p.spot] {
			m.Start += b.Len() - cut
			m.End += b.Len() - cut
			gone = append(gone, m)
		}
		b.WriteString(head[cut:])
		if whole {
			s.notAlone(p.spot)
		}
	}
	text := b.String()
	var ms []detect.Match
	if s.finder != nil {
		ms = s.finder.find(nil, text, taken)
	} else {
		ms = slices.Clone(s.matches(s.keyOfPiece(&ps[0]), text))
		if whole {
			s.mediaOf(ps, offs, len(text))
		}
	}
	if len(ms) == 0 {
		return
	}
	finds := findsOf(ms)
	if s.allow != nil {
		look := func(l *detect.AllowList) []detect.Match {
			return s.a.scanner.ScanAllowing(nil, s.keyOfPiece(&ps[0]), text, s.media, l)
		}
		if s.finder != nil {
			look = s.copiesBut(gone, func() []detect.Match { return s.finder.find(nil, text, taken) })
		}
		finds = s.siftJoined(ps, ms, look)
	}
	for _, x := range finds {
		m := x.Match
		first := pieceAt(offs, m.Start)
		last := pieceAt(offs, m.End-1)
		if !whole && (first == last || s.finder == nil && !s.acrossSeam(m, ps[first:last+1]) || overlaps(taken, m)) {
			continue
		}
		for k := first; k <= last; k++ {
			off, cut, end := offs[2*k], offs[2*k+1], len(text)
			if k+1 < len(ps) {
				end = offs[2*k+2]
			}
			part := m
			part.Start, part.End = max(m.Start, off)-off+cut, min(m.End, end)-off+cut
			part.Rest = k > first
			if part.Start < part.End {
				s.pieceHit(&ps[k], find{part, x.except}, text[m.Start:m.End])
			}
		}
	}
}

// mediaOf adds the media of a text of n bytes that was joined from pieces.
func (s *scan) mediaOf(ps []piece, offs []int, n int) {
	for _, m := range s.media {
		for k := pieceAt(offs, m.Start); k < len(ps) && offs[2*k] < m.End; k++ {
			off, end := offs[2*k], n
			if k+1 < len(ps) {
				end = offs[2*k+2]
			}
			part := medium{m, m.Start < off}
			part.Start, part.End = max(m.Start, off)-off, min(m.End, end)-off
			s.batch.media.add(ps[k].spot, part)
		}
	}
}

// pieceAt returns the piece that holds the joined byte at.
func pieceAt(offs []int, at int) int {
	k := 0
	for k+1 < len(offs)/2 && offs[2*k+2] <= at {
		k++
	}
	return k
}

func overlaps(taken []detect.Match, m detect.Match) bool {
	return slices.ContainsFunc(taken, func(t detect.Match) bool { return t.Start < m.End && m.Start < t.End })
}

// acrossSeam reports whether a find across pieces that are texts of their own is one: it has a format of its own, and
// is no row of numbers.
func (s *scan) acrossSeam(m detect.Match, ps []piece) bool {
	switch m.ID.Family() {
	case agentrisk.FamilyCredential:
		return m.Level == agentrisk.L4
	case agentrisk.FamilyCanary:
		return true
	case agentrisk.FamilyContact:
		return m.Type == "email"
	case agentrisk.FamilyIDNumber:
		for i := range ps {
			if strings.Trim(ps[i].text, "0123456789 -.,") == "" {
				return false
			}
		}
		return m.Level == agentrisk.L4
	}
	return false
}

// notAlone marks a text that is read with others only.
func (s *scan) notAlone(at spot) {
	if s.streamed == nil {
		s.streamed = map[spot]bool{}
	}
	s.streamed[at] = true
}

// taken are the matches found in a text already.
func (s *scan) taken(at spot) []detect.Match {
	if s.finder != nil {
		return s.of.media.with(s.found[at], at)
	}
	var out []detect.Match
	for i := len(s.batch.hits) - 1; i >= 0 && s.batch.hits[i].record >= at.record; i-- {
		if s.batch.hits[i].spot == at {
			out = append(out, s.batch.hits[i].Match)
		}
	}
	slices.Reverse(out)
	for i := len(s.batch.spared.finds) - 1; i >= 0 && s.batch.spared.finds[i].record >= at.record; i-- {
		if h := &s.batch.spared.finds[i]; h.spot == at {
			out = append(out, h.Match) // no find, and no less there
		}
	}
	return out
}

func (s *scan) keyOfPiece(p *piece) detect.Key {
	if p.n == nil {
		return p.key
	}
	return keyOf(p.f, p.n, false)
}

// hitOf is a hit without a match in a piece.
func (s *scan) hitOf(p *piece) hit {
	h := p.hit
	if p.n != nil {
		s.mapNow()
		h = s.hitAt(p.f, p.n, false)
	}
	h.spot = p.spot
	return h
}

// pieceHit adds what a piece holds of a find.
func (s *scan) pieceHit(p *piece, x find, value string) {
	h, m := s.hitOf(p), x.Match
	if m.Allowed != 0 {
		s.batch.spared.noteSpared(h, x)
		return
	}
	h.Match, h.copy, h.except = m, s.finder != nil, x.except
	s.batch.spared.open = s.batch.spared.open || x.except != 0
	if s.a.keep {
		h.value = strings.Clone(value)
		if !h.copy {
			whole := m
			whole.Start, whole.End = 0, len(value)
			h.why = s.a.scanner.Explain(detect.Key{}, value, whole)
		}
	}
	s.batch.hits = append(s.batch.hits, h)
	s.unsorted = true
	if s.finder == nil && !m.Token && !m.Rest {
		s.known(value, m, false)
	}
}

// gatherLog keeps the pieces of a log record until the next ones were read.
func (s *scan) gatherLog() {
	if s.span.id.IsEmpty() {
		return
	}
	from := len(s.pieces)
	s.doc.Texts(s.collect)
	for i := from; i < len(s.pieces); i++ {
		p := &s.pieces[i]
		if len(p.text) > 4*aroundSeam && !p.said {
			p.text = "" // a document, no chunk
			continue
		}
		s.mapNow()
		p.hit = s.hitAt(p.f, p.n, false)
		if s.allow != nil {
			p.rows = s.rowsAt(p.f, p.n)
		}
		k := keyOf(p.f, p.n, false)
		p.key = detect.Key{Name: strings.Clone(k.Name), Parent: strings.Clone(k.Parent)}
		p.text = strings.Clone(p.text)
		p.f, p.n = nil, nil
		if p.said {
			s.notAlone(p.spot)
		}
	}
	s.pieces = slices.DeleteFunc(s.pieces, func(p piece) bool { return p.text == "" })
}

// A logSpan is the span of the log record being read.
type logSpan struct {
	id  pcommon.SpanID
	set bool
}

// hitAt is a hit without a match at a text.
func (s *scan) hitAt(f *leaf.Field, n *leaf.Node, name bool) hit {
	h := hit{spot: spot{s.batch.records, n.Ord, name}, place: s.reading.At(n), where: f.Where(), span: s.name}
	if !s.mapped {
		h.place, h.shared = mapping.Place{Slot: mapping.SlotLog}, true
	}
	if !name || n != f.Root {
		h.path = n.Path()
	}
	return h
}
