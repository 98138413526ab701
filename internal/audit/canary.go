package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// A Canary is a value that was planted to see whether it gets out, or "fingerprint:" and the 12 hex digits that tokens
// and reports show for one that a rule recognises. It never shows itself.
type Canary string

const (
	fingerprintOf = "fingerprint:"
	hidden        = "[REDACTED]"

	// CanaryType is the data type of canaries, and the name of the rule that finds them.
	CanaryType = "canary"
)

// String hides the value.
func (Canary) String() string { return hidden }

// GoString hides the value.
func (Canary) GoString() string { return hidden }

// MarshalText hides the value.
func (Canary) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// UnmarshalText takes the value as it is.
func (c *Canary) UnmarshalText(text []byte) error {
	*c = Canary(text)
	return nil
}

// known reports whether c is a fingerprint, which means something with its key only.
func (c Canary) known() bool { return strings.HasPrefix(string(c), fingerprintOf) }

// check says what is wrong, without the value.
func (c Canary) check() error {
	if fp, ok := strings.CutPrefix(string(c), fingerprintOf); ok {
		if b, err := hex.DecodeString(fp); err != nil || len(b) != 6 || fp != strings.ToLower(fp) {
			return errors.New("not a fingerprint: want 12 lower-case hex digits")
		}
		return nil
	}
	if n := len(strings.TrimSpace(string(c))); n < minLiteral || n > maxLiteral {
		return fmt.Errorf("%d bytes: want %d to %d", n, minLiteral, maxLiteral)
	}
	// A value that reads as too little, such as one of invisible signs, can't be told from other texts.
	h := newLiteralHash(1)
	if len(h.canary(nil, string(c), detect.Match{})) == 0 {
		return errors.New("want a value of more letters, digits or signs")
	}
	return nil
}

// checkCanaries checks all, and that fingerprints have a key.
func (v *Vault) checkCanaries(keyed bool) error {
	var errs []error
	for i, c := range v.Canaries {
		err := c.check()
		if err == nil && !keyed && c.known() {
			err = errors.New("a fingerprint means nothing without redaction.key")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("vault.canaries[%d]: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

// addCanaries makes s find the canaries, anywhere in a text and in any encoding that copies of a value are found in.
func (v *Vault) addCanaries(s *detect.Scanner, h literalHash, over agentrisk.Overrides) {
	if len(v.Canaries) == 0 {
		return
	}
	info := detect.RuleInfo{
		ID: CanaryType, Type: CanaryType, Level: agentrisk.LevelOf(CanaryType, over, agentrisk.L4), Family: agentrisk.FamilyCanary,
		Group: "vault", Doc: "a value of vault.canaries", Why: "equal to a canary of the vault",
	}
	also := detect.Also{Info: info, Known: map[string]bool{}}
	var all literals
	for _, c := range v.Canaries {
		if fp, ok := strings.CutPrefix(string(c), fingerprintOf); ok {
			also.Known[fp] = true
			continue
		}
		m := detect.Match{Rule: info.ID, Type: info.Type, Level: info.Level, ID: s.Fingerprint(info.Family, strings.TrimSpace(string(c)))}
		for _, x := range h.canary(nil, string(c), m) {
			all.add(x)
		}
	}
	if len(all.known) > 0 {
		finders := sync.Pool{New: func() any { return newFinder(h, &all) }}
		also.Find = func(dst []detect.Match, text string) []detect.Match {
			d := finders.Get().(*finder)
			dst = d.find(dst, text, nil)
			finders.Put(d)
			return dst
		}
	}
	s.Add(also)
}

// canary adds the literals of a canary: as it stands, also inside a longer word; a number in any grouping too; and what
// it reads in hex and base64.
func (h literalHash) canary(dst []literal, value string, m detect.Match) []literal {
	value = strings.TrimSpace(value)
	f := exact | anywhere
	if strings.ContainsAny(value, " \t\n") {
		f |= worded
	}
	x, ok := h.of(f, value, &m)
	if !ok {
		return dst
	}
	dst = append(dst, x)
	if strings.ContainsAny(value, `%\&`) {
		if y, ok := h.raw(f, value, &m); ok && y.litKey != x.litKey {
			dst = append(dst, y)
		}
	}
	plain := value
	number := detect.Match{ID: agentrisk.NewSecretID(agentrisk.FamilyIDNumber, [6]byte{})}
	if g := formOf(number, value); g&squeezed != 0 {
		if y, ok := h.of(g, value, &m); ok {
			dst = append(dst, y)
			plain = reading(squeezed, value)
		}
	}
	for _, v := range []string{value, plain} {
		if len(v) >= minEncoded && len(v) <= maxEncoded {
			dst = h.encoded(dst, v, &m)
		}
		if plain == value {
			break
		}
	}
	return dst
}

// digestCanaries tells sets of canaries apart and says nothing of their values.
func digestCanaries(list []Canary, key []byte) string {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("agentleak/canaries"))
	for _, c := range list {
		fmt.Fprintf(m, "%d:%s", len(c), string(c))
	}
	return hex.EncodeToString(m.Sum(nil)[:16])
}
