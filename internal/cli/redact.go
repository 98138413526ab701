package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

func redactCommand() *cobra.Command {
	var config string
	cmd := &cobra.Command{
		Use:   "redact [flags] FILE...",
		Short: "Write files again without what the policy removes",
		Long: `Redact writes the redacted content of files to standard output, in their order: OTLP as JSON, one
line for each document of the input; any other UTF-8 text as it was, JSON as JSON. "-" reads
standard input. Nothing is written unless all files can be read.

All files of one call are one set: a value that a rule recognised once in a trace is removed from
every other place of that trace where it stands bare.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return runRedact(cmd, config, files) },
	}
	cmd.Flags().StringVar(&config, "config", "", "policy file (agentleak.yaml)")
	return cmd
}

// textLimits are what a file of text is held to, which is one value here: the most that leaf allows.
var textLimits = leaf.Limits{ValueBytes: 512 << 20, Nodes: 16 << 20}

func runRedact(cmd *cobra.Command, config string, files []string) error {
	a, err := newAuditor(config, cmd.ErrOrStderr(), audit.Options{Limits: textLimits})
	if err != nil {
		return failure(err)
	}
	var inputs, telemetry []*input
	for _, name := range files {
		in, err := open(name, cmd.InOrStdin())
		if err != nil {
			return failure(err)
		}
		if err := in.parseLeniently(); err != nil {
			return failure(err)
		}
		inputs = append(inputs, in)
		if in.docs != nil {
			in.data = nil
			telemetry = append(telemetry, in)
		}
	}
	withheld := redactTelemetry(a, telemetry)
	for _, in := range inputs {
		if in.docs == nil {
			var n int
			in.data, n = redactText(a, in.data)
			withheld += n
		}
	}
	if withheld > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d values could not be read to the end (too deep or too large) and were withheld\n", withheld)
	}
	return failure(writeTo("-", cmd.OutOrStdout(), false, func(w io.Writer) error {
		for _, in := range inputs {
			if err := in.write(w); err != nil {
				return fmt.Errorf("%s: %w", in.name, err)
			}
		}
		return nil
	}))
}

// parseLeniently is parse for a file that may also be any text: docs is then nil. AgentLeak traces are text here, so
// that they stay what they are. Bytes that are no text are refused, since no rule would find anything in them.
func (in *input) parseLeniently() error {
	err := in.parse()
	for i := range in.docs {
		if in.docs[i].run != nil {
			in.docs = nil
			break
		}
	}
	switch {
	case in.docs != nil:
		return nil
	case err != nil && !isForeign(err):
		return err
	case !utf8.Valid(in.data) || bytes.IndexByte(in.data, 0) >= 0:
		return fmt.Errorf("%s: neither OTLP nor UTF-8 text", in.name)
	}
	return nil
}

// redactTelemetry redacts the documents in place and returns how many values were withheld. It goes trace by trace,
// as the collector does, so that what was recognised in one trace is not removed from another.
func redactTelemetry(a *audit.Auditor, inputs []*input) int {
	withheld := 0
	for _, t := range group(inputs).order {
		// Traces may share a resource or a scope: each takes it as the one before left it.
		x := examine(a, t.copySpans(), t.copyLogs())
		a.Redact(x.spans, x.ofSpans)
		a.RedactLogs(x.logs, x.ofLogs)
		t.putSpans(x.spans)
		t.putLogs(x.logs)
		withheld += x.ledger.Withheld()
	}
	for _, in := range inputs {
		for i := range in.docs {
			withheld += redactShells(a, &in.docs[i])
		}
	}
	return withheld
}

// redactShells redacts a document that has resources or scopes without records, which belong to no trace.
func redactShells(a *audit.Auditor, d *document) int {
	withheld := 0
	if d.hasTraces() && spanShells(d.traces) {
		b := a.ScanTraces(d.traces)
		a.Redact(d.traces, b)
		withheld += b.Withheld()
	}
	if d.hasLogs() && logShells(d.logs) {
		b := a.ScanLogs(d.logs)
		a.RedactLogs(d.logs, b)
		withheld += b.Withheld()
	}
	return withheld
}

func spanShells(td ptrace.Traces) bool {
	for _, rs := range td.ResourceSpans().All() {
		if rs.ScopeSpans().Len() == 0 {
			return true
		}
		for _, ss := range rs.ScopeSpans().All() {
			if ss.Spans().Len() == 0 {
				return true
			}
		}
	}
	return false
}

func logShells(ld plog.Logs) bool {
	for _, rl := range ld.ResourceLogs().All() {
		if rl.ScopeLogs().Len() == 0 {
			return true
		}
		for _, sl := range rl.ScopeLogs().All() {
			if sl.LogRecords().Len() == 0 {
				return true
			}
		}
	}
	return false
}

// write writes what became of the input.
func (in *input) write(w io.Writer) error {
	if in.docs == nil {
		_, err := w.Write(in.data)
		return err
	}
	line := func(b []byte, err error) error {
		if err == nil {
			_, err = w.Write(append(b, '\n'))
		}
		return err
	}
	for i := range in.docs {
		d := &in.docs[i]
		if d.hasTraces() {
			if err := line(new(ptrace.JSONMarshaler).MarshalTraces(d.traces)); err != nil {
				return err
			}
		}
		if d.hasLogs() {
			if err := line(new(plog.JSONMarshaler).MarshalLogs(d.logs)); err != nil {
				return err
			}
		}
	}
	return nil
}

// chunkSize is about how much of a long text is looked at together.
const chunkSize = 16 << 20

// redactText redacts a text as one log record with the text as its body, so that JSON is read as JSON; lines of JSON
// are a record each, and a long text a record for each of its chunks.
func redactText(a *audit.Auditor, data []byte) (out []byte, withheld int) {
	ld := plog.NewLogs()
	records := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords()
	for _, part := range parts(data) {
		records.AppendEmpty().Body().SetStr(string(part))
	}
	x := examine(a, ptrace.NewTraces(), ld)
	a.RedactLogs(ld, x.ofLogs)
	for _, r := range records.All() {
		out = append(out, r.Body().Str()...)
	}
	return out, x.ledger.Withheld()
}

// parts cuts a text at line ends.
func parts(data []byte) [][]byte {
	if json.Valid(data) {
		return [][]byte{data}
	}
	var lines, chunks [][]byte
	areJSON := true
	start := 0
	for line := range bytes.Lines(data) {
		lines = append(lines, line)
		areJSON = areJSON && (len(bytes.TrimSpace(line)) == 0 || json.Valid(line))
	}
	if areJSON {
		return lines
	}
	end := 0
	for _, line := range lines {
		end += len(line)
		if end-start >= chunkSize && !insideKey(data[start:end]) {
			chunks = append(chunks, data[start:end])
			start = end
		}
	}
	if start < end {
		chunks = append(chunks, data[start:end])
	}
	return chunks
}

// insideKey reports whether a private key block begins in text and does not end.
func insideKey(text []byte) bool {
	begin := bytes.LastIndex(text, []byte("-----BEGIN "))
	return begin >= 0 && !bytes.Contains(text[begin:], []byte("-----END "))
}
