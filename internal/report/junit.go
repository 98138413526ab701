package report

import (
	"encoding/xml"
	"fmt"
	"io"
)

// The JUnit form: a suite for each trace, with one case for the gate as a whole and one for each rule that was
// checked.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		// What rows of the allow list took out.
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value int    `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitFailure `xml:"failure"`
		Error   *junitFailure `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the set as JUnit XML, as CI systems show it: a trace fails when the gate blocks it, a rule when it
// is violated, and a trace without a score is an error. Its errors are those of w.
func (s *Set) WriteJUnit(w io.Writer) error {
	out := junitSuites{Name: "agentleak"}
	for i := range s.Traces {
		suite := s.Traces[i].junit()
		suite.Properties = s.junitAllowed(&s.Traces[i])
		out.Tests += suite.Tests
		out.Failures += suite.Failures
		out.Errors += suite.Errors
		out.Suites = append(out.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (t *Trace) junit() junitSuite {
	suite := junitSuite{Name: t.title()}
	gate := junitCase{Class: suite.Name, Name: "gate"}
	list, leaks, _ := t.listed()
	detail := ""
	for _, i := range list[:min(leaks, maxFindings)] {
		f := &t.Findings[i]
		detail += fmt.Sprintf("%s %s on %s: span %s, %s, %s\n", f.Level, clean(string(f.Type), maxName), f.Channel,
			clean(f.SpanName, maxName), clean(place(f), maxWhere), masked(f))
	}
	if more := leaks - maxFindings; more > 0 {
		detail += fmt.Sprintf("and %d more\n", more)
	}
	switch {
	case t.Score.Err != nil:
		gate.Error = &junitFailure{Message: clean(t.Score.Err.Error(), maxFull), Type: "score", Text: detail}
	case t.Score.Outcome.Blocked:
		gate.Failure = &junitFailure{Message: t.summary() + " " + t.why(), Type: "blocked", Text: detail}
	default:
		gate.Out = t.summary()
	}
	suite.add(gate)
	for _, r := range t.rules() {
		c := junitCase{Class: suite.Name, Name: "policy: " + r.Name}
		if r.Violated && t.Score.Err == nil {
			c.Failure = &junitFailure{Message: r.Reason, Type: "violated"}
		}
		suite.add(c)
	}
	return suite
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}
