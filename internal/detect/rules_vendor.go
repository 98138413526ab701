package detect

import "strings"

// vendorRules are credentials whose issuer publishes a format that tells them
// anywhere. Source names where the issuer describes it. Lengths leave room for what
// issuers have lengthened; they were typed, and await a comparison with the sources.
var vendorRules = []rule{
	{ID: "aws-access-key", Type: "aws_access_key", Group: groupSecrets, Rank: rankVendor, Doc: "AWS access key id",
		Source: "IAM User Guide, unique identifiers", Prefix: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, Body: upperNum, Min: 16, Max: 16},
	{ID: "github-token", Type: "github_token", Group: groupSecrets, Rank: rankVendor, Doc: "GitHub token",
		Source: "GitHub Docs, token formats", Prefix: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, Body: alnum, Min: 30, Max: 255},
	{ID: "github-pat", Type: "github_token", Group: groupSecrets, Rank: rankVendor, Doc: "GitHub fine-grained token",
		Source: "GitHub Docs, token formats", Prefix: []string{"github_pat_"}, Body: chars("A-Za-z0-9_"), Min: 40, Max: 255},
	{ID: "gitlab-token", Type: "gitlab_token", Group: groupSecrets, Rank: rankVendor, Doc: "GitLab token",
		Source: "GitLab Docs, token prefixes", Prefix: []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-",
			"glagent-", "glsoat-", "glffct-", "gloas-", "GR1348941"}, Body: chars("A-Za-z0-9._-"), Min: 16, Max: 300},
	{ID: "slack-token", Type: "slack_token", Group: groupSecrets, Rank: rankVendor, Doc: "Slack token",
		Source: "Slack API, token types", Prefix: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xoxp-", "xoxe.xoxb-", "xapp-"},
		Body: chars("A-Za-z0-9%/+.-"), Min: 14, Max: 400, Valid: hasDigit},
	{ID: "slack-webhook", Type: "slack_webhook", Group: groupSecrets, Rank: rankVendor, Doc: "Slack incoming webhook",
		Source: "Slack API, incoming webhooks", Prefix: []string{"https://hooks.slack.com/", "http://hooks.slack.com/"}, Body: chars("A-Za-z0-9/_+-"), Min: 24, Max: 120, Valid: slackHook},
	{ID: "stripe-key", Type: "stripe_key", Group: groupSecrets, Rank: rankVendor, Doc: "Stripe secret, restricted or webhook key",
		Source: "Stripe Docs, API keys", Prefix: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "sk_prod_", "rk_prod_"}, Body: alnum, Min: 10, Max: 255},
	{ID: "openai-key", Type: "openai_key", Group: groupSecrets, Rank: rankVendor, Doc: "OpenAI key",
		Source: "OpenAI API reference, authentication", Prefix: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"}, Body: alnumDash, Min: 20, Max: 300},
	{ID: "anthropic-key", Type: "anthropic_key", Group: groupSecrets, Rank: rankVendor + 2, Doc: "Anthropic key",
		Source: "Anthropic API reference", Prefix: []string{"sk-ant-"}, Body: alnumDash, Min: 24, Max: 300},
	{ID: "openrouter-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor + 2, Doc: "OpenRouter key",
		Source: "OpenRouter Docs", Prefix: []string{"sk-or-v1-", "sk-or-"}, Body: alnumDash, Min: 24, Max: 200},
	{ID: "sk-key", Type: "openai_key", Group: groupSecrets, Rank: rankVendor - 2, Doc: "key beginning with sk-",
		Source: "OpenAI API reference, authentication", Prefix: []string{"sk-"}, Body: alnumDash, Min: 20, Max: 300, Valid: skKey},
	{ID: "google-api-key", Type: "google_api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Google API key",
		Source: "Google Cloud Docs, API keys", Prefix: []string{"AIza"}, Body: alnumDash, Min: 35, Max: 40},
	{ID: "google-oauth", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Google OAuth client secret",
		Source: "Google Identity Docs", Prefix: []string{"GOCSPX-"}, Body: alnumDash, Min: 20, Max: 60},
	{ID: "google-access-token", Type: "bearer_token", Group: groupSecrets, Rank: rankVendor, Doc: "Google OAuth access token",
		Source: "Google Identity Docs", Prefix: []string{"ya29."}, Body: alnumDash, Min: 20, Max: 1024},
	{ID: "huggingface-token", Type: "huggingface_token", Group: groupSecrets, Rank: rankVendor, Doc: "Hugging Face token",
		Source: "Hugging Face Docs, user access tokens", Prefix: []string{"hf_", "api_org_"}, Body: alnum, Min: 30, Max: 60},
	{ID: "npm-token", Type: "npm_token", Group: groupSecrets, Rank: rankVendor, Doc: "npm access token",
		Source: "npm Docs, access tokens", Prefix: []string{"npm_"}, Body: alnum, Min: 36, Max: 60},
	{ID: "pypi-token", Type: "pypi_token", Group: groupSecrets, Rank: rankVendor, Doc: "PyPI upload token",
		Source: "PyPI help, API tokens", Prefix: []string{"pypi-"}, Body: alnumDash, Min: 50, Max: 1024},
	{ID: "sendgrid-key", Type: "sendgrid_key", Group: groupSecrets, Rank: rankVendor, Doc: "SendGrid key",
		Source: "Twilio SendGrid Docs", Prefix: []string{"SG."}, Body: chars("A-Za-z0-9_.=-"), Min: 50, Max: 90, Valid: twoParts},
	{ID: "twilio-key", Type: "twilio_key", Group: groupSecrets, Rank: rankVendor, Doc: "Twilio API key",
		Source: "Twilio Docs, API keys", Prefix: []string{"SK"}, Body: lowerHex, Min: 32, Max: 32},
	{ID: "groq-key", Type: "groq_key", Group: groupSecrets, Rank: rankVendor, Doc: "Groq key", Source: "Groq console",
		Prefix: []string{"gsk_"}, Body: alnum, Min: 36, Max: 80},
	{ID: "xai-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "xAI key", Source: "xAI Docs",
		Prefix: []string{"xai-"}, Body: alnum, Min: 40, Max: 120},
	{ID: "perplexity-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Perplexity key", Source: "Perplexity Docs",
		Prefix: []string{"pplx-"}, Body: alnum, Min: 32, Max: 80},
	{ID: "replicate-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Replicate token", Source: "Replicate Docs",
		Prefix: []string{"r8_"}, Body: alnum, Min: 32, Max: 60},
	{ID: "langsmith-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "LangSmith key", Source: "LangSmith Docs",
		Prefix: []string{"lsv2_pt_", "lsv2_sk_"}, Body: chars("A-Za-z0-9_"), Min: 30, Max: 90},
	{ID: "digitalocean-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "DigitalOcean token", Source: "DigitalOcean Docs",
		Prefix: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, Body: lowerHex, Min: 64, Max: 64},
	{ID: "doppler-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Doppler token", Source: "Doppler Docs",
		Prefix: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, Body: chars("A-Za-z0-9._-"), Min: 40, Max: 80},
	{ID: "databricks-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Databricks token", Source: "Databricks Docs",
		Prefix: []string{"dapi"}, Body: chars("a-f0-9-"), Min: 32, Max: 36},
	{ID: "vault-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "HashiCorp Vault token", Source: "Vault Docs, tokens",
		Prefix: []string{"hvs.", "hvb.", "hvr."}, Body: alnumDash, Min: 24, Max: 400},
	{ID: "shopify-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Shopify token", Source: "Shopify Docs",
		Prefix: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, Body: anyHex, Min: 32, Max: 32},
	{ID: "square-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Square token", Source: "Square Docs",
		Prefix: []string{"sq0atp-", "sq0csp-", "EAAAE"}, Body: alnumDash, Min: 22, Max: 80, Valid: hasDigit},
	{ID: "linear-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Linear key", Source: "Linear Docs",
		Prefix: []string{"lin_api_", "lin_oauth_"}, Body: alnum, Min: 30, Max: 80},
	{ID: "notion-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Notion token", Source: "Notion Docs",
		Prefix: []string{"ntn_", "secret_"}, Body: alnum, Min: 40, Max: 60, Valid: mixedCase},
	{ID: "atlassian-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Atlassian token", Source: "Atlassian Docs",
		Prefix: []string{"ATATT3", "ATCTT3", "ATBB"}, Body: chars("A-Za-z0-9_=-"), Min: 24, Max: 260, Valid: mixedCase},
	{ID: "airtable-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Airtable token", Source: "Airtable Docs",
		Prefix: []string{"pat"}, Body: chars("A-Za-z0-9."), Min: 79, Max: 79, Valid: mixedCase},
	{ID: "dockerhub-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Docker token", Source: "Docker Docs",
		Prefix: []string{"dckr_pat_", "dckr_oat_"}, Body: alnumDash, Min: 24, Max: 60},
	{ID: "grafana-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Grafana token", Source: "Grafana Docs",
		Prefix: []string{"glsa_", "glc_"}, Body: chars("A-Za-z0-9_+/="), Min: 32, Max: 400},
	{ID: "newrelic-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "New Relic key", Source: "New Relic Docs",
		Prefix: []string{"NRAK-", "NRJS-", "NRAA-", "NRIQ-", "NRSP-", "NRII-"}, Body: alnumDash, Min: 19, Max: 60},
	{ID: "sentry-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Sentry token", Source: "Sentry Docs",
		Prefix: []string{"sntrys_", "sntryu_"}, Body: chars("A-Za-z0-9_+/="), Min: 40, Max: 400},
	{ID: "postman-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Postman key", Source: "Postman Docs",
		Prefix: []string{"PMAK-"}, Body: chars("a-f0-9-"), Min: 55, Max: 64},
	{ID: "planetscale-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "PlanetScale token or password", Source: "PlanetScale Docs",
		Prefix: []string{"pscale_pw_", "pscale_tkn_", "pscale_oauth_"}, Body: chars("A-Za-z0-9=._-"), Min: 30, Max: 64},
	{ID: "brevo-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Brevo key", Source: "Brevo Docs",
		Prefix: []string{"xkeysib-", "xsmtpsib-"}, Body: chars("A-Za-z0-9-"), Min: 60, Max: 90},
	{ID: "mailchimp-mailgun-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Mailgun key", Source: "Mailgun Docs",
		Prefix: []string{"key-"}, Body: lowerHex, Min: 32, Max: 32},
	{ID: "pulumi-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Pulumi token", Source: "Pulumi Docs",
		Prefix: []string{"pul-"}, Body: lowerHex, Min: 40, Max: 40},
	{ID: "rubygems-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "RubyGems key", Source: "RubyGems Guides",
		Prefix: []string{"rubygems_"}, Body: lowerHex, Min: 48, Max: 48},
	{ID: "clojars-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Clojars token", Source: "Clojars",
		Prefix: []string{"CLOJARS_"}, Body: alnum, Min: 60, Max: 60},
	{ID: "age-key", Type: "private_key", Group: groupSecrets, Rank: rankVendor, Doc: "age identity", Source: "age specification",
		Prefix: []string{"AGE-SECRET-KEY-1"}, Body: upperNum, Min: 50, Max: 64},
	{ID: "onepassword-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "1Password service account token", Source: "1Password Docs",
		Prefix: []string{"ops_eyJ"}, Body: base64Any, Min: 200, Max: 2048},
	{ID: "fly-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Fly.io token", Source: "Fly.io Docs",
		Prefix: []string{"FlyV1 fm2_", "fm1r_", "fm2_", "fo1_"}, Body: base64Any, Min: 40, Max: 1024},
	{ID: "easypost-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "EasyPost key", Source: "EasyPost Docs",
		Prefix: []string{"EZAK", "EZTK"}, Body: alnum, Min: 54, Max: 60},
	{ID: "frameio-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Frame.io token", Source: "Frame.io Docs",
		Prefix: []string{"fio-u-"}, Body: alnumDash, Min: 60, Max: 70},
	{ID: "duffel-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Duffel token", Source: "Duffel Docs",
		Prefix: []string{"duffel_test_", "duffel_live_"}, Body: chars("A-Za-z0-9_=-"), Min: 43, Max: 44},
	{ID: "dynatrace-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Dynatrace token", Source: "Dynatrace Docs",
		Prefix: []string{"dt0c01.", "dt0s01.", "dt0s02.", "dt0s06.", "dt0s08.", "dt0s16."}, Body: chars("A-Z0-9."), Min: 70, Max: 100},
	{ID: "readme-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "ReadMe key", Source: "ReadMe Docs",
		Prefix: []string{"rdme_"}, Body: alnum, Min: 70, Max: 70},
	{ID: "shippo-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Shippo token", Source: "Shippo Docs",
		Prefix: []string{"shippo_live_", "shippo_test_"}, Body: lowerHex, Min: 40, Max: 40},
	{ID: "prefect-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Prefect key", Source: "Prefect Docs",
		Prefix: []string{"pnu_", "pnb_"}, Body: alnum, Min: 36, Max: 36},
	{ID: "figma-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Figma token", Source: "Figma Docs",
		Prefix: []string{"figd_", "figdr_", "figo_", "figor_", "figoh_", "figu_", "figur_", "figuh_"}, Body: alnumDash, Min: 36, Max: 60},
	{ID: "supabase-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Supabase token", Source: "Supabase Docs",
		Prefix: []string{"sbp_", "sb_secret_"}, Body: alnumDash, Min: 30, Max: 60},
	{ID: "tailscale-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Tailscale key", Source: "Tailscale Docs",
		Prefix: []string{"tskey-auth-", "tskey-api-", "tskey-client-"}, Body: chars("A-Za-z0-9-"), Min: 20, Max: 80},
	{ID: "nvidia-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "NVIDIA key", Source: "NVIDIA NIM Docs",
		Prefix: []string{"nvapi-"}, Body: alnumDash, Min: 50, Max: 90},
	{ID: "posthog-personal-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "PostHog personal key", Source: "PostHog Docs",
		Prefix: []string{"phx_"}, Body: alnumDash, Min: 40, Max: 60},
	{ID: "mapbox-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Mapbox secret token", Source: "Mapbox Docs",
		Prefix: []string{"sk.eyJ"}, Body: chars("A-Za-z0-9._-"), Min: 60, Max: 200},
	{ID: "facebook-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Facebook access token", Source: "Meta for Developers",
		Prefix: []string{"EAACEdEose0cBA", "EAAM", "EAAC", "EAAB"}, Body: alnum, Min: 80, Max: 400, Valid: mixedCase},
	{ID: "tavily-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Tavily key", Source: "Tavily Docs",
		Prefix: []string{"tvly-"}, Body: alnumDash, Min: 24, Max: 60},
	{ID: "flutterwave-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Flutterwave secret key", Source: "Flutterwave Docs",
		Prefix: []string{"FLWSECK_TEST-", "FLWSECK-"}, Body: chars("A-Za-z0-9-"), Min: 24, Max: 60},
	{ID: "buildkite-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Buildkite token", Source: "Buildkite Docs",
		Prefix: []string{"bkua_"}, Body: anyHex, Min: 40, Max: 40},
	{ID: "terraform-cloud-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "HCP Terraform token", Source: "HCP Terraform Docs",
		Terms: []string{"atlasv1."}, Recognise: atlasAt},
	{ID: "telegram-bot-token", Type: "telegram_bot_token", Group: groupSecrets, Rank: rankVendor, Doc: "Telegram bot token",
		Source: "Telegram Bot API", Numbers: numColon, Recognise: telegramAt},
	{ID: "discord-token", Type: "discord_token", Group: groupSecrets, Rank: rankVendor, Doc: "Discord bot token",
		Source: "Discord Docs, snowflakes: a token begins with the base64 of a user id", Prefix: []string{"MT", "Mj", "Mz", "MD", "ND", "NT", "Nj", "Nz", "OD", "OT", "mfa."}, Recognise: discordAt},
	{ID: "discord-webhook", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Discord or Teams webhook",
		Source: "Discord Docs, webhooks", Prefix: []string{"https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"}, Body: chars("A-Za-z0-9/_-"), Min: 60, Max: 120},
	{ID: "jwt", Type: "jwt", Group: groupSecrets, Rank: rankVendor, Doc: "JSON Web Token", Source: "RFC 7519",
		Prefix: []string{"eyJ"}, Recognise: jwtAt, Canon: canonExact},
	{ID: "azure-storage-key", Type: "azure_storage_key", Group: groupSecrets, Rank: rankVendor, Doc: "Azure storage account key",
		Source: "Azure Storage Docs, connection strings", Prefix: []string{"AccountKey=", "SharedAccessKey="}, Recognise: azureKeyAt},
}

// heads are the four-byte beginnings of tokens with this prefix, nil when all.
func (r *rule) heads(prefix string) []string {
	if r.Type != "discord_token" || len(prefix) != 2 {
		return nil
	}
	// A snowflake is decimal digits; base64 leaves ten letters for each of the two
	// characters after the first two.
	var out []string
	for _, a := range "AEIMQUYcgk" {
		for _, b := range "wxyz012345" {
			out = append(out, prefix+string(a)+string(b))
		}
	}
	return out
}

// slackHook wants the three parts of a webhook path.
func slackHook(v string) bool {
	return strings.Count(v, "/") >= 6 && (strings.Contains(v, "/services/") || strings.Contains(v, "/workflows/") || strings.Contains(v, "/triggers/"))
}

// skKey tells keys that begin with "sk-" from other names: a machine-made tail.
func skKey(v string) bool {
	return hasDigit(v) && strings.Contains(v, "T3BlbkFJ") || looksRandom(v[3:]) && strings.Count(v, "-") <= 4 && longestPiece(v[3:]) >= 16
}

// longestPiece is the length of the longest run of letters and digits in v.
func longestPiece(v string) int {
	best, n := 0, 0
	for i := range len(v) {
		if !isAlnum(v[i]) {
			n = 0
			continue
		}
		n++
		best = max(best, n)
	}
	return best
}

// twoParts is the layout of a SendGrid key: SG.<22>.<43>.
func twoParts(v string) bool {
	p := strings.Split(v, ".")
	return len(p) == 3 && len(p[1]) >= 16 && len(p[2]) >= 32
}

func mixedCase(v string) bool {
	x := varietyOf(v)
	return x.lower > 0 && x.upper > 0 && x.digit > 0
}

// telegramAt reads "<bot id>:<35 characters>".
func telegramAt(c *scan, _ *rule, i int) (int, int, bool) {
	j := i
	for j < len(c.text) && isDigit(c.text[j]) {
		j++
	}
	if n := j - i; n < 8 || n > 10 || j >= len(c.text) || c.text[j] != ':' {
		return 0, 0, false
	}
	end := alnumDash.span(c.text, j+1, 40)
	if n := end - j - 1; n != 35 && !(n >= 33 && n <= 36 && c.text[j+1] == 'A') {
		return 0, 0, false
	}
	return i, end, mixedCase(c.text[j+1 : end])
}

// discordAt reads the three parts of a bot token.
func discordAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if strings.HasPrefix(text[i:], "mfa.") {
		end := alnumDash.span(text, i+4, 100)
		return i, end, end-i-4 >= 80
	}
	a := alnumDash.span(text, i, 30)
	if n := a - i; n < 23 || n > 28 || a >= len(text) || text[a] != '.' {
		return 0, 0, false
	}
	b := alnumDash.span(text, a+1, 8)
	if b-a-1 < 5 || b >= len(text) || text[b] != '.' {
		return 0, 0, false
	}
	end := alnumDash.span(text, b+1, 60)
	return i, end, end-b-1 >= 27 && mixedCase(text[i:end])
}

// jwtAt reads header.payload.signature; a signature may be missing at the end of a
// text that was cut, and is empty in an unsigned token.
func jwtAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	h := alnumDash.span(text, i, 1024)
	if h >= len(text) || text[h] != '.' || !jwtHeader(text[i:h]) {
		return 0, 0, false
	}
	p := alnumDash.span(text, h+1, 1<<16)
	if p-h-1 < 8 {
		return 0, 0, false
	}
	if p >= len(text) || text[p] != '.' {
		return i, p, true
	}
	end := alnumDash.span(text, p+1, 1<<12)
	// JWE has five parts.
	for range 2 {
		if end+8 < len(text) && text[end] == '.' && alnumDash.has(text[end+1]) {
			end = alnumDash.span(text, end+1, 1<<16)
		}
	}
	return i, end, true
}

// azureKeyAt reads the base64 key after "AccountKey=".
func azureKeyAt(c *scan, _ *rule, i int) (int, int, bool) {
	start := i + strings.IndexByte(c.text[i:], '=') + 1
	end := base64Std.span(c.text, start, 120)
	return start, end, end-start >= 40 && !isFiller(c.text[start:end])
}

// atlasAt reads "<14 characters>.atlasv1.<60 to 70>" from its middle.
func atlasAt(c *scan, _ *rule, i int) (int, int, bool) {
	start := i - 15
	if start < 0 || c.text[i-1] != '.' || alnum.span(c.text, start, 14) != i-1 {
		return 0, 0, false
	}
	end := alnumDash.span(c.text, i+8, 80)
	return start, end, end-i-8 >= 60 && !isFiller(c.text[i+8:end])
}
