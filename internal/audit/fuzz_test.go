package audit

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// FuzzRedact: for any attribute, redacting twice equals redacting once, JSON stays JSON, and a second Auditor that
// shares nothing computes the same Risk Index from what the first left. What holds no find is not changed. A secret
// that its key gave away is gone from the text in whatever form and layout it stands there, and nothing else is.
func FuzzRedact(f *testing.F) {
	for _, file := range traceFiles(f) {
		for _, rs := range readTraces(f, file).ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for i, s := range ss.Spans().All() {
					for k, v := range s.Attributes().All() {
						if i < 3 && len(v.AsString()) < 600 && strings.Contains(k, "tool") {
							f.Add(k, v.AsString(), uint64(len(k)+31*len(v.AsString())))
						}
					}
				}
			}
		}
	}
	f.Add("app.config", `{"password":"hunter2hunter2","list":[4111111111111111,"4111 1111 1111 1111"]}`, uint64(1))
	for seed := range uint64(64) { // each form, layout and kind with some text around
		f.Add("app.note", "100%25 of <b>us</b> \\u0041 data:image/png;base64,iVBORw0KGgo= Größe\n", seed)
	}
	all := []int{1, 2, 3, 4}
	a := newAuditor(f, Options{Redaction: Redaction{Levels: all, Style: "token", Key: "a"}})
	b := newAuditor(f, Options{Redaction: Redaction{Levels: all, Style: "token", Key: "b"}})
	l4 := newAuditor(f, Options{Redaction: Redaction{Levels: []int{4}, Style: "token", Key: "a"}})
	f.Fuzz(func(t *testing.T, key, value string, seed uint64) {
		td := oneSpan("gen_ai.operation.name", "execute_tool", key, value)
		untouched := marshal(t, td)
		raw := score(a, []ptrace.Traces{td})
		once := marshal(t, td)
		if raw.Secrets == 0 && raw.Withheld == 0 && once != untouched {
			t.Fatalf("nothing was found, but %s became %s", untouched, once)
		}
		stillJSON(t, value, onlySpan(td))
		again := score(b, []ptrace.Traces{td})
		if marshal(t, td) != once {
			t.Fatalf("redacting twice differs:\n%s\n%s", once, marshal(t, td))
		}
		if raw.Report.RI != again.Report.RI {
			t.Fatalf("RI %v of the raw span, %v of its tokens in\n%s", raw.Report.RI, again.Report.RI, once)
		}
		redactForm(t, l4, rand.New(rand.NewPCG(seed, 12)), value)
	})
}

// stillJSON fails if an attribute is no JSON any more.
func stillJSON(t *testing.T, value string, s ptrace.Span) {
	t.Helper()
	if !json.Valid([]byte(value)) || !strings.HasPrefix(value, "{") {
		return
	}
	for _, v := range s.Attributes().All() {
		if v.Str() != "execute_tool" && !json.Valid([]byte(v.Str())) {
			t.Fatalf("JSON broke: %q became %q", value, v.Str())
		}
	}
}

// plainLayouts are those of a text that is not cut.
var plainLayouts = []streaming{
	{"attribute", func(s ptrace.Span, chunks []string) { s.Attributes().PutStr("app.note", strings.Join(chunks, "")) },
		func(s ptrace.Span) string { return str(s.Attributes(), "app.note") }, false},
	{"JSON", func(s ptrace.Span, chunks []string) {
		s.Attributes().PutStr("app.note", `{"role":"user","content":`+asJSON(strings.Join(chunks, ""))+`}`)
	}, func(s ptrace.Span) string { return parsed(str(s.Attributes(), "app.note"), &part{}).Content }, false},
}

var tokens = regexp.MustCompile(`\[REDACTED:[^\]]*\]`)

// redactForm writes a secret in one form into one layout, with text around it.
func redactForm(t *testing.T, a *Auditor, rng *rand.Rand, text string) {
	secret, key, kind := aSecret(rng)
	var fit []disguise
	for _, d := range disguises {
		if strings.Contains(d.kinds, kind) {
			fit = append(fit, d)
		}
	}
	d := fit[rng.IntN(len(fit))]
	layouts := plainLayouts
	for _, s := range streamings {
		if !s.soft {
			layouts = append(layouts[:len(layouts):len(layouts)], s)
		}
	}
	layout := layouts[rng.IntN(len(layouts))]
	media := ""
	if rng.IntN(3) == 0 {
		media = "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture(rng, 60+rng.IntN(3000))) + " "
	}
	text = strings.ToValidUTF8(text, "?")
	cut := runeBefore(text, rng.IntN(len(text)+1))
	form := d.make(rng, secret)
	left, right := text[:cut]+" "+media, " "+text[cut:]
	whole := left + form + right
	if strings.Contains(text, form) || len(readable(text, secret)) > 0 {
		return
	}
	for _, m := range detect.FindMedia(nil, detect.Key{}, whole) {
		if m.Start < len(left)+len(form) && len(left) < m.End {
			return // it is of a file
		}
	}

	td := oneSpan("gen_ai.operation.name", "execute_tool", "gen_ai.tool.call.result", asJSON(map[string]string{key: secret}))
	if len(a.ScanTraces(td).literals) == 0 {
		return // no secret by the rules
	}
	var chunks []string
	for rest := whole; rest != ""; {
		n := max(1, len(rest)-runeBefore(rest, max(0, len(rest)-1-rng.IntN(40))))
		chunks = append([]string{rest[len(rest)-n:]}, chunks...)
		rest = rest[:len(rest)-n]
	}
	layout.write(onlySpan(td), chunks)
	before := layout.read(onlySpan(td))
	if before != whole {
		return // an order of keys
	}
	batch := a.ScanTraces(td)
	var l Ledger
	l.Add(a, batch)
	rules := len(batch.hits)
	for _, h := range batch.hits {
		if h.Level < agentrisk.L4 {
			return // what a rule took for less keeps its place
		}
	}
	a.FindCopies(td, batch, &l)
	copies := len(batch.hits) - rules
	a.Redact(td, batch)
	got := layout.read(onlySpan(td))
	where := d.name + " in " + layout.name
	if strings.Contains(got, form) {
		t.Fatalf("%s: %q is left of %q", where, form, whole)
	}
	if how := readable(got, secret); len(how) > 0 {
		t.Fatalf("%s: %q can be read from %q, %s, which was %q", where, secret, got, how, whole)
	}
	if media != "" && !strings.Contains(got, media) && strings.Contains(whole, media) && rules == 1 {
		t.Fatalf("%s: the picture in %q became %q", where, whole, got)
	}
	if rules == 1 && copies == 1 && !strings.HasPrefix(d.name, "base64") && !strings.HasPrefix(d.name, "hex in") {
		if rest := tokens.ReplaceAllString(got, ""); unseen(rest) != unseen(tokens.ReplaceAllString(left+right, "")) {
			t.Fatalf("%s: %q became %q", where, whole, got)
		}
	}
	once := marshal(t, td)
	if rules > 1 || json.Valid([]byte(got)) != json.Valid([]byte(whole)) {
		return // a token is context for what stands beside it, and so are keys
	}
	if score(a, []ptrace.Traces{td}); marshal(t, td) != once {
		t.Fatalf("%s: redacting again changed:\n%s\n%s", where, once, marshal(t, td))
	}
}

// unseen drops what is not seen: which side of an edit it is on makes no difference.
func unseen(s string) string { return strings.ReplaceAll(s, "\u200b", "") }

func runeBefore(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// aSecret draws a value of level 4, the key that gives it away, and its kind.
func aSecret(rng *rand.Rand) (secret, key, kind string) {
	switch rng.IntN(3) {
	case 0:
		v, _, _ := aValue(rng, 'h')
		return v, "api_key", "h"
	case 1:
		digits := "4" + pick(rng, "0123456789", 14)
		sum := 0
		for i := range len(digits) {
			n := int(digits[i] - '0')
			if i%2 == 0 {
				n = n*2%10 + n*2/10
			}
			sum += n
		}
		return digits + string(rune('0'+(10-sum%10)%10)), "credit_card", "n"
	}
	v, _, _ := aValue(rng, 'p')
	return v, "password", "p"
}

var runs = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}`)

// readable says in which ways a reader gets a secret out of a text, by the standard library's decoders.
func readable(text, secret string) (how []string) {
	holds := func(name, s string) {
		if strings.Contains(strings.ToLower(s), strings.ToLower(secret)) {
			how = append(how, name)
		}
	}
	holds("as it is", text)
	holds("HTML", html.UnescapeString(text))
	if s, err := url.PathUnescape(text); err == nil {
		holds("percent", s)
	}
	for _, run := range runs.FindAllString(text, -1) {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
		for at := range min(4, len(run)) {
			part := run[at:]
			b, _ := base64.RawStdEncoding.DecodeString(part[:len(part)&^3])
			holds("base64", string(b))
			b, _ = hex.DecodeString(part[:len(part)&^1])
			holds("hex", string(b))
		}
	}
	return how
}
