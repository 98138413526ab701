package detect

// luhn reports whether the digits of v pass the Luhn check (ISO/IEC 7812-1, annex
// B). Other bytes are passed over.
func luhn(v string) bool {
	sum, n := 0, 0
	for i := len(v) - 1; i >= 0; i-- {
		if !isDigit(v[i]) {
			continue
		}
		d := int(v[i] - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		n++
	}
	return n > 1 && sum%10 == 0
}
