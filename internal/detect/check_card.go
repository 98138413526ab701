package detect

// issuer is a range of issuer identification numbers, compared over as many digits
// as lo has, and the lengths of the numbers issued in it.
type issuer struct {
	lo, hi  int
	digits  int
	lengths []int
}

// issuers are the ranges in use, numbered as ISO/IEC 7812 has it. The table was typed,
// not generated, and awaits a comparison with the schemes' own.
var issuers = []issuer{
	{4, 4, 1, []int{13, 16, 19}},           // Visa
	{51, 55, 2, []int{16}},                 // Mastercard
	{2221, 2720, 4, []int{16}},             // Mastercard, 2017 series
	{34, 34, 2, []int{15}},                 // American Express
	{37, 37, 2, []int{15}},                 // American Express
	{6011, 6011, 4, []int{16, 19}},         // Discover
	{644, 649, 3, []int{16, 19}},           // Discover
	{65, 65, 2, []int{16, 19}},             // Discover
	{622126, 622925, 6, []int{16, 19}},     // Discover with UnionPay
	{300, 305, 3, []int{14, 16}},           // Diners Club
	{3095, 3095, 4, []int{14, 16}},         // Diners Club
	{36, 36, 2, []int{14, 16}},             // Diners Club
	{38, 39, 2, []int{14, 16}},             // Diners Club
	{3528, 3589, 4, []int{16, 19}},         // JCB
	{62, 62, 2, []int{16, 17, 18, 19}},     // UnionPay
	{5018, 5018, 4, []int{13, 16, 19}},     // Maestro
	{5020, 5020, 4, []int{13, 16, 19}},     // Maestro
	{5038, 5038, 4, []int{13, 16, 19}},     // Maestro
	{5893, 5893, 4, []int{13, 16, 19}},     // Maestro
	{6304, 6304, 4, []int{13, 16, 19}},     // Maestro
	{6759, 6759, 4, []int{13, 16, 19}},     // Maestro
	{6761, 6763, 4, []int{13, 16, 19}},     // Maestro
	{2200, 2204, 4, []int{16}},             // Mir
	{60, 60, 2, []int{16}},                 // RuPay
	{508500, 508999, 6, []int{16}},         // RuPay
	{506099, 506198, 6, []int{16, 19}},     // Verve
	{979200, 979289, 6, []int{16}},         // Troy
	{636297, 636297, 6, []int{16}},         // Elo
	{1800, 1800, 4, []int{15}},             // JCB
	{2131, 2131, 4, []int{15}},             // JCB
	{56, 56, 2, []int{16}},                 // Maestro, Bancontact
	{6703, 6709, 4, []int{16, 18, 19}},     // Bancontact, Laser, Maestro
	{6771, 6771, 4, []int{16, 18, 19}},     // Laser
	{6390, 6390, 4, []int{16, 18, 19}},     // Maestro
	{5019, 5019, 4, []int{16}},             // Dankort
	{637, 639, 3, []int{16}},               // InstaPayment
	{504175, 504175, 6, []int{16}},         // Elo
	{506699, 506778, 6, []int{16}},         // Elo
	{509000, 509999, 6, []int{16}},         // Elo
	{627780, 627780, 6, []int{16}},         // Elo
	{636368, 636368, 6, []int{16}},         // Elo
	{507865, 507964, 6, []int{16, 19}},     // Verve
	{502275, 502275, 6, []int{16}},         // Carnet
	{506199, 506499, 6, []int{16}},         // Carnet
	{589562, 589562, 6, []int{16}},         // Naranja
	{8100, 8171, 4, []int{16, 17, 18, 19}}, // UnionPay
	{8600, 8600, 4, []int{16}},             // Uzcard
	{9860, 9860, 4, []int{16}},             // Humo
}

// cardIssuer reports whether a number of these digits may have been issued.
func cardIssuer(digits string) bool {
	for _, s := range issuers {
		if len(digits) < s.digits {
			continue
		}
		p := 0
		for i := range s.digits {
			p = 10*p + int(digits[i]-'0')
		}
		if p < s.lo || p > s.hi {
			continue
		}
		for _, n := range s.lengths {
			if n == len(digits) {
				return true
			}
		}
	}
	return false
}
