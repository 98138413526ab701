package detect

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"strings"
	"sync"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// macPool keeps keyed hashes for reuse, since keying one costs two blocks.
type macPool struct {
	key  []byte
	pool sync.Pool
}

// Fingerprint returns the identity of a canonical value of a family: the first six
// bytes of HMAC-SHA256 over the family's number and the value.
func (s *Scanner) Fingerprint(f agentrisk.Family, canonical string) agentrisk.SecretID {
	h, _ := s.mac.pool.Get().(hash.Hash)
	if h == nil {
		h = hmac.New(sha256.New, s.mac.key)
	}
	h.Reset()
	h.Write([]byte{byte(f)})
	h.Write([]byte(canonical))
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	s.mac.pool.Put(h)
	return agentrisk.NewSecretID(f, [6]byte(sum[:6]))
}

// canonDigits keeps the digits and nothing else.
func canonDigits(v string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, v)
}

// canonID keeps letters and digits, in upper case: "gb82 west 1234" is "GB82WEST1234".
func canonID(v string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 32
		case r < 0x80 && !isAlnum(byte(r)):
			return -1
		}
		return r
	}, v)
}

// canonPhone keeps the digits and drops what stands for "abroad": "+1 (514)
// 555-0142", "001 514 555 0142" and "514-555-0142" are one number.
func canonPhone(v string) string {
	plus := strings.HasPrefix(strings.TrimLeft(v, " ("), "+")
	d := canonDigits(strings.ReplaceAll(v, "(0)", ""))
	if !plus && strings.HasPrefix(d, "00") {
		d, plus = d[2:], true
	}
	if !plus && len(d) == 10 {
		d = "1" + d
	}
	return d
}

// canonMoney keeps the digits of the amount without grouping or empty cents.
func canonMoney(v string) string {
	d := strings.TrimRight(v, " .,")
	if n := len(d); n > 3 && (d[n-3] == '.' || d[n-3] == ',') && d[n-2:] == "00" {
		d = d[:n-3]
	}
	mul := ""
	if strings.HasSuffix(strings.ToLower(d), "k") {
		mul = "000"
	}
	return canonDigits(d) + mul
}

// canonLower folds case.
func canonLower(v string) string { return strings.ToLower(strings.TrimSpace(v)) }

// canonWords folds case and runs of space and punctuation, for names and phrases.
func canonWords(v string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(v), func(r rune) bool {
		return r < 0x80 && !isAlnum(byte(r)) && r != '\'' && r != '-'
	}), " ")
}

// canonExact keeps the value but for space around it.
func canonExact(v string) string { return strings.TrimSpace(v) }

// canonBlock drops space and escapes, so that a key block is one however its lines
// are broken.
func canonBlock(v string) string {
	v = strings.NewReplacer(`\r`, "", `\n`, "", `\t`, "", `\`, "").Replace(v)
	return strings.Join(strings.Fields(v), "")
}
