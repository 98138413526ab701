package detect

// Also finds values besides those of the rules.
type Also struct {
	// Info describes the finds as a rule.
	Info RuleInfo
	// Find appends the places of values in a text, sorted and disjoint. Nil: none.
	Find func(dst []Match, text string) []Match
	// Known are fingerprints, as SecretID.Fingerprint writes them, of what rules find and Info describes.
	Known map[string]bool
}

// Add makes s find more. It must not be in use yet.
func (s *Scanner) Add(a Also) { s.also = &a }

// apply joins the finds in text with the rules' own from base on. Where both touch, the place is one find: it covers what
// either did and is named by a. A token stays a token, and media is not read. skip, if not nil, takes finds out.
func (a *Also) apply(dst []Match, base int, text string, media []Media, skip func(Match) bool) []Match {
	if len(a.Known) > 0 {
		for i := base; i < len(dst); i++ {
			a.rename(&dst[i])
		}
	}
	if a.Find == nil {
		return dst
	}
	more := a.Find(nil, text)
	if len(more) == 0 {
		return dst
	}
	rules := append([]Match(nil), dst[base:]...)
	dst = dst[:base]
	wide := -1 // the place in dst of a find that took over more than its own
	for _, m := range more {
		for len(media) > 0 && media[0].End <= m.Start {
			media = media[1:]
		}
		if len(media) > 0 && media[0].Start < m.End || skip != nil && skip(m) {
			continue
		}
		for len(rules) > 0 && rules[0].End <= m.Start {
			dst, rules = append(dst, rules[0]), rules[1:]
		}
		if wide >= 0 && dst[wide].End > m.Start {
			m.End, dst[wide].End = max(m.End, dst[wide].End), m.Start
		}
		n, token := 0, false
		for n < len(rules) && rules[n].Start < m.End {
			token = token || rules[n].Token
			n++
		}
		if token {
			continue
		}
		if n > 0 {
			m.Start, m.End = min(m.Start, rules[0].Start), max(m.End, rules[n-1].End)
		}
		dst, rules, wide = append(dst, m), rules[n:], len(dst)
	}
	return append(dst, rules...)
}
