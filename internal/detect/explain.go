package detect

import "strings"

// Explain says why m was found in text under key, in a few short phrases: the format with
// the layout or prefix that the issuer publishes, the check that the value passed, the name
// of its field and the words near it that speak for it. It is worked out on demand, from the
// rule and the text again, and costs Scan nothing.
//
// It never repeats the value or what is around it. What it quotes are words of the rules:
// prefixes, layouts and names, as the rules have them. key and text have to be those that m
// was found with.
func (s *Scanner) Explain(key Key, text string, m Match) []string {
	if m.Token {
		return []string{"a redaction token, read back"}
	}
	if s.also != nil && s.also.Info.ID == m.Rule {
		return []string{s.also.Info.Why}
	}
	for i := range s.custom {
		if s.custom[i].ID == m.Rule {
			return []string{"the operator's pattern"}
		}
	}
	for _, r := range s.rules {
		if r.ID == m.Rule {
			return s.explain(r, key, text, m)
		}
	}
	return nil
}

func (s *Scanner) explain(r *rule, key Key, text string, m Match) (why []string) {
	c := new(scan)
	c.begin(s, key, text)
	value := text[m.Start:m.End]
	plain := true
	if f := r.format(value); f != "" {
		why = append(why, "format: "+f)
	} else if r.Prefix != nil && r.Body != nil {
		plain = false
		why = append(why, "format: that of the issuer, in another form here")
	}
	if r.Valid != nil && (r.Prefix == nil || r.Forms != nil) {
		why = append(why, "check: the value passes the rule's check")
	}
	if named, near := c.speaks(r, m.Start, m.End); named != "" {
		why = append(why, "named: "+named)
	} else if near != "" {
		why = append(why, "near: "+near)
	}
	if r.Terms != nil && plain {
		if t := r.term(text, m.Start); t != "" {
			why = append(why, "after: "+t)
		} else if r.Keys == nil || len(why) == 0 {
			why = append(why, "known words, and what is said around them")
		}
	}
	if len(why) == 0 {
		why = append(why, r.why(s.readsKeys(r)))
	}
	return why
}

// format tells which prefix or layout of r the value has. Where the value is all digits or
// so, its layout is what the rule is about and shows none of it.
func (r *rule) format(value string) string {
	for _, p := range r.Prefix {
		if strings.HasPrefix(value, p) && len(value) > len(p) {
			return "begins with " + p
		}
	}
	for _, lit := range r.Forms {
		if f := (&form{lit: lit}); f.match(value, 0) == len(value) {
			return "layout " + lit
		}
	}
	switch {
	case r.At:
		return "mailbox@domain"
	case r.Forms != nil && r.Recognise != nil:
		return r.Doc
	case r.Numbers != 0 && len(value) > 0 && (isDigit(value[0]) || value[0] == '+' || value[0] == '('):
		return "digits as they are grouped for it"
	}
	return ""
}

// speaks returns the name or words of r that stand right before, or else near, the value
// text[start:end].
func (c *scan) speaks(r *rule, start, end int) (named, near string) {
	words := c.before(start)
	best, at := "", -1
	for _, p := range r.near {
		if k := strings.LastIndex(string(words), string(p)); k >= 0 && k+len(p) >= at && (k+len(p) > at || len(p) > len(best)) {
			best, at = string(p), k+len(p)
		}
	}
	switch best = strings.TrimSpace(best); {
	case best == "":
	case at == len(words):
		return best, ""
	default:
		return "", best
	}
	if end < len(c.text) {
		tail := string(appendWords(nil, c.text[end:min(len(c.text), end+48)]))
		for _, p := range r.near {
			if k := strings.Index(tail, string(p)); k >= 0 && len(p) > len(best) {
				best = string(p)
			}
		}
	}
	return "", strings.TrimSpace(best)
}

// term returns the word of r that ends right before text[at], quotes and space between.
func (r *rule) term(text string, at int) string {
	for at > 0 && (isSpace(text[at-1]) || isQuote(text[at-1]) || text[at-1] == '=') {
		at--
	}
	for _, t := range r.Terms {
		t = strings.TrimRight(t, " =")
		if at >= len(t) && equalFold(text[at-len(t):at], t) {
			return t
		}
	}
	return ""
}
