package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// maxResults bounds the results of a SARIF log, those of the highest level first. GitHub refuses a run with more than
// 25000; a notification in the log says what was left out.
const maxResults = 5000

// The parts of SARIF 2.1.0 (OASIS, sarif-v2.1.0-os) that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Artifacts   []sarifArtifact   `json:"artifacts"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		Version         string      `json:"version,omitempty"`
		InformationURI  string      `json:"informationUri"`
		SemanticVersion string      `json:"semanticVersion,omitempty"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Name    string       `json:"name"`
		Short   sarifText    `json:"shortDescription"`
		Full    sarifText    `json:"fullDescription"`
		Help    sarifText    `json:"help"`
		Default sarifDefault `json:"defaultConfiguration"`
		Props   sarifProps   `json:"properties"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifProps struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"security-severity"`
	}
	sarifInvocation struct {
		Successful    bool        `json:"executionSuccessful"`
		Notifications []sarifNote `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNote struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifArtifact struct {
		Location sarifURI `json:"location"`
	}
	sarifURI struct {
		URI   string `json:"uri"`
		Index *int   `json:"index,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"fingerprints,omitempty"`
		Partial      map[string]string `json:"partialFingerprints"`
		CodeFlows    []sarifCodeFlow   `json:"codeFlows,omitempty"`
		Baseline     string            `json:"baselineState,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifURI     `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name          string `json:"name"`
		QualifiedName string `json:"fullyQualifiedName"`
		Kind          string `json:"kind"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowStep `json:"locations"`
	}
	sarifFlowStep struct {
		Location sarifLocation `json:"location"`
	}
)

// sarifLevels are the result level of each level, and the score that code scanning sorts by, 0 to 10.
var sarifLevels = map[agentrisk.Level]struct{ level, severity string }{
	agentrisk.L4: {"error", "9.0"}, agentrisk.L3: {"error", "7.0"}, agentrisk.L2: {"warning", "5.0"}, agentrisk.L1: {"note", "2.0"},
}

// WriteSARIF writes the set as a SARIF 2.1.0 log: a rule for each data type that leaked, a result for each disclosed
// finding. Its errors are those of w.
func (s *Set) WriteSARIF(w io.Writer) error {
	b := &sarifBuilder{rules: map[agentrisk.DataType]int{}, artifacts: map[string]int{}, seen: map[string]int{}}
	for _, f := range s.Files {
		b.artifact(f)
	}
	left := b.results(s)
	inv := sarifInvocation{Successful: true}
	note := func(text string) {
		inv.Notifications = append(inv.Notifications, sarifNote{"warning", sarifText{Text: text}})
	}
	if left > 0 {
		note(fmt.Sprintf("%s, of no higher level, left out: the JSON report has all.", count(left, "more result")))
	}
	inv.Notifications = append(inv.Notifications, s.sarifAllowed()...)
	for i := range s.Traces {
		if t := &s.Traces[i]; t.Score.Err != nil && len(inv.Notifications) < maxTraces {
			note(fmt.Sprintf("Trace %s: %s", t.title(), t.Score.Err))
		}
	}
	b.run.Invocations = []sarifInvocation{inv}
	b.run.ColumnKind = "utf16CodeUnits"
	b.run.Tool.Driver.Name = "otelcol-agentleak"
	b.run.Tool.Driver.Version, b.run.Tool.Driver.SemanticVersion = s.Version, s.Version
	b.run.Tool.Driver.InformationURI = "https://github.com/agentleak/otelcol-agentleak"
	for _, list := range []any{&b.run.Tool.Driver.Rules, &b.run.Artifacts, &b.run.Results} {
		notNull(list)
	}
	return writeJSON(w, sarifLog{
		Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{b.run},
	})
}

func notNull(list any) {
	switch l := list.(type) {
	case *[]sarifRule:
		*l = append([]sarifRule{}, *l...)
	case *[]sarifArtifact:
		*l = append([]sarifArtifact{}, *l...)
	case *[]sarifResult:
		*l = append([]sarifResult{}, *l...)
	}
}

type sarifBuilder struct {
	run       sarifRun
	rules     map[agentrisk.DataType]int
	artifacts map[string]int
	seen      map[string]int // how often a place was reported
}

// results adds the disclosed findings, the most severe first, and returns how many had no room.
func (b *sarifBuilder) results(s *Set) int {
	type one struct {
		t *Trace
		i int
	}
	var all []one
	for i := range s.Traces {
		t := &s.Traces[i]
		for j := range t.Findings {
			if f := &t.Findings[j]; f.Disclosed() && !f.Replay {
				all = append(all, one{t, j})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y one) int { return cmp.Compare(y.t.Findings[y.i].Level, x.t.Findings[x.i].Level) })
	known := map[*Trace]*sarifTrace{}
	for _, x := range all[:min(len(all), maxResults)] {
		if known[x.t] == nil {
			known[x.t] = newSarifTrace(x.t)
		}
		b.result(s, known[x.t], x.i)
	}
	return max(0, len(all)-maxResults)
}

// A sarifTrace is a trace with what its results look up.
type sarifTrace struct {
	*Trace
	paths map[agentrisk.SecretID]*audit.Path
	spans map[[8]byte]Origin // where a span with a finding stands
}

func newSarifTrace(t *Trace) *sarifTrace {
	st := &sarifTrace{t, map[agentrisk.SecretID]*audit.Path{}, map[[8]byte]Origin{}}
	for i := range t.Paths {
		st.paths[t.Paths[i].ID] = &t.Paths[i]
	}
	for i := range t.Origins {
		if id := t.Findings[i].SpanID; st.spans[id].File == "" {
			st.spans[id] = t.Origins[i]
		}
	}
	return st
}

func (b *sarifBuilder) result(s *Set, t *sarifTrace, i int) {
	f := &t.Findings[i]
	from := Origin{}
	if i < len(t.Origins) {
		from = t.Origins[i]
	}
	rule := b.rule(f)
	key := placeKey(t.Policy, f)
	b.seen[key]++
	hash := sha256.Sum256([]byte(key))
	at := hex.EncodeToString(hash[:8])
	r := sarifResult{
		RuleID: b.run.Tool.Driver.Rules[rule].ID, RuleIndex: rule, Level: sarifLevels[f.Level].level,
		Message: sarifText{Text: fmt.Sprintf("%s (%s) disclosed on %s at %s of span %s. Trace %s, value %s.", clean(string(f.Type), maxName), f.Level,
			f.Channel, clean(place(f), 2*maxFull), cmp.Or(clean(f.SpanName, maxFull), "(no name)"), t.title(), masked(f))},
		Locations: []sarifLocation{{Physical: b.physical(from), Logical: []sarifLogical{{
			Name: clean(place(f), 2*maxFull), QualifiedName: logical(t.title(), clean(f.SpanName, maxFull), clean(place(f), 2*maxFull)), Kind: "member",
		}}}},
		Partial: map[string]string{
			"agentleakPlace/v1": at,
			// The name that code scanning tells alerts apart by.
			"primaryLocationLineHash": fmt.Sprintf("%s:%d", at, b.seen[key]),
		},
	}
	if s.StableKey(t.Trace) {
		r.Fingerprints = map[string]string{"agentleakSecret/v1": f.ID.Fingerprint() + "/" + f.Channel.String()}
	}
	if s.Baseline != nil {
		r.Baseline = s.Baseline.state(t.Policy, f)
	}
	if p := t.paths[f.ID]; p != nil {
		r.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{{b.flow(t, p, from)}}}}
	}
	b.run.Results = append(b.run.Results, r)
}

// flow is the way of the secret through the trace.
func (b *sarifBuilder) flow(t *sarifTrace, p *audit.Path, from Origin) []sarifFlowStep {
	var steps []sarifFlowStep
	add := func(what string, s *audit.Step) {
		name := clean(cmp.Or(s.Name, s.Agent, s.SpanID.String(), "trace"), maxFull)
		steps = append(steps, sarifFlowStep{sarifLocation{
			Physical: b.physical(cmp.Or(t.spans[s.SpanID], from)),
			Logical:  []sarifLogical{{Name: name, QualifiedName: logical(t.title(), name, s.Channel.String()), Kind: "member"}},
			Message:  &sarifText{Text: what + " " + s.Channel.String()},
		}})
	}
	if p.Entered != nil {
		add("entered by", p.Entered)
	}
	for i := range p.Leaks[:min(len(p.Leaks), maxStops)] {
		add("disclosed on", &p.Leaks[i])
	}
	return steps
}

func (b *sarifBuilder) physical(o Origin) *sarifPhysical {
	if o.File == "" {
		return nil
	}
	i := b.artifact(o.File)
	// Code scanning shows nothing without a line.
	return &sarifPhysical{sarifURI{b.run.Artifacts[i].Location.URI, &i}, &sarifRegion{max(o.Line, 1)}}
}

func (b *sarifBuilder) artifact(file string) int {
	if file == "-" {
		file = "stdin"
	}
	i, ok := b.artifacts[file]
	if !ok {
		i = len(b.run.Artifacts)
		b.artifacts[file] = i
		b.run.Artifacts = append(b.run.Artifacts, sarifArtifact{sarifURI{URI: fileURI(file)}})
	}
	return i
}

// fileURI is a file name as a reference: relative as it is, else with the scheme file.
func fileURI(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	drive := len(name) > 2 && name[1] == ':' && name[2] == '/'
	rooted := strings.HasPrefix(name, "/")
	name = path.Clean(name)
	var b strings.Builder
	switch {
	case rooted:
		b.WriteString("file://")
	case drive:
		b.WriteString("file:///")
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', strings.IndexByte("-._~/", c) >= 0, c == ':' && drive && i == 1:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// rule returns the index of the rule of a finding's data type. A data type has one level in a run.
func (b *sarifBuilder) rule(f *audit.Finding) int {
	if i, ok := b.rules[f.Type]; ok {
		return i
	}
	name := clean(string(f.Type), maxName)
	info, _ := agentrisk.Lookup(f.Type)
	help := onFamily[familyOf(f.Type)]
	r := sarifRule{
		ID: "agentleak/" + name, Name: pascal(name), Short: sarifText{Text: name + " disclosed by an agent"},
		Full:    sarifText{Text: fmt.Sprintf("A value of type %s (level %s) stands on a disclosure channel of an agent's trace.", name, f.Level)},
		Help:    sarifText{Text: help},
		Default: sarifDefault{sarifLevels[f.Level].level},
		Props:   sarifProps{[]string{"privacy", "security"}, sarifLevels[f.Level].severity},
	}
	if info.Basis != "" {
		r.Help.Text += " Protected by: " + info.Basis + "."
	}
	r.Help.Markdown = mdText(r.Help.Text)
	for _, c := range agentrisk.Channels() {
		if hint := onChannel[c]; hint != "" {
			r.Help.Text += "\n" + c.String() + ": " + hint
			r.Help.Markdown += "\n- `" + c.String() + "`: " + hint
		}
	}
	i := len(b.run.Tool.Driver.Rules)
	b.rules[f.Type] = i
	b.run.Tool.Driver.Rules = append(b.run.Tool.Driver.Rules, r)
	return i
}

// pascal writes a data type as SARIF wants the name of a rule.
func pascal(name string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == ' ' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// logical joins the parts of a qualified name.
func logical(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")
}
