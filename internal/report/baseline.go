package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// ErrIncomparable is wrapped where two reports don't rest on the same vault, weights or rules.
var ErrIncomparable = errors.New("can't be compared")

// A Baseline is an earlier report to compare with.
type Baseline struct{ set jsonSet }

// ReadBaseline reads a report that WriteJSON wrote. An error says what is wrong with it and holds nothing of it but
// the name of its schema.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema *string    `json:"schema"`
		Basis  *jsonBasis `json:"basis"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Schema == nil {
		return nil, fmt.Errorf("want a JSON report (%s)", Schema)
	}
	if *head.Schema != Schema {
		return nil, fmt.Errorf("schema %q: want %q", clean(*head.Schema, maxName), Schema)
	}
	if head.Basis == nil {
		return nil, errors.New("basis: missing: the report is of an older version, write it again")
	}
	var b Baseline
	if err := json.Unmarshal(data, &b.set); err != nil {
		var at *json.UnmarshalTypeError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s: not as the schema has it", at.Field)
		}
		return nil, errors.New("not as the schema has it")
	}
	return &b, nil
}

// How leaks of two reports are told to be the same.
const (
	// BySecret: the same secret on the same channel. It needs one key in both runs.
	BySecret = "secret"
	// ByPlace: as many secrets of the same type on the same channel at the same place, by its names without numbers.
	ByPlace = "place"
)

// A Comparison says which leaks of a set are new, which are gone, and which stayed, each sorted by level, the highest
// first.
type Comparison struct {
	By                    string // BySecret or ByPlace
	New, Fixed, Unchanged []Leak
	// Notes say what makes the comparison weaker than it could be.
	Notes []string

	states map[string]string // of SARIF, by key
}

// A Leak is one secret on one channel, or as many as Secrets at one place.
type Leak struct {
	Level           agentrisk.Level
	Type            agentrisk.DataType
	Channel         agentrisk.Channel
	SpanName, Where string // of one of its findings
	SecretID        string // empty by place
	Secrets         int
	key             string
}

// Compare compares the leaks of s with those of b. The error wraps ErrIncomparable where that would mean nothing: a
// score rests on the vault, the weights and the rules.
func (s *Set) Compare(b *Baseline) (*Comparison, error) {
	c := &Comparison{By: BySecret, states: map[string]string{}}
	random, another := false, false
	for _, policy := range s.policiesWith(b) {
		now, then := s.basisOf(policy), b.basisOf(policy)
		name, of := "policy "+clean(policy, maxName), ""
		if now == nil || then == nil {
			return nil, fmt.Errorf("%w: one of the reports has no %s: write a new baseline", ErrIncomparable, name)
		}
		if policy != audit.DefaultName {
			of = " of " + name
		}
		if differ := differences(now, then); differ != nil {
			return nil, fmt.Errorf("%w, another basis%s: %s: write a new baseline", ErrIncomparable, of, strings.Join(differ, ", "))
		}
		random = random || now.Key == "" || then.Key == ""
		another = another || now.Key != then.Key
	}
	switch {
	case random:
		c.By = ByPlace
		c.Notes = append(c.Notes, "Compared by type, channel and place: without redaction.key in both runs a fingerprint means nothing in the other.")
	case another:
		c.By = ByPlace
		c.Notes = append(c.Notes, "Compared by type, channel and place: redaction.key is another than the baseline's.")
	}
	if b.set.Tool.Version != s.Version {
		c.Notes = append(c.Notes, "The baseline was written by another version, which may detect other things.")
	}
	c.match(s.leaks(c.By), b.leaks(c.By))
	return c, nil
}

// policiesWith lists the policies of the traces of s and b, the default for a set without any trace too.
func (s *Set) policiesWith(b *Baseline) []string {
	all := map[string]bool{}
	for i := range s.Traces {
		all[cmp.Or(s.Traces[i].Policy, audit.DefaultName)] = true
	}
	for i := range b.set.Traces {
		all[cmp.Or(b.set.Traces[i].Policy.Name, audit.DefaultName)] = true
	}
	if len(all) == 0 {
		return []string{audit.DefaultName}
	}
	return slices.Sorted(maps.Keys(all))
}

// basisOf is as that of a Set.
func (b *Baseline) basisOf(policy string) *audit.Basis {
	old := &b.set.Basis
	if policy != audit.DefaultName {
		i := slices.IndexFunc(b.set.Policies, func(p jsonNamed) bool { return p.Name == policy })
		if i < 0 {
			return nil
		}
		old = &b.set.Policies[i].Basis
	}
	out := &audit.Basis{Rules: old.Rules, Vault: old.Vault, Policy: old.Policy, Weights: old.Weights}
	if old.Key != nil {
		out.Key = *old.Key
	}
	return out
}

// differences names what makes scores incomparable.
func differences(now, then *audit.Basis) (differ []string) {
	for _, x := range []struct {
		what string
		same bool
	}{
		{"the vault", then.Vault == now.Vault},
		{"the weights", slices.Equal(then.Weights, now.Weights)},
		{"the rules of detection and mapping", then.Rules == now.Rules},
	} {
		if !x.same {
			differ = append(differ, x.what)
		}
	}
	return differ
}

// match tells new, fixed and unchanged leaks apart.
func (c *Comparison) match(now, then map[string]*Leak) {
	share := func(l *Leak, n int) Leak {
		part := *l
		part.Secrets = n
		return part
	}
	for key, l := range now {
		known := 0
		if o := then[key]; o != nil {
			known = min(o.Secrets, l.Secrets)
		}
		c.states[key] = "unchanged"
		if known > 0 {
			c.Unchanged = append(c.Unchanged, share(l, known))
		}
		if l.Secrets > known {
			c.states[key] = "new"
			c.New = append(c.New, share(l, l.Secrets-known))
		}
	}
	for key, o := range then {
		left := 0
		if l := now[key]; l != nil {
			left = min(o.Secrets, l.Secrets)
		}
		if o.Secrets > left {
			c.Fixed = append(c.Fixed, share(o, o.Secrets-left))
		}
	}
	for _, list := range [][]Leak{c.New, c.Fixed, c.Unchanged} {
		slices.SortFunc(list, func(a, b Leak) int {
			return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Type, b.Type), cmp.Compare(a.key, b.key))
		})
	}
}

// state is the SARIF state of a disclosed finding.
func (c *Comparison) state(policy string, f *audit.Finding) string {
	if c.By == BySecret {
		return c.states[secretKey(policy, f.ID.Fingerprint(), f.Channel.String())]
	}
	return c.states[placeKey(policy, f)]
}

// A tally of leaks by key, with the secrets of each.
type leakTally struct {
	leaks   map[string]*Leak
	secrets map[[2]string]bool
}

func (t *leakTally) add(key, secret string, l Leak) {
	was := t.leaks[key]
	if was == nil {
		l.key = key
		t.leaks[key] = &l
		was = &l
	} else if l.Level > was.Level || l.Level == was.Level && (cmp.Or(cmp.Compare(l.SpanName, was.SpanName), cmp.Compare(l.Where, was.Where)) < 0) {
		was.Level, was.Type, was.SpanName, was.Where = max(l.Level, was.Level), l.Type, l.SpanName, l.Where
	}
	if id := [2]string{key, secret}; !t.secrets[id] {
		t.secrets[id] = true
		was.Secrets++
	}
}

func newLeakTally() *leakTally {
	return &leakTally{map[string]*Leak{}, map[[2]string]bool{}}
}

func (s *Set) leaks(by string) map[string]*Leak {
	tally := newLeakTally()
	for i := range s.Traces {
		for j := range s.Traces[i].Findings {
			f := &s.Traces[i].Findings[j]
			if f.Replay || !f.Disclosed() {
				continue
			}
			l := Leak{Level: f.Level, Type: f.Type, Channel: f.Channel, SpanName: f.SpanName, Where: place(f)}
			key := placeKey(s.Traces[i].Policy, f)
			if by == BySecret {
				l.SecretID = f.ID.Fingerprint()
				key = secretKey(s.Traces[i].Policy, l.SecretID, f.Channel.String())
			}
			tally.add(key, f.ID.Fingerprint(), l)
		}
	}
	return tally.leaks
}

func (b *Baseline) leaks(by string) map[string]*Leak {
	tally := newLeakTally()
	for i := range b.set.Traces {
		policy := b.set.Traces[i].Policy.Name
		for j := range b.set.Traces[i].Findings {
			f := &b.set.Traces[i].Findings[j]
			var ch agentrisk.Channel
			if f.Replay || !f.Disclosed || ch.UnmarshalText([]byte(f.Channel)) != nil {
				continue
			}
			// As a finding of this run: names of a report are shown again.
			now := audit.Finding{SpanName: f.SpanName, Where: f.Where, Path: f.Path, Channel: ch, Type: agentrisk.DataType(f.Type)}
			l := Leak{
				Level: agentrisk.Level(min(max(f.Level, 1), 4)), Type: now.Type, Channel: ch, SpanName: f.SpanName, Where: place(&now),
			}
			key := placeKey(policy, &now)
			if by == BySecret {
				l.SecretID = f.SecretID
				key = secretKey(policy, f.SecretID, f.Channel)
			}
			tally.add(key, f.SecretID, l)
		}
	}
	return tally.leaks
}

func secretKey(policy, secret, channel string) string { return secret + "/" + channel + under(policy) }

// under ends the keys of leaks under a named policy, so that a policy that is named later changes no other key.
func under(policy string) string {
	if policy == "" || policy == audit.DefaultName {
		return ""
	}
	return "\x00policy " + policy
}

// numbers are what differs between runs in the names of one place: indices, counters, ids, fingerprints in tokens.
var numbers = regexp.MustCompile(`[0-9a-fA-F]*[0-9][0-9a-fA-F]{7,}|[0-9]+`)

// placeKey names the place of a finding by its structure. It is the same in runs that differ in ids and counts only.
func placeKey(policy string, f *audit.Finding) string {
	parts := []string{string(f.Type), f.Channel.String(), f.SpanName, f.Where, f.Path}
	for i := 2; i < len(parts); i++ {
		parts[i] = numbers.ReplaceAllString(parts[i], "#")
	}
	return strings.Join(parts, "\x00") + under(policy)
}
