package detect

import "testing"

func TestReports(t *testing.T) {
	s := newTest(t)
	for _, x := range []struct{ key, parent, text, want string }{
		{"cache.key", "", "v2:5500000000000000:1786435200004", ""},
		{"", "", "Order 7204 9133 5512 0044 has not shipped", ""},
		{"", "", "bill 4151 3217 6243 3448.com for hosting", "4151 3217 6243 3448"},
		{"", "", `"{\\\"api_key\\\":\\\"729d99a8b4e94b7feaaa9a62f26fd1ed\\\",\\\"password\\\":\\\"qT7#vRz2mLp9wX\\\"}`, "729d99a8b4e94b7feaaa9a62f26fd1ed|qT7#vRz2mLp9wX"},
		{"", "", "connect with postgresql://reporting:Zr8vQm2Kx1@db-7.internal.example:5432/claims?sslmode=require and", "postgresql://reporting:Zr8vQm2Kx1@db-7.internal.example:5432/claims?sslmode=require"},
		{"", "", "=== deploy token ===\nreleased 4 files", ""},
		{"", "", "the session token: expired message keeps showing", ""},
		{"", "", "Use the reset link; password: must contain 14 characters. The token limit is 4096 tokens.", ""},
		{"salary", "", "97,350", "97,350"},
		{"owner_ssn", "", "219-09-9998", "219-09-9998"},
		{"condition", "", "diabetes", "diabetes"},
		{"password_policy", "", "min-length-14", ""},
		{"auth_method", "", "password", ""},
		{"token_type", "", "Bearer", ""},
		{"list", "secret_santa", "office-2026", ""},
		{"gen_ai.usage.input_tokens", "", "1842", ""},
		{"", "", "My policy card is 4111 1111 1111 1111 and I have diabetes", "4111 1111 1111 1111|diabetes"},
		{"content", "", "payer sin 046 454 286", "046 454 286"},
		{"", "", "Offer: salary: 182,500 for casey.test@example.com", "182,500|casey.test@example.com"},
		{"", "", "ship to 12 Example Street, invoice", "12 Example Street"},
		{"mrn", "", "ZZTE84021997", "ZZTE84021997"},
		{"", "", "Write a note about patient ZZTE84021997 to notes.md", "ZZTE84021997"},
		{"", "", "The customer is treated for diabetes. Charge the card 4111 1111 1111 1111", "diabetes|4111 1111 1111 1111"},
		{"", "", "Is warfarin covered? member card 4012 8888 8888 1881", "warfarin|4012 8888 8888 1881"},
		{"", "", "phone +1 514-555-0142", "+1 514-555-0142"},
		{"", "", `{"api_key":"sk-test-4f9Qm2ZxT7kLpW8vYbN3rD6hJc5S"}`, "sk-test-4f9Qm2ZxT7kLpW8vYbN3rD6hJc5S"},
		{"", "", "token [REDACTED:L4:credit_card:9c1f0a77b2d4] end", "[REDACTED:L4:credit_card:9c1f0a77b2d4]"},
		{"", "", "import os\napi_key = os.environ.get(\"BILLING_API_KEY\")\nclient = Client(api_key=API_KEY, token=settings.SERVICE_TOKEN)\nLLM_SECRET_NAME = \"NEXUS-GPT4-API-KEY\"\npublic_key = \"Gc3Q0RXJM2CUNbgKpUMnkPtOfOzeFzsW\"\nBUILD_COMMIT=9a038989604e8da62ecddbe2094b16ce1b778be1\nsecret = get_secret(\"prod/db\")\npassword: ${DB_PASSWORD}\ntoken: <your-token>\n", ""},
	} {
		got := ""
		for _, m := range s.Scan(nil, Key{x.key, x.parent}, x.text) {
			if got != "" {
				got += "|"
			}
			got += x.text[m.Start:m.End]
		}
		if got != x.want {
			t.Errorf("%s: %q:\n got %q\nwant %q", x.key, x.text, got, x.want)
		}
	}
}
