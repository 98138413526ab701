package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
	"github.com/agentleak/otelcol-agentleak/internal/wire"
)

// ledgerForm is the version of a written ledger.
const ledgerForm = 2

// Why a written ledger cannot be read.
var (
	ErrLedgerForm = errors.New("ledger is damaged or of another version")
	ErrLedgerKey  = errors.New("ledger was made with another redaction key")
)

// Write returns l as bytes, for a state that outlives the process. They hold no value and no text of telemetry but names
// of agents and tools, and keyed hashes. Equal ledgers are equal bytes.
func (a *Auditor) Write(l *Ledger) []byte {
	dst := append(wire.Uint(make([]byte, 0, 64+l.Size()/2), ledgerForm), a.mark[:]...)
	dst = l.skeleton.Append(dst)
	dst = wire.Uint(dst, uint64(len(l.secrets)))
	for _, id := range slices.SortedFunc(maps.Keys(l.secrets), func(a, b agentrisk.SecretID) int { return slices.Compare(a[:], b[:]) }) {
		s := l.secrets[id]
		dst = appendMatch(dst, &s.match)
		places := make([][]byte, 0, len(s.places))
		for p, except := range s.places {
			places = append(places, wire.Uint(p.Append(nil), uint64(except)))
		}
		slices.SortFunc(places, func(a, b []byte) int { return slices.Compare(a, b) })
		dst = wire.Uint(dst, uint64(len(places)))
		for _, p := range places {
			dst = append(dst, p...)
		}
	}
	dst = l.literals.write(dst)
	dst = wire.Uint(dst, uint64(len(l.withheld)))
	for _, id := range slices.SortedFunc(maps.Keys(l.withheld), func(a, b pcommon.SpanID) int { return slices.Compare(a[:], b[:]) }) {
		dst = wire.Uint(append(dst, id[:]...), uint64(l.withheld[id]))
	}
	return wire.Bool(dst, l.overflow)
}

// Read joins with l what Write returned, perhaps in another process with the same key and another policy. With an error
// l may hold a part of it.
func (a *Auditor) Read(l *Ledger, data []byte) error {
	r := wire.NewReader(data)
	var mark [8]byte
	form := r.Uint()
	if form != ledgerForm && form != 1 { // which knew no places that are allowed
		return ErrLedgerForm
	}
	if r.Into(mark[:]); r.Err() == nil && mark != a.mark {
		return ErrLedgerKey
	}
	l.latest = nil
	l.skeleton.Read(r)
	for range r.Len(16 + 5) {
		h := hit{Match: readMatch(r)}
		for range r.Len(mapping.MinPlace) {
			h.place = mapping.ReadPlace(r)
			if form > 1 {
				h.except = agentrisk.ChannelSet(r.Within(1<<16 - 1))
			}
			if r.Err() != nil {
				return ErrLedgerForm
			}
			l.addHits([]hit{h})
		}
	}
	l.literals.read(r)
	for range r.Len(9) {
		var id pcommon.SpanID
		r.Into(id[:])
		l.withhold(id, int(r.Within(1<<31)))
	}
	l.overflow = r.Bool() || l.overflow
	if r.Done() != nil {
		return ErrLedgerForm
	}
	return nil
}

// Note returns what b alone adds to a ledger, as Write does.
func (a *Auditor) Note(bs ...*Batch) []byte {
	var l Ledger
	for _, b := range bs {
		l.Add(a, b)
	}
	return a.Write(&l)
}

// markOf tells ledgers of different keys from each other.
func markOf(key []byte) (mark [8]byte) {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("agentleak/ledger"))
	copy(mark[:], m.Sum(nil))
	return mark
}

func appendMatch(dst []byte, m *detect.Match) []byte {
	dst = append(dst, m.ID[:]...)
	dst = wire.Text(dst, m.Rule)
	dst = wire.Text(dst, string(m.Type))
	dst = wire.Uint(dst, uint64(m.Level))
	return wire.Bool(dst, m.Token)
}

func readMatch(r *wire.Reader) (m detect.Match) {
	r.Into(m.ID[:])
	m.Rule, m.Type = r.Text(), agentrisk.DataType(r.Text())
	m.Level = agentrisk.Level(r.Within(uint64(agentrisk.L4)))
	m.Token = r.Bool()
	return m
}
