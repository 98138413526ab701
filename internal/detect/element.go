package detect

import "strings"

// element handles '>' at text[p] that closes a tag with attributes: the element's own name
// names the text after it, <Password Type="PasswordText">, or the attribute called name,
// key or id does, <string name="maps_api_key">.
func (c *scan) element(p int) {
	text := c.text
	from := max(0, p-160)
	open := strings.LastIndexByte(text[from:p], '<')
	if open < 0 || p+1 >= len(text) || text[p+1] == '<' || from+open+1 >= p || text[from+open+1] == '/' {
		return
	}
	tag := text[from+open+1 : p]
	name := tag[:max(0, strings.IndexAny(tag, " \t\n"))]
	if c.elementValue(name, p) {
		return
	}
	for _, attr := range [...]string{" name=", " key=", " id="} {
		if k := strings.Index(tag, attr); k >= 0 {
			rest := tag[k+len(attr):]
			if rest = strings.TrimLeft(rest, `\`); rest != "" && isQuote(rest[0]) {
				if end := strings.IndexByte(rest[1:], rest[0]); end > 0 && c.elementValue(strings.TrimRight(rest[1:1+end], `\`), p) {
					return
				}
			}
		}
	}
}

// elementValue offers what follows text[p] to the rules of a field of that name, and reports
// whether there are any.
func (c *scan) elementValue(name string, p int) bool {
	name = name[strings.LastIndexByte(name, ':')+1:]
	if name == "" || len(name) > maxKey || !c.s.keys.may(name, len(name)) {
		return false
	}
	words, named := c.names.get(c.s, name)
	c.name, c.named = append(c.name[:0], words...), append(c.named[:0], named...)
	if len(c.named) == 0 {
		return false
	}
	c.f = field{sep: '>', keyQuoted: true}
	c.valueAfter(p+1, &c.f)
	return true
}
