package detect

import "strings"

// svnrValid is the Austrian number: the fourth digit is a sum of the others modulo 11.
func svnrValid(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && d[0] > 0 && d[4]*10+d[5] <= 31 && d[6]*10+d[7] <= 15 && weighted(d[:], 3, 7, 9, 0, 5, 8, 4, 2, 1, 6)%11 == d[3]
}

// belgianValid is 97 less the first nine digits modulo 97; for births since 2000 with a 2
// in front.
func belgianValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || d[2]*10+d[3] > 12+40 || d[4]*10+d[5] > 31 {
		return false
	}
	x := 0
	for _, k := range d[:9] {
		x = x*10 + k
	}
	c := d[9]*10 + d[10]
	return 97-x%97 == c || 97-(2000000000+x)%97 == c
}

// egnValid is the Bulgarian number; the month tells the century.
func egnValid(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && validMonthDay((d[2]*10+d[3])%20, d[4]*10+d[5]) && weighted(d[:], 2, 4, 8, 5, 10, 9, 7, 3, 6)%11%10 == d[9]
}

// oibValid is ISO 7064 MOD 11,10.
func oibValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || repeated(d[:n]) {
		return false
	}
	p := 10
	for _, x := range d[:10] {
		s := (x + p) % 10
		if s == 0 {
			s = 10
		}
		p = s * 2 % 11
	}
	return (11-p)%10 == d[10]
}

// birthNumberValid is the Czech and Slovak number: women's months are 50 higher, and 20 more
// when a day ran out; ten digits since 1954 are divisible by 11.
func birthNumberValid(v string) bool {
	d, n := digitsOf(v)
	if n != 9 && n != 10 || !validMonthDay((d[2]*10+d[3])%50%20, d[4]*10+d[5]) {
		return false
	}
	if n == 9 {
		return d[0]*10+d[1] < 54
	}
	x := 0
	for _, k := range d[:9] {
		x = x*10 + k
	}
	return x%11%10 == d[9]
}

// dayMonthFirst reports whether v begins with a day and a month.
func dayMonthFirst(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && validMonthDay(d[2]*10+d[3], d[0]*10+d[1]) && !repeated(d[6:10])
}

// yearFirst reports whether v begins with a year of the last hundred or so, a month and a day.
func yearFirst(v string) bool {
	d, n := digitsOf(v)
	y := d[0]*1000 + d[1]*100 + d[2]*10 + d[3]
	return n >= 8 && y >= 1900 && y < 2035 && validMonthDay(d[4]*10+d[5], d[6]*10+d[7])
}

// balticValid is the Estonian and Lithuanian code: modulo 11, with other weights when that is 10.
func balticValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || d[0] < 1 || d[0] > 8 || !validMonthDay(d[3]*10+d[4], d[5]*10+d[6]) {
		return false
	}
	c := weighted(d[:], 1, 2, 3, 4, 5, 6, 7, 8, 9, 1) % 11
	if c == 10 {
		c = weighted(d[:], 3, 4, 5, 6, 7, 8, 9, 1, 2, 3) % 11 % 10
	}
	return c == d[10]
}

// latvianValid wants a check digit of numbers with a date; those since 2017 begin with 32 and
// have none.
func latvianValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 {
		return false
	}
	if d[0] == 3 && d[1] == 2 {
		return !repeated(d[2:11])
	}
	return validMonthDay(d[2]*10+d[3], d[0]*10+d[1]) && (1101-weighted(d[:], 1, 6, 3, 7, 9, 10, 5, 8, 4, 2))%11%10 == d[10]
}

func amkaValid(v string) bool {
	d, n := digitsOf(v)
	return n == 11 && validMonthDay(d[2]*10+d[3], d[0]*10+d[1]) && luhn(v)
}

// afmValid is the Greek tax number: powers of two, modulo 11.
func afmValid(v string) bool {
	d, n := digitsOf(v)
	return n == 9 && !repeated(d[:n]) && weighted(d[:], 256, 128, 64, 32, 16, 8, 4, 2)%11%10 == d[8]
}

func tajValid(v string) bool {
	d, n := digitsOf(v)
	return n == 9 && !repeated(d[:n]) && weighted(d[:], 3, 7, 3, 7, 3, 7, 3, 7)%10 == d[8]
}

func hungarianTax(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && d[0] == 8 && weighted(d[:], 1, 2, 3, 4, 5, 6, 7, 8, 9)%11 == d[9]
}

// ppsValid is the Irish number: modulo 23, with a second letter counting nine times.
func ppsValid(v string) bool {
	s := canonID(v)
	d, n := digitsOf(s)
	if n != 7 || len(s) < 8 {
		return false
	}
	sum := weighted(d[:], 8, 7, 6, 5, 4, 3, 2)
	if len(s) == 9 && s[8] != 'W' {
		sum += 9 * (int(s[8]-'A') + 1)
	}
	return "WABCDEFGHIJKLMNOPQRSTUV"[sum%23] == s[7]
}

func malteseLetter(v string) bool { return strings.IndexByte("MGAPLHBZ", v[len(v)-1]) >= 0 }

// norwegianValid is two check digits modulo 11; D-numbers have 40 more in the day.
func norwegianValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || !validMonthDay((d[2]*10+d[3])%40, (d[0]*10+d[1])%40) {
		return false
	}
	return elevens(weighted(d[:], 3, 7, 6, 1, 8, 9, 4, 5, 2)) == d[9] && elevens(weighted(d[:], 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) == d[10]
}

// elevens is the check digit 11 less the sum modulo 11, 0 for 11; 10 is no digit.
func elevens(sum int) int { return (11 - sum%11) % 11 }

func kennitalaValid(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && validMonthDay(d[2]*10+d[3], (d[0]*10+d[1])%40) && (d[9] == 9 || d[9] == 0 || d[9] == 8) && elevens(weighted(d[:], 3, 2, 7, 6, 5, 4, 3, 2)) == d[8]
}

func portugueseNIF(v string) bool {
	d, n := digitsOf(v)
	if n != 9 || d[0] == 0 || repeated(d[:n]) {
		return false
	}
	return elevens(weighted(d[:], 9, 8, 7, 6, 5, 4, 3, 2))%10 == d[8]
}

func cnpValid(v string) bool {
	d, n := digitsOf(v)
	if n != 13 || d[0] == 0 || !validMonthDay(d[3]*10+d[4], d[5]*10+d[6]) {
		return false
	}
	c := weighted(d[:], 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9) % 11
	return c == d[12] || c == 10 && d[12] == 1
}

func jmbgValid(v string) bool {
	d, n := digitsOf(v)
	return n == 13 && validMonthDay(d[2]*10+d[3], d[0]*10+d[1]) && elevens(weighted(d[:], 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) == d[12]
}

// ahvValid is 756, nine digits and the check digit of an EAN-13.
func ahvValid(v string) bool {
	d, n := digitsOf(v)
	return n == 13 && d[0] == 7 && d[1] == 5 && d[2] == 6 && !repeated(d[3:12]) && (10-weighted(d[:], 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3)%10)%10 == d[12]
}

func snilsValid(v string) bool {
	d, n := digitsOf(v)
	return n == 11 && !repeated(d[:9]) && weighted(d[:], 9, 8, 7, 6, 5, 4, 3, 2, 1)%101%100 == d[9]*10+d[10]
}

func innValid(v string) bool {
	d, n := digitsOf(v)
	switch {
	case repeated(d[:n]):
		return false
	case n == 12:
		return weighted(d[:], 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)%11%10 == d[10] && weighted(d[:], 3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)%11%10 == d[11]
	}
	return n == 10 && weighted(d[:], 2, 4, 10, 3, 5, 9, 4, 6, 8)%11%10 == d[9]
}

func rnokppValid(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && !repeated(d[:n]) && (weighted(d[:], -1, 5, 7, 9, 4, 6, 10, 5, 7)%11+11)%11%10 == d[9]
}

func iinValid(v string) bool {
	d, n := digitsOf(v)
	if n != 12 || !validMonthDay(d[2]*10+d[3], d[4]*10+d[5]) || d[6] > 6 {
		return false
	}
	c := weighted(d[:], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) % 11
	if c == 10 {
		c = weighted(d[:], 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2) % 11
	}
	return c == d[11]
}

// utrValid is the UK reference: the first digit checks the other nine.
func utrValid(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && !repeated(d[:n]) && int("21987654321"[weighted(d[1:], 6, 7, 8, 9, 10, 5, 4, 3, 2)%11]-'0') == d[0]
}

// germanInsurance is the pension insurance number: the letter as two digits, digit sums.
func germanInsurance(v string) bool {
	s := canonID(v)
	if len(s) != 12 || !isUpper(s[8]) {
		return false
	}
	k := int(s[8]-'A') + 1
	d, _ := digitsOf(s[:8] + string([]byte{byte('0' + k/10), byte('0' + k%10)}) + s[9:])
	if day := d[2]*10 + d[3]; day == 0 || day > 31 || d[4]*10+d[5] > 12 {
		return false
	}
	sum := 0
	for i, w := range [12]int{2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1} {
		sum += digitSum(d[i] * w)
	}
	return sum%10 == d[12]
}

// germanCard is nine places of an identity card and their check digit, weights 7 3 1.
func germanCard(v string) bool {
	sum := 0
	for i := range 9 {
		k := int(v[i] - '0')
		if isUpper(v[i]) {
			k = int(v[i]-'A') + 10
		}
		sum += k * [3]int{7, 3, 1}[i%3]
	}
	return hasDigit(v[:9]) && sum%10 == int(v[9]-'0')
}

func nussValid(v string) bool {
	s := canonDigits(v)
	if len(s) != 12 {
		return false
	}
	body := s[:10]
	if s[2] == '0' { // a leading zero of the number is left out
		body = s[:2] + s[3:10]
	}
	n := 0
	for i := range len(body) {
		n = (n*10 + int(body[i]-'0')) % 97
	}
	return n == int(s[10]-'0')*10+int(s[11]-'0') && atoi(s[:2]) <= 66
}

func frenchTax(v string) bool {
	s := canonDigits(v)
	return len(s) == 13 && s[0] <= '3' && atoi(s[:10])%511 == atoi(s[10:])
}

// manyDigits wants at least four digits that are not all one.
func manyDigits(v string) bool {
	x := varietyOf(v)
	return x.digit >= 4 && x.distinct > 2
}

func nipValid(v string) bool {
	d, n := digitsOf(v)
	return n == 10 && d[0] > 0 && !repeated(d[:n]) && weighted(d[:], 6, 5, 7, 2, 3, 4, 5, 6, 7)%11 == d[9]
}

// polishCard is the identity card: letters count from 10, weights 7 3 1 9 7 3 1 7 3.
func polishCard(v string) bool {
	s := canonID(v)
	if len(s) != 9 {
		return false
	}
	sum := 0
	for i, w := range [9]int{7, 3, 1, 0, 7, 3, 1, 7, 3} {
		k := int(s[i] - '0')
		if i < 3 {
			k = int(s[i]-'A') + 10
		}
		sum += k * w
	}
	return sum%10 == int(s[3]-'0')
}
