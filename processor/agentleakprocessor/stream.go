package agentleakprocessor

import (
	"context"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// With hold and grace at zero a request goes on as it came: one request, the same spans in the same order, in the goroutine and
// with the context of its sender, who also gets what the next component answers. Nothing is held, queued or copied. A
// request that is sent again after an error changes nothing: what was learned of it joins ledgers, and what was
// redacted is read back. With a storage requests are kept and queued like any others, but for no time.

// stream passes a request on, each of its spans with what is known of its trace by now.
func (p *tracesProcessor) stream(ctx context.Context, td ptrace.Traces, spans int) error {
	pieces, homes := splitWhole(td, p.policies.Matcher())
	p.scan(pieces...)
	parcels := make([]parcel, 0, len(pieces))
	for _, x := range pieces {
		if x.id.IsEmpty() {
			parcels = append(parcels, p.settlers[x.policy].loose(x)...)
			continue
		}
		parcels = p.shards.of(x.id).pass(parcels, x)
	}
	if homes != nil {
		td = rejoin(td, pieces, homes, parcels)
	}
	if err := p.out.next.ConsumeTraces(ctx, td); err != nil {
		p.tel.ProcessorAgentleakRefusedSpans.Add(ctx, int64(spans))
		return err
	}
	p.tel.ProcessorIncomingItems.Add(ctx, int64(spans), p.tel.signal)
	p.out.sent(spans)
	return nil
}

// pass takes over a scanned piece and appends to dst what leaves for it, which is the piece at once.
func (s *shard) pass(dst []parcel, p *piece) []parcel {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aside = &dst
	s.take(p)
	s.aside = nil
	return dst
}

// splitWhole parts td by trace and policy. homes are, for each piece, where in td its spans were, in its order; nil where
// td is of one trace and policy and so the one piece.
func splitWhole(td ptrace.Traces, m *audit.Matcher) (pieces []*piece, homes [][]ptrace.Span) {
	of := policiesOf(td, m)
	spans, one, roots := survey(td)
	if one != nil && of.one() {
		return []*piece{{id: *one, policy: of.at(0), root: roots > 0 && !one.IsEmpty(), spans: spans, td: td}}, nil
	}
	var last *sink
	at := 0
	sinks := map[partID]int{} // positions in all
	var all []*sink
	for i, rs := range td.ResourceSpans().All() {
		for j, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				id := partID{span.TraceID(), of.at(i)}
				if last == nil || last.partID() != id {
					k, ok := sinks[id]
					if !ok {
						k = len(all)
						sinks[id] = k
						all = append(all, newSink(id))
						pieces, homes = append(pieces, &all[k].piece), append(homes, nil)
					}
					last, at = all[k], k
				}
				last.root = last.root || isRoot(span)
				last.move(i, j, rs, ss, span)
				homes[at] = append(homes[at], span)
			}
		}
	}
	return pieces, homes
}

// rejoin puts the spans of pieces back where they were in td. Where what stands above the spans of one piece was
// changed, the request is of the pieces one after the other instead: traces may know different values of a resource.
func rejoin(td ptrace.Traces, pieces []*piece, homes [][]ptrace.Span, parcels []parcel) ptrace.Traces {
	for _, x := range pieces {
		if x.above {
			return merge(parcels).td
		}
	}
	for k, x := range pieces {
		n := 0
		for _, rs := range x.td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, span := range ss.Spans().All() {
					span.MoveTo(homes[k][n])
					n++
				}
			}
		}
	}
	return td
}
