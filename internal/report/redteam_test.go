package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/redteam"
)

func redteamResult() *RedTeam {
	run := func(id, class, family, primary string, expected, detected, on []agentrisk.DataType, ri float64, score int) redteam.Run {
		return redteam.Run{Labels: redteam.Labels{
			Scenario: id, Vertical: "hr", Class: class, Family: family, Primary: primary, Adversary: "A1", VaultFields: 3, Expected: expected,
		}, Detected: detected, OnPrimary: on, RI: ri, PrivacyScore: score}
	}
	type ts = []agentrisk.DataType
	a := []redteam.Run{
		run("one", "F1.4", "F1", "final_output", ts{"ssn", "email"}, ts{"email", "ssn"}, ts{"ssn"}, 0.5, 50),
		run("two", "F3.5", "F3", "log", ts{"ssn"}, ts{"email"}, nil, 0.125, 88),
		run("<script>\x1b[31m", "X9", "", "", nil, nil, nil, 0, 100),
	}
	b := []redteam.Run{a[0], a[1], a[2]}
	b[0].Detected, b[1].Detected, b[1].OnPrimary = ts{"email"}, ts{"ssn"}, ts{"ssn"}
	return &RedTeam{Sets: []RedTeamSet{{Name: "pack", Runs: a, Reference: b}, {Name: "empty.jsonl"}}}
}

func TestRedTeamGolden(t *testing.T) {
	r := redteamResult()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"redteam.txt":  func(b *bytes.Buffer) error { return r.WriteText(b) },
		"redteam.json": func(b *bytes.Buffer) error { return r.WriteJSON(b) },
		"redteam.html": func(b *bytes.Buffer) error { return r.WriteHTML(b) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := out.Bytes()
		if name == "redteam.html" { // style and script have tests of their own
			_, body, _ := bytes.Cut(got, []byte("<body>"))
			body, _, _ = bytes.Cut(body, []byte("<script>"))
			got = append(body, '\n')
		}
		if bytes.ContainsAny(got, "\x1b") && name == "redteam.txt" || name == "redteam.html" && bytes.Contains(got, []byte("<script>")) {
			t.Errorf("%s: a name is not escaped", name)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
