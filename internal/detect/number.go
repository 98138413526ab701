package detect

import (
	"math/bits"
	"strings"
)

// digits handles the run of digits at text[i] and returns where to go on.
func (c *scan) digits(i int) int {
	s, text := c.s, c.text
	j := i + 1
	for j < len(text) && isDigit(text[j]) {
		j++
	}
	if j < len(text) && isLetter(text[j]) {
		// A word that begins with digits: only forms may want it.
		k := j + 1
		for k < len(text) && isAlnum(text[k]) {
			k++
		}
		c.see(s.words.partGroups(text, i, k), k)
		if k-i >= 15 {
			c.hexRun(i, k)
			c.longWord(i, k)
		}
		if k-i <= 24 && leftBound(text, i) {
			c.tryForms(i, j)
			c.suffixed(i, j, k)
			if k-j == 1 && j-i <= 4 || j-i <= 2 && k-j <= 9 { // "12B Baker Street", "1st of May"
				for _, r := range s.digits {
					if r.Numbers&(numWord|numMonth) != 0 {
						if start, end, ok := r.Recognise(c, r, i); ok {
							c.add(r, start, end)
						}
					}
				}
			}
		}
		return k
	}
	if j-i >= 15 {
		c.hexRun(i, j)
		c.longWord(i, j)
	}
	if j-i <= 2 { // "ICD 10"
		c.see(s.words.groupsOf(text, i, j), j)
	}
	if j-i >= len(s.forms) || !leftBound(text, i) {
		return j
	}
	// Most numbers are short and stand alone; they can only be the number of a house
	// or an amount.
	c.tryForms(i, j)
	if j-i <= 5 && j+1 < len(text) && (text[j] == ' ' || text[j] == '-') && isDigit(text[j+1]) {
		c.split(i, j)
	}
	shape := numberShape(text, i, j)
	if listed(text, i) {
		shape &= numCard | numGroup | numLong | numColon | numYear | numDotted
	}
	for set := s.numbers.begun(shape); set != 0; set &= set - 1 {
		k := bits.TrailingZeros32(set)
		if s.numbers.near&(1<<k) != 0 && c.quiet(i, s.digits[k].ctx) && !(s.numbers.after&(1<<k) != 0 && mayNameNumber(text, j)) {
			continue
		}
		r := s.digits[k]
		if start, end, ok := r.Recognise(c, r, i); ok {
			c.add(r, start, end)
		}
	}
	return j
}

// numberIndex tells which rules a number is for; a set has a bit for each of Scanner.digits.
type numberIndex struct {
	byShape [16]uint32 // the rules of each shape
	near    uint32     // rules that want a phrase before the number
	after   uint32     // or after it
}

func (x *numberIndex) add(k int, r *rule) {
	for b := range x.byShape {
		if r.Numbers&(1<<b) != 0 {
			x.byShape[b] |= 1 << k
		}
	}
	if r.NeedNear {
		x.near |= 1 << k
		if r.Numbers&(numAmount|numThree|numYear) != 0 {
			x.after |= 1 << k
		}
	}
}

// begun returns the rules for numbers that begin with one of these shapes.
func (x *numberIndex) begun(shape uint16) (set uint32) {
	for ; shape != 0; shape &= shape - 1 {
		set |= x.byShape[bits.TrailingZeros16(shape)]
	}
	return set
}

// mayNameNumber reports whether words that name it may follow the amount whose first digits
// end at text[j], wherever it ends.
func mayNameNumber(text string, j int) bool {
	for j < len(text) && (isDigit(text[j]) || j+1 < len(text) && isDigit(text[j+1]) && strings.IndexByte(",.' /-", text[j]) >= 0) {
		j++
	}
	if j < len(text) && (text[j] == 'k' || text[j] == 'K' || text[j] >= 0x80) {
		return true
	}
	if j+4 < len(text) && text[j] == ' ' && (text[j+1] >= 0x80 || isUpper(text[j+1]) && isUpper(text[j+2])) {
		return true // the currency, or the name of a month
	}
	return mayNameAfter(text, j)
}

// Shapes of the beginning of a number, a set: how many digits stand together first
// and what comes after them. A rule names those it can begin with.
const (
	numShort  uint16 = 1 << iota // one or two digits, then '-', '/', '.' and a digit
	numYear                      // four digits, then '-', '/', '.' and a digit
	numDotted                    // up to three digits, '.', digit
	numGroup                     // up to five digits, then a separator and a digit
	numThree                     // three digits
	numAmount                    // three digits or more, or grouped by ',' '.' ' '
	numLong                      // seven digits or more
	numCard                      // four or eight digits and a separator, or 13 and more
	numWord                      // up to five digits, then a space or comma and a letter
	numColon                     // eight to ten digits and ':'
	numMonth                     // one or two digits, then space, '.', '-' or a letter
	numAfter                     // a word right before it
	numOpen                      // '+' or '(' before
)

// listed reports whether the number at text[i] follows another in a list, as in
// "[0.8, -0.71, 3]": no amount or house number does.
func listed(text string, i int) bool {
	if i > 0 && text[i-1] == '-' {
		i--
	}
	for k := 0; k < 2 && i > 0 && isSpace(text[i-1]); k++ {
		i--
	}
	return i > 1 && text[i-1] == ',' && isDigit(text[i-2])
}

// numberShape tells the shape of the digits text[i:j].
func numberShape(text string, i, j int) (s uint16) {
	n := j - i
	var b, d byte
	if j < len(text) {
		b = text[j]
	}
	if j+1 < len(text) {
		d = text[j+1]
	}
	if i > 1 && n <= 4 && text[i-1] == ' ' && streetEnd(text[i-2]) {
		s |= numAfter
	}
	if n >= 3 {
		s |= numAmount
		if n == 3 {
			s |= numThree
		}
		if n >= 7 {
			s |= numLong
			if n >= 13 {
				s |= numCard
			}
			if b == ':' && n <= 10 {
				s |= numColon
			}
		}
	}
	switch b {
	case '-', '/', '.':
		if isDigit(d) {
			switch {
			case n <= 2:
				s |= numShort
			case n == 4:
				s |= numYear
			}
			if b == '.' && n <= 3 {
				s |= numDotted | numAmount
			}
			if n <= 5 {
				s |= numGroup
			}
			if n == 4 || n == 8 {
				s |= numCard
			}
		} else if n <= 2 {
			s |= numMonth
		}
	case '(':
		if isDigit(d) && n <= 3 {
			s |= numGroup // "1(514)", "44 (20)"
		}
	case ' ', ',', '\'', ')':
		if isDigit(d) || b == ')' && (d == ' ' || d == '-') {
			s |= numAmount
			if n <= 5 {
				s |= numGroup
			}
			if n == 4 || n == 8 {
				s |= numCard
			}
			if b == ' ' && n <= 5 && ordinalAt(text, j+1) { // "350 5th Avenue"
				s |= numWord
			}
		} else if b != '\'' && n <= 5 {
			s |= numWord | numMonth
			if b == ' ' && d == '(' && n <= 3 {
				s |= numGroup
			}
		}
	case 0xC2, 0xE2: // a space that does not break
		s |= numAmount
	}
	return s
}

// ordinalAt reports whether "5th", "22nd" or the like stands at text[i].
func ordinalAt(text string, i int) bool {
	k := i
	for k < len(text) && k-i < 3 && isDigit(text[k]) {
		k++
	}
	return k > i && k+1 < len(text) && strings.Contains("st nd rd th", text[k:k+2]) && text[k] != ' ' && (k+2 == len(text) || !isWord(text[k+2]))
}

// streetEnd reports whether b ends a word such as "Hauptstraße" or "Ringweg".
func streetEnd(b byte) bool {
	return b == 'e' || b == '.' || b == 'g' || b == 'z' || b == 'm' || b == 'r'
}

// suffixed offers amounts such as "85k".
func (c *scan) suffixed(i, j, k int) {
	if k == j+1 && text1(c.text[j]) {
		for _, r := range c.s.digits {
			if r.Numbers&numAmount == 0 {
				continue
			}
			if start, end, ok := r.Recognise(c, r, i); ok {
				c.add(r, start, end)
			}
		}
	}
}

func text1(b byte) bool { return b == 'k' || b == 'K' }

// phoneOpen handles '+' and '(' that may begin a number.
func (c *scan) phoneOpen(i int) int {
	if i+1 < len(c.text) && (isDigit(c.text[i+1]) || c.text[i+1] == '(') {
		for _, r := range c.s.digits {
			if r.Numbers&numOpen == 0 {
				continue
			}
			if start, end, ok := r.Recognise(c, r, i); ok {
				c.add(r, start, end)
			}
		}
	}
	return i + 1
}
