package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// Style is how a value is replaced.
type Style uint8

// The styles. Only tokens let a later reader compute the same score; a mask, a placeholder or nothing is for who must
// not be able to tell that two places held one value.
const (
	Token       Style = iota // [REDACTED:L4:credit_card:9c1f0a77b2d4]
	Placeholder              // [REDACTED:credit_card]
	Mask                     // ********, whatever the length
	Hash                     // the 12 hex digits of the keyed fingerprint
	Remove                   // nothing
)

var styles = [...]string{Token: "token", Placeholder: "placeholder", Mask: "mask", Hash: "hash", Remove: "remove"}

// String returns the style's name in configuration.
func (s Style) String() string { return styles[s] }

// Styles lists the names of all styles. The caller owns the slice.
func Styles() []string { return append([]string(nil), styles[:]...) }

// ParseStyle returns the style of a name in configuration. The empty name is Token.
func ParseStyle(name string) (Style, error) {
	if name == "" {
		return Token, nil
	}
	for i, n := range styles {
		if n == name {
			return Style(i), nil
		}
	}
	return 0, fmt.Errorf("unknown style %q: want one of %s", name, strings.Join(styles[:], ", "))
}

// An Edit replaces the bytes from Start to End of a text.
type Edit struct {
	Start, End int
	New        string
}

// A Redactor replaces matches of some levels. It is safe for concurrent use.
type Redactor struct {
	scanner *detect.Scanner
	style   Style
	levels  [agentrisk.L4 + 1]bool
	modes   Modes
	allow   *detect.AllowList // nil: that of the scanner
}

// New returns a Redactor for matches that s finds. No levels: it changes nothing.
func New(s *detect.Scanner, style Style, levels []agentrisk.Level) *Redactor {
	r := &Redactor{scanner: s, style: style}
	for _, l := range levels {
		r.levels[l] = true
	}
	return r
}

// Active reports whether anything is replaced at all.
func (r *Redactor) Active() bool {
	return r.levels != [agentrisk.L4 + 1]bool{} && !r.modes.Auditing()
}

// Redacts reports whether a match is to be replaced, whatever its mode. Tokens never are.
func (r *Redactor) Redacts(m detect.Match) bool { return !m.Token && r.levels[m.Level] }

// rounds bounds how often a changed text is looked at again. Replacements are shorter on context than what they
// replace, so a second find is rare and a third was never seen.
const rounds = 4

// Edits returns the edits that remove the matches from text, sorted and disjoint. The matches are those of text under
// key, sorted and disjoint; also are edits besides, of what no match touches.
func (r *Redactor) Edits(key detect.Key, text string, ms []detect.Match, also ...Edit) []Edit {
	edits := r.edits(ms)
	if len(also) > 0 {
		edits = append(edits, also...)
		slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	}
	if len(edits) == 0 {
		return nil
	}
	was := apply(text, edits)
	now := was
	for i := 0; ; i++ {
		again := r.edits(r.scan(key, now))
		if len(again) == 0 {
			break
		}
		if i == rounds {
			return []Edit{{0, len(text), "[WITHHELD:unstable]"}}
		}
		now = apply(now, again)
	}
	if now != was {
		return []Edit{difference(text, now)}
	}
	return edits
}

// Allowing returns a Redactor for texts in which these rows hold.
func (r *Redactor) Allowing(l *detect.AllowList) *Redactor {
	out := *r
	out.allow = l
	return &out
}

func (r *Redactor) scan(key detect.Key, text string) []detect.Match {
	if r.allow == nil {
		return r.scanner.Scan(nil, key, text)
	}
	_, ms := detect.TakeAllowed(nil, r.scanner.ScanAllowing(nil, key, text, detect.FindMedia(nil, key, text), r.allow))
	return ms
}

func (r *Redactor) edits(ms []detect.Match) []Edit {
	var edits []Edit
	for _, m := range ms {
		if r.Removes(m) {
			edits = append(edits, Edit{m.Start, m.End, r.replacement(m)})
		}
	}
	return edits
}

// Text returns a text that stands under key without the values the Redactor removes.
func (r *Redactor) Text(key detect.Key, text string) string {
	return apply(text, r.Edits(key, text, r.scan(key, text)))
}

func (r *Redactor) replacement(m detect.Match) string {
	if m.Rest {
		return ""
	}
	switch r.style {
	case Placeholder:
		return "[REDACTED:" + string(m.Type) + "]"
	case Mask:
		return "********"
	case Hash:
		return m.ID.Fingerprint()
	case Remove:
		return ""
	}
	return detect.FormatToken(m.Level, m.Type, m.ID)
}

func apply(text string, edits []Edit) string {
	if len(edits) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// difference is the one edit that turns a into b.
func difference(a, b string) Edit {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < len(a)-i && j < len(b)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	return Edit{i, len(a) - j, b[i : len(b)-j]}
}
