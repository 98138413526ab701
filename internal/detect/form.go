package detect

// form is a layout of digits and letters, see rule.Forms.
type form struct {
	lit  string
	rule *rule
	lead int // length of the first run of digits, 0 when it begins otherwise
}

func compileForm(lit string, r *rule) *form {
	f := &form{lit: lit, rule: r}
	for f.lead < len(lit) && lit[f.lead] == '#' {
		f.lead++
	}
	if f.lead < len(lit) && (lit[f.lead] == 'A' || lit[f.lead] == 'X' || lit[f.lead] == '~') && f.lead > 0 {
		f.lead = leadOf(lit)
	}
	return f
}

// leadOf counts the digits a form certainly begins with.
func leadOf(lit string) int {
	n := 0
	for n < len(lit) && lit[n] == '#' {
		n++
	}
	return n
}

// After the first run of a form, classes of the byte that follows: forms are filed under
// those that they can go on with.
const (
	nextOther = iota // also the end of the text
	nextDash
	nextBlank
	nextDot
	nextSlash
	nextUpper
	nextDigit
	nextKinds
)

// nextKind returns the class of text[i].
func nextKind(text string, i int) int {
	if i >= len(text) {
		return nextOther
	}
	switch b := text[i]; {
	case b == '-':
		return nextDash
	case b == ' ':
		return nextBlank
	case b == '.':
		return nextDot
	case b == '/':
		return nextSlash
	case isUpper(b):
		return nextUpper
	case isDigit(b):
		return nextDigit
	}
	return nextOther
}

// nexts are the classes of what may follow the first n bytes of a form in a text.
func (f *form) nexts(n int) (kinds [nextKinds]bool) {
	if n == len(f.lit) {
		// What bounds the value, if it is not a word.
		return [nextKinds]bool{nextOther: true, nextDash: true, nextBlank: true, nextDot: true, nextSlash: true}
	}
	switch p := f.lit[n]; p {
	case '#':
		kinds[nextDigit] = true
	case 'A':
		kinds[nextUpper] = true
	case 'X':
		kinds[nextUpper], kinds[nextDigit] = true, true
	case '~':
		kinds = f.nexts(n + 1)
		kinds[nextBlank] = true
	default:
		kinds[nextKind(f.lit, n)] = true
	}
	return kinds
}

// formLists are forms by the length of their first run and the class of what follows it.
type formLists [20][nextKinds][]*form

func (l *formLists) add(f *form, run int, kinds [nextKinds]bool) {
	for k, ok := range kinds {
		if ok && run < len(l) {
			l[run][k] = append(l[run][k], f)
		}
	}
}

func (s *Scanner) addForm(f *form) {
	anything := [nextKinds]bool{true, true, true, true, true, true, true}
	if f.lead == 0 {
		n := 0
		for n < len(f.lit) && f.lit[n] != 'X' && isUpper(f.lit[n]) {
			n++
		}
		s.letters.add(f, n, f.nexts(n))
		// 'X' may be a letter too.
		if n < len(f.lit) && f.lit[n] == 'X' {
			for k := n + 1; k <= maxLetters; k++ {
				s.letters.add(f, k, anything)
			}
		}
		return
	}
	s.forms.add(f, f.lead, f.nexts(f.lead))
	// "##~##" also stands without the space, and then its first run is longer.
	for n, i := f.lead, f.lead; i+1 < len(f.lit) && f.lit[i] == '~' && f.lit[i+1] == '#'; i += 1 + leadOf(f.lit[i+1:]) {
		if n += leadOf(f.lit[i+1:]); n < len(s.forms) {
			s.forms.add(f, n, anything)
		}
	}
}

// maxLetters is the longest run of upper-case letters that a form may begin with.
const maxLetters = 12

// match returns the end of the form at text[i], or -1.
func (f *form) match(text string, i int) int {
	for k := 0; k < len(f.lit); k++ {
		p := f.lit[k]
		if p == '~' {
			if i < len(text) && text[i] == ' ' {
				i++
			}
			continue
		}
		if i >= len(text) {
			return -1
		}
		b := text[i]
		switch p {
		case '#':
			if !isDigit(b) {
				return -1
			}
		case 'A':
			if !isUpper(b) {
				return -1
			}
		case 'X':
			if !isUpper(b) && !isDigit(b) {
				return -1
			}
		default:
			if b != p {
				return -1
			}
		}
		i++
	}
	return i
}

// leftBound and rightBound report whether a value stands alone: it is no part of a longer
// number, word, version, UUID or path.
func leftBound(text string, start int) bool {
	if start == 0 {
		return true
	}
	b := text[start-1]
	if isWord(b) && b < 0x80 && !escaped(text, start) {
		return false
	}
	if start > 1 {
		p := text[start-2]
		switch b {
		case '-', '~':
			return !isAlnum(p)
		case '/':
			return !isDigit(p) // "cards/4111111111111111" is a segment of a path, "12/2024" is not
		case '.', ',':
			return !isDigit(p)
		case ':':
			// "v2:5500000000000000:17" is a composite key, "ssn:219-09-9999" is not.
			return !isDigit(p)
		case '+':
			return !isAlnum(p)
		}
	}
	return true
}

func rightBound(text string, end int) bool {
	if end >= len(text) {
		return true
	}
	b := text[end]
	if isWord(b) && b < 0x80 {
		return false
	}
	if end+1 < len(text) {
		n := text[end+1]
		switch b {
		case '-', '~', '+':
			return !isAlnum(n)
		case '/':
			return !isDigit(n)
		case '.', ',', ':':
			return !isDigit(n)
		case '=':
			return !isAlnum(n)
		}
	}
	return true
}

// tryForms tries the layouts whose first run of digits is as long as text[i:j].
func (c *scan) tryForms(i, j int) {
	if j-i >= len(c.s.forms) {
		return
	}
	for _, f := range c.s.forms[j-i][nextKind(c.text, j)] {
		c.tryForm(f, i)
	}
}

func (c *scan) tryForm(f *form, i int) {
	end := f.match(c.text, i)
	if end < 0 {
		return
	}
	r := f.rule
	if r.Recognise != nil {
		if start, end, ok := r.Recognise(c, r, i); ok {
			c.add(r, start, end)
		}
		return
	}
	if !rightBound(c.text, end) {
		return
	}
	if r.NeedNear && c.quiet(i, r.ctx) && !mayNameAfter(c.text, end) {
		return
	}
	v := c.text[i:end]
	if r.Valid != nil && !r.Valid(v) {
		return
	}
	if r.NeedNear && !c.near(r, i, end) || r.Innocent && !r.NeedNear && c.countered(r, i) {
		return
	}
	c.add(r, i, end)
}

// lettered tries the layouts that begin with letters on the word text[i:j].
func (c *scan) lettered(i, j int) {
	if !leftBound(c.text, i) {
		return
	}
	if j-i == 2 && c.s.legalRule != nil && inSet(shortForms2, c.text[i:j]) {
		if start, end, ok := companyBefore(c, c.s.legalRule, i); ok {
			c.add(c.s.legalRule, start, end)
		}
	}
	n := 0
	for i+n < j && n < maxLetters && isUpper(c.text[i+n]) {
		n++
	}
	for _, f := range c.s.letters[n][nextKind(c.text, i+n)] {
		c.tryForm(f, i)
	}
}
