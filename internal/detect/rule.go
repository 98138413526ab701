package detect

import (
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// group is the switch of Families that turns a rule on.
type group uint8

const (
	groupPII group = iota
	groupSecrets
	groupHealth
	groupFinance
	groupHR
	groupCustom
)

// groupNames are the keys of a policy's stanza detectors.
var groupNames = [...]string{
	groupPII: "pii", groupSecrets: "secrets", groupHealth: "healthcare", groupFinance: "finance", groupHR: "hr", groupCustom: "custom",
}

// Ranks order candidates of one level that overlap: what is more certain of its
// kind comes first.
const (
	rankWord   = 10 // a word with context
	rankFree   = 20 // free text under a key
	rankKeyed  = 30 // a value by its key alone
	rankNumber = 50 // a format with check digits or context
	rankLink   = 60 // a URL with credentials
	rankVendor = 70 // a published token format
	rankBlock  = 80 // a private key
	rankCustom = 90
)

// A rule says what one kind of value looks like and where to look for it: Prefix,
// Forms, Numbers, At, Terms and Keys are its anchors, any of which may be set. The few
// rules without one are called by the pass itself, see Scanner.add.
type rule struct {
	ID    string
	Type  agentrisk.DataType
	Group group
	Rank  int
	// Doc says in a few words what is found; Source names the publication.
	Doc    string
	Source string

	// Prefix are literals a token begins with, case included; Body is what may
	// follow, Min to Max bytes of it, all of them or none.
	Prefix   []string
	Body     *charset
	Min, Max int

	// Forms are layouts: '#' a digit, 'A' an upper-case letter, 'X' either, '~' an
	// optional space, the rest itself. A form is tried where its first byte stands.
	Forms []string

	// Recognise finds the value where the rule's anchor stands.
	Recognise func(c *scan, r *rule, at int) (start, end int, ok bool)

	// Numbers anchors Recognise at numbers that begin with one of these shapes, At at
	// each '@'.
	Numbers uint16
	At      bool

	// Terms are words or phrases, lower case, that anchor Recognise.
	Terms []string

	// Keys are names of fields whose value this is, as lower-case words. A value
	// under one is shaped by Shape; nil takes none.
	Keys  []string
	Shape func(c *scan, f *field) (start, end int, ok bool)

	// Near are phrases one of which has to stand before the value, or name its key,
	// when NeedNear is set. Keys count as Near too.
	Near     []string
	NeedNear bool
	// Innocent drops the candidate when counter-context is nearer than Near.
	Innocent bool

	Valid func(string) bool
	Canon func(string) string

	level agentrisk.Level
	fam   agentrisk.Family
	near  [][]byte
	ctx   contextID // of near
}

// RuleInfo describes a rule for documentation.
type RuleInfo struct {
	ID     string
	Type   agentrisk.DataType
	Level  agentrisk.Level
	Family agentrisk.Family
	// Group is the switch in a policy's stanza detectors, or "custom".
	Group  string
	Doc    string
	Source string
	// Why says what a find of this rule rests on: its format, a check, the name of its
	// field, the words near it.
	Why string
}

// info describes r. Its level and family are set.
func (r *rule) info(why string) RuleInfo {
	return RuleInfo{r.ID, r.Type, r.level, r.fam, groupNames[r.Group], r.Doc, r.Source, why}
}

// keyed reports whether the name of a field alone can tell r's value.
func (r *rule) keyed() bool { return r.Keys != nil && r.Shape != nil }

// keyedOnly reports whether nothing else can: r has no other anchor, and the pass does not
// call it.
func (s *Scanner) keyedOnly(r *rule) bool {
	return r.keyed() && r.Prefix == nil && r.Forms == nil && r.Numbers == 0 && !r.At && r.Terms == nil &&
		r != s.ipv6Rule && r != s.jobRule && r != s.companyRule && r != s.legalRule
}

// why describes what a find of r rests on. Keys says that names of fields are read.
func (r *rule) why(keys bool) string {
	var out []string
	if r.Prefix != nil || r.Forms != nil || r.Numbers != 0 || r.At {
		out = append(out, "format")
	}
	if r.Valid != nil {
		out = append(out, "check of the value")
	}
	if keys && r.keyed() {
		out = append(out, "name of its field")
	}
	if r.NeedNear || r.Near != nil && r.Prefix == nil {
		out = append(out, "words near it")
	}
	if r.Terms != nil {
		out = append(out, "known words and what is said of them")
	}
	if out == nil {
		return "structure of the text around it"
	}
	return strings.Join(out, ", ")
}

// charset is a set of bytes.
type charset [4]uint64

func (s *charset) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// chars makes a set of the ranges and bytes of spec, "a-z0-9_" for example; a
// '-' that is meant stands last.
func chars(spec string) *charset {
	var s charset
	for i := 0; i < len(spec); i++ {
		lo, hi := spec[i], spec[i]
		if i+2 < len(spec) && spec[i+1] == '-' {
			hi = spec[i+2]
			i += 2
		}
		for b := int(lo); b <= int(hi); b++ {
			s[b>>6] |= 1 << (b & 63)
		}
	}
	return &s
}

var (
	alnum     = chars("A-Za-z0-9")
	alnumDash = chars("A-Za-z0-9_-")
	upperNum  = chars("A-Z0-9")
	lowerHex  = chars("a-f0-9")
	anyHex    = chars("a-fA-F0-9")
	base64Std = chars("A-Za-z0-9+/=")
	base64Any = chars("A-Za-z0-9+/=_-")
	tokenBody = chars("A-Za-z0-9._~+/=-")
)

// span returns the end of the run of s that begins at text[i], at most max bytes on.
func (s *charset) span(text string, i, max int) int {
	end := min(len(text), i+max)
	for i < end && s.has(text[i]) {
		i++
	}
	return i
}
