package detect

// AppendKeyWords appends all that a Key says to the rules, as words. Texts under keys with the same words have the same
// matches, so whoever remembers what was found may remember it by the words instead of the key.
func AppendKeyWords(dst []byte, key Key) []byte { return appendKey(dst, key) }
