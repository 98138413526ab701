package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/envprovider"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// policyFile is an agentleak.yaml file: the stanzas that the collector's configuration has too.
type policyFile struct {
	audit.Policy `mapstructure:",squash"`
	Redaction    redactionStanza `mapstructure:"redaction"`
}

type redactionStanza struct {
	Levels []int            `mapstructure:"levels"`
	Style  string           `mapstructure:"style"`
	Key    string           `mapstructure:"key"`
	Rules  []audit.ModeRule `mapstructure:"rules"`
}

// elsewhere are the stanzas of an AgentLeak configuration that have no effect here: they run agents, or its reports.
var elsewhere = []string{
	"agent", "attacks", "channels", "ci", "description", "detection", "integrations", "llm", "model", "name", "output",
	"project", "redteam", "report", "reporting", "scenarios", "version",
}

// newAuditor builds the auditor of a command from its --config file; an empty path stands for the defaults. Notes go
// to stderr. Each line of its errors starts with the file's name and the path of a key.
//
// The detectors in custom are used besides those of the file.
func newAuditor(path string, stderr io.Writer, o audit.Options, custom ...audit.CustomDetector) (*audit.Auditor, error) {
	p := policyFile{Policy: audit.DefaultPolicy(), Redaction: redactionStanza(audit.DefaultRedaction())}
	if path != "" {
		ignored, err := p.read(path)
		if err != nil {
			return nil, inFile(path, err)
		}
		if len(ignored) > 0 {
			fmt.Fprintf(stderr, "%s: no effect here: %s\n", path, strings.Join(ignored, ", "))
		}
	}
	p.CustomDetectors = append(p.CustomDetectors, custom...)
	o.Redaction = audit.Redaction(p.Redaction)
	if err := errors.Join(p.Policy.Validate(), o.Redaction.Validate()); err != nil {
		return nil, inFile(path, err)
	}
	// Modes are the collector's. Who asks a command to redact gets what it says.
	p.Policy.Mode, o.Redaction.Rules = "", nil
	return audit.New(p.Policy, o)
}

// read merges the file into p and returns the keys in it that have no effect. References such as ${env:NAME} are
// expanded as in the collector's configuration.
func (p *policyFile) read(path string) (ignored []string, err error) {
	if f, err := os.Open(path); err != nil {
		return nil, reason(err)
	} else if err = f.Close(); err != nil {
		return nil, reason(err)
	}
	r, err := confmap.NewResolver(confmap.ResolverSettings{
		URIs:              []string{"file:" + path},
		ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory(), envprovider.NewFactory()},
		DefaultScheme:     "env",
	})
	if err != nil {
		return nil, err
	}
	conf, err := r.Resolve(context.Background())
	if err != nil {
		return nil, yamlError(err)
	}
	for _, key := range elsewhere {
		if conf.Delete(key) {
			ignored = append(ignored, key)
		}
	}
	if err := check("", conf.ToStringMap(), reflect.TypeFor[policyFile]()); err != nil {
		return nil, err
	}
	return ignored, decodeError(conf.Unmarshal(p))
}

// check finds what decoding would pass over or blur: unknown keys, and fractions where integers are wanted.
func check(path string, v any, t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var errs []error
	switch t.Kind() {
	case reflect.Struct:
		m, _ := v.(map[string]any)
		fields := fieldsOf(t)
		for _, key := range slices.Sorted(maps.Keys(m)) {
			at := strings.TrimPrefix(path+"."+key, ".")
			if ft, ok := fields[key]; ok {
				errs = append(errs, check(at, m[key], ft))
			} else {
				errs = append(errs, fmt.Errorf("%s: unknown key: want one of %s", at, strings.Join(slices.Sorted(maps.Keys(fields)), ", ")))
			}
		}
	case reflect.Map:
		m, _ := v.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(m)) {
			errs = append(errs, check(path+"."+key, m[key], t.Elem()))
		}
	case reflect.Slice:
		l, _ := v.([]any)
		for i, x := range l {
			errs = append(errs, check(fmt.Sprintf("%s[%d]", path, i), x, t.Elem()))
		}
	case reflect.Int:
		if f, ok := v.(float64); ok && f != math.Trunc(f) {
			errs = append(errs, fmt.Errorf("%s: %v: want an integer", path, f))
		}
	}
	return errors.Join(errs...)
}

// fieldsOf maps the keys of a configuration struct to their types.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
		if option == "squash" {
			maps.Copy(fields, fieldsOf(f.Type))
			continue
		}
		fields[name] = f.Type
	}
	return fields
}

// decodeError writes confmap's list of errors as lines that start with the path of a key.
func decodeError(err error) error {
	if err == nil {
		return nil
	}
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if path, what, ok := strings.Cut(strings.TrimPrefix(line, "'"), "' "); ok && line[0] == '\'' {
			lines = append(lines, path+": "+strings.TrimSpace(what))
		}
	}
	if lines == nil {
		return err
	}
	return errors.New(strings.Join(lines, "\n"))
}

// yamlError shortens confmap's account of a file that holds no map.
func yamlError(err error) error {
	msg := err.Error()
	if _, what, ok := strings.Cut(msg, "not valid YAML: "); ok {
		return errors.New(strings.Join(strings.Fields(what), " "))
	}
	if strings.Contains(msg, "cannot be used as a Conf") {
		return errors.New("want a map of keys")
	}
	return err
}

// inFile starts each line of an error with the name of the file.
func inFile(path string, err error) error {
	if path == "" {
		return err
	}
	return errors.New(path + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+path+": "))
}
