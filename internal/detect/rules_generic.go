package detect

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// genericRules are credentials that their key, header or place tells.
var genericRules = []rule{
	{ID: "private-key-block", Type: "private_key", Group: groupSecrets, Rank: rankBlock, Doc: "PEM, OpenSSH or PGP private key, from BEGIN to END",
		Source: "RFC 7468, RFC 9580", Canon: canonBlock},
	{ID: "connection-string", Type: "connection_string", Group: groupSecrets, Rank: rankLink, Doc: "URL of a database or broker with a password",
		Source: "RFC 3986, 3.2.1"},
	{ID: "url-password", Type: "connection_string", Group: groupSecrets, Rank: rankLink, Doc: "user and password in any other URL: the password",
		Source: "RFC 3986, 3.2.1"},
	{ID: "command-password", Type: "password", Group: groupSecrets, Rank: rankKeyed + 3, Doc: "password in the arguments of a command, or in a line of .pgpass",
		Source: "curl(1), mysql(1); PostgreSQL Documentation, 34.16"},
	{ID: "call-password", Type: "password", Group: groupSecrets, Rank: rankKeyed + 3, Doc: "password in the arguments of a call that logs in", Source: "documentation of the libraries' calls",
		Terms: callTerms(), Recognise: callArgument},
	{ID: "oracle-login", Type: "connection_string", Group: groupSecrets, Rank: rankLink, Doc: "user and password of an Oracle login: the password", Source: "Oracle Database, SQL*Plus and JDBC guides",
		Terms: []string{"sqlplus ", "sqlldr ", "expdp ", "impdp ", "jdbc:oracle:thin:", "jdbc:oracle:oci:"}, Recognise: oracleLogin},
	{ID: "net-login", Type: "password", Group: groupSecrets, Rank: rankKeyed + 3, Doc: "password in the arguments of net user and net use", Source: "Windows Server, net user and net use",
		Terms: []string{"net user ", "net use "}, Recognise: netLogin},
	{ID: "identified-with", Type: "password", Group: groupSecrets, Rank: rankKeyed + 3, Doc: "password of an account in SQL", Source: "MySQL Reference Manual, ALTER USER",
		Terms: []string{"identified with "}, Recognise: identifiedWith},
	{ID: "login-at-host", Type: "connection_string", Group: groupSecrets, Rank: rankLink - 1, Doc: "user and password before the address of a server: the password", Source: "Go MySQL driver, DSN; RFC 3986, 3.2.1",
		At: true, Recognise: loginAt},
	{ID: "secret-named-after", Type: "password", Group: groupSecrets, Rank: rankKeyed, Doc: "value that a sentence names after it: \"use x as the password\"",
		Terms: []string{"as ", "is my ", "is the ", "is our ", "comme ", "como ", "als ", "est mon ", "est le ", "es mi ", "es la ", "ist mein ", "ist das "}, Recognise: asNamed},
	{ID: "bearer", Type: "bearer_token", Group: groupSecrets, Rank: rankKeyed + 4, Doc: "token after Bearer", Source: "RFC 6750",
		Terms: []string{"bearer ", "token token=", "apikey "}, Recognise: bearerAt},
	{ID: "basic", Type: "basic_auth", Group: groupSecrets, Rank: rankKeyed + 6, Doc: "user and password after Basic", Source: "RFC 7617",
		Terms: []string{"basic "}, Recognise: basicAt},
	{ID: "aws-secret-key", Type: "aws_secret_key", Group: groupSecrets, Rank: rankKeyed + 8, Doc: "AWS secret access key by its key",
		Source: "IAM User Guide", Keys: []string{"aws secret access key", "secret access key", "aws secret key", "aws secret", "aws sk"}, Shape: shapeAWS},
	{ID: "azure-storage-key-keyed", Type: "azure_storage_key", Group: groupSecrets, Rank: rankKeyed + 8, Doc: "Azure storage account key by its key",
		Source: "Azure Storage Docs", Keys: []string{"account key", "azure storage key", "storage account key", "storage key", "azure storage account key"}, Shape: shapeLong},
	{ID: "azure-sas", Type: "azure_sas", Group: groupSecrets, Rank: rankKeyed + 8, Doc: "signature of a shared access link", Source: "Azure Storage Docs, SAS",
		Keys: []string{"sig", "x amz signature", "x goog signature", "sas token", "sharedaccesssignature"}, Shape: shapeSig},
	{ID: "session-cookie", Type: "session_cookie", Group: groupSecrets, Rank: rankKeyed + 2, Doc: "session cookie", Source: "RFC 6265",
		Keys: []string{"session cookie", "sessionid", "phpsessid", "jsessionid", "connect sid", "session token", "sessiontoken", "session", "session id", "sid",
			"auth cookie", "laravel session", "remember token", "cookie de session", "asp net session id", "sitzungscookie", "cookie de sesion", "csrftoken", "aspxauth", "sessid", "sso session", "login session"}, Shape: shapeCookie},
	{ID: "seed-phrase", Type: "seed_phrase", Group: groupSecrets, Rank: rankKeyed + 8, Doc: "recovery phrase of a wallet by its key", Source: "BIP 39",
		Keys: []string{"seed phrase", "recovery phrase", "mnemonic", "mnemonic phrase", "secret recovery phrase", "seed words", "wallet seed", "backup phrase"}, Shape: shapeSeed, Canon: canonWords},
	{ID: "password", Type: "password", Group: groupSecrets, Rank: rankKeyed + 2, Doc: "password by its key",
		Keys: []string{"password", "passwd", "pwd", "passphrase", "passcode", "pass", "pw", "psw", "pass word", "user pass", "db pass", "mot de passe", "mdp",
			"contrasena", "contrasenya", "clave", "passwort", "kennwort", "senha", "wachtwoord", "pin code", "login password", "pass phrase", "userpass", "dbpass", "bindpw", "bind pw", "storepass", "keypass", "store pass", "key pass",
			"mysql pwd", "pgpassword", "requirepass", "masterauth", "psk", "sudo password", "zugangspasswort", "pswd", "identified by", "密码", "密碼", "パスワード", "비밀번호", "пароль", "كلمة المرور", "كلمة السر", "पासवर्ड", "senha de acesso"}, Shape: shapePassword},
	{ID: "api-key", Type: "api_key", Group: groupSecrets, Rank: rankKeyed + 1, Doc: "API key by its key",
		Keys: []string{"api key", "apikey", "api token", "access key", "api secret", "app key", "app secret", "application key", "consumer key", "consumer secret",
			"upstream key", "subscription key", "service key", "license key", "sonar login", "auth key", "authkey", "secret key", "account secret", "developer key", "server key",
			"rest api key", "integration key", "write key", "master key", "admin key", "x api key", "function key", "functions key", "carrier key", "cle api", "cle d api",
			"clave api", "clave de api", "api schlussel", "schlussel", "host key", "ingest key", "project key secret", "deploy key", "webhook secret", "webhook key",
			"openai key", "anthropic key", "cohere key", "mistral key", "groq key", "gemini key", "twilio key", "co api key", "stripe key", "sendgrid key"}, Shape: shapeToken},
	{ID: "some-key", Type: "api_key", Group: groupSecrets, Rank: rankKeyed - 1, Doc: "machine-made value of a key named for its service",
		Keys: []string{"key", "keys"}, Shape: shapeServiceKey},
	{ID: "token", Type: "generic_secret", Group: groupSecrets, Rank: rankKeyed, Doc: "token or secret by its key",
		Keys: []string{"token", "secret", "access token", "auth token", "refresh token", "id token", "oauth token", "client secret", "bearer token", "bot token",
			"secret token", "private token", "personal access token", "auth secret", "jwt secret", "session secret", "signing secret", "signing key", "encryption key",
			"cookie secret", "shared secret", "private key", "secret value", "credential", "credentials", "creds", "authorization", "auth", "x auth token", "bearer", "jeton",
			"hmac key", "hmac secret", "crypto key", "cipher key", "decryption key", "secret key base", "pat", "app password token", "sso token", "deploy token",
			"registration token", "csrf token", "device token", "otp secret", "totp secret", "two factor secret", "recovery code", "access code", "security token",
			"password reset token", "reset token", "magic token", "authorization token", "nonce secret", "secret access key", "access key secret", "salt key", "secret code", "authtoken", "accesstoken",
			"geheimnis", "secreto", "ficha", "cle secrete", "clave secreta", "api credentials", "private token key"}, Shape: shapeToken},
}

// shapePassword takes what may be a password: a quoted text without the look of a
// sentence, or one word that is not a plain one.
func shapePassword(c *scan, f *field) (int, int, bool) {
	if start, end, ok := c.listed(f); ok {
		return start, end, true
	}
	start, end := c.oneWord(f)
	v := c.text[start:end]
	if len(v) < 4 || len(v) > 256 || isPlaceholder(v) || isReference(v, !f.quoted) || isUUID(v) && f.prose {
		return 0, 0, false
	}
	if v[0] == '/' && strings.LastIndexByte(v, '/') > 0 && wordy(v) {
		return 0, 0, false // a path: PWD=/home/jane
	}
	x := varietyOf(v)
	if f.quoted && f.sep != ' ' {
		if n := strings.Count(v, " "); n > 0 && (n > 5 || x.digit == 0 && x.other <= n || f.prose) {
			return 0, 0, false
		}
		if x.digit == 0 && x.other == 0 && x.high == 0 {
			return start, end, len(v) >= 6 && !inSet(plainWords, v)
		}
		return start, end, x.high*2 < len(v)
	}
	if strings.IndexByte(v, ' ') >= 0 {
		return 0, 0, false
	}
	// Without quotes only a value that no sentence or code would have there.
	if x.digit > 0 && x.lower+x.upper+x.other > 0 {
		if x.other == 0 && x.lower+x.upper == 0 {
			return 0, 0, false
		}
		return start, end, !isIdentCall(c.text, end) && !(x.lower+x.upper == 0 && x.digit <= 3)
	}
	if x.digit > 0 { // digits alone: a PIN
		return start, end, x.digit >= 4 && x.digit <= 12 && !f.prose && f.sep != ' '
	}
	if x.other <= 2 && len(v) >= 8 && x.lower > 0 && x.upper > 0 && x.high == 0 && (f.quoted || !f.prose && f.sep != ' ') && !wordy(v) && !isIdentCall(c.text, end) &&
		strings.IndexAny(v, "(){}[]<>\"';$.\\") < 0 {
		return start, end, true
	}
	if f.quoted && x.lower > 0 && x.upper > 0 && x.other > 0 && !wordy(v) && strings.IndexAny(v, "(){}[]<>\"';\\") < 0 {
		return start, end, true
	}
	if x.other > 0 && x.lower+x.upper > 0 && !f.prose {
		return start, end, strings.IndexAny(v, "!@#%^&*+=?") > 0 && strings.IndexAny(v, "(){}[]<>\"';") < 0
	}
	// A bare word: only as the whole value of an upper-case variable.
	return start, end, f.sep == '=' && !f.prose && upperKey(c.text, start) && x.other == 0 && x.high == 0 && len(v) >= 6 && endOfLine(c.text, end) && !inSet(plainWords, v)
}

// plainWords are words that stand under a password's key without being one.
var plainWords = set("string", "required", "optional", "expired", "invalid", "incorrect", "missing", "unknown", "hidden", "disabled",
	"enabled", "protected", "encrypted", "hashed", "plaintext", "prompt", "generated", "random", "forgotten", "reset", "changed", "unset",
	"credentials", "authentication", "password", "passwords", "secret", "secrets", "private", "public", "internal", "external", "failed",
	"success", "accepted", "rejected", "varchar", "boolean", "integer", "number", "object", "nullable", "undefined", "strong", "weak",
	"default", "manual", "automatic", "provided", "redacted", "masked", "removed", "argon", "bcrypt", "scrypt", "sha", "ldap", "kerberos",
	"basic", "digest", "bearer", "oauth", "saml", "cookie", "session", "form", "field", "input", "textbox", "label", "stable", "rotate",
	"rotated", "expires", "pending", "active", "revoked", "valid", "must", "should", "none", "false", "true")

// upperKey reports whether the key right before the '=' before text[start] is
// written as an environment variable.
func upperKey(text string, start int) bool {
	i := start
	for i > 0 && text[i-1] != '=' {
		i--
	}
	return i > 1 && isUpper(text[i-2])
}

func endOfLine(text string, end int) bool {
	return end >= len(text) || text[end] == '\n' || text[end] == '\r' || text[end] == '\\' || text[end] == '"'
}

// isIdentCall reports whether a call or an index follows: the word was code.
func isIdentCall(text string, end int) bool {
	return end < len(text) && (text[end] == '(' || text[end] == '[')
}

// shapeToken takes one machine-made word.
func shapeToken(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	if end < f.end && c.text[end] == ' ' && string(lastWord(c.nameWords())) == "authorization" && isIdent(c.text[start:end]) && !hasDigit(c.text[start:end]) {
		g := *f // after the name of a scheme
		g.start = end + 1
		start, end = c.oneWord(&g)
	}
	// "Authorization: Bearer x", "token: Token x" are left to their own rules.
	v := c.text[start:end]
	if len(v) < 8 || len(v) > maxLong || strings.IndexByte(v, ' ') >= 0 || isPlaceholder(v) || isReference(v, !f.quoted) || isFiller(v) {
		return 0, 0, false
	}
	if strings.Contains(v, "://") || strings.HasPrefix(v, "HTTP/") || isIdentCall(c.text, end) || isDateLike(v) || fileName(v) || versioned(v) {
		return 0, 0, false
	}
	if isUUID(v) {
		return start, end, !f.prose || c.surelySecret()
	}
	x := varietyOf(v)
	if x.digit == len(v) && (len(v) < 16 || f.prose && len(v) < 20) || v[0] == '/' && !base64ish(v) || x.high > 0 {
		return 0, 0, false
	}
	if x.other > 0 && strings.IndexAny(v, "(){}<>[]\\") >= 0 {
		// Code, unless it is long and of everything.
		return start, end, f.quoted && f.sep != ' ' && !f.prose && len(v) >= 32 && x.digit >= 3 && x.other >= 6 && x.distinct >= 20
	}
	if x.digit == len(v) && len(v) >= 20 && x.distinct >= 6 {
		return start, end, true
	}
	if !looksRandom(v) {
		// A secret that a person chose, only where nothing but a value can stand.
		ok := f.quoted && f.sep != ' ' && !f.prose && len(v) >= 8 && x.digit > 0 && x.lower+x.upper > 0 && x.other > 0 && strings.IndexAny(v, "!@#%^&*") >= 0
		return start, end, ok
	}
	return start, end, true
}

// surelySecret reports whether the name at hand is one that only secrets have. A token or
// a key alone may be an id.
func (c *scan) surelySecret() bool {
	words := c.nameWords()
	switch last := string(lastWord(words)); last {
	case "secret", "apikey", "authtoken":
		return true
	case "key", "token":
		return lastPhrase(words, secretHeads) == len(words)
	}
	return false
}

var secretHeads = phrases("api key", "app key", "access key", "secret key", "private key", "auth key", "api token", "auth token", "access token", "private token", "secret token", "refresh token")

// fileName reports whether v is a path or the name of a file: its last part has a
// short extension of letters.
func fileName(v string) bool {
	dot := strings.LastIndexByte(v, '.')
	if n := len(v) - dot - 1; dot < 0 || n < 2 || n > 8 {
		return false
	}
	ext := varietyOf(v[dot+1:])
	return ext.digit == 0 && ext.other == 0 && ext.upper == 0 && strings.IndexByte(v, '/') > 0
}

// versioned reports whether v is a name and a version: "jackson-core-2.17.0".
func versioned(v string) bool {
	dash := strings.LastIndexByte(v, '-')
	if dash < 2 || hasDigit(v[:dash]) || strings.IndexByte(v[dash:], '.') < 0 {
		return false
	}
	return strings.Trim(v[dash+1:], "0123456789.") == ""
}

// shapeServiceKey takes a machine-made word of 16 bytes or more, under a key of two
// words: "nasdaq_key". A key alone may be one of anything.
func shapeServiceKey(c *scan, f *field) (int, int, bool) {
	words := c.nameWords()
	if bytes.Count(words, []byte(" ")) < 3 || f.prose && f.sep != ' ' && f.sep != ':' {
		return 0, 0, false
	}
	start, end, ok := shapeToken(c, f)
	return start, end, ok && end-start >= 16 && (!f.prose || end-start >= 20)
}

func base64ish(v string) bool {
	return len(v) >= 32 && base64Std.span(v, 0, len(v)) == len(v) && mixedCase(v)
}

// shapeLong takes 40 or more bytes of base64.
func shapeLong(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	return start, end, len(v) >= 40 && len(v) <= 120 && base64Std.span(v, 0, len(v)) == len(v) && mixedCase(v) && !isFiller(v)
}

// shapeAWS takes 40 bytes of base64.
func shapeAWS(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	return start, end, len(v) >= 38 && len(v) <= 64 && base64Std.span(v, 0, len(v)) == len(v) && !isFiller(v) && varietyOf(v).distinct > 12
}

// shapeSig takes the signature of a signed URL.
func shapeSig(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	return start, end, f.sep == '=' && len(v) >= 40 && looksRandom(v) && !isPlaceholder(v) && strings.IndexAny(v, "([{") < 0
}

// shapeCookie takes a session's secret; ids of sessions that are names or UUIDs are
// none.
func shapeCookie(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	if len(v) < 20 || len(v) > 2048 || strings.IndexByte(v, ' ') >= 0 || isUUID(v) || isPlaceholder(v) || isReference(v, !f.quoted) || !looksRandom(v) {
		return 0, 0, false
	}
	x := varietyOf(v)
	// A session's id in telemetry is a hash or a UUID; what a browser is given is longer
	// and of both cases.
	if bytes.HasSuffix(c.nameWords(), []byte(" session id ")) && (len(v) < 32 || x.lower == 0 || x.upper == 0) && !inCookie(c.text, f.start) {
		return 0, 0, false
	}
	return start, end, x.digit > 0 && strings.IndexAny(v, "(){}<>\\") < 0
}

// inCookie reports whether text[i] stands in a header of cookies: "Cookie: a=b; sid=".
func inCookie(text string, i int) bool {
	from := max(0, i-400)
	if k := strings.LastIndexByte(text[from:i], '\n'); k >= 0 {
		from += k
	}
	return strings.Contains(text[from:i], "ookie")
}

// shapeSeed takes 12 to 24 short lower-case words.
func shapeSeed(c *scan, f *field) (int, int, bool) {
	start, end := trim(c.text, f.start, f.end)
	words, n, i := 0, 0, start
	for ; i < end; i++ {
		b := c.text[i]
		if isLower(b) {
			n++
			continue
		}
		if n < 3 || n > 8 || b != ' ' && b != ',' {
			break
		}
		words++
		n = 0
	}
	if n >= 3 && n <= 8 {
		words++
	} else if n == 0 {
		for i > start && !isLower(c.text[i-1]) {
			i--
		}
	}
	return start, i, words >= 12 && words <= 26
}

// bearerAt reads the token after "Bearer ".
func bearerAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	start := i + strings.IndexByte(text[i:], ' ') + 1
	for start < len(text) && start < i+12 && (text[start] == ' ' || text[start] == '"' || text[start] == '`') {
		start++
	}
	end := tokenBody.span(text, start, 4096)
	for end > start && (text[end-1] == '.' || text[end-1] == '-' || text[end-1] == '/') {
		end--
	}
	v := text[start:end]
	if len(v) < 10 || isPlaceholder(v) || isReference(v, true) || isFiller(v) || strings.Contains(v, "://") {
		return 0, 0, false
	}
	x := varietyOf(v)
	return start, end, looksRandom(v) || isUUID(v) || x.digit == len(v) && x.digit >= 20 && x.distinct >= 6
}

// basicAt reads base64 of "user:password" after "Basic ".
func basicAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	start := i + 6
	end := base64Any.span(text, start, 512)
	v := text[start:end]
	if len(v) < 8 {
		return 0, 0, false
	}
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil {
		return 0, 0, false
	}
	at := strings.IndexByte(string(raw), ':')
	if at < 0 || at == len(raw)-1 {
		return 0, 0, false
	}
	for _, b := range raw {
		if b < 0x20 || b > 0x7e {
			return 0, 0, false
		}
	}
	return start, end, true
}
