package audit

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// maxHits bounds what is remembered of one Batch, in matches of some 250 bytes each. What is found first beyond it still
// counts, the texts it stands in are withheld as a whole: a score that is too low says so, and nothing leaves.
const maxHits = 65_536

// crowdMark stands in the place of a text in which too much was found.
const crowdMark = "[WITHHELD:too_many]"

// room cuts what was found in a text to what the batch still takes. Of a text that loses some the whole is withheld.
func (b *Batch) room(at spot, span pcommon.SpanID, ms []detect.Match) []detect.Match {
	left := max(0, maxHits-len(b.hits))
	if len(ms) <= left {
		return ms
	}
	b.withhold(at.record, span, 1)
	if b.crowded == nil {
		b.crowded = map[spot]bool{}
	}
	b.crowded[at] = true
	return ms[:left]
}

// withhold counts values that are not read to their end, or not passed on.
func (b *Batch) withhold(record int, span pcommon.SpanID, n int) {
	if b.withheld == nil {
		b.withheld, b.unread = map[int]int{}, map[pcommon.SpanID]int{}
	}
	b.withheld[record] += n
	b.unread[span] += n
}

// crowd takes over what a search for copies withheld, and tells the ledger.
func (b *Batch) crowd(l *Ledger, o *Batch) {
	for at := range o.crowded {
		if b.crowded == nil {
			b.crowded = map[spot]bool{}
		}
		b.crowded[at] = true
	}
	for record, n := range o.withheld {
		b.withhold(record, pcommon.SpanID{}, n)
		l.withhold(pcommon.SpanID{}, n)
	}
}
