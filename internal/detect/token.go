package detect

import (
	"encoding/hex"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// tokenOpen begins every redaction token.
const tokenOpen = "[REDACTED:"

// maxTypeName bounds the data type inside a token.
const maxTypeName = 64

// FormatToken writes the redaction token of a secret, such as
// "[REDACTED:L4:credit_card:9c1f0a77b2d4]": level, data type and the fingerprint
// of id. Scan reads it back as that secret.
func FormatToken(l agentrisk.Level, t agentrisk.DataType, id agentrisk.SecretID) string {
	return tokenOpen + l.String() + ":" + string(t) + ":" + id.Fingerprint() + "]"
}

// token is a redaction token as read.
type token struct {
	level agentrisk.Level
	typ   agentrisk.DataType
	fp    [6]byte
}

// parseToken reads the token that begins at text[at]. It returns its end, or
// false for anything that FormatToken does not write.
func parseToken(text string, at int) (token, int, bool) {
	var t token
	rest, ok := strings.CutPrefix(text[at:], tokenOpen)
	if !ok || len(rest) < 4 || rest[0] != 'L' || rest[2] != ':' || t.level.UnmarshalText([]byte(rest[:2])) != nil {
		return t, 0, false
	}
	rest = rest[3:]
	n := 0
	for n < len(rest) && n <= maxTypeName && typeByte(rest[n]) {
		n++
	}
	if n == 0 || n > maxTypeName || len(rest) < n+14 || rest[n] != ':' || rest[n+13] != ']' {
		return t, 0, false
	}
	hexed := rest[n+1 : n+13]
	if strings.ToLower(hexed) != hexed {
		return t, 0, false
	}
	if _, err := hex.Decode(t.fp[:], []byte(hexed)); err != nil {
		return t, 0, false
	}
	// The text may be reused memory of the caller's: what outlives the scan must not point into it.
	if info, known := agentrisk.Lookup(agentrisk.DataType(rest[:n])); known {
		t.typ = info.Type
	} else {
		t.typ = agentrisk.DataType(strings.Clone(rest[:n]))
	}
	return t, at + len(tokenOpen) + 3 + n + 14, true
}

// typeByte reports whether b may stand in the name of a data type.
func typeByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' || isAlnum(b)
}

// id returns the secret a token stands for.
func (t token) id() agentrisk.SecretID {
	return agentrisk.NewSecretID(familyOf(t.typ), t.fp)
}

// familyOf returns the family of t, FamilyCustom for a type the taxonomy lacks.
func familyOf(t agentrisk.DataType) agentrisk.Family {
	info, _ := agentrisk.Lookup(t)
	return info.Family
}
