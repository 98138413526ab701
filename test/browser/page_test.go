package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser starts one Chromium for a test.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Fatal("no chromium on the PATH: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// A tab is one page with what went wrong on it and what it asked for.
type tab struct {
	ctx context.Context

	mu       sync.Mutex
	trouble  []string
	requests []string
}

// open loads a report in a tab of its own.
func open(t *testing.T, ctx context.Context, file string, width int64, scheme string) *tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(ctx)
	t.Cleanup(stop)
	p := &tab{ctx: ctx}
	chromedp.ListenTarget(ctx, p.event)
	abs, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	run(t, ctx,
		network.Enable(), log.Enable(), runtime.Enable(),
		emulation.SetDeviceMetricsOverride(width, 900, 1, width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Navigate("file://"+abs),
	)
	return p
}

func run(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

func (p *tab) event(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventExceptionThrown:
		p.trouble = append(p.trouble, "exception: "+e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		p.trouble = append(p.trouble, fmt.Sprintf("console: %s", e.Type))
	case *log.EventEntryAdded: // violations of the content security policy come here
		p.trouble = append(p.trouble, fmt.Sprintf("%s: %s: %s", e.Entry.Level, e.Entry.Source, e.Entry.Text))
	case *page.EventJavascriptDialogOpening:
		p.trouble = append(p.trouble, "dialog: "+e.Message)
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

// quiet wants no trouble and no request but the page itself and its empty icon.
func (p *tab) quiet(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.trouble {
		t.Error(s)
	}
	for i, url := range p.requests {
		if !strings.HasPrefix(url, "data:") && (i > 0 || !strings.HasPrefix(url, "file://")) {
			t.Errorf("asks for %s", url)
		}
	}
	if len(p.requests) == 0 {
		t.Error("no request was seen: the net has a hole")
	}
}

// eval runs a script and returns what it comes to.
func eval[T any](t *testing.T, p *tab, script string, options ...chromedp.EvaluateOption) T {
	t.Helper()
	var out T
	run(t, p.ctx, chromedp.Evaluate(script, &out, options...))
	return out
}

// await is for a script that comes to a promise.
func await(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }

func reports(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../internal/report/testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { // goldens of a body alone are no page
		data, err := os.ReadFile(file)
		return err != nil || !strings.HasPrefix(string(data), "<!DOCTYPE html>")
	})
	if len(files) < 5 {
		t.Fatalf("%d reports", len(files))
	}
	return files
}

// TestPages opens every golden at two widths in both schemes.
func TestPages(t *testing.T) {
	ctx := browser(t)
	for _, file := range reports(t) {
		for _, width := range []int64{360, 1280} {
			for _, scheme := range []string{"light", "dark"} {
				name := fmt.Sprintf("%s-%d-%s", strings.TrimSuffix(filepath.Base(file), ".html"), width, scheme)
				t.Run(name, func(t *testing.T) {
					p := open(t, ctx, file, width, scheme)
					eval[any](t, p, `document.querySelectorAll("details").forEach(d => d.open = true)`)
					if dir := os.Getenv("SCREENSHOTS"); dir != "" {
						var png []byte
						run(t, p.ctx, chromedp.FullScreenshot(&png, 100))
						if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
							t.Fatal(err)
						}
					}
					for _, problem := range eval[[]string](t, p, lookScript) {
						t.Error(problem)
					}
					p.quiet(t)
				})
			}
		}
	}
}

// TestHostile wants none of the names of the hostile golden to have become an element or a script.
func TestHostile(t *testing.T) {
	p := open(t, browser(t), "../../internal/report/testdata/hostile.html", 1280, "light")
	for script, want := range map[string]float64{
		`document.scripts.length`: 1,
		`document.querySelectorAll("img, iframe, object, embed, form, base, animate, foreignObject, [onload], [onerror]").length`: 0,
		`document.querySelectorAll("style").length`:                                                       1,
		`[...document.querySelectorAll("a")].filter(a => !a.getAttribute("href").startsWith("#")).length`: 0,
	} {
		if got := eval[float64](t, p, script); got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
	}
	if text := eval[string](t, p, `document.body.innerText`); !strings.Contains(text, "<script>alert(1)</script>") {
		t.Error("the hostile name is not shown as text")
	}
	p.quiet(t)
}
