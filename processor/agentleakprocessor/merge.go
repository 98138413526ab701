package agentleakprocessor

import (
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/xpdata/entity"
)

// What is merged into one batch for the next component: the usual size of batches, and half of what a gRPC server takes
// by default. A parcel that is larger by itself goes out as it is.
const (
	batchSpans = 8192
	batchBytes = 2 << 20
)

// portion cuts what makes one batch off the front of a queue.
func portion(queue []parcel) (front, rest []parcel) {
	if len(queue) == 0 {
		return nil, nil
	}
	n, spans, bytes := 1, queue[0].spans, queue[0].bytes
	for n < len(queue) {
		spans, bytes = spans+queue[n].spans, bytes+queue[n].bytes
		if spans > batchSpans || bytes > batchBytes {
			break
		}
		n++
	}
	front = slices.Clone(queue[:n])
	clear(queue[:n]) // what went out is not kept by the rest
	return front, queue[n:]
}

// merge makes one parcel of some. Spans keep their order under each resource and scope. Equal resources become one
// again: splitting a batch by trace had copied them.
func merge(ps []parcel) parcel {
	to := ps[0]
	for i := range ps[1:] {
		p := &ps[i+1]
		to.spans += p.spans
		to.bytes += p.bytes
		to.entries = append(to.entries, p.entries...)
		for _, rs := range p.td.ResourceSpans().All() {
			mergeResource(to.td.ResourceSpans(), rs)
		}
	}
	return to
}

// lookBack is how many resources and scopes are compared with: enough for a trace that crosses some services.
const lookBack = 8

func mergeResource(to ptrace.ResourceSpansSlice, rs ptrace.ResourceSpans) {
	for i := to.Len() - 1; i >= max(0, to.Len()-lookBack); i-- {
		if at := to.At(i); sameResource(at, rs) {
			for _, ss := range rs.ScopeSpans().All() {
				mergeScope(at.ScopeSpans(), ss)
			}
			return
		}
	}
	rs.MoveTo(to.AppendEmpty())
}

func mergeScope(to ptrace.ScopeSpansSlice, ss ptrace.ScopeSpans) {
	for i := to.Len() - 1; i >= max(0, to.Len()-lookBack); i-- {
		if at := to.At(i); sameScope(at, ss) {
			ss.Spans().MoveAndAppendTo(at.Spans())
			return
		}
	}
	ss.MoveTo(to.AppendEmpty())
}

func sameResource(a, b ptrace.ResourceSpans) bool {
	return a.SchemaUrl() == b.SchemaUrl() &&
		a.Resource().DroppedAttributesCount() == b.Resource().DroppedAttributesCount() &&
		sameAttributes(a.Resource().Attributes(), b.Resource().Attributes()) &&
		entity.ResourceEntityRefs(a.Resource()).Len() == 0 && entity.ResourceEntityRefs(b.Resource()).Len() == 0
}

func sameScope(a, b ptrace.ScopeSpans) bool {
	x, y := a.Scope(), b.Scope()
	return a.SchemaUrl() == b.SchemaUrl() && x.Name() == y.Name() && x.Version() == y.Version() &&
		x.DroppedAttributesCount() == y.DroppedAttributesCount() && sameAttributes(x.Attributes(), y.Attributes())
}

// sameAttributes wants the same order too: one sender keeps its own, and comparing is one pass.
func sameAttributes(a, b pcommon.Map) bool {
	if a.Len() != b.Len() {
		return false
	}
	type entry struct {
		key   string
		value pcommon.Value
	}
	other := make([]entry, 0, b.Len())
	for k, v := range b.All() {
		other = append(other, entry{k, v})
	}
	i := 0
	for k, v := range a.All() {
		if o := other[i]; k != o.key || !v.Equal(o.value) {
			return false
		}
		i++
	}
	return true
}
