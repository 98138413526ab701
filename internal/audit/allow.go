package audit

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// An AllowRow says of some finds that they are none: of those for which all conditions hold that are set. It takes
// nothing else out of the text they stand in.
type AllowRow struct {
	// Name is what counters and reports call the row. Empty: its place in the list, as "allow[0]".
	Name string `mapstructure:"name"`
	// Path tells places: attribute key and path inside, "*" for one step, "**" for any number. Empty: any.
	Path string `mapstructure:"path"`
	// Channel is one of the eight, or none for text of none. Empty: any.
	Channel  string `mapstructure:"channel"`
	DataType string `mapstructure:"data_type"`
	Rule     string `mapstructure:"rule"`
	// Pattern is an RE2 pattern that matches the whole value.
	Pattern string `mapstructure:"pattern"`
	// Fingerprint is that of the secret, 12 hex digits, with or without its data type and a colon before it.
	Fingerprint string `mapstructure:"fingerprint"`
	// Reason says to readers why.
	Reason string `mapstructure:"reason"`
	// Expires is the last day, or the moment by RFC 3339, until which the row holds: a text or a time.Time. Nil: for ever.
	Expires any `mapstructure:"expires"`
}

// conditions are the keys of a row of which it needs one.
var conditions = []string{"path", "channel", "data_type", "rule", "pattern", "fingerprint"}

var (
	fingerprintForm = regexp.MustCompile(`^([A-Za-z0-9_.-]+:)?[0-9a-f]{12}$`)
	dateForm        = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])` +
		`(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$`)
)

const (
	fingerprintWant = "12 lower-case hex digits, after a data type and a colon or alone"
	dateWant        = "a date such as 2027-01-31, or one with a time as RFC 3339 has it"
)

// expiry reads Expires: the first moment at which a row holds no more, zero for never. A date, and midnight UTC as YAML
// reads one, counts to the end of the day, UTC.
func expiry(v any) (time.Time, error) {
	endOf := func(t time.Time) time.Time { return t.UTC().AddDate(0, 0, 1) }
	switch x := v.(type) {
	case nil:
		return time.Time{}, nil
	case time.Time:
		if x.UTC().Truncate(24 * time.Hour).Equal(x) {
			return endOf(x), nil
		}
		return x, nil
	case string:
		if x == "" {
			return time.Time{}, nil
		}
		if t, err := time.Parse(time.DateOnly, x); err == nil {
			return endOf(t), nil
		}
		if t, err := time.Parse(time.RFC3339, x); err == nil {
			return t, nil
		}
		return time.Time{}, fmt.Errorf("%q: want %s", x, dateWant)
	}
	return time.Time{}, fmt.Errorf("want %s", dateWant)
}

// An allowRow is a compiled AllowRow.
type allowRow struct {
	detect.AllowRow
	name, reason string
	until        time.Time // zero: for ever
	path         keyGlob   // nil: any
	channel      agentrisk.Channel
	onChannel    bool
}

// placed reports whether it takes more than a find and its value to tell whether the row holds.
func (r *allowRow) placed() bool { return r.path != nil || r.onChannel }

// compileAllow compiles the rows. keyed says that fingerprints mean something.
func compileAllow(rows []AllowRow, keyed bool) ([]allowRow, error) {
	var errs []error
	out := make([]allowRow, 0, len(rows))
	names := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		at := fmt.Sprintf("allow[%d]", i)
		fail := func(key string, err error) {
			if err != nil {
				errs = append(errs, fmt.Errorf("%s%s: %w", at, key, err))
			}
		}
		c := allowRow{
			AllowRow: detect.AllowRow{Number: uint16(i + 1), Rule: r.Rule, Type: agentrisk.DataType(r.DataType)},
			name:     r.Name, reason: r.Reason,
		}
		if c.name == "" {
			c.name = at
		} else if names[c.name] {
			fail(".name", fmt.Errorf("%q: another row has that name", c.name))
		}
		names[c.name] = true
		if r.Path+r.Channel+r.DataType+r.Rule+r.Pattern+r.Fingerprint == "" {
			fail("", errors.New("holds of everything: want one or more of "+strings.Join(conditions, ", ")))
		}
		if r.Path != "" {
			var err error
			c.path, err = compileKeyGlob(r.Path)
			if err == nil && c.path.any() && r.Channel+r.DataType+r.Rule+r.Pattern+r.Fingerprint == "" {
				err = fmt.Errorf("%q: holds of everything: want a narrower path, or another condition with it", r.Path)
			}
			fail(".path", err)
		}
		if c.onChannel = r.Channel != ""; c.onChannel && r.Channel != agentrisk.ChannelNone.String() {
			if c.channel.UnmarshalText([]byte(r.Channel)) != nil {
				fail(".channel", fmt.Errorf("unknown channel %q: want one of %s, none", r.Channel, channelNames()))
			}
		}
		if r.Pattern != "" {
			_, err := regexp.Compile(r.Pattern) // as the operator wrote it
			if err == nil {
				c.Pattern, err = regexp.Compile(`\A(?:` + r.Pattern + `)\z`)
			}
			if bad := (*syntax.Error)(nil); errors.As(err, &bad) {
				err = errors.New(bad.Code.String()) // without the pattern, which may be a value
			}
			fail(".pattern", err)
		}
		if r.Fingerprint != "" {
			switch named, digits, ok := strings.Cut(r.Fingerprint, ":"); {
			case !fingerprintForm.MatchString(r.Fingerprint):
				fail(".fingerprint", errors.New("not a fingerprint: want "+fingerprintWant))
			case !keyed:
				fail(".fingerprint", errors.New("a fingerprint means nothing without redaction.key"))
			case ok:
				c.Named, c.Fingerprint = agentrisk.DataType(named), digits
			default:
				c.Fingerprint = named
			}
		}
		var err error
		c.until, err = expiry(r.Expires)
		fail(".expires", err)
		out = append(out, c)
	}
	if len(rows) > math.MaxUint16-1 {
		errs = append(errs, fmt.Errorf("allow: %d rows: want %d or fewer", len(rows), math.MaxUint16-1))
	}
	return out, errors.Join(errs...)
}

// Expired says which rows of the allow list hold no more at now. Each line of it starts with the path of a key, as the
// errors of Check do. It is a warning: a policy with such rows is valid.
func (p *Policy) Expired(now time.Time) error {
	var errs []error
	for i := range p.Allow {
		if until, err := expiry(p.Allow[i].Expires); err == nil && !until.IsZero() && !now.Before(until) {
			errs = append(errs, fmt.Errorf("allow[%d].expires: has passed, the row holds no more", i))
		}
	}
	return errors.Join(errs...)
}

// Expired is Policy.Expired of the stanzas and of the entries.
func (f *File) Expired(now time.Time) error {
	errs := []error{f.Policy.Expired(now)}
	for i := range f.Policies {
		if err := f.Policies[i].Policy.Expired(now); err != nil {
			errs = append(errs, fmt.Errorf("%s.%s", entryPath(i), strings.ReplaceAll(err.Error(), "\n", "\n"+entryPath(i)+".")))
		}
	}
	return errors.Join(errs...)
}

// Allowing is a row of the allow list as reports show it.
type Allowing struct {
	Row, Reason string
	Until       time.Time // the first moment at which it holds no more; zero: never
	Off         bool      // it has expired
}

// An allowList is the rows of an Auditor, of which those hold that did not expire. Nil is an empty one.
type allowList struct {
	rows []allowRow
	on   atomic.Pointer[allowing]
	next atomic.Int64 // when the next row expires, in nanoseconds since 1970
	mu   sync.Mutex   // of who lets rows expire
}

// An allowing is the rows that hold at a time.
type allowing struct {
	off        int // how many do not
	everywhere []*detect.AllowRow
	placed     []*allowRow
	mu         sync.Mutex
	lists      map[string]*detect.AllowList // by the placed rows that hold, as numbers
}

// newAllowList returns nil where there are no rows. A zero now lets none expire.
func newAllowList(rows []allowRow, s *detect.Scanner, now time.Time) *allowList {
	if len(rows) == 0 {
		return nil
	}
	l := &allowList{rows: rows}
	l.next.Store(math.MinInt64)
	l.expire(s, now)
	return l
}

// expire takes rows out whose time is over.
func (l *allowList) expire(s *detect.Scanner, now time.Time) {
	if l == nil || !now.IsZero() && now.UnixNano() < l.next.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	on := &allowing{lists: map[string]*detect.AllowList{}}
	next := int64(math.MaxInt64)
	for i := range l.rows {
		r := &l.rows[i]
		switch {
		case !now.IsZero() && !r.until.IsZero() && !now.Before(r.until):
			on.off++
			continue
		case r.placed():
			on.placed = append(on.placed, r)
		default:
			on.everywhere = append(on.everywhere, &r.AllowRow)
		}
		if !r.until.IsZero() {
			next = min(next, r.until.UnixNano())
		}
	}
	l.next.Store(next)
	if was := l.on.Load(); was != nil && was.off == on.off {
		return
	}
	l.on.Store(on)
	s.Allow(on.list(nil))
}

// maxLists bounds the combinations of rows that are remembered; others are put together again each time.
const maxLists = 1 << 10

// list is the rows that hold everywhere with some placed ones, nil where there are none.
func (a *allowing) list(rows []*allowRow) *detect.AllowList {
	if len(rows) == 0 && len(a.everywhere) == 0 {
		return nil
	}
	key := make([]byte, 0, 2*len(rows))
	for _, r := range rows {
		key = append(key, byte(r.Number>>8), byte(r.Number))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.lists[string(key)]
	if l == nil {
		all := append([]*detect.AllowRow(nil), a.everywhere...)
		for _, r := range rows {
			all = append(all, &r.AllowRow)
		}
		if l = detect.NewAllowList(all); len(a.lists) < maxLists {
			a.lists[string(key)] = l
		}
	}
	return l
}

// Expire lets rows of the allow list that hold no more at now take no part in what is scanned from now on. Where none
// expires it costs a comparison. It may be called while a is in use.
func (a *Auditor) Expire(now time.Time) {
	if a.allow != nil {
		a.allow.expire(a.scanner, now)
	}
}

// Allow lists the rows of the allow list, in their order. A detect.Match that is allowed has the number of its row,
// from 1.
func (a *Auditor) Allow() []Allowing {
	if a.allow == nil {
		return nil
	}
	on := map[uint16]bool{}
	state := a.allow.on.Load()
	for _, r := range state.everywhere {
		on[r.Number] = true
	}
	for _, r := range state.placed {
		on[r.Number] = true
	}
	out := make([]Allowing, len(a.allow.rows))
	for i := range out {
		r := &a.allow.rows[i]
		out[i] = Allowing{Row: r.name, Reason: r.reason, Until: r.until, Off: !on[r.Number]}
	}
	return out
}

// allowBasis is the rows as plain data: as they are written, expired or not, so that what a row's end brings back is a new
// leak and no other rule set.
func allowBasis(rows []AllowRow) []AllowRow {
	out := append([]AllowRow(nil), rows...)
	for i := range out {
		until, _ := expiry(out[i].Expires)
		out[i].Expires, out[i].Reason, out[i].Name = until.UTC(), "", ""
	}
	return out
}
