package audit

import (
	"cmp"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// What a row of the allow list tells by value is known at once, everywhere (detect.AllowList). What it tells by key path
// is known when a text is read. What it tells by channel is known when the trace closes: until then a find has the set
// of channels on which it is none, and the ledger the set for each place.

// unsure is a member of such a set beside the channels: that of a place whose channel more spans may change.
const unsure = agentrisk.ChannelSet(1 << 15)

// allBut is all members of such a set but a channel.
func allBut(c agentrisk.Channel) agentrisk.ChannelSet {
	return (unsure | 1<<agentrisk.NumChannels - 1) &^ (1 << c)
}

// standing is the member of a set that a place is at by t. Where the slot alone does not tell and spans are missing, a
// row by channel does not hold: what would leave by it could not be called back.
func standing(t *mapping.Tree, p mapping.Place) agentrisk.ChannelSet {
	if !t.Complete() && !p.Slot.Fixed() {
		return unsure
	}
	ch, _ := t.Channel(p)
	return 1 << ch
}

// A find is a match, and where it is none.
type find struct {
	detect.Match
	except agentrisk.ChannelSet
}

// rowsAt are the placed rows that hold where a text stands, those of a channel included.
func (s *scan) rowsAt(f *leaf.Field, n *leaf.Node) (rows []*allowRow) {
	if len(s.allow.placed) == 0 {
		return nil
	}
	var path *keyPath
	for _, r := range s.allow.placed {
		if r.path != nil {
			if path == nil {
				p := keyPathOf(f, n)
				path = &p
			}
			if !r.path.holds(*path) {
				continue
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// rowsOn are those of rows that hold on a channel, or where that is not decided.
func rowsOn(rows []*allowRow, c agentrisk.Channel, decided bool) (on []*allowRow) {
	for _, r := range rows {
		if !r.onChannel || decided && r.channel == c {
			on = append(on, r)
		}
	}
	return on
}

// variants asks look what stands in a text by the rows that hold everywhere and those of rows, for each channel that one
// of them names. What is allowed is apart from the rest.
func (s *scan) variants(rows []*allowRow, look func(*detect.AllowList) []detect.Match) (keep, gone []find) {
	out, in := detect.TakeAllowed(nil, look(s.allow.list(rowsOn(rows, 0, false))))
	for _, m := range in {
		keep = append(keep, find{Match: m})
	}
	for _, m := range out {
		gone = append(gone, find{Match: m})
	}
	var on agentrisk.ChannelSet
	for _, r := range rows {
		if r.onChannel {
			on.Add(r.channel)
		}
	}
	for _, c := range on.Channels() {
		gone2, keep2 := detect.TakeAllowed(nil, look(s.allow.list(rowsOn(rows, c, true))))
		for i := range keep {
			if keep[i].except&unsure == 0 && !slices.Contains(keep2, keep[i].Match) {
				keep[i].except |= 1 << c
			}
		}
		keep, gone = onlyOn(keep, keep2, c), onlyOn(gone, gone2, c)
	}
	slices.SortStableFunc(keep, func(a, b find) int { return cmp.Compare(a.Start, b.Start) })
	return keep, gone
}

// onlyOn adds what is among ms and not yet among fs, as being there on one channel.
func onlyOn(fs []find, ms []detect.Match, c agentrisk.Channel) []find {
	for _, m := range ms {
		same := func(f find) bool { f.Allowed = m.Allowed; return f.Match == m } // by whichever row
		switch i := slices.IndexFunc(fs, same); {
		case i < 0:
			fs = append(fs, find{m, allBut(c)})
		case fs[i].except&unsure != 0:
			fs[i].except &^= 1 << c
		}
	}
	return fs
}

// sift takes out of the matches of a text what is allowed there.
func (s *scan) sift(f *leaf.Field, n *leaf.Node, name bool, at spot, text string, ms []detect.Match) []detect.Match {
	s.except = s.except[:0]
	rows := s.rowsAt(f, n)
	look := func(l *detect.AllowList) []detect.Match {
		return s.a.scanner.ScanAllowing(nil, keyOf(f, n, name), text, s.media, l)
	}
	if s.finder != nil {
		look = s.copiesBut(s.gone[at], func() []detect.Match { return s.copiesIn(text, s.taken(at)) })
		if len(rows) == 0 {
			ms = look(s.allow.list(nil))
		}
	}
	if len(rows) == 0 && !slices.ContainsFunc(ms, func(m detect.Match) bool { return m.Allowed != 0 }) {
		return ms
	}
	s.mapNow()
	where := s.hitAt(f, n, name)
	s.batch.spared.noteRows(where.spot, where.place, rows)
	var keep, gone []find
	if len(rows) > 0 {
		keep, gone = s.variants(rows, look)
	} else {
		out, in := detect.TakeAllowed(nil, ms)
		for _, m := range out {
			gone = append(gone, find{Match: m})
		}
		ms = in
	}
	for _, g := range gone {
		s.batch.spared.noteSpared(where, g)
	}
	if len(rows) == 0 {
		return ms
	}
	ms = make([]detect.Match, len(keep))
	for i, k := range keep {
		ms[i] = k.Match
		s.except = append(s.except, k.except)
		s.batch.spared.open = s.batch.spared.open || k.except != 0
	}
	return ms
}

// copiesBut makes of a search for copies one that tells what is allowed, by what rules found of that in the text.
func (s *scan) copiesBut(gone []detect.Match, search func() []detect.Match) func(*detect.AllowList) []detect.Match {
	return func(l *detect.AllowList) []detect.Match {
		s.finder.sparing = sparing{list: l, spared: gone}
		ms := append(slices.Clone(search()), s.finder.gone...)
		s.finder.sparing = sparing{}
		slices.SortStableFunc(ms, func(a, b detect.Match) int { return cmp.Compare(a.Start, b.Start) })
		return ms
	}
}

// siftJoined is sift for a text that was joined from pieces. It leaves what is allowed among the matches.
func (s *scan) siftJoined(ps []piece, ms []detect.Match, look func(*detect.AllowList) []detect.Match) []find {
	var rows []*allowRow // that hold for all pieces
	for i := range ps {
		p := &ps[i]
		own := p.rows
		if p.n != nil {
			own = s.rowsAt(p.f, p.n)
		}
		if len(own) > 0 {
			s.batch.spared.noteRows(p.spot, s.hitOf(p).place, own)
		}
		if i == 0 {
			rows = own
		} else {
			rows = slices.DeleteFunc(slices.Clone(rows), func(r *allowRow) bool { return !slices.Contains(own, r) })
		}
	}
	if len(rows) > 0 || s.finder != nil {
		keep, gone := s.variants(rows, look)
		return append(keep, gone...)
	}
	return findsOf(ms)
}

func findsOf(ms []detect.Match) []find {
	fs := make([]find, len(ms))
	for i, m := range ms {
		fs[i].Match = m
	}
	return fs
}

// A spared is what a Batch holds of the allow list.
type spared struct {
	open   bool  // some finds depend on channels that are not decided
	closed bool  // they were decided
	exempt []hit // those decided to be none; they join ledgers like all others
	finds  []hit // that are allowed
	hits   []int // of each row, by number
	rows   map[spot]spotRows
}

// spotRows are the placed rows that hold for a text.
type spotRows struct {
	rows  []*allowRow
	place mapping.Place
	on    agentrisk.ChannelSet // decided, or 0
}

func (x *spared) noteRows(at spot, p mapping.Place, rows []*allowRow) {
	if len(rows) == 0 || len(x.rows) >= maxHits {
		return
	}
	if x.rows == nil {
		x.rows = map[spot]spotRows{}
	}
	x.rows[at] = spotRows{rows: rows, place: p}
}

func (x *spared) noteSpared(h hit, f find) {
	h.Match, h.except = f.Match, f.except
	x.open = x.open || f.except != 0
	if len(x.finds) < maxHits {
		x.finds = append(x.finds, h)
	}
	if f.except == 0 {
		x.count(h.Match)
	}
}

func (x *spared) count(m detect.Match) {
	if m.Rest {
		return
	}
	for len(x.hits) < int(m.Allowed) {
		x.hits = append(x.hits, 0)
	}
	x.hits[m.Allowed-1]++
}

func (x *spared) join(o *spared) {
	x.exempt, x.finds = append(x.exempt, o.exempt...), append(x.finds, o.finds...)
	for i, n := range o.hits {
		for len(x.hits) <= i {
			x.hits = append(x.hits, 0)
		}
		x.hits[i] += n
	}
	for at, r := range o.rows {
		if x.rows == nil {
			x.rows = map[spot]spotRows{}
		}
		x.rows[at] = r
	}
}

func (x *spared) size() int { return 240*(len(x.exempt)+len(x.finds)) + 96*len(x.rows) }

// Allowed counts, for each row of the allow list in its order, the places where it took a find out. Rows at the end that
// took none are left out. It must not be changed.
func (b *Batch) Allowed() []int { return b.spared.hits }

// decide settles what in b depends on channels, by what l knows now. Nothing in b is open afterwards.
func (a *Auditor) decide(b *Batch, l *Ledger) {
	x := &b.spared
	if !x.open && len(x.rows) == 0 {
		return
	}
	t := l.tree()
	for at, r := range x.rows {
		r.on = standing(t, r.place)
		x.rows[at] = r
	}
	if !x.open {
		return
	}
	kept := b.hits[:0]
	for _, h := range b.hits {
		if h.except&standing(t, h.place) != 0 {
			x.exempt = append(x.exempt, h)
		} else {
			kept = append(kept, h)
		}
	}
	b.hits = kept
	x.finds = slices.DeleteFunc(x.finds, func(h hit) bool {
		out := h.except&standing(t, h.place) != 0
		if !out && h.except != 0 {
			x.count(h.Match)
		}
		return out
	})
	x.open, x.closed = false, true
}

// listAt is the rows that hold for a text of b, nil where they are those that hold everywhere.
func (a *Auditor) listAt(b *Batch, at spot) *detect.AllowList {
	r, ok := b.spared.rows[at]
	if !ok {
		return nil
	}
	rows := rowsOn(r.rows, 0, false)
	for c := range agentrisk.Channel(agentrisk.NumChannels) {
		if r.on == 1<<c {
			rows = rowsOn(r.rows, c, true)
		}
	}
	return a.allow.on.Load().list(rows)
}

// idle are the secrets that are allowed wherever they stood. Their values are not looked for elsewhere.
func (l *Ledger) idle() map[agentrisk.SecretID]bool {
	if !l.excepts {
		return nil
	}
	t := l.tree()
	out := map[agentrisk.SecretID]bool{}
	for id, s := range l.secrets {
		if !s.active(t) {
			out[id] = true
		}
	}
	return out
}

// active reports whether the secret is a find anywhere.
func (s *secret) active(t *mapping.Tree) bool {
	for p, except := range s.places {
		if except == 0 || except&standing(t, p) == 0 {
			return true
		}
	}
	return false
}

// An AllowedFind is a place where a row of the allow list took a find out.
type AllowedFind struct {
	SpanID      pcommon.SpanID
	Where, Path string // as those of a Finding
	Row         int    // its place in the list
}

// AllowedFinds returns what the allow list took out of a batch.
func (s *Score) AllowedFinds(b *Batch) []AllowedFind {
	var out []AllowedFind
	for i := range b.spared.finds {
		h := &b.spared.finds[i]
		if !h.Rest && (b.spared.closed || h.except&standing(s.tree, h.place) == 0) {
			out = append(out, AllowedFind{h.place.Span, h.where, h.path, int(h.Allowed) - 1})
		}
	}
	return out
}
