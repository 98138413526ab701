package report

import (
	"encoding/json"
	"io"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// The JSON of a Set. Lists are never null. The numbers of a trace are null when its vault is too small for what
// leaked, and error says so.
type (
	jsonSet struct {
		Schema string      `json:"schema"`
		Traces []jsonTrace `json:"traces"`
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
	out := jsonSet{Schema: Schema, Traces: make([]jsonTrace, len(s.Traces))}
	for i := range s.Traces {
		out.Traces[i] = s.Traces[i].json()
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func (t *Trace) json() jsonTrace {
	o := &t.Score.Outcome
	out := jsonTrace{
		TraceID: t.ID, Blocked: o.Blocked, Complete: t.Score.Complete, Withheld: t.Score.Withheld,
		Policy:    jsonPolicy{o.Passed, list(o.Violations), list(o.Checked)},
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
		Disclosed: f.Disclosed(), Replay: f.Replay, SecretID: f.ID.Fingerprint(), Masked: masked(f), Value: f.Value,
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
