package cli

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

var update = flag.Bool("update", false, "rewrite the expected files in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"agentleak": func() {
		os.Exit(execute(os.Stdin, os.Stdout, os.Stderr, os.Args[1:]...))
	}})
}

// execute runs the commands as the program does and returns the exit code.
func execute(stdin io.Reader, stdout, stderr io.Writer, args ...string) int {
	root := &cobra.Command{Use: "agentleak", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(Commands(Options{})...)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	if err == nil {
		return 0
	}
	if err.Error() != "" {
		fmt.Fprintf(stderr, "%s: %v\n", cmd.CommandPath(), err)
	}
	var exit *ExitError
	if errors.As(err, &exit) {
		return exit.Code
	}
	return 2
}

// TestScript runs testdata/script. Beside the commands of testscript there are
//
//	exits N command...                 run a command that must end with that exit code
//	otlp traces|logs|framed IN... OUT  convert OTLP JSON files to protobuf; framed: as the file exporter writes it
//	lines IN... OUT                    put JSON files on a line each
//	undigest IN OUT                    blank the digests of a JSON report, which change with every rule
func TestScript(t *testing.T) {
	data, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATA", data)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "otlp": otlp, "lines": lines, "undigest": undigest,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func otlp(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: otlp traces|logs|framed IN... OUT")
	}
	var out []byte
	for _, name := range args[1 : len(args)-1] {
		in := []byte(ts.ReadFile(name))
		if args[0] == "logs" {
			ld, err := new(plog.JSONUnmarshaler).UnmarshalLogs(in)
			ts.Check(err)
			b, err := new(plog.ProtoMarshaler).MarshalLogs(ld)
			ts.Check(err)
			out = append(out, b...)
			continue
		}
		td, err := new(ptrace.JSONUnmarshaler).UnmarshalTraces(in)
		ts.Check(err)
		b, err := new(ptrace.ProtoMarshaler).MarshalTraces(td)
		ts.Check(err)
		if args[0] == "framed" {
			out = binary.BigEndian.AppendUint32(out, uint32(len(b)))
		}
		out = append(out, b...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[len(args)-1]), out, 0o600))
}

var digests = regexp.MustCompile(`"(rules|policy)": "[0-9a-f]{32}"`)

func undigest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: undigest IN OUT")
	}
	out := digests.ReplaceAllString(ts.ReadFile(args[0]), `"$1": "..."`)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out), 0o600))
}

func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: lines IN... OUT")
	}
	var out bytes.Buffer
	for _, name := range args[:len(args)-1] {
		out.WriteString(strings.Join(strings.Split(ts.ReadFile(name), "\n"), "") + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[len(args)-1]), out.Bytes(), 0o600))
}
