package detect

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// labelled is a document of testdata/corpus: a text and the bytes of it that are sensitive.
type labelled struct {
	ID, Text string
	Labels   []struct {
		Start, End int
		Level      string
	}
}

func corpus(t testing.TB, name string) (docs []labelled) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var d labelled
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	if err := lines.Err(); err != nil || len(docs) == 0 {
		t.Fatalf("%s: %d documents: %v", name, len(docs), err)
	}
	return docs
}

// TestCorpus holds the generated part of the labelled corpus, which is beside the tests everywhere: the share of L4
// labels that L4 findings cover to four fifths, and of innocent documents with any finding. The whole corpus and all
// targets are measured by docs/detection.sh, with the corpus's own scorer.
func TestCorpus(t *testing.T) {
	s := newTest(t)
	found, labels := 0, 0
	for _, d := range corpus(t, "generated.jsonl") {
		ms := s.Scan(nil, Key{}, d.Text)
		for _, l := range d.Labels {
			if l.Level != "L4" {
				continue
			}
			labels++
			covered := 0
			for _, m := range ms {
				if m.Level.String() == "L4" {
					covered += max(0, min(m.End, l.End)-max(m.Start, l.Start))
				}
			}
			if 5*covered >= 4*(l.End-l.Start) {
				found++
			}
		}
	}
	if labels < 1000 || float64(found) < .98*float64(labels) {
		t.Errorf("%d of %d L4 labels found, want 98 %%", found, labels)
	}
	for _, name := range []string{"generated-neg.jsonl", "generated-trace.jsonl"} {
		flagged, innocent := 0, 0
		for _, d := range corpus(t, name) {
			if len(d.Labels) > 0 {
				continue
			}
			innocent++
			if len(s.Scan(nil, Key{}, d.Text)) > 0 {
				flagged++
			}
		}
		if innocent < 100 || float64(flagged) > .015*float64(innocent) {
			t.Errorf("%s: %d of %d innocent documents flagged, want at most 1.5 %%", name, flagged, innocent)
		}
	}
}

func newTest(t testing.TB) *Scanner {
	t.Helper()
	s, err := New(Options{Families: AllFamilies(), Key: []byte("test")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
