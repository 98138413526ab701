package detect

import "strings"

// personRules are names and dates of birth, and what persons are to others.
var personRules = []rule{
	{ID: "name-title", Type: "person_name", Group: groupPII, Rank: rankWord, Doc: "name after a title", Canon: canonWords,
		Terms: []string{"mr ", "mr.", "mrs ", "mrs.", "ms ", "ms.", "dr ", "dr.", "prof ", "prof.", "professor ", "mme ", "mme.", "mlle ", "monsieur ", "madame ",
			"herr ", "frau ", "señor ", "señora ", "sr.", "sra.", "attorney ", "judge ", "miss ", "docteur ", "maître ", "nurse "}, Recognise: afterTitle},
	{ID: "name-introduced", Type: "person_name", Group: groupPII, Rank: rankWord, Doc: "name in an introduction", Canon: canonWords,
		Terms: []string{"my name is ", "name's ", "je m'appelle ", "mon nom est ", "mein name ist ", "ich heiße ", "me llamo ", "mi nombre es ", "i am called ", "this is ", "je suis ", "ich bin ", "i'm ", "i am "}, Recognise: introduced},
	{ID: "name-keyed", Type: "person_name", Group: groupPII, Rank: rankFree, Doc: "name by its key", Canon: canonWords,
		Keys: []string{"full name", "customer name", "employee name", "patient name", "first name", "last name", "surname", "given name", "family name", "client name",
			"account holder", "cardholder", "cardholder name", "card holder", "holder name", "contact name", "candidate name", "applicant name", "manager", "manager name", "supervisor",
			"physician", "doctor", "attending physician", "provider name", "attorney", "beneficiary", "beneficiary name", "emergency contact", "spouse", "spouse name", "next of kin",
			"customer", "patient", "employee", "applicant", "candidate", "tenant", "borrower", "insured", "policyholder", "member name", "display name", "nom complet", "prenom", "nom",
			"nombre", "nombre completo", "apellido", "vorname", "nachname", "name des kunden", "legal name", "maiden name", "sender name", "recipient name", "references", "reference name",
			"account name", "payee", "payer", "guardian", "parent name", "student name", "driver name", "driver", "reviewer name", "assignee name", "author name", "borrower name", "tenant name", "mother s maiden name",
			"patient full name", "speaker", "client", "defendant", "plaintiff", "witness", "opposing party", "holder", "kunde", "patientin", "cliente", "nom du client", "person", "name"}, Shape: shapeName},
	{ID: "date-of-birth", Type: "date_of_birth", Group: groupPII, Rank: rankNumber, Doc: "date of birth by context", Numbers: numShort | numYear | numMonth, NeedNear: true, Recognise: birthAt, Canon: canonDigits,
		Near: []string{"born", "born on", "dob", "d o b", "date of birth", "birth date", "birthdate", "birthday", "birth", "ne le", "nee le", "date de naissance", "naissance",
			"nacido", "nacida", "fecha de nacimiento", "nacimiento", "geboren", "geburtsdatum", "geburtstag", "dateofbirth", "birth day", "naci", "ddn", "date naissance"}},
	{ID: "date-of-birth-words", Type: "date_of_birth", Group: groupPII, Rank: rankNumber, Doc: "date of birth in words by context", Canon: canonWords,
		Terms: months, Recognise: birthMonthAt,
		Near: []string{"born", "born on", "dob", "d o b", "date of birth", "birth date", "birthdate", "birthday", "birth", "dateofbirth", "ne le", "nee le", "date de naissance", "date naissance", "fecha de nacimiento", "geburtsdatum", "geboren", "geburtstag", "ddn"}},
	{ID: "biometric", Type: "biometric", Group: groupPII, Rank: rankKeyed + 1, Doc: "biometric template by its key",
		Keys: []string{"fingerprint template", "face template", "voiceprint", "voiceprint id", "iris template", "iris code", "biometric template", "biometric data", "face encoding", "face embedding id", "faceprint", "biometric hash", "retina scan", "biometric id"}, Shape: shapeToken},
}

// afterTitle reads up to three capitalised words after a title.
func afterTitle(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if !isUpper(text[i]) && text[i] < 0x80 && !strings.HasPrefix(text[i:], "se") {
		return 0, 0, false
	}
	k := i
	for k < len(text) && (isLetter(text[k]) || text[k] >= 0x80) {
		k++
	}
	if k < len(text) && text[k] == '.' {
		k++
	}
	if k < len(text) && text[k] == ' ' {
		k++
	}
	end, n := nameRun(text, k, 3)
	return k, end, n > 0 && !inSet(notNames, text[k:wordEnd(text, k)]) && !(n == 1 && inSet(titledBrands, text[k:end]))
}

// titledBrands are products and characters whose name is a title and one word.
var titledBrands = set("pepper", "martens", "oetker", "scholl", "seuss", "clean", "coffee", "peanut", "potato", "robot", "bean", "butterworth", "pac-man", "doubtfire", "dre", "strange", "who", "evil", "marvel", "monopoly", "muscle")

// introduced reads the name after "my name is". After "I am" and "this is" it wants
// two words or more.
func introduced(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	k, weak := i, false
	switch p := strings.ToLower(text[i:min(len(text), i+8)]); {
	case strings.HasPrefix(p, "this is"), strings.HasPrefix(p, "i am "), strings.HasPrefix(p, "i'm"), strings.HasPrefix(p, "je suis"), strings.HasPrefix(p, "ich bin"):
		weak = true
	}
	for k < len(text) && k < i+20 {
		if text[k] == ' ' && k+1 < len(text) && isUpper(text[k+1]) && k > i+2 {
			break
		}
		k++
	}
	if k >= len(text) || text[k] != ' ' {
		return 0, 0, false
	}
	// The capital must follow the phrase at once.
	if lead := strings.ToLower(strings.TrimRight(text[i:k], " ")); !introPhrases[lead] {
		return 0, 0, false
	}
	end, n := nameRun(text, k+1, 3)
	if n == 0 || weak && n < 2 || inSet(notNames, text[k+1:wordEnd(text, k+1)]) {
		return 0, 0, false
	}
	return k + 1, end, true
}

var introPhrases = set("my name is", "name's", "je m'appelle", "mon nom est", "mein name ist", "ich heiße", "me llamo", "mi nombre es", "i am called", "this is", "je suis", "ich bin", "i'm", "i am")

// nameRun reads up to max capitalised words of a name that begins at text[k].
func nameRun(text string, k, max int) (end, n int) {
	end = k
	for n < max {
		w := wordEnd(text, k)
		if w == k || hasDigit(text[k:w]) || strings.IndexByte(text[k:w], '_') >= 0 {
			break
		}
		word := text[k:w]
		if strings.HasSuffix(word, "'s") && n > 0 { // possessive
			if isUpper(word[0]) && !(len(word) > 5 && word == strings.ToUpper(word)) && !innerCapital(word[:len(word)-2]) {
				return w - 2, n + 1
			}
			break
		}
		if isUpper(word[0]) || word[0] >= 0xC3 && word[0] <= 0xC5 {
			if n > 0 && inSet(notNames, word) {
				break
			}
			if len(word) > 3 && word == strings.ToUpper(word) && n == 0 || innerCapital(word) {
				break
			}
			n++
			end = w
			if len(word) == 1 && w < len(text) && text[w] == '.' {
				w++
			}
		} else if n > 0 && (word == "de" || word == "van" || word == "von" || word == "der" || word == "du" || word == "la" || word == "da" || word == "bin" || word == "al") {
			n-- // does not count, and a name must follow
			n++
		} else {
			break
		}
		if w >= len(text) || text[w] != ' ' {
			break
		}
		k = w + 1
	}
	return end, n
}

// innerCapital reports whether a word is written as products are: "OpenAI". Names
// such as McKay and O'Brien, with one capital near the front, are not.
func innerCapital(w string) bool {
	if len(w) < 2 || !isLower(w[1]) {
		return false
	}
	n := 0
	for i := 2; i < len(w); i++ {
		if isUpper(w[i]) && w[i-1] != '-' && w[i-1] != '\'' {
			n++
			if i > 3 {
				return true
			}
		}
	}
	return n > 1
}

// notNames are capitalised words that follow titles and introductions without being
// names.
var notNames = set("the", "and", "or", "of", "in", "on", "at", "from", "with", "for", "is", "was", "will", "who", "a", "an", "i", "you", "he", "she", "we", "they",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "june", "july", "august", "september",
	"october", "november", "december", "general", "president", "please", "thanks", "thank", "hello", "dear", "what", "when", "where", "why", "how", "not", "your", "our", "my",
	"who", "de", "le", "la", "el", "der", "die", "das", "und", "et", "y", "assistant", "claude", "chatgpt", "gpt", "ai", "agent", "bot", "using", "error", "senior", "chief", "lead", "head", "manager", "director", "engineer")

// shapeName takes a person's name: one to four words that begin with capitals.
func shapeName(c *scan, f *field) (int, int, bool) {
	start, end := trim(c.text, f.start, f.end)
	if f.sep == ' ' || f.prose && !f.quoted && f.sep != ':' {
		return 0, 0, false
	}
	if !f.quoted {
		if f.sep == '=' {
			return 0, 0, false
		}
		end, _ = nameRun(c.text, start, 4)
		if end < f.end && strings.IndexByte(" ,.;|", c.text[end]) < 0 {
			return 0, 0, false
		}
	}
	v := c.text[start:end]
	// A title is not part of the name.
	if k := strings.IndexByte(v, ' '); k > 0 && inSet(titles, strings.TrimRight(v[:k], ".")) {
		start += k + 1
		v = c.text[start:end]
	}
	if !personLike(v, c.oneWordName()) {
		return 0, 0, false
	}
	// Under a bare "name" stands anything; there a given name has to confirm it.
	return start, end, !c.bareName() || inSet(givenNames, v[:wordEnd(v, 0)])
}

// oneWordName reports whether the key in c.named allows a name of one word.
func (c *scan) oneWordName() bool {
	words := c.nameWords()
	last := string(lastWord(words))
	switch last {
	case "surname", "vorname", "nachname", "prenom", "apellido":
		return true
	case "name":
		return lastPhrase(words, oneWordKeys) >= 0
	}
	return false
}

// bareName reports whether the key is "name" alone, or that of a thing.
func (c *scan) bareName() bool {
	words := c.nameWords()
	if string(lastWord(words)) != "name" {
		return false
	}
	head := words[:len(words)-len("name ")]
	return len(head) < 2 || !personWords[string(lastWord(head))]
}

// nameWords are the words of the key that a shape was called for.
func (c *scan) nameWords() []byte {
	if c.f.sep == 0 {
		return c.key.words
	}
	return c.name
}

var personWords = set("full", "first", "last", "given", "family", "maiden", "middle", "legal", "customer", "employee", "patient", "client", "candidate", "applicant", "holder", "cardholder", "contact", "manager",
	"provider", "beneficiary", "spouse", "member", "sender", "recipient", "student", "driver", "reviewer", "assignee", "author", "borrower", "tenant", "parent", "person", "guardian", "user", "owner", "physician", "doctor", "reference", "supervisor", "agent")

var oneWordKeys = phrases("first name", "last name", "given name", "family name", "maiden name", "middle name")

var titles = set("mr", "mrs", "ms", "dr", "prof", "professor", "mme", "mlle", "monsieur", "madame", "herr", "frau", "señor", "señora", "sr", "sra", "attorney", "judge", "miss", "m")

// personLike reports whether v reads as a person's name.
func personLike(v string, oneWord bool) bool {
	if len(v) < 2 || len(v) > 60 {
		return false
	}
	end, n := nameRun(v, 0, 5)
	if end < len(v) && v[end:] != "." && v[end:] != ", MD" && v[end:] != " Jr." {
		return false
	}
	if n < 1 || n < 2 && !oneWord || n > 4 {
		return false
	}
	for _, w := range strings.Fields(v) {
		if inSet(orgWords, strings.Trim(w, ".,")) {
			return false
		}
	}
	return true
}

// orgWords say that a name in capitals is not a person's.
var orgWords = set("team", "guild", "group", "inc", "llc", "ltd", "gmbh", "corp", "corporation", "company", "bank", "agent", "service", "system", "systems", "tool", "model",
	"api", "server", "department", "dept", "support", "platform", "university", "hospital", "clinic", "center", "centre", "office", "assistant", "bot", "test", "street",
	"project", "report", "file", "data", "user", "admin", "unknown", "manager", "engineer", "developer", "director", "analyst", "plan", "policy", "account", "order",
	"the", "of", "and", "new", "blue", "red", "green", "black", "white", "sarl", "sas", "plc", "ag", "labs", "solutions", "services", "logistics", "sales", "marketing", "true", "false", "none")

// birthAt reads a date at text[i] when it is said to be of a birth.
func birthAt(c *scan, r *rule, i int) (int, int, bool) {
	if !isDigit(c.text[i]) {
		return 0, 0, false
	}
	n, ok := dateLen(c.text[i:min(len(c.text), i+32)])
	if !ok || i+n < len(c.text) && (isDigit(c.text[i+n]) || isLetter(c.text[i+n]) && c.text[i+n] != 'T') {
		return 0, 0, false
	}
	return i, i + n, c.context(i, r.ctx) > 0 && !c.countered(r, i) || c.after(r, i+n)
}

// birthMonthAt reads a date that begins with the name of its month.
func birthMonthAt(c *scan, r *rule, i int) (int, int, bool) {
	if !isUpper(c.text[i]) {
		return 0, 0, false
	}
	n, ok := dateLen(c.text[i:min(len(c.text), i+32)])
	return i, i + n, ok && (c.context(i, r.ctx) > 0 || c.after(r, i+n))
}
