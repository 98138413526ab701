package detect

import "strings"

// Names that stand in another place than before their value: in the member or the
// element before it, or at the head of the block around it.

// pairName handles a member before text[e] that does not name its value itself, and leaves
// the rules of the name that does in c.named:
//
//	{"name": "DB_PASSWORD", "value": ...}, key="Password" value=
//	<key>apiToken</key> <string>
//	<AdminPassword> <Value>
//	<input type="password" value=
//	variable "api_token" { default =
func (c *scan) pairName(e int, f *field) bool {
	text := c.text
	if e < 12 {
		return false
	}
	start, end := 0, 0
	switch {
	case f.sep == '>' && strings.HasSuffix(text[:e], "<string"):
		start, end = listedKey(text, e-len("<string"))
	case f.sep == '>' && equalFold(text[e-6:e], "<value"):
		start, end = outerTag(text, e-6)
	case equalFold(text[e-5:e], "value") && !isWord(text[e-6]):
		start, end = memberName(text, e-5)
	case f.sep == '=' && strings.HasSuffix(text[:e], "default") && isSpace(text[e-8]):
		start, end = blockName(text, e-7)
	}
	if start == end || end-start > maxKey {
		return false
	}
	c.name = appendWords(c.name[:0], text[start:end])
	c.named = c.s.keys.find(c.named[:0], c.name)
	f.prose = false
	return len(c.named) > 0
}

// pairWords are the words of the member that names the one called "value" at text[k:], or
// words when there is none.
func (c *scan) pairWords(words []byte, k int) []byte {
	if start, end := memberName(c.text, k); start < end && end-start <= maxKey {
		return appendWords(words[:0], c.text[start:end])
	}
	return words
}

// memberName finds the value of the member called "name" or "key" right before text[k].
func memberName(text string, k int) (start, end int) {
	back := func(set string, max int) {
		for n := 0; n < max && k > 0 && strings.IndexByte(set, text[k-1]) >= 0; n++ {
			k--
		}
	}
	back(" \"'\\,\r\n\t;{:", 24)
	if k > 5 && k < len(text) && equalFold(text[k-5:k], "value") { // {"key": "x", "value": {"stringValue": ...
		k -= 5
		back(" \"'\\,\r\n\t;", 24)
	}
	end = k
	for k > 0 && end-k < 48 && (isWord(text[k-1]) || text[k-1] == '-' || text[k-1] == '.') {
		k--
	}
	start = k
	if start == end {
		return 0, 0
	}
	back(" \"'\\", 8)
	if k == 0 || text[k-1] != ':' && text[k-1] != '=' {
		return 0, 0
	}
	k--
	back(" \"'\\", 8)
	if k < 4 || !equalFold(text[k-4:k], "name") && !equalFold(text[k-3:k], "key") && !(equalFold(text[k-4:k], "type") && equalFold(text[start:end], "password")) {
		return 0, 0
	}
	return start, end
}

// outerTag finds the name of the element that opens right before text[k].
func outerTag(text string, k int) (start, end int) {
	for n := 0; n < 24 && k > 0 && isSpace(text[k-1]); n++ {
		k--
	}
	if k == 0 || text[k-1] != '>' {
		return 0, 0
	}
	end = k - 1
	from := max(0, end-maxKey)
	start = strings.LastIndexByte(text[from:end], '<') + 1
	if start == 0 || text[from+start] == '/' {
		return 0, 0
	}
	return from + start, end
}

// listedKey finds the name in the element <key> of a property list that ends before text[k].
func listedKey(text string, k int) (start, end int) {
	for n := 0; n < 24 && k > 0 && (isSpace(text[k-1]) || text[k-1] == '\\' || escaped(text, k)); n++ {
		k--
	}
	if !strings.HasSuffix(text[:k], "</key>") {
		return 0, 0
	}
	end = k - len("</key>")
	start = strings.LastIndexByte(text[max(0, end-maxKey):end], '>') + 1
	if start == 0 {
		return 0, 0
	}
	return max(0, end-maxKey) + start, end
}

// blockName finds the label of the block of HCL whose brace is the last one before text[k].
func blockName(text string, k int) (start, end int) {
	from := max(0, k-240)
	open := strings.LastIndexByte(text[from:k], '{')
	if open < 0 || strings.IndexByte(text[from+open:k], '}') >= 0 {
		return 0, 0
	}
	end = from + open
	for end > from && (isBlank(text[end-1]) || isQuote(text[end-1]) || text[end-1] == '\\') {
		end--
	}
	start = end
	for start > from && (isWord(text[start-1]) || text[start-1] == '-') {
		start--
	}
	head := strings.TrimRight(text[from:start], " \t\"\\")
	if !strings.HasSuffix(head, "variable") {
		return 0, 0
	}
	return start, end
}
