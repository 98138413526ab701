package detect

// paymentRules are numbers of cards and bank accounts.
var paymentRules = []rule{
	{ID: "payment-card", Type: "credit_card", Group: groupFinance, Rank: rankNumber + 5, Doc: "payment card number: Luhn, issuer range, length",
		Source: "ISO/IEC 7812-1", Numbers: numCard, Recognise: cardAt, Canon: canonDigits,
		Near: []string{"card", "card number", "credit card", "debit card", "visa", "mastercard", "amex", "american express", "pan",
			"cc", "cards", "payments", "charges", "carte", "carte bancaire", "tarjeta", "kreditkarte", "karte", "kartennummer", "numero de carte", "charge", "payment", "ccn"}},
	{ID: "iban", Type: "iban", Group: groupFinance, Rank: rankNumber + 5, Doc: "IBAN: country length, mod 97",
		Source: "ISO 13616, SWIFT IBAN Registry", Forms: []string{"AA##"}, Recognise: ibanAt, Canon: canonID},
	{ID: "routing-number", Type: "routing_number", Group: groupFinance, Rank: rankNumber, Doc: "US routing number: checksum, context",
		Source: "ABA Routing Number Policy", Forms: []string{"#########", "####-####-#"}, Valid: abaValid, NeedNear: true, Canon: canonDigits,
		Keys: []string{"routing number", "routing", "routing no", "aba", "aba number", "rtn", "aba routing number", "routing transit number",
			"numero de ruta", "bankleitzahl", "numero de acheminement", "routing code", "ruta aba"}, Shape: shapeDigits},
	{ID: "account-number", Type: "account_number", Group: groupFinance, Rank: rankKeyed, Doc: "bank account number by its key or context",
		Canon: canonID, Forms: []string{"########", "#########", "##########", "###########", "############", "#############", "##############", "###-######-#"}, NeedNear: true, Innocent: true,
		Keys: []string{"account number", "account no", "acct number", "acct no", "acct num", "acct", "account num", "bank account", "bank account number",
			"checking account", "savings account", "kontonummer", "numero de compte", "compte bancaire", "numero de cuenta", "cuenta bancaria",
			"bank account no", "beneficiary account", "account nbr", "acc no", "numero de cuenta bancaria", "kontonr", "compte"}, Shape: shapeAccount},
	{ID: "mx-clabe", Type: "account_number", Group: groupFinance, Rank: rankNumber + 2, Doc: "Mexican CLABE: check digit, context", Source: "Banco de México, CLABE",
		Forms: []string{"##################"}, Valid: clabeValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Near: []string{"clabe", "clabe interbancaria", "cuenta clabe"}},
	{ID: "branch-code", Type: "routing_number", Group: groupFinance, Rank: rankKeyed, Doc: "sort code, BSB or transit number of a branch by context", Source: "Pay.UK; AusPayNet; Payments Canada; RBI, IFSC",
		Forms: []string{"##-##-##", "###-###", "#####-###", "######", "## ## ##", "AAAA0######"}, NeedNear: true, Innocent: true, Canon: canonID,
		Near: []string{"sort code", "sortcode", "bsb", "bsb number", "bank state branch", "transit number", "branch code", "ifsc", "ifsc code", "bankleitzahl", "blz"}},
	{ID: "card-security-code", Type: "card_cvv", Group: groupFinance, Rank: rankKeyed + 1, Doc: "security code of a card by its key", Source: "PCI DSS v4.0, glossary",
		Keys: []string{"cvv", "cvc", "cvv 2", "cvc 2", "cvv2", "cvc2", "card security code", "card verification value", "card verification code", "cvv code", "cvc code", "prufziffer der karte", "cryptogramme visuel", "codigo cvv"}, Shape: shapeCVV},
	{ID: "swift-bic", Type: "swift_bic", Group: groupFinance, Rank: rankKeyed, Doc: "SWIFT/BIC by key or context", Source: "ISO 9362",
		Forms: []string{"AAAAAAXXXXX", "AAAAAAXX"}, NeedNear: true, Canon: canonID, Valid: bicValid,
		Keys: []string{"swift", "bic", "swift code", "bic code", "swift bic", "swift number", "code swift", "codigo swift", "swift id", "code bic", "codigo bic"}, Shape: shapeBIC},
}

// cardAt reads 13 to 19 digits, together or in groups that one separator divides.
func cardAt(c *scan, r *rule, i int) (int, int, bool) {
	text := c.text
	if !isDigit(text[i]) || text[i] == '0' || text[i] == '7' {
		return 0, 0, false
	}
	var d [20]byte
	n := 0
	var groups [8]int
	g, sep := 0, byte(0)
	k := i
	end := -1
	for k < len(text) && n < len(d) {
		if b := text[k]; isDigit(b) {
			d[n] = b
			n++
			groups[g]++
			k++
			continue
		}
		if cardShape(groups[:g+1]) {
			end = k
		}
		b := text[k]
		if b != ' ' && b != '-' && b != '.' || sep != 0 && b != sep || k+1 >= len(text) || !isDigit(text[k+1]) || g+1 >= len(groups) {
			break
		}
		if groups[g] < 4 || b == '.' && groups[0] != 4 {
			break
		}
		if end >= 0 && okCard(d[:n]) {
			break
		}
		sep = b
		g++
		groups[g] = 0
		k++
	}
	if k == len(text) && cardShape(groups[:g+1]) {
		end = k
	}
	if end < 0 || n >= len(d) {
		return 0, 0, false
	}
	v := canonDigitsTo(d[:0], text[i:end])
	if !okCard(v) || !rightBound(text, end) {
		return 0, 0, false
	}
	if c.countered(r, i) {
		return 0, 0, false
	}
	// The groups after "RS35 " are of an account.
	if i > 4 && text[i-1] == ' ' && isDigit(text[i-2]) && isDigit(text[i-3]) && isUpper(text[i-4]) && isUpper(text[i-5]) {
		return 0, 0, false
	}
	// A segment of a path is an id of something, unless the path says that it is a card's.
	if i > 0 && text[i-1] == '/' && sep == 0 && c.context(i, r.ctx) == 0 {
		return 0, 0, false
	}
	// Thirteen digits are also milliseconds since 1970, and long bare numbers pass
	// Luhn one time in ten: those two want a word for it.
	if (len(v) == 13 || len(v) > 16 && sep == 0 || len(v) == 14 && sep == 0) && c.context(i, r.ctx) == 0 {
		return 0, 0, false
	}
	return i, end, true
}

func okCard(d []byte) bool {
	s := string(d)
	return cardIssuer(s) && luhn(s) && varietyOf(s).distinct > 1
}

// canonDigitsTo appends the digits of v to dst.
func canonDigitsTo(dst []byte, v string) []byte {
	for i := range len(v) {
		if isDigit(v[i]) {
			dst = append(dst, v[i])
		}
	}
	return dst
}

// cardShape reports whether groups of digits are how cards are printed: all in one,
// 4-4-4-4 and longer, 4-6-5, 4-6-4.
func cardShape(g []int) bool {
	switch len(g) {
	case 1:
		return g[0] >= 13 && g[0] <= 19
	case 2:
		return g[0] == 8 && g[1] == 8 || g[0] == 4 && g[1] == 12
	case 3:
		return g[0] == 4 && g[1] == 6 && (g[2] == 5 || g[2] == 4)
	case 4:
		return g[0] == 4 && g[1] == 4 && g[2] == 4 && g[3] >= 1 && g[3] <= 4
	case 5:
		return g[0] == 4 && g[1] == 4 && g[2] == 4 && g[3] == 4 && g[4] >= 1 && g[4] <= 3
	}
	return false
}

// ibanAt reads an IBAN, together or in groups of four.
func ibanAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	want, ok := 0, false
	if i+4 <= len(text) {
		want, ok = ibanLengths[text[i:i+2]], true
	}
	if !ok || want == 0 || !isDigit(text[i+2]) || !isDigit(text[i+3]) {
		return 0, 0, false
	}
	var buf [34]byte
	n, k, upper, lower := 0, i, false, false
	for k < len(text) && n < want {
		b := text[k]
		switch {
		case isDigit(b) || isUpper(b):
			upper = upper || n > 2 && isUpper(b)
			buf[n] = b
			n++
		case isLower(b):
			lower = true
			buf[n] = b - 32
			n++
		case (b == ' ' || b == '-') && n > 0 && k+1 < len(text) && isAlnum(text[k+1]):
		default:
			return 0, 0, false
		}
		k++
	}
	if n < want || upper && lower || !ibanValid(string(buf[:n])) || k < len(text) && isAlnum(text[k]) {
		return 0, 0, false
	}
	return i, k, true
}

// bicValid wants eight or eleven places, a country in the fifth and sixth.
func bicValid(v string) bool {
	return (len(v) == 8 || len(v) == 11) && countries[v[4:6]]
}

// countries are the codes of ISO 3166-1 alpha-2, and XK for Kosovo.
var countries = func() map[string]bool {
	const codes = "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFR" +
		"GAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZ" +
		"NANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSXKYEYTZAZMZW"
	m := map[string]bool{}
	for i := 0; i < len(codes); i += 2 {
		m[codes[i:i+2]] = true
	}
	return m
}()

func shapeBIC(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	return start, end, bicValid(c.text[start:end])
}

// shapeAccount takes 5 to 20 digits, grouped or not, or letters and digits mixed.
func shapeAccount(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	if f.quoted || f.sep == ':' {
		start, end = trim(c.text, f.start, f.end)
		if !f.quoted {
			k := start
			for k < end && (isAlnum(c.text[k]) || c.text[k] == '-' || c.text[k] == ' ' && k+1 < end && isDigit(c.text[k+1])) {
				k++
			}
			end = k
		}
	}
	v := c.text[start:end]
	digits, other := 0, 0
	for i := range len(v) {
		switch {
		case isDigit(v[i]):
			digits++
		case v[i] == '-' || v[i] == ' ':
		case isUpper(v[i]):
			other++
		default:
			return 0, 0, false
		}
	}
	return start, end, digits >= 5 && digits <= 24 && other <= 6 && !isPlaceholder(v) && !isUUID(v)
}

// shapeCVV takes three or four digits.
func shapeCVV(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	return start, end, len(v) >= 3 && len(v) <= 4 && onlyDigits(v)
}

// clabeValid is the check digit of a CLABE: weights 3 7 1, each product modulo 10.
func clabeValid(v string) bool {
	d, n := digitsOf(v)
	sum := 0
	for i, x := range d[:17] {
		sum += x * [3]int{3, 7, 1}[i%3] % 10
	}
	return n == 18 && !repeated(d[:n]) && (10-sum%10)%10 == d[17]
}

// shapeDigits takes a value of at least five digits, grouped or not.
func shapeDigits(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	digits := 0
	for i := range len(v) {
		switch {
		case isDigit(v[i]):
			digits++
		case v[i] == '-' || v[i] == ' ' || v[i] == '.' || v[i] == '/':
		default:
			return 0, 0, false
		}
	}
	return start, end, digits >= 5 && digits <= 20 && varietyOf(v).distinct > 2
}
