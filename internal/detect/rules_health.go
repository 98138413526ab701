package detect

import (
	"bytes"
	"strings"
)

// healthRules are conditions, medications and numbers of patients.
var healthRules = []rule{
	{ID: "health-condition-keyed", Type: "health_condition", Group: groupHealth, Rank: rankFree + 2, Doc: "condition by its key", Source: "HIPAA, 45 CFR 160.103", Canon: canonWords,
		Keys: []string{"diagnosis", "diagnoses", "medical condition", "medical conditions", "health condition", "health conditions", "primary diagnosis", "secondary diagnosis", "dx", "diagnostic", "diagnostico", "diagnose",
			"medical history", "chief complaint", "allergies", "allergy", "comorbidities", "symptoms", "disability", "mental health", "prognosis", "admission diagnosis", "medical notes", "pre existing condition", "pre existing conditions",
			"existing conditions", "icd 10", "antecedents", "enfermedad", "maladie", "krankheit", "maladies", "chronic conditions", "health status", "sensitive health info", "patient condition", "reason for visit", "hiv status", "pregnancy status", "lab result", "lab results", "test result", "treatment", "treatment plan", "procedure"}, Shape: shapeHealth},
	{ID: "health-condition", Type: "health_condition", Group: groupHealth, Rank: rankWord + 4, Doc: "condition said of a person", Source: "WHO ICD-11, titles in common use", Canon: canonWords,
		Terms: conditionTerms, Recognise: conditionAt, Keys: []string{"condition", "conditions", "staff note", "illness", "disease"}, Shape: shapeConditionTerm},
	{ID: "medication-keyed", Type: "medication", Group: groupHealth, Rank: rankFree + 2, Doc: "medication by its key", Source: "HIPAA, 45 CFR 160.103", Canon: canonWords,
		Keys: []string{"medication", "medications", "current medications", "current medication", "prescription", "prescriptions", "prescribed medication", "rx", "drug name", "drug prescribed", "medicament", "medicaments",
			"traitement", "medicacion", "medicamento", "medikament", "medikation", "prescribed", "dosage"}, Shape: shapeHealth},
	{ID: "medication", Type: "medication", Group: groupHealth, Rank: rankWord + 4, Doc: "medication said of a person", Source: "WHO International Nonproprietary Names", Canon: canonWords,
		Terms: medicationTerms, Recognise: medicationAt, Keys: []string{"drug", "drugs", "medicine"}, Shape: shapeMedicationTerm},
	{ID: "ramq", Type: "health_identifier", Group: groupHealth, Rank: rankNumber, Doc: "Québec health insurance number: letters of the name, date of birth", Source: "RAMQ, numéro d'assurance maladie", Canon: canonID,
		Forms: []string{"AAAA########"}, Valid: ramqValid, Near: []string{"nam", "ramq", "assurance maladie", "health card", "health insurance", "patient"}},
	{ID: "ramq-spaced", Type: "health_identifier", Group: groupHealth, Rank: rankNumber, Doc: "the same in groups of four, by context", Source: "RAMQ, numéro d'assurance maladie", Canon: canonID,
		Forms: []string{"AAAA #### ####", "AAAA-####-####"}, Valid: ramqValid, NeedNear: true, Near: []string{"nam", "ramq", "assurance maladie", "health card", "health insurance", "patient", "sante"}},
	{ID: "nhs-number", Type: "health_identifier", Group: groupHealth, Rank: rankNumber, Doc: "NHS number: check digit modulo 11, context", Source: "NHS Data Dictionary, NHS NUMBER", Canon: canonDigits,
		Forms: []string{"##########", "###~###~####", "###-###-####"}, Valid: nhsValid, NeedNear: true, Innocent: true, Near: []string{"nhs", "nhs number", "nhs no", "numero nhs", "nhs nummer"}},
	{ID: "patient-id", Type: "health_identifier", Group: groupHealth, Rank: rankKeyed + 1, Doc: "number of a patient or a health plan by its key or context", Canon: canonID,
		Forms: []string{"AAAA########", "AAA-#######", "AAA######", "AAA-######", "AAA#######", "AAA########", "AAA-########", "AA-######", "AA-#######", "AA######", "########", "##########"}, NeedNear: true, Innocent: true,
		Keys: []string{"mrn", "medical record number", "medical record", "medical record no", "patient id", "patient number", "patient no", "patient", "health plan number", "health card", "health card number",
			"insurance id", "insurance member id", "insurance number", "health insurance number", "health insurance id", "nhs number", "medicare", "medicare id", "medicaid", "medicaid id", "npi", "numero de dossier medical", "dossier medical",
			"versichertennummer", "krankenversicherungsnummer", "numero de historia clinica", "historia clinica", "chart number", "patient identifier", "patientennummer", "numero de patient", "policy id health", "ehr", "prescription number", "rx number", "ramq", "carte d assurance maladie", "patienten id", "health id", "health insurance", "health record number", "hospital number"}, Shape: shapePatientID},
}

// shapeHealth takes the whole text of a field named for health.
func shapeHealth(c *scan, f *field) (int, int, bool) {
	start, end := c.freeText(f)
	v := c.text[start:end]
	if len(v) < 3 || len(v) > 600 || isPlaceholder(v) || isUUID(v) || isDateLike(v) || inSet(nothing, v) {
		return 0, 0, false
	}
	x := varietyOf(v)
	if x.lower+x.upper+x.high < 3 || strings.IndexAny(v, "{}=<>") >= 0 || strings.Contains(v, "://") || strings.Count(v, "_") > 0 {
		return 0, 0, false
	}
	if f.label && strings.IndexAny(v, "()[];`\\|$@#") < 0 && len(v) <= 80 && strings.Count(v, " ") <= 8 {
		return start, end, true
	}
	if f.sep == '=' && !f.quoted || f.sep == ' ' || f.prose && !f.quoted {
		// In code and prose only what is known to be one.
		return start, end, len(v) < 60 && c.containsTerm(v)
	}
	return start, end, true
}

// nothing are values that say there is none.
var nothing = set("none", "negative", "normal", "healthy", "no", "n/a", "na", "unknown", "nil", "not applicable", "no known allergies", "nkda", "none known", "pending", "string", "text",
	"completed", "failed", "ok", "success", "error", "active", "inactive", "true", "false", "default", "boolean", "number", "object", "array", "keine", "aucun", "aucune", "ninguno", "ninguna", "unspecified")

// freeText is the value of f to the end of its line or sentence.
func (c *scan) freeText(f *field) (start, end int) {
	start, end = trim(c.text, f.start, f.end)
	if f.quoted {
		return start, end
	}
	for k := start; k < end; k++ {
		b := c.text[k]
		if b == ';' || b == '|' || b == '.' && k+1 < end && c.text[k+1] == ' ' && !abbreviated(c.text, k) {
			end = k
			break
		}
		// "diagnosis: asthma, medication: x"
		if b == ',' && k+2 < end {
			if n := strings.IndexAny(c.text[k+1:min(end, k+28)], ":="); n > 0 && strings.Count(c.text[k+1:k+1+n], " ") <= 2 {
				end = k
				break
			}
		}
	}
	for end > start && strings.IndexByte(" .,", c.text[end-1]) >= 0 {
		end--
	}
	return start, end
}

// containsTerm reports whether a condition or medication stands in v.
func (c *scan) containsTerm(v string) bool {
	c.tailAt = 0
	c.tail = appendWords(c.tail[:0], v)
	healthTerms.read(&c.tailFound, c.tail)
	return c.tailFound.pos[1] > 0
}

var healthTerms = func() (t contexts) {
	t.add(1, phrases(conditionTerms...))
	t.add(1, phrases(medicationTerms...))
	return t
}()

// shapeConditionTerm takes a short field that holds a known condition.
func shapeConditionTerm(c *scan, f *field) (int, int, bool) {
	start, end := c.freeText(f)
	return start, end, end-start <= 80 && f.sep != ' ' && c.containsTerm(c.text[start:end])
}

func shapeMedicationTerm(c *scan, f *field) (int, int, bool) { return shapeConditionTerm(c, f) }

// said are words before a health term that say it of a person.
var said = phrases("i have", "i ve", "i had", "i am", "i m", "i suffer", "my", "his", "her", "their", "he has", "she has", "he had", "she had", "they have", "who has", "has", "had", "have been", "diagnosed with", "diagnosed",
	"suffers from", "suffering from", "suffer from", "treated for", "living with", "history of", "was prescribed", "prescribed", "patient", "takes", "taking", "i take", "is on", "am on", "put on",
	"being treated", "admitted for", "admitted with", "hospitalized for", "hospitalised for", "tested positive for", "due to", "because of", "leave for", "allergic to", "born with", "dx", "rx", "customer", "employee", "client", "member", "member card", "started",
	"staff note", "atteint de", "atteinte de", "souffre de", "diagnostique", "diagnostiquee", "j ai", "il a", "elle a", "prend", "prends", "traite pour", "traitee pour", "antecedents de", "sous",
	"tengo", "tiene", "padece", "padezco", "sufre de", "diagnosticado con", "diagnosticada con", "diagnosticado de", "diagnosticada de", "toma", "tomo", "paciente", "leidet an", "leide an", "ich habe", "hat", "diagnostiziert", "nimmt", "nehme", "wegen", "erkrankt", "receto", "recetaron", "prescrit", "prescrite", "verschrieb", "verschrieben", "hx of", "h o", "pmh", "pt has", "pt with", "leidet unter", "is diabetic", "has been", "continue", "continues", "resume", "titrate", "increase", "decrease", "restart", "currently on", "bekommt", "a prescrit", "han diagnosticado", "me han diagnosticado", "diagnosticado", "diagnosticada", "wird behandelt mit", "sous traitement par", "en tratamiento con", "on file to", "on record is", "my diagnosis", "gave us the diagnosis", "gave us the medication", "staff notes")

// general are words that make a sentence one about the matter, not about a person.
var general = phrases("research", "study", "studies", "trial", "trials", "guidelines", "guideline", "people with", "patients with", "drug", "drugs", "shares", "formulary", "treatment of", "how is",
	"what is", "in general", "awareness", "risk of", "prevention", "funding", "article", "vaccine", "vaccines", "symptoms of", "causes of", "cause of", "causes", "prevent", "if you have", "someone with", "anyone with", "foundation", "association",
	"market", "dataset", "cases of", "rates", "recommend", "explain", "define", "definition", "about", "history of the", "week", "day", "no history of", "denies", "without", "not have", "does not have", "rule out", "doesn t have", "may have", "could have", "might have", "if", "when")

// conditionAt accepts a condition when it is said of a person.
func conditionAt(c *scan, r *rule, i int) (int, int, bool) { return c.healthTerm(r, i) }

// medicationAt accepts a medication likewise.
func medicationAt(c *scan, r *rule, i int) (int, int, bool) { return c.healthTerm(r, i) }

func (c *scan) healthTerm(r *rule, i int) (int, int, bool) {
	text := c.text
	end := wordEnd(text, i)
	// Terms may be phrases: take the longest that stands here.
	for _, e := range c.s.termsAt(text, i) {
		if e.rule != nil && e.rule.Group == groupHealth && e.matches(text, i) {
			end = max(end, i+len(e.lit))
		}
	}
	if end < len(text) && isWord(text[end]) {
		return 0, 0, false
	}
	if r.Type == "medication" {
		end = doseEnd(text, end)
	}
	words := c.sentence(i)
	c.s.ctx.read(&c.found, words)
	c.wordsAt = 0
	at, g := int(c.found.pos[ctxSaid]), int(c.found.pos[ctxGeneral])
	if g > 0 && g > at-6 {
		return 0, 0, false
	}
	c.tailAt = 0
	c.tail = appendWords(c.tail[:0], text[end:min(len(text), end+24)])
	for _, w := range generalAfter {
		if bytes.HasPrefix(c.tail, w) {
			return 0, 0, false
		}
	}
	if at > 0 || c.stands(i, end) {
		return i, end, true
	}
	if len(text) > 160 {
		return 0, 0, false
	}
	// Said of nobody here; in a short text it counts beside a value that identifies a person.
	c.cands = append(c.cands, cand{rule: r, start: i, end: end, rank: r.Rank, level: r.level, weak: true})
	return 0, 0, false
}

// stands reports whether text[i:end] is all of a short text: what a field of a record
// holds, when nobody writes a sentence about it.
func (c *scan) stands(i, end int) bool {
	if i > 0 && strings.Trim(c.text[:i], " \t\n\"'*-") != "" {
		return false
	}
	return strings.Trim(c.text[end:min(len(c.text), end+16)], " \t\n\"'*.") == "" && end+16 >= len(c.text) && c.depth == 0
}

// doseEnd extends a medication over the word of its salt and its dose: "carbonate",
// "500 mg".
func doseEnd(text string, end int) int {
	if end+1 < len(text) && text[end] == ' ' {
		if w := wordEnd(text, end+1); inSet(salts, text[end+1:w]) {
			end = w
		}
	}
	k := end
	if k < len(text) && text[k] == ' ' {
		k++
	}
	d := k
	for d < len(text) && d < k+7 && (isDigit(text[d]) || text[d] == '.' || text[d] == ',') {
		d++
	}
	if d == k || !isDigit(text[k]) {
		return end
	}
	if d < len(text) && text[d] == ' ' {
		d++
	}
	if w := wordEnd(text, d); inSet(doseUnits, text[d:w]) {
		return w
	}
	return end
}

// salts are the second words of active substances; doseUnits measure them.
var (
	salts = set("carbonate", "hydrochloride", "hcl", "sulfate", "sulphate", "sodium", "potassium", "succinate", "tartrate", "maleate", "phosphate", "acetate", "citrate", "besylate", "mesylate", "fumarate",
		"glargine", "lispro", "aspart", "detemir", "degludec", "xr", "er", "sr", "cr", "beta")
	doseUnits = set("mg", "mcg", "µg", "g", "ml", "units", "unit", "iu", "ie", "ui", "meq", "tabs", "tablets", "puffs")
)

var generalAfter = phrases("research", "funding", "treatment options", "study", "studies", "awareness", "foundation", "patients", "trial", "trials", "guidelines", "policy", "team", "department",
	"center", "clinic", "market", "drugs", "screening", "prevention", "association", "vaccine", "shares", "inc", "cases")

// sentence returns the words of the sentence before text[i], with the key of the
// text when the sentence begins with it.
func (c *scan) sentence(i int) []byte {
	text := c.text
	k, limit := i, max(0, i-96)
	for k > limit {
		b := text[k-1]
		if b == '\n' || b == '"' || b == '{' || b == '}' || b == '[' || b == '|' || b == ';' || b == '?' || b == '!' {
			break
		}
		if b == '.' && k < i && isSpace(text[k]) && !abbreviated(text, k-1) {
			break
		}
		if b == '\\' && k < i && text[k] == 'n' {
			k++
			break
		}
		k--
	}
	c.wordsAt = 0
	c.words = c.words[:0]
	if k == 0 {
		c.words = append(c.words, c.key.words...)
	}
	c.words = appendWords(c.words, text[k:i])
	return c.words
}

// ramqValid checks the date of birth in the number: two digits each of the year, the
// month (50 more for women) and the day.
func ramqValid(v string) bool {
	d, _ := digitsOf(v)
	month, day := d[2]*10+d[3], d[4]*10+d[5]
	return month%50 >= 1 && month%50 <= 12 && month < 63 && day >= 1 && day <= 31
}

// nhsValid checks the last digit of an NHS number: weights 10 to 2, modulo 11.
func nhsValid(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && !repeated(d[:n]) && (11-weighted(d[:], 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%11 == d[9]
}

// shapePatientID takes one code with at least five digits.
func shapePatientID(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	x := varietyOf(v)
	if len(v) < 6 || len(v) > 24 || x.digit < 4 || x.high > 0 || x.lower > 0 && f.prose || isPlaceholder(v) || isUUID(v) || isDateLike(v) {
		return 0, 0, false
	}
	return start, end, strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-/ ") == "" && x.distinct > 2
}
