package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
)

// A Set is the auditors of a File: that of the top-level stanzas, and one for each entry of policies. They share nothing:
// each has a key of its own, so that no fingerprint, token or ledger of one means anything to another.
type Set struct {
	auditors []*Auditor
	names    []string
	matcher  *Matcher
}

// NewSet compiles a File. Its errors are those of Validate. Of the options it reads all but Redaction.
//
// The key of an entry is its own, or else made of the top-level key and its name, so that it is the same in every process
// that has the top-level key.
func NewSet(f File, o Options) (*Set, error) {
	if len(f.Policies) > 0 {
		if err := f.Validate(); err != nil {
			return nil, err
		}
	}
	top, stable := []byte(f.Redaction.Key), f.Redaction.Key != ""
	if !stable {
		top = randomKey()
	}
	s := &Set{matcher: newMatcher(f.Policies)}
	o.share = 1 + len(f.Policies)
	for i, e := range f.Effective() {
		name, key, known := DefaultName, top, stable
		if i > 0 {
			name = f.Policies[i-1].Name
			if key, known = []byte(e.Redaction.Key), true; len(key) == 0 {
				key, known = keyOfPolicy(top, name), stable
			}
		}
		o.Redaction = e.Redaction
		a, err := build(e.Policy, o, key, known)
		if err != nil && i > 0 {
			err = fmt.Errorf("%s: %w", entryPath(i-1), err)
		}
		if err != nil {
			return nil, err
		}
		s.auditors, s.names = append(s.auditors, a), append(s.names, name)
	}
	return s, nil
}

// keyOfPolicy is the key of an entry that has none of its own.
func keyOfPolicy(top []byte, name string) []byte {
	m := hmac.New(sha256.New, top)
	m.Write([]byte("agentleak/policy/" + name))
	return m.Sum(nil)
}

// Default is the auditor of the top-level stanzas.
func (s *Set) Default() *Auditor { return s.auditors[0] }

// Len is the number of policies: 1 where none is named.
func (s *Set) Len() int { return len(s.auditors) }

// At is the auditor of a policy, by its number: 0 is the default, i is the entry i-1.
func (s *Set) At(i int) *Auditor { return s.auditors[i] }

// Name is that of a policy.
func (s *Set) Name(i int) string { return s.names[i] }

// Find is the number of the policy with a name.
func (s *Set) Find(name string) (int, bool) {
	for i, n := range s.names {
		if n == name {
			return i, true
		}
	}
	return 0, false
}

// Matcher finds policies; nil where none is named.
func (s *Set) Matcher() *Matcher { return s.matcher }
