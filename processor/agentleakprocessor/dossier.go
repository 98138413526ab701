package agentleakprocessor

import (
	"context"

	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/wire"
)

// A dossier is what the journal keeps of one trace. The journal's lock guards it.
type dossier struct {
	live   int      // pieces that the next component does not have
	notes  []uint64 // of the ledger, by number
	bytes  int      // in notes since the last that held the whole ledger
	whole  int      // bytes of that one
	orphan bool     // the trace is forgotten: notes go with the last piece
}

// An entry is a piece in the journal. The zero entry is none.
type entry struct {
	seq uint64
	of  *dossier
}

// The versions of what is in a piece's or a note's record: the second begins with the name of a policy. What the default
// policy holds for is written in the first.
const (
	recordForm = 1
	namedForm  = 2
)

// begin starts a record of what a policy holds for.
func (j *journal) begin(policy, size int) []byte {
	dst := make([]byte, 0, 64+size)
	if policy == 0 {
		return append(dst, recordForm)
	}
	return wire.Text(append(dst, namedForm), j.policies.Name(policy))
}

// keep begins to write pieces as they came, and returns what their sender must wait for.
func (j *journal) keep(pieces []*piece) *commit {
	if j == nil {
		return nil
	}
	seq := j.number(len(pieces))
	if seq == 0 {
		return nil
	}
	ops := make([]operation, len(pieces))
	marshaler := ptrace.ProtoMarshaler{}
	for i, p := range pieces {
		data, err := marshaler.MarshalTraces(p.td)
		if err != nil { // never: it marshals whatever there is
			return &commit{err: errStorage, done: closedChan}
		}
		p.entry = entry{seq: seq + uint64(i)}
		ops[i] = j.set(pieceEntry, p.entry.seq, append(j.begin(p.policy, len(data)), data...))
	}
	return j.submit(ops)
}

// closedChan is what is done.
var closedChan = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// join counts a piece among those of a trace. A piece that was read back is among them already.
func (j *journal) join(t *trace, p *piece) {
	if j == nil || p.entry.seq == 0 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case p.entry.of != nil:
		t.kept = p.entry.of
	case t.kept == nil:
		t.kept = &dossier{}
		fallthrough
	default:
		p.entry.of = t.kept
		t.kept.live++
	}
}

// gone removes pieces that the next component has, or that were given up.
func (j *journal) gone(entries []entry) {
	if j == nil || len(entries) == 0 {
		return
	}
	ops := make([]operation, 0, len(entries))
	j.mu.Lock()
	for _, e := range entries {
		ops = append(ops, storage.DeleteOperation(entryName(pieceEntry, e.seq)))
		if d := e.of; d != nil {
			if d.live--; d.live == 0 && d.orphan {
				ops = d.clear(ops)
			}
		}
	}
	j.mu.Unlock()
	j.postpone(ops...)
}

// clear appends the removal of all notes.
func (d *dossier) clear(ops []operation) []operation {
	for _, seq := range d.notes {
		ops = append(ops, storage.DeleteOperation(entryName(noteEntry, seq)))
	}
	d.notes, d.bytes, d.whole = nil, 0, 0
	return ops
}

// forget removes what is kept of a trace, but not before its pieces are gone: were they read back, they would be scored
// without it.
func (j *journal) forget(t *trace) {
	if j == nil || t.kept == nil {
		return
	}
	var ops []operation
	j.mu.Lock()
	if t.kept.orphan = true; t.kept.live == 0 {
		ops = t.kept.clear(ops)
	}
	j.mu.Unlock()
	j.postpone(ops...)
}

// trim removes what is kept of a ledger that is dropped.
func (j *journal) trim(t *trace) {
	if j == nil || t.kept == nil {
		return
	}
	j.mu.Lock()
	ops := t.kept.clear(nil)
	j.mu.Unlock()
	j.postpone(ops...)
}

// has reports whether entries are kept still.
func (j *journal) has(entries []entry) bool {
	if j == nil || len(entries) == 0 {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return !j.broken
}

// A note is what is kept of a trace beside its pieces.
type note struct {
	id, group pcommon.TraceID
	closed    bool // it was complete, and its root is gone
	trimmed   bool
	cut       cuts
	ledger    []byte
}

func (n *note) write(dst []byte) []byte {
	dst = append(dst, n.id[:]...)
	dst = append(dst, n.group[:]...)
	dst = wire.Bool(wire.Bool(dst, n.closed), n.trimmed)
	dst = wire.Uint(dst, uint64(n.cut))
	return append(wire.Uint(dst, uint64(len(n.ledger))), n.ledger...)
}

// readNote reads what follows begin.
func readNote(data []byte) (n note, err error) {
	r := wire.NewReader(data)
	r.Into(n.id[:])
	r.Into(n.group[:])
	n.closed, n.trimmed = r.Bool(), r.Bool()
	n.cut = cuts(r.Within(uint64(allCuts)))
	n.ledger = r.Bytes()
	return n, r.Done()
}

// Of a trace that streams each departure is a note. Once notes hold more than the last whole ledger and this, they are
// replaced by a new one, so that what is written is no more than some times what there is to say.
const (
	spareNotes = 64 << 10
	maxNotes   = 256
)

// record keeps what pieces of t that leave, or log records, add to its ledger. The piece itself is removed later, so
// that at any time the one or the other is there. It returns what is to be written, and is called by who holds the lock
// of t's shard.
func (j *journal) record(a *audit.Auditor, id pcommon.TraceID, t *trace, closed bool, bs ...*audit.Batch) []operation {
	if j == nil || id.IsEmpty() {
		return nil
	}
	j.mu.Lock()
	if t.kept == nil {
		t.kept = &dossier{}
	}
	d := t.kept
	// Of most traces all leaves together, and then the ledger is what it adds.
	whole := t.group == nil && (len(d.notes) == 0 && closed || d.bytes > d.whole+spareNotes || len(d.notes) >= maxNotes)
	j.mu.Unlock()
	n := note{id: id, closed: closed, trimmed: t.trimmed, cut: t.cut}
	if t.group != nil {
		n.group = t.group.id
	}
	if whole {
		n.ledger = a.Write(t.ledger)
	} else {
		n.ledger = a.Note(bs...)
	}
	text := n.write(j.begin(t.policy, len(n.ledger)))
	seq := j.number(1)
	if seq == 0 {
		return nil
	}
	ops := []operation{j.set(noteEntry, seq, text)}
	j.tel.ProcessorAgentleakStoredBytes.Add(context.Background(), int64(len(ops[0].Value)))
	j.mu.Lock()
	if whole {
		ops = d.clear(ops)
		d.whole = len(text)
	} else {
		d.bytes += len(text)
	}
	d.notes = append(d.notes, seq)
	j.mu.Unlock()
	return ops
}
