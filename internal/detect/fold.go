package detect

import "strings"

// Signs that look like others, or like nothing: full-width forms, digits of other
// scripts, spaces and hyphens of typography, zero-width signs, letters that are
// confused with Latin ones. Around one that stands in a word or number the line is
// read again in plain form.

// dropped is the plain form of what is not seen.
const dropped = 0xFF

// foldAt returns the plain form of the sign at text[i] and its length in bytes. The
// form is 0 when the sign has none.
func foldAt(text string, i int) (plain byte, n int) {
	a := text[i]
	if a < 0xC2 || i+1 >= len(text) {
		return 0, 1
	}
	b := text[i+1]
	if a < 0xE0 {
		switch {
		case a == 0xC2 && b == 0xA0:
			return ' ', 2
		case a == 0xC2 && b == 0xAD: // soft hyphen
			return dropped, 2
		case a == 0xD9 && b >= 0xA0 && b <= 0xA9, a == 0xDB && b >= 0xB0 && b <= 0xB9: // Arabic-Indic digits
			return '0' + b&15, 2
		case a == 0xCE || a == 0xCF || a == 0xD0 || a == 0xD1 || a == 0xD2:
			return confusables[[2]byte{a, b}], 2
		}
		return 0, 2
	}
	if a >= 0xF0 {
		return 0, min(4, len(text)-i)
	}
	if i+2 >= len(text) {
		return 0, len(text) - i
	}
	x := text[i+2]
	switch {
	case a == 0xE2 && b == 0x80:
		switch {
		case x >= 0x80 && x <= 0x8A, x == 0xAF:
			return ' ', 3
		case x >= 0x8B && x <= 0x8F:
			return dropped, 3
		case x >= 0x90 && x <= 0x95:
			return '-', 3
		}
	case a == 0xE2 && b == 0x81 && x == 0xA0, a == 0xEF && b == 0xBB && x == 0xBF: // word joiner, byte order mark
		return dropped, 3
	case a == 0xE2 && b == 0x81 && x == 0x9F, a == 0xE3 && b == 0x80 && x == 0x80:
		return ' ', 3
	case a == 0xE2 && b == 0x88 && x == 0x92:
		return '-', 3
	case a == 0xEF && b == 0xBC && x >= 0x81: // U+FF01 to U+FF3F
		return x - 0x81 + '!', 3
	case a == 0xEF && b == 0xBD && x <= 0x9E:
		return x - 0x80 + '`', 3
	}
	return 0, 3
}

// confusables are letters of Greek and Cyrillic that look like Latin ones, after
// Unicode TS 39.
var confusables = func() map[[2]byte]byte {
	m := map[[2]byte]byte{}
	for _, p := range [][2]string{
		{"АВЕЅІЈКМНОРСТУХҮ", "ABESIJKMHOPCTYXY"},
		{"аеѕіјорсухһ", "aesijopcyxh"},
		{"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"},
		{"ονρ", "ovp"},
	} {
		for k, r := range []rune(p[0]) {
			s := string(r)
			if len(s) == 2 {
				m[[2]byte{s[0], s[1]}] = p[1][k]
			}
		}
	}
	return m
}()

// disguised reports whether a sign of the word text[i:j] stands where a plain one
// would make another word of it.
func disguised(text string, i, j int) bool {
	run := 0
	for k := i; k < j; {
		if text[k] < 0x80 {
			k++
			continue
		}
		p, n := foldAt(text, k)
		if p == 0 {
			run = 0
			k += n
			continue
		}
		before, after := byte(0), byte(0)
		if k > 0 {
			before = text[k-1]
		}
		if k+n < len(text) {
			after = text[k+n]
		}
		switch {
		case p == dropped:
			if isAlnum(before) || isAlnum(after) {
				return true
			}
		case p == ' ' || p == '-':
			if isDigit(before) && (isAlnum(after) || after >= 0x80) || isDigit(after) && isAlnum(before) {
				return true
			}
		case n == 3, isDigit(p): // full-width and other digits, three in a row
			if isAlnum(p) {
				if run++; run >= 3 {
					return true
				}
			}
			k += n
			continue
		default: // a letter of another script in a Latin word
			if isAlnum(before) || isAlnum(after) {
				return true
			}
		}
		run = 0
		k += n
	}
	return false
}

// wide handles a full-width colon at text[p] as a separator.
func (c *scan) wide(p int) {
	if !c.s.keys.may(c.text, p) {
		return
	}
	c.f = field{sep: ':', tight: true}
	if c.keyBefore(p, &c.f) {
		c.valueAfter(p+len("："), &c.f)
	}
}

// How far around a disguised sign the line is read.
const (
	foldBefore = 96
	foldAfter  = 768
)

// fold reads the line around the word text[i:j] in plain form.
func (c *scan) fold(i, j int) {
	text := c.text
	for k := i; k < j; k++ {
		if text[k] == 0xEF && strings.HasPrefix(text[k:], "：") && k > 0 {
			c.wide(k)
		}
	}
	if i < c.decTo || c.depth >= maxDepth || !disguised(text, i, j) {
		return
	}
	start, stop := i, min(len(text), i+foldAfter)
	for start > 0 && i-start < foldBefore && text[start-1] != '\n' {
		start--
	}
	for start < i && text[start]&0xC0 == 0x80 {
		start++
	}
	d := &c.dec
	d.reset()
	k := start
	for k < stop && (text[k] != '\n' || k < i) {
		b := text[k]
		if b < 0x80 {
			d.put(b, k)
			k++
			continue
		}
		p, n := foldAt(text, k)
		switch p {
		case 0:
			for m := range n {
				d.put(text[k+m], k)
			}
		case dropped:
		default:
			d.put(p, k)
		}
		k += n
	}
	c.decTo = k
	if len(d.b) < 6 {
		return
	}
	words := c.key.words
	if start > 0 {
		words = nil
	}
	c.plain(words, false, k, nil)
}

// Fold returns what the sign at text[i] is read as where it looks like another one: full-width forms, digits of other
// scripts, spaces and hyphens of typography, letters that are confused with Latin ones. n is its length in bytes,
// unseen says that it is not seen at all. A plain of 0 stands for the sign itself.
func Fold(text string, i int) (plain byte, n int, unseen bool) {
	plain, n = foldAt(text, i)
	if plain == dropped {
		return 0, n, true
	}
	return plain, n, false
}

// FoldsTo calls visit with the first two bytes of every sign that Fold reads as b.
func FoldsTo(b byte, visit func(first, second byte)) {
	for pair, plain := range confusables {
		if plain == b {
			visit(pair[0], pair[1])
		}
	}
	if isDigit(b) {
		visit(0xD9, 0xA0|b&15)
		visit(0xDB, 0xB0|b&15)
	}
	if b > ' ' && b < '`' {
		visit(0xEF, 0xBC)
	} else if b >= '`' && b < 0x7F {
		visit(0xEF, 0xBD)
	}
}
