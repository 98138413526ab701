package detect

// clinicalRules are what clinical notes and codes say by their form, for conditions and
// medications that no list has.
var clinicalRules = []rule{
	{ID: "icd-code", Type: "health_condition", Group: groupHealth, Rank: rankWord + 4, Doc: "code of a diagnosis, by context", Source: "WHO ICD-10; CDC ICD-10-CM",
		Forms: []string{"A##.#", "A##.##", "A##.###", "A##.X", "A##.XX"}, NeedNear: true, Canon: canonID,
		Near: []string{"icd", "icd 10", "icd 10 cm", "icd code", "icd 10 code", "diagnosis code", "dx code", "code cim", "cim 10", "cie 10", "diagnosecode", "dx"}},
	{ID: "record-number-marked", Type: "health_identifier", Group: groupHealth, Rank: rankKeyed, Doc: "medical record number that says it is one", Source: "HIPAA, 45 CFR 164.514(b)(2)", Canon: canonID,
		Prefix: []string{"MRN"}, Body: chars("0-9-"), Min: 5, Max: 12, Valid: hasDigit},
	{ID: "medication-dosed", Type: "medication", Group: groupHealth, Rank: rankWord + 3, Doc: "medication with its dose that somebody takes", Source: "HIPAA, 45 CFR 160.103", Canon: canonWords,
		Terms: []string{"prescribed ", "taking ", "takes ", "started on ", "prescription for ", "nimmt ", "prend ", "toma "}, Recognise: dosedAfter},
	{ID: "condition-diagnosed", Type: "health_condition", Group: groupHealth, Rank: rankWord + 3, Doc: "condition that a person was diagnosed with", Source: "HIPAA, 45 CFR 160.103", Canon: canonWords,
		Terms: []string{"diagnosed with "}, Recognise: diagnosedAfter},
	{ID: "post-office-box", Type: "address", Group: groupPII, Rank: rankNumber - 8, Doc: "post office box", Source: "USPS Publication 28, 28", Canon: canonWords,
		Terms: []string{"p.o. box ", "po box ", "p.o.box ", "postfach ", "apartado postal ", "boîte postale "}, Recognise: boxAt},
}

// dosedAfter reads one word and its dose after the term at text[i].
func dosedAfter(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := c.termEnd(r, i)
	w := wordEnd(text, k)
	if w-k < 5 || w-k > 24 || hasDigit(text[k:w]) {
		return 0, 0, false
	}
	end := doseEnd(text, w)
	return k, end, end > w
}

// diagnosedAfter reads up to three words after "diagnosed with" that is said of one person.
func diagnosedAfter(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	words := c.sentence(i)
	c.s.ctx.read(&c.found, words)
	c.wordsAt = 0
	if c.found.pos[ctxGeneral] > 0 || c.found.pos[ctxSubject] == 0 && c.found.pos[ctxSelf] == 0 && c.found.pos[ctxSaid] == 0 && c.found.pos[ctxPersonal] == 0 {
		return 0, 0, false
	}
	start := c.termEnd(r, i)
	k, end := start, start
	for n := 0; n < 3; n++ {
		w := wordEnd(text, k)
		if w == k || inSet(afterCondition, text[k:w]) {
			break
		}
		end = w
		if w >= len(text) || text[w] != ' ' {
			break
		}
		k = w + 1
	}
	return start, end, end-start >= 5
}

// afterCondition are words that go on after the name of a condition.
var afterCondition = set("in", "at", "on", "by", "last", "this", "when", "after", "before", "since", "during", "and", "or", "but", "who", "which", "that", "as", "a", "an", "the", "it", "is", "was", "for", "to", "from", "early", "years", "two", "three", "some", "something", "any", "these", "those")

// boxAt reads the number of a box and the town after it.
func boxAt(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := c.termEnd(r, i)
	end := k
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	if n := end - k; n < 1 || n > 7 || !rightBound(text, end) {
		return 0, 0, false
	}
	return i, c.addressTail(end), true
}

// termEnd returns where the longest term of r that stands at text[i] ends.
func (c *scan) termEnd(r *rule, i int) int {
	end := i
	for _, t := range r.Terms {
		if i+len(t) <= len(c.text) && equalFold(c.text[i:i+len(t)], t) {
			end = max(end, i+len(t))
		}
	}
	return end
}
