package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// The JSON of a Set. Lists are never null. The numbers of a trace are null when its vault is too small for what
// leaked, and error says so.
type (
	jsonSet struct {
		Schema   string        `json:"schema"`
		Tool     jsonTool      `json:"tool"`
		Basis    jsonBasis     `json:"basis"`
		Policies []jsonNamed   `json:"policies,omitempty"`
		Traces   []jsonTrace   `json:"traces"`
		Allowed  []jsonAllowed `json:"allowed,omitempty"`
		Baseline *jsonBaseline `json:"baseline,omitempty"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	// Key is null when the key was random: no secret_id is then that of another run.
	jsonBasis struct {
		Rules   string  `json:"rules"`
		Vault   string  `json:"vault"`
		Policy  string  `json:"policy"`
		Weights []int   `json:"weights"`
		Key     *string `json:"key"`
	}
	jsonNamed struct {
		Name  string    `json:"name"`
		Basis jsonBasis `json:"basis"`
	}
	jsonBaseline struct {
		By        string     `json:"by"`
		New       []jsonLeak `json:"new"`
		Fixed     []jsonLeak `json:"fixed"`
		Unchanged []jsonLeak `json:"unchanged"`
	}
	jsonLeak struct {
		Level    int    `json:"level"`
		Type     string `json:"data_type"`
		Channel  string `json:"channel"`
		SpanName string `json:"span_name"`
		Where    string `json:"where"`
		SecretID string `json:"secret_id"`
		Secrets  int    `json:"secrets"`
	}
	jsonTrace struct {
		TraceID      string             `json:"trace_id"`
		RiskIndex    *float64           `json:"risk_index"`
		PrivacyScore *int               `json:"privacy_score"`
		Verdict      *string            `json:"verdict"`
		WSL          *int               `json:"wsl"`
		RhoS         *int               `json:"rho_s"`
		LeakedCount  *int               `json:"leaked_count"`
		Leaked       *jsonProfile       `json:"level_profile"`
		Vault        *jsonProfile       `json:"vault_level_profile"`
		ByChannel    map[string]float64 `json:"ri_by_channel"`
		Blocked      bool               `json:"blocked"`
		BlockedBy    []string           `json:"blocked_by"`
		Conditional  bool               `json:"conditional"`
		Policy       jsonPolicy         `json:"policy"`
		Complete     bool               `json:"complete"`
		Withheld     int                `json:"withheld,omitempty"`
		Error        string             `json:"error,omitempty"`
		Findings     []jsonFinding      `json:"findings"`
		Paths        []jsonPath         `json:"leak_paths"`
	}
	jsonProfile struct {
		L1, L2, L3, L4 int
	}
	jsonPolicy struct {
		Name       string   `json:"name,omitempty"`
		Passed     bool     `json:"passed"`
		Violations []string `json:"violations"`
		Checked    []string `json:"checked"`
	}
	jsonFinding struct {
		SpanID    string `json:"span_id"`
		SpanName  string `json:"span_name"`
		Where     string `json:"where"`
		Path      string `json:"path"`
		Channel   string `json:"channel"`
		Type      string `json:"data_type"`
		Level     int    `json:"level"`
		Rule      string `json:"rule"`
		Disclosed bool   `json:"disclosed"`
		Replay    bool   `json:"replay"`
		SecretID  string `json:"secret_id"`
		Masked    string `json:"masked"`
		Value     string `json:"value,omitempty"`
		// Why is absent for copies, and where the audit was not asked for it.
		Why []string `json:"why,omitempty"`
	}
	jsonPath struct {
		SecretID  string     `json:"secret_id"`
		Type      string     `json:"data_type"`
		Level     int        `json:"level"`
		Entered   *jsonStep  `json:"entered"`
		Disclosed []jsonStep `json:"disclosed"`
	}
	jsonStep struct {
		SpanID  string `json:"span_id"`
		Name    string `json:"name"`
		Agent   string `json:"agent"`
		Channel string `json:"channel"`
	}
)

// WriteJSON writes the set as one indented JSON document that ends in a newline. Its errors are those of w.
func (s *Set) WriteJSON(w io.Writer) error {
	out := jsonSet{
		Schema: Schema, Tool: jsonTool{"otelcol-agentleak", s.Version}, Traces: make([]jsonTrace, len(s.Traces)),
		Basis: basisJSON(&s.Basis),
	}
	for i := range s.Policies {
		out.Policies = append(out.Policies, jsonNamed{s.Policies[i].Name, basisJSON(&s.Policies[i].Basis)})
	}
	if c := s.Baseline; c != nil {
		out.Baseline = &jsonBaseline{By: c.By, New: leaksJSON(c.New), Fixed: leaksJSON(c.Fixed), Unchanged: leaksJSON(c.Unchanged)}
	}
	for i := range s.Traces {
		out.Traces[i] = s.Traces[i].json()
	}
	out.Allowed = s.allowedJSON()
	return writeJSON(w, out)
}

func basisJSON(b *audit.Basis) jsonBasis {
	out := jsonBasis{Rules: b.Rules, Vault: b.Vault, Policy: b.Policy, Weights: append([]int{}, b.Weights...)}
	if b.Key != "" {
		out.Key = &b.Key
	}
	return out
}

// writeJSON writes an indented document in which every character that does not print is escaped, so that it is safe in
// a terminal and an editor too. Outside of strings JSON has none but line ends.
func writeJSON(w io.Writer, v any) error {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	out := make([]byte, 0, plain.Len())
	for _, r := range plain.String() {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	_, err := w.Write(out)
	return err
}

func leaksJSON(leaks []Leak) []jsonLeak {
	out := make([]jsonLeak, len(leaks))
	for i := range leaks {
		l := &leaks[i]
		out[i] = jsonLeak{int(l.Level), string(l.Type), l.Channel.String(), l.SpanName, l.Where, l.SecretID, l.Secrets}
	}
	return out
}

func (t *Trace) json() jsonTrace {
	o := &t.Score.Outcome
	out := jsonTrace{
		TraceID: t.ID, Blocked: o.Blocked, BlockedBy: list(o.BlockedBy), Conditional: o.Conditional, Complete: t.Score.Complete, Withheld: t.Score.Withheld,
		Policy:    jsonPolicy{t.Policy, o.Passed, list(o.Violations), list(o.Checked)},
		ByChannel: map[string]float64{},
		Findings:  make([]jsonFinding, len(t.Findings)),
		Paths:     make([]jsonPath, len(t.Paths)),
	}
	if t.Score.Err != nil {
		out.Error = t.Score.Err.Error()
	} else {
		out.score(&t.Score.Report)
	}
	for i := range t.Findings {
		out.Findings[i] = findingJSON(&t.Findings[i])
	}
	for i := range t.Paths {
		out.Paths[i] = pathJSON(&t.Paths[i])
	}
	return out
}

func (t *jsonTrace) score(r *agentrisk.Report) {
	verdict := r.Verdict.String()
	leaked, vault := jsonProfile(profile(r.Leaked)), jsonProfile(profile(r.Reachable))
	t.RiskIndex, t.PrivacyScore, t.Verdict = &r.RI, &r.PrivacyScore, &verdict
	t.WSL, t.RhoS, t.LeakedCount = &r.WSL, &r.Density, &r.LeakedCount
	t.Leaked, t.Vault = &leaked, &vault
	for _, c := range disclosed(r) {
		t.ByChannel[c.String()] = r.ByChannel[c]
	}
}

func profile(p agentrisk.Profile) struct{ L1, L2, L3, L4 int } {
	return struct{ L1, L2, L3, L4 int }{p[0], p[1], p[2], p[3]}
}

func findingJSON(f *audit.Finding) jsonFinding {
	return jsonFinding{
		SpanID: f.SpanID.String(), SpanName: f.SpanName, Where: f.Where, Path: f.Path,
		Channel: f.Channel.String(), Type: string(f.Type), Level: int(f.Level), Rule: f.Rule,
		Disclosed: f.Disclosed(), Replay: f.Replay, SecretID: f.ID.Fingerprint(), Masked: masked(f), Value: f.Value, Why: f.Why,
	}
}

func pathJSON(p *audit.Path) jsonPath {
	out := jsonPath{
		SecretID: p.ID.Fingerprint(), Type: string(p.Type), Level: int(p.Level), Disclosed: make([]jsonStep, len(p.Leaks)),
	}
	if p.Entered != nil {
		s := stepJSON(p.Entered)
		out.Entered = &s
	}
	for i := range p.Leaks {
		out.Disclosed[i] = stepJSON(&p.Leaks[i])
	}
	return out
}

func stepJSON(s *audit.Step) jsonStep {
	return jsonStep{SpanID: s.SpanID.String(), Name: s.Name, Agent: s.Agent, Channel: s.Channel.String()}
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
