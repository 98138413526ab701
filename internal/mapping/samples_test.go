package mapping

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/leaf"
)

// evidence is a sample's expected file; testdata/dialects/README.md explains its fields.
type evidence struct {
	Files    []string
	Expected []struct {
		SpanID   string `json:"span_id"`
		Where    string
		Path     string
		Channel  string
		Accept   []string
		Optional bool
		Value    string
	}
	Replayed []struct {
		SpanID string `json:"span_id"`
		Where  string
		Path   string
		Value  string
	}
}

// seen is one text of a run with the place it stands in.
type seen struct {
	span  string
	where string
	path  string
	text  string
	place Place
}

// readRun reads the texts of all files of a run, and its skeleton.
func readRun(t testing.TB, m *Mapper, files []string) ([]seen, *Skeleton) {
	t.Helper()
	var all []seen
	var skel Skeleton
	doc := leaf.NewDoc(leaf.Limits{})
	collect := func(id pcommon.SpanID, r *Reading) {
		doc.Texts(func(f *leaf.Field, n *leaf.Node, name bool, text string) {
			p := Place{Slot: SlotLog}
			if r != nil {
				p = r.At(n)
			}
			path := ""
			if !name || n != f.Root {
				path = n.Path()
			}
			s := ""
			if !id.IsEmpty() {
				s = id.String()
			}
			all = append(all, seen{s, f.Where(), path, strings.Clone(text), p})
		})
	}
	logIndex := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, rs := range td.ResourceSpans().All() {
			doc.Reset()
			doc.Resource(rs.Resource(), rs.SchemaUrl())
			collect(pcommon.SpanID{}, nil)
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					doc.Reset()
					doc.Span(s)
					r := m.Span(s, ss.Scope().Name(), doc)
					skel.Add(&r.Info)
					collect(s.SpanID(), &r)
				}
			}
		}
		ld, err := (&plog.JSONUnmarshaler{}).UnmarshalLogs(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, rl := range ld.ResourceLogs().All() {
			for _, sl := range rl.ScopeLogs().All() {
				for _, lr := range sl.LogRecords().All() {
					doc.Reset()
					doc.Log(lr, logIndex)
					logIndex++
					r := m.Log(lr, sl.Scope().Name(), doc)
					if !r.Info.ID.IsEmpty() {
						skel.Add(&r.Info)
					}
					collect(lr.SpanID(), &r)
				}
			}
		}
	}
	return all, &skel
}

// checkSample compares a sample with what mapping says of each planted value, by place and not by detection.
func checkSample(t testing.TB, expected string) (problems []string) {
	t.Helper()
	var e evidence
	data, err := os.ReadFile(expected)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	for i, f := range e.Files {
		e.Files[i] = filepath.Join(filepath.Dir(expected), f)
	}
	m, err := New(7)
	if err != nil {
		t.Fatal(err)
	}
	all, skel := readRun(t, m, e.Files)
	tree := skel.Tree()
	at := func(span, where, path, value string) []seen {
		var hits []seen
		for _, s := range all {
			if s.span == span && s.where == where && s.path == path && strings.Contains(s.text, value) {
				hits = append(hits, s)
			}
		}
		return hits
	}
	for _, x := range e.Expected {
		hits := at(x.SpanID, x.Where, x.Path, x.Value)
		if len(hits) == 0 {
			problems = append(problems, fmt.Sprintf("%s %s %s: no text there", x.SpanID, x.Where, x.Path))
			continue
		}
		ch, _ := tree.Channel(hits[0].place)
		if ch.String() != x.Channel && !slices.Contains(x.Accept, ch.String()) && !x.Optional {
			problems = append(problems, fmt.Sprintf("%s %s %s: channel %v, want %s %v (%+v)", x.SpanID, x.Where, x.Path, ch, x.Channel, x.Accept, hits[0].place))
		}
	}
	for _, x := range e.Replayed {
		for _, hit := range at(x.SpanID, x.Where, x.Path, x.Value) {
			if ch, _ := tree.Channel(hit.place); ch.Disclosure() {
				problems = append(problems, fmt.Sprintf("%s %s %s: replayed text on %v (%+v)", x.SpanID, x.Where, x.Path, ch, hit.place))
			}
		}
	}
	return problems
}

// TestDialectSamples holds the tables against the samples of every dialect.
func TestDialectSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "dialects", "*", "*.expected.json"))
	if err != nil || len(files) < 25 {
		t.Fatalf("only %d samples: %v", len(files), err)
	}
	for _, f := range files {
		t.Run(filepath.Base(filepath.Dir(f)), func(t *testing.T) {
			for _, p := range checkSample(t, f) {
				t.Error(p)
			}
		})
	}
}
