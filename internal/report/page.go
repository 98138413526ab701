package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// A Page is one self-contained HTML document: its style and script are part of it, and its content security policy
// allows nothing else, neither a request nor an inline style. Whatever is put into it is escaped by html/template.
type Page struct {
	// Kicker is the line above the title: what kind of report it is.
	Kicker, Title string
	// Facts stand under the title, Notes at the end of the page.
	Facts []Fact
	Notes []string
	// Data is what the template "main" is executed with.
	Data any
}

// A Fact is a name and its value.
type Fact struct{ Name, Value string }

// NewPage parses the templates of a page body and returns them with those that every page has. The text defines
// "main"; it may use "gauge" with a Gauge, "bar" with a Bar and "level" with an agentrisk.Level, and the classes of
// page.css. Tables with data-sort, and .controls for them, are served by the script (page.js).
func NewPage(text string) (*template.Template, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"csp": func() string { return contentPolicy },
		"css": func() template.CSS { return template.CSS(pageCSS) },
		"js":  func() template.JS { return template.JS(pageJS) },
	}).Parse(pageTemplates)
	if err != nil {
		return nil, err
	}
	return t.Parse(text)
}

// Write writes the page with templates from NewPage. Its errors are those of w and of the body's templates.
func (p *Page) Write(w io.Writer, t *template.Template) error { return t.ExecuteTemplate(w, "page", p) }

var (
	//go:embed page/page.tmpl
	pageTemplates string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string

	// contentPolicy names style and script by their hashes. Images are the empty icon, which keeps a browser from
	// asking for one.
	contentPolicy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		sourceHash(pageCSS), sourceHash(pageJS))
)

func sourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// A Gauge draws a score from 0 to 100 as an arc of 240 degrees.
type Gauge struct {
	Class string // of page.css: the name of a verdict
	Label string // what a screen reader says
	Text  string // in the middle
	Of    string // below
	Track string // path data
	Arc   string // path data; empty for nothing
}

// ScoreGauge is the gauge of a privacy score.
func ScoreGauge(score int, v agentrisk.Verdict) Gauge {
	return Gauge{
		Class: v.String(), Label: fmt.Sprintf("Privacy score %d of 100: %s", score, strings.ToLower(v.Title())),
		Text: strconv.Itoa(score), Of: "of 100", Track: arc(1), Arc: arc(float64(score) / 100),
	}
}

// NoGauge is the gauge of a run without a score.
func NoGauge(label string) Gauge {
	return Gauge{Class: agentrisk.Fail.String(), Label: label, Text: "–", Of: "no score", Track: arc(1)}
}

// arc is the path of a share of the gauge, from the lower left clockwise; empty for nothing.
func arc(share float64) string {
	const cx, cy, r, from, sweep = 88.0, 88.0, 72.0, 150.0, 240.0
	share = min(share, 1)
	if !(share > 0) {
		return ""
	}
	at := func(degrees float64) string {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return number(cx+r*cos) + " " + number(cy+r*sin)
	}
	large := "0"
	if share*sweep > 180 {
		large = "1"
	}
	return "M" + at(from) + "A" + number(r) + " " + number(r) + " 0 " + large + " 1 " + at(from+share*sweep)
}

// number writes a coordinate with at most two decimals, so that every machine writes the same.
func number(x float64) string {
	s := strconv.FormatFloat(math.Round(x*100)/100, 'f', 2, 64)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// A Bar draws a stretch of a whole, in thousandths.
type Bar struct {
	Class string // of page.css: the name of a level or verdict, or empty
	X, W  int
}

// ShareBar is the bar of a share from 0 to 1. What is not zero shows.
func ShareBar(class string, share float64) Bar { return StretchBar(class, 0, share) }

// StretchBar is the bar from one share of a whole to another.
func StretchBar(class string, from, to float64) Bar {
	const whole, least = 1000, 6
	clamp := func(x float64) int { return int(math.Round(min(max(x, 0), 1) * whole)) }
	b := Bar{Class: class, X: clamp(from)}
	if to > from {
		b.W = max(clamp(to)-b.X, least)
		b.X = min(b.X, whole-b.W)
	}
	return b
}
