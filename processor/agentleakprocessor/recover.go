package agentleakprocessor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.uber.org/zap"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/seal"
	"github.com/agentleak/otelcol-agentleak/internal/wire"
)

var (
	// errRecovering goes to senders while what was kept is taken up.
	errRecovering = errors.New("agentleak: reading back what was kept before the restart, try again soon")
	// errStoreBroken goes into the component's status.
	errStoreBroken = errors.New("the storage is damaged or not available: spans that are held would not survive a crash")
)

// What a start found in the storage.
type leftover struct {
	pieces  []keptPiece // by number
	notes   []keptNote
	skipped int // records that cannot be read
}

type keptPiece struct {
	seq    uint64
	policy string
	td     []byte
}

type keptNote struct {
	seq    uint64
	policy string
	note
}

// openJournal opens the storage that the configuration names, nil when it names none. It fails for what the
// configuration is to blame for. A store that is damaged or cannot be opened is no reason not to start: what can be read
// of it is taken up, the rest is skipped.
func openJournal(ctx context.Context, host component.Host, id component.ID, c *Config, policies *audit.Set, tel *telemetry, logger *zap.Logger, st *status) (*journal, leftover, error) {
	if c.Storage == nil {
		return nil, leftover{}, nil
	}
	ext, ok := host.GetExtensions()[*c.Storage]
	if !ok {
		return nil, leftover{}, fmt.Errorf("storage: %s: no such extension: want one of service::extensions", c.Storage)
	}
	provider, ok := ext.(storage.Extension)
	if !ok {
		return nil, leftover{}, fmt.Errorf("storage: %s: not a storage extension", c.Storage)
	}
	box := seal.Clear()
	if !c.StorageInClear {
		var err error
		if box, err = seal.New([]byte(c.StorageKey)); err != nil {
			return nil, leftover{}, fmt.Errorf("storage_key: %w", err)
		}
	}
	client, err := getClient(ctx, provider, id)
	if err == nil {
		if _, ok := client.(storage.Walker); !ok {
			return nil, leftover{}, errors.Join(
				fmt.Errorf("storage: %s: cannot list what it keeps: want an extension that can, such as file_storage", c.Storage),
				client.Close(ctx))
		}
	}
	j := newJournal(client, box, id.String(), policies, tel)
	j.health = func(err error) {
		st.set(trouble{errStorage, "the storage refuses what is to be kept", "the storage takes what is to be kept again"}, errors.Is(err, errStorage))
		if errors.Is(err, errStoreBroken) {
			st.set(trouble{err: errStoreBroken, begins: errStoreBroken.Error()}, true)
		}
	}
	if err != nil {
		// What the storage says names its file, and nothing that was sent.
		logger.Error("the storage cannot be opened", zap.Error(err))
		j.client = storage.NewNopClient()
		j.breakOff()
		return j, leftover{}, nil
	}
	left, ok := j.load(ctx, client.(storage.Walker))
	if left.skipped > 0 || !ok {
		tel.ProcessorAgentleakSkippedRecords.Add(ctx, int64(max(left.skipped, 1)))
		logger.Error("a part of the storage cannot be read and is skipped: it is damaged, or was written with another storage_key or redaction.key",
			zap.Int("records skipped", left.skipped), zap.Bool("read to its end", ok))
	}
	if !ok {
		j.breakOff()
	}
	return j, left, nil
}

// getClient turns the panic of a storage that meets a damaged file into an error.
func getClient(ctx context.Context, provider storage.Extension, id component.ID) (client storage.Client, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errors.New("the storage is damaged")
		}
	}()
	return provider.GetClient(ctx, component.KindProcessor, id, "traces")
}

// load reads all that is kept, and reports whether it came to the end. It removes nothing: what cannot be read now may
// be with another key.
func (j *journal) load(ctx context.Context, w storage.Walker) (left leftover, ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			ok = false
		}
		slices.SortFunc(left.pieces, func(a, b keptPiece) int { return int(int64(a.seq - b.seq)) })
		slices.SortFunc(left.notes, func(a, b keptNote) int { return int(int64(a.seq - b.seq)) })
	}()
	err := w.Walk(ctx, func(name string, record []byte) ([]*storage.Operation, error) {
		seq, err := strconv.ParseUint(name[min(len(name), 1):], 16, 64)
		if err != nil || len(name) != 17 {
			left.skipped++ // nobody of ours
			return nil, nil
		}
		j.seq = max(j.seq, seq)
		text, err := j.box.Open(j.sealName(name), record)
		if err != nil {
			left.skipped++
			return nil, nil
		}
		policy, text, ok := readBegin(text)
		switch {
		case !ok:
			left.skipped++
		case name[0] == pieceEntry:
			left.pieces = append(left.pieces, keptPiece{seq, policy, text})
		case name[0] == noteEntry:
			n, err := readNote(text)
			if err != nil {
				left.skipped++
				return nil, nil
			}
			left.notes = append(left.notes, keptNote{seq, policy, n})
		}
		return nil, nil
	})
	return left, err == nil
}

// readBegin reads the name of the policy that a record was of, and returns what follows.
func readBegin(record []byte) (policy string, rest []byte, ok bool) {
	switch {
	case len(record) == 0:
		return "", nil, false
	case record[0] == recordForm:
		return audit.DefaultName, record[1:], true
	case record[0] != namedForm:
		return "", nil, false
	}
	r := wire.NewReader(record[1:])
	policy = r.Text()
	return policy, r.Rest(), r.Err() == nil
}

// resume takes up what was left: first what is known of traces, then their pieces, in the order they came. It stops
// early when the processor does; what is left stays in the storage.
func (p *tracesProcessor) resume(left leftover) {
	dossiers := map[partID]*dossier{}
	of := func(id partID) *dossier {
		if dossiers[id] == nil {
			dossiers[id] = &dossier{}
		}
		return dossiers[id]
	}
	unmarshaler := ptrace.ProtoUnmarshaler{}
	var again []*piece
	rooted, closed := map[pcommon.TraceID]bool{}, map[pcommon.TraceID]bool{}
	skipped, moved := 0, 0
	for i := range left.pieces {
		k := &left.pieces[i]
		td, err := unmarshaler.UnmarshalTraces(k.td)
		k.td = nil
		if err != nil || td.SpanCount() == 0 {
			skipped++
			continue
		}
		if _, ok := p.policies.Find(k.policy); !ok {
			moved += td.SpanCount()
		}
		// By what matches now: the policies may be others than they were.
		pieces := split(td, p.policies.Matcher())
		if len(pieces) > 1 {
			// Limits are smaller than they were: the pieces become entries of their own.
			if p.journal.keep(pieces).wait() != nil {
				skipped++
				continue
			}
			p.journal.gone([]entry{{seq: k.seq}})
		} else {
			pieces[0].entry.seq = k.seq
		}
		for _, x := range pieces {
			if !x.id.IsEmpty() && x.entry.seq != 0 {
				x.entry.of = of(x.partID())
				x.entry.of.live++
			}
			rooted[x.id] = rooted[x.id] || x.root
		}
		again = append(again, pieces...)
	}
	for i := range left.notes {
		n := &left.notes[i]
		closed[n.id] = closed[n.id] || n.closed && !rooted[n.id]
	}
	for i := range left.notes {
		n := &left.notes[i]
		// What is known under a policy that is gone nobody can read: its key went with it.
		policy, ok := p.policies.Find(n.policy)
		if !ok {
			n.ledger = nil
		}
		d := of(partID{n.id, policy})
		d.notes = append(d.notes, n.seq)
		d.bytes += len(n.ledger)
		if err := p.shards.of(n.id).recall(&n.note, policy, d, closed[n.id]); err != nil {
			skipped++
		}
	}
	spans := 0
	for i, x := range again {
		if p.stopping.Load() {
			break
		}
		again[i] = nil
		spans += x.spans
		p.tel.ProcessorAgentleakRecoveredSpans.Add(context.Background(), int64(x.spans))
		p.scan(x)
		p.admit(x)
	}
	if skipped > 0 {
		p.tel.ProcessorAgentleakSkippedRecords.Add(context.Background(), int64(skipped))
	}
	if moved > 0 {
		p.tel.ProcessorAgentleakReassignedSpans.Add(context.Background(), int64(moved))
		p.logger.Warn("spans were kept under policies that are configured no longer, and have others now", zap.Int("spans", moved))
	}
	p.logger.Info("took up what was kept", zap.Int("spans", spans), zap.Int("ledger records", len(left.notes)), zap.Int("unreadable", skipped))
	p.recovered.Store(true)
}
