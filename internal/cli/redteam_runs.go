package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/redteam"
)

// A runSet is the runs of one file or pack.
type runSet struct {
	name string
	runs []labelledRun
	pack *redteam.Pack // nil for a file of labelled runs
}

// A labelledRun is one run, with what its trace is to be read from.
type labelledRun struct {
	at       string // for errors: the file, and the line or the scenario
	labels   redteam.Labels
	canaries []string
	docs     []document
	traceID  string
	measured *redteam.Run // by somebody else; nothing to audit
}

// reference is what the pack's reference made of the same traces, if it has all of them.
func (s *runSet) reference() []redteam.Run {
	if s.pack == nil {
		return nil
	}
	var out []redteam.Run
	for i := range s.runs {
		r, ok := s.pack.Reference(s.runs[i].labels)
		if !ok {
			return nil
		}
		out = append(out, r)
	}
	return out
}

// readRunSets reads files of labelled runs and of packs, whose files find each other by the id of the pack. The traces
// of a pack are looked for beside it where they are not among the files.
func readRunSets(files []string, stdin io.Reader) ([]*runSet, error) {
	var sets []*runSet
	packs := map[string]*runSet{}
	byPack := map[*runSet]string{} // the first file of each
	for _, name := range files {
		in, err := open(name, stdin)
		if err != nil {
			return nil, err
		}
		if !isPack(in.data) {
			s, err := readRunFile(in)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			sets = append(sets, s)
			continue
		}
		p, err := redteam.ReadPack(in.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s := packs[p.ID]
		if s == nil {
			s = &runSet{name: p.ID, pack: p}
			packs[p.ID], byPack[s] = s, name
			sets = append(sets, s)
			continue
		}
		s.pack.Merge(p)
	}
	for _, s := range sets {
		if s.pack == nil {
			continue
		}
		if err := s.fromPack(byPack[s]); err != nil {
			return nil, fmt.Errorf("%s: %w", byPack[s], err)
		}
	}
	return sets, nil
}

func isPack(data []byte) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &members) == nil && redteam.IsPack(members)
}

// fromPack makes the runs of a pack, of which file is one.
func (s *runSet) fromPack(file string) error {
	p := s.pack
	stem := file
	for _, end := range []string{".traces.json", ".expected.json", ".json"} {
		stem = strings.TrimSuffix(stem, end)
	}
	for _, missing := range []struct {
		lacks bool
		end   string
	}{{len(p.Traces) == 0, ".traces.json"}, {len(p.Labels) == 0, ".json"}} {
		if !missing.lacks || file == "-" {
			continue
		}
		data, err := os.ReadFile(stem + missing.end)
		if err != nil {
			continue
		}
		if other, err := redteam.ReadPack(data); err == nil && other.ID == p.ID {
			p.Merge(other)
		}
	}
	switch {
	case len(p.Labels) == 0:
		return errors.New("the pack's scenarios are missing: name their file too")
	case len(p.Traces) == 0:
		return errors.New("the pack's traces are missing: name their file too")
	}
	for _, id := range p.Order {
		at := fmt.Sprintf("%s: scenario %q", file, id)
		raw, ok := p.Traces[id]
		if !ok {
			return fmt.Errorf("scenario %q: no trace", id)
		}
		docs, err := appendValue(nil, bytes.TrimSpace(raw))
		if err != nil {
			return fmt.Errorf("scenario %q: trace: %w", id, err)
		}
		s.runs = append(s.runs, labelledRun{at: at, labels: p.Labels[id], canaries: p.Canaries[id], docs: docs})
	}
	return nil
}

// readRunFile reads a file of labelled runs and the traces that it names.
func readRunFile(in *input) (*runSet, error) {
	records, err := redteam.ReadRuns(in.data)
	if err != nil {
		return nil, err
	}
	s := &runSet{name: filepath.Base(in.name)}
	if in.name == "-" {
		s.name = "standard input"
	}
	read := map[string][]document{}
	for i := range records {
		r := &records[i]
		run := labelledRun{
			at: fmt.Sprintf("%s: line %d", in.name, r.Line), labels: r.Labels, canaries: r.Canaries, traceID: strings.ToLower(r.TraceID),
		}
		switch {
		case r.Measured != nil:
			m := r.Run()
			run.measured = &m
		case r.TraceFile != "":
			run.docs, err = readTraceFile(in.name, r.TraceFile, read)
		default:
			if raw := bytes.TrimSpace(r.Trace); !slices.Contains([]byte("[{"), raw[0]) {
				err = errors.New("want an object or a list")
			} else {
				run.docs, err = appendValue(nil, raw)
			}
			if err != nil {
				err = fmt.Errorf("trace: %w", err)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.Line, err)
		}
		s.runs = append(s.runs, run)
	}
	return s, nil
}

// readTraceFile reads a file named in a file of runs, once.
func readTraceFile(runs, name string, read map[string][]document) ([]document, error) {
	path := name
	if !filepath.IsAbs(path) && runs != "-" {
		path = filepath.Join(filepath.Dir(runs), path)
	}
	if docs, ok := read[path]; ok {
		return docs, nil
	}
	in, err := open(path, nil)
	if err == nil {
		err = in.parse()
	}
	if err != nil {
		return nil, fmt.Errorf("trace_file: %w", err)
	}
	read[path] = in.docs
	return in.docs, nil
}
