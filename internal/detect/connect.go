package detect

import "strings"

// Passwords that only their place in a text of a known form tells: connection strings,
// lines of .pgpass, arguments of calls and of commands.

// listed reads the password of a connection string of ADO.NET or ODBC: a list of names and
// values divided by ';', one of which says where or as whom to connect. Any value but a
// placeholder is one, and braces may be around it.
func (c *scan) listed(f *field) (start, end int, ok bool) {
	text := c.text
	if f.sep != '=' || f.quoted || !f.tight {
		return 0, 0, false
	}
	from := max(0, f.start-240)
	if k := strings.LastIndexAny(text[from:f.start], "\"'\n"); k >= 0 {
		from += k + 1
	}
	if !connects(text[from:f.start]) {
		return 0, 0, false
	}
	start = f.start
	if text[start] == '{' {
		start++
		if k := strings.IndexByte(text[start:min(len(text), start+maxWord)], '}'); k >= 0 {
			end = start + k
		}
	} else {
		end = start
		for end < len(text) && end-start < maxWord && strings.IndexByte(";\"'\r\n<\\ ", text[end]) < 0 {
			end++
		}
	}
	if end-start < 4 {
		return 0, 0, false
	}
	v := text[start:end]
	return start, end, !isPlaceholder(v) && !isReference(v, true)
}

// connects reports whether a list of "name=value;" names a server or a user.
func connects(list string) bool {
	for at := 0; ; {
		k := strings.IndexByte(list[at:], ';')
		if k < 0 {
			return false
		}
		if eq := strings.IndexByte(list[at:at+k], '='); eq > 0 && inSet(connectNames, strings.TrimSpace(list[at:at+eq])) {
			return true
		}
		at += k + 1
	}
}

var connectNames = set("server", "data source", "datasource", "host", "hostname", "address", "addr", "user id", "userid", "uid", "user", "username", "user name", "database", "initial catalog", "driver", "dsn", "provider", "endpoint")

// pgpass reads a line "host:port:database:user:password"; the colons around the port are
// text[p] and text[q].
func (c *scan) pgpass(p, q int) {
	text, r := c.text, c.s.flagRule
	if r == nil {
		return
	}
	start := p
	for start > 0 && p-start < 64 && (isAlnum(text[start-1]) || strings.IndexByte(".-_*", text[start-1]) >= 0) {
		start--
	}
	if start == p || start > 0 && !isSpace(text[start-1]) && !isQuote(text[start-1]) && !escaped(text, start) {
		return
	}
	k := q
	for range 2 { // database and user
		w := k + 1
		for w < len(text) && w-k < 64 && (isAlnum(text[w]) || strings.IndexByte(".-_*", text[w]) >= 0) {
			w++
		}
		if w == k+1 || w >= len(text) || text[w] != ':' || isDigit(text[k+1]) {
			return
		}
		k = w
	}
	end := k + 1
	for end < len(text) && end-k < 200 && !isSpace(text[end]) && !isQuote(text[end]) && text[end] != '\\' && text[end] != ':' {
		end++
	}
	v := text[k+1 : end]
	if x := varietyOf(v); len(v) >= 6 && x.digit+x.other > 0 && x.digit < len(v) && !isPlaceholder(v) {
		c.add(r, k+1, end)
	}
}

// credentialCalls are calls one of whose arguments, counted from 0, is a password.
var credentialCalls = map[string]int{"networkcredential(": 1, "getconnection(": 2, "pdo(": 2, "mysqli_connect(": 2, "mysqli(": 2, "mysql_connect(": 2, "login(": 1, "directoryentry(": 2,
	"usernamepasswordcredentials(": 1, "httpbasicauth(": 1, "basicauth(": 1, "setbasicauth(": 1, "httpdigestauth(": 1, "passwordauthentication(": 1, "basic_auth(": 1, "authenticate(": 1, "sqlcredential(": 1, "auth_basic(": 1}

func callTerms() (out []string) {
	for t := range credentialCalls {
		out = append(out, t)
	}
	return out
}

// callArgument reads the literal that is the password of the call at text[i].
func callArgument(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	open := i + strings.IndexByte(text[i:], '(') + 1
	want := credentialCalls[strings.ToLower(text[i:open])]
	k := open
	for n := 0; ; n++ {
		for k < len(text) && isSpace(text[k]) {
			k++
		}
		if k >= len(text) || k-open > 200 {
			return 0, 0, false
		}
		if isQuote(text[k]) || text[k] == '\\' {
			q := k
			for q < len(text) && text[q] == '\\' {
				q++
			}
			if q >= len(text) || !isQuote(text[q]) {
				return 0, 0, false
			}
			end := c.closing(q+1, text[q], q-k)
			if n == want {
				v := text[q+1 : end]
				x := varietyOf(v)
				return q + 1, end, len(v) >= 6 && len(v) <= 128 && x.lower+x.upper+x.other > 0 && x.digit+x.other > 0 && strings.IndexByte(v, ' ') < 0 && !mailLike(v) && !isPlaceholder(v) && !isReference(v, false)
			}
			k = end + 1 + q - k
		}
		for k < len(text) && text[k] != ',' && text[k] != ')' && text[k] != '\n' && k-open < 200 {
			k++
		}
		if k >= len(text) || text[k] != ',' {
			return 0, 0, false
		}
		k++
	}
}

// mailLike reports whether v may be an address of mail.
func mailLike(v string) bool {
	at := strings.IndexByte(v, '@')
	return at > 0 && strings.IndexByte(v[at:], '.') > 1
}

// oracleLogin reads the password of "user/password" after sqlplus or in an Oracle URL.
func oracleLogin(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := c.termEnd(r, i)
	for k+1 < len(text) && text[k] == '-' { // flags
		for k < len(text) && text[k] != ' ' {
			k++
		}
		for k < len(text) && text[k] == ' ' {
			k++
		}
	}
	if k < len(text) && isQuote(text[k]) {
		k++
	}
	slash := k
	for slash < len(text) && slash-k < 40 && (isWord(text[slash]) || text[slash] == '$' || text[slash] == '#') {
		slash++
	}
	if slash == k || slash+1 >= len(text) || text[slash] != '/' {
		return 0, 0, false
	}
	end := slash + 1
	for end < len(text) && end-slash < 128 && !isSpace(text[end]) && !isQuote(text[end]) && text[end] != '@' && text[end] != '\\' {
		end++
	}
	v := text[slash+1 : end]
	return slash + 1, end, len(v) >= 4 && end < len(text) && text[end] == '@' && !isPlaceholder(v) && !isReference(v, true)
}

// netLogin reads the password in "net user name password" and "net use ... password /user:name".
func netLogin(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	line := text[c.termEnd(r, i):]
	if k := strings.IndexAny(line, "\n\"|&<>"); k >= 0 {
		line = line[:k]
	}
	off := c.termEnd(r, i)
	var words [4][2]int
	n := 0
	for at := 0; at < len(line) && n < len(words); {
		for at < len(line) && line[at] == ' ' {
			at++
		}
		w := at
		for at < len(line) && line[at] != ' ' {
			at++
		}
		if at > w {
			words[n] = [2]int{off + w, off + at}
			n++
		}
	}
	want := 1
	if strings.Contains(strings.ToLower(text[i:off]), "use ") {
		want = 2
		if !strings.Contains(line, "/user:") {
			return 0, 0, false
		}
	} else if n > 2 && text[words[2][0]] != '/' {
		return 0, 0, false // a sentence
	}
	if n <= want {
		return 0, 0, false
	}
	v := text[words[want][0]:words[want][1]]
	x := varietyOf(v)
	return words[want][0], words[want][1], len(v) >= 6 && v[0] != '/' && x.digit+x.other > 0 && x.lower+x.upper > 0 && !isPlaceholder(v) && !isReference(v, true)
}

// identifiedWith reads the literal after "identified with <plugin> by".
func identifiedWith(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := c.termEnd(r, i)
	tail := strings.ToLower(text[k:min(len(text), k+48)])
	by := strings.Index(tail, " by '")
	if by < 0 {
		return 0, 0, false
	}
	start := k + by + len(" by '")
	end := c.closing(start, '\'', 0)
	v := text[start:end]
	return start, end, len(v) >= 4 && len(v) <= 128 && !isPlaceholder(v)
}

// loginAt reads the password of "user:password@" before the address of a server at '@':
// "app:secret@tcp(db:3306)", "app:secret@db.internal:5432".
func loginAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	host := i + 1
	for host < len(text) && host-i < 80 && (isAlnum(text[host]) || text[host] == '.' || text[host] == '-') {
		host++
	}
	if host == i+1 || host+1 >= len(text) {
		return 0, 0, false
	}
	switch {
	case text[host] == '(' && (text[i+1:host] == "tcp" || text[i+1:host] == "unix"):
	case text[host] == ':' && port(text, host+1) && !strings.HasPrefix(text[i+1:], "sha"):
	default:
		return 0, 0, false
	}
	start := i
	for start > 0 && i-start < 80 && !isSpace(text[start-1]) && !isQuote(text[start-1]) && text[start-1] != '/' && text[start-1] != '=' && text[start-1] != ':' && text[start-1] != '@' {
		start--
	}
	if start < 2 || text[start-1] != ':' {
		return 0, 0, false
	}
	user := start - 1
	for user > 0 && start-user < 64 && (isWord(text[user-1]) || text[user-1] == '-' || text[user-1] == '.') {
		user--
	}
	if user == start-1 || user > 0 && (text[user-1] == '/' || text[user-1] == ':') || inSet(mailNames, text[user:start-1]) {
		return 0, 0, false
	}
	v := text[start:i]
	x := varietyOf(v)
	return start, i, len(v) >= 6 && x.digit+x.other > 0 && x.lower+x.upper > 0 && !isPlaceholder(v) && !isReference(v, true)
}

// port reports whether two to five digits stand at text[i] by themselves.
func port(text string, i int) bool {
	j := i
	for j < len(text) && j-i < 6 && isDigit(text[j]) {
		j++
	}
	return j-i >= 2 && j-i <= 5 && (j == len(text) || !isWord(text[j]))
}

// mailNames stand with a colon before an address of mail.
var mailNames = set("mailto", "email", "e-mail", "mail", "from", "to", "cc", "bcc", "sip", "sips", "xmpp", "contact", "user", "login", "git", "acct", "by", "reply-to", "sender")
