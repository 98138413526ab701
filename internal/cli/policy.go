package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/envprovider"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.yaml.in/yaml/v3"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// elsewhere are the stanzas of an AgentLeak configuration that have no effect here: they run agents, or its reports.
var elsewhere = []string{
	"agent", "attacks", "ci", "description", "detection", "integrations", "llm", "model", "name", "output", "privacy",
	"project", "redteam", "report", "reporting", "reports", "scenarios", "version",
}

// newAuditor builds the auditor of the top-level stanzas of a --config file; an empty path stands for the defaults. Notes
// go to stderr. Each line of its errors starts with the file's name, the line and column, and the path of a key.
//
// The detectors in custom are used besides those of the file.
func newAuditor(path string, stderr io.Writer, o audit.Options, custom ...audit.CustomDetector) (*audit.Auditor, error) {
	f, err := readPolicy(path, stderr)
	if err != nil {
		return nil, err
	}
	if len(f.Policies) > 0 {
		fmt.Fprintf(stderr, "%s: no effect here: policies\n", path)
	}
	f.CustomDetectors = append(f.CustomDetectors, custom...)
	o.Redaction, o.Now = f.Redaction, time.Now()
	return audit.New(f.Policy, o)
}

// newAuditors builds those of all policies of a file, as newAuditor does.
func newAuditors(path string, stderr io.Writer, o audit.Options) (*audit.Set, error) {
	f, err := readPolicy(path, stderr)
	if err != nil {
		return nil, err
	}
	// Modes are the collector's. Who asks a command to redact gets what it says.
	f.Mode, f.Redaction.Rules = "", nil
	for i := range f.Policies {
		f.Policies[i].Mode, f.Policies[i].Redaction.Rules = "", nil
	}
	o.Now = time.Now()
	return audit.NewSet(f, o)
}

// policyName is the name of a policy where there are several, else empty.
func policyName(s *audit.Set, i int) string {
	if s.Matcher() == nil {
		return ""
	}
	return s.Name(i)
}

// readPolicy reads and validates a policy file. References such as ${env:NAME} are expanded as in the collector's
// configuration. Keys that have no effect are noted on stderr.
func readPolicy(path string, stderr io.Writer) (audit.File, error) {
	f := audit.DefaultFile()
	if path == "" {
		return f, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return f, inFile(path, reason(err))
	}
	var where yaml.Node
	if err := yaml.Unmarshal(data, &where); err != nil {
		return f, syntaxError(path, err)
	}
	conf, err := resolve(path)
	if err != nil {
		return f, syntaxError(path, yamlError(err))
	}
	var ignored []string
	for _, key := range elsewhere {
		if conf.Delete(key) {
			ignored = append(ignored, key)
		}
	}
	doc := conf.ToStringMap()
	if err := audit.CheckFile(doc); err != nil {
		return f, at(path, &where, err)
	}
	for _, key := range audit.Empty(doc) {
		conf.Delete(strings.Join(key, confmap.KeyDelimiter))
	}
	if err := decodeError(conf.Unmarshal(&f)); err != nil {
		return f, at(path, &where, err)
	}
	f.Said = audit.SaidIn(doc)
	if err := f.Validate(); err != nil {
		return f, at(path, &where, err)
	}
	if err := f.Expired(time.Now()); err != nil {
		fmt.Fprintf(stderr, "warning: %s\n", strings.ReplaceAll(at(path, &where, err).Error(), "\n", "\nwarning: "))
	}
	if len(ignored) > 0 {
		fmt.Fprintf(stderr, "%s: no effect here: %s\n", path, strings.Join(ignored, ", "))
	}
	return f, nil
}

func resolve(path string) (*confmap.Conf, error) {
	r, err := confmap.NewResolver(confmap.ResolverSettings{
		URIs:              []string{"file:" + path},
		ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory(), envprovider.NewFactory()},
		DefaultScheme:     "env",
	})
	if err != nil {
		return nil, err
	}
	return r.Resolve(context.Background())
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

var atLine = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors: )?line (\d+): `)

// syntaxError is an error of the YAML parser, which knows a line and no column, in the form of all others.
func syntaxError(path string, err error) error {
	msg := strings.Join(strings.Fields(err.Error()), " ")
	if m := atLine.FindStringSubmatch(msg); m != nil {
		return errors.New(path + ":" + m[1] + ":1: " + msg[len(m[0]):])
	}
	return inFile(path, errors.New(msg))
}

// inFile starts each line of an error with the name of the file.
func inFile(path string, err error) error {
	if path == "" {
		return err
	}
	return errors.New(path + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+path+": "))
}
