package detect

import "strings"

// dateLen returns the length of the date v begins with: 2024-05-01, 01/05/2024,
// 1.5.2024, 5 May 2024, May 5, 2024, with month names in four languages.
func dateLen(v string) (int, bool) {
	d, i := number(v, 0)
	switch {
	case i == 4 && plausibleYear(d) && len(v) >= 8 && isDateSep(v[4]):
		m, j := number(v, 5)
		if j == 5 || j > 7 || m < 1 || m > 12 || j >= len(v) || v[j] != v[4] {
			return 0, false
		}
		day, k := number(v, j+1)
		return k, k > j+1 && k <= j+3 && day >= 1 && day <= 31
	case i >= 1 && i <= 2 && d >= 1 && d <= 31 && i < len(v) && isDateSep(v[i]):
		m, j := number(v, i+1)
		if j > i+1 && j <= i+3 && m >= 1 && m <= 31 && (m <= 12 || d <= 12) && j < len(v) && v[j] == v[i] {
			y, k := number(v, j+1)
			return k, k == j+5 && plausibleYear(y) || k == j+3 && v[i] != '.'
		}
		if i < len(v) && v[i] == '-' {
			if m := monthLen(v[i+1:]); m > 0 && i+1+m < len(v) && v[i+1+m] == '-' {
				y, k := number(v, i+2+m)
				return k, k == i+6+m && plausibleYear(y)
			}
		}
	}
	if i >= 1 && i <= 2 && d >= 1 && d <= 31 {
		// 5 May 2024, 5. Mai 2024, 5 de mayo de 2024, 1er mai 2024, 5th of May 2024
		k := i
		for _, s := range []string{".", "st", "nd", "rd", "th", "er"} {
			if strings.HasPrefix(v[k:], s) {
				k += len(s)
				break
			}
		}
		k = skip(v, k, " ", "de ", "of ")
		m := monthLen(v[k:])
		if m == 0 {
			return 0, false
		}
		k = skip(v, k+m, ",", " ", "de ", "del ")
		y, e := number(v, k)
		return e, e == k+4 && plausibleYear(y)
	}
	if m := monthLen(v); m > 0 {
		k := skip(v, m, ".", " ")
		d, e := number(v, k)
		if e == k || e > k+2 || d < 1 || d > 31 {
			return 0, false
		}
		k = skip(v, e, "st", "nd", "rd", "th")
		k = skip(v, k, ",", " ")
		y, e := number(v, k)
		return e, e == k+4 && plausibleYear(y)
	}
	return 0, false
}

func plausibleYear(y int) bool { return y >= 1890 && y <= 2100 }

func isDateSep(b byte) bool { return b == '-' || b == '/' || b == '.' }

// number reads up to five digits of v from i.
func number(v string, i int) (n, end int) {
	for end = i; end < len(v) && end < i+5 && isDigit(v[end]); end++ {
		n = n*10 + int(v[end]-'0')
	}
	return n, end
}

// skip passes over each of the pieces in turn, where it stands.
func skip(v string, i int, pieces ...string) int {
	for _, p := range pieces {
		if i <= len(v) && strings.HasPrefix(v[i:], p) {
			i += len(p)
		}
	}
	return i
}

// months are the names that the first three letters tell apart, longest first.
var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
	"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre",
	"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	"januar", "februar", "märz", "juni", "juli", "oktober", "dezember",
	"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept", "sep", "oct", "okt", "nov", "dec", "dez"}

// monthsBy holds the names by their first letter.
var monthsBy = func() (t [26][]string) {
	for _, m := range months {
		t[m[0]-'a'] = append(t[m[0]-'a'], m)
	}
	return t
}()

// monthLen returns the length of the month name v begins with, 0 for none.
func monthLen(v string) int {
	if len(v) < 3 || !isLetter(v[0]) {
		return 0
	}
	best := 0
	for _, m := range monthsBy[v[0]|0x20-'a'] {
		if len(m) > best && len(v) >= len(m) && equalFold(v[:len(m)], m) && (len(v) == len(m) || !isLetter(v[len(m)])) {
			best = len(m)
		}
	}
	return best
}
