package detect

import "bytes"

// contextReach is how many bytes before a value are read for context.
const contextReach = 72

// innocent are the words that say that a number is some other thing. They count
// when they stand nearer to the value than any word for it.
var innocent = phrases("order", "orders", "order no", "commande", "bestellung", "pedido", "tracking", "suivi", "parcel",
	"shipment", "sendung", "ticket", "tickets", "case", "request", "request id", "sequence", "seq", "timestamp", "ts",
	"millis", "nanos", "ms", "ns", "epoch", "trace", "trace id", "span", "span id", "commit", "sha", "hash", "checksum",
	"digest", "version", "build", "release", "firmware", "uuid", "guid", "serial", "isbn", "ean", "gtin", "barcode",
	"sku", "part no", "meter", "imei", "reading", "row", "block", "offset", "cache", "cursor", "page", "invoice",
	"facture", "rechnung", "dossier", "expediente", "vorgang", "reference", "ref", "tokens", "token count", "created",
	"updated", "seed", "rfc", "range", "dimensions", "tx", "transaction id", "message id", "event id", "session id",
	"run id", "job id", "id", "coordinates", "lat", "lon", "latitude", "longitude", "bbox", "license", "licence",
	"unix", "duration", "elapsed", "latency", "bytes", "size", "port", "pid", "line", "count", "index", "key")

func phrases(list ...string) (out [][]byte) {
	for _, s := range list {
		out = append(out, phrase(s))
	}
	return out
}

// contentNames are keys that say nothing of the text under them.
var contentNames = set("content", "text", "value", "arguments", "message", "messages", "input", "output", "result",
	"results", "body", "data", "prompt", "completion", "response", "parts", "part", "args", "payload", "note", "notes",
	"query", "item", "items", "event", "stringvalue", "stdout", "stderr", "log", "delta", "answer", "question", "")

// before returns the words that stand before text[at] and belong to it: its key,
// or the sentence so far. When nothing stands before it, the words of the Key the
// text is under. The slice is void after the next call.
func (c *scan) before(at int) []byte {
	if c.wordsAt == at+1 && !c.unread {
		return c.words
	}
	c.wordsAt, c.unread = at+1, false
	c.words = c.words[:0]
	start, end, bare := windowBefore(c.text, at)
	if bare {
		c.words = append(c.words, c.key.words...)
	} else {
		c.words = appendWords(c.words, c.text[start:end])
		if last := lastWord(c.words); len(last) == len("value") && string(last) == "value" && len(c.words) <= len(" string value ") {
			c.words = c.pairWords(c.words, start)
		}
	}
	if len(c.words) == 0 {
		c.words = append(c.words, ' ')
	}
	if len(c.words) > 250 {
		c.words = c.words[len(c.words)-250:]
	}
	c.s.ctx.read(&c.found, c.words)
	return c.words
}

// context returns where the last phrase of a list ends in the words before
// text[at], 0 when none stands there.
func (c *scan) context(at int, id contextID) int {
	if c.wordsAt != at+1 || c.unread {
		if c.quiet(at, id) {
			if c.wordsAt != at+1 {
				c.wordsAt, c.unread = at+1, true
				c.words = c.words[:0]
				c.found.clear()
			}
			return 0
		}
		c.before(at)
	}
	return int(c.found.pos[id])
}

// windowBefore finds the stretch of text before at that is context of the value
// there. bare is true when the value stands at the beginning of the text.
func windowBefore(text string, at int) (start, end int, bare bool) {
	i := at
	// What opens the value: quotes with their escapes, brackets, emphasis.
	for i > 0 && at-i < 16 && (isQuote(text[i-1]) || isBlank(text[i-1]) || text[i-1] == '\\' || text[i-1] == '*' ||
		text[i-1] == '$' || text[i-1] >= 0x80 && currencyBefore(text, i) || text[i-1] == '(' || text[i-1] == '[' || text[i-1] == '+' || text[i-1] == '#' || text[i-1] == '_') {
		i--
	}
	if i >= 3 && i < at && text[i-1] != ' ' || i == at {
		if k := i; k > 2 && at-k < 2 && isUpper(text[k-1]) && isUpper(text[k-2]) && isUpper(text[k-3]) && k < len(text) && text[k] == ' ' && inSet(currencyWords, text[k-3:k]) {
			for i = k - 3; i > 0 && at-i < bareReach && (isQuote(text[i-1]) || isBlank(text[i-1]) || text[i-1] == '\\'); {
				i--
			}
		}
	}
	if i == 0 {
		return 0, 0, true
	}
	end = i
	limit := max(0, at-contextReach)
	var sep byte
	inKey, tight := false, false
	for i > limit {
		switch b := text[i-1]; b {
		case ':', '=', '>':
			if sep != 0 {
				return i, end, false
			}
			sep = b
			tight = i > 1 && !isBlank(text[i-2])
			if b == '=' || b == ':' {
				// A quoted key: everything inside the quotes, nothing outside.
				k := i - 1
				for k > limit && isBlank(text[k-1]) {
					k--
				}
				if k > limit && isQuote(text[k-1]) {
					inKey = true
					i = k - 1
					for i > limit && text[i-1] == '\\' {
						i--
					}
					continue
				}
			}
		case '"':
			return i, end, false
		case '\'', '`':
			// An apostrophe inside a word is no quote.
			if inKey || !(i > 1 && isWord(text[i-2]) && i < len(text) && isWord(text[i])) {
				return i, end, false
			}
		case '\n', '\r':
			if i < end {
				return i, end, false
			}
			end = i - 1
		case '{', '}', ']', '[', '<', '|', ';', '&', '\t':
			return i, end, false
		case ',':
			if sep != 0 {
				return i, end, false
			}
		case 'n':
			if i > 1 && text[i-2] == '\\' && i < end {
				return i, end, false
			}
		case ' ':
			if sep == '=' && tight && i < end-1 && !isBlank(text[i]) && text[i] != '=' {
				return i, end, false
			}
			if i > 1 && (text[i-2] == '.' || text[i-2] == '?' || text[i-2] == '!') && i < end && !abbreviated(text, i-2) {
				return i, end, false
			}
		}
		i--
	}
	return i, end, false
}

// currencyBefore reports whether the byte before text[i] is of a currency sign: £ ¥ € ₹.
func currencyBefore(text string, i int) bool {
	b := text[i-1]
	return b == 0xA3 || b == 0xA5 || b == 0xAC || b == 0x82 || b == 0xE2 || b == 0xB9 || b == 0xC2
}

// abbreviated reports whether the dot at text[dot] ends a short form such as
// "no.", "Nr.", "acct." rather than a sentence.
func abbreviated(text string, dot int) bool {
	i := dot
	for i > 0 && isLetter(text[i-1]) {
		i--
	}
	if n := dot - i; n == 0 || n > 4 || text[dot] != '.' {
		return false
	}
	return inSet(shortForms, text[i:dot])
}

// shortForms are written with a dot that ends no sentence.
var shortForms = set("no", "nr", "num", "acct", "acc", "tel", "ph", "st", "dr", "mr", "ms", "mrs", "prof", "ext", "apt", "ste", "ave", "rd", "blvd", "ln", "ref", "id", "cf", "op")

// near reports whether a phrase of r stands before the value, nearer than
// counter-context when r minds it, or after it in the way of "... as the account
// number".
func (c *scan) near(r *rule, start, end int) bool {
	if at := c.context(start, r.ctx); at > 0 {
		return !r.Innocent || c.context(start, ctxInnocent) <= at
	}
	return c.after(r, end)
}

// countered reports whether counter-context stands close before the value and
// nearer than any phrase of r.
func (c *scan) countered(r *rule, start int) bool {
	in := c.context(start, ctxInnocent)
	return in > 0 && in >= len(c.words)-18 && in > c.context(start, r.ctx)
}

// after reports whether the words after a value name it: "123 as the tax number",
// "123 (SSN)", "123 is my account number".
func (c *scan) after(r *rule, end int) bool {
	if end+4 > len(c.text) || r.ctx == ctxNone {
		return false
	}
	if c.tailAt != end+1 {
		c.tailAt = end + 1
		c.readAfter(end)
	}
	return c.tailFound.pos[r.ctx] > 0
}

// mayNameAfter reports whether the words after text[end] may name what is before: a
// bracket, a quote, or one of the letters that links begin with.
func mayNameAfter(text string, end int) bool {
	if end+4 > len(text) {
		return false
	}
	switch text[end] {
	case '"', '`', '(':
		return true
	case ' ':
		switch text[end+1] {
		case 'a', 'i', 'c', 'e', 'f', 'w', '(', '"':
			return true
		}
	}
	return false
}

// readAfter fills c.tailFound for the words after text[end].
func (c *scan) readAfter(end int) {
	c.tailFound.clear()
	if !mayNameAfter(c.text, end) {
		return
	}
	tail := c.text[end:min(len(c.text), end+48)]
	for i := range len(tail) {
		if b := tail[i]; b == '\n' || b == '.' || b == ',' || b == ';' || b == '"' && i > 0 || b == '\\' || b == ')' || b == ':' {
			tail = tail[:i]
			break
		}
	}
	if len(tail) < 4 {
		return
	}
	c.tail = appendWords(c.tail[:0], tail)
	if tail[0] != '(' && tail[1] != '(' {
		ok := false
		for _, w := range afterLinks {
			ok = ok || bytes.HasPrefix(c.tail, w)
		}
		if !ok {
			return
		}
	}
	c.s.ctx.read(&c.tailFound, c.tail)
}

// afterLinks join a value to the name that follows it.
var afterLinks = phrases("as the", "as my", "as his", "as her", "as their", "as a", "is my", "is his", "is her", "is the",
	"is their", "comme", "est mon", "est le", "est son", "como", "es mi", "es su", "es el", "als", "ist meine", "ist mein",
	"ist die", "ist seine", "ist ihre", "for the", "was my")
