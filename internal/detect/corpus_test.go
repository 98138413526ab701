package detect

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestCorpusPredictions writes the findings on a labelled corpus for its scorer. It
// runs only when both places are given.
func TestCorpusPredictions(t *testing.T) {
	dir, out := os.Getenv("DETECT_CORPUS"), os.Getenv("DETECT_PREDICTIONS")
	if dir == "" || out == "" {
		t.Skip("DETECT_CORPUS and DETECT_PREDICTIONS are not set")
	}
	s := newTest(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	w, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	enc := json.NewEncoder(w)
	type finding struct {
		Start int    `json:"start"`
		End   int    `json:"end"`
		Type  string `json:"type"`
		Level string `json:"level"`
		Rule  string `json:"rule"`
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<24)
		for sc.Scan() {
			var d struct{ ID, Text string }
			if json.Unmarshal(sc.Bytes(), &d) != nil {
				continue
			}
			line := struct {
				ID       string    `json:"id"`
				Findings []finding `json:"findings"`
			}{ID: d.ID, Findings: []finding{}}
			for _, m := range s.Scan(nil, Key{}, d.Text) {
				line.Findings = append(line.Findings, finding{m.Start, m.End, string(m.Type), m.Level.String(), m.Rule})
			}
			enc.Encode(line)
		}
		f.Close()
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
