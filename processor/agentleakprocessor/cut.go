package agentleakprocessor

import "go.opentelemetry.io/collector/pdata/ptrace"

// The most that one piece holds, but for a span that is larger by itself: what is held, kept, released and sent on is in
// portions of this, however much comes of one trace in one request.
const (
	pieceSpans = batchSpans / 2
	pieceBytes = batchBytes
)

// cutAll cuts those of ps that are too large.
func cutAll(ps []*piece) []*piece {
	for i, p := range ps {
		if !p.large() {
			continue
		}
		out := append(make([]*piece, 0, len(ps)+4), ps[:i]...)
		for _, p := range ps[i:] {
			out = append(out, p.cut()...)
		}
		return out
	}
	return ps
}

// large reports whether the piece is to be cut. Most pieces are of a few spans, and one span cannot be cut.
func (p *piece) large() bool {
	if p.spans < 2 {
		return false
	}
	if p.spans > pieceSpans {
		return true
	}
	n := 0
	for span := range eachSpan(p.td) {
		if n += weighSpan(span); n > pieceBytes {
			return true
		}
	}
	return false
}

// cut parts the piece, with the spans in their order under copies of what stands above them. The piece is void then.
func (p *piece) cut() []*piece {
	if !p.large() {
		return []*piece{p}
	}
	var out []*piece
	to, bytes := newSink(p.partID()), 0
	for i, rs := range p.td.ResourceSpans().All() {
		for j, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				n := weighSpan(span)
				if to.spans > 0 && (to.spans >= pieceSpans || bytes+n > pieceBytes) {
					out = append(out, &to.piece)
					to, bytes = newSink(p.partID()), 0
				}
				to.move(i, j, rs, ss, span)
				bytes += n
			}
		}
	}
	return append(out, &to.piece)
}

// eachSpan ranges over the spans.
func eachSpan(td ptrace.Traces) func(yield func(ptrace.Span) bool) {
	return func(yield func(ptrace.Span) bool) {
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, span := range ss.Spans().All() {
					if !yield(span) {
						return
					}
				}
			}
		}
	}
}
