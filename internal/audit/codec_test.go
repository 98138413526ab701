package audit

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

func keyed(t testing.TB, key string) *Auditor {
	t.Helper()
	a, err := New(DefaultPolicy(), Options{Redaction: Redaction{Levels: []int{4}, Key: key}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// manyCards is one span with n distinct card numbers and addresses in it.
func manyCards(id byte, n int) ptrace.Traces {
	td := ptrace.NewTraces()
	span := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	span.SetTraceID([16]byte{1})
	span.SetSpanID([8]byte{id})
	span.Attributes().PutStr("gen_ai.operation.name", "execute_tool")
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "card %s, mail casey.%d.%d@example.com\n", luhn(int(id)*1_000_000+i), id, i)
	}
	span.Attributes().PutStr("gen_ai.tool.call.arguments", b.String())
	return td
}

// luhn is a card number of a test range.
func luhn(n int) string {
	digits := fmt.Sprintf("411111%09d", n)
	sum := 0
	for i, c := range digits {
		d := int(c - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return fmt.Sprintf("%s%d", digits, (10-sum%10)%10)
}

// TestLedgerOutlives writes ledgers and reads them with another Auditor of the same key: bytes and score
// are the same, also when a ledger is read in parts and in part twice.
func TestLedgerOutlives(t *testing.T) {
	a, b := keyed(t, "the key"), keyed(t, "the key")
	for i := range 5 {
		first, second := a.ScanTraces(manyCards(byte(2*i+1), 3)), a.ScanTraces(manyCards(byte(2*i+2), 4))
		var l, whole, parts Ledger
		l.Add(a, first)
		l.Add(a, second)
		l.overflow = i == 4
		data := a.Write(&l)
		if err := b.Read(&whole, data); err != nil {
			t.Fatal(err)
		}
		for _, part := range [][]byte{a.Note(second), a.Note(first), a.Note(first, second)} {
			if err := b.Read(&parts, part); err != nil {
				t.Fatal(err)
			}
		}
		parts.overflow = parts.overflow || l.overflow
		for name, got := range map[string]*Ledger{"whole": &whole, "in parts": &parts} {
			if !bytes.Equal(b.Write(got), data) {
				t.Errorf("%s: the ledger is another one", name)
			}
			if x, y := a.Score(&l), b.Score(got); x.Report != y.Report || x.Secrets != y.Secrets || y.Secrets != 14 {
				t.Errorf("%s: scores %+v and %+v", name, x.Report, y.Report)
			}
			if l.Size() != got.Size() {
				t.Errorf("%s: sizes %d and %d", name, l.Size(), got.Size())
			}
			// The values are known again.
			td := manyCards(100, 0)
			td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).SetName("order " + luhn((2*i+1)*1_000_000))
			batch := b.ScanTraces(td)
			b.FindCopies(td, batch, got)
			if batch.Findings() == 0 {
				t.Errorf("%s: a value is not known again", name)
			}
		}
	}
}

func TestLedgerRefused(t *testing.T) {
	a := keyed(t, "the key")
	var l Ledger
	l.Add(a, a.ScanTraces(manyCards(1, 3)))
	data := a.Write(&l)
	if err := keyed(t, "another key").Read(&Ledger{}, data); !errors.Is(err, ErrLedgerKey) {
		t.Errorf("another key: %v", err)
	}
	for i := range data {
		if err := a.Read(&Ledger{}, data[:i]); err == nil {
			t.Errorf("cut to %d of %d bytes and nobody minds", i, len(data))
		}
	}
}

func FuzzReadLedger(f *testing.F) {
	a := keyed(f, "the key")
	var l Ledger
	l.Add(a, a.ScanTraces(manyCards(1, 2)))
	f.Add(a.Write(&l))
	f.Add([]byte{ledgerForm})
	f.Fuzz(func(t *testing.T, data []byte) {
		var l, again Ledger
		if a.Read(&l, data) != nil {
			return
		}
		a.Score(&l).Paths(&l)
		wrote := a.Write(&l)
		if err := a.Read(&again, wrote); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if !bytes.Equal(a.Write(&again), wrote) {
			t.Error("written and read, a ledger is another one")
		}
	})
}

// TestLedgerIsBounded wants a ledger within its bound, whatever comes, and the score to say that it is a lower bound.
func TestLedgerIsBounded(t *testing.T) {
	a := keyed(t, "the key")
	const bound = 200_000
	var l, free Ledger
	l.Bound(bound)
	for i := range byte(20) {
		b := a.ScanTraces(manyCards(i+1, 300))
		l.Add(a, b)
		free.Add(a, b)
	}
	if l.Size() > bound+10_000 || free.Size() < 4*bound {
		t.Errorf("%d bytes, without a bound %d", l.Size(), free.Size())
	}
	s := a.Score(&l)
	if s.Complete || !strings.Contains(strings.Join(s.Missing, " "), MissingLedger) || s.Report.WSL == 0 {
		t.Errorf("complete %v, missing %v, report %+v", s.Complete, s.Missing, s.Report)
	}
	if a.Score(&free).Report.WSL <= s.Report.WSL {
		t.Error("the bound left nothing out: the test shows nothing")
	}
	// What another ledger brings is bounded too.
	l.Merge(&free)
	if l.Size() > bound+10_000 {
		t.Errorf("%d bytes after a merge", l.Size())
	}
}
