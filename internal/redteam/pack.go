package redteam

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// A Pack is one of the files of an AgentLeak scenario pack: the scenarios, the event traces made of them, or what the
// reference found in those. One file fills one of the maps; packs of one id belong together.
type Pack struct {
	ID   string
	Name string
	// Labels and Canaries are of each scenario, Order its scenarios or traces as they come.
	Labels   map[string]Labels
	Canaries map[string][]string
	Traces   map[string]json.RawMessage // an AgentLeak trace each
	Order    []string
	results  map[string]*packReport
}

// IsPack reports whether the members of a JSON object are those of a pack's file.
func IsPack(members map[string]json.RawMessage) bool {
	if _, ok := members["format"]; !ok {
		return false
	}
	for _, name := range []string{"scenarios", "traces", "results"} {
		if _, ok := members[name]; ok {
			return true
		}
	}
	return false
}

// ReadPack reads one file of a pack. Its errors say where, never what stood there.
func ReadPack(data []byte) (*Pack, error) {
	var file struct {
		ID        string            `json:"id"`
		Name      string            `json:"name"`
		Format    string            `json:"format"`
		Scenarios []json.RawMessage `json:"scenarios"`
		Traces    []packTrace       `json:"traces"`
		Results   []packResult      `json:"results"`
	}
	if err := decode(data, &file); err != nil {
		return nil, err
	}
	if file.ID == "" {
		return nil, errors.New("id: want the name of the pack")
	}
	p := &Pack{
		ID: file.ID, Name: file.Name, Labels: map[string]Labels{}, Canaries: map[string][]string{},
		Traces: map[string]json.RawMessage{}, results: map[string]*packReport{},
	}
	if len(file.Scenarios) > 0 {
		label, ok := packFormats[file.Format]
		if !ok {
			return nil, fmt.Errorf("format %q: want one of %s", file.Format, strings.Join(sortedKeys(packFormats), ", "))
		}
		for i, raw := range file.Scenarios {
			l, canaries, err := label(raw)
			if err == nil && l.Scenario == "" {
				err = errors.New("want an id")
			}
			if err == nil && slices.Contains(p.Order, l.Scenario) {
				err = errors.New("the id is there twice")
			}
			if err != nil {
				return nil, fmt.Errorf("scenarios[%d]: %w", i, err)
			}
			p.Labels[l.Scenario], p.Canaries[l.Scenario] = l, canaries
			p.Order = append(p.Order, l.Scenario)
		}
	}
	for i, t := range file.Traces {
		if t.ID == "" || len(t.Trace) == 0 {
			return nil, fmt.Errorf("traces[%d]: want id and trace", i)
		}
		p.Traces[t.ID] = t.Trace
		for _, tier := range sortedKeys(t.Canaries) {
			p.Canaries[t.ID] = append(p.Canaries[t.ID], t.Canaries[tier]...)
		}
		if len(file.Scenarios) == 0 {
			p.Order = append(p.Order, t.ID)
		}
	}
	for i, r := range file.Results {
		if r.ID == "" || r.report() == nil {
			return nil, fmt.Errorf("results[%d]: want id and all_detectors", i)
		}
		p.results[r.ID] = r.report()
	}
	return p, nil
}

// Merge adds what another file of the pack holds. Canaries of both count; the order is that of the scenarios.
func (p *Pack) Merge(o *Pack) {
	if p.Name == "" {
		p.Name = o.Name
	}
	if len(p.Labels) == 0 && len(o.Order) > 0 && (len(o.Labels) > 0 || len(p.Order) == 0) {
		p.Order = o.Order
	}
	maps.Copy(p.Labels, o.Labels)
	for id, c := range o.Canaries {
		for _, v := range c {
			if !slices.Contains(p.Canaries[id], v) {
				p.Canaries[id] = append(p.Canaries[id], v)
			}
		}
	}
	maps.Copy(p.Traces, o.Traces)
	maps.Copy(p.results, o.results)
}

// Reference is the run that the reference made of a scenario's trace, with the labels given.
func (p *Pack) Reference(l Labels) (Run, bool) {
	rep := p.results[l.Scenario]
	if rep == nil {
		return Run{}, false
	}
	var seen []sighting
	for _, f := range rep.Findings {
		var c agentrisk.Channel
		if c.UnmarshalText([]byte(f.Channel)) == nil {
			seen = append(seen, sighting{c, f.Type})
		}
	}
	r := judge(l, seen)
	r.RI, r.PrivacyScore = rep.RI, rep.PrivacyScore
	return r, true
}

type packTrace struct {
	ID       string              `json:"id"`
	Canaries map[string][]string `json:"canaries"` // by tier
	Trace    json.RawMessage     `json:"trace"`
}

// packResult is what the reference found: with canaries where the scenario has some.
type packResult struct {
	ID           string      `json:"id"`
	All          *packReport `json:"all_detectors"`
	WithCanaries *packReport `json:"all_detectors_canaries"`
}

type packReport struct {
	RI           float64 `json:"ri_global"`
	PrivacyScore int     `json:"privacy_score"`
	Findings     []struct {
		Channel string             `json:"channel"`
		Type    agentrisk.DataType `json:"data_type"`
	} `json:"findings"`
}

// report is nil where the reference has none.
func (r *packResult) report() *packReport {
	if r.WithCanaries != nil {
		return r.WithCanaries
	}
	return r.All
}
