package detect

import "net/netip"

// ipv6 reads an IPv6 address whose first colon stands at text[p].
func (c *scan) ipv6(p int) {
	text, r := c.text, c.s.ipv6Rule
	if r == nil {
		return
	}
	start := p
	for start > 0 && p-start < 4 && isHex(text[start-1]) {
		start--
	}
	if start > 0 && (isWord(text[start-1]) || text[start-1] == ':' || text[start-1] == '.' || text[start-1] == '-') {
		return
	}
	end, colons, double, run, dots := start, 0, 0, 0, 0
	for end < len(text) && end-start < 46 {
		b := text[end]
		if b == ':' {
			colons++
			if end > start && text[end-1] == ':' {
				double++
			}
			run = 0
		} else if b == '.' && colons > 1 && run > 0 && end+1 < len(text) && isDigit(text[end+1]) {
			run, dots = 0, dots+1 // the last 32 bits as IPv4
		} else if isHex(b) {
			if run++; run > 4 {
				return
			}
		} else {
			break
		}
		end++
	}
	if end-start > 2 && text[end-1] == ':' && text[end-2] != ':' {
		end--
		colons--
	}
	if double > 1 || double == 0 && colons != 7 && !(colons == 6 && dots == 3) || dots != 0 && dots != 3 || double == 1 && (colons < 2 || end-start < 6) || end < len(text) && (isWord(text[end]) || text[end] == '/') {
		return
	}
	// "std::abc::def" of code has no digit; an address that short has one.
	if double == 1 && !hasDigit(text[start:end]) {
		return
	}
	a, err := netip.ParseAddr(text[start:end])
	if err != nil || !hostAddr(a) {
		return
	}
	c.add(r, start, end)
}
