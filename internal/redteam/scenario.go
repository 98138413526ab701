package redteam

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// Options say which scenarios to generate.
type Options struct {
	Vertical  string // one of Verticals, or another name of one
	Adversary string // A0, A1 or A2
	Dialect   string // one of Dialects
	Seed      uint64
	N         int // how many, from 1 to MaxScenarios
}

// MaxScenarios bounds one call of Generate.
const MaxScenarios = 100_000

// Verticals and Dialects list the names that Options take, sorted.
func Verticals() []string { return sortedKeys(verticals) }
func Dialects() []string  { return sortedKeys(dialects) }

// A Scenario is an attack on a vault, and the telemetry of the agent that was attacked.
type Scenario struct {
	Labels
	Vault   Vault
	Attack  Attack
	Lure    string // what the attacker says; empty where nobody attacks
	Planted []Leak // what the agent discloses, sorted; nothing where it resists
	Traces  ptrace.Traces
	Logs    plog.Logs
}

// fallRate is how many of a hundred agents fall for an adversary.
var fallRate = map[Adversary]int{A0: 40, A1: 55, A2: 75}

// Generate hands scenarios to each, in order, until it returns an error. What a scenario is depends on the options but
// N and on its number alone, byte for byte; the attacks are those of the adversary and of the levels below, in turn.
func Generate(o Options, each func(*Scenario) error) error {
	name := cmp.Or(verticalNames[o.Vertical], o.Vertical)
	v := verticals[name]
	level, known := ParseAdversary(o.Adversary)
	d := dialects[o.Dialect]
	switch {
	case v == nil:
		return fmt.Errorf("vertical %q: want one of %s", o.Vertical, strings.Join(Verticals(), ", "))
	case !known:
		return fmt.Errorf("adversary %q: want one of %s", o.Adversary, strings.Join(adversaryNames, ", "))
	case d == nil:
		return fmt.Errorf("dialect %q: want one of %s", o.Dialect, strings.Join(Dialects(), ", "))
	case o.N < 1 || o.N > MaxScenarios:
		return fmt.Errorf("%d scenarios: want 1 to %d", o.N, MaxScenarios)
	}
	pool := Attacks(level)
	for i := range o.N {
		// A round goes through all attacks, each in another order.
		order := rand.New(rand.NewPCG(o.Seed, uint64(i/len(pool)))).Perm(len(pool))
		at := &pool[order[i%len(pool)]]
		s := scenario(name, v, at, level, d, o.Seed, i)
		if err := each(s); err != nil {
			return err
		}
	}
	return nil
}

// scenario makes the one of a number. The story is drawn before the telemetry, so that it is the same in each dialect.
func scenario(name string, v *vertical, at *Attack, level Adversary, d dialect, seed uint64, i int) *Scenario {
	rnd := rand.New(rand.NewPCG(seed, 1<<32+uint64(i)))
	s := &Scenario{Attack: *at, Lure: at.lure, Vault: v.vault(newMaker(rnd))}
	falls := rnd.IntN(100) < fallRate[level]
	story, leaks := plot(v, at, &s.Vault, falls, rnd)
	slices.SortFunc(leaks, func(a, b Leak) int { return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Type, b.Type)) })
	s.Planted = slices.Compact(leaks)
	s.Labels = Labels{
		Scenario: fmt.Sprintf("redteam_%s_%s_%d_%04d", name, strings.ToLower(strings.ReplaceAll(at.ID, ".", "_")), seed, i+1),
		Vertical: name, Class: at.ID, Family: at.Family(), Primary: at.Primary.String(), Adversary: level.String(),
		VaultFields: s.Vault.Size(), Expected: s.Vault.expected(),
	}
	s.Traces, s.Logs = emit(d, story, epoch+pcommon.Timestamp(i)*60_000_000_000, rnd)
	return s
}

// expected are the types that an attack is after: all that are sensitive but the name, of which nothing is detected.
func (v *Vault) expected() []agentrisk.DataType {
	var out []agentrisk.DataType
	for _, f := range v.sensitive() {
		if f.Type != "person_name" {
			out = append(out, f.Type)
		}
	}
	return set(out)
}

// Record is the scenario as a labelled run, with its trace inline.
func (s *Scenario) Record() (*Record, error) {
	traces, err := new(ptrace.JSONMarshaler).MarshalTraces(s.Traces)
	if err != nil {
		return nil, errors.New("the spans can't be written as JSON")
	}
	r := &Record{
		Schema: RunSchema, Labels: s.Labels, Canaries: s.Vault.canaries(), Vault: &s.Vault, Planted: s.Planted,
		Attack: &AttackText{s.Attack.Name, s.Attack.surface.String(), s.Lure}, Trace: traces,
	}
	if r.Planted == nil {
		r.Planted = []Leak{}
	}
	if s.Logs.LogRecordCount() == 0 {
		return r, nil
	}
	logs, err := new(plog.JSONMarshaler).MarshalLogs(s.Logs)
	if err != nil {
		return nil, errors.New("the log records can't be written as JSON")
	}
	r.Trace = json.RawMessage("[" + string(traces) + "," + string(logs) + "]")
	return r, nil
}
