package mapping

import (
	"fmt"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// A Row says what the attribute Key holds.
type Row struct {
	// Key is an attribute key. "*" stands for a list index between dots, and a last element "**" for any rest. On a
	// span event (or a log record of that event name) it is "event name/attribute key", where "**" is any attribute.
	Key  string
	Slot Slot
	// Flat says which part of a flattened message list the attribute is; zero: the whole slot.
	Flat Flat
	// Copies names a key prefix: where an attribute below it is on the same span, this one is only its raw copy (R1).
	Copies string
	// With names key prefixes, or scopes after "scope:", separated by "|", one of which must be there for the row to
	// hold: for keys that others use as well.
	With string
	// Run marks the message list of a whole run, input and output.
	Run bool
	// Trace marks the output of the whole trace, on whatever span it stands.
	Trace bool
	// Schema marks arguments that some producers fill with a JSON schema, which is SlotNone (section 4).
	Schema bool
	// Role is the role of a message that has none of its own.
	Role Role
	// Channel is the channel of SlotChannel.
	Channel agentrisk.Channel
}

// Flat is a part of a flattened message list such as llm.input_messages.N.message.content.
type Flat uint8

// The parts of flattened messages.
const (
	FlatNot       Flat = iota
	FlatRole           // the message's role
	FlatContent        // its text, or JSON of content blocks
	FlatPart           // a member of a content block that is part of the content
	FlatCallID         // marks a tool result
	FlatAuthor         // the message's author or the tool's name
	FlatToolName       // name of a tool called
	FlatToolID         // id of a tool call
	FlatArguments      // arguments of a tool call
	FlatFinish         // finish reason
)

// A Dialect is one convention: who writes which key.
type Dialect struct {
	Name   string
	Source string // convention version or source file that the rows follow
	Rows   []Row
}

// A claim is what the tables say of one attribute key: the row of it and its dialect, if any, and what the key says of
// its span.
type claim struct {
	*Row
	dialect string
	kindKey int  // position in kindKeys, from 1
	prefix  int  // position in kindPrefixes, from 1
	named   bool // kindOf or identity want its value
	crew    bool // see kindOf
	// alts are claims of user rules, user the rule of one.
	alts []*claim
	user *UserRule
}

// ok reports whether a row claims the key.
func (c *claim) ok() bool { return c.Row != nil }

// A table is all dialects compiled for look-up: list indices folded to "*", prefixes apart.
type table struct {
	exact  map[string]claim
	prefix map[string]claim
}

// compile builds the table. Two dialects may share a key only with the same meaning; anything else is a mistake in
// the tables, reported as an error that names both.
func compile(dialects []Dialect) (*table, error) {
	t := &table{exact: map[string]claim{}, prefix: map[string]claim{}}
	for _, d := range dialects {
		for i := range d.Rows {
			r := &d.Rows[i]
			into, key := t.exact, r.Key
			if k, ok := strings.CutSuffix(key, "/**"); ok {
				into, key = t.prefix, k+"/"
			} else if k, ok := strings.CutSuffix(key, ".**"); ok {
				into, key = t.prefix, k
			}
			if was, ok := into[key]; ok && *was.Row != *r {
				return nil, fmt.Errorf("mapping: %s and %s both claim %q", was.dialect, d.Name, r.Key)
			}
			into[key] = claim{Row: r, dialect: d.Name}
		}
	}
	return t, nil
}

// find returns the claim on a key, trying the key, its form with indices folded, and then its prefixes.
func (t *table) find(key string) (claim, bool) {
	if c, ok := t.exact[key]; ok {
		return c, true
	}
	folded := fold(key)
	if folded != key {
		if c, ok := t.exact[folded]; ok {
			return c, true
		}
	}
	// A prefix never reaches over the "/" between an event's name and an attribute: names are dotted too.
	for i := strings.LastIndexByte(folded, '.'); i > strings.LastIndexByte(folded, '/'); i = strings.LastIndexByte(folded[:i], '.') {
		if c, ok := t.prefix[folded[:i]]; ok {
			return c, true
		}
	}
	if i := strings.LastIndexByte(folded, '/'); i >= 0 {
		if c, ok := t.prefix[folded[:i+1]]; ok {
			return c, true
		}
	}
	if strings.HasSuffix(key, ".user_id") || strings.HasSuffix(key, ".session_id") {
		return claim{Row: &identityRow, dialect: identityKeys.Name}, true // R11: identity, whoever writes it
	}
	return claim{}, false
}

var identityRow = Row{Key: "*.user_id", Slot: SlotNone}

// fold writes list indices in a key as "*".
func fold(key string) string {
	for i := 1; i < len(key); i++ {
		if key[i-1] == '.' && '0' <= key[i] && key[i] <= '9' {
			parts := strings.Split(key, ".")
			for j, p := range parts {
				if isIndex(p) {
					parts[j] = "*"
				}
			}
			return strings.Join(parts, ".")
		}
	}
	return key
}

func isIndex(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) < 10
}

// Bounds of a builder's memory of keys that it looked up, in keys and in bytes of one: keys come from the sender.
const (
	maxKeys   = 4096
	maxKeyLen = 256
)

// eventKey is the key of an attribute on a span event, or of a log record of that name.
type eventKey struct{ event, key string }

// look finds the claim on an attribute key of a span. It is never nil.
func (b *builder) look(key string) *claim {
	if c := b.keys[key]; c != nil {
		return b.decide(c)
	}
	found, _ := b.m.table.find(key)
	c := &found
	c.named = identityAttrs[key]
	for i := range kindKeys {
		if kindKeys[i].key == key {
			c.kindKey, c.named = i+1, true
		}
	}
	for i := range kindPrefixes {
		if strings.HasPrefix(key, kindPrefixes[i].prefix) {
			c.prefix = i + 1
			break
		}
	}
	c.crew = strings.HasPrefix(key, "crewai.crew.") || strings.HasPrefix(key, "crewai.flow.")
	c.alts = b.m.alternatives(key, c)
	if len(key) > maxKeyLen {
		return b.decide(c)
	}
	if len(b.keys) >= maxKeys {
		clear(b.keys)
	}
	b.keys[strings.Clone(key)] = c
	return b.decide(c)
}

// lookEvent finds the claim on an attribute of an event.
func (b *builder) lookEvent(event, key string) *claim {
	at := eventKey{event, key}
	if c := b.eventKeys[at]; c != nil {
		return b.decide(c)
	}
	found, _ := b.m.table.find(event + "/" + key)
	found.alts = b.m.eventAlternatives(event+"/"+key, &found)
	if len(event)+len(key) > maxKeyLen {
		return b.decide(&found)
	}
	if len(b.eventKeys) >= maxKeys {
		clear(b.eventKeys)
	}
	b.eventKeys[eventKey{strings.Clone(event), strings.Clone(key)}] = &found
	return b.decide(&found)
}
