package audit

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// A scan walks telemetry record by record: resources, scopes, spans or log records, in the order of the data, so that
// a record's number is the same each time the same telemetry is walked.
type scan struct {
	a       *Auditor
	doc     *leaf.Doc
	batch   *Batch
	keys    map[detect.Key]textID
	buf     []detect.Match
	media   []detect.Media // of the text that matches looked at last
	names   *cleanNames
	reading mapping.Reading
	read    func() mapping.Reading // nil once the record was mapped
	name    string                 // of the record's span
	mapped  bool                   // the record has a reading

	// The search for copies: what a rule found already in the batch, and the values to look for.
	found  map[spot][]detect.Match
	finder *finder // nil: apply rules
	spare  *finder // to be one again
	of     *Batch  // that is searched

	allow  *allowing              // nil: nothing is allowed
	except []agentrisk.ChannelSet // of the matches at hand, where any are allowed on a channel
	gone   map[spot][]detect.Match

	// Texts that are pieces of one: see stream.go.
	pieces   []piece
	streamed map[spot]bool // read together, not alone
	span     logSpan
	unsorted bool
	collect  func(*leaf.Field, *leaf.Node, bool, string)
}

func (a *Auditor) scan() *scan {
	s := a.scans.Get().(*scan)
	s.batch = &Batch{}
	if a.allow != nil {
		s.allow = a.allow.on.Load()
	}
	return s
}

func (s *scan) done() {
	s.doc.Reset()
	clear(s.pieces[:cap(s.pieces)])
	if s.finder != nil {
		s.spare.l, s.spare.idle = nil, nil
	}
	*s = scan{
		a: s.a, names: s.names, spare: s.spare, doc: s.doc, keys: s.keys, buf: s.buf[:0], except: s.except[:0], pieces: s.pieces[:0],
		streamed: s.streamed, collect: s.collect,
	}
	s.a.scans.Put(s)
}

// finish returns the batch, its hits in walking order: texts read together were found out of it.
func (s *scan) finish() *Batch {
	if s.unsorted {
		s.batch.order()
	}
	return s.batch
}

// copies makes the scan look for known values instead of applying rules.
func (s *scan) copies(b *Batch, l *Ledger) {
	if s.spare == nil {
		s.spare = &finder{}
	}
	s.finder = s.spare
	s.finder.set(s.a.lit, &l.literals)
	s.of = b
	s.finder.idle = l.idle()
	for i := range b.spared.finds {
		if h := &b.spared.finds[i]; s.gone == nil {
			s.gone = map[spot][]detect.Match{h.spot: {h.Match}}
		} else {
			s.gone[h.spot] = append(s.gone[h.spot], h.Match)
		}
	}
	s.found = map[spot][]detect.Match{}
	for i := range b.hits {
		h := &b.hits[i]
		s.found[h.spot] = append(s.found[h.spot], h.Match)
	}
}

// reread reports whether the search for copies reads the record at hand without a look at its raw texts first: some were
// read together, or are media, which the filter would go through sign by sign.
func (s *scan) reread() bool {
	return s.of.seams[s.batch.records] || s.of.media.records[s.batch.records]
}

func (s *scan) traces(td ptrace.Traces) {
	if s.finder == nil {
		s.batch.infos = make([]mapping.SpanInfo, 0, td.SpanCount())
	}
	for _, rs := range td.ResourceSpans().All() {
		s.shared(func() { s.doc.Resource(rs.Resource(), rs.SchemaUrl()) })
		for _, ss := range rs.ScopeSpans().All() {
			s.shared(func() { s.doc.Scope(ss.Scope(), ss.SchemaUrl()) })
			for _, span := range ss.Spans().All() {
				if s.finder != nil && !s.reread() && !s.finder.span(span, s.of.headsOf(s.batch.records)) {
					s.batch.records++
					continue
				}
				s.doc.Reset()
				s.doc.Span(span)
				s.mapped, s.name = true, span.Name()
				s.record(func() mapping.Reading { return s.a.mapper.Span(span, ss.Scope().Name(), s.doc) })
			}
		}
	}
}

func (s *scan) logs(ld plog.Logs) {
	index := 0
	for _, rl := range ld.ResourceLogs().All() {
		s.shared(func() { s.doc.Resource(rl.Resource(), rl.SchemaUrl()) })
		for _, sl := range rl.ScopeLogs().All() {
			s.shared(func() { s.doc.Scope(sl.Scope(), sl.SchemaUrl()) })
			for _, lr := range sl.LogRecords().All() {
				if s.finder != nil && !s.reread() && !s.finder.log(lr, s.of.headsOf(s.batch.records)) {
					s.batch.records++
					index++
					continue
				}
				s.doc.Reset()
				s.doc.Log(lr, index)
				index++
				s.mapped, s.name, s.span = true, lr.EventName(), logSpan{lr.SpanID(), true}
				s.record(func() mapping.Reading { return s.a.mapper.Log(lr, sl.Scope().Name(), s.doc) })
			}
		}
	}
	s.order()
	s.streams(true, true)
	s.streams(false, true)
	s.forget()
}

// shared reads what several spans share: a resource or a scope. It belongs to no span and is channel log (R11).
func (s *scan) shared(fill func()) {
	s.doc.Reset()
	fill()
	s.mapped, s.name = false, ""
	s.record(nil)
}

// record reads the record that the Doc holds; read maps it. The search for copies maps only what it finds one in.
func (s *scan) record(read func() mapping.Reading) {
	b := s.batch
	s.read, s.reading = read, mapping.Reading{}
	if s.finder == nil {
		s.mapNow()
	}
	if n := s.doc.Withheld(); n > 0 && s.finder == nil {
		b.withhold(b.records, s.reading.Info.ID, n)
		b.above = b.above || !s.mapped
	}
	if s.mapped && s.finder == nil {
		b.infos = append(b.infos, s.reading.Info)
	}
	alone := s.mapped && !s.span.set
	switch {
	case alone:
		s.doc.Texts(s.collect)
		s.order()
		s.streams(true, false)
	case s.mapped:
		s.gatherLog()
	}
	s.doc.Texts(s.text)
	if alone {
		s.streams(false, false)
		s.forget()
	}
	s.reading.Release()
	b.records++
}

func (s *scan) mapNow() {
	if s.read != nil {
		s.reading, s.read = s.read(), nil
	}
}

// copiesIn finds known values in a text. One may stand inside a find of a lower level, such as a card in what was taken
// for a telephone number: it then covers all of both, and stands for both (Batch.merge).
func (s *scan) copiesIn(text string, taken []detect.Match) []detect.Match {
	soft := func(m detect.Match) bool { return !m.Token && m.Level >= agentrisk.L1 && m.Level < agentrisk.L4 }
	if !slices.ContainsFunc(taken, soft) {
		return s.finder.find(s.buf[:0], text, taken)
	}
	hard := make([]detect.Match, 0, len(taken))
	for _, m := range taken {
		if !soft(m) {
			hard = append(hard, m)
		}
	}
	ms := s.finder.find(s.buf[:0], text, hard)
	out := ms[:0]
next:
	for _, m := range ms {
		start, end := m.Start, m.End
		for _, t := range taken {
			if !soft(t) || t.Start >= m.End || m.Start >= t.End {
				continue
			}
			if t.Level >= m.Level {
				continue next
			}
			start, end = min(start, t.Start), max(end, t.End)
		}
		if n := len(out); n > 0 && start < out[n-1].End {
			out[n-1].End = max(end, out[n-1].End) // two inside one find
			continue
		}
		m.Start, m.End = start, end
		out = append(out, m)
	}
	return out
}

func (s *scan) text(f *leaf.Field, n *leaf.Node, name bool, text string) {
	s.batch.text += len(text)
	if len(text) < 3 {
		return
	}
	at := spot{s.batch.records, n.Ord, name}
	if len(s.streamed) > 0 && s.streamed[at] {
		return
	}
	var ms []detect.Match
	switch {
	case s.finder != nil:
		ms = s.copiesIn(text, s.taken(at))
	case name && s.names.clean(text):
		return
	default:
		ms = s.matches(keyOf(f, n, name), text)
		for _, m := range s.media {
			s.batch.media.add(at, medium{Media: m})
		}
		if name && len(ms)+len(s.media) == 0 {
			s.names.put(text)
		}
	}
	if s.allow != nil && len(ms) > 0 {
		ms = s.sift(f, n, name, at, text, ms)
	}
	if len(ms) == 0 {
		return
	}
	s.mapNow()
	where := s.hitAt(f, n, name)
	for i, m := range s.batch.room(at, s.reading.Info.ID, ms) {
		h := where
		h.Match, h.copy = m, s.finder != nil
		if len(s.except) > 0 {
			h.except = s.except[i]
		}
		if s.a.keep {
			h.value = strings.Clone(text[m.Start:m.End])
			if !h.copy {
				h.why = s.a.scanner.Explain(keyOf(f, n, name), text, m)
			}
		}
		s.batch.hits = append(s.batch.hits, h)
		if s.finder == nil && !m.Token {
			s.known(text[m.Start:m.End], m, n.Kind == leaf.String || name)
		}
	}
	s.buf = ms[:0]
}

// known adds a value to those to look for. Where it was found encoded as a whole, its plain form is one too. spelled
// says that it stands in the telemetry as it does in the text, but for escapes.
func (s *scan) known(value string, m detect.Match, spelled bool) {
	n := len(s.batch.literals)
	s.batch.literals = s.a.lit.append(s.batch.literals, value, m)
	if spelled && asSpelled(value) {
		own, ok := literal{}, len(s.batch.literals) > n
		if ok {
			own = s.batch.literals[n]
		} else {
			again := m // only this one escapes
			own, ok = s.a.lit.own(strings.TrimSpace(value), &again)
		}
		if ok {
			s.batch.own = append(s.batch.own, ownHead{s.batch.records, own.head, own.litKey, own.match})
		}
	}
	inside, ok := decodeText(value)
	if !ok {
		return
	}
	for _, inner := range s.a.scanner.Scan(nil, detect.Key{}, inside) {
		if inner.ID == m.ID {
			s.batch.literals = s.a.lit.append(s.batch.literals, inside[inner.Start:inner.End], m)
		}
	}
}

// decodeText reads a value that is hex or base64 of a text.
func decodeText(v string) (string, bool) {
	if len(v) < 12 || len(v) > 2*maxLiteral || strings.ContainsAny(v, " \t\n.:@") {
		return "", false
	}
	b, err := hex.DecodeString(v)
	if err != nil {
		plain := strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(v), "=")
		if b, err = base64.RawStdEncoding.DecodeString(plain); err != nil {
			return "", false
		}
	}
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7F {
			return "", false
		}
	}
	return string(b), utf8.Valid(b)
}

// matches scans a text once for each key it stands under, and leaves its media in s. The result is void with the next
// call. A text that is mostly media is not remembered: hashing it costs more than reading what stands around the media.
func (s *scan) matches(key detect.Key, text string) []detect.Match {
	s.media = detect.FindMedia(s.media[:0], key, text)
	around := len(text)
	for _, m := range s.media {
		around -= m.End - m.Start
	}
	if len(text) < memoFrom || around < len(text)/2 {
		s.buf = s.a.scanner.ScanAround(s.buf[:0], key, text, s.media)
		return s.buf
	}
	id := s.a.memo.id(s.words(key), text).with(s.media)
	if s.allow != nil {
		id.a += uint64(s.allow.off) // what was found by other rows is not what is found now
	}
	var ok bool
	if s.buf, ok = s.a.memo.get(s.buf[:0], id); !ok {
		s.buf = s.a.scanner.ScanAround(s.buf[:0], key, text, s.media)
		s.a.memo.put(id, s.buf)
	}
	return s.buf
}

// cleanNames remembers names of members in which nothing was found: more than half of the texts of JSON are names, and
// few are different ones.
type cleanNames [256]struct {
	length uint8
	name   [31]byte
}

func placeOf(name string) uint32 {
	n := len(name)
	return (uint32(name[0]) | uint32(name[n/2])<<8 | uint32(name[n-1])<<16 | uint32(n)<<24) * 0x9E3779B1 >> 24
}

func (c *cleanNames) clean(name string) bool {
	x := &c[placeOf(name)]
	return string(x.name[:x.length]) == name
}

func (c *cleanNames) put(name string) {
	if x := &c[placeOf(name)]; len(name) <= len(x.name) {
		x.length = uint8(copy(x.name[:], name))
	}
}

// keyOf names what a text stands under: its own member name or that of the list around it, else the attribute's key.
// In {"name": "Authorization", "value": "..."} the value stands under the name, and what a member beside it
// says is media under that word. Names are texts under no key.
func keyOf(f *leaf.Field, n *leaf.Node, name bool) detect.Key {
	if name {
		return detect.Key{}
	}
	var key detect.Key
	for at := n; at != nil; at = at.Parent {
		label := at.Name
		if label == "" {
			continue
		}
		if key.Name != "" {
			key.Parent = label
			break
		}
		if label == "value" || label == "Value" {
			for _, member := range [...]string{"name", "key", "Name", "Key", "header", "field"} {
				if k := at.Parent.Member(member); k != nil && k.Kind == leaf.String && k.Text != "" && len(k.Text) <= 64 {
					label = k.Text
					break
				}
			}
		}
		key.Name = label
	}
	switch {
	case key.Name == "":
		key.Name = f.Key
	case key.Parent == "":
		key.Parent = f.Key
	}
	if c := claim(n); c != "" {
		key.Parent = c
	}
	return key
}
