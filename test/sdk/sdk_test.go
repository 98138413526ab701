//go:build sdk

// Package sdk runs real agent libraries, instrumented as their documentation says, against a scripted model and exports
// what they emit to the built collector. Every library makes the run of story.mjs; what it must leak is known beforehand.
package sdk

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A secret is a value that story.mjs plants.
type secret struct {
	name, value string
	level       int
}

var secrets = []secret{
	{"email", "robin.castle@example.org", 2},
	{"card", "5555 5555 5555 4444", 4},
	{"ssn", "536-90-4271", 4},
	{"diagnosis", "epilepsy", 4},
	{"salary", "91250", 3},
	{"iban", "DE89370400440532013000", 4},
	{"api key", "sk-test-9fKq2LmZx7RtVw4bYc8NhD3sGpJe6A", 4},
}

// leaks are the channels that disclose a secret, by its name. What is missing only enters: from the user or a tool.
type leaks map[string][]string

// Each library hands off, after which billing's answer is the final one, or calls billing and gets its answer back, which
// then is a message between agents.
var (
	handOff = leaks{
		"email":     {"final_output", "tool_call"},
		"card":      {"tool_call"},
		"ssn":       {"inter_agent_message"},
		"diagnosis": {"tool_call"},
	}
	asked = handOff.with("email", "final_output", "inter_agent_message", "tool_call")
)

// with is l with other channels of one secret.
func (l leaks) with(name string, channels ...string) leaks {
	other := leaks{name: channels}
	for n, c := range l {
		if n != name {
			other[n] = c
		}
	}
	return other
}

// A library is one file of libs, run once.
type library struct {
	name   string
	script string
	env    []string
	leaks  leaks
}

var libraries = []library{
	{"vercel ai 5", "vercel-ai", []string{"AI_SDK=5"}, asked},
	{"vercel ai 6, streamed", "vercel-ai", []string{"AI_SDK=6", "MODE=stream"}, asked},
	{"vercel ai 6, responses", "vercel-ai", []string{"AI_SDK=6", "MODE=responses"}, asked},
	{"vercel ai 7", "vercel-ai", []string{"AI_SDK=7"}, asked},
	{"openinference openai, chat", "openinference-openai", []string{"API=chat"}, handOff},
	{"openinference openai, responses", "openinference-openai", []string{"API=responses"}, handOff},
	{"openinference anthropic", "openinference-anthropic", nil, asked},
	{"openinference langgraph", "openinference-langgraph", nil, asked},
	{"openinference openai agents", "openinference-openai-agents", nil, handOff},
	{"openllmetry openai", "openllmetry-openai", nil, handOff},
	{"openllmetry openai, streamed", "openllmetry-openai", []string{"STREAM=1"}, handOff},
	{"openllmetry 0.14 openai, streamed", "openllmetry-openai", []string{"VERSION=0.14", "STREAM=1"}, handOff},
	// The tool span has no name of the tool, and every span is a trace of its own.
	{"openllmetry langgraph", "openllmetry-langgraph", nil, asked.with("ssn", "inter_agent_message", "tool_call")},
	{"opentelemetry openai, chat", "otel-openai", []string{"API=chat"}, handOff},
	{"opentelemetry openai, responses", "otel-openai", []string{"API=responses"}, handOff},
	{"openlit openai", "openlit-openai", nil, handOff},
	{"langfuse openai", "langfuse-openai", nil, handOff},
	{"langfuse langgraph", "langfuse-langgraph", nil, asked},
	{"langsmith openai", "langsmith-openai", nil, handOff},
	{"logfire", "logfire-ai", nil, asked.with("card", "log", "tool_call").with("diagnosis", "log", "tool_call")},
	// The sub-agent's answer is in metadata of a span too.
	{"mastra", "mastra", nil, asked.with("email", "final_output", "inter_agent_message", "log", "tool_call")},
	{"strands", "strands", nil, asked},
	{"strands, newest conventions", "strands", []string{"OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"}, asked},
	// The sub-agent has no span: the hand-off is in a tool call only, of which no name tells that it is an agent.
	{"genkit", "genkit", nil, asked.with("ssn", "tool_call")},
	// transfer_to_agent carries an agent's name only.
	{"google adk", "google-adk", nil, handOff.with("ssn")},
}

func TestLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("installs and runs the libraries")
	}
	npm, err := exec.LookPath("npm")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("npm is not installed: real libraries are not run")
	} else if err != nil {
		t.Fatal(err)
	}
	install(t, npm)
	bin, model := build(t), startModel(t)
	for _, lib := range libraries {
		t.Run(lib.name, func(t *testing.T) {
			t.Parallel()
			c := startCollector(t, bin)
			runScript(t, lib, model, c.endpoint)
			c.stop(t)

			report := audit(t, bin, c.files("raw"))
			if diff := cmp.Diff(lib.leaks.sorted(), report.leaks()); diff != "" {
				t.Errorf("leaks (-want +got):\n%s", diff)
			}
			for _, s := range secrets {
				if s.level == 4 && !report.found(s) && contain(t, c.files("raw"), s.value) {
					t.Errorf("the %s is in the telemetry and was not found", s.name)
				}
			}
			if !slices.ContainsFunc(rootScores(t, c.files("safe")), func(ri float64) bool { return ri > 0 }) {
				t.Error("no root span with a risk index above 0 was exported")
			}
			noValues(t, "the export", c.files("safe"))
			noValues(t, "the collector's log", []string{c.log})
		})
	}
}

// sorted is l as report.leaks has it: no empty entries.
func (l leaks) sorted() leaks {
	out := leaks{}
	for name, channels := range l {
		if len(channels) > 0 {
			out[name] = slices.Sorted(slices.Values(channels))
		}
	}
	return out
}

// noValues wants no value of the level that is redacted, in clear.
func noValues(t *testing.T, what string, files []string) {
	t.Helper()
	for _, s := range secrets {
		if s.level == 4 && contain(t, files, s.value) {
			t.Errorf("%s holds the %s", what, s.name)
		}
	}
}

// contain reports whether one of the files holds the value.
func contain(t *testing.T, files []string, value string) bool {
	t.Helper()
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(data, []byte(value))
	})
}
