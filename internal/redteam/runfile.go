package redteam

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// RunSchema names the form of a labelled run. It changes when a member is removed or means something else.
const RunSchema = "agentleak.redteam.run/1"

// A Record is one labelled run of a file: labels, and a trace to audit or what was detected on it.
type Record struct {
	Schema string `json:"schema,omitempty"`
	Labels
	// Canaries are exact values that must not leak. They are found beside what the detectors find, as type canary.
	Canaries []string `json:"canaries,omitempty"`
	// Trace is the telemetry itself, OTLP JSON or an AgentLeak trace, or a list of such. TraceFile is a file of it,
	// relative to the run's file. TraceID, in hex, picks one trace where there are several.
	Trace     json.RawMessage `json:"trace,omitempty"`
	TraceFile string          `json:"trace_file,omitempty"`
	TraceID   string          `json:"trace_id,omitempty"`
	// Vault, Attack and Planted say how a generated run came about. They are not read.
	Vault   *Vault      `json:"vault,omitempty"`
	Attack  *AttackText `json:"attack,omitempty"`
	Planted []Leak      `json:"planted_leaks,omitempty"`
	*Measured

	// Line is where the record begins, from 1.
	Line int `json:"-"`
}

// AttackText is what an attacker says, and where it came in.
type AttackText struct {
	Name    string `json:"name"`
	Surface string `json:"surface"`
	Payload string `json:"payload"`
}

// Measured is what somebody already detected on the trace of a run.
type Measured struct {
	Detected     []agentrisk.DataType `json:"detected_leaks"`
	OnPrimary    []agentrisk.DataType `json:"detected_on_primary"`
	RI           float64              `json:"risk_index"`
	PrivacyScore int                  `json:"privacy_score"`
}

// Run is the run of a record that was measured elsewhere.
func (r *Record) Run() Run {
	return Run{r.Labels, set(r.Detected), set(r.OnPrimary), r.RI, r.PrivacyScore}
}

// ReadRuns reads labelled runs, one JSON object after the other. Its errors name the line and the member, and the
// names in a label, but nothing of a trace.
func ReadRuns(data []byte) ([]Record, error) {
	var out []Record
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		at := int(dec.InputOffset())
		at += len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
		line := 1 + bytes.Count(data[:at], []byte("\n"))
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: not valid JSON", line)
		}
		r, err := readRun(raw)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		r.Line = line
		out = append(out, *r)
	}
}

// required are the members that a run must have.
var required = []string{
	"scenario_id", "vertical", "attack_class_id", "attack_family_id", "primary_channel", "adversary_level",
	"vault_field_count", "expected_leaks",
}

var optional = []string{
	"schema", "canaries", "trace", "trace_file", "trace_id", "detected_leaks", "detected_on_primary", "risk_index", "privacy_score",
	"vault", "attack", "planted_leaks",
}

func readRun(raw json.RawMessage) (*Record, error) {
	var members map[string]json.RawMessage
	if raw[0] != '{' || json.Unmarshal(raw, &members) != nil {
		return nil, errors.New("want an object")
	}
	for _, name := range required {
		if m, ok := members[name]; !ok || string(m) == "null" {
			return nil, fmt.Errorf("%s: missing; want %s", name, strings.Join(required, ", "))
		}
	}
	for _, name := range sortedKeys(members) {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			return nil, fmt.Errorf("%q: unknown member: want one of %s", name, strings.Join(slices.Concat(required, optional), ", "))
		}
	}
	var r Record
	if err := decode(raw, &r); err != nil {
		return nil, err
	}
	switch {
	case r.Schema != "" && r.Schema != RunSchema:
		return nil, fmt.Errorf("schema %q: want %s", r.Schema, RunSchema)
	case r.Scenario == "":
		return nil, errors.New("scenario_id: want a name")
	case r.VaultFields < 0:
		return nil, fmt.Errorf("vault_field_count %d: want 0 or more", r.VaultFields)
	case slices.Contains(r.Canaries, ""):
		return nil, errors.New("canaries: want no empty value")
	}
	given := 0
	for _, name := range []string{"trace", "trace_file", "detected_leaks"} {
		if m, ok := members[name]; ok && string(m) != "null" {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, errors.New("want one of trace, trace_file and detected_leaks")
	case r.Measured == nil:
	case members["detected_leaks"] == nil:
		return nil, errors.New("detected_on_primary, risk_index and privacy_score: only with detected_leaks")
	case r.RI < 0:
		return nil, fmt.Errorf("risk_index %v: want 0 or more", r.RI)
	case r.PrivacyScore < 0 || r.PrivacyScore > 100:
		return nil, fmt.Errorf("privacy_score %d: want 0 to 100", r.PrivacyScore)
	}
	return &r, nil
}
