package detect

import "strings"

// financeRules are amounts and scores of a person's means.
var financeRules = []rule{
	{ID: "salary", Type: "salary", Group: groupHR, Rank: rankNumber - 2, Doc: "salary by key or context", Numbers: numAmount, NeedNear: true, Recognise: amountAt, Canon: canonMoney,
		Near: []string{"salary", "annual salary", "base salary", "salaire", "salaire annuel", "salario anual", "salario", "gehalt", "wage", "wages", "compensation", "base pay", "annual pay", "current salary", "expected salary", "pay rate", "hourly rate",
			"remuneration", "sueldo", "jahresgehalt", "bruttogehalt", "bruttojahresgehalt", "jahresbruttogehalt", "bruttolohn", "nettogehalt", "salary of", "earns", "gagne", "verdient", "gana", "bonus", "total compensation", "net pay", "gross pay"}},
	{ID: "income", Type: "income", Group: groupFinance, Rank: rankNumber - 2, Doc: "income by key or context", Numbers: numAmount, NeedNear: true, Recognise: amountAt, Canon: canonMoney,
		Near: []string{"income", "annual income", "stated income", "monthly income", "household income", "revenu annuel", "revenu", "ingresos", "ingresos anuales", "einkommen", "jahreseinkommen", "net worth", "gross income", "net income", "agi"}},
	{ID: "credit-score", Type: "credit_score", Group: groupFinance, Rank: rankNumber - 2, Doc: "credit score by key or context", Numbers: numThree, NeedNear: true, Recognise: scoreAt, Canon: canonDigits,
		Near: []string{"credit score", "fico", "fico score", "cote de credit", "score de credit", "puntaje de credito", "puntuacion de credito", "kreditscore", "creditscore", "credit rating", "beacon score", "puntuacion crediticia", "bonitatsscore", "pointage de credit", "vantage score", "schufa", "schufa score", "score schufa", "buro de credito"}},
	{ID: "account-balance", Type: "account_balance", Group: groupFinance, Rank: rankNumber - 2, Doc: "account balance by key or context", Numbers: numAmount, NeedNear: true, Recognise: amountAt, Canon: canonMoney,
		Near: []string{"balance", "account balance", "current balance", "available balance", "opening balance", "closing balance", "solde", "saldo", "kontostand", "saldo de la cuenta", "guthaben", "balance of"}},
	{ID: "loan-amount", Type: "loan_amount", Group: groupFinance, Rank: rankNumber - 2, Doc: "loan amount by key or context", Numbers: numAmount, NeedNear: true, Recognise: amountAt, Canon: canonMoney,
		Near: []string{"loan amount", "mortgage", "loan", "montant du pret", "loan balance", "prestamo", "darlehen", "kredit", "loan of", "mortgage balance", "amount borrowed", "hypotheque", "mortgage of", "a mortgage of", "applied for a mortgage of", "mortgage amount", "amount of the mortgage", "outstanding loan", "requested amount", "importe del prestamo", "darlehensbetrag", "debt", "outstanding debt"}},
}

// generalMoney are words that make an amount one of the economy, not of a person.
var generalMoney = phrases("median", "average", "minimum", "maximum", "the mean", "mean value", "gdp", "budget", "revenue", "target", "threshold", "market", "range", "from", "up to", "salaire minimum", "durchschnitt", "moyen", "band", "limit", "requirement", "national", "typical", "cap", "interest on", "load", "per year on average")

// amountAt reads an amount at text[i] that context says is a person's.
func amountAt(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	if !isDigit(text[i]) {
		return 0, 0, false
	}
	named := c.context(i, r.ctx) > 0
	end, digits := amountEnd(text, i)
	_, past := withCurrency(text, i, end)
	if !named && !mayNameAfter(text, past) {
		return 0, 0, false
	}
	if digits < 3 || digits > 10 {
		return 0, 0, false
	}
	if end < len(text) && (text[end] == '%' || text[end] == '-' && end+1 < len(text) && isDigit(text[end+1]) || text[end] == '/' || text[end] == ':') {
		return 0, 0, false
	}
	for _, w := range []string{" million", " billion", " mio", " mrd", " millones", " milliards", "bn", "m "} {
		if strings.HasPrefix(text[end:], w) {
			return 0, 0, false // of companies and states
		}
	}
	if !c.means(r, i) && !(c.context(i, ctxGeneralMoney) == 0 && c.after(r, past)) {
		return 0, 0, false
	}
	if d := text[i:end]; digits == 4 && plausibleYear(atoi(d)) && strings.IndexByte(d, '.') < 0 || d[0] == '0' {
		return 0, 0, false
	}
	start, end := withCurrency(text, i, end)
	return start, end, true
}

// withCurrency extends an amount over the sign or code of its currency.
func withCurrency(text string, start, end int) (int, int) {
	for _, sign := range currencySigns {
		if strings.HasSuffix(text[:start], sign) {
			start -= len(sign)
			break
		}
		if strings.HasSuffix(text[:start], sign+" ") && len(sign) > 1 {
			start -= len(sign) + 1
			break
		}
	}
	for _, sign := range currencySigns {
		rest := text[end:]
		if rest = strings.TrimPrefix(rest, " "); strings.HasPrefix(rest, sign) && (!isLetter(sign[0]) || len(rest) == len(sign) || !isWord(rest[len(sign)])) {
			return start, len(text) - len(rest) + len(sign)
		}
	}
	return start, end
}

// currencySigns are ISO 4217 codes and signs in common use.
var currencySigns = []string{"USD", "CAD", "EUR", "GBP", "CHF", "AUD", "MXN", "JPY", "INR", "BRL", "PLN", "SEK", "C$", "US$", "$", "€", "£", "¥", "₹"}

// means reports whether the amount at text[i] is said to be a person's: its key
// says what it is, or a sentence that speaks of a person does.
func (c *scan) means(r *rule, i int) bool {
	at := c.context(i, r.ctx)
	for _, id := range c.s.moneyCtx { // another name stands nearer
		if id != r.ctx && int(c.found.pos[id]) > at {
			return false
		}
	}
	if at == 0 || len(c.words)-at > 28 || c.context(i, ctxGeneralMoney) > 0 || c.context(i, ctxInnocent) > at {
		return false
	}
	if c.context(i, ctxPersonal) > 0 {
		return true
	}
	// The name of the amount right before it, or with its currency between.
	if last := string(lastWord(c.words)); at == len(c.words) && last != "of" && last != "de" && last != "von" || at == len(c.words)-4 && currencyWords[last] {
		return true
	}
	// A key: nothing but a separator and what opens a value between the two.
	if len(c.words)-at > 5 {
		return false
	}
	k := i
	for k > 0 && i-k < 12 && (isBlank(c.text[k-1]) || isQuote(c.text[k-1]) || strings.IndexByte("$\\*(|", c.text[k-1]) >= 0 || c.text[k-1] >= 0x80 || isUpper(c.text[k-1]) && i-k < 5) {
		k--
	}
	return k == 0 || c.text[k-1] == ':' || c.text[k-1] == '=' || c.text[k-1] == '>'
}

// personal are words that make a sentence one about a person.
var personal = phrases("my", "his", "her", "their", "your", "i earn", "earns", "he", "she", "i make", "i have", "customer", "client", "employee", "patient", "borrower", "applicant", "mon", "ma", "son", "sa",
	"mi", "su", "mein", "meine", "sein", "seine", "ihr", "ihre", "candidate", "member", "tenant", "gagne", "verdient", "gana", "kunde", "kunden", "du client", "del cliente", "offer", "was approved", "approved for", "is paid", "gets", "salaire de", "gehalt von", "salario de", "salary of", "balance of", "s", "on file", "on record", "gave us", "votre", "vos", "nos clients", "vuestro", "a fourni", "hat angegeben", "ha facilitado", "proporciono")

func atoi(s string) int {
	n := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			n = n*10 + int(s[i]-'0')
		}
	}
	return n
}

// amountEnd reads digits with grouping, cents and a "k".
func amountEnd(text string, i int) (end, digits int) {
	k := i
	for k < len(text) && digits <= 15 {
		b := text[k]
		if isDigit(b) {
			digits++
			k++
			continue
		}
		if (b == ',' || b == '.' || b == '\'') && k+1 < len(text) && isDigit(text[k+1]) {
			k++
			continue
		}
		if b == ' ' && k+3 < len(text) && isDigit(text[k+1]) && isDigit(text[k+2]) && isDigit(text[k+3]) && (k+4 == len(text) || !isDigit(text[k+4])) {
			k++
			continue
		}
		if strings.HasPrefix(text[k:], "\u00a0") || strings.HasPrefix(text[k:], "\u202f") {
			n := 2
			if text[k] == 0xE2 {
				n = 3
			}
			if k+n < len(text) && isDigit(text[k+n]) {
				k += n
				continue
			}
		}
		break
	}
	end = k
	if k < len(text) && (text[k] == 'k' || text[k] == 'K') && (k+1 == len(text) || !isWord(text[k+1])) {
		end, digits = k+1, digits+3
	}
	return end, digits
}

// scoreAt reads a credit score, 300 to 900.
func scoreAt(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	if i+3 > len(text) || !isDigit(text[i]) || !rightBound(text, i+3) || i+3 < len(text) && isDigit(text[i+3]) {
		return 0, 0, false
	}
	if n := atoi(text[i : i+3]); n < 300 || n > 900 || !isDigit(text[i+1]) || !isDigit(text[i+2]) {
		return 0, 0, false
	}
	return i, i + 3, c.means(r, i) || c.after(r, i+3)
}

var currencyWords = set("usd", "cad", "eur", "gbp", "chf", "aud", "mxn", "jpy", "inr", "brl", "pln", "sek")
