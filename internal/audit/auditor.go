package audit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"time"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
	"github.com/agentleak/otelcol-agentleak/internal/redact"
)

// Options are what an Auditor needs besides the policy.
type Options struct {
	Redaction Redaction
	// KeepValues keeps the values found in the findings, for local triage. Never set where a finding leaves the
	// machine.
	KeepValues bool
	// Limits of one value; zero: the defaults of leaf.
	Limits leaf.Limits
	// Now is when rows of the allow list begin to be off that have expired; see Auditor.Expire. Zero: none are.
	Now time.Time

	share int // auditors among which memory of fixed size is shared; zero: one
}

// An Auditor scans, scores and redacts by one policy. It holds no state of a trace and is safe for concurrent use.
type Auditor struct {
	policy   compiled
	scanner  *detect.Scanner
	mapper   *mapping.Mapper
	redactor *redact.Redactor
	lit      literalHash
	mark     [8]byte // of the key, in ledgers that are written
	keep     bool
	memo     *memo
	media    bool // replace it
	docs     sync.Pool
	scans    sync.Pool
	basis    Basis
	allow    *allowList // nil: no rows
}

// New compiles a policy. Its errors are those of Check and Validate.
func New(p Policy, o Options) (*Auditor, error) {
	key := []byte(o.Redaction.Key)
	stable := len(key) > 0
	if !stable {
		key = randomKey()
	}
	return build(p, o, key, stable)
}

func randomKey() []byte {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	return key
}

// build compiles a policy with a key, which is stable if other processes have it too.
func build(p Policy, o Options, key []byte, stable bool) (*Auditor, error) {
	c, err := p.compile()
	if err != nil {
		return nil, err
	}
	style, levels, err := o.Redaction.compile()
	if err != nil {
		return nil, err
	}
	c.detect.Key = key
	modes, err := compileModes(p.Mode, o.Redaction.Rules)
	if err != nil {
		return nil, err
	}
	scanner, err := detect.New(c.detect)
	if err != nil {
		return nil, err
	}
	lit := newLiteralHash(derive(key, "literal"))
	p.Vault.addCanaries(scanner, lit, c.detect.Overrides)
	mapper, err := mapping.New(derive(key, "mapping"), c.mapping...)
	if err != nil {
		return nil, err
	}
	a := &Auditor{
		policy: c, scanner: scanner, mapper: mapper, redactor: redact.New(scanner, style, levels).In(modes),
		lit: lit, mark: markOf(key), keep: o.KeepValues,
		memo:  newMemo(o.share),
		media: o.Redaction.Media == MediaReplace,
	}
	rows, err := compileAllow(p.Allow, stable)
	if err != nil {
		return nil, err
	}
	a.allow = newAllowList(rows, scanner, o.Now)
	a.basis = newBasis(&p, a, stable, key)
	a.docs.New = func() any { return leaf.NewDoc(o.Limits) }
	a.scans.New = func() any {
		s := &scan{a: a, doc: leaf.NewDoc(o.Limits), keys: map[detect.Key]textID{}, names: &cleanNames{}}
		s.collect = s.gather
		return s
	}
	return a, nil
}

// derive makes a seed for one purpose from the key, so that no two hashes of a text can be compared.
func derive(key []byte, purpose string) uint64 {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("agentleak/" + purpose))
	return binary.LittleEndian.Uint64(m.Sum(nil))
}

// Scanner is the Auditor's detection, for plain text.
func (a *Auditor) Scanner() *detect.Scanner { return a.scanner }

// Mapper is the Auditor's mapping, for showing what it sees.
func (a *Auditor) Mapper() *mapping.Mapper { return a.mapper }

// Redactor is the Auditor's redaction, for plain text.
func (a *Auditor) Redactor() *redact.Redactor { return a.redactor }

// ScanTraces reads spans of one trace. It changes nothing and keeps no reference to td.
func (a *Auditor) ScanTraces(td ptrace.Traces) *Batch {
	s := a.scan()
	defer s.done()
	s.traces(td)
	return s.finish()
}

// ScanLogs reads log records of one trace. It changes nothing and keeps no reference to ld.
func (a *Auditor) ScanLogs(ld plog.Logs) *Batch {
	s := a.scan()
	defer s.done()
	s.logs(ld)
	return s.finish()
}

// FindCopies adds to b, which is of td, the places where a value stands bare that a rule recognised elsewhere in the
// trace of l. They become part of l too. What rows of the allow list tell by channel is decided by what l knows. It reads
// td only.
func (a *Auditor) FindCopies(td ptrace.Traces, b *Batch, l *Ledger) {
	if a.decide(b, l); len(l.literals.known) == 0 {
		return
	}
	s := a.scan()
	defer s.done()
	s.copies(b, l)
	s.traces(td)
	a.takeCopies(b, l, s.batch)
}

// takeCopies joins what was found in a search for copies.
func (a *Auditor) takeCopies(b *Batch, l *Ledger, found *Batch) {
	l.addHits(found.hits)
	a.decide(found, l)
	b.merge(found.hits)
	b.crowd(l, found)
	b.spared.join(&found.spared)
}

// FindCopiesInLogs is FindCopies for log records.
func (a *Auditor) FindCopiesInLogs(ld plog.Logs, b *Batch, l *Ledger) {
	if a.decide(b, l); len(l.literals.known) == 0 {
		return
	}
	s := a.scan()
	defer s.done()
	s.copies(b, l)
	s.logs(ld)
	a.takeCopies(b, l, s.batch)
}

// Redacts reports whether the policy removes findings of a level.
func (a *Auditor) Redacts(l agentrisk.Level) bool { return a.redactor.Redacts(detect.Match{Level: l}) }
