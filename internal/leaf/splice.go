package leaf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// json appends to w.buf the edits of a JSON text that come from the node n in it, in the order of the text.
func (w *writer) json(n *Node, text string) {
	start, end := int(n.rawStart), int(n.rawEnd)
	switch {
	case n.Withheld != NotWithheld:
		w.changed++
		w.buf = append(w.buf, Edit{start, end, `"` + n.Withheld.Marker() + `"`})
	case n.Kind == Object:
		w.members(n, text)
	case n.Kind == Array:
		for k := n.First; k != nil; k = k.Next {
			w.json(k, text)
		}
	case n.Kind == Number:
		mark := len(w.buf)
		if w.ask(n, false, n.Text); len(w.buf) > mark {
			s := splice(n.Text, w.buf[mark:])
			w.buf = append(w.buf[:mark], Edit{start, end, `"` + quotable(s) + `"`})
		}
	case n.JSON:
		mark := len(w.buf)
		w.json(n.First, n.Text)
		spell(w.buf[mark:], n.Text, text[start+1:end-1], start+1)
	case n.Kind == String:
		mark := len(w.buf)
		w.ask(n, false, n.Text)
		spell(w.buf[mark:], n.Text, text[start+1:end-1], start+1)
	}
}

// members appends the edits of an object's names and values.
func (w *writer) members(n *Node, text string) {
	var rs []rename
	bottom, i := len(w.buf), 0
	for k := n.First; k != nil; k = k.Next {
		mark := len(w.buf)
		if w.ask(k, true, k.Name); len(w.buf) > mark {
			rs = append(rs, rename{at: i, old: k.Name, now: runes(splice(k.Name, w.buf[mark:])), end: int(k.nameEnd) - 1})
			start := int(k.nameStart) + 1
			spell(w.buf[mark:], k.Name, text[start:k.nameEnd-1], start)
		}
		w.json(k, text)
		i++
	}
	if len(rs) == 0 {
		return
	}
	settle(rs, func(yield func(string) bool) {
		for k := n.First; k != nil && yield(k.Name); k = k.Next {
		}
	})
	for _, r := range rs {
		if r.suffix != "" {
			w.buf = append(w.buf, Edit{r.end, r.end, r.suffix})
		}
	}
	slices.SortStableFunc(w.buf[bottom:], func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
}

// ask appends to w.buf the edits the caller wants for a text, made proper: within the text, sorted, disjoint, none
// without effect. No edit is dropped for being improper, for it may stand for a secret.
func (w *writer) ask(n *Node, name bool, text string) {
	mark := len(w.buf)
	w.buf = append(w.buf, w.edits(w.f, n, name)...)
	es := w.buf[mark:]
	if len(es) == 0 {
		return
	}
	if byStart := func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) }; !slices.IsSortedFunc(es, byStart) {
		slices.SortStableFunc(es, byStart)
	}
	bytes := n.Kind == Bytes && !name
	kept, floor := 0, 0
	for _, e := range es {
		start := min(max(e.Start, 0), len(text))
		end := min(max(e.End, start), len(text))
		if text[start:end] == e.New {
			continue
		}
		if !bytes {
			if empty := start == end; empty {
				start = runeStart(text, start)
				end = start
			} else {
				start, end = runeStart(text, start), runeEnd(text, end)
			}
		}
		start = max(start, floor)
		floor = max(start, end)
		es[kept] = Edit{start, floor, e.New}
		kept++
	}
	w.buf = w.buf[:mark+kept]
	if kept > 0 {
		w.changed++
	}
}

// runeStart returns i, or the start of the rune that has i inside it.
func runeStart(s string, i int) int {
	if i == len(s) || utf8.RuneStart(s[i]) {
		return i
	}
	for at := i - 1; at >= 0 && at > i-utf8.UTFMax; at-- {
		if utf8.RuneStart(s[at]) {
			if _, size := utf8.DecodeRuneInString(s[at:]); at+size > i {
				return at
			}
			break
		}
	}
	return i // a byte that belongs to no rune
}

// runeEnd returns i, or the end of the rune that has i inside it.
func runeEnd(s string, i int) int {
	if at := runeStart(s, i); at < i {
		_, size := utf8.DecodeRuneInString(s[at:])
		return at + size
	}
	return i
}

// splice applies edits to a text. The result shares no memory with the text.
func splice(text string, es []Edit) string {
	size := len(text)
	for _, e := range es {
		size += len(e.New) - (e.End - e.Start)
	}
	var b strings.Builder
	b.Grow(size)
	at := 0
	for _, e := range es {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// spell turns edits of a decoded text into edits of the JSON text it was decoded from, where raw is the inside of its
// token and base where that begins.
func spell(es []Edit, text, raw string, base int) {
	if len(es) == 0 {
		return
	}
	c := cursor{raw: raw}
	plain := text == raw
	for i := range es {
		e := &es[i]
		if !plain {
			e.Start = c.seek(e.Start)
			e.End = c.seek(e.End)
		}
		e.Start += base
		e.End += base
		e.New = quotable(e.New)
	}
}

// A rename is one entry of a map or object that gets another name.
type rename struct {
	at       int    // index of the entry
	old, now string // its names
	suffix   string // what settle appended to now
	end      int    // where the name's token ends in the JSON text, if it is one
}

// settle makes new names differ from the names of all other entries, but for entries that had one name before.
// The renames are in the order of the entries, whose old names are given by names.
func settle(rs []rename, names func(func(string) bool)) {
	taken := make(map[string]bool)
	i, next := 0, 0
	for name := range names {
		if next < len(rs) && rs[next].at == i {
			next++
		} else {
			taken[name] = true
		}
		i++
	}
	type pair struct{ old, now string }
	done := make(map[pair]string)
	count := make(map[string]int)
	for i := range rs {
		r := &rs[i]
		p := pair{r.old, r.now}
		suffix, again := done[p]
		if !again {
			for taken[r.now+suffix] {
				count[r.now] = max(count[r.now], 1) + 1
				suffix = "#" + strconv.Itoa(count[r.now])
			}
			taken[r.now+suffix] = true
			done[p] = suffix
		}
		r.suffix = suffix
		r.now += suffix
	}
}
