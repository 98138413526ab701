package mapping

import "go.opentelemetry.io/collector/pdata/pcommon"

// Among is what Tree says of completeness, for a skeleton that is a part of a trace whose other spans are in others:
// whether a root was seen, and whether every parent that s names was seen too, here or there.
func (s *Skeleton) Among(others []*Skeleton) (rooted, complete bool) {
	all := append([]*Skeleton{s}, others...)
	seen := func(id pcommon.SpanID) bool {
		for _, o := range all {
			if i := o.spans[id]; i != nil && i.Seen {
				return true
			}
		}
		return false
	}
	for _, o := range all {
		for _, i := range o.spans {
			rooted = rooted || i.Seen && i.Parent.IsEmpty()
		}
	}
	complete = rooted
	for id, i := range s.spans {
		switch {
		case !i.CopyOf.IsEmpty():
			complete = complete && seen(i.CopyOf)
		case !i.Seen:
			complete = complete && seen(id)
		case !i.Parent.IsEmpty():
			complete = complete && seen(i.Parent)
		}
	}
	return rooted, complete
}
