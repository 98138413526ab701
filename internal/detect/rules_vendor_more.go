package detect

import "strings"

// moreVendorRules are further published token formats: platforms for developers,
// monitoring, messaging.
var moreVendorRules = []rule{
	{ID: "sourcegraph-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Sourcegraph token", Source: "Sourcegraph Docs, access tokens",
		Prefix: []string{"sgp_", "slk_"}, Body: chars("A-Za-z0-9_"), Min: 40, Max: 70, Valid: hasDigit},
	{ID: "together-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Together AI key", Source: "Together AI Docs",
		Prefix: []string{"tgp_v1_"}, Body: alnumDash, Min: 40, Max: 60},
	{ID: "cloudflare-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Cloudflare token", Source: "Cloudflare Docs, API token formats",
		Prefix: []string{"cfat_", "cfut_", "cfk_", "v1.0-"}, Body: alnumDash, Min: 40, Max: 180, Valid: hasDigit},
	{ID: "posthog-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "PostHog feature flag or OAuth secret", Source: "PostHog Docs",
		Prefix: []string{"phs_", "pha_", "phr_"}, Body: alnumDash, Min: 40, Max: 80},
	{ID: "dropbox-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Dropbox short-lived token", Source: "Dropbox OAuth guide",
		Prefix: []string{"sl.B", "sl.u."}, Body: alnumDash, Min: 60, Max: 1300, Valid: mixedCase},
	{ID: "sonarqube-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "SonarQube token", Source: "SonarQube Docs, user tokens",
		Prefix: []string{"sqp_", "squ_", "sqa_"}, Body: lowerHex, Min: 40, Max: 40},
	{ID: "typeform-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Typeform token", Source: "Typeform Developers",
		Prefix: []string{"tfp_"}, Body: chars("A-Za-z0-9_.=-"), Min: 40, Max: 70},
	{ID: "voiceflow-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Voiceflow key", Source: "Voiceflow Docs",
		Prefix: []string{"VF.DM.", "VF.WS."}, Body: chars("A-Za-z0-9."), Min: 38, Max: 46},
	{ID: "telnyx-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Telnyx key", Source: "Telnyx Developers",
		Prefix: []string{"KEY"}, Body: alnumDash, Min: 51, Max: 63, Valid: mixedCase},
	{ID: "teamwork-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Teamwork token", Source: "Teamwork Developers",
		Prefix: []string{"tkn.v1_"}, Body: base64Any, Min: 60, Max: 90},
	{ID: "buildkite-user-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor - 1, Doc: "Buildkite user token", Source: "Buildkite Docs",
		Prefix: []string{"bkua_"}, Body: chars("a-z0-9"), Min: 40, Max: 40},
	{ID: "octopus-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Octopus Deploy key", Source: "Octopus Docs",
		Prefix: []string{"API-"}, Body: upperNum, Min: 25, Max: 26, Valid: hasDigit},
	{ID: "adobe-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Adobe client secret", Source: "Adobe Developer Console",
		Prefix: []string{"p8e-", "p8-"}, Body: alnum, Min: 32, Max: 32},
	{ID: "intra42-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "42 intranet application secret", Source: "42 API",
		Prefix: []string{"s-s4t2ud-", "s-s4t2af-"}, Body: lowerHex, Min: 64, Max: 64},
	{ID: "bedrock-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Amazon Bedrock API key", Source: "Amazon Bedrock User Guide, API keys",
		Prefix: []string{"ABSKQmVkcm9ja0FQSUtleS", "bedrock-api-key-"}, Body: base64Any, Min: 28, Max: 2000},
	{ID: "elevenlabs-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "ElevenLabs key", Source: "ElevenLabs Docs",
		Prefix: []string{"sk_"}, Body: lowerHex, Min: 48, Max: 48},
	{ID: "alibaba-key-id", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Alibaba Cloud access key id", Source: "Alibaba Cloud Docs, AccessKey",
		Prefix: []string{"LTAI"}, Body: alnum, Min: 12, Max: 24, Valid: mixedCase},
	{ID: "postman-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Postman collection token", Source: "Postman Docs",
		Prefix: []string{"PMAT-"}, Body: upperNum, Min: 26, Max: 26},
	{ID: "bitbucket-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Bitbucket Data Center token", Source: "Bitbucket Data Center Docs, HTTP access tokens",
		Prefix: []string{"BBDC-"}, Body: chars("A-Za-z0-9+/@_-"), Min: 40, Max: 50},
	{ID: "swarm-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Docker Swarm join or unlock key", Source: "Docker Docs, swarm join-token",
		Prefix: []string{"SWMTKN-1-", "SWMKEY-1-"}, Body: chars("A-Za-z0-9+/-"), Min: 40, Max: 90},
	{ID: "nuget-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "NuGet key", Source: "NuGet Docs",
		Prefix: []string{"oy2"}, Body: chars("a-z0-9"), Min: 43, Max: 43, Valid: hasDigit},
	{ID: "nats-seed", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "NATS nkey seed", Source: "NATS Docs, nkeys",
		Prefix: []string{"SUA", "SAA", "SOA", "SNA", "SCA", "SXA"}, Body: chars("A-Z2-7"), Min: 55, Max: 55, Valid: hasDigit},
	{ID: "artifactory-reference", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Artifactory reference token or API key", Source: "JFrog Docs",
		Prefix: []string{"cmVmdGtu", "AKCp"}, Body: alnum, Min: 56, Max: 80},
	{ID: "instagram-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Instagram access token", Source: "Instagram Basic Display API",
		Prefix: []string{"IGQV"}, Body: alnumDash, Min: 60, Max: 250, Valid: mixedCase},
	{ID: "grafana-legacy-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Grafana key, base64 of {\"k\":", Source: "Grafana Docs, API keys",
		Prefix: []string{"eyJrIjoi"}, Body: base64Any, Min: 60, Max: 400},
	{ID: "square-access-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor - 1, Doc: "Square access token", Source: "Square Docs",
		Prefix: []string{"EAAA"}, Body: alnumDash, Min: 60, Max: 60, Valid: mixedCase},
	{ID: "xai-management-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor - 1, Doc: "xAI key with a tag", Source: "xAI Docs",
		Prefix: []string{"xai-"}, Body: alnumDash, Min: 60, Max: 120, Valid: mixedCase},
	{ID: "gitlab-new-token", Type: "gitlab_token", Group: groupSecrets, Rank: rankVendor, Doc: "GitLab token", Source: "GitLab Docs, token prefixes",
		Prefix: []string{"glrtr-", "glwt-", "gldt-"}, Body: chars("A-Za-z0-9._-"), Min: 20, Max: 300},
	{ID: "okta-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Okta token in its header", Source: "Okta Docs, API token management",
		Terms: []string{"ssws "}, Recognise: afterScheme},
	{ID: "asana-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Asana personal access token", Source: "Asana Docs",
		Numbers: numShort, Recognise: asanaAt},
	{ID: "office-webhook", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Microsoft Teams incoming webhook", Source: "Microsoft Teams Docs, webhooks",
		Terms: []string{"https://outlook.office.com/webhook/", "webhook.office.com/webhookb2/"}, Recognise: officeHook},
	{ID: "new-relic-license", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "New Relic license key", Source: "New Relic Docs"},
	{ID: "mailchimp-key", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Mailchimp key with its data centre", Source: "Mailchimp Docs"},
	{ID: "azure-client-secret", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Microsoft Entra client secret", Source: "Microsoft Entra Docs"},
	{ID: "private-key-der", Type: "private_key", Group: groupSecrets, Rank: rankVendor, Doc: "private key as base64 of DER: SEQUENCE, INTEGER 0", Source: "RFC 8017 A.1.2, RFC 5958",
		Prefix: []string{"MII"}, Recognise: derAt, Canon: canonBlock},
	{ID: "facebook-app-token", Type: "api_key", Group: groupSecrets, Rank: rankVendor, Doc: "Facebook app access token: id and secret", Source: "Meta for Developers, access tokens"},
}

// derAt reads base64 that begins with a SEQUENCE whose first member is the INTEGER 0:
// a private key. Certificates and public keys begin otherwise.
func derAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if i+12 > len(text) || text[i+6:i+9] != "IBA" {
		return 0, 0, false
	}
	end, n := i, 0
	for k := i; k < len(text) && k-i < maxLong; {
		if base64Std.has(text[k]) {
			k++
			n++
			end = k
			continue
		}
		b := breakLen(text, k)
		if b == 0 {
			break
		}
		for k += b; k < len(text) && isBlank(text[k]); k++ {
		}
	}
	return i, end, n >= 200 && mixedCase(text[i:end])
}

// afterScheme reads the token after the name of its authentication scheme.
func afterScheme(c *scan, _ *rule, i int) (int, int, bool) {
	start := i + strings.IndexByte(c.text[i:], ' ') + 1
	end := alnumDash.span(c.text, start, 100)
	return start, end, end-start >= 30 && !isFiller(c.text[start:end])
}

var digitsSlash, hookBody, secretBody = chars("0-9/"), chars("A-Za-z0-9/@-"), chars("A-Za-z0-9_.~-")

// asanaAt reads "2/<user>/<id>:<32 hex>", and "1/<user>:<32 hex>".
func asanaAt(c *scan, _ *rule, i int) (int, int, bool) {
	if i+1 >= len(c.text) || c.text[i+1] != '/' || c.text[i] > '2' {
		return 0, 0, false
	}
	colon := digitsSlash.span(c.text, i, 64)
	if colon-i < 12 || colon >= len(c.text) || c.text[colon] != ':' {
		return 0, 0, false
	}
	end := lowerHex.span(c.text, colon+1, 33)
	return i, end, end-colon-1 == 32
}

// officeHook reads a webhook of Teams: ids of the tenant, the channel and the hook.
func officeHook(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	start := i
	for start > 0 && i-start < 80 && (isAlnum(text[start-1]) || strings.IndexByte("-:/.", text[start-1]) >= 0) {
		start--
	}
	k := strings.Index(text[i:min(len(text), i+40)], "/webhook")
	if k < 0 {
		return 0, 0, false // written in capitals
	}
	end := hookBody.span(text, i+k, 300)
	return start, end, strings.Contains(text[i:end], "/IncomingWebhook/")
}

// longWord tries what only its length and end tell on the word text[i:j].
func (c *scan) longWord(i, j int) {
	text, s := c.text, c.s
	if r := s.signedRule; r != nil && j-i >= 12 {
		if start, end, ok := c.azureSigned(j); ok {
			c.add(r, start, end)
			return
		}
	}
	switch n := j - i; {
	case n == 32 && s.gunRule != nil && j+18 <= len(text) && text[j] == '-' && text[j+9] == '-' && lowerHex.span(text, i, 32) == j:
		// "32 hex-8 hex-8 hex" is no UUID.
		if lowerHex.span(text, j+1, 9) == j+9 && lowerHex.span(text, j+10, 9) == j+18 && hasDigit(text[i:j]) {
			c.add(s.gunRule, i, j+18)
		}
	case n == 40 && s.licenseRule != nil && text[j-4:j] == "NRAL" && hasDigit(text[i:j]):
		c.add(s.licenseRule, i, j)
	case n == 32 && s.mailRule != nil && strings.HasPrefix(text[j:], "-us") && lowerHex.span(text, i, 32) == j:
		end := j + 3
		for end < len(text) && end < j+5 && isDigit(text[end]) {
			end++
		}
		if end > j+3 && hasDigit(text[i:j]) {
			c.add(s.mailRule, i, end)
		}
	case n >= 15 && n <= 16 && s.appRule != nil && j < len(text) && text[j] == '|':
		// A bar also divides cells: the secret has 27 bytes exactly.
		end := alnumDash.span(text, j+1, 30)
		if onlyDigits(text[i:j]) && end-j-1 >= 27 && end-j-1 <= 28 && mixedCase(text[j+1:end]) {
			c.add(s.appRule, i, end)
		}
	}
}

// tilde reads a client secret around '~' at text[i]: three bytes, a digit and "Q~",
// then 31 to 34 more.
func (c *scan) tilde(i int) {
	text, r := c.text, c.s.azureRule
	if r == nil || i < 5 || text[i-1] != 'Q' || !isDigit(text[i-2]) {
		return
	}
	body := secretBody
	start, end := i-5, body.span(text, i+1, 36)
	if n := end - i - 1; body.span(text, start, 3) == start+3 && n >= 31 && n <= 34 && !isFiller(text[i+1:end]) && (start == 0 || !body.has(text[start-1])) {
		c.add(r, start, end)
	}
}
