package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.opentelemetry.io/collector/confmap"
)

var update = flag.Bool("update", false, "rewrite the expected files in the scripts")

// TestScript runs the program as a CI job does: transcripts of each exit code and each format. $TRACES is the
// evidence of the dialects. "exits N command..." runs a command that must end with that exit code.
func TestScript(t *testing.T) {
	bin := binary(t)
	traces, err := filepath.Abs("../../testdata/dialects")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"), UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TRACES", traces)
			env.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if want, err := strconv.Atoi(args[0]); err != nil || got != want {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// TestExamplesOfCI runs the audit lines of examples/ci as they stand there, where they must fail for a leak and leave
// every report they name.
func TestExamplesOfCI(t *testing.T) {
	bin := binary(t)
	trace, err := os.ReadFile("../../testdata/dialects/otel-genai/support-refund.json")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../examples/ci/*.yml")
	if err != nil || len(files) != 2 {
		t.Fatalf("%d examples (%v)", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := confmap.NewRetrievedFromYAML(text); err != nil {
			t.Errorf("%s: %v", file, err)
		} else if _, err := r.AsConf(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		lines := 0
		for line := range strings.Lines(string(text)) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
			if !strings.HasPrefix(line, "otelcol-agentleak audit ") {
				continue
			}
			lines++
			dir := t.TempDir()
			for name, content := range map[string][]byte{
				"agentleak.yaml": []byte("redaction: {key: \"${env:AGENTLEAK_KEY}\"}\n"), filepath.Join("traces", "run.json"): trace,
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"), "AGENTLEAK_KEY=0123456789abcdef0123456789abcdef")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("%s: %v\n%s", file, err, out)
			}
			for _, word := range strings.Fields(line) {
				if _, report, ok := strings.Cut(word, "="); ok {
					if info, err := os.Stat(filepath.Join(dir, report)); err != nil || info.Size() == 0 {
						t.Errorf("%s: %s was not written (%v)", file, report, err)
					}
				}
			}
		}
		if lines != 1 {
			t.Errorf("%s has %d audit lines", file, lines)
		}
	}
}
