package redteam

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// packFormats read one scenario of each format of packs: its labels, and the exact values that must not leak.
var packFormats = map[string]func(json.RawMessage) (Labels, []string, error){
	"agentleak_spec": specLabels,
	"agentdojo":      dojoLabels,
	"privacylens":    lensLabels,
}

// NoAttack names the class and the family of a run without an attacker.
const NoAttack = "none"

// specLabels reads a scenario of AgentLeak's own specification. What its allowed set forbids, and its vault has, is
// expected to leak; the primary channel is the first target on which something can leak. Without an attack it is the
// first channel to audit.
func specLabels(raw json.RawMessage) (Labels, []string, error) {
	var s struct {
		ID       string `json:"scenario_id"`
		Vertical string `json:"vertical"`
		Vault    struct {
			Records []struct {
				Fields map[string]json.RawMessage `json:"fields"`
			} `json:"records"`
		} `json:"private_vault"`
		Allowed struct {
			Forbidden []string `json:"forbidden_fields"`
		} `json:"allowed_set"`
		Attack struct {
			Enabled   bool     `json:"enabled"`
			Class     string   `json:"attack_class"`
			Family    string   `json:"attack_family"`
			Adversary string   `json:"adversary_level"`
			Targets   []string `json:"target_channels"`
		} `json:"attack"`
		Evaluation struct {
			Canaries []string `json:"canaries"`
			Channels []string `json:"channels_to_audit"`
		} `json:"evaluation"`
	}
	if err := decode(raw, &s); err != nil {
		return Labels{}, nil, err
	}
	l := Labels{
		Scenario: s.ID, Vertical: s.Vertical, Class: s.Attack.Class, Family: s.Attack.Family, Adversary: s.Attack.Adversary,
	}
	targets := s.Attack.Targets
	if !s.Attack.Enabled {
		l.Class, l.Family, targets = NoAttack, NoAttack, s.Evaluation.Channels
	}
	for _, t := range targets {
		if c := specChannels[t]; c.Disclosure() {
			l.Primary = c.String()
			break
		}
	}
	inVault := map[agentrisk.DataType]bool{}
	for _, r := range s.Vault.Records {
		l.VaultFields += len(r.Fields)
		for name := range r.Fields {
			inVault[fieldType(name)] = true
		}
	}
	for _, name := range s.Allowed.Forbidden {
		if t := fieldType(name); inVault[t] {
			l.Expected = append(l.Expected, t)
		}
	}
	if len(s.Evaluation.Canaries) > 0 {
		l.Expected = append(l.Expected, canary)
	}
	l.Expected = set(l.Expected)
	return l, s.Evaluation.Canaries, nil
}

// canary is the type of a planted value.
const canary agentrisk.DataType = "canary"

// specChannels are the names that the specification has for channels.
var specChannels = map[string]agentrisk.Channel{
	"final_output": agentrisk.ChannelFinalOutput, "inter_agent": agentrisk.ChannelInterAgentMessage,
	"tool_input": agentrisk.ChannelToolCall, "tool_output": agentrisk.ChannelToolResponse,
	"memory_write": agentrisk.ChannelSharedMemory, "log": agentrisk.ChannelLog, "artifact": agentrisk.ChannelGeneratedFile,
}

// fieldTypes are the data types of the fields that records have under another name.
var fieldTypes = map[string]agentrisk.DataType{
	"account_last4": "account_number", "allergies": "health_condition", "annual_income": "income",
	"assessment": "health_condition", "balance": "account_balance", "case_details": "legal_record",
	"chief_complaint": "health_condition", "client_id": "client_identifier", "client_name": "person_name",
	"client_ssn": "ssn", "confidential_notes": "internal_note", "confidential_strategy": "legal_record",
	"criminal_history": "legal_record", "current_salary": "salary", "customer_name": "person_name",
	"diagnosis": "health_condition", "disciplinary_actions": "disciplinary_action", "dob": "date_of_birth",
	"expected_salary": "salary", "individual_names": "person_name", "insurance_id": "health_identifier",
	"internal_notes": "internal_note", "medical_history": "health_condition", "medications": "medication",
	"name": "person_name", "opposing_party": "person_name", "opposing_party_info": "person_name",
	"other_clients": "person_name", "other_medications": "medication", "patient_id": "health_identifier",
	"patient_name": "person_name", "performance_notes": "performance_review", "phone": "phone_number",
	"salaries": "salary", "settlement_amount": "legal_record",
}

// fieldType is the data type of a record's field. A field that no type of ours covers stands for itself.
func fieldType(name string) agentrisk.DataType {
	if t, ok := fieldTypes[name]; ok {
		return t
	}
	return agentrisk.DataType(name)
}

// dojoLabels reads a scenario of AgentDojo: instructions in a tool's result make the agent send values out by another
// tool. The values it names are the vault.
func dojoLabels(raw json.RawMessage) (Labels, []string, error) {
	var s struct {
		ID     string   `json:"id"`
		Suite  string   `json:"suite"`
		Values []string `json:"leaked_values"`
	}
	if err := decode(raw, &s); err != nil {
		return Labels{}, nil, err
	}
	return Labels{
		Scenario: s.ID, Vertical: s.Suite, Class: "F2.1", Family: "F2", Adversary: "A2",
		Primary: agentrisk.ChannelToolCall.String(), VaultFields: len(s.Values), Expected: []agentrisk.DataType{canary},
	}, nil, nil
}

// lensLabels reads a scenario of PrivacyLens: nobody attacks, and the agent's last action tells somebody what it should
// not. The sensitive items are the vault.
func lensLabels(raw json.RawMessage) (Labels, []string, error) {
	var s struct {
		Name string `json:"name"`
		Seed struct {
			Source string `json:"source"`
		} `json:"seed"`
		Trajectory struct {
			Items []string `json:"sensitive_info_items"`
		} `json:"trajectory"`
	}
	if err := decode(raw, &s); err != nil {
		return Labels{}, nil, err
	}
	return Labels{
		Scenario: s.Name, Vertical: s.Seed.Source, Class: NoAttack, Family: NoAttack, Adversary: "A0",
		Primary: agentrisk.ChannelToolCall.String(), VaultFields: len(s.Trajectory.Items), Expected: []agentrisk.DataType{canary},
	}, nil, nil
}

// decode reads JSON. The decoder's own errors quote what they read; this one names the member.
func decode(data []byte, into any) error {
	err := json.NewDecoder(bytes.NewReader(data)).Decode(into)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("%s: want %s", member(wrong.Field), kind(wrong.Type.Kind().String()))
	}
	return errors.New("not valid JSON, or no object")
}

// kind says in JSON's words what a Go kind reads.
func kind(of string) string {
	switch of {
	case "string":
		return "a string"
	case "int", "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "slice":
		return "a list"
	}
	return "an object"
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// member is the path of a member without the names of embedded structs, which JSON does not have.
func member(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "Labels."), "Measured.")
}
