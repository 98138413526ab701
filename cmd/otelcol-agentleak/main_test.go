package main

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/agentleak/otelcol-agentleak/internal/cli"
)

func TestExitCode(t *testing.T) {
	ours := &cobra.Command{Use: "audit", GroupID: ourGroup}
	theirs := &cobra.Command{Use: "validate"}
	failed := &cli.ExitError{Code: 1}
	for _, test := range []struct {
		name   string
		cmd    *cobra.Command
		err    error
		want   int
		stderr string
	}{
		{"success", ours, nil, 0, ""},
		{"policy failed", ours, failed, 1, ""},
		{"wrapped", ours, fmt.Errorf("x.json: %w", &cli.ExitError{Code: 3, Err: errors.New("odd")}), 3, "audit: x.json: odd\n"},
		{"unreadable input", ours, errors.New("x.json: no such file"), 2, "audit: x.json: no such file\n"},
		{"collector", theirs, errors.New("bad config"), 1, "validate: bad config\n"},
	} {
		var stderr bytes.Buffer
		got := exitCode(&stderr, test.cmd, test.err)
		if got != test.want || stderr.String() != test.stderr {
			t.Errorf("%s: got %d %q, want %d %q", test.name, got, stderr.String(), test.want, test.stderr)
		}
	}
}

// TestUsageErrors wants 2 for whatever is wrong before a command runs: a script that takes 1 for a
// failed policy must not take a misspelt command for one.
func TestUsageErrors(t *testing.T) {
	for _, args := range [][]string{{"audti", "x.json"}, {"--colour"}, {"validate", "--colour"}} {
		root := newCommand()
		root.SetArgs(args)
		cmd, err := root.ExecuteC()
		if got := exitCode(&bytes.Buffer{}, cmd, err); got != 2 {
			t.Errorf("%q: got exit code %d (%v), want 2", args, got, err)
		}
	}
}

// TestDefaultConfig wants the embedded configuration exactly when the user names no other, and --set
// applied over it.
func TestDefaultConfig(t *testing.T) {
	const notice = "using the embedded configuration"
	for _, test := range []struct {
		name    string
		args    []string
		notice  bool
		wantErr string
	}{
		{"embedded", []string{"validate"}, true, ""},
		{"embedded and set", []string{"validate", "--set=exporters.file/traces.format=xml"}, true, "format"},
		{"named", []string{"validate", "--config=yaml:receivers: {otlp: {protocols: {grpc: {}}}}"}, false, "exporter"},
	} {
		var stderr bytes.Buffer
		root := newCommand()
		root.SetErr(&stderr)
		root.SetArgs(test.args)
		err := root.Execute()
		if (err == nil) != (test.wantErr == "") || err != nil && !strings.Contains(err.Error(), test.wantErr) {
			t.Errorf("%s: got error %v, want %q", test.name, err, test.wantErr)
		}
		if got := strings.Contains(stderr.String(), notice); got != test.notice {
			t.Errorf("%s: notice: got %v, want %v", test.name, got, test.notice)
		}
	}
}

func TestCommit(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for _, test := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"no build info", nil, "unknown"},
		{"no version control", &debug.BuildInfo{}, "unknown"},
		{"clean", &debug.BuildInfo{Settings: []debug.BuildSetting{setting("vcs.revision", "c0ffee"), setting("vcs.modified", "false")}}, "c0ffee"},
		{"modified", &debug.BuildInfo{Settings: []debug.BuildSetting{setting("vcs.revision", "c0ffee"), setting("vcs.modified", "true")}}, "c0ffee, modified"},
	} {
		if got := commit(test.info); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
