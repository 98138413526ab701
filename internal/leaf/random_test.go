package leaf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Random trees reach what byte-wise fuzzing seldom does: valid JSON in several layers, spelled in many ways.
func TestRewriteRandomTrees(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 200
	}
	start := rand.Uint64()
	for i := range uint64(rounds) {
		seed := start + i
		r := rand.New(rand.NewPCG(seed, 1))
		text := randomValue(r, 4, 4)
		if !t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			parseAgrees(t, text)
			rewriteEdits(t, text, seed)
		}) {
			return
		}
	}
}

// randomValue writes a JSON value of bounded depth, whose strings are JSON again in some cases.
func randomValue(r *rand.Rand, depth, layers int) string {
	space := func() string { return strings.Repeat(" \n\t\r"[r.IntN(4):][:1], r.IntN(5)/3) }
	kind := r.IntN(10)
	if depth == 0 {
		kind = 4 + r.IntN(6)
	}
	var b strings.Builder
	b.WriteString(space())
	switch {
	case kind < 4:
		object := kind < 2
		b.WriteByte("[{"[kind/2^1])
		for i := range r.IntN(5) {
			if i > 0 {
				b.WriteByte(',')
			}
			if object {
				b.WriteString(space() + randomString(r, randomText(r)) + space() + ":")
			}
			b.WriteString(randomValue(r, depth-1, layers))
		}
		b.WriteString(space())
		b.WriteByte("]}"[kind/2^1])
	case kind < 7 && layers > 0:
		b.WriteString(randomString(r, randomValue(r, depth, layers-1)))
	case kind < 8:
		b.WriteString(randomString(r, randomText(r)))
	case kind < 9:
		b.WriteString([]string{"0", "-1.50", "4111111111111111", "1.5e3", "12E-3", "1e99", "-0e+1"}[r.IntN(7)])
	default:
		b.WriteString([]string{"true", "false", "null"}[r.IntN(3)])
	}
	b.WriteString(space())
	return b.String()
}

func randomText(r *rand.Rand) string {
	pieces := []string{"a", "SECRET", "key", " ", "é", "🚀", "\n", `"`, `\`, "/", "\x00", "\ufffd", "東京", "{", "[1]", "*", "#2"}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// randomString spells a text as a JSON string, each rune in one of the ways there are.
func randomString(r *rand.Rand, text string) string {
	const chars, letters = "\"\\/\b\f\n\r\t", `"\/bfnrt`
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		at := strings.IndexRune(chars, c)
		switch way := r.IntN(8); {
		case at >= 0 && way < 6 && (c != '/' || way < 3):
			b.WriteString(`\` + letters[at:at+1])
		case c < ' ' || c == '"' || c == '\\' || way == 6:
			if c >= 0x10000 {
				fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+(c-0x10000)>>10, 0xdc00+(c-0x10000)&0x3ff)
			} else {
				fmt.Fprintf(&b, `\u%04x`, c)
			}
		case c == '\ufffd':
			b.WriteString([]string{"\ufffd", "\xff", `\ud83d`, `\ude80`}[r.IntN(4)])
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
