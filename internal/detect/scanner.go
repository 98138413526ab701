package detect

import (
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// Key is what a text stands under: the name of the nearest member or attribute,
// and of the one above it. Both may be empty. Names may be dotted.
type Key struct{ Name, Parent string }

// Match is one sensitive value. It holds no part of it: Start and End are byte
// offsets in the text that was scanned.
type Match struct {
	Rule       string
	Type       agentrisk.DataType
	Level      agentrisk.Level
	Start, End int
	ID         agentrisk.SecretID
	// Token says that the text is a redaction token read back, standing for the
	// secret ID; it is never redacted again.
	Token bool
	// Rest says that the value began in another text, where it was counted and is replaced. A Scanner never sets it.
	Rest bool
	// Allowed is the number of the row that allows the find, 0 for none. It is then none, and told of only by
	// ScanAround and ScanAllowing.
	Allowed uint16
}

// Families are the groups of rules that are on. Keyname is for values that only
// the name of their key tells. Custom detectors and tokens are always on.
type Families struct{ PII, Secrets, Healthcare, Finance, HR, Keyname bool }

// AllFamilies turns every rule on.
func AllFamilies() Families { return Families{true, true, true, true, true, true} }

// Options configure a Scanner. The zero value finds tokens only.
type Options struct {
	Families Families
	Custom   []Custom
	// Overrides are levels of data types other than the taxonomy's.
	Overrides agentrisk.Overrides
	// Key of the fingerprints, any length. Empty: a random one for this Scanner.
	Key []byte
}

// Scanner finds sensitive values. It is safe for concurrent use.
type Scanner struct {
	rules   []*rule
	starts  starts
	words   wordSet
	groupOf [maxContexts]uint8 // of each list of context
	forms   formLists          // by the digits they begin with
	letters formLists          // by the upper-case letters they begin with
	digits  []*rule            // at most 32
	numbers numberIndex
	at      []*rule
	keys    keyTable
	ctx     contexts
	custom  []customRule
	also    *Also // nil: nothing
	allow   atomic.Pointer[AllowList]
	over    agentrisk.Overrides
	keyname bool
	// blockRule is the rule of private key blocks, urlRule of credentials in URLs,
	// nil when off.
	blockRule, urlRule, netRule, ipv6Rule, flagRule *rule
	licenseRule, mailRule, appRule, azureRule       *rule
	signedRule, gunRule                             *rule
	jobRule, companyRule, legalRule                 *rule
	addressCtx                                      contextID
	moneyCtx                                        []contextID // of the rules for amounts
	mac                                             macPool
	pool                                            sync.Pool
}

// New compiles a Scanner. The error names the custom detector that is wrong.
func New(o Options) (*Scanner, error) {
	key := o.Key
	if len(key) == 0 {
		key = make([]byte, 32)
		rand.Read(key) // never fails
	}
	s := &Scanner{over: o.Overrides, keyname: o.Families.Keyname}
	s.mac.key = append([]byte(nil), key...)
	s.pool.New = func() any { return new(scan) }
	for _, v := range nouns {
		s.addTerm(&entry{lit: v, fold: true, noun: true})
	}
	for _, v := range []string{"values ", "values(", "values\n"} {
		s.addTerm(&entry{lit: v, fold: true, rows: true})
	}
	s.addContext(ctxInnocent, innocent)
	s.addContext(ctxGeneralMoney, generalMoney)
	s.addContext(ctxPersonal, personal)
	s.addContext(ctxVersion, versionWords)
	s.addContext(ctxHost, addressWords)
	s.addContext(ctxSaid, said)
	s.addContext(ctxGeneral, general)
	s.addContext(ctxSelf, selfWords)
	s.addContext(ctxParty, partyWords)
	s.addContext(ctxSubject, subjects)
	s.addContext(ctxModal, modals)
	for _, v := range verbs {
		s.addTerm(&entry{lit: v, fold: true, verb: true})
	}
	for _, set := range ruleSets {
		for _, proto := range set {
			if !o.Families.has(proto.Group) {
				continue
			}
			r := proto
			s.add(&r)
		}
	}
	for _, k := range innocentKeys {
		s.keys.add(k, nil)
	}
	s.fileContexts()
	for i, c := range o.Custom {
		cr, err := compileCustom(c, o.Overrides)
		if err != nil {
			return nil, fmt.Errorf("custom_detectors[%d]: %w", i, err)
		}
		s.custom = append(s.custom, cr)
	}
	return s, nil
}

func (f Families) has(g group) bool {
	switch g {
	case groupPII:
		return f.PII
	case groupSecrets:
		return f.Secrets
	case groupHealth:
		return f.Healthcare
	case groupFinance:
		return f.Finance
	case groupHR:
		return f.HR
	}
	return true
}

// add files a rule under its anchors.
func (s *Scanner) add(r *rule) {
	r.level = agentrisk.LevelOf(r.Type, s.over, agentrisk.L4)
	r.fam = familyOf(r.Type)
	for _, p := range r.Near {
		r.near = append(r.near, phrase(p))
	}
	for _, p := range r.Keys {
		r.near = append(r.near, phrase(p))
	}
	if len(r.near) > 0 {
		r.ctx = ctxShared + contextID(s.ctx.n)
		s.ctx.n++
		switch r.Type {
		case "salary", "income", "credit_score", "account_balance", "loan_amount":
			s.moneyCtx = append(s.moneyCtx, r.ctx)
		}
		s.addContext(r.ctx, r.near)
	}
	s.rules = append(s.rules, r)
	switch r.ID {
	case "private-key-block":
		s.blockRule = r
	case "connection-string":
		s.urlRule = r
	case "street-address":
		s.addressCtx = r.ctx
	case "ipv6-address":
		s.ipv6Rule = r
	case "company-legal-form":
		s.legalRule = r
	case "job-title":
		s.jobRule = r
	case "company-party":
		s.companyRule = r
	case "new-relic-license":
		s.licenseRule = r
	case "azure-annotated-key":
		s.signedRule = r
	case "mailgun-key":
		s.gunRule = r
	case "mailchimp-key":
		s.mailRule = r
	case "facebook-app-token":
		s.appRule = r
	case "azure-client-secret":
		s.azureRule = r
	case "command-password":
		s.flagRule = r
	case "url-password":
		s.netRule = r
	}
	for _, p := range r.Prefix {
		s.starts.add(&entry{lit: p, rule: r, heads: r.heads(p)})
	}
	for _, t := range r.Terms {
		if e := (&entry{lit: t, fold: true, rule: r}); !s.addTerm(e) {
			s.starts.add(e)
		}
	}
	for _, f := range r.Forms {
		s.addForm(compileForm(f, r))
	}
	if r.Numbers != 0 {
		s.numbers.add(len(s.digits), r)
		s.digits = append(s.digits, r)
	}
	if r.At {
		s.at = append(s.at, r)
	}
	if r.Shape != nil && s.readsKeys(r) {
		for _, k := range r.Keys {
			s.keys.add(k, r)
		}
	}
}

// Rules lists the built-in rules that are on, in the order they were written, and
// then the custom ones.
func (s *Scanner) Rules() []RuleInfo {
	var out []RuleInfo
	for _, r := range s.rules {
		keys := s.readsKeys(r)
		if keys || !s.keyedOnly(r) {
			out = append(out, r.info(r.why(keys)))
		}
	}
	for i := range s.custom {
		out = append(out, s.custom[i].info("the operator's pattern"))
	}
	if s.also != nil {
		out = append(out, s.also.Info)
	}
	return out
}

// readsKeys reports whether r may take a value by the name of its field alone.
func (s *Scanner) readsKeys(r *rule) bool { return s.keyname || r.Group == groupSecrets }
