package detect

import "bytes"

// keyTable finds the rules whose Keys name a field.
type keyTable struct {
	byLast map[string][]keyEntry
	ends   [1 << 9]uint64 // filter over the last three bytes of a name
	glued  map[string][]keyEntry
	words  [1 << 6]uint64 // filter over whole last words
}

// keyEntry is one key phrase.
type keyEntry struct {
	phrase []byte // " api key "
	rule   *rule
}

// qualifiers may follow the head word of a key without changing what it names.
var qualifiers = set("value", "val", "text", "str", "string", "raw", "plain", "plaintext", "prod", "production",
	"staging", "stage", "dev", "test", "live", "sandbox", "new", "old", "current", "usd", "eur", "cad", "gbp", "chf",
	"default", "main", "primary", "secondary", "backup", "local", "env", "v", "b", "base", "enc", "encoded", "amount",
	"full", "field", "input", "actual", "real", "valeur", "wert", "valor", "is", "was")

// secretWords may end a longer word: "dbpassword", "slacktoken".
var secretWords = []string{"password", "passwd", "passphrase", "apikey", "secretkey", "accesskey", "accesstoken",
	"authtoken", "clientsecret", "privatekey", "secret", "token", "ssn"}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// end3 folds the last three bytes before text[e] to an index of the filter.
func end3(text string, e int) uint32 {
	var a, b, c byte
	c = text[e-1]
	if e > 1 {
		b = text[e-2]
	}
	if e > 2 {
		a = text[e-3]
	}
	return uint32(a&31)<<10 | uint32(b&31)<<5 | uint32(c&31)
}

func (t *keyTable) add(key string, r *rule) {
	if t.byLast == nil {
		t.byLast, t.glued = map[string][]keyEntry{}, map[string][]keyEntry{}
		for q := range qualifiers {
			t.mark(q)
			t.know([]byte(q))
		}
		for _, x := range clauses {
			last := lastWord(phrase(x))
			t.mark(string(last))
			t.know(last)
		}
	}
	p := phrase(key)
	e := keyEntry{p, r}
	last := lastWord(p)
	t.byLast[string(last)] = append(t.byLast[string(last)], e)
	t.mark(string(last))
	t.know(last)
	// "social security number" is also written "socialsecuritynumber".
	if one := bytes.ReplaceAll(p, []byte(" "), nil); len(one) > len(last) {
		t.know(one)
		t.byLast[string(one)] = append(t.byLast[string(one)], keyEntry{append(append([]byte(" "), one...), ' '), r})
		last = one
	}
	for _, w := range secretWords {
		if string(last) == w {
			t.glued[w] = append(t.glued[w], e)
		}
	}
}

// mark lets the filter pass names that end in word. A name in the text may be
// followed by a digit, and a short word may stand after anything.
func (t *keyTable) mark(word string) {
	set := func(x uint32) { t.ends[x>>6] |= 1 << (x & 63) }
	if len(word) >= 3 {
		set(end3(word, len(word)))
		return
	}
	for a := range uint32(32) {
		x := end3(word, len(word))
		if len(word) == 2 {
			set(x | a<<10)
			continue
		}
		for b := range uint32(32) {
			set(x | a<<10 | b<<5)
		}
	}
}

// may reports whether a name that ends before text[e] may be in the table.
func (t *keyTable) may(text string, e int) bool {
	c := text[e-1]
	if isDigit(c) || c >= 0x80 || c == ')' {
		return true
	}
	if e > 1 && text[e-2] >= 0x80 || e > 2 && text[e-3] >= 0x80 {
		return true
	}
	x := end3(text, e)
	return t.ends[x>>6]&(1<<(x&63)) != 0
}

// lastWord returns the last word of " some words ".
func lastWord(words []byte) []byte {
	w := bytes.TrimRight(words, " ")
	return w[bytes.LastIndexByte(w, ' ')+1:]
}

// find appends to dst the rules that the longest phrase at the end of words names.
// Words that only qualify are passed over, at most three.
func (t *keyTable) find(dst []*rule, words []byte) []*rule {
	for range 4 {
		last := lastWord(words)
		if len(last) == 0 {
			return dst
		}
		h := lastHash(last)
		if t.words[h>>6]&(1<<(h&63)) == 0 && !(len(last) <= 4 && isDigit(last[0])) {
			return t.findGlued(dst, last)
		}
		best := 0
		for _, e := range t.byLast[string(last)] {
			switch n := len(e.phrase); {
			case n < best || !bytes.HasSuffix(words, e.phrase):
			case n == best:
				dst = append(dst, e.rule)
			default:
				dst, best = append(dst[:0], e.rule), n
			}
		}
		if best > 0 {
			return dst
		}
		if n := len(dst); len(t.findGlued(dst, last)) > n {
			return t.findGlued(dst, last)
		}
		if !qualifiers[string(last)] && !(len(last) <= 4 && isDigit(last[0])) {
			return dst
		}
		words = words[:len(words)-len(last)-1]
	}
	return dst
}

// know puts a last word into the filter.
func (t *keyTable) know(w []byte) {
	h := lastHash(w)
	t.words[h>>6] |= 1 << (h & 63)
}

// unknown reports whether the name that ends before text[e] ends in a lower-case word that
// names nothing, so that it need not be read.
func (t *keyTable) unknown(text string, e int) bool {
	k := e
	for k > 0 && isLower(text[k-1]) {
		k--
	}
	if k == e || k > 0 && (text[k-1] == '\\' || isWord(text[k-1]) && text[k-1] != '_') {
		return false
	}
	h := uint32(e - k)
	for i := k; i < e; i++ {
		h = h*31 + uint32(text[i])
	}
	h = (h * 2654435761) >> 20
	return t.words[h>>6]&(1<<(h&63)) == 0 && gluedSecret(text[k:e]) == ""
}

func lastHash(w []byte) uint32 {
	h := uint32(len(w))
	for _, b := range w {
		h = h*31 + uint32(b)
	}
	return (h * 2654435761) >> 20
}

// findGlued appends the rules of the secret's name that a longer word ends in.
func (t *keyTable) findGlued(dst []*rule, last []byte) []*rule {
	if w := gluedSecret(string(last)); w != "" {
		for _, e := range t.glued[w] {
			dst = append(dst, e.rule)
		}
	}
	return dst
}

// gluedSecret returns the secret's name that a longer word ends in, "" for none.
func gluedSecret(word string) string {
	n := len(word)
	if n < 4 {
		return ""
	}
	switch word[n-1] {
	case 'd', 'e', 'y', 'n', 't':
	default:
		return ""
	}
	for _, w := range secretWords {
		if n > len(w) && word[n-2] == w[len(w)-2] && word[n-len(w):] == w {
			return w
		}
	}
	return ""
}

// innocentKeys end in a word that would otherwise name a secret or a person, and do
// not: cursors, public keys, keys of tables, names of things.
var innocentKeys = []string{
	"page token", "next token", "sync token", "continuation token", "cursor token", "public token", "sync next token", "pagination token", "watch token", "resume token", "skip token",
	"public key", "publishable key", "primary key", "foreign key", "cache key", "idempotency key", "partition key", "sort key", "range key", "row key", "object key", "map key",
	"shortcut key", "dedup key", "routing key", "group key", "hash key", "join key", "config key", "registry key", "gpg key", "host public key", "public api key", "ssh public key",
	"pad token", "eos token", "bos token", "unk token", "mask token", "sep token", "cls token", "special token", "stop token", "image token", "first token", "last token", "to first token",
	"per token", "per output token", "cancellation token",
	"recv keys", "recv key", "key fingerprint", "tool name", "model name", "function name", "service name", "host name", "hostname", "username", "user name", "agent name", "bank name", "organization name", "secret name",
	"mac address", "memory address", "email address", "ip address", "bind address", "listen address", "server address", "wallet address", "contract address", "peer address", "network address",
	"remote address", "client address", "web address", "local address", "source address", "destination address", "socket address",
	"error condition", "stop condition", "race condition", "filter condition", "test pass", "boarding pass", "render pass", "webhook driver", "db driver", "database driver", "storage driver", "http client", "api client", "redis client",
}
