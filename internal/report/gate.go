package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// A ruleRow is one rule of the policy and what became of it.
type ruleRow struct {
	Name     string
	Violated bool
	Reason   string // what the rule looked at, in this trace
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
		rows = append(rows, ruleRow{Name: name, Violated: slices.Contains(o.Violations, name), Reason: t.reason(name)})
	}
	return rows
}

// reason says what stands against a rule, whether it was violated or not.
func (t *Trace) reason(rule string) string {
	r := &t.Score.Report
	disclosed := func(of func(i int) string) string {
		var all []string
		for i := range t.Findings {
			if f := &t.Findings[i]; f.Disclosed() && !f.Replay {
				all = append(all, of(i))
			}
		}
		slices.Sort(all)
		all = slices.Compact(all)
		if len(all) > maxStops {
			all = append(all[:maxStops], fmt.Sprintf("%d more", len(all)-maxStops))
		}
		if all == nil {
			return "Nothing was disclosed."
		}
		return "Disclosed: " + strings.Join(all, ", ") + "."
	}
	switch rule {
	case "vault":
		if t.Score.Err != nil {
			return sentence(t.Score.Err.Error())
		}
	case "max_risk_index":
		return fmt.Sprintf("The Risk Index is %.4f.", r.RiskIndex())
	case "max_findings":
		_, leaks, _ := t.listed()
		return fmt.Sprintf("%s disclosed.", count(leaks, "finding"))
	case "forbid_levels":
		return disclosed(func(i int) string { return t.Findings[i].Level.String() })
	case "forbid_channels":
		return disclosed(func(i int) string { return t.Findings[i].Channel.String() })
	case "forbid_data_types":
		return disclosed(func(i int) string { return clean(string(t.Findings[i].Type), maxName) })
	case "require_explicit_vault":
		if t.Score.Explicit {
			return "A vault is declared."
		}
		return "No vault is declared."
	}
	return ""
}

// why says what the gate's decision rests on.
func (t *Trace) why() string {
	o := &t.Score.Outcome
	switch {
	case t.Score.Err != nil:
		return "No score can be computed."
	case o.Blocked:
		var all []string
		for _, by := range o.BlockedBy {
			switch by {
			case agentrisk.BlockedByPolicy:
				all = append(all, "Violated: "+strings.Join(o.Violations, ", ")+".")
			case agentrisk.BlockedByScore:
				all = append(all, "The score is under fail_below.")
			case agentrisk.BlockedByCritical:
				all = append(all, "A secret of level 4 leaked (block_on_critical).")
			}
		}
		return strings.Join(all, " ")
	case o.Conditional:
		return "The score is under conditional_below: look at it before release."
	case len(o.Checked) > 0:
		return "Every rule of the policy is kept."
	}
	return "No rule is violated."
}
