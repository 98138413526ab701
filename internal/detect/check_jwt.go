package detect

import (
	"encoding/base64"
	"strings"
)

// jwtHeader reports whether seg, base64url, decodes to a JSON object that names an
// algorithm or a type (RFC 7515, 4.1).
func jwtHeader(seg string) bool {
	if len(seg) < 12 || len(seg) > 1024 {
		return false
	}
	raw, err := base64.RawURLEncoding.DecodeString(seg)
	if err != nil {
		return false
	}
	h := string(raw)
	return strings.HasPrefix(h, "{") && (strings.Contains(h, `"alg"`) || strings.Contains(h, `"typ"`) || strings.Contains(h, `"kid"`))
}
