package agentleakprocessor

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/pipeline"
	"go.opentelemetry.io/collector/processor/processortest"
	"go.yaml.in/yaml/v3"

	"github.com/agentleak/otelcol-agentleak/processor/agentleakprocessor/internal/metadata"
)

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReadmeOptions wants a row for each option, with its default.
func TestReadmeOptions(t *testing.T) {
	readme := read(t, "README.md")
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				f := v.Type().Field(i)
				if tag := f.Tag.Get("mapstructure"); tag == ",squash" {
					walk(path, v.Field(i))
				} else if f.IsExported() {
					walk(strings.TrimPrefix(path+"."+tag, "."), v.Field(i))
				}
			}
			return
		}
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(path) + "` \\|[^|]*\\| `([^`]*)` \\|").FindStringSubmatch(readme)
		if row == nil {
			t.Errorf("%s has no row", path)
			return
		}
		if want := written(v); row[1] != want {
			t.Errorf("%s: the default is given as %s, want %s", path, row[1], want)
		}
	}
	walk("", reflect.ValueOf(createDefaultConfig()).Elem())
}

// written is a default as a person would write it.
func written(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case time.Duration:
		return strings.Replace(x.String(), "m0s", "m", 1)
	case string:
		if x == "" {
			return `""`
		}
		return x
	case fmt.Stringer: // the key
		return `""`
	}
	switch v.Kind() {
	case reflect.Pointer:
		return "null"
	case reflect.Map:
		return "{}"
	case reflect.Slice:
		return strings.ReplaceAll(fmt.Sprint(v.Interface()), " ", ", ")
	}
	return fmt.Sprint(v.Interface())
}

// TestReadmeExamples loads each.
func TestReadmeExamples(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(read(t, "README.md"), -1)
	if len(blocks) < 4 {
		t.Fatalf("%d examples", len(blocks))
	}
	for i, b := range blocks {
		file := filepath.Join(t.TempDir(), "c.yaml")
		body := b[1]
		for _, key := range []string{"${env:AGENTLEAK_KEY}", "${env:AGENTLEAK_STORAGE_KEY}"} {
			body = strings.ReplaceAll(body, key, strings.Repeat("of no value ", 3))
		}
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		var doc struct{ Processors map[string]any }
		if err := yaml.Unmarshal([]byte(body), &doc); err != nil || len(doc.Processors) != 1 {
			t.Fatalf("example %d: %v", i, err)
		}
		for id := range doc.Processors {
			mustLoad(t, "file:"+file, "processors::"+id)
		}
	}
}

// TestReadmeAttributes wants each attribute that the package can write to be explained.
func TestReadmeAttributes(t *testing.T) {
	readme := read(t, "README.md")
	for _, a := range []string{
		attrRiskIndex, attrSeverity, attrPrivacyScore, attrVerdict, attrWSL, attrRhoS, attrLeaked + "l1", attrLeaked + "l4",
		attrChannel + "<channel>.risk_index", attrVaultExplicit, attrVaultScope, attrPolicy, attrPassed, attrViolations, attrComplete,
		attrIncomplete, whyTooBig, whyPressure, whyEvicted, whyTrimmed, whyShutdown, whyLate,
		attrError, attrLate, spanMark + markSeverity, spanMark + markChannels, spanMark + markDataTypes,
		spanMark + markFindings, spanMark + markRedacted, recordMark, eventName, "data_type", "level", "channel", "rule",
		"location", "secret_id", "disclosed", attrLink, attrDataType, attrLevel, attrSecretID,
	} {
		if !strings.Contains(readme, "`"+a+"`") {
			t.Errorf("%s is not in README.md", a)
		}
	}
}

// TestGenerated compares what mdatagen made of metadata.yaml with it, without mdatagen.
func TestGenerated(t *testing.T) {
	var m struct {
		Type   string
		Status struct{ Stability map[string][]string }
		// The values of attributes are those that the code uses.
		Attributes map[string]struct{ Enum []string }
		Telemetry  struct {
			Metrics map[string]struct {
				Description, Unit string
				Attributes        []string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "metadata.yaml")), &m); err != nil {
		t.Fatal(err)
	}
	if m.Type != metadata.Type.String() {
		t.Errorf("type %s, want %s", metadata.Type, m.Type)
	}
	stability := map[string]component.StabilityLevel{"traces": metadata.TracesStability, "logs": metadata.LogsStability}
	readme, doc, code := read(t, "README.md"), read(t, "documentation.md"), read(t, "internal/metadata/generated_telemetry.go")
	for level, signals := range m.Status.Stability {
		for _, s := range signals {
			if got := strings.ToLower(stability[s].String()); got != level {
				t.Errorf("%s: %s, want %s", s, got, level)
			}
		}
		if !strings.Contains(readme, "["+level+"]: "+strings.Join(signals, ", ")) {
			t.Errorf("README.md does not say %s: %v", level, signals)
		}
	}
	for name, metric := range m.Telemetry.Metrics {
		for _, want := range []string{"### otelcol_" + name + "\n\n" + metric.Description, "| " + metric.Unit + " |"} {
			if !strings.Contains(doc, want) {
				t.Errorf("documentation.md: %s: no %q", name, want)
			}
		}
		for _, want := range []string{`"otelcol_` + name + `"`, `"` + metric.Description + ` [Alpha]"`, `metric.WithUnit("` + metric.Unit + `")`} {
			if !strings.Contains(code, want) {
				t.Errorf("generated_telemetry.go: %s: no %s", name, want)
			}
		}
	}
	if n := strings.Count(code, `"otelcol_`); n != len(m.Telemetry.Metrics) {
		t.Errorf("%d metrics are generated, %d declared", n, len(m.Telemetry.Metrics))
	}
	tel, err := newTelemetry(processortest.NewNopSettings(typ), pipeline.SignalTraces)
	if err != nil {
		t.Fatal(err)
	}
	declared := append(append([]string{}, m.Attributes["loss"].Enum...), m.Attributes["release"].Enum...)
	for _, r := range declared {
		if tel.reason[r] == nil {
			t.Errorf("reason %s is declared and not used", r)
		}
	}
	if len(declared) != len(tel.reason) {
		t.Errorf("%d reasons, %d declared", len(tel.reason), len(declared))
	}
}
