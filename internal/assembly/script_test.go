package assembly

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// TestScripts runs testdata/*.txt. A script is blocks of commands, the line "----", and what they
// print, which -update rewrites; lines that begin with # are for the reader. Times count from the
// start of the script, and a command without one happens at the time of the one before it.
//
//	options [hold=D] [grace=D] [idle=D] [held=N] [trace=N] [traces=N]   a new buffer
//	add TRACE NAME [root] [bytes=N] [spans=N] [at=D]                    bytes and spans are 1 unless told
//	touch TRACE [at=D]
//	tick D
//	flush [D]
//
// A release prints as its trace, [the names of its chunks], its reason, and "closed" or "forget".
// Each block ends with the state of the buffer.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := runScript(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// runScript returns text with the output of each block as it is now.
func runScript(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	s := script{t: t, b: New[string](Options{})}
	skipping := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case skipping && line != "":
			continue
		case line == "" || strings.HasPrefix(line, "#"):
			skipping = false
		case line == "----":
			skipping = true
			fmt.Fprintf(&out, "----\n%s%s\n", s.printed.String(), s.state())
			s.printed.Reset()
			continue
		default:
			s.run(line)
		}
		fmt.Fprintln(&out, line)
	}
	return out.String()
}

type script struct {
	t       *testing.T
	b       *Buffer[string]
	at      time.Duration
	printed bytes.Buffer
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (s *script) run(line string) {
	s.t.Helper()
	words := strings.Fields(line)
	var names []string
	args := map[string]string{}
	for _, w := range words[1:] {
		if k, v, ok := strings.Cut(w, "="); ok {
			args[k] = v
		} else {
			names = append(names, w)
		}
	}
	switch words[0] {
	case "options":
		s.b = New[string](Options{
			Hold: s.duration(args["hold"]), Grace: s.duration(args["grace"]), Idle: s.duration(args["idle"]),
			HeldBytes: int64(s.number(args["held"], 0)), BytesPerTrace: int64(s.number(args["trace"], 0)),
			OpenTraces: s.number(args["traces"], 0),
		})
		s.at = 0
	case "add":
		if at, ok := args["at"]; ok {
			s.at = s.duration(at)
		}
		s.print(s.b.Add(start.Add(s.at), Chunk[string]{
			Trace: traceID(names[0]), Payload: names[1], Root: len(names) > 2 && names[2] == "root",
			Bytes: s.number(args["bytes"], 1), Spans: s.number(args["spans"], 1),
		}))
	case "touch":
		if at, ok := args["at"]; ok {
			s.at = s.duration(at)
		}
		s.print(s.b.Touch(start.Add(s.at), traceID(names[0])))
	case "tick":
		s.at = s.duration(names[0])
		s.print(s.b.Tick(start.Add(s.at)))
	case "flush":
		if len(names) > 0 {
			s.at = s.duration(names[0])
		}
		s.print(s.b.Flush(start.Add(s.at)))
	default:
		s.t.Fatalf("unknown command %q", line)
	}
}

func (s *script) print(rs []Release[string]) {
	for _, r := range rs {
		names := make([]string, len(r.Chunks))
		for i, c := range r.Chunks {
			names[i] = c.Payload
		}
		fmt.Fprintf(&s.printed, "%s [%s] %v", strings.TrimRight(string(r.Trace[:]), "\x00"), strings.Join(names, " "), r.Reason)
		if r.Closed {
			s.printed.WriteString(" closed")
		}
		if r.Forget {
			s.printed.WriteString(" forget")
		}
		s.printed.WriteByte('\n')
	}
}

func (s *script) state() string {
	next := "never"
	if at, ok := s.b.Next(); ok {
		next = at.Sub(start).String()
	}
	return fmt.Sprintf("held %d bytes %d spans, traces %d open %d known, next %s",
		s.b.HeldBytes(), s.b.HeldSpans(), s.b.OpenTraces(), s.b.KnownTraces(), next)
}

func (s *script) duration(v string) time.Duration {
	s.t.Helper()
	if v == "" {
		return 0
	}
	d, err := time.ParseDuration(v)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s *script) number(v string, otherwise int) int {
	s.t.Helper()
	if v == "" {
		return otherwise
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func traceID(name string) (id pcommon.TraceID) {
	copy(id[:], name)
	return id
}
