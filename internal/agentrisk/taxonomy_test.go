package agentrisk

import (
	"regexp"
	"strings"
	"testing"
)

func TestTaxonomyRows(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	types := Types()
	for i, e := range types {
		if i > 0 && types[i-1].Type >= e.Type {
			t.Errorf("%s stands after %s", e.Type, types[i-1].Type)
		}
		if !name.MatchString(string(e.Type)) {
			t.Errorf("%s is not lower snake case", e.Type)
		}
		if !e.Level.Valid() {
			t.Errorf("%s has level %v", e.Type, e.Level)
		}
		if e.Family == FamilyCustom || e.Family >= numFamilies {
			t.Errorf("%s has family %v", e.Type, e.Family)
		}
		if strings.TrimSpace(e.Basis) == "" {
			t.Errorf("%s has no legal basis", e.Type)
		}
		// A credential at a lower level would pass unredacted by default.
		if e.Family == FamilyCredential && e.Level != L4 {
			t.Errorf("credential %s has level %v", e.Type, e.Level)
		}
		if got, ok := Lookup(e.Type); !ok || got != e {
			t.Errorf("Lookup(%s) = %v, %v", e.Type, got, ok)
		}
	}
	for _, absent := range []DataType{"", "aaa", "no_such_type", "SSN", "zzz"} {
		if e, ok := Lookup(absent); ok || e != (TypeInfo{}) {
			t.Errorf("Lookup(%q) = %v, %v", absent, e, ok)
		}
	}
}

// TestTaxonomyLevels holds the levels that the labelled corpus and the oracle
// give to their types.
func TestTaxonomyLevels(t *testing.T) {
	for level, names := range map[Level]string{
		L1: `company_name job_title person_name`,
		L2: `browsing_history client_identifier email ip_address performance_review phone_number preference`,
		L3: `account_balance address credit_score date_of_birth disciplinary_action disciplinary_record
			employment_record income internal_note legal_record loan_amount salary`,
		L4: `account_number anthropic_key api_key au_tfn aws_access_key aws_secret_key azure_sas
			azure_storage_key basic_auth bearer_token biometric br_cnpj br_cpf canary cohere_key
			connection_string credit_card crypto_private_key de_steuer_id discord_token driver_license
			es_dni es_nie fr_nir generic_secret github_token gitlab_token google_api_key groq_key
			health_condition health_identifier huggingface_token iban in_aadhaar in_pan
			it_codice_fiscale jwt k8s_token llm_api_key medication mistral_key national_id nl_bsn
			npm_token openai_key passport password pl_pesel private_key pypi_token religion
			routing_number secret_assignment seed_phrase sendgrid_key session_cookie
			sexual_orientation sick_leave sin slack_token slack_webhook ssn stripe_key swift_bic
			telegram_bot_token twilio_key uk_nino`,
	} {
		for _, name := range strings.Fields(names) {
			if got, ok := Lookup(DataType(name)); !ok || got.Level != level {
				t.Errorf("%s has level %v, want %v", name, got.Level, level)
			}
		}
	}
}

func TestLevelOf(t *testing.T) {
	o := Overrides{"email": L4, "ssn": L1, "badge": L3, "zero": LevelNone, "iban": 200}
	tests := []struct {
		in       DataType
		fallback Level
		want     Level
	}{
		{"email", L1, L4},
		{"ssn", L4, L1},
		{"badge", L1, L3},
		{"zero", L3, L1},
		{"iban", L1, L4},
		{"phone_number", L4, L2}, // the table comes before the detector
		{"unknown", L3, L3},
		{"unknown", LevelNone, LevelNone},
	}
	for _, tt := range tests {
		if got := LevelOf(tt.in, o, tt.fallback); got != tt.want {
			t.Errorf("LevelOf(%s, %v) = %v, want %v", tt.in, tt.fallback, got, tt.want)
		}
	}
	if got := LevelOf("ssn", nil, L1); got != L4 {
		t.Errorf("without overrides ssn is %v", got)
	}
}
