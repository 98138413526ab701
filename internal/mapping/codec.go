package mapping

import (
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/wire"
)

// What a SpanInfo and a Place are as bytes, for state that outlives a process. There is no version here: whoever writes
// them states one. Reading checks what later code relies on, since a store may hold anything.

// Append adds the skeleton to dst, spans in the order of their ids, so that equal skeletons are equal bytes.
func (s *Skeleton) Append(dst []byte) []byte {
	ids := make([]pcommon.SpanID, 0, len(s.spans))
	for id := range s.spans {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b pcommon.SpanID) int { return slices.Compare(a[:], b[:]) })
	dst = wire.Uint(dst, uint64(len(ids)))
	for _, id := range ids {
		dst = s.spans[id].append(dst)
	}
	return dst
}

// Read joins what Append wrote. What r cannot read is left out; r says so.
func (s *Skeleton) Read(r *wire.Reader) {
	for range r.Len(minInfo) {
		var i SpanInfo
		if i.read(r); r.Err() != nil {
			return
		}
		s.Add(&i)
	}
}

// minInfo is the least that an info takes in bytes: three ids, eleven small fields and six lengths.
const minInfo = 3*8 + 16

func (i *SpanInfo) append(dst []byte) []byte {
	dst = append(dst, i.ID[:]...)
	dst = append(dst, i.Parent[:]...)
	dst = append(dst, i.CopyOf[:]...)
	dst = wire.Uint(dst, uint64(i.Kind))
	dst = wire.Uint(dst, i.Start)
	dst = wire.Uint(dst, i.End)
	dst = wire.Bool(dst, i.Seen)
	dst = wire.Bool(dst, i.Claimed)
	dst = wire.Text(dst, i.Name)
	dst = wire.Text(dst, i.Agent)
	dst = wire.Fixed(dst, i.Tool)
	dst = wire.Fixed(dst, i.Call)
	dst = wire.Uint(dst, uint64(i.Flag))
	dst = wire.Bool(dst, i.Calls)
	for _, h := range []hashes{i.User, i.Pieces, i.In, i.Out, i.Last} {
		dst = wire.Uint(dst, uint64(len(h)))
		for _, x := range h {
			dst = wire.Fixed(dst, x)
		}
	}
	ids := make([]uint64, 0, len(i.Names))
	for id := range i.Names {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	dst = wire.Uint(dst, uint64(len(ids)))
	for _, id := range ids {
		dst = wire.Fixed(wire.Fixed(dst, id), i.Names[id])
	}
	return dst
}

func (i *SpanInfo) read(r *wire.Reader) {
	r.Into(i.ID[:])
	r.Into(i.Parent[:])
	r.Into(i.CopyOf[:])
	i.Kind = Kind(r.Within(uint64(KindSpeak)))
	i.Start, i.End = r.Uint(), r.Uint()
	i.Seen, i.Claimed = r.Bool(), r.Bool()
	i.Name, i.Agent = r.Text(), r.Text()
	i.Tool, i.Call = r.Fixed(), r.Fixed()
	i.Flag = Flag(r.Within(1<<16 - 1))
	i.Calls = r.Bool()
	for _, h := range []*hashes{&i.User, &i.Pieces, &i.In, &i.Out, &i.Last} {
		for range r.Len(8) {
			h.add(r.Fixed()) // keeps it sorted and bounded, whatever was written
		}
	}
	for range r.Len(16) {
		if i.Names == nil {
			i.Names = map[uint64]uint64{}
		}
		if id, name := r.Fixed(), r.Fixed(); len(i.Names) < maxTexts {
			i.Names[id] = name
		}
	}
}

// MinPlace is the least that a place takes in bytes.
const MinPlace = 8 + 4 + 16

// Append adds p to dst.
func (p Place) Append(dst []byte) []byte {
	dst = append(dst, p.Span[:]...)
	dst = wire.Uint(dst, uint64(p.Slot))
	dst = wire.Uint(dst, uint64(p.Unit))
	dst = wire.Uint(dst, uint64(p.Flag))
	dst = wire.Uint(dst, uint64(p.Channel))
	return wire.Fixed(wire.Fixed(dst, p.Text), p.Tool)
}

// ReadPlace reads what Append wrote.
func ReadPlace(r *wire.Reader) (p Place) {
	r.Into(p.Span[:])
	p.Slot = Slot(r.Within(uint64(lastSlot)))
	p.Unit = Unit(r.Within(uint64(lastUnit)))
	p.Flag = Flag(r.Within(1<<16 - 1))
	p.Channel = agentrisk.Channel(r.Within(uint64(agentrisk.NumChannels - 1)))
	p.Text, p.Tool = r.Fixed(), r.Fixed()
	return p
}
