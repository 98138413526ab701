package detect

import "strings"

// tcknValid is the Turkish identity number: two check digits.
func tcknValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || d[0] == 0 {
		return false
	}
	odd, even := d[0]+d[2]+d[4]+d[6]+d[8], d[1]+d[3]+d[5]+d[7]
	return (odd*7-even+100)%10 == d[9] && (odd+even+d[9])%10 == d[10]
}

// rrnDate checks the date and the digit of century in a Korean resident or foreigner
// registration number. Numbers issued since October 2020 have no check digit.
func rrnDate(v string) bool {
	d, n := digitsOf(v)
	return n == 13 && validMonthDay(d[2]*10+d[3], d[4]*10+d[5]) && d[6] >= 1 && d[6] <= 8
}

// rsaValid is the South African identity number: a date, and Luhn.
func rsaValid(v string) bool {
	d, n := digitsOf(v)
	return n == 13 && validMonthDay(d[2]*10+d[3], d[4]*10+d[5]) && d[10] <= 2 && luhn(v)
}

const hetuChars = "0123456789ABCDEFHJKLMNPRSTUVWXY"

// hetuValid is the Finnish personal identity code: the number modulo 31.
func hetuValid(v string) bool {
	d, n := digitsOf(v[:len(v)-1])
	if n != 9 || !validMonthDay(d[2]*10+d[3], d[0]*10+d[1]) {
		return false
	}
	x := 0
	for _, k := range d[:9] {
		x = x*10 + k
	}
	return hetuChars[x%31] == v[len(v)-1]
}

// personnummerValid is the Swedish number: a date, and Luhn over the last ten digits.
func personnummerValid(v string) bool {
	s := canonDigits(v)
	if len(s) == 12 {
		s = s[2:]
	}
	d, n := digitsOf(s)
	return n == 10 && validMonthDay(d[2]*10+d[3], d[4]*10+d[5]) && luhn(s)
}

// thaiValid is the Thai citizen number: weights 13 to 2, modulo 11.
func thaiValid(v string) bool {
	d, n := digitsOf(v)
	return n == 13 && d[0] > 0 && (11-weighted(d[:], 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%10 == d[12]
}

// kvnrValid is the German health insurance number: the letter as two digits, weights
// 1 and 2 in turn, digit sums.
func kvnrValid(v string) bool {
	d, n := digitsOf(v)
	if n != 9 {
		return false
	}
	k := int(v[0]-'A') + 1
	sum := digitSum(k/10) + digitSum(k%10*2)
	for i, x := range d[:8] {
		sum += digitSum(x * (i%2 + 1))
	}
	return sum%10 == d[8]
}

func digitSum(n int) int { return n/10 + n%10 }

// validMonthDay reports whether the day may be one of the month, leap years or not.
func validMonthDay(month, day int) bool {
	switch month {
	case 2:
		return day >= 1 && day <= 29
	case 4, 6, 9, 11:
		return day >= 1 && day <= 30
	}
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

// curpValid wants the date and the sex of a Mexican CURP.
func curpValid(v string) bool {
	d, n := digitsOf(v[4:10])
	return n == 6 && validMonthDay(d[2]*10+d[3], d[4]*10+d[5]) && strings.IndexByte("HMX", v[10]) >= 0
}
