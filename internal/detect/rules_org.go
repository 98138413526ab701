package detect

import (
	"bytes"
	"strings"
)

// orgRules are organisations that are a party, and the jobs persons hold in them.
var orgRules = []rule{
	{ID: "company-legal-form", Type: "company_name", Group: groupPII, Rank: rankWord + 1, Doc: "name that ends in a legal form", Source: "ISO 20275, entity legal forms", Canon: canonWords,
		Terms: legalForms, Recognise: companyBefore},
	{ID: "company-keyed", Type: "company_name", Group: groupPII, Rank: rankFree, Doc: "company by its key", Canon: canonWords,
		Keys: []string{"company", "company name", "employer", "employer name", "merchant", "merchant name", "vendor name", "supplier", "supplier name", "client company", "business name", "counterparty", "organisation name",
			"current employer", "previous employer", "customer company", "societe", "entreprise", "empresa", "firma", "arbeitgeber", "employeur", "empleador", "unternehmen", "fournisseur", "proveedor", "lieferant", "payee name"}, Shape: shapeCompany},
	{ID: "company-party", Type: "company_name", Group: groupPII, Rank: rankWord, Doc: "employer or party in a sentence", Canon: canonWords,
		Terms: []string{"works at ", "work at ", "working at ", "worked at ", "work for ", "works for ", "worked for ", "employed by ", "employed at ", "je travaille chez ", "travaille chez ", "trabajo en ", "trabaja en ", "arbeite bei ", "arbeitet bei ",
			"client ", "supplier is ", "kunde ", "cliente ", "contract with ", "contract between ", "vertrag mit ", "contrat avec ", "contrato con ", "on behalf of ", "hired by ", "au nom de ", "im namen der ", "en nombre de "}, Recognise: partyAfter},
	{ID: "job-title-keyed", Type: "job_title", Group: groupHR, Rank: rankFree, Doc: "job by its key", Canon: canonWords,
		Keys: []string{"job title", "position", "position applied", "occupation", "profession", "designation", "title", "job", "current title", "role title", "current position", "poste", "puesto", "cargo", "beruf", "stellenbezeichnung", "fonction", "intitule du poste", "applied position", "applying for"}, Shape: shapeJob},
	{ID: "job-title", Type: "job_title", Group: groupHR, Rank: rankWord, Doc: "job of a person in a sentence", Canon: canonWords,
		Terms: []string{"work as a ", "works as a ", "work as an ", "works as an ", "working as a ", "as our ", "as their new ", "position of ", "job as a ", "promoted to ", "travaille comme ", "en tant que ", "arbeite als ", "arbeitet als ", "trabajo como ", "trabaja como ", "applied for the position of ", "i am a ", "i'm a "}, Recognise: jobAfter},
}

// legalForms end the names of companies.
var legalForms = []string{"inc", "inc.", "llc", "ltd", "ltd.", "limited", "plc", "llp", "gmbh", "s.a.", "sas", "sarl", "s.l.", "s.a.r.l.", "corp", "corp.", "corporation", "b.v.", "n.v.", "pty", "s.p.a.", "s.r.l.", "kgaa", "group"}

// shortForms2 are legal forms of two capitals, tried on words that are.
var shortForms2 = set("ag", "sa", "kg", "as", "ab", "oy", "bv", "nv", "se")

// companyBefore reads the capitalised words before a legal form.
func companyBefore(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if !isUpper(text[i]) && text[i] != 'p' || i < 3 || text[i-1] != ' ' {
		return 0, 0, false
	}
	end := i
	for end < len(text) && (isLetter(text[end]) || text[end] == '.' && end+1 < len(text) && isLetter(text[end+1])) {
		end++
	}
	form := text[i:end]
	strong := len(form) > 2 && !strings.EqualFold(form, "group") || len(form) == 2
	if form == "limited" || form == "corporation" || len(form) == 2 && form != strings.ToUpper(form) {
		return 0, 0, false
	}
	if end < len(text) && text[end] == '.' && form != "plc" {
		end++
	}
	start, n := nameRunBack(text, i-1, 4)
	if n == 0 || !strong && (n < 2 || !c.party(start)) || n == 1 && inSet(orgWords, text[start:i-1]) || inSet(notNames, text[start:wordEnd(text, start)]) {
		return 0, 0, false
	}
	// Of shares and news one talks in general.
	if bytes.HasSuffix(c.before(start), []byte(" of ")) && c.context(start, ctxGeneral) > 0 {
		return 0, 0, false
	}
	tail := text[end:min(len(text), end+12)]
	for _, w := range []string{" shares", " stock", " rose", " fell", " announced", " reported", " released", " launched", " said", " unveiled", " acquired", " plans to"} {
		if strings.HasPrefix(tail, w) {
			return 0, 0, false
		}
	}
	return start, end, true
}

// party reports whether words before text[at] make what follows a party: what was
// not said of a brand in general.
func (c *scan) party(at int) bool { return c.context(at, ctxParty) >= len(c.words) && len(c.words) > 1 }

// partyWords stand right before the name of a party.
var partyWords = phrases("at", "with", "from", "for", "by", "client", "supplier", "employer", "company", "chez", "bei", "en", "of", "und", "between", "and", "the")

// nameRunBack reads up to max capitalised words, and "&" or "and" between them, that
// end before text[end].
func nameRunBack(text string, end, max int) (start, n int) {
	start = end
	for k := end; n < max; {
		w := k
		for w > 0 && (isLetter(text[w-1]) || text[w-1] >= 0x80 || text[w-1] == '\'' || text[w-1] == '-') {
			w--
		}
		if w == k && k > 0 && (text[k-1] == '&' || text[k-1] == ',') {
			w = k - 1
		} else if w == k {
			break
		}
		word := text[w:k]
		switch {
		case isUpper(word[0]) || word[0] >= 0xC3 && word[0] <= 0xC5:
			start = w
			n++
		case (word == "&" || word == "and" || word == "et" || word == "de" || word == "und") && n > 0:
		default:
			return start, n
		}
		if w == 0 || text[w-1] != ' ' {
			break
		}
		k = w - 1
	}
	return start, n
}

// shapeCompany takes a short name in capitals.
func shapeCompany(c *scan, f *field) (int, int, bool) {
	start, end := trim(c.text, f.start, f.end)
	if f.sep == ' ' || f.sep == '=' && !f.quoted || f.prose && !f.quoted {
		return 0, 0, false
	}
	if !f.quoted {
		if k := strings.IndexAny(c.text[start:end], ";|"); k >= 0 {
			end = start + k
		}
	}
	v := c.text[start:end]
	x := varietyOf(v)
	if len(v) < 3 || len(v) > 60 || x.upper == 0 || x.lower < 2 || x.digit > 2 || isPlaceholder(v) || strings.IndexAny(v, "{}()<>=_/:@\"") >= 0 || strings.Count(v, " ") > 6 {
		return 0, 0, false
	}
	// Of one word only where it is a name in capitals of two parts, or the key is sure.
	return start, end, isUpper(v[0]) || v[0] >= 0x80
}

// partyAfter reads the capitalised words after "works at".
func partyAfter(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := i
	for _, e := range c.s.termsAt(text, i) {
		if e.rule == r && e.matches(text, i) {
			k = max(k, i+len(e.lit))
		}
	}
	end, n := nameRun(text, k, 4)
	for n > 0 && end+3 < len(text) && strings.HasPrefix(text[end:], " & ") {
		m, more := nameRun(text, end+3, 3)
		if more == 0 {
			break
		}
		end, n = m, n+more
	}
	if n == 0 || inSet(notNames, text[k:wordEnd(text, k)]) {
		return 0, 0, false
	}
	// A party in a sentence has two words, or a legal form.
	return k, end, n >= 2
}

// shapeJob takes the name of a job.
func shapeJob(c *scan, f *field) (int, int, bool) {
	start, end := trim(c.text, f.start, f.end)
	if f.sep == ' ' || f.sep == '=' && !f.quoted || f.prose && !f.quoted && !f.label {
		return 0, 0, false
	}
	v := c.text[start:end]
	return start, end, len(v) <= 60 && isJob(v)
}

// jobAfter reads a job after "works as a".
func jobAfter(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	k := i
	for _, e := range c.s.termsAt(text, i) {
		if e.rule == r && e.matches(text, i) {
			k = max(k, i+len(e.lit))
		}
	}
	end := jobEnd(text, k)
	return k, end, end > k
}

// jobEnd returns where the job that is named at text[k] ends, k for none: up to five
// words, the last of them one for a job.
func jobEnd(text string, k int) int {
	best, at := k, k
	for n := 0; n < 6 && at < len(text); n++ {
		w := wordEnd(text, at)
		if w == at {
			break
		}
		word := text[at:w]
		if inSet(jobWords, word) || n > 0 && inSet(jobTails, word) && best > k {
			best = w
		} else if jobStop(word) && best == k {
			break
		}
		if w >= len(text) || text[w] != ' ' {
			break
		}
		at = w + 1
	}
	// "VP of Engineering", "Head of Compliance", "directrice des ressources humaines"
	if best > k && best < len(text) && text[best] == ' ' {
		for _, of := range []string{" of ", " de ", " des ", " du ", " für "} {
			if strings.HasPrefix(text[best:], of) {
				at := best + len(of)
				if w := wordEnd(text, at); w > at {
					best = w
					if of != " of " && strings.HasPrefix(text[w:], " ") {
						if x := wordEnd(text, w+1); x > w+2 && isLower(text[w+1]) && of == " des " {
							best = x
						}
					}
				}
				break
			}
		}
	}
	return best
}

func jobStop(word string) bool {
	switch strings.ToLower(word) {
	case "and", "who", "that", "is", "was", "with", "in", "at", "the", "to", "for":
		return true
	}
	return false
}

// isJob reports whether v names a job and nothing else.
func isJob(v string) bool {
	if len(v) < 2 || strings.IndexAny(v, "{}<>=_@:;.!?\"") >= 0 || strings.Count(v, " ") > 5 {
		return false
	}
	for at := 0; at < len(v); {
		w := wordEnd(v, at)
		if inSet(jobWords, v[at:w]) {
			return true
		}
		if at = w; at < len(v) {
			at++
		}
	}
	return false
}

// jobWords head the name of a job, in four languages: our own selection of common
// ones after the groups of ISCO-08.
var jobWords = set("engineer", "manager", "director", "analyst", "developer", "nurse", "accountant", "consultant", "administrator", "technician", "supervisor", "representative", "officer", "specialist", "coordinator", "scientist", "designer",
	"architect", "teacher", "professor", "lawyer", "attorney", "paralegal", "physician", "surgeon", "pharmacist", "dentist", "therapist", "counselor", "recruiter", "clerk", "cashier", "driver", "mechanic", "electrician", "plumber", "chef", "waiter",
	"executive", "president", "vp", "ceo", "cfo", "cto", "coo", "cio", "ciso", "head", "lead", "intern", "assistant", "secretary", "receptionist", "auditor", "controller", "treasurer", "planner", "buyer", "broker", "trader", "underwriter", "actuary", "teller",
	"programmer", "researcher", "librarian", "editor", "journalist", "photographer", "foreman", "welder", "operator", "inspector", "superintendent", "associate", "strategist", "advisor", "adviser", "partner",
	"ingénieur", "ingénieure", "directeur", "directrice", "infirmier", "infirmière", "comptable", "avocat", "avocate", "médecin", "responsable", "chargé", "chargée", "gérant", "gérante", "développeur", "développeuse", "analyste", "technicien", "technicienne",
	"ingeniero", "ingeniera", "gerente", "directora", "enfermera", "enfermero", "contador", "contadora", "abogado", "abogada", "médico", "jefe", "jefa", "analista", "desarrollador", "desarrolladora", "técnico",
	"ingenieur", "ingenieurin", "leiter", "leiterin", "buchhalter", "buchhalterin", "krankenschwester", "pfleger", "anwalt", "anwältin", "arzt", "ärztin", "entwickler", "entwicklerin", "sachbearbeiter", "sachbearbeiterin", "geschäftsführer", "geschäftsführerin", "berater", "beraterin", "verkäufer", "verkäuferin")

// jobTails may follow such a word.
var jobTails = set("i", "ii", "iii", "iv", "logiciel", "einkauf", "vertrieb", "personal")
