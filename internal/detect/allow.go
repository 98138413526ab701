package detect

import (
	"cmp"
	"encoding/hex"
	"regexp"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// An AllowRow tells finds that are allowed: those of which all holds that is set.
type AllowRow struct {
	// Number is what Match.Allowed says of its finds, from 1.
	Number uint16
	Rule   string
	Type   agentrisk.DataType
	// Pattern matches the value as it stands, or in plain form where the text has it in another. It matches no token.
	Pattern *regexp.Regexp
	// Fingerprint is that of the secret, as SecretID.Fingerprint writes it; with Named it is one of this data type's
	// family.
	Fingerprint string
	Named       agentrisk.DataType
}

// An AllowList is rows, by what they hold of. It does not change.
type AllowList struct {
	byRule map[string][]*AllowRow
	byType map[agentrisk.DataType][]*AllowRow
	rest   []*AllowRow
}

// NewAllowList returns a list of rows, of which the first that holds has the say among those told by a rule, then by a
// data type, then by neither.
func NewAllowList(rows []*AllowRow) *AllowList {
	l := &AllowList{byRule: map[string][]*AllowRow{}, byType: map[agentrisk.DataType][]*AllowRow{}}
	for _, r := range rows {
		switch {
		case r.Rule != "":
			l.byRule[r.Rule] = append(l.byRule[r.Rule], r)
		case r.Type != "":
			l.byType[r.Type] = append(l.byType[r.Type], r)
		default:
			l.rest = append(l.rest, r)
		}
	}
	return l
}

// Row is the number of the row that allows a find of a value, which is given as it stands and in plain form; 0 for none.
// A nil list allows nothing.
func (l *AllowList) Row(m *Match, stands, plain string) uint16 {
	if l == nil {
		return 0
	}
	for _, rows := range [...][]*AllowRow{l.byRule[m.Rule], l.byType[m.Type], l.rest} {
		for _, r := range rows {
			if r.holds(m, stands, plain) {
				return r.Number
			}
		}
	}
	return 0
}

func (r *AllowRow) holds(m *Match, stands, plain string) bool {
	switch {
	case r.Rule != "" && r.Rule != m.Rule, r.Type != "" && r.Type != m.Type:
		return false
	case r.Pattern != nil && (m.Token || !r.Pattern.MatchString(plain) && (stands == plain || !r.Pattern.MatchString(stands))):
		return false
	case r.Fingerprint == "":
		return true
	}
	return m.ID.Fingerprint() == r.Fingerprint && (r.Named == "" || m.ID.Family() == familyOf(r.Named))
}

// Allow sets the rows that hold in every text from now on. It may be called while s is in use.
func (s *Scanner) Allow(l *AllowList) { s.allow.Store(l) }

// ScanAllowing is ScanAround with these rows instead of those that hold in every text.
func (s *Scanner) ScanAllowing(dst []Match, key Key, text string, media []Media, l *AllowList) []Match {
	return s.scanAround(dst, key, text, media, l)
}

// TakeAllowed removes the allowed finds from ms, whose order it keeps, and appends them to dst.
func TakeAllowed(dst, ms []Match) (allowed, rest []Match) {
	rest = ms[:0]
	for _, m := range ms {
		if m.Allowed != 0 {
			dst = append(dst, m)
		} else {
			rest = append(rest, m)
		}
	}
	return dst, rest
}

// match is a candidate as a find, and its value in plain form.
func (c *scan) match(x *cand) (m Match, value string) {
	if x.rule == nil {
		return Match{Rule: "token", Type: x.tok.typ, Level: x.tok.level, Start: x.start, End: x.end, ID: x.tok.id(), Token: true}, ""
	}
	canon := x.rule.Canon
	if canon == nil {
		canon = canonExact
	}
	if value = x.val; value == "" {
		value = c.text[x.start:x.end]
	}
	return Match{Rule: x.rule.ID, Type: x.rule.Type, Level: x.level, Start: x.start, End: x.end,
		ID: c.s.Fingerprint(x.rule.fam, canon(value))}, value
}

// row is the number of the row that allows a find. What is a canary is judged as one.
func (c *scan) row(m Match, plain string) uint16 {
	if c.s.also != nil {
		c.s.also.rename(&m)
	}
	return c.allow.Row(&m, c.text[m.Start:m.End], plain)
}

// winners are the candidates that are finds, and those that would be if there were no allowed ones. n counts the first.
//
// A row takes its find away and nothing else: what won beside it stays, and what it had covered comes forth. So the
// others are not resolved anew, which might let one that was beaten beat a third.
func (c *scan) winners() (found []cand, n int) {
	cands := settleWeak(c.cands)
	if c.allow == nil {
		found = resolve(cands)
		return found, len(found)
	}
	all := slices.Clone(cands)
	won := slices.Clone(resolve(cands))
	n = len(won)
	kept := make([]cand, 0, n)
	for i := range won {
		if c.row(c.match(&won[i])) == 0 {
			kept = append(kept, won[i])
		}
	}
	if len(kept) == n {
		return won, n
	}
	slices.SortStableFunc(all, better)
	for i := range all {
		at, _ := slices.BinarySearchFunc(kept, all[i], func(a, b cand) int { return cmp.Compare(a.start, b.start) })
		if at < len(kept) && kept[at].start < all[i].end || at > 0 && kept[at-1].end > all[i].start {
			continue
		}
		if c.row(c.match(&all[i])) == 0 {
			kept = slices.Insert(kept, at, all[i])
			won = append(won, all[i])
		}
	}
	slices.SortStableFunc(won, func(a, b cand) int { return cmp.Compare(a.start, b.start) })
	return won, n
}

// rename makes a find what it is, where it is of a canary that is known by its fingerprint.
func (a *Also) rename(m *Match) {
	if len(a.Known) == 0 || !a.Known[m.ID.Fingerprint()] {
		return
	}
	var fp [6]byte
	hex.Decode(fp[:], []byte(m.ID.Fingerprint())) // six bytes in hex
	m.ID = agentrisk.NewSecretID(a.Info.Family, fp)
	m.Rule, m.Type, m.Level = a.Info.ID, a.Info.Type, a.Info.Level
}

// applyAllowing is apply where some finds are allowed: they take no part in it.
func (a *Also) applyAllowing(dst []Match, base int, text string, media []Media, l *AllowList) []Match {
	allowed, rest := TakeAllowed(nil, dst[base:])
	dst = a.apply(dst[:base+len(rest)], base, text, media, func(m Match) bool {
		value := text[m.Start:m.End]
		m.Allowed = l.Row(&m, value, value)
		if m.Allowed != 0 {
			allowed = append(allowed, m)
		}
		return m.Allowed != 0
	})
	dst = append(dst, allowed...)
	slices.SortStableFunc(dst[base:], func(a, b Match) int { return cmp.Compare(a.Start, b.Start) })
	return dst
}
