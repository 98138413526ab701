package cli

import (
	"fmt"
	"math"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// show writes what became of a sample: the score that the collector wrote on the root span, and the text before and
// after.
func (d *demo) show(i int, s *demoSample, out map[spanKey]ptrace.Span) error {
	var root, shown ptrace.Span
	var before string
	var with, found, redacted int64
	s.spans(func(sent ptrace.Span) {
		span := out[keyOfSpan(sent)]
		if span.ParentSpanID().IsEmpty() {
			root = span
		}
		if sent.SpanID().String() == s.span {
			shown, before = span, s.text(sent)
		}
		attrs := written{span.Attributes()}
		if n := attrs.number("span.findings"); n > 0 {
			with++
			found += n
			redacted += attrs.number("span.redacted")
		}
	})
	w, attrs := d.w, written{root.Attributes()}
	index, ok := attrs.get("risk_index")
	if !ok {
		return fmt.Errorf("%s: the exported root span has no score", s.name)
	}
	fmt.Fprintf(w, "\n%d  %s (%s, %d spans over %s)\n   %s\n\n", i+1, s.name, s.dialect, s.traces.SpanCount(), s.over.protocol, s.story)
	fmt.Fprintf(w, "   Trace %s\n", root.TraceID())
	fmt.Fprintf(w, "   Privacy score %d/100, %s  (Risk Index %.4f = %d/%d)\n\n", attrs.number("privacy_score"),
		strings.ReplaceAll(attrs.word("verdict"), "_", " "), index.Double(), attrs.number("wsl"), attrs.number("rho_s"))
	for _, c := range agentrisk.Channels() {
		if v, ok := attrs.get("channel." + c.String() + ".risk_index"); ok {
			fmt.Fprintf(w, "     %-19s  %s  %.4f\n", c, gauge(v.Double()), v.Double())
		}
	}
	var leaked []string
	for _, l := range agentrisk.Levels() {
		leaked = append(leaked, fmt.Sprintf("%s: %d", l, attrs.number("leaked."+strings.ToLower(l.String()))))
	}
	fmt.Fprintf(w, "     %-19s  %s\n", "secrets leaked", strings.Join(leaked, ", "))
	fmt.Fprintf(w, "     %-19s  %d on %d spans, %d redacted\n\n", "findings", found, with, redacted)
	fmt.Fprintf(w, "   %s: %s\n     before  %s\n     after   %s\n", shown.Name(), s.where, before, s.text(shown))
	return nil
}

// gauge draws a share from 0 to 1. What is not zero shows.
func gauge(share float64) string {
	const width = 20
	return fmt.Sprintf("%-*s", width, strings.Repeat("█", max(1, int(math.Round(share*width)))))
}

// written are the attributes of a span, of which those of the collector are asked for.
type written struct{ pcommon.Map }

func (w written) get(name string) (pcommon.Value, bool) { return w.Get("agentleak." + name) }

func (w written) number(name string) int64 {
	if v, ok := w.get(name); ok {
		return v.Int()
	}
	return 0
}

func (w written) word(name string) string {
	if v, ok := w.get(name); ok {
		return v.Str()
	}
	return ""
}
