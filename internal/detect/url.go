package detect

import "strings"

// storeSchemes are URL schemes of databases, brokers and file servers, where the
// whole URL is the secret.
var storeSchemes = set("postgres", "postgresql", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis", "rediss", "amqp", "amqps",
	"mssql", "sqlserver", "oracle", "cockroachdb", "clickhouse", "cassandra", "couchdb", "neo4j", "bolt", "influxdb", "nats", "kafka", "mqtt",
	"mqtts", "ldap", "ldaps", "smtp", "smtps", "imap", "imaps", "ftp", "ftps", "sftp", "ssh", "jdbc", "snowflake", "elasticsearch", "memcached", "db2",
	"redshift", "trino", "presto", "hive", "sybase", "firebird", "vertica", "postgresql+psycopg2", "postgresql+asyncpg", "mysql+pymysql", "mysql+mysqlconnector", "bolt+s", "neo4j+s", "stomp", "rabbitmq", "celery")

// url looks for "user:password@" after "://" at text[p].
func (c *scan) url(p int) {
	text := c.text
	if c.s.urlRule == nil {
		return
	}
	start := p
	for start > 0 && p-start < 32 && (isAlnum(text[start-1]) || text[start-1] == '+' || text[start-1] == '-') {
		start--
	}
	if start > 0 && escaped(text, start+1) && start+1 < p {
		start++
	}
	if start == p {
		return
	}
	// The user info ends at the last '@' before the path.
	auth := p + 3
	colon, at := -1, -1
	stop := min(len(text), auth+320)
	k := auth
loop:
	for ; k < stop; k++ {
		switch b := text[k]; b {
		case ':':
			if colon < 0 {
				colon = k
			}
		case '@':
			at = k
		case '/', '?', '#':
			// A password may hold them, raw, if an '@' still follows in the word.
			if at >= 0 || colon < 0 || onlyDigits(text[colon+1:k]) || !atFollows(text, k, stop) {
				break loop
			}
		case ' ', '\n', '\r', '\t', '"', '\'', '`', '<', '>', '\\', '|':
			break loop
		case '[':
			if strings.HasPrefix(text[k:], tokenOpen) {
				return
			}
		}
	}
	if colon < 0 || at < colon || at-colon < 3 {
		return
	}
	pass := text[colon+1 : at]
	if isPlaceholder(pass) || isReference(pass, false) || strings.EqualFold(pass, text[auth:colon]) && inSet(plainWords, pass) || strings.HasPrefix(pass, "//") {
		return
	}
	switch strings.ToLower(pass) {
	case "pass", "pwd", "p", "pw", "passw", "secretpassword":
		return
	}
	scheme := strings.ToLower(text[start:p])
	if !storeSchemes[scheme] {
		c.add(c.s.netRule, colon+1, at)
		return
	}
	end := at + 1
	for end < len(text) && end < at+512 {
		b := text[end]
		if isSpace(b) || isQuote(b) || b == '<' || b == '>' || b == '\\' || b == '|' || b == ')' || b == '}' || b == ']' && !strings.Contains(text[at:end], "[") || b == ',' && end+1 < len(text) && isSpace(text[end+1]) || b == ';' {
			break
		}
		if b == '[' && strings.HasPrefix(text[end:], tokenOpen) {
			break
		}
		end++
	}
	for end > at+1 && strings.IndexByte(".,:;!?", text[end-1]) >= 0 {
		end--
	}
	c.add(c.s.urlRule, start, end)
}

// atFollows reports whether an '@' comes before the word ends.
func atFollows(text string, k, stop int) bool {
	for k++; k < stop; k++ {
		switch b := text[k]; {
		case b == '@':
			return true
		case isSpace(b) || isQuote(b) || b == '<' || b == '>' || b == '\\' || b == '/' || b == '&':
			return false
		}
	}
	return false
}

func onlyDigits(v string) bool {
	for i := range len(v) {
		if !isDigit(v[i]) {
			return false
		}
	}
	return true
}
