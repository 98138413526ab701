package report

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/redteam"
)

// RedTeamSchema names the form of the JSON of red-team results. It changes when a member is removed or means something
// else; new members may come without a change.
const RedTeamSchema = "agentleak.redteam/1"

// RedTeam is the result of evaluating attacks, in the order in which the sets are written.
type RedTeam struct{ Sets []RedTeamSet }

// A RedTeamSet is runs that belong together: those of a file, or of a pack.
type RedTeamSet struct {
	Name string
	Runs []redteam.Run
	// Reference is what another program detected on the same traces, as many runs in the same order. Nil: nothing is
	// known.
	Reference []redteam.Run
}

// Runs are the runs of all sets.
func (r *RedTeam) Runs() []redteam.Run {
	var all []redteam.Run
	for i := range r.Sets {
		all = append(all, r.Sets[i].Runs...)
	}
	return all
}

// The JSON of RedTeam. Numbers are not rounded, lists never null.
type (
	jsonRedTeam struct {
		Schema  string           `json:"schema"`
		Overall redteam.Metrics  `json:"overall"`
		Sets    []jsonRedTeamSet `json:"sets"`
	}
	jsonRedTeamSet struct {
		Name      string           `json:"name"`
		Metrics   redteam.Metrics  `json:"metrics"`
		Reference *redteam.Metrics `json:"reference,omitempty"`
		Runs      []jsonRun        `json:"runs"`
	}
	jsonRun struct {
		redteam.Run
		Leaked    int            `json:"leaked"`
		ELR       float64        `json:"elr"`
		Success   bool           `json:"success"`
		Reference *jsonReference `json:"reference,omitempty"`
	}
	jsonReference struct {
		Detected     []agentrisk.DataType `json:"detected_leaks"`
		OnPrimary    []agentrisk.DataType `json:"detected_on_primary"`
		RI           float64              `json:"risk_index"`
		PrivacyScore int                  `json:"privacy_score"`
		Success      bool                 `json:"success"`
	}
)

// WriteJSON writes one indented JSON document that ends in a newline. Its errors are those of w.
func (r *RedTeam) WriteJSON(w io.Writer) error {
	out := jsonRedTeam{Schema: RedTeamSchema, Overall: redteam.Measure(r.Runs()), Sets: []jsonRedTeamSet{}}
	for i := range r.Sets {
		out.Sets = append(out.Sets, r.Sets[i].json())
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func (s *RedTeamSet) json() jsonRedTeamSet {
	out := jsonRedTeamSet{Name: s.Name, Metrics: redteam.Measure(s.Runs), Runs: []jsonRun{}}
	if s.Reference != nil {
		m := redteam.Measure(s.Reference)
		out.Reference = &m
	}
	for i := range s.Runs {
		r := s.Runs[i]
		r.Expected, r.Detected, r.OnPrimary = types(r.Expected), types(r.Detected), types(r.OnPrimary)
		j := jsonRun{Run: r, Leaked: r.Leaked(), ELR: out.Metrics.ELR[i].ELR, Success: r.Success()}
		if s.Reference != nil {
			o := &s.Reference[i]
			j.Reference = &jsonReference{types(o.Detected), types(o.OnPrimary), o.RI, o.PrivacyScore, o.Success()}
		}
		out.Runs = append(out.Runs, j)
	}
	return out
}

func types(ts []agentrisk.DataType) []agentrisk.DataType {
	if ts == nil {
		return []agentrisk.DataType{}
	}
	return ts
}

// gaps are the expected types that leaked by one account and not by the other, sorted.
func gaps(expected, by, notBy []agentrisk.DataType) []agentrisk.DataType {
	var out []agentrisk.DataType
	for _, t := range expected {
		if slices.Contains(by, t) && !slices.Contains(notBy, t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out
}
