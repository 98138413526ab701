package detect

import "strings"

// What may stand between the name of a value and its separator in a sentence, and
// names that stand beside their value instead of before it.

// clauses may follow the name of a value in a sentence without being part of it.
var clauses = []string{" i have on record", " we have on record", " i have on file", " we have on file", " on record", " on file", " i gave you", " you gave me", " i use",
	" you asked for", " we discussed", " du client", " del cliente", " des kunden", " der kundin", " enregistré", " registrado", " hinterlegt", " au dossier", " below", " again"}

// ofs join the name of a value to whom it is of.
var ofs = []string{" for ", " of ", " pour ", " de ", " von ", " für ", " du ", " para "}

// withoutClause drops a clause, or "for" and a name, from the end of the words that
// stand before a separator: "face template for Jane Roe".
func withoutClause(key string) string {
	for _, x := range clauses {
		if len(key) > len(x)+2 && equalFold(key[len(key)-len(x):], x) {
			return key[:len(key)-len(x)]
		}
	}
	if !endsInName(key) {
		return key
	}
	for _, x := range ofs {
		if k := strings.LastIndex(key, x); k > 2 {
			if end, n := nameRun(key, k+len(x), 4); n > 0 && end == len(key) {
				return key[:k]
			}
		}
	}
	return key
}

// endsInName reports whether the last word of key may be one of a name: it begins with a
// capital, or with what is not ASCII.
func endsInName(key string) bool {
	k := strings.LastIndexByte(key, ' ') + 1
	return k < len(key) && !isLower(key[k])
}

// beforeName returns where "for Jane Roe" begins that ends before text[e], 0 for none.
func beforeName(text string, e int) int {
	w := e
	for w > 0 && e-w < 24 && (isLetter(text[w-1]) || text[w-1] >= 0x80 || text[w-1] == '\'' || text[w-1] == '-') {
		w--
	}
	if w == e || !isUpper(text[w]) {
		return 0
	}
	from := max(0, e-48)
	for _, x := range ofs {
		if k := strings.LastIndex(text[from:e], x); k > 2 {
			if end, n := nameRun(text, from+k+len(x), 4); n > 0 && end == e {
				return from + k
			}
		}
	}
	return 0
}

// lineStart reports whether text[i] is the first of its line, but for a bullet.
func lineStart(text string, i int) bool {
	for k := 0; k < 4 && i > 0 && (isBlank(text[i-1]) || text[i-1] == '-' || text[i-1] == '*'); k++ {
		i--
	}
	return i == 0 || text[i-1] == '\n' || text[i-1] == '"' || i > 1 && text[i-1] == 'n' && text[i-2] == '\\'
}
