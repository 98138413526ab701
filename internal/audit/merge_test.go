package audit

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMerge wants ledgers of parts, merged in any order, to be as good as one of all.
func TestMerge(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	a := newAuditor(t, Options{})
	merged := 0
	for _, file := range traceFiles(t) {
		for _, pieces := range byTrace(readTraces(t, file), 1) {
			var whole, all Ledger
			var parts [3]Ledger
			for _, td := range pieces {
				b := a.ScanTraces(td)
				whole.Add(a, b)
				parts[rng.IntN(3)].Add(a, b)
			}
			for _, i := range rng.Perm(3) {
				all.Merge(&parts[i])
			}
			want, got := a.Score(&whole), a.Score(&all)
			if d := cmp.Diff(want.Report, got.Report); d != "" || want.Complete != got.Complete || whole.Size() != all.Size() {
				t.Errorf("%s (seed %d): %d and %d bytes\n%s", filepath.Base(file), seed, whole.Size(), all.Size(), d)
			}
			if !reflect.DeepEqual(whole.literals, all.literals) {
				t.Errorf("%s: other values to look for (seed %d)", filepath.Base(file), seed)
			}
			if want.Secrets > 0 {
				merged++
			}
		}
	}
	if merged < 20 {
		t.Errorf("only %d traces with secrets: the test says nothing", merged)
	}
}
