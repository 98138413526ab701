package audit

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/redact"
)

// A shape is what a value of a policy may be. It is made once of the types of File and of the table of limits; what
// both doors read is checked against it before it is decoded, and Schema writes it for editors.
type shape struct {
	kind   kind
	fields map[string]*shape // of an object
	elem   *shape            // of a list or dict
	limit
}

type kind uint8

const (
	objects kind = iota
	dict
	list
	integer
	number
	boolean
	phrase
	phrases // one, or a list of them
	date
)

var kinds = [...]string{
	"a map of keys", "a map", "a list", "an integer", "a number", "true or false", "a text", "a text or a list of texts, with numbers in quotes",
	dateWant,
}

// maxInteger is the largest integer that every reader of YAML and JSON keeps.
const maxInteger = 1<<53 - 1

// A limit is what the type of a value does not say. Its zero value allows all.
type limit struct {
	doc      string
	required []string       // keys of an object
	enum     []string       // of a text
	key      *regexp.Regexp // of the keys of a dict
	keyWant  string         // the same in words
	min, max *float64       // of a number
	oneOf    []string       // keys of an object of which it has one
	size     int            // of a list, exactly
	few      int            // of a list or dict, at least
	many     int            // of a list or dict, at most; zero: any
	pattern  *regexp.Regexp // of a text
	want     string         // the same in words
	except   string         // a text that it may not be
	length   [2]int         // of a text, in characters; zero: any
	secret   bool           // never shown
}

func within(lo, hi float64) limit { return limit{min: &lo, max: &hi} }
func atLeast(lo float64) limit    { return limit{min: &lo} }
func oneOf(words ...string) limit { return limit{enum: words} }

// say is the limit with its description.
func (l limit) say(doc string) limit {
	l.doc = doc
	return l
}

var (
	levelLimit   = within(1, 4)
	channelLimit = oneOf(strings.Split(channelNames(), ", ")...)
)

// limits are those of the values of a policy, by path: "[]" stands for the elements of a list, "*" for the values of a
// map. Each path of the types has a row.
var limits = map[string]limit{
	"detectors":            limit{}.say("Families of detectors, all on unless switched off."),
	"detectors.pii":        limit{}.say("Personal data: names, contacts, identity numbers."),
	"detectors.secrets":    limit{}.say("Credentials, tokens and keys."),
	"detectors.healthcare": limit{}.say("Health data."),
	"detectors.finance":    limit{}.say("Cards, accounts and amounts."),
	"detectors.hr":         limit{}.say("Employment data."),
	"detectors.keyname":    limit{}.say("Values that only the name of their key tells."),

	"custom_detectors":             limit{}.say("The operator's own detectors."),
	"custom_detectors[]":           {required: []string{"name", "pattern"}},
	"custom_detectors[].name":      limit{}.say("The rule's name in findings."),
	"custom_detectors[].pattern":   limit{secret: true}.say("An RE2 pattern; its first group if it has one, else all it matches."),
	"custom_detectors[].data_type": limit{}.say("A known data type or a new one. Default custom."),
	"custom_detectors[].level":     within(1, 4).say("The level. That of the data type unless given, 4 for a new type."),
	"custom_detectors[].severity":  oneOf(severities...).say("The level, 1 to 4, of a data type that has none. level wins over it."),
	"custom_detectors[].samples":   limit{}.say("Texts that the pattern must match; validation tries them."),
	"custom_detectors[].samples[]": {secret: true},

	"scoring":                   limit{}.say("Weights, levels and the thresholds that block."),
	"scoring.weights":           limit{size: 4}.say("Weights of L1 to L4."),
	"scoring.weights[]":         atLeast(1),
	"scoring.level_overrides":   limit{key: regexp.MustCompile(`^[A-Za-z0-9_.-]+$`), keyWant: "a data type"}.say("Other levels of data types."),
	"scoring.level_overrides.*": levelLimit,
	"scoring.fail_below":        atLeast(0).say("A privacy score under this blocks. Default 40."),
	"scoring.conditional_below": within(0, 100).say("A privacy score under this that does not block is marked as conditional. Default 70."),
	"scoring.block_on_critical": limit{}.say("A leak of level 4 blocks. Default true."),

	"channels":   limit{}.say("Channels that are scored; all unless given. The others are redacted all the same."),
	"channels[]": channelLimit,

	"vault":           limit{}.say("The secrets in reach; what was observed unless given."),
	"vault.levels":    limit{key: regexp.MustCompile(`^L?[1-4]$`), keyWant: "1 to 4"}.say("Numbers of secrets by level."),
	"vault.levels.*":  atLeast(0),
	"vault.rho_s":     atLeast(0).say("The weighted sum itself; wins over levels."),
	"vault.scope_def": limit{}.say("What the vault covers, in words."),

	"vault.canaries":   limit{}.say("Values planted to see whether they get out, or fingerprint: and 12 hex digits. Take them from ${env:...} or ${file:...}."),
	"vault.canaries[]": {secret: true, length: [2]int{minLiteral, maxLiteral}},

	"privacy_policy":                        limit{}.say("Limits on what may be disclosed."),
	"privacy_policy.max_risk_index":         within(0, 1).say("The highest Risk Index allowed, compared after rounding to four decimals."),
	"privacy_policy.max_findings":           atLeast(0).say("The highest number of disclosed places allowed."),
	"privacy_policy.forbid_levels":          limit{}.say("Levels that may not be disclosed."),
	"privacy_policy.forbid_levels[]":        levelLimit,
	"privacy_policy.forbid_channels":        limit{}.say("Channels on which nothing may be disclosed."),
	"privacy_policy.forbid_channels[]":      channelLimit,
	"privacy_policy.forbid_data_types":      limit{}.say("Data types that may not be disclosed."),
	"privacy_policy.forbid_data_types[]":    {},
	"privacy_policy.require_explicit_vault": limit{}.say("A score against the observed vault violates the policy."),

	"mapping":                   limit{}.say("Where the texts of in-house instrumentations stand."),
	"mapping.rules":             limit{}.say("Rules; the first that holds wins, before the built-in tables."),
	"mapping.rules[]":           {required: []string{"key", "channel"}},
	"mapping.rules[].key":       limit{}.say("An attribute key; * for a list index, ** at the end for any rest."),
	"mapping.rules[].span_name": limit{}.say("Only in spans of this name; * at the end for any rest."),
	"mapping.rules[].scope":     limit{}.say("Only in this scope; * at the end for any rest."),
	"mapping.rules[].channel":   oneOf(append(slices.Clone(channelLimit.enum), agentrisk.ChannelNone.String())...).say("The channel, or none for text that is redacted and never scored."),

	"allow":               limit{}.say("Finds that are none: no leak, and not removed. A row allows the finds for which all its conditions hold, and nothing else in their text."),
	"allow[]":             {oneOf: conditions},
	"allow[].name":        limit{}.say("What counters and reports call the row. Its place in the list unless given."),
	"allow[].path":        limit{length: [2]int{1, 4096}}.say("Attribute key and path inside its value; * for one step, [*] for an index, ** for any number of steps."),
	"allow[].channel":     oneOf(append(slices.Clone(channelLimit.enum), agentrisk.ChannelNone.String())...).say("A channel, or none for text of no channel."),
	"allow[].data_type":   limit{length: [2]int{1, 4096}}.say("A data type."),
	"allow[].rule":        limit{length: [2]int{1, 4096}}.say("The rule that found it."),
	"allow[].pattern":     limit{length: [2]int{1, 4096}, secret: true}.say("An RE2 pattern that matches the whole value."),
	"allow[].fingerprint": limit{pattern: fingerprintForm, want: fingerprintWant, secret: true}.say("Of the secret, as tokens and reports show it. Needs redaction.key."),
	"allow[].reason":      limit{}.say("Why, in words, for readers of reports."),
	"allow[].expires":     limit{pattern: dateForm, want: dateWant}.say("The last day, or the moment by RFC 3339, until which the row holds."),

	"mode": oneOf(redact.ModeNames()...).say("enforce removes; audit finds, scores, counts and marks the same, and changes no text. Default enforce."),

	"policies":   limit{many: 256}.say("Other policies for the telemetry that they match. What one does not say is as the stanzas beside policies have it."),
	"policies[]": {required: []string{"name", "match"}},
	"policies[].name": limit{pattern: regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`),
		want: "1 to 63 letters, digits, dots, hyphens and underscores, a letter or digit first, and not default", except: DefaultName}.say("Its name in reports and on spans, another for each; not default."),
	"policies[].match": limit{key: regexp.MustCompile(`^(.|\n)+$`), keyWant: "an attribute key", few: 1, many: maxMatch}.
		say("Attributes that the resource, or else the span or log record, must have; resource. or span. before a key is one of the two. The most keys win."),
	"policies[].match.*":   limit{few: 1}.say("The value, or a list of values of which one holds."),
	"policies[].match.*[]": {},

	"redaction":                   limit{}.say("What is removed before export."),
	"redaction.levels":            limit{}.say("Levels that are removed. Default [4]."),
	"redaction.levels[]":          levelLimit,
	"redaction.style":             oneOf(redact.Styles()...).say("How a value is replaced. Default token."),
	"redaction.media":             oneOf(MediaKeep, MediaReplace).say("Inline pictures, sound and documents: kept, or replaced by a token of type and size. Default keep."),
	"redaction.rules":             limit{}.say("Another mode for some findings; the first that holds has the say."),
	"redaction.rules[]":           {required: []string{"mode"}},
	"redaction.rules[].rule":      limit{}.say("Of this rule."),
	"redaction.rules[].data_type": limit{}.say("Of this data type."),
	"redaction.rules[].level":     within(1, 4).say("Of this level."),
	"redaction.rules[].mode":      oneOf(redact.ModeNames()...),
	"redaction.key":               limit{secret: true}.say("Key of the fingerprints. A random one unless given."),
}

// policyShape is that of a File.
var policyShape = shapeOf("", reflect.TypeFor[File]())

// limitOf is that of a path. The stanzas of an entry of policies are those of a file.
func limitOf(path string) limit {
	if l, ok := limits[path]; ok {
		return l
	}
	return limits[strings.TrimPrefix(path, "policies[].")]
}

func shapeOf(path string, t reflect.Type) *shape {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := &shape{limit: limitOf(path)}
	if t == reflect.TypeFor[Values]() {
		s.kind, s.elem = phrases, shapeOf(path+"[]", t.Elem())
		return s
	}
	switch t.Kind() {
	case reflect.Struct:
		s.fields = map[string]*shape{}
		for i := range t.NumField() {
			f := t.Field(i)
			name, squashed, ok := fieldKey(f)
			switch {
			case !ok:
			case squashed:
				maps.Copy(s.fields, shapeOf(path, f.Type).fields)
			default:
				s.fields[name] = shapeOf(strings.TrimPrefix(path+"."+name, "."), f.Type)
			}
		}
	case reflect.Map:
		s.kind, s.elem = dict, shapeOf(path+".*", t.Elem())
	case reflect.Slice:
		s.kind, s.elem = list, shapeOf(path+"[]", t.Elem())
	case reflect.Int:
		s.kind = integer
	case reflect.Float64:
		s.kind = number
	case reflect.Bool:
		s.kind = boolean
	case reflect.String:
		s.kind = phrase
	case reflect.Interface:
		s.kind = date
	default:
		panic("audit: " + path + ": no shape for " + t.String())
	}
	return s
}
