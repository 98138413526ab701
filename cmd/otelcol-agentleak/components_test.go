package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/component"
	"go.yaml.in/yaml/v3"
)

// ownModule is in builder-config.yaml with the version of the distribution, and not in go.mod.
const ownModule = "github.com/agentleak/otelcol-agentleak"

// builderPart is an entry of builder-config.yaml.
type builderPart struct {
	GoMod  string `yaml:"gomod"`
	Import string `yaml:"import"`
	Path   string `yaml:"path"`
}

// importPath is the package of the part: by default its module.
func (p builderPart) importPath() string {
	if p.Import != "" {
		return p.Import
	}
	module, _, _ := strings.Cut(p.GoMod, " ")
	return module
}

type builderConfig struct {
	Dist struct {
		Module      string `yaml:"module"`
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
		Version     string `yaml:"version"`
		OutputPath  string `yaml:"output_path"`
	} `yaml:"dist"`
	Receivers  []builderPart `yaml:"receivers"`
	Processors []builderPart `yaml:"processors"`
	Exporters  []builderPart `yaml:"exporters"`
	Extensions []builderPart `yaml:"extensions"`
	Connectors []builderPart `yaml:"connectors"`
	Providers  []builderPart `yaml:"providers"`
}

func (c *builderConfig) components() []builderPart {
	return slices.Concat(c.Receivers, c.Processors, c.Exporters, c.Extensions, c.Connectors)
}

func readBuilderConfig(t testing.TB) *builderConfig {
	t.Helper()
	text, err := os.ReadFile("../../builder-config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c builderConfig
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil {
		t.Fatalf("builder-config.yaml: %v", err)
	}
	return &c
}

// TestComponentsInSync compares the components.go that was compiled with builder-config.yaml. The
// exact text is the generator's matter: continuous integration runs it and wants no difference.
func TestComponentsInSync(t *testing.T) {
	cfg := readBuilderConfig(t)
	factories, err := components()
	if err != nil {
		t.Fatal(err)
	}
	providers := map[component.Type]string{}
	for scheme, module := range settings().ProviderModules {
		providers[component.MustNewType(scheme)] = module
	}
	for _, kind := range []struct {
		name  string
		built map[component.Type]string
		parts []builderPart
	}{
		{"receivers", factories.ReceiverModules, cfg.Receivers},
		{"processors", factories.ProcessorModules, cfg.Processors},
		{"exporters", factories.ExporterModules, cfg.Exporters},
		{"extensions", factories.ExtensionModules, cfg.Extensions},
		{"connectors", factories.ConnectorModules, cfg.Connectors},
		{"providers", providers, cfg.Providers},
	} {
		var want []string
		for _, p := range kind.parts {
			want = append(want, p.GoMod)
		}
		slices.Sort(want)
		// A deprecated alias of a component names the module once more.
		got := slices.Compact(slices.Sorted(maps.Values(kind.built)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: go generate ./cmd/otelcol-agentleak (-builder-config.yaml +built):\n%s", kind.name, diff)
		}
	}
}

// TestComponentsImports finds a part that is imported from another package than builder-config.yaml
// says, which the versions compared above would not show.
func TestComponentsImports(t *testing.T) {
	want := []string{
		// What every components.go of the builder has.
		"go.opentelemetry.io/collector/component",
		"go.opentelemetry.io/collector/connector",
		"go.opentelemetry.io/collector/exporter",
		"go.opentelemetry.io/collector/extension",
		"go.opentelemetry.io/collector/otelcol",
		"go.opentelemetry.io/collector/processor",
		"go.opentelemetry.io/collector/receiver",
		"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry",
	}
	for _, p := range readBuilderConfig(t).components() {
		want = append(want, p.importPath())
	}
	slices.Sort(want)

	file, err := parser.ParseFile(token.NewFileSet(), "components.go", nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, path)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("imports of components.go (-builder-config.yaml +components.go):\n%s", diff)
	}
}

// TestVersions keeps the two builds alike: what the builder makes of builder-config.yaml and what
// the go command makes of go.mod.
func TestVersions(t *testing.T) {
	cfg := readBuilderConfig(t)
	gomod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]string{ownModule: "v" + version}
	for _, m := range regexp.MustCompile(`(?m)^\s+(\S+) (v\S+)`).FindAllStringSubmatch(string(gomod), -1) {
		required[m[1]] = m[2]
	}
	for _, p := range slices.Concat(cfg.components(), cfg.Providers) {
		module, want, _ := strings.Cut(p.GoMod, " ")
		if got := required[module]; got != want {
			t.Errorf("%s: go.mod has version %q, builder-config.yaml %q", module, got, want)
		}
	}

	if cfg.Dist.Name != name || cfg.Dist.Version != version {
		t.Errorf("dist: got %s %s, want %s %s of main.go", cfg.Dist.Name, cfg.Dist.Version, name, version)
	}
	if got := settings().BuildInfo.Description; got != cfg.Dist.Description {
		t.Errorf("description: got %q, want %q of builder-config.yaml", got, cfg.Dist.Description)
	}

	// The builder's version is the core's.
	generator, err := os.ReadFile("../../internal/gencomponents/main.go")
	if err != nil {
		t.Fatal(err)
	}
	builder := fmt.Sprintf("cmd/builder@%s\"", required["go.opentelemetry.io/collector/otelcol"])
	if !bytes.Contains(generator, []byte(builder)) {
		t.Errorf("internal/gencomponents does not run %s", builder)
	}
}
