package detect

// americasRules are numbers that states of the Americas assign to persons.
var americasRules = []rule{
	{ID: "ar-cuit", Type: "national_id", Group: groupPII, Rank: rankNumber + 2, Doc: "Argentine CUIT or CUIL: modulo 11, context", Source: "ARCA (AFIP), CUIT",
		Forms: []string{"##-########-#", "###########", "##~########~#"}, Valid: cuitValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"cuit", "cuil", "cuit number", "cdi", "argentine cuit", "clave unica de identificacion tributaria"}},
	{ID: "cl-rut", Type: "national_id", Group: groupPII, Rank: rankNumber + 2, Doc: "Chilean RUT or RUN: modulo 11, context", Source: "Registro Civil, RUN; SII, RUT",
		Forms: []string{"##.###.###-X", "#.###.###-X", "########-X", "#######-X"}, Valid: rutValid, NeedNear: true, Canon: canonID,
		Near: []string{"rut", "rol unico nacional", "rut number", "rol unico tributario", "chilean rut", "chilean id", "cedula de identidad"}},
	{ID: "co-nit", Type: "national_id", Group: groupPII, Rank: rankNumber + 2, Doc: "Colombian NIT: primes modulo 11, context", Source: "DIAN, NIT",
		Forms: []string{"#########-#", "###.###.###-#", "##########-#", "#.###.###.###-#"}, Valid: nitValid, NeedNear: true, Canon: canonDigits,
		Near: []string{"nit", "nit number", "colombian nit", "numero de identificacion tributaria", "colombian tax number"}},
	{ID: "latin-identity-card", Type: "national_id", Group: groupPII, Rank: rankKeyed, Doc: "identity card of Latin America without a check digit, by context", Source: "RENIEC; RENAPER; Registraduría; SAIME",
		Forms: []string{"########", "##.###.###", "#.###.###.###", "##########", "V-########", "V-#######", "V-##.###.###", "V-#.###.###", "V########", "E-########", "#.###.###", "#-####-####", "#-###-####", "### ###### ####A"}, Valid: manyDigits, NeedNear: true, Innocent: true, Canon: canonID,
		Near: []string{"dni", "documento nacional de identidad", "documento de identidad", "numero de documento", "cedula", "cedula de identidad", "cedula de ciudadania", "cedula de identidad venezolana", "cedula venezolana", "venezuelan id", "peruvian dni", "dni peruano", "dni argentino", "colombian id", "dominican cedula", "cedula costarricense"}},
	{ID: "ec-cedula", Type: "national_id", Group: groupPII, Rank: rankNumber + 1, Doc: "Ecuadorian cédula: province, Luhn, context", Source: "Registro Civil del Ecuador",
		Forms: []string{"##########", "#########-#"}, Valid: ecuadorValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"cedula", "cedula de identidad", "cedula de ciudadania", "ecuadorian cedula", "ecuadorian id", "numero de cedula"}},
	{ID: "uy-ci", Type: "national_id", Group: groupPII, Rank: rankNumber + 1, Doc: "Uruguayan identity card: check digit, context", Source: "DNIC",
		Forms: []string{"#.###.###-#", "#######-#", "########"}, Valid: uruguayValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"cedula", "cedula de identidad", "ci uruguaya", "uruguayan id", "documento de identidad"}},
	{ID: "do-cedula", Type: "national_id", Group: groupPII, Rank: rankNumber + 1, Doc: "Dominican cédula: Luhn, context", Source: "JCE, cédula",
		Forms: []string{"###-#######-#", "###########"}, Valid: dominicanValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"cedula", "cedula de identidad", "dominican cedula", "cedula dominicana", "dominican id"}},
	{ID: "pe-ruc", Type: "national_id", Group: groupPII, Rank: rankNumber + 1, Doc: "Peruvian RUC: modulo 11, context", Source: "SUNAT, RUC",
		Forms: []string{"###########"}, Valid: rucValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"ruc", "numero de ruc", "ruc number", "peruvian ruc", "registro unico de contribuyentes"}},
	{ID: "mx-rfc", Type: "national_id", Group: groupPII, Rank: rankNumber + 1, Doc: "Mexican RFC of a person: date, context", Source: "SAT, RFC",
		Forms: []string{"AAAA######XXX", "AAAA-######-XXX", "AAAA ###### XXX"}, Valid: rfcValid, NeedNear: true, Canon: canonID,
		Near: []string{"rfc", "registro federal de contribuyentes", "mexican rfc", "mexican tax id"}},
	{ID: "mx-nss", Type: "national_id", Group: groupPII, Rank: rankNumber + 1, Doc: "Mexican insurance number: Luhn, context", Source: "IMSS, NSS",
		Forms: []string{"###########", "##-##-##-####-#"}, Valid: elevenLuhn, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"nss", "imss", "numero de seguridad social", "numero de seguro social"}},
	{ID: "gt-dpi", Type: "national_id", Group: groupPII, Rank: rankKeyed, Doc: "Guatemalan DPI: department, context", Source: "RENAP, CUI",
		Forms: []string{"#### ##### ####", "#############"}, Valid: dpiPlace, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"dpi", "cui", "codigo unico de identificacion", "guatemalan id"}},
	{ID: "br-pis", Type: "national_id", Group: groupPII, Rank: rankNumber + 1, Doc: "Brazilian PIS, PASEP or NIS: modulo 11, context", Source: "Caixa, NIS",
		Forms: []string{"###.#####.##-#", "###########"}, Valid: pisValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"pis", "pasep", "pis pasep", "nis", "nit", "numero do pis"}},
	{ID: "br-rg", Type: "national_id", Group: groupPII, Rank: rankKeyed, Doc: "Brazilian identity card, by context", Source: "Lei 7.116/1983",
		Forms: []string{"##.###.###-X", "########-X"}, Valid: manyDigits, NeedNear: true, Innocent: true, Canon: canonID,
		Near: []string{"rg", "registro geral", "carteira de identidade", "identidade", "brazilian rg"}},
	{ID: "br-cnh", Type: "driver_license", Group: groupPII, Rank: rankNumber + 1, Doc: "Brazilian driving licence: two check digits, context", Source: "DENATRAN, CNH",
		Forms: []string{"###########"}, Valid: cnhValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"cnh", "carteira de motorista", "carteira nacional de habilitacao", "habilitacao", "numero da cnh"}},
	{ID: "us-mbi", Type: "health_identifier", Group: groupHealth, Rank: rankNumber + 2, Doc: "Medicare beneficiary identifier as it is printed", Source: "CMS, MBI format",
		Forms: []string{"#AX#-AX#-AA##"}, Valid: mbiValid, Canon: canonID},
	{ID: "us-mbi-context", Type: "health_identifier", Group: groupHealth, Rank: rankNumber + 2, Doc: "the same without dashes, by context", Source: "CMS, MBI format",
		Forms: []string{"#AX#AX#AA##", "#AX# AX# AA##"}, Valid: mbiValid, NeedNear: true, Canon: canonID,
		Near: []string{"mbi", "medicare", "medicare id", "medicare number", "medicare beneficiary identifier", "beneficiary identifier", "medicare beneficiary id"}},
	{ID: "us-npi", Type: "health_identifier", Group: groupHealth, Rank: rankNumber + 1, Doc: "US provider identifier: Luhn with 80840, context", Source: "CMS, NPI standard",
		Forms: []string{"##########"}, Valid: npiValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"npi", "npi number", "national provider identifier", "provider npi", "npi no"}},
	{ID: "us-dea", Type: "health_identifier", Group: groupHealth, Rank: rankNumber + 1, Doc: "DEA registration of a prescriber: check digit, context", Source: "DEA, 21 CFR 1301",
		Forms: []string{"AA#######", "A########"}, Valid: deaValid, NeedNear: true, Canon: canonID,
		Near: []string{"dea", "dea number", "dea no", "dea registration", "dea registration number", "dea license", "medical license"}},
	{ID: "ca-health-card", Type: "health_identifier", Group: groupHealth, Rank: rankNumber + 1, Doc: "health card of Ontario: Luhn, context", Source: "Ontario, OHIP",
		Forms: []string{"####~###~###", "####-###-###", "####-###-###-AA", "#### ### ### AA", "##########AA"}, Valid: luhnDigits, NeedNear: true, Innocent: true, Canon: canonID,
		Near: []string{"ohip", "ohip number", "health card", "health card number", "health card no", "ontario health card", "phn", "personal health number", "carte sante"}},
}

// cuitValid is the Argentine number: kind of person, weights 5 4 3 2 7 6 5 4 3 2, modulo 11.
func cuitValid(v string) bool {
	d, n := digitsOf(v)
	switch d[0]*10 + d[1] {
	case 20, 23, 24, 25, 26, 27, 30, 33, 34:
	default:
		return false
	}
	return n == 11 && elevens(weighted(d[:], 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) == d[10]
}

// rutValid is the Chilean number: weights 2 to 7 from the right, modulo 11, K for 10.
func rutValid(v string) bool {
	s := canonID(v)
	sum := 0
	for i, w := len(s)-2, 2; i >= 0; i-- {
		if !isDigit(s[i]) {
			return false
		}
		sum += int(s[i]-'0') * w
		if w++; w > 7 {
			w = 2
		}
	}
	return s[0] > '0' && "0123456789K"[elevens(sum)] == s[len(s)-1]
}

// nitValid is the Colombian number: primes from the right, modulo 11.
func nitValid(v string) bool {
	d, n := digitsOf(v)
	sum := 0
	for i, w := range [...]int{3, 7, 13, 17, 19, 23, 29, 37, 41, 43} {
		if k := n - 2 - i; k >= 0 {
			sum += d[k] * w
		}
	}
	c := sum % 11
	if c > 1 {
		c = 11 - c
	}
	return d[0] > 0 && c == d[n-1]
}

func ecuadorValid(v string) bool {
	d, n := digitsOf(v)
	p := d[0]*10 + d[1]
	return n == 10 && (p >= 1 && p <= 24 || p == 30) && d[2] < 6 && luhn(canonDigits(v))
}

func uruguayValid(v string) bool {
	d, n := digitsOf(v)
	return n == 8 && d[0] > 0 && !repeated(d[:n]) && (10-weighted(d[:], 2, 9, 8, 7, 6, 3, 4)%10)%10 == d[7]
}

func dominicanValid(v string) bool { return elevenLuhn(v) }

func elevenLuhn(v string) bool {
	d, n := digitsOf(v)
	return n == 11 && !repeated(d[:n]) && luhn(canonDigits(v))
}

func rucValid(v string) bool {
	d, n := digitsOf(v)
	switch d[0]*10 + d[1] {
	case 10, 15, 16, 17, 20:
	default:
		return false
	}
	return n == 11 && (11-weighted(d[:], 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11)%10 == d[10]
}

// rfcValid wants the date in the number of a person.
func rfcValid(v string) bool {
	d, n := digitsOf(canonID(v)[4:10])
	return n == 6 && validMonthDay(d[2]*10+d[3], d[4]*10+d[5])
}

// dpiPlace wants the department and the municipality in a Guatemalan number.
func dpiPlace(v string) bool {
	d, n := digitsOf(v)
	dep, mun := d[9]*10+d[10], d[11]*10+d[12]
	return n == 13 && dep >= 1 && dep <= 22 && mun >= 1 && mun <= 38
}

func pisValid(v string) bool {
	d, n := digitsOf(v)
	return n == 11 && !repeated(d[:n]) && elevens(weighted(d[:], 3, 2, 9, 8, 7, 6, 5, 4, 3, 2))%10 == d[10]
}

// cnhValid is the Brazilian licence: the second digit is 2 less where the first was 10.
func cnhValid(v string) bool {
	d, n := digitsOf(v)
	if n != 11 || repeated(d[:n]) {
		return false
	}
	a, less := weighted(d[:], 9, 8, 7, 6, 5, 4, 3, 2, 1)%11, 0
	if a > 9 {
		a, less = 0, 2
	}
	b := weighted(d[:], 1, 2, 3, 4, 5, 6, 7, 8, 9)%11 - less
	if b < 0 {
		b += 11
	}
	if b > 9 {
		b = 0
	}
	return a == d[9] && b == d[10]
}

// mbiValid wants the letters that CMS uses: none of S, L, O, I, B, Z.
func mbiValid(v string) bool {
	for i := range len(v) {
		switch v[i] {
		case 'S', 'L', 'O', 'I', 'B', 'Z':
			return false
		}
	}
	return v[0] != '0'
}

func npiValid(v string) bool { return (v[0] == '1' || v[0] == '2') && luhn("80840"+v) }

// deaValid is the registration: odd places and twice the even ones, last digit.
func deaValid(v string) bool {
	d, n := digitsOf(v)
	if n == 8 { // the second place may be a 9
		copy(d[:], d[1:])
	}
	return (d[0]+d[2]+d[4]+2*(d[1]+d[3]+d[5]))%10 == d[6]
}

func luhnDigits(v string) bool {
	s := canonDigits(v)
	return s[0] > '0' && luhn(s)
}
