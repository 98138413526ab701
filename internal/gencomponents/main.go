// Command gencomponents writes the components.go of the directory it is run in: the list of
// component factories that the collector builder makes from builder-config.yaml at the root of the
// module. Run it with `go generate ./cmd/otelcol-agentleak`.
//
// The builder is asked for sources only. It fetches itself when it is not in the module cache and
// nothing else, so the step needs no compiler run and leaves no files of its own behind.
package main

import (
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// builder has the version of the collector core, as the builder's strict versioning wants.
const builder = "go.opentelemetry.io/collector/cmd/builder@v0.165.0"

func main() {
	if err := generate("components.go"); err != nil {
		fmt.Fprintln(os.Stderr, "gencomponents:", err)
		os.Exit(1)
	}
}

func generate(target string) error {
	gomod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return fmt.Errorf("find the module: %w", err)
	}
	temp, err := os.MkdirTemp("", "gencomponents")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)

	cmd := exec.Command("go", "run", builder, "--config=builder-config.yaml",
		"--skip-compilation", "--skip-get-modules")
	// Paths in builder-config.yaml are relative to the root of the module.
	cmd.Dir = filepath.Dir(strings.TrimSpace(string(gomod)))
	// The builder reads its configuration from variables too. The flag for the same setting is
	// deprecated and says so on each run.
	cmd.Env = append(os.Environ(), "dist.output_path="+temp)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run the collector builder: %w\n%s", err, out)
	}
	src, err := os.ReadFile(filepath.Join(temp, "components.go"))
	if err != nil {
		return err
	}
	if src, err = format.Source(src); err != nil {
		return err
	}
	return os.WriteFile(target, src, 0o644)
}
