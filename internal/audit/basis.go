package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// A Basis is what a score rests on besides the trace, as digests: results can be compared only where it is the same.
type Basis struct {
	// Rules is of the detectors in force, the levels of data types and the tables and rules of mapping; Vault of the
	// declared vault, "observed" without one; Policy of the gate's limits.
	Rules, Vault, Policy string
	Weights              []int // of L1 to L4
	// Key tells keys of fingerprints apart and says nothing of them. Empty: a random one, so that a fingerprint means
	// nothing outside of this process.
	Key string
}

// Basis is that of the scores of a.
func (a *Auditor) Basis() Basis { return a.basis }

func newBasis(p *Policy, a *Auditor, stable bool, key []byte) Basis {
	c := &a.policy
	b := Basis{
		Rules: digest(a.scanner.Rules(), p.Detectors, p.CustomDetectors, p.Scoring.LevelOverrides, c.scored, tables(), p.Mapping),
		Vault: "observed", Policy: digest(c.rules), Weights: append([]int(nil), c.weights[:]...),
	}
	if n := len(p.Vault.Canaries); n > 0 {
		set := strconv.Itoa(n) // of a random key their digest would mean nothing
		if stable {
			set = digestCanaries(p.Vault.Canaries, key)
		}
		b.Rules = digest(b.Rules, set)
	}
	if len(p.Allow) > 0 {
		b.Rules = digest(b.Rules, allowBasis(p.Allow))
	}
	if c.vault != nil {
		b.Vault = digest(c.vault)
	}
	if stable {
		b.Key = strconv.FormatUint(derive(key, "identity"), 16)
	}
	return b
}

// tables are the rows of all dialects, in an order that does not depend on how they were made.
func tables() []string {
	var rows []string
	for _, d := range mapping.Dialects() {
		for _, r := range d.Rows {
			rows = append(rows, fmt.Sprintf("%s %+v", d.Name, r))
		}
	}
	slices.Sort(rows)
	return rows
}

// digest is of values that are plain data, whose JSON is always the same.
func digest(parts ...any) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, p := range parts {
		if err := enc.Encode(p); err != nil {
			panic("audit: a part of the basis is no plain data: " + err.Error())
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
