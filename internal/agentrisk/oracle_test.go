package agentrisk

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The oracle files hold what AgentLeak 0.11.8 computes; see
// testdata/oracle/NOTICE.md. They are evidence: nothing here rewrites them.
const oracleDir = "../../testdata/oracle/"

// oracleNumbers are the numbers of a report as the oracle publishes them. What
// it derives from findings rather than secrets (channel_risks, leak_paths) has
// no counterpart in this package.
type oracleNumbers struct {
	RI                float64            `json:"ri_global"`
	RiskIndex         float64            `json:"risk_index"`
	PrivacyScore      int                `json:"privacy_score"`
	Verdict           string             `json:"verdict"`
	WSL               int                `json:"wsl"`
	Density           int                `json:"rho_s"`
	LeakedCount       int                `json:"leaked_count"`
	VaultCount        int                `json:"vault_count"`
	LevelProfile      map[string]int     `json:"level_profile"`
	VaultLevelProfile map[string]int     `json:"vault_level_profile"`
	ByChannel         map[string]float64 `json:"ri_by_channel"`
	Critical          bool               `json:"has_critical"`
	Vault             string             `json:"vault"`
	Weights           []int              `json:"weights"`
}

// published puts r in the oracle's form. Names of channels come from name.
func published(r Report, name func(Channel) string) oracleNumbers {
	levels := func(p Profile) map[string]int {
		return map[string]int{"L1": p[0], "L2": p[1], "L3": p[2], "L4": p[3]}
	}
	n := oracleNumbers{
		RI: r.RI, RiskIndex: r.RiskIndex(), PrivacyScore: r.PrivacyScore, Verdict: r.Verdict.Title(),
		WSL: r.WSL, Density: r.Density, LeakedCount: r.LeakedCount, VaultCount: r.ReachableCount,
		LevelProfile: levels(r.Leaked), VaultLevelProfile: levels(r.Reachable),
		ByChannel: map[string]float64{}, Critical: r.Severity() == L4, Vault: "observed", Weights: r.Weights[:],
	}
	if r.Explicit {
		n.Vault = "explicit"
	}
	for c, ri := range r.ByChannel {
		if ri > 0 {
			n.ByChannel[name(Channel(c))] = ri
		}
	}
	return n
}

// diffNumbers compares exactly, floating point numbers too.
func diffNumbers(want oracleNumbers, r Report, name func(Channel) string) string {
	return cmp.Diff(want, published(r, name))
}

// oracleID is the oracle's notion of one secret: the type and the value as it
// stands.
func oracleID(t DataType, value string) SecretID {
	h := sha256.Sum256([]byte(string(t) + "\x00" + value))
	e, _ := Lookup(t)
	return NewSecretID(e.Family, [6]byte(h[:6]))
}

// errCoercion marks a value that the oracle's configuration reader refuses
// before any arithmetic. That is a matter of our loader as well.
var errCoercion = errors.New("not an integer")

// integer coerces as the oracle's reader does: integral floats and numeric
// strings are integers.
func integer(v any) (int, error) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
	default:
		return 0, fmt.Errorf("%w: %v", errCoercion, v)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int(f)) {
		return 0, fmt.Errorf("%w: %v", errCoercion, v)
	}
	return int(f), nil
}

// clampLevel coerces a level to 1..4. Our configuration refuses others; the
// oracle clamps them, and so the reader of its files does.
func clampLevel(n int) Level { return Level(min(max(n, 0), 5)).clamp() }

// oracleVault reads a vault as the scoring core takes it: a density, counts by
// level, or a list of items with a level each. Absent is observed.
func oracleVault(v any) (*Vault, error) {
	out := new(Vault)
	switch v := v.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		for key, val := range v {
			level, err := integer(key)
			if err != nil {
				return nil, err
			}
			n, err := integer(val)
			if err != nil {
				return nil, err
			}
			out.Levels[clampLevel(level)-1] += n
		}
	case []any:
		for _, item := range v {
			level, err := integer(item.(map[string]any)["level"])
			if err != nil {
				return nil, err
			}
			out.Levels[clampLevel(level)-1]++
		}
	default:
		n, err := integer(v)
		if err != nil {
			return nil, err
		}
		out.Density = &n
	}
	return out, nil
}

// oracleWeights reads a list of weights through ParseWeights. Absent is the
// default.
func oracleWeights(list *[]any) (Weights, error) {
	if list == nil {
		return DefaultWeights, nil
	}
	ints := make([]int, len(*list))
	for i, v := range *list {
		n, err := integer(v)
		if err != nil {
			return Weights{}, err
		}
		ints[i] = n
	}
	return ParseWeights(ints)
}

func oracleOverrides(m map[string]any) (Overrides, error) {
	o := Overrides{}
	for t, v := range m {
		n, err := integer(v)
		if err != nil {
			return nil, err
		}
		o[DataType(t)] = clampLevel(n)
	}
	return o, nil
}

// oracleErrors maps the oracle's reasons to ours.
var oracleErrors = map[string]error{
	"invalid_weights":         ErrWeights,
	"negative_level_count":    ErrVaultNegative,
	"negative_density":        ErrVaultNegative,
	"empty_vault_with_leak":   ErrVaultTooSmall,
	"vault_smaller_than_leak": ErrVaultTooSmall,
}

// readOracle decodes the file, keeping numbers as they are written.
func readOracle(t testing.TB, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
