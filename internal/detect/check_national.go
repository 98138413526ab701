package detect

import "strings"

// digitsOf returns the digits of v as numbers, at most 20 of them.
func digitsOf(v string) (d [20]int, n int) {
	for i := range len(v) {
		if isDigit(v[i]) && n < len(d) {
			d[n] = int(v[i] - '0')
			n++
		}
	}
	return d, n
}

// weighted is the sum of digits times weights.
func weighted(d []int, w ...int) int {
	sum := 0
	for i := range w {
		sum += d[i] * w[i]
	}
	return sum
}

// repeated reports whether all digits are one.
func repeated(d []int) bool {
	for _, x := range d[1:] {
		if x != d[0] {
			return false
		}
	}
	return true
}

// ssnIssued refuses what the Social Security Administration never issued: area 000
// or 666, group 00, serial 0000. Areas 9xx are let through, since invented numbers
// use them; what stands without context must not have one.
func ssnIssued(v string) bool {
	d, n := digitsOf(v)
	if n != 9 || repeated(d[:n]) || sequential(v) {
		return false
	}
	area, group, serial := d[0]*100+d[1]*10+d[2], d[3]*10+d[4], d[5]*1000+d[6]*100+d[7]*10+d[8]
	// 078-05-1120 was printed on a specimen card and is void.
	return area != 0 && area != 666 && group != 0 && serial != 0 && !(area == 78 && group == 5 && serial == 1120)
}

// sinValid is the Canadian social insurance number: Luhn, no leading 0 or 8 but in
// published examples.
func sinValid(v string) bool {
	d, n := digitsOf(v)
	return n == 9 && luhn(v) && !repeated(d[:n])
}

// ninoPrefix refuses the prefixes HMRC does not use.
func ninoPrefix(v string) bool {
	v = canonID(v)
	if len(v) != 9 || strings.IndexByte("DFIQUV", v[0]) >= 0 || strings.IndexByte("DFIQUVO", v[1]) >= 0 {
		return false
	}
	switch v[:2] {
	case "BG", "GB", "KN", "NK", "NT", "TN", "ZZ":
		return false
	}
	return v[8] >= 'A' && v[8] <= 'D'
}

// nirValid is the French NIR: 97 less the number modulo 97.
func nirValid(v string) bool {
	s := canonID(v)
	if len(s) != 15 {
		return false
	}
	// Corsica: 2A counts as 19, 2B as 18 (INSEE).
	s = strings.NewReplacer("2A", "19", "2B", "18").Replace(s[:7]) + s[7:]
	if s[0] == '0' || strings.TrimLeft(s, "0123456789") != "" {
		return false
	}
	if m := s[3:5]; m == "00" || m > "12" && m < "20" || m > "42" && m < "50" {
		return false
	}
	n := 0
	for i := range 13 {
		n = (n*10 + int(s[i]-'0')) % 97
	}
	return 97-n == int(s[13]-'0')*10+int(s[14]-'0')
}

const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

// dniValid is the Spanish DNI or NIE: the letter is the number modulo 23.
func dniValid(v string) bool {
	s := canonID(v)
	if len(s) != 9 {
		return false
	}
	n := 0
	switch s[0] {
	case 'X', 'Y', 'Z':
		n = int(s[0] - 'X')
	default:
		if !isDigit(s[0]) {
			return false
		}
		n = int(s[0] - '0')
	}
	for _, b := range []byte(s[1:8]) {
		if !isDigit(b) {
			return false
		}
		n = n*10 + int(b-'0')
	}
	return s[8] == dniLetters[n%23]
}

// cfValid is the Italian codice fiscale: check letter over odd and even places
// (DM 23/12/1976).
func cfValid(v string) bool {
	s := canonID(v)
	if len(s) != 16 {
		return false
	}
	const odd = "BAKPLCQDREVOSFTGUHMINJWZYX" // place in it is the value of A..Z at odd places
	sum := 0
	for i := range 15 {
		b := s[i]
		k := int(b) - 'A'
		if isDigit(b) {
			k = int(b - '0')
		}
		if k < 0 || k > 25 {
			return false
		}
		if i%2 == 0 {
			sum += strings.IndexByte(odd, byte('A'+k))
		} else {
			sum += k
		}
	}
	return s[15] == byte('A'+sum%26)
}

// steuerID is the German tax number: ISO 7064 MOD 11,10, and of the first ten
// digits exactly one occurs two or three times.
func steuerID(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || d[0] == 0 {
		return false
	}
	var count [10]int
	p := 10
	for _, x := range d[:10] {
		count[x]++
		s := (x + p) % 10
		if s == 0 {
			s = 10
		}
		p = s * 2 % 11
	}
	multi := 0
	for _, k := range count {
		if k > 3 {
			return false
		}
		if k > 1 {
			multi++
		}
	}
	return multi == 1 && (11-p)%10 == d[10]
}

// cpfValid and cnpjValid: two check digits modulo 11 (Receita Federal).
func cpfValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || repeated(d[:n]) {
		return false
	}
	return brazil(weighted(d[:], 10, 9, 8, 7, 6, 5, 4, 3, 2)) == d[9] &&
		brazil(weighted(d[:], 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == d[10]
}

func cnpjValid(v string) bool {
	d, n := digitsOf(v)
	if n != 14 || repeated(d[:n]) {
		return false
	}
	return brazil(weighted(d[:], 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) == d[12] &&
		brazil(weighted(d[:], 6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) == d[13]
}

func brazil(sum int) int {
	if r := sum % 11; r >= 2 {
		return 11 - r
	}
	return 0
}

// bsnValid is the Dutch number's eleven test.
func bsnValid(v string) bool {
	d, n := digitsOf(v)
	return n == 9 && !repeated(d[:n]) && weighted(d[:], 9, 8, 7, 6, 5, 4, 3, 2, -1)%11 == 0
}

// peselValid is the Polish number: weights 1 3 7 9, and a date in front.
func peselValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || repeated(d[:n]) {
		return false
	}
	return (10-weighted(d[:], 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10 == d[10]
}

// tfnValid is the Australian tax file number, of eight or nine digits.
func tfnValid(v string) bool {
	d, n := digitsOf(v)
	switch n {
	case 9:
		return !repeated(d[:n]) && weighted(d[:], 1, 4, 3, 7, 5, 8, 6, 9, 10)%11 == 0
	case 8:
		return !repeated(d[:n]) && weighted(d[:], 10, 7, 8, 4, 6, 3, 5, 1)%11 == 0
	}
	return false
}

// aadhaarValid is the Verhoeff check (UIDAI).
func aadhaarValid(v string) bool {
	d, n := digitsOf(v)
	if n != 12 || d[0] < 2 || repeated(d[:n]) {
		return false
	}
	c := 0
	for i := range n {
		c = verhoeffD[c][verhoeffP[i%8][d[n-1-i]]]
	}
	return c == 0
}

var verhoeffD = [10][10]int{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5}, {2, 3, 4, 0, 1, 7, 8, 9, 5, 6}, {3, 4, 0, 1, 2, 8, 9, 5, 6, 7},
	{4, 0, 1, 2, 3, 9, 5, 6, 7, 8}, {5, 9, 8, 7, 6, 0, 4, 3, 2, 1}, {6, 5, 9, 8, 7, 1, 0, 4, 3, 2}, {7, 6, 5, 9, 8, 2, 1, 0, 4, 3},
	{8, 7, 6, 5, 9, 3, 2, 1, 0, 4}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
}

var verhoeffP = [8][10]int{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 5, 7, 6, 2, 8, 3, 0, 9, 4}, {5, 8, 0, 3, 7, 9, 6, 1, 4, 2}, {8, 9, 1, 6, 0, 4, 3, 5, 2, 7},
	{9, 4, 5, 3, 1, 2, 6, 8, 7, 0}, {4, 2, 8, 6, 5, 7, 3, 9, 0, 1}, {2, 7, 9, 3, 8, 0, 6, 4, 1, 5}, {7, 0, 4, 6, 9, 1, 3, 2, 5, 8},
}

// panHolder checks the fourth letter of an Indian PAN, the kind of holder.
func panHolder(v string) bool {
	return len(v) == 10 && strings.IndexByte("ABCFGHJLPTK", v[3]) >= 0
}

// abaValid is the checksum of a US routing number, weights 3 7 1, and its first two
// digits in the ranges of the Federal Reserve.
func abaValid(v string) bool {
	d, n := digitsOf(v)
	if n != 9 {
		return false
	}
	switch p := d[0]*10 + d[1]; {
	case p <= 12, p >= 21 && p <= 32, p >= 61 && p <= 72, p == 80:
	default:
		return false
	}
	return !repeated(d[:n]) && weighted(d[:], 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0
}
