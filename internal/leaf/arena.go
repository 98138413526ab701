package leaf

import "unsafe"

const (
	chunkLen  = 256     // nodes in a chunk
	keepNodes = 1 << 16 // nodes whose memory a Doc keeps over a Reset, about 7 MB
	keepText  = 1 << 20 // bytes of decoded text it keeps
	keepEdits = 1 << 12 // entries it keeps of its scratch lists
	firstText = 16 << 10
)

// A nodeArena hands out zeroed nodes by number. A node keeps its address until the arena is cut below it.
type nodeArena struct {
	chunks [][]Node
	n      int
}

func (a *nodeArena) next() *Node {
	at := a.n / chunkLen
	if at == len(a.chunks) {
		a.chunks = append(a.chunks, make([]Node, chunkLen))
	}
	n := &a.chunks[at][a.n%chunkLen]
	n.Ord = int32(a.n)
	a.n++
	return n
}

// cut takes back all nodes from number n on.
func (a *nodeArena) cut(n int) {
	for a.n > n {
		at := (a.n - 1) / chunkLen
		from := max(n-at*chunkLen, 0)
		clear(a.chunks[at][from : a.n-at*chunkLen])
		a.n = at*chunkLen + from
	}
}

func (a *nodeArena) reset() {
	a.cut(0)
	if len(a.chunks) > keepNodes/chunkLen {
		clear(a.chunks[keepNodes/chunkLen:])
		a.chunks = a.chunks[:keepNodes/chunkLen]
	}
}

// A textArena holds decoded text. Strings over its memory never change while they are valid: room is only given
// out behind what was kept. Reset wipes the memory, so a string kept too long reads as zero bytes, not as the
// text of another span.
type textArena struct {
	cur   []byte
	spent int // bytes in chunks before cur
}

// room returns an empty slice with space for n bytes. The caller appends at most n bytes and calls keep before
// it asks for room again.
func (a *textArena) room(n int) []byte {
	if cap(a.cur)-len(a.cur) < n {
		a.spent += len(a.cur)
		a.cur = make([]byte, 0, max(n, 2*cap(a.cur), firstText))
	}
	return a.cur[len(a.cur):]
}

// keep returns the bytes that were appended to the last room as a string.
func (a *textArena) keep(b []byte) string {
	a.cur = a.cur[:len(a.cur)+len(b)]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func (a *textArena) reset() {
	switch {
	case cap(a.cur) > keepText:
		a.cur = nil
	case a.spent > 0:
		// One chunk of the size this round took serves the next rounds without growing.
		a.cur = make([]byte, 0, min(max(a.spent+len(a.cur), 2*cap(a.cur)), keepText))
	default:
		clear(a.cur)
		a.cur = a.cur[:0]
	}
	a.spent = 0
}
