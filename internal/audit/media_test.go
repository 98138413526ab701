package audit

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

// picture is n bytes that begin as a PNG and go on as noise.
func picture(rng *rand.Rand, n int) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	for len(b) < n {
		b = append(b, byte(rng.IntN(256)))
	}
	return b
}

// TestMedia: media is left or replaced whole, what stands around it is found, and what only claims to be media is read.
func TestMedia(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 11))
	keep := newAuditor(t, Options{Redaction: Redaction{Levels: []int{4}, Style: "token", Media: MediaKeep}})
	replace := newAuditor(t, Options{Redaction: Redaction{Levels: []int{4}, Style: "token", Media: MediaReplace}})
	none, err := New(DefaultPolicy(), Options{Redaction: Redaction{Media: MediaReplace}})
	if err != nil {
		t.Fatal(err)
	}
	const secret = "4111 1111 1111 1111"
	png := base64.StdEncoding.EncodeToString(picture(rng, 48213))
	sound := make([]byte, 3000)
	for i := range sound {
		sound[i] = byte(rng.IntN(256))
	}
	pcm := base64.StdEncoding.EncodeToString(sound)
	letter := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("Dear all, as agreed. ", 40) + "The card is " + secret + ". " + strings.Repeat("Größe ist gut. ", 2000)))
	for _, tt := range []struct {
		name, text, media string // media is what is replaced, "" if the text is none
		token             string
	}{
		{"data URI", `{"image_url":{"url":"data:image/png;base64,` + png + `"}}`, "data:image/png;base64," + png, "[MEDIA:image/png:48213 bytes]"},
		{"named data URI", "see data:image/PNG;name=a.png;base64," + png + " there", "data:image/PNG;name=a.png;base64," + png, "[MEDIA:image/png:48213 bytes]"},
		{"source", `{"source":{"type":"base64","media_type":"image/png","data":"` + png + `"}}`, png, "[MEDIA:image/png:48213 bytes]"},
		{"blob", `[{"role":"user","parts":[{"type":"blob","mime_type":"image/png","content":"` + png + `"}]}]`, png, "[MEDIA:image/png:48213 bytes]"},
		{"sound", `{"input_audio":{"format":"pcm16","data":"` + pcm + `"}}`, pcm, "[MEDIA:application/octet-stream:3000 bytes]"},
		{"modality", `[{"parts":[{"type":"blob","modality":"audio","content":"` + pcm + `"}]}]`, pcm, "[MEDIA:application/octet-stream:3000 bytes]"},
		{"type beside", `[{"parts":[{"type":"blob","content":"` + pcm + `","mime_type":"audio/L16;rate=16000"}]}]`, pcm, "[MEDIA:audio/l16:3000 bytes]"},
		{"camel case", `{"type":"file","mediaType":"audio/pcm","data":"` + pcm + `"}`, pcm, "[MEDIA:audio/pcm:3000 bytes]"},
		{"a text beside a type", `{"mime_type":"audio/pcm","content":"` + letter + `"}`, "", ""},
		{"text document", `{"file":{"file_data":"data:text/plain;base64,` + letter + `"}}`, "", ""},
		{"a lie", `{"url":"data:image/png;base64,` + letter + `"}`, "", ""},
		{"bare text", `{"content":"` + letter + `"}`, "", ""},
	} {
		for _, around := range []string{"", "before", "after"} {
			text := tt.text
			if around == "before" && tt.media != "" {
				text = strings.Replace(text, tt.media, "card "+secret+" "+tt.media, 1)
				if !strings.HasPrefix(tt.media, "data:") {
					continue // then it is no media part any more
				}
			} else if around == "after" {
				text = strings.Replace(text, tt.media, tt.media+" card "+secret, 1)
				if tt.media == "" {
					continue
				}
			}
			for name, a := range map[string]*Auditor{"keep": keep, "replace": replace, "none": none} {
				td := oneSpan("gen_ai.operation.name", "chat", "app.input", text)
				s := score(a, []ptrace.Traces{td})
				got := str(onlySpan(td).Attributes(), "app.input")
				if hidden := tt.media == "" || around != ""; hidden != (s.Secrets > 0) {
					t.Fatalf("%s, %s, %s (seed %d): %d secrets", tt.name, around, name, seed, s.Secrets)
				}
				if name != "none" && (strings.Contains(got, secret) || strings.Contains(got, letter)) {
					t.Fatalf("%s, %s, %s: the secret is left", tt.name, around, name)
				}
				want := text
				if tt.media != "" && name != "keep" {
					want = strings.Replace(text, tt.media, tt.token, 1)
				}
				if around == "" && tt.media != "" && got != want || tt.media != "" && name == "keep" && !strings.Contains(got, tt.media) {
					t.Fatalf("%s, %s, %s (seed %d): got %.200q", tt.name, around, name, seed, got)
				}
				once := marshal(t, td)
				score(a, []ptrace.Traces{td})
				if marshal(t, td) != once {
					t.Fatalf("%s, %s, %s: redacting again changed it", tt.name, around, name)
				}
			}
		}
	}
}

// BenchmarkMedia is the cost of a picture of 5 MB beside a secret. Search is that of a scan for one byte that is not
// there, to compare with; scan that of the rules, copies that of the search for the secret.
func BenchmarkMedia(b *testing.B) {
	png := base64.StdEncoding.EncodeToString(picture(rand.New(rand.NewPCG(1, 1)), 5<<20))
	a := newAuditor(b, Options{})
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(png)))
			for b.Loop() {
				f()
			}
		})
	}
	run("search", func() { strings.IndexByte(png, '"') })
	for _, tt := range []struct{ name, text string }{
		{"uri", "data:image/png;base64," + png},
		{"bare", png},
		{"json", `[{"role":"user","parts":[{"type":"blob","mime_type":"image/png","content":"` + png + `"}]}]`},
	} {
		td := oneSpan("gen_ai.operation.name", "chat", "app.input", tt.text, "app.password", "Tr0ub4dor-horse")
		run(tt.name+"/scan", func() { a.ScanTraces(td) })
		batch := a.ScanTraces(td)
		var l Ledger
		l.Add(a, batch)
		run(tt.name+"/copies", func() {
			again := *batch
			a.FindCopies(td, &again, &l)
		})
	}
}
