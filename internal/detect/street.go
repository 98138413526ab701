package detect

import "strings"

// streetAfter end the name of a street in English; USPS Publication 28, C1 is the list
// to compare it with.
var streetAfter = set("street", "st", "avenue", "ave", "road", "rd", "boulevard", "blvd", "drive", "dr", "lane", "ln", "court", "ct",
	"crescent", "cres", "way", "place", "pl", "square", "sq", "terrace", "ter", "parkway", "pkwy", "highway", "hwy", "circle", "cir", "trail", "trl",
	"close", "grove", "gardens", "mews", "row", "walk", "alley", "plaza", "loop", "path", "ridge", "heights", "hill", "hills", "mills", "mill", "shoals",
	"shore", "shores", "spur", "station", "summit", "track", "trace", "tunnel", "turnpike", "union", "valley", "valleys", "via", "viaduct", "view", "views",
	"village", "ville", "vista", "walks", "wall", "well", "wells", "crossing", "corners", "cove", "creek", "crest", "curve", "dale", "dam", "estate", "estates",
	"expressway", "extension", "falls", "ferry", "field", "fields", "flat", "flats", "ford", "fords", "forest", "forge", "fork", "forks", "fort", "freeway",
	"garden", "gateway", "glen", "glens", "green", "greens", "groves", "harbor", "harbors", "haven", "hollow", "inlet", "island", "islands", "isle",
	"junction", "key", "keys", "knoll", "knolls", "lake", "lakes", "landing", "light", "lights", "locks", "lodge", "mall", "manor", "manors", "meadow",
	"meadows", "mission", "motorway", "mount", "mountain", "neck", "orchard", "oval", "overpass", "park", "parks", "parkways", "pass", "passage", "pike",
	"pine", "pines", "plain", "plains", "plazas", "point", "points", "port", "ports", "prairie", "radial", "ramp", "ranch", "rapid", "rapids", "rest",
	"ridges", "river", "roads", "route", "rue", "run", "skyway", "spring", "springs", "spurs", "squares", "stravenue", "stream", "streets", "throughway",
	"trafficway", "bridge", "brook", "brooks", "burg", "bypass", "camp", "canyon", "cape", "causeway", "center", "centers", "circles", "cliff", "cliffs",
	"club", "common", "commons", "corner", "course", "courts", "bayou", "beach", "bend", "bluff", "bluffs", "bottom", "branch", "arcade", "anex", "annex", "divide", "drives", "underpass", "villages", "mountains", "crossroad")

// strongAfter are those that hardly mean anything else after a number and a
// capitalised word; the others also want a town, a unit or a key.
var strongAfter = set("street", "st", "avenue", "ave", "road", "rd", "boulevard", "blvd", "drive", "dr", "lane", "ln", "court", "ct", "crescent", "cres",
	"terrace", "parkway", "pkwy", "highway", "hwy", "close", "place", "way", "square", "gardens", "mews", "circle", "trail")

// streetBefore begin the name of a street after its number in French.
var streetBefore = set("rue", "avenue", "av", "boulevard", "bd", "bld", "place", "chemin", "impasse", "quai", "allée", "allee", "route", "cours", "square", "ruelle", "passage", "montée", "côte", "rang")

// streetAt reads an address that begins with its number at text[i], or a Spanish or
// German one whose street stands before the number.
func streetAt(c *scan, _ *rule, i int) (int, int, bool) {
	text := c.text
	if !isDigit(text[i]) {
		return c.streetForward(i)
	}
	j := i
	for j < len(text) && isDigit(text[j]) {
		j++
	}
	if j-i > 5 {
		return 0, 0, false
	}
	if start, ok := streetBack(text, i); ok && j-i <= 4 {
		return start, c.addressTail(j), true
	}
	if j < len(text) && isLetter(text[j]) && j+1 < len(text) && text[j+1] == ' ' {
		j++ // 12B
	}
	k := j
	if k < len(text) && text[k] == ',' {
		k++
	}
	if k+3 >= len(text) || text[k] != ' ' || i > 0 && (text[i-1] == '.' || text[i-1] == '$' || text[i-1] == '/') {
		return 0, 0, false
	}
	k++
	if w := wordEnd(text, k); w > k {
		if low := strings.ToLower(text[k:w]); (low == "bis" || low == "ter") && w < len(text) && text[w] == ' ' {
			k = w + 1
			w = wordEnd(text, k)
		}
		if inSet(streetBefore, text[k:w]) && w+2 < len(text) {
			p := w
			for p < len(text) && (text[p] == ' ' || text[p] == '.') {
				p++
			}
			if end, ok := frenchStreet(text, p); ok {
				return i, c.addressTail(end), true
			}
		}
	}
	// Up to four capitalised words, the last of which ends a street's name.
	if text[j] == ',' {
		return 0, 0, false
	}
	names := 0
	for p := k; names < 5; {
		w := wordEnd(text, p)
		if w == p || !isUpper(text[p]) && text[p] < 0x80 && !(names == 0 && ordinalAt(text, p)) {
			return 0, 0, false
		}
		low := strings.ToLower(text[p:w])
		if names > 0 && streetAfter[low] && !(w+1 < len(text) && text[w] == ' ' && isUpper(text[w+1]) && inSet(streetAfter, text[w+1:wordEnd(text, w+1)])) {
			end := w
			if end < len(text) && text[end] == '.' && len(low) <= 4 {
				end++
			}
			tail := c.addressTail(end)
			return i, tail, strongAfter[low] || tail > end+4 || c.context(i, c.s.addressCtx) > 0
		}
		names++
		if w >= len(text) || text[w] != ' ' {
			return 0, 0, false
		}
		p = w + 1
	}
	return 0, 0, false
}

// frenchStreet reads the name after "rue": words, the last of them capitalised.
func frenchStreet(text string, p int) (int, bool) {
	end, words := p, 0
	for words < 6 {
		w := wordEnd(text, p)
		if w == p {
			break
		}
		low := text[p:w]
		switch {
		case isUpper(text[p]) || text[p] >= 0x80 || isDigit(text[p]):
			end = w
		case low == "de" || low == "du" || low == "des" || low == "la" || low == "le" || low == "les" || low == "l" || low == "d" || low == "en" || low == "sur" || low == "aux":
		default:
			return end, end > p-1 && words > 0
		}
		words++
		if w >= len(text) || text[w] != ' ' && text[w] != '\'' && text[w] != '-' && !strings.HasPrefix(text[w:], "’") {
			break
		}
		p = w + 1
		if strings.HasPrefix(text[w:], "’") {
			p = w + 3
		}
	}
	return end, words > 0 && end > 0 && (isUpper(text[end-1]) || isLetter(text[end-1]) || text[end-1] >= 0x80)
}

// streetBack looks for "Hauptstraße " before text[i].
func streetBack(text string, i int) (int, bool) {
	k := i - 1
	if k < 1 || text[k] != ' ' {
		return 0, false
	}
	w := wordStart(text, k)
	if w == k || !isUpper(text[w]) {
		return 0, false
	}
	word := strings.ToLower(text[w:k])
	for _, tail := range []string{"straße", "strasse", "str.", "gasse", "weg", "platz", "allee", "damm", "ufer", "ring", "chaussee"} {
		if strings.HasSuffix(word, tail) && len(word) > len(tail)+2 {
			return w, true
		}
	}
	return 0, false
}

// streetForward reads "Calle Mayor, 12" from the word for street at text[i].
func (c *scan) streetForward(i int) (int, int, bool) {
	text := c.text
	p := i
	for p < len(text) && text[p] != ' ' && p < i+10 {
		p++
	}
	for words := 0; words < 6 && p < len(text); words++ {
		if text[p] == ',' {
			p++
		}
		if p >= len(text) || text[p] != ' ' {
			return 0, 0, false
		}
		p++
		w := wordEnd(text, p)
		if w == p {
			return 0, 0, false
		}
		if isDigit(text[p]) {
			end := c.addressTail(w)
			return i, end, words > 0 && w-p <= 5
		}
		if low := text[p:w]; !isUpper(text[p]) && text[p] < 0x80 && low != "de" && low != "del" && low != "la" && low != "las" && low != "los" && low != "el" && low != "y" && low != "di" {
			return 0, 0, false
		}
		p = w
	}
	return 0, 0, false
}

func wordStart(text string, k int) int {
	i := k
	for i > 0 && k-i < 32 && (isWord(text[i-1]) || text[i-1] == '.' || text[i-1] == '/' || text[i-1] == '-' || text[i-1] == '\'') {
		i--
	}
	return i
}

func wordEnd(text string, p int) int {
	i := p
	for i < len(text) && i-p < 32 && (isWord(text[i]) || text[i] == '-' || text[i] == '\'' && i > p && i+1 < len(text) && isLetter(text[i+1])) {
		i++
	}
	return i
}

// afterPlace are words that go on with a sentence after an address.
var afterPlace = set("for", "as", "on", "in", "is", "was", "and", "when", "because", "so", "but", "please", "to", "since", "by", "at", "or", "if", "last", "after", "before", "until", "with", "from", "where", "which", "next", "this", "pour", "et", "est", "y", "es", "para", "und", "ist", "für", "bitte", "ab", "seit")

// addressTail extends an address over unit, town, region and postal code: parts
// divided by commas, each of capitalised words and numbers.
func (c *scan) addressTail(end int) int {
	text := c.text
	best := end
	for part := 0; part < 5; part++ {
		p := best
		switch {
		case strings.HasPrefix(text[p:], ", "):
			p += 2
		case strings.HasPrefix(text[p:], " ") && p+2 < len(text) && unitWord(text[p+1:wordEnd(text, p+1)]):
			p++
		default:
			return best
		}
		stop, words := p, 0
		for words < 5 {
			w := wordEnd(text, p)
			if w == p {
				if p < len(text) && text[p] == '#' {
					p++
					continue
				}
				break
			}
			if !isUpper(text[p]) && !isDigit(text[p]) && text[p] < 0x80 && !unitWord(text[p:w]) {
				if words > 0 && !inSet(afterPlace, text[p:w]) {
					return best
				}
				break
			}
			if w < len(text) && strings.HasPrefix(text[w:], "º") || strings.HasPrefix(text[w:], "ª") || strings.HasPrefix(text[w:], "°") {
				w += 2
			}
			if w+1 < len(text) && text[w] == '.' && text[w+1] == ' ' && unitWord(text[p:w]) {
				w++ // "Apt. 107"
			}
			stop = w
			words++
			if w >= len(text) || text[w] != ' ' {
				break
			}
			p = w + 1
		}
		if words == 0 || stop == best {
			return best
		}
		best = stop
	}
	return best
}

func unitWord(w string) bool {
	switch strings.ToLower(w) {
	case "apt", "suite", "unit", "ste", "apartment", "floor", "flat", "appt", "bureau", "piso", "app", "room":
		return true
	}
	return false
}

// shapeAddress takes an address under its key: some letters, and a number or two
// words.
func shapeAddress(c *scan, f *field) (int, int, bool) {
	start, end := trim(c.text, f.start, f.end)
	if !f.quoted {
		// To the end of the sentence or line.
		for k := start; k+1 < end; k++ {
			if c.text[k] == '.' && c.text[k+1] == ' ' && !abbreviated(c.text, k) || c.text[k] == ';' || c.text[k] == '|' {
				end = k
				break
			}
		}
		if f.sep == ' ' || f.prose {
			return 0, 0, false
		}
	}
	v := c.text[start:end]
	x := varietyOf(v)
	if len(v) < 8 || len(v) > 160 || x.digit == 0 || x.lower+x.upper+x.high < 4 || strings.IndexByte(v, ' ') < 0 || isPlaceholder(v) {
		return 0, 0, false
	}
	if strings.IndexAny(v, "@{}[]=\\") >= 0 || strings.Contains(v, "://") {
		return 0, 0, false
	}
	return start, end, true
}
