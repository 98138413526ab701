package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// TestPagePolicy wants the hashes in the policy to be of what stands between the tags, byte for byte: html/template
// may rewrite what it escapes.
func TestPagePolicy(t *testing.T) {
	body, err := NewPage(`{{define "main"}}{{template "gauge" .}}{{end}}`)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := Page{Kicker: "k", Title: `</title><script>alert(1)</script>`, Data: ScoreGauge(40, agentrisk.HighRisk),
		Facts: []Fact{{"a", "<b>"}}, Notes: []string{"<i>"}}
	if err := p.Write(&out, body); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("no policy")
	}
	// + is the one character of base64 that the attribute escapes.
	allowed := strings.NewReplacer("&#43;", "+", "&#39;", "'").Replace(policy[1])
	for _, tag := range []string{"style", "script"} {
		found := regexp.MustCompile(`(?s)<`+tag+`>(.*?)</`+tag+`>`).FindAllStringSubmatch(page, -1)
		if len(found) != 1 {
			t.Fatalf("%d <%s> elements, want 1", len(found), tag)
		}
		if want := tag + "-src '" + sourceHash(found[0][1]) + "'"; !strings.Contains(allowed, want) {
			t.Errorf("policy %q lacks %q", allowed, want)
		}
	}
	for _, not := range []string{"<b>", "<i>", " style=", "http://", "https://", "url(", "@import"} {
		if strings.Contains(page, not) {
			t.Errorf("the page holds %q", not)
		}
	}
}

func TestGauge(t *testing.T) {
	for _, test := range []struct {
		share float64
		want  string
	}{
		{0, ""},
		{0.5, "M25.65 124A72 72 0 0 1 88 16"},
		{0.75, "M25.65 124A72 72 0 0 1 150.35 52"}, // 180 degrees
		{1, "M25.65 124A72 72 0 1 1 150.35 124"},
		{7, "M25.65 124A72 72 0 1 1 150.35 124"},
	} {
		if got := arc(test.share); got != test.want {
			t.Errorf("arc(%v): got %q, want %q", test.share, got, test.want)
		}
	}
}

func TestStretchBar(t *testing.T) {
	for _, test := range []struct {
		from, to float64
		x, w     int
	}{
		{0, 0, 0, 0}, {0, 1e-9, 0, 6}, {0, 0.25, 0, 250}, {0.5, 0.75, 500, 250}, {1, 1.5, 994, 6}, {-1, 2, 0, 1000},
	} {
		if got := StretchBar("", test.from, test.to); got.X != test.x || got.W != test.w {
			t.Errorf("StretchBar(%v, %v): got %d, %d, want %d, %d", test.from, test.to, got.X, got.W, test.x, test.w)
		}
	}
}
