package agentleakprocessor

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// The attributes of the score. README.md says what each means.
const (
	attrRiskIndex     = prefix + "risk_index"
	attrSeverity      = prefix + "severity"
	attrPrivacyScore  = prefix + "privacy_score"
	attrVerdict       = prefix + "verdict"
	attrWSL           = prefix + "wsl"
	attrRhoS          = prefix + "rho_s"
	attrLeaked        = prefix + "leaked."  // + l1 to l4
	attrChannel       = prefix + "channel." // + name + .risk_index
	attrVaultExplicit = prefix + "vault.explicit"
	attrVaultScope    = prefix + "vault.scope"
	attrPolicy        = prefix + "policy.name"
	attrPassed        = prefix + "policy.passed"
	attrViolations    = prefix + "policy.violations"
	attrComplete      = prefix + "trace.complete"
	attrIncomplete    = prefix + "trace.incomplete"
	attrError         = prefix + "error"
	attrLate          = prefix + "late"
)

// scoreSize is about how many attributes a score has, so that a map grows once.
const scoreSize = 16

// score writes a trace's score on its spans: all of it on those of tops, the index on the others.
func (m *marker) score(td ptrace.Traces, s *audit.Score, tops map[pcommon.SpanID]bool, d *departure, why []string) {
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				attrs := span.Attributes()
				top := tops[span.SpanID()]
				index := !top && (m.all || d.late) && s.Err == nil
				switch {
				case top:
					attrs.EnsureCapacity(attrs.Len() + scoreSize)
				case index:
					attrs.EnsureCapacity(attrs.Len() + 3)
				}
				if d.late {
					attrs.PutBool(attrLate, true)
				}
				switch {
				case top:
					putScore(attrs, s, why)
					m.putPolicy(attrs)
				case index:
					putIndex(attrs, s)
					m.putPolicy(attrs)
				}
			}
		}
	}
}

// putPolicy says which of several policies a score is by.
func (m *marker) putPolicy(attrs pcommon.Map) {
	if m.policy != "" {
		attrs.PutStr(attrPolicy, m.policy)
	}
}

// incomplete marks spans of a trace whose root did not come, on those of tops.
func (m *marker) incomplete(td ptrace.Traces, tops map[pcommon.SpanID]bool, why []string) {
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				if tops[span.SpanID()] {
					span.Attributes().PutBool(attrComplete, false)
					putList(span.Attributes(), attrIncomplete, why)
				}
			}
		}
	}
}

func putIndex(attrs pcommon.Map, s *audit.Score) {
	attrs.PutDouble(attrRiskIndex, s.Report.RI)
	attrs.PutStr(attrSeverity, s.Report.Severity().String())
}

func putScore(attrs pcommon.Map, s *audit.Score, incomplete []string) {
	if s.Err != nil {
		attrs.PutStr(attrError, errorWord(s.Err))
	} else {
		putIndex(attrs, s)
		r := &s.Report
		attrs.PutInt(attrPrivacyScore, int64(r.PrivacyScore))
		attrs.PutStr(attrVerdict, r.Verdict.String())
		attrs.PutInt(attrWSL, int64(r.WSL))
		attrs.PutInt(attrRhoS, int64(r.Density))
		for _, l := range agentrisk.Levels() {
			attrs.PutInt(attrLeaked+strings.ToLower(l.String()), int64(r.Leaked.Of(l)))
		}
		for _, c := range agentrisk.Channels() {
			if r.ByChannel[c] > 0 {
				attrs.PutDouble(attrChannel+c.String()+".risk_index", r.ByChannel[c])
			}
		}
	}
	attrs.PutBool(attrVaultExplicit, s.Explicit)
	if s.Scope != "" {
		attrs.PutStr(attrVaultScope, s.Scope)
	}
	attrs.PutBool(attrPassed, s.Outcome.Passed)
	putList(attrs, attrViolations, s.Outcome.Violations)
	attrs.PutBool(attrComplete, len(incomplete) == 0)
	putList(attrs, attrIncomplete, incomplete)
}

// putList writes a list of strings, and nothing when it is empty.
func putList(attrs pcommon.Map, key string, list []string) {
	if len(list) == 0 {
		return
	}
	to := attrs.PutEmptySlice(key)
	to.EnsureCapacity(len(list))
	for _, v := range list {
		to.AppendEmpty().SetStr(v)
	}
}
