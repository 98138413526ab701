package detect

import (
	"slices"
	"strings"
)

// workRules are what employers and courts write of a person.
var workRules = []rule{
	{ID: "disciplinary-record", Type: "disciplinary_record", Group: groupHR, Rank: rankFree, Doc: "disciplinary record by its key", Canon: canonWords,
		Keys: []string{"disciplinary action", "disciplinary actions", "disciplinary record", "disciplinary history", "disciplinary", "disciplinary notes", "warning letter", "misconduct"}, Shape: shapeFree},
	{ID: "employment-record", Type: "employment_record", Group: groupHR, Rank: rankFree, Doc: "review or end of employment by its key", Canon: canonWords,
		Keys: []string{"performance review", "performance rating", "performance notes", "termination reason", "reason for leaving", "performance improvement plan", "rejection reason", "review notes hr", "interview notes", "performance"}, Shape: shapeFree},
	{ID: "legal-record", Type: "legal_record", Group: groupHR, Rank: rankFree, Doc: "criminal or court record by its key", Source: "GDPR Art. 10", Canon: canonWords,
		Keys: []string{"criminal record", "criminal history", "conviction", "convictions", "arrest record", "background check", "criminal convictions", "court record", "case notes legal", "immigration status"}, Shape: shapeFree},
}

// shapeFree takes a text of words under a key that says what it is.
func shapeFree(c *scan, f *field) (int, int, bool) {
	start, end := c.freeText(f)
	v := c.text[start:end]
	x := varietyOf(v)
	if f.sep == '=' && !f.quoted || f.sep == ' ' || f.prose && !f.quoted && f.sep != ':' {
		return 0, 0, false
	}
	return start, end, len(v) >= 5 && len(v) <= 600 && x.lower+x.upper >= 4 && !isPlaceholder(v) && !inSet(nothing, v) &&
		strings.IndexAny(v, "{}<>=") < 0 && !isUUID(v) && !strings.Contains(v, "://")
}

// beliefRules are special categories of personal data besides health.
var beliefRules = []rule{
	{ID: "religion", Type: "religion", Group: groupPII, Rank: rankFree, Doc: "religion by its key", Source: "GDPR Art. 9(1)", Canon: canonWords,
		Keys: []string{"religion", "religious affiliation", "religious belief", "religious beliefs", "faith", "confession", "konfession", "religionszugehorigkeit", "appartenance religieuse"}, Shape: shapeBelief},
	{ID: "belief-said", Type: "religion", Group: groupPII, Rank: rankWord + 2, Doc: "religion said of a person", Source: "GDPR Art. 9(1)", Canon: canonWords,
		Terms: religionWords, Recognise: beliefAt, Near: []string{"religion", "religious affiliation", "faith", "konfession", "religious belief", "appartenance religieuse", "afiliacion religiosa", "creencia religiosa"}},
	{ID: "orientation-said", Type: "sexual_orientation", Group: groupPII, Rank: rankWord + 2, Doc: "sexual orientation said of a person", Source: "GDPR Art. 9(1)", Canon: canonWords,
		Terms: orientationWords, Recognise: beliefAt, Near: []string{"sexual orientation", "orientation sexuelle", "orientacion sexual", "sexuelle orientierung", "orientation"}},
	{ID: "sexual-orientation", Type: "sexual_orientation", Group: groupPII, Rank: rankFree, Doc: "sexual orientation by its key", Source: "GDPR Art. 9(1)", Canon: canonWords,
		Keys: []string{"sexual orientation", "orientation sexuelle", "orientacion sexual", "sexuelle orientierung"}, Shape: shapeBelief},
}

// shapeBelief takes one or two words.
func shapeBelief(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	if f.quoted || f.sep == ':' && !f.prose {
		start, end = c.freeText(f)
	}
	v := c.text[start:end]
	x := varietyOf(v)
	if len(v) < 3 || len(v) > 40 || x.digit > 0 || strings.Count(v, " ") > 2 || isPlaceholder(v) || inSet(nothing, v) || strings.IndexAny(v, "{}<>=_():/") >= 0 {
		return 0, 0, false
	}
	return start, end, f.sep != ' ' || inSet(beliefWords, v)
}

// religionWords and orientationWords are words for both in four languages.
var religionWords = []string{"muslim", "christian", "catholic", "jewish", "hindu", "buddhist", "sikh", "atheist", "protestant", "mormon", "agnostic",
	"musulman", "musulmane", "chrétien", "chrétienne", "catholique", "juif", "juive", "bouddhiste", "hindoue", "athée", "musulmán", "musulmana", "católico", "católica", "judío", "judía", "budista", "ateo", "atea",
	"muslimisch", "christlich", "katholisch", "evangelisch", "jüdisch", "buddhistisch", "hinduistisch", "atheistisch"}

var orientationWords = []string{"gay", "lesbian", "bisexual", "heterosexual", "homosexual", "queer", "asexual", "pansexual", "bisexuel", "bisexuelle", "homosexuel", "homosexuelle", "lesbienne", "lesbiana", "schwul", "lesbisch", "bisexuell"}

// beliefWords are the words that may follow "my religion is" and the like.
var beliefWords = set(slices.Concat(religionWords, orientationWords, []string{"islam", "christianity", "judaism", "hinduism", "buddhism", "straight", "orthodox"})...)

// beliefAt accepts a word that is said of a person right before it.
func beliefAt(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	end := wordEnd(text, i)
	words := c.sentence(i)
	c.s.ctx.read(&c.found, words)
	c.wordsAt = 0
	if at := int(c.found.pos[ctxSelf]); at == 0 || at < len(words) {
		// Named by its kind, of a person: "my religion ... is Hindu".
		at := int(c.found.pos[r.ctx])
		if at == 0 && !c.after(r, end) || at > 0 && at < len(words) && c.found.pos[ctxPersonal] == 0 {
			return 0, 0, false
		}
	}
	// "I'm a gay rights lawyer": an adjective of what follows.
	if end < len(text) && text[end] == ' ' && end+1 < len(text) && isLower(text[end+1]) {
		switch w := text[end+1 : wordEnd(text, end+1)]; w {
		case "and", "but", "et", "y", "und", "or", "so", "who", "since", "with", "pero", "mais", "aber":
		default:
			return 0, 0, false
		}
	}
	return i, end, true
}

// selfWords, right before a word, say it of a person.
var selfWords = phrases("i am", "i m", "i am a", "i m a", "he is", "she is", "he s", "she s", "he is a", "she is a", "they are", "is a practising", "is a practicing", "is a devout", "my client is", "je suis", "il est", "elle est",
	"soy", "es", "est", "ist", "ich bin", "er ist", "sie ist", "identifies as", "as a practising", "practising", "came out as", "who is", "patient is", "employee is", "converted to", "raised")
