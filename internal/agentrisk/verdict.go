package agentrisk

import "fmt"

// Verdict is the band a privacy score falls in.
type Verdict uint8

const (
	Pass            Verdict = iota // 90 to 100
	ConditionalPass                // 70 to 89
	HighRisk                       // 40 to 69
	Fail                           // below 40
)

var verdicts = [...]struct {
	atLeast     int
	name, title string
}{
	Pass:            {90, "pass", "Pass"},
	ConditionalPass: {70, "conditional_pass", "Conditional pass"},
	HighRisk:        {40, "high_risk", "High risk"},
	Fail:            {0, "fail", "Fail"},
}

// VerdictOf returns the band of a privacy score, which counts from 0 to 100.
func VerdictOf(score int) Verdict {
	for i, v := range verdicts {
		if score >= v.atLeast {
			return Verdict(i)
		}
	}
	return Fail
}

// String returns the name used in attributes and JSON, such as
// "conditional_pass", and "Verdict(n)" for a value that is no verdict.
func (v Verdict) String() string {
	if int(v) < len(verdicts) {
		return verdicts[v].name
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// Title returns the name for people, such as "Conditional pass".
func (v Verdict) Title() string {
	if int(v) < len(verdicts) {
		return verdicts[v].title
	}
	return v.String()
}
