package detect

import "strings"

// recordRules are what employers, courts and shops hold of a person, said in a
// sentence whose subject is one.
var recordRules = []rule{
	{ID: "disciplinary-said", Type: "disciplinary_record", Group: groupHR, Rank: rankWord + 2, Doc: "disciplinary measure against a person", Source: "GDPR Art. 88", Canon: canonWords, Recognise: recordAt,
		Terms: []string{"written warning", "final warning", "final written warning", "verbal warning", "disciplinary warning", "formal reprimand", "suspended ",
			"avertissement disciplinaire", "mise à pied", "blâme", "abmahnung", "verweis wegen", "amonestación", "suspensión de empleo", "apercibimiento"}},
	{ID: "employment-said", Type: "employment_record", Group: groupHR, Rank: rankWord + 2, Doc: "end of a person's employment, or a review of it", Source: "GDPR Art. 88", Canon: canonWords, Recognise: recordAt,
		Terms: []string{"terminated for cause", "terminated for", "fired for", "dismissed for", "laid off", "is underperforming", "was underperforming", "performance improvement plan", "below expectations", "does not meet expectations", "let go for", "resigned under", "contract was terminated",
			"licencié pour", "licenciée pour", "licencié", "licenciée", "fristlos gekündigt", "gekündigt wegen", "wurde gekündigt", "wurde entlassen", "fue despedido", "fue despedida", "despedido por", "despedida por"}},
	{ID: "legal-said", Type: "legal_record", Group: groupHR, Rank: rankWord + 2, Doc: "offence or court case of a person", Source: "GDPR Art. 10", Canon: canonWords, Recognise: recordAt,
		Terms: []string{"convicted of", "pleaded guilty", "pled guilty", "arrested for", "prior arrests", "prior arrest", "prior convictions", "prior conviction", "on probation for", "on parole", "served time for", "filed for bankruptcy", "declared bankruptcy", "charged with", "indicted for", "restraining order", "outstanding warrant",
			"condamné pour", "condamnée pour", "casier judiciaire", "antecedentes penales", "condenado por", "condenada por", "vorbestraft", "verurteilt wegen", "wegen betrugs verurteilt", "privatinsolvenz"}},
	{ID: "browsing-said", Type: "browsing_history", Group: groupPII, Rank: rankWord + 2, Doc: "what a person searched for or visited", Canon: canonWords, Recognise: recordAt,
		Terms: []string{"searched for \"", "searched for '", "googled \"", "a cherché «", "buscó \"", "suchte nach \""}},
	{ID: "browsing-keyed", Type: "browsing_history", Group: groupPII, Rank: rankFree, Doc: "browsing history by its key", Canon: canonWords,
		Keys: []string{"browsing history", "search history", "historique de navigation", "historial de navegacion", "browserverlauf", "visited pages", "pages visited"}, Shape: shapeHistory},
	{ID: "preference-said", Type: "preference", Group: groupPII, Rank: rankWord, Doc: "preference of a person", Canon: canonWords, Recognise: recordAt,
		Terms: []string{"prefers ", "préfère ", "prefiere ", "bevorzugt "}},
}

// recordAt accepts a phrase whose sentence speaks of one person, and takes the rest
// of the clause with it.
func recordAt(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	start := i
	// An article and an adjective or a number belong to it: "a final written warning".
	for n := 0; n < 2; n++ {
		w := c.previousWord(start)
		if !inSet(recordLeads, w) || start < len(w)+1 || text[start-1] != ' ' {
			break
		}
		start -= len(w) + 1
	}
	end, limit := i, min(len(text), i+72)
	for end < limit {
		if b := text[end]; b == '.' || b == ',' || b == ';' || b == '(' || b == '\n' || b == '\\' || b == '!' || b == '?' || b == ':' || b == '"' && r.Type != "browsing_history" {
			break
		}
		end++
		if text[end-1] == '"' && r.Type == "browsing_history" && end > i+16 {
			return start, end, c.ofPerson(start)
		}
	}
	for end < len(text) && end > i && text[end]&0xC0 == 0x80 {
		end--
	}
	if strings.HasPrefix(text[i:], "suspended ") && !measured(text[i:end]) || !c.ofPerson(start) {
		return 0, 0, false
	}
	for end > i && (text[end-1] == ' ' || isQuote(text[end-1])) {
		end--
	}
	return start, end, end-start >= 8
}

// measured reports whether a suspension is one of a person from work: for a time,
// without pay or for a reason. Services and jobs are suspended otherwise.
func measured(v string) bool {
	for _, w := range []string{" day", " week", " month", " without pay", " for ", " pending investigation"} {
		if strings.Contains(v, w) {
			return true
		}
	}
	return false
}

var recordLeads = set("a", "an", "un", "une", "una", "eine", "einen", "final", "two", "three", "one", "formal", "first", "second", "dernier", "letzte", "the")

// ofPerson reports whether the sentence before text[at] has one person for its
// subject: a name, a pronoun, a role; and is no rule, question or condition.
func (c *scan) ofPerson(at int) bool {
	words := c.sentence(at)
	c.s.ctx.read(&c.found, words)
	c.wordsAt = 0
	if c.found.pos[ctxGeneral] > 0 || c.found.pos[ctxModal] > 0 {
		return false
	}
	if c.found.pos[ctxSubject] > 0 {
		return true
	}
	// A full name in the sentence: two capitalised words, the first a given name.
	k, limit := at, max(0, at-96)
	for k > limit && c.text[k-1] != '\n' && !(c.text[k-1] == '.' && k < at && isSpace(c.text[k]) && !abbreviated(c.text, k-1)) {
		k--
	}
	for k < at {
		w := wordEnd(c.text, k)
		if w == k {
			k++
			continue
		}
		if isUpper(c.text[k]) || c.text[k] >= 0xC3 {
			if end, n := nameRun(c.text, k, 3); n >= 2 && end < at && (inSet(givenNames, c.text[k:w]) || personLike(c.text[k:end], false)) {
				return true
			}
		}
		k = w
	}
	return false
}

// subjects are persons a sentence may be about.
var subjects = phrases("he", "she", "his", "her", "i", "i was", "my client", "the employee", "employee", "the candidate", "candidate", "the applicant", "applicant", "the tenant", "the defendant", "hr note", "hr notes", "hr file", "background check",
	"manager s view", "il", "elle", "l employe", "l employee", "la candidate", "le candidat", "el empleado", "la empleada", "er", "sie", "der mitarbeiter", "die mitarbeiterin", "the customer", "the user", "user preference", "personnel file", "customer", "client")

// modals make a sentence a rule or a possibility.
var modals = phrases("may be", "can be", "will be", "must be", "should be", "could be", "would be", "might be", "shall be", "anyone", "employees who", "any employee", "employees", "people", "policy", "whoever", "procedure", "how to", "what happens", "not", "never", "kann", "puede ser", "peut etre", "model", "if")

// shapeHistory takes the list of what was visited.
func shapeHistory(c *scan, f *field) (int, int, bool) {
	start, end := trim(c.text, f.start, f.end)
	if !f.quoted {
		if k := strings.IndexByte(c.text[start:end], '\n'); k >= 0 {
			end = start + k
		}
		// To the last of its addresses.
		last := start
		for k := start; k < end; k++ {
			if strings.HasPrefix(c.text[k:end], "://") {
				last = k
				for last < end && !isSpace(c.text[last]) && c.text[last] != ',' {
					last++
				}
			}
		}
		if last > start {
			end = last
		}
	}
	v := c.text[start:end]
	return start, end, len(v) >= 8 && len(v) <= 600 && strings.IndexAny(v, "{}<>") < 0 && !inSet(nothing, v) && (f.quoted || strings.Contains(v, "://"))
}
