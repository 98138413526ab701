package redteam

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// published is Metrics as the reference writes them. The rounded channel rates there have no number of runs, and the
// mean number of vault fields is ours.
type published struct {
	Metrics
	MeanVaultFields *float64 `json:"mean_vault_fields"`
}

type oracleCase struct {
	ID        string `json:"id"`
	Vertical  string `json:"vertical"`
	Adversary string `json:"adversary_level"`
	Runs      []Run  `json:"runs"`
	Expect    struct {
		published
		Rounded published `json:"rounded"`
	} `json:"expect"`
}

func oracle(t *testing.T) (vectors, campaigns []oracleCase) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/oracle/redteam_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors, Campaigns []oracleCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) < 70 || len(file.Campaigns) < 15 {
		t.Fatalf("%d vectors and %d campaigns, want at least 70 and 15", len(file.Vectors), len(file.Campaigns))
	}
	return file.Vectors, file.Campaigns
}

// TestOracle wants the numbers of the reference implementation to the last bit, unrounded and rounded.
func TestOracle(t *testing.T) {
	vectors, campaigns := oracle(t)
	for _, c := range append(vectors, campaigns...) {
		t.Run(c.ID+c.Vertical+c.Adversary, func(t *testing.T) {
			got := Measure(c.Runs)
			rounded := got.Rounded()
			for i := range rounded.CLR {
				rounded.CLR[i].Runs = 0
			}
			got.MeanVaultFields, rounded.MeanVaultFields = 0, 0
			if diff := cmp.Diff(c.Expect.Metrics, got); diff != "" {
				t.Errorf("unrounded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Expect.Rounded.Metrics, rounded); diff != "" {
				t.Errorf("rounded (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMeasureBounds holds what is true of any runs.
func TestMeasureBounds(t *testing.T) {
	types := []agentrisk.DataType{"ssn", "email", "iban", "canary", "salary"}
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		some := func() (out []agentrisk.DataType) {
			for range rnd.IntN(6) {
				out = append(out, types[rnd.IntN(len(types))]) // doubles too
			}
			return out
		}
		runs := make([]Run, rnd.IntN(9))
		for i := range runs {
			runs[i] = Run{Labels: Labels{
				Scenario: string(rune('a' + rnd.IntN(3))), Class: []string{"F1.1", "F2.5", ""}[rnd.IntN(3)], Family: "F1",
				Primary: []string{"log", "final_output", "x", ""}[rnd.IntN(4)], VaultFields: rnd.IntN(4), Expected: some(),
			}, Detected: some(), RI: rnd.Float64(), PrivacyScore: rnd.IntN(101)}
			if n := len(runs[i].Detected); n > 0 {
				runs[i].OnPrimary = runs[i].Detected[:rnd.IntN(n+1)]
			}
		}
		m := Measure(runs)
		total, won, channelRuns, withChannel := 0, 0, 0, 0
		for _, c := range m.ByClass {
			total, won = total+c.Total, won+c.Successful
		}
		for _, c := range m.CLR {
			channelRuns += c.Runs
		}
		for _, r := range runs {
			if r.Primary != "" {
				withChannel++
			}
		}
		switch {
		case total != len(runs) || m.Runs != len(runs) || len(m.ELR) != len(runs) || channelRuns != withChannel:
			t.Errorf("seed %d: runs are missing: %+v", seed, m)
		case m.ASR != float64(won)/float64(max(1, len(runs))):
			t.Errorf("seed %d: ASR %v, but %d of %d classes' runs succeeded", seed, m.ASR, won, len(runs))
		case m.MeanRI < 0 || m.MeanRI > 1 || m.MeanPrivacy < 0 || m.MeanPrivacy > 100:
			t.Errorf("seed %d: out of bounds: %+v", seed, m)
		}
		for i := range runs { // a success is a leak
			if runs[i].Success() && runs[i].Leaked() == 0 {
				t.Errorf("seed %d: run %d succeeded without a leak", seed, i)
			}
		}
		// The order of runs moves entries of lists and no number.
		rnd.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		if again := Measure(runs); again.MeanELR != m.MeanELR || again.MedianELR != m.MedianELR || again.ASR != m.ASR || again.MeanRI != m.MeanRI {
			t.Errorf("seed %d: another order, other numbers", seed)
		}
	}
}

func TestMean(t *testing.T) {
	// A sum of doubles in order gives 0.09999999999999999 here.
	if got := mean([]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}); got != 0.1 {
		t.Errorf("got %v, want 0.1", got)
	}
}
