package detect

import "strings"

// maskBytes are what masked values are written with.
const maskBytes = "*xX.•-_#?~ "

// placeholderWords mark a value that was written to be replaced.
var placeholderWords = []string{"your", "replace", "change-me", "changeme", "change_me", "placeholder", "insert", "enter-",
	"enter_", "redacted", "todo", "fixme", "example-key", "example_key", "dummy", "notarealkey", "my-api-key", "my_api_key",
	"hidden", "masked", "removed", "filtered", "omitted", "xxxx", "****", "...", "…", "not-set", "not_set", "goes-here",
	"goes_here", "<", "lorem", "sample-", "sample_", "fake-", "fake_"}

// isPlaceholder reports whether v stands for a value rather than being one: a
// template, a mask, an instruction, or nothing at all.
func isPlaceholder(v string) bool {
	v = strings.TrimSpace(v)
	if len(v) < 2 {
		return true
	}
	last := v[len(v)-1]
	switch v[0] {
	case '<':
		return true
	case '{', '[':
		if last == v[0]+2 || isIdent(v[1:]) {
			return true
		}
	case '%':
		// "%s", "%(name)s", "%NAME%", not "%7jp%KL3s"
		if last == '%' || v[1] == '(' || isIdent(v[1:]) {
			return true
		}
	case '$':
		// "$VAR", "${VAR}", "$(cmd)", not "$2b$10$..." nor "$ecret!x"
		if v[1] == '{' || v[1] == '(' || v[1] == '$' || isIdent(v[1:]) {
			return true
		}
	}
	if strings.Contains(v, "{{") || strings.Contains(v, "${") || strings.Contains(v, "%(") || strings.Contains(v, tokenOpen) {
		return true
	}
	same, mask := true, 0
	for i := range len(v) {
		same = same && v[i] == v[0]
		if strings.IndexByte(maskBytes, v[i]) >= 0 || v[i] >= 0x80 {
			mask++
		}
	}
	if same || mask*4 >= len(v)*3 {
		return true
	}
	l := strings.ToLower(v)
	switch l {
	case "null", "none", "nil", "undefined", "true", "false", "n/a", "na", "unknown", "empty", "string", "required", "optional",
		"todo", "tbd", "example", "test", "yes", "no", "unset", "default", "str", "int", "bool", "bytes", "any", "object",
		"password", "secret", "token", "key", "apikey", "api_key", "api-key", "passwd", "username", "user", "number", "text",
		"varchar", "not provided", "not applicable", "not available", "secretstr", "basic", "bearer", "oauth", "oauth2":
		return true
	}
	for _, w := range placeholderWords {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// isIdent reports whether v is one identifier of code: letters, digits and '_'.
func isIdent(v string) bool {
	for i := range len(v) {
		if !isAlnum(v[i]) && v[i] != '_' {
			return false
		}
	}
	return len(v) > 0 && !isDigit(v[0])
}

// isReference reports whether v names where a value is kept: a call, a path of
// attributes, a secret manager's URI, a constant. bare says that v has no quotes.
func isReference(v string, bare bool) bool {
	for _, p := range refPrefixes {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	if isConstant(v) {
		return true
	}
	if !bare {
		return false
	}
	if i := strings.IndexAny(v, "(["); i > 0 && pathLike(v[:i]) {
		return true
	}
	return strings.IndexByte(v, '.') > 0 && pathLike(v) && !hasDigit(v)
}

var refPrefixes = []string{"vault:", "vault/", "secretref:", "arn:", "op://", "ssm:", "ssm/", "sm://", "gcp:", "env:", "env.", "file:",
	"process.env", "os.environ", "os.getenv", "secrets.", "secret/", "kv/", "System.getenv", "ENV[", "config.", "self.", "this.",
	"settings.", "projects/", "/run/secrets", "/var/run", "/etc/", "ref+", "doppler:", "keyvault:", "@Microsoft.KeyVault", "http://", "https://", "!Ref",
	"getenv", "await ", "new ", "func", "Deno.env", "import.meta"}

// pathLike reports whether v is identifiers joined by dots.
func pathLike(v string) bool {
	for _, p := range strings.Split(strings.Trim(v, "."), ".") {
		if !isIdent(p) {
			return false
		}
	}
	return true
}

func hasDigit(v string) bool {
	for i := range len(v) {
		if isDigit(v[i]) {
			return true
		}
	}
	return false
}

// isConstant reports whether v is the name of a constant, such as
// "NEXUS-GPT4-API-KEY" or "API_KEY": upper-case words of letters, joined.
func isConstant(v string) bool {
	words, letters := 0, 0
	start := 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && v[i] != '_' && v[i] != '-' {
			if !isUpper(v[i]) && !isDigit(v[i]) {
				return false
			}
			continue
		}
		alpha := 0
		for k := start; k < i; k++ {
			if isUpper(v[k]) {
				alpha++
			}
		}
		if i == start {
			return false
		}
		if 2*alpha > i-start {
			words++
		}
		letters += alpha
		start = i + 1
	}
	return words >= 2 && 4*letters >= 3*(len(v)-words)
}

// isUUID reports whether v is a UUID in the common layout.
func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (v[i] == '-') || !dash && !isHex(v[i]) {
			return false
		}
	}
	return true
}

// variety counts what a value is made of.
type variety struct{ lower, upper, digit, other, distinct, high int }

func varietyOf(v string) variety {
	var x variety
	var seen [4]uint64
	for i := range len(v) {
		b := v[i]
		switch {
		case isLower(b):
			x.lower++
		case isUpper(b):
			x.upper++
		case isDigit(b):
			x.digit++
		case b >= 0x80:
			x.high++
		default:
			x.other++
		}
		if seen[b>>6]&(1<<(b&63)) == 0 {
			seen[b>>6] |= 1 << (b & 63)
			x.distinct++
		}
	}
	return x
}

// looksRandom reports whether v may be machine-made: letters and digits mixed with
// enough different ones, or long without being words.
func looksRandom(v string) bool {
	x := varietyOf(v)
	if x.distinct < 6 || x.high > 0 || sequential(v) {
		return false
	}
	kinds := 0
	for _, n := range [...]int{x.lower, x.upper, x.digit} {
		if n > 0 {
			kinds++
		}
	}
	if x.digit > 0 && kinds >= 2 {
		// "min-length-14", "browser-session-88121": words and one number are a name.
		return !wordy(v)
	}
	return len(v) >= 16 && x.lower > 0 && x.upper > 0 && !wordy(v) || len(v) >= 24 && x.digit == 0 && x.other == 0 && !wordy(v)
}

// sequential reports whether v is a run such as 1234567890 or abcdefgh for most of
// its length.
func sequential(v string) bool {
	run := 0
	for i := 1; i < len(v); i++ {
		if d := int(v[i]) - int(v[i-1]); d == 1 || d == 0 || v[i] == '0' && v[i-1] == '9' {
			run++
		}
	}
	return run*4 >= (len(v)-1)*3
}

// wordy reports whether v reads as words and numbers: its pieces, cut at
// punctuation and camelCase, are each all digits or pronounceable letters.
func wordy(v string) bool {
	pieces, good, turns := 0, 0, 0
	for i := 0; i < len(v); {
		if !isAlnum(v[i]) {
			i++
			turns = 0
			continue
		}
		// Words and numbers that take turns without anything between them are neither.
		if i > 0 && isDigit(v[i]) != isDigit(v[i-1]) && isAlnum(v[i-1]) {
			if turns++; turns >= 4 {
				return false
			}
		}
		j := i + 1
		if isDigit(v[i]) {
			for j < len(v) && isDigit(v[j]) {
				j++
			}
			pieces++
			if j-i <= 5 {
				good++
			}
		} else {
			for j < len(v) && isLetter(v[j]) && !(isUpper(v[j]) && isLower(v[j-1])) {
				j++
			}
			pieces++
			if pronounceable(v[i:j]) {
				good++
			}
		}
		i = j
	}
	return pieces > 0 && good == pieces && len(v) >= 3*pieces
}

// pronounceable reports whether letters may be a word: of one case but for the
// first, three or more, with vowels, no long run of consonants.
func pronounceable(w string) bool {
	if len(w) < 3 {
		return len(w) == 2 && w == strings.ToLower(w)
	}
	vowels, run := 0, 0
	for i := range len(w) {
		if i > 1 && isUpper(w[i]) != isUpper(w[1]) {
			return false
		}
		switch w[i] | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			run = 0
		default:
			run++
			if run > 4 {
				return false
			}
		}
	}
	return vowels*5 >= len(w)
}
