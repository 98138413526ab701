package detect

import "strings"

// Places other than a separator where a value may follow its name: flags of
// commands, arguments of calls, and words of a sentence.

// flag handles "--password value" and "--api-key=value" at text[i:], two dashes.
func (c *scan) flag(i int) {
	text := c.text
	j := i + 2
	for j < len(text) && j < i+maxKey && (isWord(text[j]) || text[j] == '-') {
		j++
	}
	if j >= len(text) || text[j] != ' ' || j-i < 5 || !c.s.keys.may(text, j) {
		return
	}
	c.f = field{sep: ' '}
	if c.keyBefore(j, &c.f) && j+1 < len(text) && text[j+1] != '-' {
		c.f.prose = false
		c.valueAfter(j+1, &c.f)
	}
}

// argument handles ',' at text[p]: in a call such as setenv("API_KEY", "x") the
// argument before may name the one after. Lists of names look alike, so the call's
// parenthesis has to stand near.
func (c *scan) argument(p int) {
	text := c.text
	if p < 4 || p+3 >= len(text) {
		return
	}
	e := p
	for e > 1 && isBlank(text[e-1]) {
		e--
	}
	if isQuote(text[e-1]) {
		for e--; e > 0 && text[e-1] == '\\'; {
			e--
		}
	} else if !isUpper(text[e-1]) {
		return
	}
	if e == 0 || !c.s.keys.may(text, e) {
		return
	}
	v := p + 1
	for v < len(text) && v < p+3 && (text[v] == ' ' || text[v] == '\\') {
		v++
	}
	if v >= len(text) || !isQuote(text[v]) {
		return
	}
	k := e
	for k > 0 && e-k < 72 && text[k-1] != '(' {
		if b := text[k-1]; b == ')' || b == '[' || b == '{' || b == '\n' || b == ':' || b == '=' {
			return
		}
		k--
	}
	if k == 0 || e-k >= 72 {
		return
	}
	c.f = field{sep: ',', keyQuoted: true}
	if c.keyBefore(e, &c.f) {
		c.f.sep, c.f.prose = ' ', false
		c.valueAfter(p+1, &c.f)
	}
}

// shortFlag handles "-u user:password" of curl and "-ppassword" of mysql at text[i].
func (c *scan) shortFlag(i int) {
	text, r := c.text, c.s.flagRule
	if r == nil || i == 0 || !isSpace(text[i-1]) || i+4 >= len(text) {
		return
	}
	command, start, user := text[max(0, i-400):i], i+2, true
	switch {
	case text[i+1] == 'p' && !isSpace(text[i+2]) && (strings.Contains(command, "mysql") || strings.Contains(command, "7z ")):
		user = false
	case text[i+2] == ' ' && passwordFlag(command, text[i+1]):
		start++
		user = false
	case text[i+1] == 'u' && text[i+2] == ' ' && strings.Contains(command, "curl"):
		start++
	case strings.HasPrefix(text[i:], "--user ") && strings.Contains(command, "curl"):
		start = i + len("--user ")
	default:
		return
	}
	for start < len(text) && start < i+12 && (isQuote(text[start]) || text[start] == '\\' || user && text[start] == ' ') {
		start++
	}
	if user { // the password alone may be in quotes
		if k := strings.IndexByte(text[start:min(len(text), start+64)], ':'); k > 0 && start+k+1 < len(text) && isQuote(text[start+k+1]) && strings.IndexByte(text[start:start+k], ' ') < 0 {
			start, user = start+k+2, false
		}
	}
	end := start
	for end < len(text) && end < start+200 && !isSpace(text[end]) && !isQuote(text[end]) && text[end] != '\\' {
		end++
	}
	if user {
		colon := strings.IndexByte(text[start:end], ':')
		if colon < 0 {
			return
		}
		start += colon + 1
	}
	v := text[start:end]
	if len(v) < 5 || isPlaceholder(v) || isReference(v, true) || strings.IndexByte(v, '>') >= 0 {
		return
	}
	if x := varietyOf(v); (x.digit+x.other > 0 || x.lower > 0 && x.upper > 0 && len(v) >= 8) && v[0] != '-' && v[0] != '$' {
		c.add(r, start, end)
	}
}

// passwordFlags are one-letter flags of commands whose argument is a password.
var passwordFlags = []struct {
	command string
	flag    byte
}{{"sshpass", 'p'}, {"docker login", 'p'}, {"podman login", 'p'}, {"helm registry login", 'p'}, {"mongo", 'p'}, {"cypher-shell", 'p'}, {"redis-cli", 'a'}, {"ldap", 'w'},
	{"sqlcmd", 'P'}, {"bcp ", 'P'}, {"psexec", 'p'}, {"PsExec", 'p'}, {"PSEXEC", 'p'}, {"zip ", 'P'}, {"mosquitto_", 'P'}, {"ipmitool", 'P'}, {"rdesktop", 'p'}, {"smbclient", 'p'}}

func passwordFlag(command string, flag byte) bool {
	for _, x := range passwordFlags {
		if x.flag == flag && strings.Contains(command, x.command) {
			return true
		}
	}
	return false
}

// noun handles "key", "token", "password" ... at text[i:end]: a value may follow it
// at once, as in "the API key abc123".
func (c *scan) noun(i, end int) {
	if control(c.text, end) || c.s.keys.unknown(c.text, end-1) {
		return
	}
	c.f = field{sep: ' '}
	if c.keyBefore(end-1, &c.f) {
		c.f.prose = true
		if len(c.named) > 0 && c.named[0] != nil && c.named[0].Group == groupSecrets {
			end = c.pastClause(end)
		}
		c.valueAfter(end, &c.f)
	}
}

// pastClause returns where the value begins of a name that ends before text[i]: after the
// verb or colon that follows what the sentence adds to the name, "for the staging
// cluster is", "you asked about:", "du compte est". It is i when nothing is added.
func (c *scan) pastClause(i int) int {
	text := c.text
	if w := wordEnd(text, i); w == i || !inSet(postmodifiers, text[i:w]) {
		return i
	}
	for k, stop := i, min(len(text), i+64); k < stop; k++ {
		switch b := text[k]; {
		case b == ':' && k+1 < len(text) && (text[k+1] == ' ' || text[k+1] == '\n'):
			return k + 1
		case b == ' ':
			w := wordEnd(text, k+1)
			if w < len(text) && text[w] == ' ' && inSet(linkVerbs, text[k+1:w]) {
				return w + 1
			}
		case isWord(b) || b == '\'' || b == '-' || b == '.' && k+1 < stop && isAlnum(text[k+1]):
		default:
			return i
		}
	}
	return i
}

// postmodifiers begin what a sentence adds to a noun before it goes on; linkVerbs join the
// noun to its value.
var (
	postmodifiers = set("for", "of", "to", "on", "in", "at", "from", "we", "you", "i", "they", "that", "which", "used", "needed", "below", "here", "again",
		"pour", "de", "du", "des", "sur", "que", "qui", "d", "para", "del", "en", "für", "von", "vom", "des", "der", "zum", "zur", "im", "am")
	linkVerbs = set("is", "was", "equals", "est", "es", "ist", "lautet", "war")
)

// fallback returns where the literal begins that stands in for a reference at text[i], or
// that a call wraps: process.env.KEY || "literal", os.getenv("KEY", "literal"),
// new SecureString("literal"), ConvertTo-SecureString "literal".
func fallback(text string, i int) int {
	k := i
	for _, word := range [...]string{"new ", "await "} {
		if strings.HasPrefix(text[k:], word) {
			k += len(word)
		}
	}
	if strings.HasPrefix(text[k:], "ConvertTo-SecureString ") {
		k += len("ConvertTo-SecureString ")
		if strings.HasPrefix(text[k:], "-String ") {
			k += len("-String ")
		}
		return k
	}
	for k < len(text) && k-i < 64 && (isWord(text[k]) || strings.IndexByte(".()[]?!", text[k]) >= 0) {
		k++
	}
	if k < len(text) && isQuote(text[k]) && text[k-1] == '(' {
		call := k - 1
		from := call
		for from > i && isWord(text[from-1]) {
			from--
		}
		switch callee := text[from:call]; {
		case inSet(wrappers, callee):
			return k
		case inSet(getters, callee):
			// The second argument is what is taken when the variable is not set.
			if end := strings.IndexByte(text[k+1:min(len(text), k+80)], text[k]); end > 0 {
				for k += end + 2; k < len(text) && (text[k] == ',' || text[k] == ' '); k++ {
				}
				if k < len(text) && isQuote(text[k]) {
					return k
				}
			}
			return i
		}
	}
	for _, op := range [...]string{" || ", " ?? ", " or "} {
		if strings.HasPrefix(text[k:], op) && k+len(op) < len(text) && isQuote(text[k+len(op)]) {
			return k + len(op)
		}
	}
	return i
}

// wrappers are calls whose argument is the value, getters those whose first argument is its name.
var (
	wrappers = set("stringify", "securestring", "secretstr", "secret", "string", "str", "bytes", "b64decode", "b64encode", "from", "fromstring", "encode", "quote", "strdup", "unicode", "of", "valueof", "literal", "plaintext", "sensitive", "nonsensitive", "some", "text", "getbytes", "new")
	getters  = set("getenv", "env", "fetch", "getordefault", "getproperty", "environ", "getenvironmentvariable", "lookupenv", "config", "get", "getenvordefault", "envordefault", "getstring")
)

// control reports whether a control character stands at text[i]: no value in a sentence begins with one.
func control(text string, i int) bool { return i < len(text) && text[i] < ' ' }

// glued handles a word text[i:j] that ends in "KEY", "Token" or "SECRET": "fooTOKEN abc".
func (c *scan) glued(i, j int) {
	text := c.text
	switch w := text[j-3 : j]; {
	case equalFold(w, "ord"):
		if j-i > len("password") && equalFold(text[j-len("password"):j], "password") {
			c.noun(i, j+1)
		}
	case (equalFold(w, "key") || equalFold(w, "ken") || equalFold(w, "ret")) && isLetter(text[j-4]) && c.s.keys.may(text, j):
		c.noun(i, j+1)
	}
}

// verb handles "is", "est", "ist" ... at text[i:end] as a separator.
func (c *scan) verb(i, end int) {
	text := c.text
	if i < 3 || text[i-1] != ' ' || control(text, end) {
		return
	}
	e := i - 1
	for e > 0 && (isQuote(text[e-1]) || text[e-1] == '*') {
		e--
	}
	if e == 0 {
		return
	}
	if !c.s.keys.may(text, e) {
		// "the password for the wifi is": whom or what it is for.
		if text[i]|0x20 != 'i' {
			return
		}
		from := max(0, e-32)
		k := strings.LastIndex(text[from:e], " for ")
		if k <= 0 || !c.s.keys.may(text, from+k) {
			return
		}
		e = from + k
	}
	if c.s.keys.unknown(text, e) {
		return
	}
	c.f = field{sep: ' '}
	if c.keyBefore(e, &c.f) {
		c.f.prose = true
		c.valueAfter(end, &c.f)
	}
}

// asNamed reads the word before "as the password" at text[i]: the words after "as the" name
// a secret.
func asNamed(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	if i < 6 || text[i-1] != ' ' {
		return 0, 0, false
	}
	kind := c.namesSecret(c.termEnd(r, i))
	if kind == nil {
		return 0, 0, false
	}
	end := i - 1
	for end > 0 && i-end < 4 && (isQuote(text[end-1]) || text[end-1] == '*') {
		end--
	}
	start := end
	for start > 0 && end-start < 128 && !isSpace(text[start-1]) && !isQuote(text[start-1]) && text[start-1] != '*' && text[start-1] != '(' {
		start--
	}
	v := text[start:end]
	if x := varietyOf(v); len(v) < 6 || x.digit == 0 || x.lower+x.upper == 0 || x.high > 0 || wordy(v) && x.other == 0 && x.upper == 0 || isPlaceholder(v) || isReference(v, true) {
		return 0, 0, false
	}
	return start, end, kind.ID == "password" || looksRandom(v) && (len(v) >= 16 || kind.ID != "some-key")
}

// namesSecret returns the rule whose name ends with one of the five words from text[i] on,
// nil unless it is of a password, a key or a token and the noun phrase ends there.
func (c *scan) namesSecret(i int) *rule {
	text, k := c.text, i
	for range 5 {
		w := wordEnd(text, k)
		if w == k {
			return nil
		}
		if c.s.keys.may(text, w) {
			if _, named := c.names.get(c.s, text[i:w]); len(named) > 0 {
				if r := named[0]; r != nil && secretNames[r.ID] && phraseEnds(text, w) {
					return r
				}
				return nil
			}
		}
		if w >= len(text) || text[w] != ' ' {
			return nil
		}
		k = w + 1
	}
	return nil
}

var secretNames = set("password", "api-key", "some-key", "token")

// phraseEnds reports whether the noun that ends before text[w] is the last of its phrase:
// no further noun follows it.
func phraseEnds(text string, w int) bool {
	if w+1 >= len(text) || text[w] != ' ' || !isLower(text[w+1]) {
		return w+1 >= len(text) || text[w] != '-' && text[w] != '_'
	}
	return inSet(afterNoun, text[w+1:wordEnd(text, w+1)])
}

// afterNoun are words that go on after a noun phrase.
var afterNoun = set("for", "in", "to", "on", "when", "and", "or", "if", "until", "at", "from", "with", "of", "then", "now", "but", "please", "so", "while", "because", "by", "as", "here", "again", "instead", "pour", "de", "et", "para", "y", "en", "für", "und", "bei", "im", "am", "zum", "zur")

// nouns end names of secrets that stand right before the value in a sentence.
var nouns = []string{"id ", "customer number ", "client number ", "employee number ", "member number ", "policy number ", "mitgliedsnummer ", "kundennummer ", "numéro client ", "número de cliente ", "key ", "token ", "secret ", "password ", "cookie ", "passwort ", "kennwort ", "passphrase ", "identified by ", "contraseña ", "mot de passe ", "phrase ", "pw ", "pwd ", "requirepass ", "masterauth ", "bindpw "}

// verbs join the name of a value to the value in a sentence, in English, French,
// Spanish and German, with the space that has to follow.
var verbs = []string{"is ", "to ", "auf ", "was ", "est ", "es ", "ist ", "lautet ", "equals ", "→ "}
