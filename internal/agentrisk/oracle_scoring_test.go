package agentrisk

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type scoringVector struct {
	ID, Category string
	Findings     []struct {
		Channel  string
		DataType DataType `json:"data_type"`
		Level    int
		Value    string
	}
	Weights   *[]any
	Vault     any
	Overrides map[string]any `json:"level_overrides"`
	Baseline  *[]string      `json:"baseline_channels"`
	Expect    *oracleNumbers
	Error     *struct{ Kind, Reason string }
}

// Deliberate differences from the oracle, by vector.
var (
	// The oracle gives a secret that is reported with two levels the level of
	// the first finding in the list. Here the highest wins, since only then a
	// tally is a join and the order of spans plays no part. With the oracle's
	// choice fed in, each of these agrees.
	highestLevelWins = strings.Fields(`s0145 s0147 s0148 s0149 s0150 s0151 s0153 s0154 s0155 s0156
		s0157 s0158 s0159 s0163 s0168 s0170 s0172 s0173`)

	// The oracle's core reads an empty list of weights as the default; its
	// configuration refuses it. Here both do.
	emptyWeightsRefused = []string{"s0341"}

	// The oracle joins type and value with a colon, so that type "a" with value
	// "b:c" and type "a:b" with value "c" collide into one secret; its note calls
	// that a weakness. Here they are two.
	typesDoNotCollide = []string{"s0361"}
)

// Where a channel name is unknown the oracle takes it for a disclosure channel,
// and its core accepts other sources than the two. Here the set of channels is
// closed: an unknown name is an error of UnmarshalText. The arithmetic of these
// vectors is still compared, on channels of the same role.
const (
	unknownChannelVectors = 8
	otherSourceVectors    = 8
)

// channelsOf gives each channel name of the vector a channel of the role it has
// there: itself where possible, else one that the vector does not use.
func channelsOf(t *testing.T, v scoringVector) map[string]Channel {
	t.Helper()
	sources := []string{"user_input", "tool_response"}
	if v.Baseline != nil {
		sources = *v.Baseline
	}
	out := map[string]Channel{}
	var used ChannelSet
	var homeless []string
	for _, f := range v.Findings {
		var c Channel
		if _, done := out[f.Channel]; done || slices.Contains(homeless, f.Channel) {
			continue
		}
		source := slices.Contains(sources, f.Channel)
		if c.UnmarshalText([]byte(f.Channel)) == nil && c.Disclosure() != source {
			out[f.Channel] = c
			used.Add(c)
		} else if source {
			out[f.Channel] = ChannelUserInput
		} else {
			homeless = append(homeless, f.Channel)
		}
	}
	for _, name := range homeless {
		i := slices.IndexFunc(Channels(), func(c Channel) bool { return c.Disclosure() && !used.Has(c) })
		if i < 0 {
			t.Fatalf("%s: no channel left for %q", v.ID, name)
		}
		out[name] = Channels()[i]
		used.Add(out[name])
	}
	return out
}

// tally feeds the findings of the vector. With firstWins each secret has the
// level of its first finding throughout.
func (v scoringVector) tally(t *testing.T, channels map[string]Channel, firstWins bool) *Tally {
	t.Helper()
	o, err := oracleOverrides(v.Overrides)
	if err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	var tally Tally
	first := map[SecretID]Level{}
	for _, f := range v.Findings {
		id, level := oracleID(f.DataType, f.Value), clampLevel(f.Level)
		// These findings carry their level; only overrides come before it.
		if _, ok := o[f.DataType]; ok {
			level = LevelOf(f.DataType, o, level)
		}
		if _, ok := first[id]; !ok {
			first[id] = level
		}
		if firstWins {
			level = first[id]
		}
		tally.Add(id, level, channels[f.Channel])
	}
	return &tally
}

func TestOracleScoringVectors(t *testing.T) {
	var file struct{ Vectors []scoringVector }
	readOracle(t, oracleDir+"scoring_vectors.json", &file)
	if len(file.Vectors) != 451 {
		t.Fatalf("%d vectors, want 451", len(file.Vectors))
	}
	var exact, refused, unknown, otherSources int
	var differ, apart, weightsRefused []string
	for _, v := range file.Vectors {
		channels := channelsOf(t, v)
		for name := range channels {
			if new(Channel).UnmarshalText([]byte(name)) != nil {
				unknown++
				break
			}
		}
		if v.Baseline != nil {
			otherSources++
		}
		vault, err := oracleVault(v.Vault)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		weights, err := oracleWeights(v.Weights)
		if err != nil && v.Expect != nil {
			if !errors.Is(err, ErrWeights) || len(*v.Weights) != 0 {
				t.Errorf("%s: %v", v.ID, err)
			}
			weightsRefused = append(weightsRefused, v.ID)
			continue
		}
		var r Report
		if err == nil {
			r, err = v.tally(t, channels, false).Report(vault, weights)
		}
		if v.Error != nil {
			refused++
			if want := oracleErrors[v.Error.Reason]; want == nil || !errors.Is(err, want) {
				t.Errorf("%s: error %v, want %s", v.ID, err, v.Error.Reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		name := func(c Channel) string {
			for n, cc := range channels {
				if cc == c {
					return n
				}
			}
			return c.String()
		}
		d := diffNumbers(*v.Expect, r, name)
		if d == "" {
			exact++
			continue
		}
		if slices.Contains(typesDoNotCollide, v.ID) && v.Expect.LeakedCount == 1 && r.LeakedCount == 2 {
			apart = append(apart, v.ID)
			continue
		}
		if !slices.Contains(highestLevelWins, v.ID) {
			t.Errorf("%s (%s) (-want +got):\n%s", v.ID, v.Category, d)
			continue
		}
		differ = append(differ, v.ID)
		r, err = v.tally(t, channels, true).Report(vault, weights)
		if err != nil {
			t.Errorf("%s: with the first level of each secret: %v", v.ID, err)
		} else if d := diffNumbers(*v.Expect, r, name); d != "" {
			t.Errorf("%s: with the first level of each secret (-want +got):\n%s", v.ID, d)
		}
	}
	if !slices.Equal(differ, highestLevelWins) {
		t.Errorf("the highest level won in %v, want %v", differ, highestLevelWins)
	}
	if !slices.Equal(apart, typesDoNotCollide) {
		t.Errorf("two secrets for the oracle's one in %v, want %v", apart, typesDoNotCollide)
	}
	if !slices.Equal(weightsRefused, emptyWeightsRefused) {
		t.Errorf("weights refused in %v, want %v", weightsRefused, emptyWeightsRefused)
	}
	if unknown != unknownChannelVectors || otherSources != otherSourceVectors {
		t.Errorf("%d vectors with unknown channels and %d with other sources, want %d and %d",
			unknown, otherSources, unknownChannelVectors, otherSourceVectors)
	}
	if exact != 384 || refused != 47 {
		t.Errorf("%d vectors agree and %d are refused as they should, want 384 and 47", exact, refused)
	}
}

func TestOracleDominance(t *testing.T) {
	var file struct {
		Dominance []struct {
			A, B map[string]int
			Want bool `json:"a_dominates_b"`
		}
	}
	readOracle(t, oracleDir+"scoring_vectors.json", &file)
	if len(file.Dominance) != 60 {
		t.Fatalf("%d pairs, want 60", len(file.Dominance))
	}
	profile := func(m map[string]int) (p Profile) {
		for i := range p {
			p[i] = m["L"+strconv.Itoa(i+1)]
		}
		return p
	}
	for i, d := range file.Dominance {
		if got := Dominates(profile(d.A), profile(d.B)); got != d.Want {
			t.Errorf("pair %d: Dominates(%v, %v) = %v", i, d.A, d.B, got)
		}
	}
}
