package audit

import (
	"cmp"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/mapping"
)

// A Score is what a ledger comes to. It is a snapshot: the ledger may grow on.
type Score struct {
	Report agentrisk.Report
	// Err wraps agentrisk.ErrVaultTooSmall when more leaked than the declared vault holds. Report is then void: no
	// index is computed, and the gate fails.
	Err error
	// Outcome is what the gate's rules say.
	Outcome agentrisk.Outcome
	// Complete is true when the root and every parent named were seen, every value was read to its end, and nothing
	// exceeded the ledger's bounds. Otherwise Missing says why not, in the order of the Missing constants.
	Complete bool
	Missing  []string
	// GenAI is true when any span belongs to an agent's run; Secrets counts all distinct secrets.
	GenAI   bool
	Secrets int
	// Withheld counts the values that could not be read to their end.
	Withheld int
	// Explicit and Scope are those of the declared vault.
	Explicit bool
	Scope    string

	tree   *mapping.Tree
	scored agentrisk.ChannelSet
	leaked map[Leak]int
}

// A Leak is a way for secrets to get out.
type Leak struct {
	Channel agentrisk.Channel
	Type    agentrisk.DataType
	Level   agentrisk.Level
}

// Leaked counts distinct secrets by how they got out, one that did in several ways in each. It must not be changed.
func (s *Score) Leaked() map[Leak]int { return s.leaked }

// Why a score may be too low.
const (
	MissingRoot   = "root"     // no span without a parent was seen
	MissingParent = "parent"   // a span names a parent that was not seen
	MissingValue  = "withheld" // a value exceeded a limit and was not read
	MissingLedger = "ledger"   // the trace exceeded what a ledger records
)

func missing(l *Ledger, t *mapping.Tree) (why []string) {
	for _, m := range []struct {
		reason string
		is     bool
	}{
		{MissingRoot, !t.Rooted()},
		{MissingParent, t.Rooted() && !t.Complete()},
		{MissingValue, len(l.withheld) > 0},
		{MissingLedger, l.overflow},
	} {
		if m.is {
			why = append(why, m.reason)
		}
	}
	return why
}

// Score decides every place of the ledger into a channel and computes the Risk Index.
func (a *Auditor) Score(l *Ledger) *Score {
	s := &Score{
		GenAI: l.GenAI(), Withheld: l.Withheld(), Explicit: a.policy.vault != nil, tree: l.skeleton.Tree(),
		scored: a.policy.scored,
	}
	s.Missing = missing(l, s.tree)
	s.Complete = len(s.Missing) == 0
	if s.Explicit {
		s.Scope = a.policy.vault.Scope
	}
	var tally agentrisk.Tally
	var found []agentrisk.Occurrence
	s.leaked = map[Leak]int{}
	for id, sec := range l.secrets {
		var through agentrisk.ChannelSet
		if !l.excepts || sec.active(s.tree) {
			s.Secrets++
		}
		for p, except := range sec.places {
			if except != 0 && except&standing(s.tree, p) != 0 {
				continue // allowed
			}
			ch, replay := s.tree.Channel(p)
			if replay {
				ch = agentrisk.ChannelUserInput // known from an earlier trace: in the vault, leaked by someone else
			}
			if !s.scored.Has(ch) {
				continue // content of no channel, or of one that is left out, is in nobody's vault
			}
			tally.Add(id, sec.match.Level, ch)
			if ch.Disclosure() {
				found = append(found, agentrisk.Occurrence{Channel: ch, Type: sec.match.Type, Level: sec.match.Level})
				through.Add(ch)
			}
		}
		for _, ch := range through.Channels() {
			s.leaked[Leak{ch, sec.match.Type, sec.match.Level}]++
		}
	}
	s.Report, s.Err = tally.Report(a.policy.vault, a.policy.weights)
	if s.Err != nil {
		s.Outcome = agentrisk.Outcome{Violations: []string{"vault"}, Blocked: true, BlockedBy: []string{agentrisk.BlockedByVault}}
		return s
	}
	s.Outcome = a.policy.rules.Evaluate(s.Report, found)
	return s
}

// Agent names who emitted a span, empty when nobody is known to have.
func (s *Score) Agent(id pcommon.SpanID) string { return s.tree.Agent(id) }

// A Finding is one match at one place, with the channel it was decided to stand on.
type Finding struct {
	SpanID   pcommon.SpanID
	SpanName string // an event name where it is a log record
	Where    string // as leaf.Field.Where
	Path     string // as leaf.Node.Path
	Channel  agentrisk.Channel
	Type     agentrisk.DataType
	Level    agentrisk.Level
	Rule     string
	ID       agentrisk.SecretID
	// Replay marks repeated history: redacted, never disclosed.
	Replay bool
	// Unscored marks a channel that the policy leaves out of the score.
	Unscored bool
	// Copy marks a place found by the value that a rule recognised elsewhere; Token one that was redacted before.
	Copy, Token bool
	Length      int    // of the value in bytes
	Value       string // only with Options.KeepValues
	// Why says what the finding rests on, as detect.Scanner.Explain: the rule's own words, nothing of the text. Only with
	// Options.KeepValues, and empty for a copy.
	Why []string
}

// Disclosed reports whether the finding is a leak.
func (f *Finding) Disclosed() bool { return f.Channel.Disclosure() && !f.Unscored }

// Findings returns the matches of a batch in walking order, with their channels.
func (s *Score) Findings(b *Batch) []Finding {
	fs := make([]Finding, 0, len(b.hits))
	for i := range b.hits {
		h := &b.hits[i]
		if h.Rest || h.except != 0 && !b.spared.closed && h.except&standing(s.tree, h.place) != 0 {
			continue
		}
		ch, replay := s.tree.Channel(h.place)
		fs = append(fs, Finding{
			SpanID: h.place.Span, SpanName: h.span, Where: h.where, Path: h.path, Channel: ch, Type: h.Type, Level: h.Level,
			Rule: h.Rule, ID: h.ID, Replay: bool(replay), Unscored: ch != agentrisk.ChannelNone && !s.scored.Has(ch), Copy: h.copy,
			Token: h.Token, Length: h.End - h.Start, Value: h.value, Why: h.why,
		})
	}
	return fs
}

// A Step is one stop of a secret on its way through a trace.
type Step struct {
	SpanID  pcommon.SpanID
	Name    string // of the agent or tool that the span is, if known
	Agent   string // who emitted it
	Channel agentrisk.Channel
	start   uint64
}

// A Path is how one secret got out: where it entered, and where it was disclosed, by time.
type Path struct {
	ID      agentrisk.SecretID
	Type    agentrisk.DataType
	Level   agentrisk.Level
	Entered *Step // the first source, nil when the trace shows none
	Leaks   []Step
}

// Paths returns a path for each secret that leaked, the most severe first.
func (s *Score) Paths(l *Ledger) []Path {
	var paths []Path
	for id, sec := range l.secrets {
		var steps []Step
		for p, except := range sec.places {
			ch, _ := s.tree.Channel(p)
			if !s.scored.Has(ch) || except != 0 && except&standing(s.tree, p) != 0 {
				continue
			}
			st := Step{SpanID: p.Span, Channel: ch, Agent: s.tree.Agent(p.Span), start: s.tree.Start(p.Span)}
			if info := l.skeleton.Span(p.Span); info != nil {
				st.Name = info.Name
			}
			steps = append(steps, st)
		}
		slices.SortFunc(steps, func(a, b Step) int {
			return cmp.Or(cmp.Compare(a.start, b.start), slices.Compare(a.SpanID[:], b.SpanID[:]), cmp.Compare(a.Channel, b.Channel))
		})
		steps = slices.CompactFunc(steps, func(a, b Step) bool { return a.SpanID == b.SpanID && a.Channel == b.Channel })
		path := Path{ID: id, Type: sec.match.Type, Level: sec.match.Level}
		for i := range steps {
			switch {
			case steps[i].Channel.Disclosure():
				path.Leaks = append(path.Leaks, steps[i])
			case path.Entered == nil:
				path.Entered = &steps[i]
			}
		}
		if len(path.Leaks) > 0 {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b Path) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Type, b.Type), slices.Compare(a.ID[:], b.ID[:]))
	})
	return paths
}
