package detect

import "strings"

// nameRules are names of persons that their form and place tell: before a mailbox,
// under a letter, after a greeting, or a given name with a surname.
var nameRules = []rule{
	{ID: "name-mailbox", Type: "person_name", Group: groupPII, Rank: rankWord + 1, Doc: "name before a mailbox in angle brackets", Source: "RFC 5322, 3.4", Canon: canonWords, At: true, Recognise: nameBeforeBox},
	{ID: "name-signature", Type: "person_name", Group: groupPII, Rank: rankWord + 1, Doc: "name under a letter", Canon: canonWords,
		Terms: []string{"regards,", "sincerely,", "cordialement,", "mit freundlichen grüßen", "viele grüße", "atentamente,", "saludos,", "best wishes,", "yours truly,", "bien à vous,", "respectfully,", "cheers,", "salutations,"}, Recognise: signature},
	{ID: "name-greeting", Type: "person_name", Group: groupPII, Rank: rankWord, Doc: "given name after a greeting", Canon: canonWords,
		Terms: []string{"hi ", "hello ", "dear ", "bonjour ", "hola ", "hallo ", "liebe ", "lieber ", "cher ", "chère ", "estimado ", "estimada ", "querido ", "querida ", "thanks, ", "thank you, "}, Recognise: greeted},
	{ID: "name-full", Type: "person_name", Group: groupPII, Rank: rankWord - 1, Doc: "given name and surname", Source: "own selection of common given names", Canon: canonWords,
		Terms: fullNameTerms(), Recognise: fullName},
}

// fullNameTerms are the given names with the space that has to follow.
func fullNameTerms() (out []string) {
	for n := range givenNames {
		out = append(out, n+" ")
	}
	return out
}

// nameBeforeBox reads "Jane Roe" of "Jane Roe <jane@example.org>".
func nameBeforeBox(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := i
	for k > 0 && i-k < 65 && text[k-1] != '<' && !isSpace(text[k-1]) {
		k--
	}
	if k < 4 || text[k-1] != '<' {
		return 0, 0, false
	}
	end := k - 1
	for n := 0; n < 3 && end > 0 && (text[end-1] == ' ' || isQuote(text[end-1])); n++ {
		end--
	}
	start, n := nameRunBack(text, end, 4)
	return start, end, n >= 2 && personLike(text[start:end], false)
}

// signature reads the name in the line below a closing, and a job and a company in
// the two lines below that.
func signature(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := i
	for k < len(text) && k < i+30 && breakLen(text, k) == 0 {
		k++
	}
	next := func(k int) int {
		n := breakLen(text, k)
		if n == 0 {
			return -1
		}
		k += n
		for k < len(text) && (text[k] == '>' || text[k] == ' ') {
			k++
		}
		return k
	}
	start := next(k)
	if start < 0 {
		return 0, 0, false
	}
	end, n := nameRun(text, start, 4)
	if n < 2 || end < len(text) && breakLen(text, end) == 0 && text[end] != '"' || !personLike(text[start:end], false) {
		return 0, 0, false
	}
	if at := next(end); at > 0 {
		if stop := jobEnd(text, at); stop > at && c.s.jobRule != nil {
			c.add(c.s.jobRule, at, stop)
			if at := next(stop); at > 0 && c.s.companyRule != nil {
				if stop, n := nameRun(text, at, 5); n >= 2 {
					c.add(c.s.companyRule, at, stop)
				}
			}
		}
	}
	return start, end, true
}

// greeted reads a given name after a greeting.
func greeted(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	k := i
	for k < len(text) && text[k] != ' ' {
		k++
	}
	k++
	w := wordEnd(text, k)
	if k >= len(text) || !isUpper(text[k]) || !inSet(givenNames, text[k:w]) {
		return 0, 0, false
	}
	end, n := nameRun(text, k, 3)
	if n > 1 && !personLike(text[k:end], false) {
		end = w
	}
	if end < len(text) && strings.IndexByte(",!.:\n\\ ", text[end]) < 0 {
		return 0, 0, false
	}
	return k, end, true
}

// fullName reads a given name and one or two surnames, and what is said of the
// person's job after a comma.
func fullName(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if !isUpper(text[i]) && text[i] < 0x80 || i > 0 && (text[i-1] == '/' || text[i-1] == '#' || text[i-1] == '_') {
		return 0, 0, false
	}
	end, n := nameRun(text, i, 4)
	if n < 2 || n > 3 || !personLike(text[i:end], false) || inSet(notSurnames, text[lastWordAt(text, i, end):end]) {
		return 0, 0, false
	}
	// "the Martin Luther King bridge", "Lake Victoria Falls"
	before := c.previousWord(i)
	if strings.EqualFold(before, "the") || strings.EqualFold(before, "lake") || strings.EqualFold(before, "mount") || strings.EqualFold(before, "saint") || len(before) > 1 && isUpper(before[0]) && i > 1 && text[i-1] == ' ' && !inSet(notNames, before) && !inSet(titles, before) {
		return 0, 0, false
	}
	if end+2 < len(text) && text[end] == ',' && text[end+1] == ' ' && c.s.jobRule != nil {
		if stop := jobEnd(text, end+2); stop > end+2 {
			c.add(c.s.jobRule, end+2, stop)
			for _, at := range []string{" at ", " bei ", " chez ", " en ", " of "} {
				if strings.HasPrefix(text[stop:], at) && c.s.companyRule != nil {
					k := stop + len(at)
					if e, n := nameRun(text, k, 4); n >= 2 {
						c.add(c.s.companyRule, k, e)
					}
				}
			}
		}
	}
	return i, end, true
}

// lastWordAt returns where the last word of text[i:end] begins.
func lastWordAt(text string, i, end int) int {
	if k := strings.LastIndexByte(text[i:end], ' '); k >= 0 {
		return i + k + 1
	}
	return i
}

// previousWord is the word before text[i].
func (c *scan) previousWord(i int) string {
	k := i
	for k > 0 && c.text[k-1] == ' ' {
		k--
	}
	w := k
	for w > 0 && k-w < 24 && isLetter(c.text[w-1]) {
		w--
	}
	return c.text[w:k]
}

// notSurnames follow given names in the names of places and things.
var notSurnames = set("square", "garden", "gardens", "street", "avenue", "road", "lane", "drive", "park", "lake", "river", "beach", "island", "islands", "mountain", "mountains", "hill", "hills", "valley", "falls", "bay", "bridge", "tower", "palace", "castle",
	"cathedral", "church", "school", "college", "academy", "institute", "museum", "library", "theatre", "theater", "stadium", "arena", "airport", "station", "hotel", "restaurant", "cafe", "bar", "city", "county", "state", "texas", "virginia", "carolina", "dakota",
	"award", "awards", "prize", "cup", "trophy", "method", "theorem", "effect", "law", "test", "score", "scale", "model", "algorithm", "distribution", "process", "chain", "equation", "rule", "index", "framework", "platform", "cloud", "studio", "edition", "release", "version",
	"day", "week", "month", "year", "movie", "film", "show", "song", "album", "book", "times", "post", "journal", "magazine", "press", "records", "foundation", "society", "association", "museum", "pier", "square", "plaza", "mall", "market", "shop", "store", "wall", "bell", "code", "script", "bot",
	"health", "care", "insurance", "capital", "partners", "holdings", "industries", "technologies", "analytics", "robotics", "pharmaceuticals", "freight", "mining", "marine", "software")
