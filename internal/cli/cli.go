// Package cli holds the subcommands that otelcol-agentleak adds to those of the collector.
//
// A command reads files, hands what they hold to package audit, and writes what comes back: audit scores traces,
// redact writes the input again without what the policy removes, detect looks at plain text, events shows what each
// text is taken for. rules reads a policy only, and lists the detectors in force; schema says what a policy may be. redteam measures attacks by the audits
// of their traces. Nothing that was read is ever part of
// an error or a note. input.go says what is read, policy.go what configures it, traceset.go how the records of several
// files become traces. demo is apart: it runs the collector and asks nothing of the other files.
package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// Options is what the commands need from the program that they are part of.
type Options struct {
	// RunCollector runs a collector with the configuration at uris, later ones merged over earlier
	// ones, until ctx is done or the collector fails.
	RunCollector func(ctx context.Context, uris []string) error
	// DefaultConfig is the embedded collector configuration, YAML text.
	DefaultConfig []byte
	// Version of the program, for reports that name their producer.
	Version string
}

// Commands returns the subcommands. Each is in the file of its name.
func Commands(opts Options) []*cobra.Command {
	return []*cobra.Command{
		auditCommand(opts.Version), redactCommand(), detectCommand(), rulesCommand(), schemaCommand(), eventsCommand(), redteamCommand(), demoCommand(opts),
	}
}

// ExitError is an error with the exit code that main ends the process with. A nil Err says that
// everything there is to say was already written.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// The exit codes of the commands. Success, and a policy that passed, is 0.
const (
	exitPolicy = 1 // the policy failed, or a score is too low
	exitUsage  = 2 // usage, configuration or input: any other error
)

// failure carries the exit code of everything that is no failed policy.
func failure(err error) error {
	if err == nil {
		return nil
	}
	return &ExitError{Code: exitUsage, Err: err}
}
