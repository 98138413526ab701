package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func written(t *testing.T, set *Set, write func(*Set, io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(set, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHostileRunes wants valid UTF-8 and no character that a terminal, an editor or a browser obeys, in any form.
func TestHostileRunes(t *testing.T) {
	set := sets(t)["hostile"]
	for ending, write := range forms {
		out := written(t, set, write)
		if !utf8.ValidString(out) {
			t.Errorf("%s: not UTF-8", ending)
		}
		for _, r := range out {
			if r != '\n' && (unicode.IsControl(r) || !unicode.IsPrint(r)) {
				t.Errorf("%s: holds %U", ending, r)
				break
			}
		}
	}
}

// TestHostileHTML looks at the tags and attributes of the page: the templates' own and no others. html/template
// escapes <, > and quotes wherever a name stands, so a tag in the text is one that was let through.
func TestHostileHTML(t *testing.T) {
	page := written(t, sets(t)["hostile"], (*Set).WriteHTML)
	page = strings.Replace(strings.Replace(page, pageCSS, "", 1), pageJS, "", 1)
	own := strings.Fields("a bdi body br circle code dd details div dl dt figcaption figure footer g h1 h2 h3 h4 head header html input " +
		"label li link main meta option output p path rect script section select span strong style summary svg table tbody td text th thead title tr ul")
	for _, tag := range regexp.MustCompile(`<([^\s>/]*)`).FindAllStringSubmatch(strings.ReplaceAll(page, "</", "<"), -1) {
		if name := tag[1]; name != "!DOCTYPE" && !slices.Contains(own, name) {
			t.Errorf("tag %q", name)
		}
	}
	for tag, n := range map[string]int{"<script": 1, "<style": 1, "<link": 1, "<main": 1, "<h1": 1} {
		if got := strings.Count(page, tag); got != n {
			t.Errorf("%d of %s, want %d", got, tag, n)
		}
	}
	for _, bad := range []string{`<[^>]*\s(on\w+|style|srcdoc|formaction)\s*=`, `href="[^#d]`, `(?i)href="[^"]*script:`, `<[^>]*\ssrc=`} {
		if m := regexp.MustCompile(bad).FindString(page); m != "" {
			t.Errorf("%s: %q", bad, m)
		}
	}
	if len(page) > 200_000 {
		t.Errorf("%d bytes: names are not cut", len(page))
	}
}

// TestHostileMarkdown wants no structure but the report's own.
func TestHostileMarkdown(t *testing.T) {
	md := written(t, sets(t)["hostile"], (*Set).WriteMarkdown)
	columns := 0
	for line := range strings.Lines(md) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "|") {
			columns = 0
			if strings.Contains(line, "|") {
				t.Errorf("a pipe outside a table: %q", line)
			}
			continue
		}
		n := strings.Count(line, "|")
		if columns != 0 && n != columns {
			t.Errorf("%d pipes in a table of %d: %q", n, columns, line)
		}
		columns = n
	}
	for _, tag := range regexp.MustCompile(`</?([^\s>]*)`).FindAllStringSubmatch(md, -1) {
		if !slices.Contains([]string{"details", "summary", "code", "sub"}, tag[1]) {
			t.Errorf("tag %q", tag[1])
		}
	}
	// Backticks stand around names of channels and nothing else.
	rest := regexp.MustCompile("`[a-z_]+`").ReplaceAllString(md, "")
	for _, bad := range []string{"`", "://", "www.", "@", "](", "![", "<!--"} {
		if strings.Contains(strings.ToLower(rest), bad) {
			t.Errorf("holds %q", bad)
		}
	}
	heads := 0
	for line := range strings.Lines(md) {
		if strings.HasPrefix(line, "#") {
			heads++
		}
	}
	if heads != 1 {
		t.Errorf("%d headings, want 1", heads)
	}
}

// TestMarkdownText wants a text to come back from its references, and nothing special to stand bare.
func TestMarkdownText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain name_of-thing 1.5", "plain name_of-thing 1.5"},
		{"_a_ -b", "&#95;a&#95; &#45;b"},
		{"messages[0].parts", "messages&#91;0].parts"},
		{"a: b", "a: b"},
		{"http://x", "http&#58;&#47;&#47;x"},
		{"see www.x.y", "see www&#46;x&#46;y"},
		{"@me #1 *x* `y` | <b>&", "&#64;me &#35;1 &#42;x&#42; &#96;y&#96; &#124; &#60;b&#62;&#38;"},
		{"1. list", "1. list"}, // never at the start of a line
	} {
		if got := mdText(test.in); got != test.want {
			t.Errorf("mdText(%q): got %q, want %q", test.in, got, test.want)
		}
	}
}

// TestJUnit counts what the suites say of themselves.
func TestJUnit(t *testing.T) {
	for name, set := range sets(t) {
		dec := xml.NewDecoder(strings.NewReader(written(t, set, (*Set).WriteJUnit)))
		var suites struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Suites   []struct {
				Cases []struct {
					Name    string    `xml:"name,attr"`
					Failure *struct{} `xml:"failure"`
					Error   *struct{} `xml:"error"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := dec.Decode(&suites); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tests, failures, errs, blocked := 0, 0, 0, 0
		for i, s := range suites.Suites {
			if want := 1 + len(set.Traces[i].rules()); len(s.Cases) != want {
				t.Errorf("%s: trace %d has %d cases, want %d", name, i, len(s.Cases), want)
			}
			for _, c := range s.Cases {
				tests++
				if c.Failure != nil {
					failures++
				}
				if c.Error != nil {
					errs++
				}
				if c.Name == "gate" && (c.Failure != nil || c.Error != nil) {
					blocked++
				}
			}
		}
		if len(suites.Suites) != len(set.Traces) || suites.Tests != tests || suites.Failures != failures || suites.Errors != errs || blocked != set.Failed() {
			t.Errorf("%s: %d suites, %d of %d tests, %d of %d failures, %d of %d errors, %d of %d blocked", name, len(suites.Suites), tests,
				suites.Tests, failures, suites.Failures, errs, suites.Errors, blocked, set.Failed())
		}
	}
}

// TestThousand wants a thousand traces to stay a report that opens, with what was cut said.
func TestThousand(t *testing.T) {
	set := thousand(t)
	for ending, limit := range map[string]int{".txt": 300_000, ".md": 65_000, ".html": 6 << 20, ".sarif": 32 << 20} {
		if n := len(written(t, set, forms[ending])); n > limit {
			t.Errorf("%s has %d bytes, want at most %d", ending, n, limit)
		}
	}
	page := written(t, set, (*Set).WriteHTML)
	if n := strings.Count(page, `<tr role="row" data-verdict=`); n != 1000 {
		t.Errorf("the overview has %d rows", n)
	}
	if n := strings.Count(page, `<details class="part"`); n != maxDetailed || !strings.Contains(page, "900 more traces") {
		t.Errorf("%d traces have a section", n)
	}
	if md := written(t, set, (*Set).WriteMarkdown); !strings.Contains(md, "980 more traces") || !strings.Contains(md, "More traces leaked") {
		t.Error("the Markdown does not say what it leaves out")
	}
	if log := written(t, set, (*Set).WriteSARIF); !strings.Contains(log, "5000 more results") {
		t.Error("the SARIF log does not say what it leaves out")
	}
}

// TestWriteErrors wants the error of the writer from every form.
func TestWriteErrors(t *testing.T) {
	broken := errors.New("disk full")
	for ending, write := range forms {
		if err := write(sets(t)["story"], failing{broken}); !errors.Is(err, broken) {
			t.Errorf("%s: %v", ending, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestHostileJSON(t *testing.T) {
	var back jsonSet
	if err := json.Unmarshal([]byte(written(t, sets(t)["hostile"], (*Set).WriteJSON)), &back); err != nil {
		t.Fatal(err)
	}
	for i, f := range back.Traces[0].Findings {
		if want := strings.ToValidUTF8(hostile[i], "\ufffd"); f.SpanName != want && i != 12 {
			t.Errorf("finding %d: %q came back as %q", i, want, f.SpanName)
		}
	}
}
