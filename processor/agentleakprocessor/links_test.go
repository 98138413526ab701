package agentleakprocessor

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// told are the links that came, as "from -> to: link type level".
func (s *catcher) told(t *testing.T) (all []string) {
	t.Helper()
	for _, span := range s.spans() {
		for _, l := range span.Links().All() {
			a := l.Attributes().AsRaw()
			if l.TraceID() != span.TraceID() || len(a) != 4 {
				t.Errorf("link to trace %v with %v", l.TraceID(), a)
			}
			if id, _ := a[attrSecretID].(string); len(id) != 12 {
				t.Errorf("secret id %q", id)
			}
			all = append(all, fmt.Sprintf("%d -> %d: %v %v %v", span.SpanID()[7], l.SpanID()[7], a[attrLink], a[attrDataType], a[attrLevel]))
		}
	}
	slices.Sort(all)
	return all
}

func TestLeakPathLinks(t *testing.T) {
	want := []string{"2 -> 1: leak_path credit_card L4", "3 -> 1: leak_path credit_card L4"}
	for _, test := range []struct {
		name   string
		change func(*Config)
		want   []string
	}{
		// The address in the answer shows no source.
		{"defaults", nil, want},
		{"none", func(c *Config) { c.Annotate.LeakPaths = leakPathsNone }, nil},
		{"nothing redacted, no index", func(c *Config) {
			c.Redaction.Levels, c.Vault.Levels = nil, map[string]int{"1": 1}
		}, want},
		{"streamed", func(c *Config) { c.Hold = 0 }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, test.change)
				r.send(leaky())
				time.Sleep(3 * time.Second)
				r.send(made(toolSpan(1, 5, 1, visa))) // late
				r.stopAfter(time.Second)
				if d := cmp.Diff(test.want, r.sink.told(t)); d != "" {
					t.Errorf("-want +got\n%s", d)
				}
				r.conserved()
			})
		})
	}
}

func TestLinksAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mails := func(from, n int) string {
			var list []string
			for i := range n {
				list = append(list, fmt.Sprintf("user%d.test@example.com", from+i))
			}
			return strings.Join(list, ", ")
		}
		r := newRig(t, nil)
		specs := []spanSpec{agentSpan(1, 1, mails(0, 200)+" and card "+visa, "done")}
		for i := range uint64(10) {
			specs = append(specs, toolSpan(1, 2+i, 1, mails(20*int(i), 20)+" "+visa))
		}
		r.send(made(specs...))
		r.stopAfter(3 * time.Second)
		all, cards := 0, 0
		for _, span := range r.sink.spans() {
			all += span.Links().Len()
			if n := span.Links().Len(); n > maxLinksOfSpan {
				t.Errorf("%d links on a span", n)
			}
			for _, l := range span.Links().All() {
				if v, _ := l.Attributes().Get(attrLevel); v.Str() == "L4" {
					cards++
				}
			}
		}
		if all != maxLinks || cards != 10 {
			t.Errorf("%d links, %d of cards", all, cards)
		}
	})
}

// A gateway behind an edge writes its own links in place of the edge's.
func TestForgedLinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		td := leaky()
		for _, span := range spansOf(td) {
			forged := span.Links().AppendEmpty()
			forged.SetSpanID(spanID(9))
			forged.Attributes().PutStr(attrLink, linkLeakPath)
		}
		r.send(td)
		r.stopAfter(3 * time.Second)
		if got := r.sink.told(t); len(got) != 2 {
			t.Errorf("got %q", got)
		}
		if got := r.sum("agentleak_forged_attributes"); got != 4 {
			t.Errorf("%d forged", got)
		}
	})
}

// Spans without a trace id cannot be linked to.
func TestLooseSpansHaveNoLinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		td := leaky()
		for _, span := range spansOf(td) {
			span.SetTraceID([16]byte{})
		}
		r.send(td)
		r.stopAfter(time.Second)
		for _, span := range r.sink.spans() {
			if span.Links().Len() > 0 {
				t.Errorf("span %v has links", span.SpanID())
			}
		}
	})
}
