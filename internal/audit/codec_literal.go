package audit

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/wire"
)

// write appends the literals in an order of their own. Finds stand once each, since one value has literals in several
// forms.
func (l *literals) write(dst []byte) []byte {
	var finds [][]byte
	number := map[string]uint64{}
	keys := slices.SortedFunc(maps.Keys(l.known), compareKeys)
	written := make([]uint64, len(keys))
	for i, k := range keys {
		m := string(appendMatch(nil, l.known[k]))
		if _, ok := number[m]; !ok {
			number[m] = uint64(len(finds))
			finds = append(finds, []byte(m))
		}
		written[i] = number[m]
	}
	dst = wire.Uint(dst, uint64(len(finds)))
	for _, m := range finds {
		dst = append(dst, m...)
	}
	dst = wire.Uint(dst, uint64(len(keys)))
	for i, k := range keys {
		dst = append(dst, byte(k.form), byte(k.ends))
		dst = wire.Fixed(wire.Uint(dst, uint64(k.length)), k.hash)
		dst = wire.Uint(dst, written[i])
	}
	dst = wire.Uint(dst, uint64(len(l.heads)))
	for _, k := range slices.SortedFunc(maps.Keys(l.heads), compareHeads) {
		dst = wire.Uint(wire.Fixed(append(dst, byte(k.form)), k.hash), uint64(l.heads[k].least))
		dst = wire.Uint(dst, uint64(l.heads[k].most))
	}
	dst = wire.Uint(dst, uint64(len(l.mids)))
	for _, k := range slices.SortedFunc(maps.Keys(l.mids), compareHeads) {
		dst = wire.Uint(wire.Fixed(append(dst, byte(k.form)), k.hash), uint64(len(l.mids[k])))
		for _, length := range l.mids[k] {
			dst = wire.Uint(dst, uint64(length))
		}
	}
	firsts := make([][]byte, 0, len(l.firsts))
	for f := range l.firsts {
		b := append([]byte(nil), byte(f.of))
		b = wire.Uint(wire.Uint(b, uint64(f.r[0])), uint64(f.r[1]))
		firsts = append(firsts, wire.Uint(b, uint64(f.quad)))
	}
	slices.SortFunc(firsts, bytes.Compare)
	dst = wire.Uint(dst, uint64(len(firsts)))
	for _, f := range firsts {
		dst = append(dst, f...)
	}
	return dst
}

// maxReading bounds the length of a reading, which may be longer than its value by what UTF-8 and encodings add.
const maxReading = 4 * maxLiteral

// maxRune is the largest that a reading knows: a byte that is not UTF-8.
const maxRune = rawByte + 0xff

// read joins what write wrote.
func (l *literals) read(r *wire.Reader) {
	o := literals{known: map[litKey]*detect.Match{}, heads: map[headKey]lengths{}, mids: map[headKey][]int{}, firsts: map[first]struct{}{}}
	finds := make([]*detect.Match, r.Len(20))
	for i := range finds {
		m := readMatch(r)
		finds[i] = &m
	}
	for range r.Len(2 + 1 + 8 + 1) {
		k := litKey{form: form(readByte(r)), ends: ends(readByte(r)), length: int(r.Within(maxReading)), hash: r.Fixed()}
		if n := r.Uint(); n < uint64(len(finds)) && r.Err() == nil {
			o.known[k] = finds[n]
		}
	}
	for range r.Len(1 + 8 + 2) {
		k := readHead(r)
		o.heads[k] = lengths{int(r.Within(maxReading)), int(r.Within(maxReading))}
	}
	for range r.Len(1 + 8 + 1) {
		k := readHead(r)
		for range r.Len(1) {
			o.middle(k, int(r.Within(maxReading)))
		}
	}
	for range r.Len(4) {
		f := first{of: form(readByte(r))}
		f.r[0], f.r[1] = rune(r.Within(maxRune)), rune(r.Within(maxRune))
		f.quad = uint16(r.Within(1<<16 - 1))
		o.firsts[f] = struct{}{}
	}
	if r.Err() == nil {
		l.merge(&o)
	}
}

func readByte(r *wire.Reader) byte {
	var b [1]byte
	r.Into(b[:])
	return b[0]
}

func readHead(r *wire.Reader) headKey {
	return headKey{form: form(readByte(r)), hash: r.Fixed()}
}

func compareKeys(a, b litKey) int {
	return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(a.ends, b.ends), cmp.Compare(a.length, b.length), cmp.Compare(a.hash, b.hash))
}

func compareHeads(a, b headKey) int {
	return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(a.hash, b.hash))
}
