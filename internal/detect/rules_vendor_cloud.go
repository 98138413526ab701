package detect

import "strings"

// cloudVendorRules are further published token formats: model providers, platforms and
// what is built around them. Where the prefix is short, the rest has to be of the length
// and the letters that the issuer writes.
var cloudVendorRules = []rule{
	{ID: "pinecone-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Pinecone key", Source: "Pinecone Docs, API keys",
		Prefix: []string{"pcsk_"}, Body: chars("A-Za-z0-9_"), Min: 50, Max: 80},
	{ID: "langfuse-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor + 2, Doc: "Langfuse secret key", Source: "Langfuse Docs",
		Prefix: []string{"sk-lf-"}, Body: chars("a-f0-9-"), Min: 36, Max: 36},
	{ID: "wandb-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Weights & Biases key", Source: "Weights & Biases Docs",
		Prefix: []string{"wandb_v1_"}, Body: chars("A-Za-z0-9_"), Min: 40, Max: 120},
	{ID: "cerebras-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Cerebras key", Source: "Cerebras Inference Docs",
		Prefix: []string{"csk-"}, Body: chars("a-z0-9"), Min: 40, Max: 60, Valid: hasDigit},
	{ID: "fireworks-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Fireworks AI key", Source: "Fireworks AI Docs",
		Prefix: []string{"fw_"}, Body: alnum, Min: 20, Max: 32, Valid: mixedCase},
	{ID: "voyage-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Voyage AI key", Source: "Voyage AI Docs",
		Prefix: []string{"pa-"}, Body: alnumDash, Min: 40, Max: 50, Valid: mixedTail},
	{ID: "jina-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Jina AI key", Source: "Jina AI Docs",
		Prefix: []string{"jina_"}, Body: alnumDash, Min: 50, Max: 80, Valid: mixedCase},
	{ID: "firecrawl-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Firecrawl key", Source: "Firecrawl Docs",
		Prefix: []string{"fc-"}, Body: lowerHex, Min: 32, Max: 32, Valid: hasDigit},
	{ID: "e2b-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "E2B key", Source: "E2B Docs",
		Prefix: []string{"e2b_"}, Body: lowerHex, Min: 40, Max: 40},
	{ID: "helicone-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor + 2, Doc: "Helicone key", Source: "Helicone Docs",
		Prefix: []string{"sk-helicone-"}, Body: chars("a-z0-9-"), Min: 24, Max: 60, Valid: hasDigit},
	{ID: "runpod-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "RunPod key", Source: "RunPod Docs",
		Prefix: []string{"rpa_"}, Body: alnum, Min: 40, Max: 60, Valid: hasDigit},
	{ID: "anyscale-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Anyscale key", Source: "Anyscale Docs",
		Prefix: []string{"esecret_"}, Body: alnum, Min: 20, Max: 60, Valid: hasDigit},
	{ID: "llamacloud-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "LlamaCloud key", Source: "LlamaCloud Docs",
		Prefix: []string{"llx-"}, Body: alnum, Min: 40, Max: 60, Valid: mixedCase},
	{ID: "arize-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Arize key: UUID and secret", Source: "Arize Docs",
		Prefix: []string{"ak-"}, Body: alnumDash, Min: 60, Max: 90, Valid: mixedTail},
	{ID: "logfire-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Logfire write or read token", Source: "Logfire Docs",
		Prefix: []string{"pylf_v1_", "pylf_v2_"}, Body: chars("A-Za-z0-9_"), Min: 30, Max: 80},
	{ID: "axiom-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Axiom API or personal token", Source: "Axiom Docs, API tokens",
		Prefix: []string{"xaat-", "xapt-"}, Body: chars("a-f0-9-"), Min: 36, Max: 36},
	{ID: "honeycomb-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Honeycomb ingest key", Source: "Honeycomb Docs, API keys",
		Prefix: []string{"hcaik_", "hcxik_", "hcbik_"}, Body: chars("a-z0-9"), Min: 50, Max: 70},
	{ID: "launchdarkly-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "LaunchDarkly SDK key or access token", Source: "LaunchDarkly Docs, keys",
		Prefix: []string{"sdk-", "api-"}, Body: chars("a-f0-9-"), Min: 36, Max: 36, Valid: uuidTail},
	{ID: "netlify-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Netlify token", Source: "Netlify Docs",
		Prefix: []string{"nfp_", "nfo_", "nfc_", "nfb_", "nfu_"}, Body: alnum, Min: 36, Max: 40, Valid: hasDigit},
	{ID: "vercel-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Vercel token", Source: "Vercel Docs, token formats",
		Prefix: []string{"vcp_", "vci_", "vca_", "vcr_", "vck_", "vercel_blob_rw_"}, Body: chars("A-Za-z0-9_"), Min: 24, Max: 80, Valid: mixedCase},
	{ID: "heroku-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Heroku key", Source: "Heroku Dev Center, OAuth",
		Prefix: []string{"HRKU-"}, Body: alnumDash, Min: 36, Max: 70, Valid: hasDigit},
	{ID: "circleci-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "CircleCI personal or project token", Source: "CircleCI Docs, API tokens",
		Prefix: []string{"CCIPAT_", "CCIPRJ_"}, Body: chars("A-Za-z0-9_"), Min: 50, Max: 80},
	{ID: "contentful-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Contentful personal token", Source: "Contentful Docs",
		Prefix: []string{"CFPAT-"}, Body: alnumDash, Min: 40, Max: 50},
	{ID: "crates-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "crates.io token", Source: "crates.io, token format",
		Prefix: []string{"cio"}, Body: alnum, Min: 32, Max: 32, Valid: mixedCase},
	{ID: "harness-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Harness personal or service account token", Source: "Harness Docs, API keys",
		Prefix: []string{"pat.", "sat."}, Body: chars("A-Za-z0-9._-"), Min: 60, Max: 80, Valid: harnessParts},
	{ID: "infracost-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Infracost key", Source: "Infracost Docs",
		Prefix: []string{"ico-"}, Body: alnum, Min: 32, Max: 32, Valid: mixedCase},
	{ID: "snyk-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Snyk token", Source: "Snyk Docs",
		Prefix: []string{"snyk_uat.", "snyk_sat."}, Body: chars("A-Za-z0-9._-"), Min: 40, Max: 1024},
	{ID: "mailgun-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Mailgun key: 32, 8 and 8 hex digits", Source: "Mailgun Docs"},
	{ID: "mollie-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Mollie or GoCardless key", Source: "Mollie Docs, authentication; GoCardless Docs",
		Prefix: []string{"live_", "sandbox_"}, Body: alnumDash, Min: 30, Max: 42, Valid: mixedTail},
	{ID: "neon-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Neon key", Source: "Neon Docs",
		Prefix: []string{"napi_"}, Body: chars("a-z0-9"), Min: 60, Max: 70},
	{ID: "plaid-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Plaid access token", Source: "Plaid Docs, tokens",
		Prefix: []string{"access-sandbox-", "access-development-", "access-production-"}, Body: chars("a-f0-9-"), Min: 36, Max: 36},
	{ID: "hubspot-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "HubSpot private app token", Source: "HubSpot Developers, private apps",
		Prefix: []string{"pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"}, Body: chars("a-f0-9-"), Min: 36, Max: 36},
	{ID: "resend-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Resend key", Source: "Resend Docs",
		Prefix: []string{"re_"}, Body: chars("A-Za-z0-9_"), Min: 30, Max: 36, Valid: mixedTail},
	{ID: "render-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Render key", Source: "Render Docs",
		Prefix: []string{"rnd_"}, Body: alnum, Min: 26, Max: 36, Valid: mixedCase},
	{ID: "scalingo-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Scalingo token", Source: "Scalingo Docs",
		Prefix: []string{"tk-us-"}, Body: alnumDash, Min: 48, Max: 48},
	{ID: "shopify-checkout-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Shopify theme or CLI token", Source: "Shopify Docs",
		Prefix: []string{"shptka_", "shpua_", "shpdt_"}, Body: anyHex, Min: 32, Max: 48},
	{ID: "stripe-org-key", Type: "stripe_key", Group: groupSecrets, Rank: rankVendor, Doc: "Stripe organisation key", Source: "Stripe Docs, organization API keys",
		Prefix: []string{"sk_org_live_", "sk_org_test_", "sk_org_"}, Body: alnum, Min: 24, Max: 255},
	{ID: "svix-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "webhook signing secret of the Standard Webhooks format", Source: "Standard Webhooks specification",
		Prefix: []string{"whsec_"}, Body: base64Std, Min: 32, Max: 100, Valid: mixedCase},
	{ID: "stytch-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Stytch secret", Source: "Stytch Docs",
		Prefix: []string{"secret-live-", "secret-test-"}, Body: base64Any, Min: 36, Max: 40},
	{ID: "tencent-key-id", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Tencent Cloud secret id", Source: "Tencent Cloud Docs, API keys",
		Prefix: []string{"AKID"}, Body: alnum, Min: 32, Max: 32, Valid: mixedCase},
	{ID: "x-bearer", Type: "bearer_token", Group: groupSecrets, Rank: rankVendor, Doc: "X (Twitter) app bearer token", Source: "X Developer Platform, OAuth 2.0",
		Prefix: []string{"AAAAAAAAAAAAAAAAAAAAA"}, Body: chars("A-Za-z0-9%"), Min: 60, Max: 200, Valid: mixedTail},
	{ID: "yandex-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Yandex Cloud or OAuth token", Source: "Yandex Cloud Docs, credentials",
		Prefix: []string{"AQVN", "y0_", "t1."}, Body: chars("A-Za-z0-9._=-"), Min: 36, Max: 400, Valid: yandexTail},
	{ID: "zuplo-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Zuplo consumer key", Source: "Zuplo Docs, API key format",
		Prefix: []string{"zpka_"}, Body: chars("a-z0-9_"), Min: 36, Max: 60},
	{ID: "adyen-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Adyen key", Source: "Adyen Docs, API credentials",
		Prefix: []string{"AQE"}, Body: base64Any, Min: 80, Max: 240, Valid: mixedTail},
	{ID: "braintree-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Braintree access token", Source: "Braintree Developer Docs",
		Prefix: []string{"access_token$production$", "access_token$sandbox$"}, Body: chars("a-z0-9$"), Min: 40, Max: 60, Valid: hasDigit},
	{ID: "onepassword-secret-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "1Password secret key", Source: "1Password Security Design",
		Prefix: []string{"A3-"}, Body: chars("A-Z0-9-"), Min: 34, Max: 37, Valid: secretKeyGroups},
	{ID: "aws-secret-beside", Type: "aws_secret_key", Group: groupSecrets, Rank: rankVendor, Doc: "AWS secret access key right after its id", Source: "IAM User Guide",
		Prefix: []string{"AKIA", "ASIA"}, Recognise: awsSecretAfter},
	{ID: "salesforce-session", Type: "bearer_token", Group: groupSecrets, Rank: rankVendor, Doc: "Salesforce session id: organisation, '!' and token", Source: "Salesforce Developers, session ids",
		Forms: []string{"##A"}, Recognise: salesforceAt},
	{ID: "google-refresh-token", Type: "bearer_token", Group: groupSecrets, Rank: rankVendor, Doc: "Google OAuth refresh token", Source: "Google Identity Docs",
		Forms: []string{"#//#"}, Recognise: googleRefreshAt},
	{ID: "intercom-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Intercom token, base64 of \"tok:\"", Source: "Intercom Developers",
		Prefix: []string{"dG9rO"}, Body: base64Std, Min: 40, Max: 100, Valid: mixedCase},
	{ID: "linkedin-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "LinkedIn client secret", Source: "LinkedIn Developers",
		Prefix: []string{"WPL_AP0.", "WPL_AP1."}, Body: chars("A-Za-z0-9.="), Min: 20, Max: 60},
	{ID: "firebase-server-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Firebase Cloud Messaging server key", Source: "Firebase Docs, legacy FCM",
		Prefix: []string{"AAAA"}, Recognise: firebaseAt},
	{ID: "discord-webhook-beta", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Discord webhook of a test client or a numbered API", Source: "Discord Docs, webhooks",
		Prefix: []string{"https://canary.discord.com/api/", "https://ptb.discord.com/api/", "https://discord.com/api/v"}, Body: chars("A-Za-z0-9/_-"), Min: 80, Max: 130, Valid: discordHook},
	{ID: "facebook-user-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor - 1, Doc: "Meta access token", Source: "Meta for Developers, access tokens",
		Prefix: []string{"EAAG", "EAAD", "EAAE", "EAAF", "EAAH", "EAAI", "EAAJ", "EAAL", "EAAN", "EAAP", "EAAR", "EAAT", "EAAU", "EAAX", "EAAY", "EAAZ"}, Body: alnum, Min: 100, Max: 400, Valid: mixedCase},
	{ID: "cloudinary-url", Type: "connection_string", Group: groupSecrets, Rank: rankVendor, Doc: "Cloudinary URL with its secret", Source: "Cloudinary Docs, CLOUDINARY_URL",
		Prefix: []string{"cloudinary://"}, Body: chars("A-Za-z0-9:@_-"), Min: 40, Max: 120, Valid: func(v string) bool { return strings.IndexByte(v, '@') > 0 && hasDigit(v) }},
	{ID: "azure-annotated-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Azure key with the signature of its service", Source: "Microsoft, common annotated security keys",
		Prefix: []string{"ASt", "ABa", "ACR", "AEh", "ASb", "ARm", "AMC"}, Recognise: azureMarkedAt},
}

// awsSecretAfter reads the 40 characters of base64 that stand next after an access key id.
func awsSecretAfter(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	k := upperNum.span(text, i, 21)
	if k-i != 20 {
		return 0, 0, false
	}
	start := k
	for start < len(text) && start-k < 12 && strings.IndexByte(" \"',:;|\t\n\\", text[start]) >= 0 {
		start++
	}
	end := base64Std.span(text, start, 41)
	return start, end, start > k && end-start == 40 && mixedCase(text[start:end]) && !isFiller(text[start:end])
}

// mixedTail wants both cases and a digit after the last '-' or '_' of a short prefix.
func mixedTail(v string) bool {
	return mixedCase(v[strings.IndexAny(v, "-_")+1:]) && !wordy(v) && longestPiece(v) >= 8
}

func uuidTail(v string) bool { return isUUID(v[strings.IndexByte(v, '-')+1:]) }

// harnessParts wants account, id and secret: 22, 24 and 20 characters.
func harnessParts(v string) bool {
	p := strings.Split(v, ".")
	return len(p) == 4 && len(p[1]) == 22 && len(p[2]) == 24 && len(p[3]) == 20
}

func yandexTail(v string) bool {
	return mixedCase(v) && !wordy(v) && (v[:2] != "t1" || strings.HasPrefix(v, "t1.9eu") && len(v) >= 80)
}

// secretKeyGroups wants an id of six and five or six groups after it.
func secretKeyGroups(v string) bool {
	p := strings.Split(v, "-")
	if len(p) < 6 || len(p) > 7 || len(p[1]) != 6 || !hasDigit(v[3:]) {
		return false
	}
	for _, x := range p[2:] {
		if len(x) < 5 || len(x) > 6 {
			return false
		}
	}
	return true
}

func discordHook(v string) bool {
	k := strings.Index(v, "/webhooks/")
	return k > 0 && len(v)-k >= 80
}

// salesforceAt reads "00D", the rest of an organisation's id, '!' and a token.
func salesforceAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if !strings.HasPrefix(text[i:], "00D") {
		return 0, 0, false
	}
	org := alnum.span(text, i, 19)
	if n := org - i; n != 15 && n != 18 || org >= len(text) || text[org] != '!' {
		return 0, 0, false
	}
	end := wordDot.span(text, org+1, 160)
	for end > org && text[end-1] == '.' {
		end--
	}
	return i, end, end-org > 60 && mixedCase(text[org:end])
}

var wordDot = chars("A-Za-z0-9._")

// googleRefreshAt reads "1//0" and the token after it.
func googleRefreshAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if !strings.HasPrefix(text[i:], "1//0") {
		return 0, 0, false
	}
	end := alnumDash.span(text, i+3, 512)
	return i, end, end-i >= 44 && mixedCase(text[i:end]) && !isFiller(text[i+4:end])
}

// firebaseAt reads "AAAA", seven characters, ":APA91b" and 134 more.
func firebaseAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if i+18 > len(text) || text[i+11:i+18] != ":APA91b" || alnumDash.span(text, i, 11) != i+11 {
		return 0, 0, false
	}
	end := alnumDash.span(text, i+18, 200)
	return i, end, end-i >= 140
}

// azureMarkedAt reads a key around the sign of its service: '+' and three letters, ten
// characters before the end of the key without its padding.
func azureMarkedAt(c *scan, r *rule, i int) (int, int, bool) {
	if i == 0 || c.text[i-1] != '+' || base64Std.span(c.text, i, 9) != i+9 {
		return 0, 0, false
	}
	return c.azureKey(i + 9)
}

// azureSigned tries the word that ends at text[j] for the signs that are all letters. Keys
// of Azure DevOps end four characters after theirs.
func (c *scan) azureSigned(j int) (int, int, bool) {
	switch c.text[j-10 : j-6] {
	case "AzFu", "AzSe", "ACDb", "AIoT", "AzCa":
		return c.azureKey(j)
	}
	if c.text[j-8:j-4] == "AZDO" {
		return c.azureKey(j)
	}
	return 0, 0, false
}

// azureKey returns the key that ends before text[j] or its padding: 52, 54, 84 or 86
// characters.
func (c *scan) azureKey(j int) (int, int, bool) {
	text := c.text
	start := j
	for start > 0 && j-start < 90 && text[start-1] != '=' && base64Any.has(text[start-1]) {
		start--
	}
	end := j
	for end < len(text) && end < j+2 && text[end] == '=' {
		end++
	}
	n := j - start
	return start, end, (n == 52 || n == 54 || n == 84 || n == 86) && (end == len(text) || !base64Any.has(text[end])) && mixedCase(text[start:j])
}
