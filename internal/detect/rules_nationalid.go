package detect

import "strings"

// nationalRules are numbers that states assign to persons.
var nationalRules = []rule{
	{ID: "us-ssn", Type: "ssn", Group: groupPII, Rank: rankNumber + 4, Doc: "US social security number, 123-45-6789", Source: "SSA, POMS RM 10201",
		Forms: []string{"###-##-####"}, Valid: ssnIssued, Innocent: true, Canon: canonDigits,
		Near: []string{"ssn", "social security", "social security number", "social"}},
	{ID: "us-ssn-context", Type: "ssn", Group: groupPII, Rank: rankNumber + 3, Doc: "US social security number in other notations, by context",
		Source: "SSA, POMS RM 10201", Forms: []string{"### ## ####", "#########", "###.##.####", "###_##_####"}, Valid: ssnIssued, NeedNear: true, Innocent: true, Canon: canonDigits,
		Keys: []string{"ssn", "social security", "social security number", "social security no", "ss number", "ssn number", "ss no", "soc sec",
			"numero de securite sociale americain", "numero de seguro social", "sozialversicherungsnummer us", "us ssn", "taxpayer ssn", "itin",
			"numero de seguridad social", "us sozialversicherungsnummer", "seguro social", "securite sociale", "social security nummer"}, Shape: shapeSSN},
	{ID: "ca-sin", Type: "sin", Group: groupPII, Rank: rankNumber + 2, Doc: "Canadian social insurance number: Luhn, context", Source: "ESDC, SIN code of practice",
		Forms: []string{"### ### ###", "###-###-###", "#########", "###.###.###"}, Valid: sinValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Keys: []string{"sin", "social insurance", "social insurance number", "social insurance no", "nas", "numero d assurance sociale", "assurance sociale",
			"sin number", "numero de seguro social canadiense", "sozialversicherungsnummer", "sozialversicherungsnummer sin", "seguro social canadiense"}, Shape: shapeNine},
	{ID: "uk-nino", Type: "uk_nino", Group: groupPII, Rank: rankNumber + 1, Doc: "UK national insurance number", Source: "HMRC, NIM39110",
		Forms: []string{"AA~##~##~##~A"}, Valid: ninoPrefix, NeedNear: true, Canon: canonID,
		Keys: []string{"nino", "ni number", "national insurance", "national insurance number", "national insurance no", "ni no", "numero de national insurance",
			"nin", "national insurance nummer", "numero de seguro nacional", "nationalinsurance"}},
	{ID: "uk-nino-bare", Type: "uk_nino", Group: groupPII, Rank: rankNumber, Doc: "UK national insurance number as it is printed, in pairs", Source: "HMRC, NIM39110",
		Forms: []string{"AA ## ## ## A"}, Valid: ninoPrefix, Innocent: true, Canon: canonID},
	{ID: "fr-nir", Type: "fr_nir", Group: groupPII, Rank: rankNumber + 3, Doc: "French NIR: key modulo 97", Source: "INSEE, NIR",
		Forms: []string{"#~##~##~##~###~###~##", "#~##~##~#A~###~###~##"}, Valid: nirValid, Innocent: true, Canon: canonID,
		Near: []string{"nir", "securite sociale", "insee", "numero de securite sociale", "social security"}},
	{ID: "es-dni", Type: "es_dni", Group: groupPII, Rank: rankNumber + 1, Doc: "Spanish DNI: control letter", Source: "RD 1553/2005",
		Forms: []string{"########A", "########-A", "##.###.###-A", "########.A", "######## A"}, Valid: dniValid, NeedNear: true, Canon: canonID,
		Keys: []string{"dni", "nif", "documento nacional de identidad", "documento de identidad", "spanish dni", "dni number", "spanish national id", "numero de dni", "personalausweis", "id espagnol"}},
	{ID: "es-nie", Type: "es_nie", Group: groupPII, Rank: rankNumber + 1, Doc: "Spanish NIE: control letter", Source: "RD 557/2011",
		Forms: []string{"A#######A", "A-#######-A", "A-#######A", "A#######-A"}, Valid: nieValid, NeedNear: true, Canon: canonID,
		Keys: []string{"nie", "numero de identidad de extranjero", "spanish nie", "nie number", "numero de extranjero", "foreigner id"}},
	{ID: "it-codice-fiscale", Type: "it_codice_fiscale", Group: groupPII, Rank: rankNumber + 3, Doc: "Italian codice fiscale: check letter", Source: "DM 23/12/1976",
		Forms: []string{"AAAAAA##A##A###A"}, Valid: cfValid, Canon: canonID},
	{ID: "de-steuer-id", Type: "de_steuer_id", Group: groupPII, Rank: rankNumber + 2, Doc: "German tax number: ISO 7064, context", Source: "§ 139b AO",
		Forms: []string{"##~###~###~###", "##/###/###/###"}, Valid: steuerID, NeedNear: true, Innocent: true, Canon: canonDigits,
		Keys: []string{"steuer id", "steueridentifikationsnummer", "steuernummer", "steuerid", "idnr", "tax id", "german tax id", "identifikationsnummer",
			"steuerliche identifikationsnummer", "id fiscal alemana", "numero fiscal", "numero fiscal allemand", "tin", "tax number", "tax identification number"}},
	{ID: "br-cpf", Type: "br_cpf", Group: groupPII, Rank: rankNumber + 3, Doc: "Brazilian CPF: two check digits", Source: "Receita Federal",
		Forms: []string{"###.###.###-##"}, Valid: cpfValid, Canon: canonDigits},
	{ID: "br-cpf-context", Type: "br_cpf", Group: groupPII, Rank: rankNumber + 2, Doc: "Brazilian CPF without punctuation, by context", Source: "Receita Federal",
		Forms: []string{"###########", "### ### ### ##", "#########-##"}, Valid: cpfValid, NeedNear: true, Innocent: true, Canon: canonDigits, Keys: []string{"cpf", "cpf number", "cadastro de pessoas fisicas"}},
	{ID: "br-cnpj", Type: "br_cnpj", Group: groupPII, Rank: rankNumber + 3, Doc: "Brazilian CNPJ: two check digits", Source: "Receita Federal",
		Forms: []string{"##.###.###/####-##"}, Valid: cnpjValid, Canon: canonDigits},
	{ID: "br-cnpj-context", Type: "br_cnpj", Group: groupPII, Rank: rankNumber + 2, Doc: "Brazilian CNPJ without punctuation, by context", Source: "Receita Federal",
		Forms: []string{"##############"}, Valid: cnpjValid, NeedNear: true, Innocent: true, Canon: canonDigits, Keys: []string{"cnpj", "cnpj number"}},
	{ID: "in-aadhaar", Type: "in_aadhaar", Group: groupPII, Rank: rankNumber + 2, Doc: "Indian Aadhaar: Verhoeff, context", Source: "UIDAI",
		Forms: []string{"####~####~####", "####-####-####"}, Valid: aadhaarValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Keys: []string{"aadhaar", "aadhar", "uidai", "aadhaar number", "aadhar number", "aadhaar no", "आधार", "आधार संख्या"}},
	{ID: "in-pan", Type: "in_pan", Group: groupPII, Rank: rankNumber + 1, Doc: "Indian PAN: kind of holder, context", Source: "Income Tax Department",
		Forms: []string{"AAAAA####A"}, Valid: panHolder, NeedNear: true, Canon: canonID,
		Keys: []string{"pan", "pan number", "permanent account number", "pan card", "pan no", "indian pan"}},
	{ID: "nl-bsn", Type: "nl_bsn", Group: groupPII, Rank: rankNumber + 2, Doc: "Dutch BSN: eleven test, context", Source: "Wet algemene bepalingen burgerservicenummer",
		Forms: []string{"#########", "####.##.###", "### ### ###", "####~##~###"}, Valid: bsnValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Keys: []string{"bsn", "burgerservicenummer", "burger service nummer", "sofinummer", "dutch bsn", "citizen service number"}},
	{ID: "pl-pesel", Type: "pl_pesel", Group: groupPII, Rank: rankNumber + 2, Doc: "Polish PESEL: check digit, context", Source: "Ustawa o ewidencji ludności",
		Forms: []string{"###########"}, Valid: peselValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Keys: []string{"pesel", "pesel number", "numer pesel", "pesel nummer", "numero pesel"}},
	{ID: "au-tfn", Type: "au_tfn", Group: groupPII, Rank: rankNumber + 2, Doc: "Australian tax file number: weights, context", Source: "ATO",
		Forms: []string{"### ### ###", "#########", "###-###-###", "########"}, Valid: tfnValid, NeedNear: true, Innocent: true, Canon: canonDigits,
		Keys: []string{"tfn", "tax file number", "tax file no", "australian tax file number", "numero de dossier fiscal", "steuernummer australien"}},
	{ID: "passport", Type: "passport", Group: groupPII, Rank: rankKeyed, Doc: "passport number by its key or context", Source: "ICAO Doc 9303",
		Forms: []string{"A########", "AA#######", "A#######", "AA######", "##AA#####", "#########"}, NeedNear: true, Innocent: true, Canon: canonID,
		Keys: []string{"passport", "passports", "passport number", "passport no", "passport num", "passeport", "numero de passeport", "pasaporte", "numero de pasaporte",
			"reisepass", "reisepassnummer", "passnummer", "passport id", "pass nr", "passport nr", "passaporto", "numero di passaporto"}, Shape: shapePassport},
	{ID: "driver-license", Type: "driver_license", Group: groupPII, Rank: rankKeyed, Doc: "driving licence number by its key or context",
		Forms: []string{"A########", "A############", "A#######", "########", "A####-#####-#####", "A###-####-####", "###########", "AA######", "A###-###-##-###-#", "A####-######-##", "AAAAA######XXXXX", "A##-##-####", "A##-###-###", "## ## ###### ##"}, NeedNear: true, Innocent: true, Canon: canonID,
		Keys: []string{"driver license", "drivers license", "driver s license", "driving licence", "driving license", "driver licence", "license number", "licence number",
			"driver license number", "drivers license number", "driver s license number", "dl number", "dl no", "permis de conduire", "numero de permis", "permis",
			"fuhrerschein", "fuhrerscheinnummer", "licencia de conducir", "permiso de conducir", "carnet de conducir", "driver license no", "dl", "licencia", "driver s licence", "driver s licence number", "patente di guida", "patente", "numero patente"}, Shape: shapeIDCode},
	{ID: "national-id", Type: "national_id", Group: groupPII, Rank: rankKeyed - 1, Doc: "national identity number by its key",
		Forms: []string{"######-#######", "#############", "############", "########-####", "######-####", "###########", "##########", "AAAA######AAAAAAX#", "A#######A"}, NeedNear: true, Innocent: true,
		Canon: canonID, Keys: []string{"resident registration number", "rrn", "personnummer", "national id", "national id number", "national identification number", "national identity number", "identity card number", "identity card",
			"identity number", "government id", "personal id number", "personnummer", "personal number", "id card number", "id card", "carte d identite", "numero de carte d identite",
			"ausweisnummer", "personalausweisnummer", "tax id", "tax identification number", "taxpayer id", "tin", "cedula", "curp", "rfc mexicano", "nric", "fodselsnummer",
			"cpr number", "cpr", "henkilotunnus", "medicare number", "voter id", "residence permit", "resident id", "citizen id", "nif", "steuer id", "social security number", "frn", "foreigner registration number", "alien registration number", "steueridentifikationsnummer", "identifikationsnummer", "idnr", "steuernummer", "carta d identita", "personal identity code", "personal identity number", "henkilotunnus", "tckn", "tc kimlik no", "kimlik no"}, Shape: shapeIDCode},
}

func nieValid(v string) bool {
	return (v[0] == 'X' || v[0] == 'Y' || v[0] == 'Z') && dniValid(v)
}

func shapeSSN(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	if len(v) > 11 || len(canonDigits(v)) != 9 {
		return 0, 0, false
	}
	// The name of a field says what it is, issued or not.
	return start, end, ssnIssued(v) || !f.prose && f.sep != ' ' && (f.sep != 0 || c.depth == 0 || c.inCell) && varietyOf(v).distinct > 2 && strings.Trim(v, "0123456789-. ") == "" && !sequential(canonDigits(v))
}

func shapeNine(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	return start, end, len(v) <= 11 && sinValid(v)
}

// shapePassport takes one code with at least four digits, or nine letters and digits
// beginning with a letter, as German and Spanish passports have.
func shapePassport(c *scan, f *field) (int, int, bool) {
	if start, end, ok := shapeIDCode(c, f); ok {
		return start, end, true
	}
	start, end := c.oneWord(f)
	v := c.text[start:end]
	return start, end, len(v) == 9 && isUpper(v[0]) && hasDigit(v) && upperNum.span(v, 0, 9) == 9 && (f.quoted || !f.prose && f.sep != ' ')
}

// shapeIDCode takes one code of letters and digits with at least four digits.
func shapeIDCode(c *scan, f *field) (int, int, bool) {
	start, end := c.oneWord(f)
	v := c.text[start:end]
	digits := 0
	for i := range len(v) {
		switch b := v[i]; {
		case isDigit(b):
			digits++
		case isUpper(b) || b == '-' || b == ' ' || b == '.' || b == '/':
		case isLower(b):
			if f.prose && len(v) != 9 {
				return 0, 0, false
			}
		default:
			return 0, 0, false
		}
	}
	return start, end, digits >= 4 && len(v) <= 24 && !isPlaceholder(v) && !isUUID(v) && !isDateLike(v) && varietyOf(v).distinct > 2
}
