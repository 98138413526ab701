package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

func redactCommand() *cobra.Command {
	var config string
	var attributes attributeFlag
	cmd := &cobra.Command{
		Use:   "redact [flags] FILE...",
		Short: "Write files again without what the policy removes",
		Long: `Redact writes the redacted content of files to standard output, in their order: OTLP as JSON, one
line for each document of the input; any other UTF-8 text as it was, JSON as JSON. "-" reads
standard input. Nothing is written unless all files can be read.

All files of one call are one set: a value that a rule recognised once in a trace is removed from
every other place of that trace where it stands bare. Of the policies in the file each span and log record
has the one that matches it; text that is no telemetry has the one that matches what --attribute says of it.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return runRedact(cmd, config, attributes, files) },
	}
	cmd.Flags().StringVar(&config, "config", "", "policy file (agentleak.yaml)")
	attributes.register(cmd)
	return cmd
}

// textLimits are what a file of text is held to, which is one value here: the most that leaf allows.
var textLimits = leaf.Limits{ValueBytes: 512 << 20, Nodes: 16 << 20}

func runRedact(cmd *cobra.Command, config string, attributes attributeFlag, files []string) error {
	policies, err := newAuditors(config, cmd.ErrOrStderr(), audit.Options{Limits: textLimits})
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
	withheld := redactTelemetry(policies, telemetry)
	a := policies.At(attributes.policy(policies))
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

// redactTelemetry redacts the documents in place and returns how many values were withheld. It goes trace by trace and
// policy by policy, as the collector does, so that what was recognised in one is not removed from another.
func redactTelemetry(policies *audit.Set, inputs []*input) int {
	withheld := 0
	for _, t := range group(inputs, policies.Matcher()).order {
		// Traces may share a resource or a scope: each takes it as the one before left it.
		a := policies.At(t.policy)
		x := examine(a, t.copySpans(), t.copyLogs())
		a.Redact(x.spans, x.ofSpans)
		a.RedactLogs(x.logs, x.ofLogs)
		t.putSpans(x.spans)
		t.putLogs(x.logs)
		withheld += x.ledger.Withheld()
	}
	for _, in := range inputs {
		for i := range in.docs {
			withheld += redactShells(policies, &in.docs[i])
		}
	}
	return withheld
}

// redactShells redacts the resources and scopes of a document that have no records, which belong to no trace.
func redactShells(policies *audit.Set, d *document) int {
	withheld := 0
	if d.hasTraces() {
		for i, rs := range d.traces.ResourceSpans().All() {
			if shell := rs.ScopeSpans().Len() == 0 || anyOf(rs.ScopeSpans().All(), func(ss ptrace.ScopeSpans) bool { return ss.Spans().Len() == 0 }); shell {
				withheld += redactShell(policies.At(d.ofSpans[i]), rs)
			}
		}
	}
	if d.hasLogs() {
		for i, rl := range d.logs.ResourceLogs().All() {
			if shell := rl.ScopeLogs().Len() == 0 || anyOf(rl.ScopeLogs().All(), func(sl plog.ScopeLogs) bool { return sl.LogRecords().Len() == 0 }); shell {
				withheld += redactLogShell(policies.At(d.ofLogs[i]), rl)
			}
		}
	}
	return withheld
}

func anyOf[T any](all iter.Seq2[int, T], is func(T) bool) bool {
	for _, x := range all {
		if is(x) {
			return true
		}
	}
	return false
}

// redactShell redacts a resource and those of its scopes that have no spans. What has some is redacted already.
func redactShell(a *audit.Auditor, rs ptrace.ResourceSpans) int {
	td := ptrace.NewTraces()
	to := td.ResourceSpans().AppendEmpty()
	rs.Resource().CopyTo(to.Resource())
	to.SetSchemaUrl(rs.SchemaUrl())
	var shells []ptrace.ScopeSpans
	for _, ss := range rs.ScopeSpans().All() {
		if ss.Spans().Len() == 0 {
			shells = append(shells, ss)
			ss.CopyTo(to.ScopeSpans().AppendEmpty())
		}
	}
	b := a.ScanTraces(td)
	a.FindCopies(td, b, &audit.Ledger{})
	a.Redact(td, b)
	to.Resource().CopyTo(rs.Resource())
	rs.SetSchemaUrl(to.SchemaUrl())
	for i, ss := range shells {
		to.ScopeSpans().At(i).CopyTo(ss)
	}
	return b.Withheld()
}

func redactLogShell(a *audit.Auditor, rl plog.ResourceLogs) int {
	ld := plog.NewLogs()
	to := ld.ResourceLogs().AppendEmpty()
	rl.Resource().CopyTo(to.Resource())
	to.SetSchemaUrl(rl.SchemaUrl())
	var shells []plog.ScopeLogs
	for _, sl := range rl.ScopeLogs().All() {
		if sl.LogRecords().Len() == 0 {
			shells = append(shells, sl)
			sl.CopyTo(to.ScopeLogs().AppendEmpty())
		}
	}
	b := a.ScanLogs(ld)
	a.FindCopiesInLogs(ld, b, &audit.Ledger{})
	a.RedactLogs(ld, b)
	to.Resource().CopyTo(rl.Resource())
	rl.SetSchemaUrl(to.SchemaUrl())
	for i, sl := range shells {
		to.ScopeLogs().At(i).CopyTo(sl)
	}
	return b.Withheld()
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
