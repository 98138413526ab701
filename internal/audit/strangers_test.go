package audit

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// corpusSpans are the documents of testdata/corpus as results of tools, those with labels or those without.
func corpusSpans(t testing.TB, secret bool, files ...string) ptrace.Traces {
	t.Helper()
	td := ptrace.NewTraces()
	spans := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
	for _, name := range files {
		f, err := os.Open(filepath.Join("..", "..", "testdata", "corpus", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var d struct {
				Text   string
				Labels []json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
				t.Fatal(err)
			}
			if len(d.Labels) > 0 != secret {
				continue
			}
			s := spans.AppendEmpty()
			s.SetTraceID(pcommon.TraceID{1})
			s.SetSpanID(pcommon.SpanID{byte(spans.Len()), byte(spans.Len() >> 8), 1})
			s.Attributes().PutStr("gen_ai.tool.call.result", d.Text)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return td
}

// TestCopiesAmongStrangers looks for every value of the corpus in texts that have nothing to do with it. Only words of
// general talk are found there: conditions and medicines, which are a secret where they are said of somebody.
func TestCopiesAmongStrangers(t *testing.T) {
	a := newAuditor(t, Options{})
	with := corpusSpans(t, true, "generated.jsonl", "generated-trace.jsonl")
	without := corpusSpans(t, false, "generated-neg.jsonl", "generated-trace.jsonl")
	var l Ledger
	l.Add(a, a.ScanTraces(with))
	if len(l.literals.known) < 5000 {
		t.Fatalf("only %d readings of values are known", len(l.literals.known))
	}
	b := a.ScanTraces(without)
	a.FindCopies(without, b, &l)
	words := map[agentrisk.SecretID]bool{}
	for _, h := range b.hits {
		if !h.copy {
			continue
		}
		if h.ID.Family() != agentrisk.FamilyHealth {
			t.Errorf("a value of type %s is found", h.Type)
			continue
		}
		words[h.ID] = true
	}
	if len(words) > 12 {
		t.Errorf("%d words of general talk are found", len(words))
	}
}
