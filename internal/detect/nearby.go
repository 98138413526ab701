package detect

import "bytes"

// contexts finds, in one walk over a window of words, which of the registered lists
// of phrases stand in it and where the last of each ends.
type contexts struct {
	filter [16]uint64 // over a hash of a phrase's last word
	byLast map[string][]contextEntry
	n      int // lists
}

type contextEntry struct {
	phrase []byte
	id     contextID
}

// contextID numbers a list of phrases; 0 is the empty list.
type contextID uint8

// Lists that several rules share.
const (
	ctxNone contextID = iota
	ctxInnocent
	ctxGeneralMoney
	ctxPersonal
	ctxVersion
	ctxHost
	ctxSaid
	ctxGeneral
	ctxSelf
	ctxParty
	ctxSubject
	ctxModal
	ctxShared   // the first of the rules' own lists
	maxContexts = 240
)

func wordHash(w []byte) uint32 {
	n := len(w)
	return (uint32(w[0])*31 + uint32(w[n-1])*7 + uint32(w[n/2])*13 + uint32(n)) & 1023
}

// add registers phrases, in the form of appendWords, under id.
func (t *contexts) add(id contextID, list [][]byte) {
	if t.byLast == nil {
		t.byLast = map[string][]contextEntry{}
	}
	for _, p := range list {
		last := lastWord(p)
		h := wordHash(last)
		t.filter[h>>6] |= 1 << (h & 63)
		t.byLast[string(last)] = append(t.byLast[string(last)], contextEntry{p, id})
	}
}

// found is what stands in a window: for each list, where its last phrase ends.
type found struct {
	pos [maxContexts]uint8 // 0 for none
	hit []contextID
}

func (f *found) clear() {
	for _, id := range f.hit {
		f.pos[id] = 0
	}
	f.hit = f.hit[:0]
}

// read fills f for words, as appendWords writes them, of at most 255 bytes.
func (t *contexts) read(f *found, words []byte) {
	f.clear()
	for i := 1; i < len(words); {
		n := bytes.IndexByte(words[i:], ' ')
		if n < 0 {
			return
		}
		w := words[i : i+n]
		i += n + 1
		if n == 0 {
			continue
		}
		if h := wordHash(w); t.filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, e := range t.byLast[string(w)] {
			if bytes.HasSuffix(words[:i], e.phrase) {
				if f.pos[e.id] == 0 {
					f.hit = append(f.hit, e.id)
				}
				f.pos[e.id] = uint8(min(i, 255))
			}
		}
	}
}
