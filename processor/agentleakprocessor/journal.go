package agentleakprocessor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"go.opentelemetry.io/collector/extension/xextension/storage"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/seal"
)

// errStorage goes to senders, who may try again. What the storage says of it may hold a path.
var errStorage = errors.New("agentleak: the storage does not take what was sent, try again later")

// A journal keeps in a storage extension what a crash must not lose: each piece from before its sender is told that it
// was accepted until the next component has it, and of each piece that went what it added to the ledger of its trace
// (dossier.go), as long as the trace is remembered. recover.go reads it back.
//
// One goroutine writes. What many senders bring while it is busy goes into its next transaction, and so does what became
// of earlier pieces: a transaction costs the same for one entry as for a hundred.
//
// A nil journal keeps nothing, and neither does one whose storage is broken; both let everybody go on.
type journal struct {
	client storage.Client
	box    *seal.Box
	owner  string // that the records are bound to
	tel    *telemetry
	health func(error) // called when it changes

	policies *audit.Set

	mu     sync.Mutex
	seq    uint64      // of the last entry
	queue  []*commit   // of senders that wait
	later  []operation // that nobody waits for
	stuck  []operation // of those, what the storage refused: tried again with what comes next
	closed bool
	broken bool
	wake   chan struct{}
	done   chan struct{}
	well   bool // the writer's
}

// operation is shorter to say.
type operation = *storage.Operation

// The kinds of entries, the first letter of their names.
const (
	pieceEntry = 'p'
	noteEntry  = 'l'
)

// maxLater bounds what is tried again after the storage refused it. Beyond it entries stay that are of no use, until the
// next start.
const maxLater = 100_000

func newJournal(client storage.Client, box *seal.Box, owner string, policies *audit.Set, tel *telemetry) *journal {
	return &journal{
		client: client, box: box, owner: owner, policies: policies, tel: tel, health: func(error) {}, well: true,
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// A commit is what one sender waits for. A nil commit is done.
type commit struct {
	ops  []operation
	err  error
	done chan struct{}
}

func (c *commit) wait() error {
	if c == nil {
		return nil
	}
	<-c.done
	return c.err
}

// entryName orders as the numbers do.
func entryName(kind byte, seq uint64) string { return fmt.Sprintf("%c%016x", kind, seq) }

// number gives out n numbers for entries and returns the first, 0 when nothing is kept.
func (j *journal) number(n int) uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken || j.closed {
		return 0
	}
	first := j.seq + 1
	j.seq += uint64(n)
	return first
}

// set is the operation that keeps text, which is sealed.
func (j *journal) set(kind byte, seq uint64, text []byte) operation {
	name := entryName(kind, seq)
	return storage.SetOperation(name, j.box.Seal(j.sealName(name), text))
}

// sealName binds a record to its name and to the component, since several may share a key.
func (j *journal) sealName(name string) string { return j.owner + "/" + name }

// submit hands operations to the writer. Those of a commit are written together or not at all.
func (j *journal) submit(ops []operation) *commit {
	if len(ops) == 0 {
		return nil
	}
	c := &commit{ops: ops, done: make(chan struct{})}
	j.mu.Lock()
	if j.broken || j.closed {
		close(c.done)
	} else {
		j.queue = append(j.queue, c)
	}
	j.mu.Unlock()
	j.signal()
	return c
}

// postpone hands over operations that nobody waits for, in their order and behind all before.
func (j *journal) postpone(ops ...operation) {
	if len(ops) == 0 {
		return
	}
	j.mu.Lock()
	if !j.broken && !j.closed {
		j.later = append(j.later, ops...)
	}
	j.mu.Unlock()
	j.signal()
}

func (j *journal) signal() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// run is the writer. It returns when the journal is closed and all is written.
func (j *journal) run() {
	defer close(j.done)
	for {
		j.mu.Lock()
		queue, later, closed := j.queue, j.later, j.closed
		if len(queue)+len(later) > 0 || closed {
			later = append(j.stuck, later...)
			j.stuck = nil
		}
		j.queue, j.later = nil, nil
		j.mu.Unlock()
		if len(queue)+len(later) > 0 {
			j.write(queue, later)
			continue
		}
		if closed {
			return
		}
		<-j.wake
	}
}

// write makes one transaction of all, or when the storage refuses that, one of each: what one sender brings may be too
// large, and what is removed makes room.
func (j *journal) write(queue []*commit, later []operation) {
	all := append(make([]operation, 0, len(later)+8*len(queue)), later...)
	for _, c := range queue {
		all = append(all, c.ops...)
	}
	err := j.batch(all)
	if err != nil && len(queue) > 0 {
		if err = j.batch(later); err == nil {
			later = nil
		}
		for _, c := range queue {
			c.err = j.batch(c.ops)
			err = errors.Join(err, c.err)
		}
	}
	if err != nil && len(later) > 0 {
		j.retry(later)
	}
	for _, c := range queue {
		if c.err != nil {
			c.err = errStorage
		}
		close(c.done)
	}
	j.feel(err)
}

// retry is for what nobody waits for: what a full storage is to be rid of goes at once, the rest is tried again with the
// next transaction.
func (j *journal) retry(later []operation) {
	var remove, rest []operation
	for _, op := range later {
		if op.Type == storage.Delete {
			remove = append(remove, op)
		} else {
			rest = append(rest, op)
		}
	}
	if j.batch(remove) != nil {
		rest = later // in their order
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.broken && !j.closed && len(rest) <= maxLater {
		j.stuck = rest
	}
}

// batch makes one transaction. Damage that was not seen at the start may make a storage panic, or the system report a
// fault of the memory that its file is mapped to: from then on nothing is kept any more.
func (j *journal) batch(ops []operation) (err error) {
	if len(ops) == 0 {
		return nil
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = nil // it is not the sender's fault, and trying again would not help
			j.breakOff()
		}
	}()
	if err = j.client.Batch(context.Background(), ops...); err != nil {
		j.tel.ProcessorAgentleakStorageErrors.Add(context.Background(), 1)
	}
	return err
}

// breakOff gives the storage up.
func (j *journal) breakOff() {
	j.mu.Lock()
	was := j.broken
	j.broken = true
	j.mu.Unlock()
	if !was {
		j.tel.ProcessorAgentleakStorageErrors.Add(context.Background(), 1)
		j.health(errStoreBroken)
	}
}

// feel tells of a change of health.
func (j *journal) feel(err error) {
	j.mu.Lock()
	ok := err == nil
	change := ok != j.well && !j.broken
	j.well = ok
	j.mu.Unlock()
	switch {
	case change && ok:
		j.health(nil)
	case change:
		j.health(errStorage)
	}
}

// close writes what is left and lets the storage go.
func (j *journal) close(ctx context.Context) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.signal()
	select {
	case <-j.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return j.client.Close(ctx)
}
