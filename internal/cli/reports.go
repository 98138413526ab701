package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
	"github.com/agentleak/otelcol-agentleak/internal/report"
)

// A format is one form of a report.
type format struct {
	name   string
	write  func(*report.Set, io.Writer) error
	values bool
	lines  bool // it points at lines of the input
}

// formats are the forms of a report. Those with values may hold them for triage; the others are made to be passed on.
var formats = []format{
	{"text", (*report.Set).WriteText, true, false},
	{"json", (*report.Set).WriteJSON, true, false},
	{"markdown", (*report.Set).WriteMarkdown, false, false},
	{"html", (*report.Set).WriteHTML, false, false},
	{"sarif", (*report.Set).WriteSARIF, false, true},
	{"junit", (*report.Set).WriteJUnit, false, false},
}

func formatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// outputs are the reports that one audit writes.
type outputs []output

type output struct {
	format int // of formats
	file   string
}

// outputs reads the flags that say what is written where.
func (f *auditFlags) outputs() (outputs, error) {
	var out outputs
	add := func(flag, given, name, file string) error {
		i := slices.IndexFunc(formats, func(x format) bool { return x.name == name })
		switch {
		case i < 0:
			return fmt.Errorf("--%s %q: want %s", flag, given, formatNames())
		case f.showValues && !formats[i].values:
			return fmt.Errorf("--show-values: not in %s, which is made to be passed on: want text or json", name)
		}
		for _, o := range out {
			if o.file == file && (file != "-" || flag == "report") {
				return fmt.Errorf("--%s %q: another report goes there already", flag, given)
			}
		}
		out = append(out, output{i, file})
		return nil
	}
	if err := add("format", f.format, f.format, f.output); err != nil {
		return nil, err
	}
	for _, given := range f.reports {
		name, file, ok := strings.Cut(given, "=")
		if !ok || file == "" {
			return nil, fmt.Errorf("--report %q: want FORMAT=FILE, such as html=report.html", given)
		}
		if err := add("report", given, name, file); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (o outputs) pointAtLines() bool {
	return slices.ContainsFunc(o, func(x output) bool { return formats[x.format].lines })
}

// write writes all reports. Ones with values are for their owner alone.
func (o outputs) write(stdout io.Writer, set *report.Set, values bool) error {
	for _, x := range o {
		write := func(w io.Writer) error { return formats[x.format].write(set, w) }
		if err := writeTo(x.file, stdout, values, write); err != nil {
			return err
		}
	}
	return nil
}

// report is the origin as a report names it: standard input as "stdin".
func (o origin) report() report.Origin {
	if o.in == nil {
		return report.Origin{}
	}
	r := report.Origin{File: o.in.name, Line: o.doc.line}
	if r.File == "-" {
		r.File = "stdin"
	}
	return r
}

// spanOrigins says of each span where it was read. What belongs to no span came with the first.
func (t *traceParts) spanOrigins() map[pcommon.SpanID]report.Origin {
	at := map[pcommon.SpanID]report.Origin{}
	for _, r := range t.spans {
		from := r.origin.report()
		if _, ok := at[pcommon.SpanID{}]; !ok {
			at[pcommon.SpanID{}] = from
		}
		for _, sc := range r.scopes {
			for _, s := range sc.spans {
				if _, ok := at[s.SpanID()]; ok {
					continue
				}
				here := from
				if line := r.origin.in.spans[s.SpanID().String()]; line > 0 {
					here.Line = line
				}
				at[s.SpanID()] = here
			}
		}
	}
	return at
}

// reportSpans are the spans of a trace for its timeline, with safe names.
func reportSpans(td ptrace.Traces, sc *audit.Score, names *labeller) []report.Span {
	spans := make([]report.Span, 0, td.SpanCount())
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				spans = append(spans, report.Span{
					ID: s.SpanID().String(), Parent: s.ParentSpanID().String(), Name: names.label(s.Name()),
					Agent: names.label(sc.Agent(s.SpanID())), Start: uint64(s.StartTimestamp()), End: uint64(s.EndTimestamp()),
				})
			}
		}
	}
	return spans
}
