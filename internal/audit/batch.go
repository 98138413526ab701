package audit

import (
	"cmp"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// A Batch is what one piece of telemetry of a trace holds. It belongs to that piece and is void once the piece was
// changed by anything but Redact.
type Batch struct {
	infos    []mapping.SpanInfo
	hits     []hit // by record, then by position
	literals []literal
	own      []ownHead              // how the values begin that were found, by record
	withheld map[int]int            // values withheld, by record
	unread   map[pcommon.SpanID]int // the same by span, none for what several share
	records  int
	above    bool // a value of a resource or a scope was withheld
	media    mediaMap
	seams    map[int]bool  // records with texts that were read together
	text     int           // bytes read
	crowded  map[spot]bool // texts that are withheld because too much was found in the batch
	spared   spared        // by the allow list
}

// A hit is one match at one place.
type hit struct {
	detect.Match
	spot
	place mapping.Place
	where string
	path  string
	span  string // the span's name, or the event name of a log record
	value string // only with KeepValues, as why
	why   []string
	copy  bool // found by its value, not by a rule
	// shared is true for what stands on a resource or a scope.
	shared bool
	// except are the channels on which it is allowed; see sift.go.
	except agentrisk.ChannelSet
}

// A spot is one text of a Batch: the record in walking order, the node in its Doc, and whether it is the node's name.
type spot struct {
	record int
	ord    int32
	name   bool
}

// Findings counts the matches.
func (b *Batch) Findings() int {
	n := 0
	for i := range b.hits {
		if !b.hits[i].Rest {
			n++
		}
	}
	return n
}

// Text is the number of bytes that were read.
func (b *Batch) Text() int { return b.text }

// Above reports whether there is a match, or a value withheld, in a resource or a scope.
func (b *Batch) Above() bool {
	for i := range b.hits {
		if b.hits[i].shared {
			return true
		}
	}
	return b.above
}

// Plain reports whether the batch adds nothing to a score: no match, nothing withheld and no text of an agent's run.
func (b *Batch) Plain() bool {
	return len(b.hits) == 0 && len(b.withheld) == 0 &&
		!slices.ContainsFunc(b.infos, func(i mapping.SpanInfo) bool { return i.Claimed })
}

// Withheld counts the values that could not be read to their end.
func (b *Batch) Withheld() int {
	n := 0
	for _, w := range b.withheld {
		n += w
	}
	return n
}

// Size is the approximate memory of the batch in bytes.
func (b *Batch) Size() int {
	n := 64 + 240*len(b.hits) + 64*len(b.literals) + 56*len(b.own) + 128*len(b.media.at) + b.spared.size()
	for i := range b.infos {
		n += b.infos[i].Size()
	}
	for i := range b.hits {
		n += len(b.hits[i].where) + len(b.hits[i].path)
	}
	return n
}

// merge adds hits in their order.
func (b *Batch) merge(hits []hit) {
	if len(hits) == 0 {
		return
	}
	b.hits = append(b.hits, hits...)
	b.order()
	// What a copy covers it stands for.
	out := b.hits[:0]
	for _, h := range b.hits {
		if n := len(out); n > 0 && out[n-1].spot == h.spot && h.Start < out[n-1].End && h.copy != out[n-1].copy {
			if h.copy {
				out[n-1] = h
			}
			continue
		}
		out = append(out, h)
	}
	b.hits = out
}

func (b *Batch) order() {
	slices.SortStableFunc(b.hits, func(x, y hit) int {
		return cmp.Or(cmp.Compare(x.record, y.record), cmp.Compare(x.ord, y.ord), compareBool(y.name, x.name), cmp.Compare(x.Start, y.Start))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// of returns the hits of one record.
func (b *Batch) of(record int) []hit {
	i, _ := slices.BinarySearchFunc(b.hits, record, func(h hit, r int) int { return cmp.Compare(h.record, r) })
	j := i
	for j < len(b.hits) && b.hits[j].record == record {
		j++
	}
	return b.hits[i:j]
}
