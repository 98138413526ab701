package report

import (
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// A ruleRow is one rule of the policy and what became of it.
type ruleRow struct {
	Name     string
	Violated bool
	Reason   string
}

// rules lists the rules that the gate checked, in its order.
func (t *Trace) rules() []ruleRow {
	o := &t.Score.Outcome
	names := o.Checked
	if names == nil {
		names = o.Violations
	}
	var rows []ruleRow
	for _, name := range names {
		rows = append(rows, ruleRow{Name: name, Violated: slices.Contains(o.Violations, name)})
	}
	return rows
}

// why says what the gate's decision rests on.
func (t *Trace) why() string {
	o := &t.Score.Outcome
	switch {
	case t.Score.Err != nil:
		return "No score can be computed."
	case len(o.Violations) > 0:
		return "Violated: " + strings.Join(o.Violations, ", ") + "."
	case o.Blocked && t.Score.Report.Leaked.Of(agentrisk.L4) > 0:
		return "The score is too low, or a critical secret leaked."
	case o.Blocked:
		return "The score is too low."
	case len(o.Checked) > 0:
		return "Every rule of the policy is kept."
	}
	return "No rule is violated."
}
