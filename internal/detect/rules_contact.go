package detect

import (
	"math/bits"
	"net/netip"
	"strings"
)

// contactRules are ways to reach a person, and addresses of hosts.
var contactRules = []rule{
	{ID: "email", Type: "email", Group: groupPII, Rank: rankNumber, Doc: "email address", Source: "RFC 5321, 4.1.2", At: true, Recognise: emailAt, Canon: canonLower},
	{ID: "phone", Type: "phone_number", Group: groupPII, Rank: rankNumber - 4, Doc: "phone number: international, North American, or national by context",
		Source: "ITU-T E.164; NANPA", Numbers: numGroup | numLong | numOpen, Recognise: phoneAt, Canon: canonPhone,
		Near: []string{"phone", "phone number", "tel", "telephone", "mobile", "cell", "call", "fax", "whatsapp", "sms", "contact", "cell phone", "mobile number",
			"telefon", "telefonnummer", "telefono", "numero de telephone", "portable", "movil", "handy", "handynummer", "rufnummer", "joindre", "phone no", "ph",
			"reach", "reach me at", "emergency contact", "contact number", "home phone", "work phone", "msisdn", "appeler", "llamar", "numero de telefono", "text me", "rufen sie mich unter", "ruf mich an unter", "erreichen sie mich unter", "llamame al", "appelez moi au", "telephone number", "celular", "direct line", "my direct line", "direct", "answering at", "messages to", "office line", "fax number", "telepono", "电话", "電話", "手机", "전화", "телефон", "هاتف", "फ़ोन"}},
	{ID: "ip-address", Type: "ip_address", Group: groupPII, Rank: rankNumber - 6, Doc: "IPv4 address of a host", Source: "RFC 791", Numbers: numDotted, Recognise: ipv4At, Canon: canonLower},
	{ID: "ipv6-address", Type: "ip_address", Group: groupPII, Rank: rankNumber - 6, Doc: "IPv6 address of a host", Source: "RFC 4291", Canon: canonLower},
	{ID: "street-address", Type: "address", Group: groupPII, Rank: rankNumber - 8, Doc: "number and street", Source: "USPS Publication 28, C1; La Poste, NF Z10-011",
		Numbers: numWord | numAfter, Terms: []string{"calle ", "c/ ", "avenida ", "avda. ", "paseo ", "plaza ", "carrer ", "via ", "viale "}, Recognise: streetAt, Canon: canonWords,
		Keys: []string{"address", "street address", "home address", "mailing address", "shipping address", "billing address", "postal address", "residential address",
			"street", "adresse", "direccion", "anschrift", "wohnadresse", "domicile", "address line", "address line 1", "delivery address", "current address", "indirizzo", "adresse postale", "domicilio",
			"property address", "work address", "permanent address", "location address", "full address", "ship to"}, Shape: shapeAddress},
	{ID: "client-id", Type: "client_identifier", Group: groupPII, Rank: rankKeyed - 2, Doc: "customer, member or employee number by its key", Canon: canonID,
		Keys: []string{"customer id", "client id", "member id", "employee id", "customer number", "client number", "member number", "employee number", "account id",
			"policy number", "loyalty number", "membership number", "subscriber id", "staff id", "student id", "applicant id", "candidate id", "beneficiary id",
			"customer no", "client no", "numero client", "kundennummer", "numero de cliente", "mitgliedsnummer", "borrower id", "policyholder id", "customer ref"}, Shape: shapeClientID},
}

// emailAt reads a mailbox around '@' at text[i].
func emailAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	start := i
	for start > 0 && i-start < 65 && (isAlnum(text[start-1]) || strings.IndexByte("._%+-", text[start-1]) >= 0 || text[start-1] >= 0x80) {
		start--
	}
	if start > 0 && text[start-1] == '\\' && start < i && (text[start] == 'n' || text[start] == 't' || text[start] == 'r') {
		start++
	}
	for start < i && (text[start] == '.' || text[start] == '-' || text[start] == '%' || text[start] >= 0x80 || text[start] == '+') {
		start++
	}
	if start == i || i-start > 64 || text[i-1] == '.' {
		return 0, 0, false
	}
	end, dot := i+1, -1
	for end < len(text) && end-i < 254 {
		b := text[end]
		if b == '.' {
			if text[end-1] == '.' || text[end-1] == '@' {
				break
			}
			dot = end
		} else if !isAlnum(b) && b != '-' {
			break
		}
		end++
	}
	for end > i && (text[end-1] == '.' || text[end-1] == '-') {
		end--
	}
	dot = strings.LastIndexByte(text[i:end], '.')
	if dot < 2 {
		return 0, 0, false
	}
	tld := text[i+dot+1 : end]
	if len(tld) < 2 || len(tld) > 24 || hasDigit(tld) && !strings.HasPrefix(tld, "xn--") {
		return 0, 0, false
	}
	// "pkg@1.2.3", "image@sha256", "git@github.com:", "logo@2x.png"
	if end < len(text) && (text[end] == '@' || text[end] == ':' && end+1 < len(text) && isWord(text[end+1]) && strings.HasPrefix(text[start:i], "git")) {
		return 0, 0, false
	}
	switch strings.ToLower(tld) {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "css", "mjs", "json", "html", "service", "local", "internal", "lock":
		if tld != "internal" && tld != "local" {
			return 0, 0, false
		}
	}
	if strings.HasSuffix(text[:start], "://") {
		return 0, 0, false // a user of a host
	}
	// The host part of a URL with credentials.
	if start > 2 && text[start-1] == ':' && text[start-2] != ' ' && strings.Contains(text[max(0, start-40):start], "://") {
		return 0, 0, false
	}
	return start, end, true
}

// phoneAt reads a number that begins with '+', '(' or a digit at text[i].
func phoneAt(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	if isDigit(text[i]) && i > 0 && (text[i-1] == '+' || text[i-1] == '(') {
		return 0, 0, false // begun there
	}
	if !isDigit(text[i]) && i > 0 && isWord(text[i-1]) && !escaped(text, i) {
		return 0, 0, false
	}
	var groups [9]int
	g, n, k, seps := 0, 0, i, 0
	var first, second byte // separators
	plus := text[i] == '+'
	if plus {
		k++
	}
	end := i
	for k < len(text) && n < 17 {
		b := text[k]
		if isDigit(b) {
			groups[g]++
			n++
			k++
			end = k
			continue
		}
		if b != ' ' && b != '-' && b != '.' && b != '(' && b != ')' && b != '/' || b == '/' && !(groups[g] > 0 && k+1 < len(text) && isDigit(text[k+1])) {
			break
		}
		if b == '(' && k > i && (groups[0] > 3 || !isDigit(text[k-1]) && text[k-1] != ' ' && text[k-1] != '+' || g > 0 && groups[1] > 0 || k+1 >= len(text) || !isDigit(text[k+1])) {
			break // an area code stands after nothing but the code of the country
		}
		if groups[g] > 0 {
			if g+1 == len(groups) || seps > 8 {
				break
			}
			if n == 10 && !plus && groups[g] == 4 && g == 2 || n == 11 && plus && groups[g] == 4 && groups[0] == 1 && text[i+1] == '1' {
				break // complete as North American
			}
			g++
			if first == 0 {
				first = b
			} else if second == 0 {
				second = b
			}
			seps++
		} else if k > i && b != '(' && text[k-1] != ')' && text[k-1] != '(' && text[k-1] != '+' {
			break
		}
		// At most two separators in a row, as in ") ".
		if k > i+1 && !isDigit(text[k-1]) && !isDigit(text[k-2]) {
			break
		}
		k++
	}
	if groups[g] == 0 && g > 0 {
		g--
	}
	if !rightBound(text, end) {
		return 0, 0, false
	}
	used := groups[:g+1]
	if n < 7 || n > 15 {
		return 0, 0, false
	}
	var buf [20]byte
	d := canonDigitsTo(buf[:0], text[i:end])
	switch {
	case plus:
		if n < 8 || n > 15 || d[0] == '0' || fewDigits(d) {
			return 0, 0, false
		}
		return i, end, g > 0 || n >= 10
	case nanp(used, d, text[i] == '('):
		if c.countered(r, i) {
			return 0, 0, false
		}
		if first == '.' && second == '.' && c.context(i, r.ctx) == 0 && strings.HasPrefix(text[end:], " ms") {
			return 0, 0, false
		}
		if g == 0 || first == ' ' || first == '.' {
			return i, end, c.context(i, r.ctx) > 0 || c.after(r, end)
		}
		return i, end, true
	}
	if n < 7 || n > 14 || g > 0 && groups[0] > 5 || isDateLike(text[i:end]) || fewDigits(d) {
		return 0, 0, false
	}
	return i, end, c.near(r, i, end) && !c.countered(r, i)
}

// fewDigits reports whether d is made of one or two digits only.
func fewDigits(d []byte) bool {
	var seen uint16
	for _, b := range d {
		seen |= 1 << (b - '0')
	}
	return bits.OnesCount16(seen) < 3
}

// nanp reports whether groups are 3-3-4, with or without a 1, and area code and
// exchange are of those assigned.
func nanp(g []int, d []byte, paren bool) bool {
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
		if len(g) > 1 && g[0] == 1 {
			g = g[1:]
		} else if len(g) > 1 {
			return false
		}
	}
	// Area codes and exchanges begin with 2 to 9; 200, 300 and 400 are not assigned.
	if len(d) != 10 || d[0] < '2' || d[3] < '2' || d[0] <= '4' && d[1] == '0' && d[2] == '0' {
		return false
	}
	return len(g) == 1 && !paren || len(g) == 3 && g[0] == 3 && g[1] == 3 && g[2] == 4 || len(g) == 2 && g[0] == 3 && g[1] == 7
}

// ipv4At reads four numbers; loopback, unspecified, netmasks, networks and versions
// are not addresses of hosts.
func ipv4At(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if !isDigit(text[i]) {
		return 0, 0, false
	}
	k, dots := i, 0
	run := 0
	for k < len(text) && k-i < 16 {
		if isDigit(text[k]) {
			run++
			if run > 3 {
				return 0, 0, false
			}
		} else if text[k] == '.' && run > 0 && dots < 3 && k+1 < len(text) && isDigit(text[k+1]) {
			dots++
			run = 0
		} else {
			break
		}
		k++
	}
	if dots != 3 {
		return 0, 0, false
	}
	if k < len(text) && (isWord(text[k]) || text[k] == '.' && k+1 < len(text) && isDigit(text[k+1]) || text[k] == '/' && k+1 < len(text) && isDigit(text[k+1]) ||
		text[k] == '-' && k+1 < len(text) && isLetter(text[k+1])) {
		return 0, 0, false
	}
	a, err := netip.ParseAddr(text[i:k])
	if err != nil || !hostAddr(a) {
		return 0, 0, false
	}
	if c.context(i, ctxVersion) > 0 && c.context(i, ctxHost) == 0 {
		return 0, 0, false
	}
	// A streamed piece of text: " 1.2.3.4" alone in quotes has lost its context.
	if i > 1 && text[i-1] == ' ' && text[i-2] == '"' && k < len(text) && text[k] == '"' && c.context(i, ctxHost) == 0 {
		return 0, 0, false
	}
	b := a.As4()
	// "2.4.1.0" after a product name is a version; without a word for an address a
	// quad of one-digit numbers is taken for one.
	if b[0] < 10 && b[1] < 30 && b[2] < 30 && b[3] < 30 && c.context(i, ctxHost) == 0 && b != [4]byte{8, 8, 8, 8} && b != [4]byte{1, 1, 1, 1} {
		return 0, 0, false
	}
	return i, k, true
}

var versionWords = phrases("version", "v", "release", "build", "firmware", "chrome", "chromium", "safari", "edg", "netmask", "mask", "subnet", "rc",
	"update to", "upgrade to", "oid", "section", "broadcast", "genmask")

var addressWords = phrases("ip", "ip address", "host", "client", "from", "addr", "address", "remote", "server", "peer", "login from", "source", "src", "dst",
	"x forwarded for", "x real ip", "adresse ip", "direccion ip", "connect", "at", "ipv 4")

// hostAddr reports whether a can be the address of one host.
func hostAddr(a netip.Addr) bool {
	if a.IsLoopback() || a.IsUnspecified() || a.IsMulticast() {
		return false
	}
	if a.Is4() {
		b := a.As4()
		return b[0] != 0 && b[0] < 224 && b[3] != 255 && !(b[3] == 0 && b[2] == 0)
	}
	return true
}

// shapeClientID takes a code with at least three digits; UUIDs and client ids of
// OAuth are none.
func shapeClientID(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	if len(v) < 4 || len(v) > 24 || isUUID(v) || isPlaceholder(v) || f.prose && !hasDigit(v) {
		return 0, 0, false
	}
	x := varietyOf(v)
	ok := x.digit >= 3 && x.lower == 0 && x.high == 0 && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_#/ ") == ""
	return start, end, ok && x.upper > 0
}

// isDateLike reports whether v begins as a date does, in any common order.
func isDateLike(v string) bool {
	_, ok := dateLen(v)
	return ok
}
