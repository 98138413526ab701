package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	storyPage = "../../internal/report/testdata/story.html"
	manyPage  = "../../internal/report/testdata/many.html"

	visibleRows = `[...document.querySelectorAll("#t1-table tbody tr")].filter(r => r.checkVisibility())`
)

// TestFilter narrows the findings by text, level, channel and disclosure.
func TestFilter(t *testing.T) {
	p := open(t, browser(t), storyPage, 1280, "light")
	count := func() float64 { return eval[float64](t, p, visibleRows+`.length`) }
	all := count()
	if all < 10 {
		t.Fatalf("%v findings", all)
	}
	if !eval[bool](t, p, `document.querySelector("#t1-findings ~ .controls").checkVisibility()`) {
		t.Error("the controls are hidden")
	}
	controls := `[data-for="t1-table"] `
	run(t, p.ctx, chromedp.SendKeys(controls+`input[type=search]`, "SALARY", chromedp.ByQuery))
	if got := count(); got != 3 {
		t.Errorf("%v findings for a text, want 3", got)
	}
	if said := eval[string](t, p, `document.querySelector('`+controls+`output').textContent`); said != "3 of 15 shown" {
		t.Errorf("the page says %q", said)
	}
	run(t, p.ctx, chromedp.Click(controls+`input[type=checkbox]`, chromedp.ByQuery))
	if got := count(); got != 2 {
		t.Errorf("%v disclosed findings for a text, want 2", got)
	}
	eval[any](t, p, `(() => { const e = document.querySelector('`+controls+`input[type=search]'); e.value = ""; e.dispatchEvent(new Event("input")); })()`)
	run(t, p.ctx, chromedp.SendKeys(controls+`select[data-filter=level]`, "L4", chromedp.ByQuery))
	if levels := eval[[]string](t, p, visibleRows+`.map(r => r.dataset.level + r.dataset.leak)`); len(levels) != 4 ||
		slices.ContainsFunc(levels, func(s string) bool { return s != "L4yes" }) {
		t.Errorf("disclosed of L4: %q", levels)
	}
	run(t, p.ctx, chromedp.SendKeys(controls+`select[data-filter=channel]`, "log", chromedp.ByQuery))
	if got := count(); got != 1 {
		t.Errorf("%v findings of L4 on log, want 1", got)
	}
	p.quiet(t)
}

// TestKeyboard goes through the page with Tab and sorts with Enter, and wants the focus to be seen everywhere.
func TestKeyboard(t *testing.T) {
	p := open(t, browser(t), storyPage, 1280, "light")
	const focus = `(() => {
		const e = document.activeElement, s = getComputedStyle(e);
		return [e.tagName + " " + e.textContent.trim().slice(0, 20), s.outlineStyle, String(e.getBoundingClientRect().left >= 0 && e.checkVisibility())];
	})()`
	var seen []string
	for range 60 {
		run(t, p.ctx, chromedp.KeyEvent(kb.Tab))
		at := eval[[]string](t, p, focus)
		if strings.HasPrefix(at[0], "BODY") {
			break // around
		}
		seen = append(seen, at[0])
		if at[1] == "none" || at[2] != "true" {
			t.Errorf("the focus can't be seen on %s: %v", at[0], at[1:])
		}
		if at[0] == "BUTTON Type" {
			run(t, p.ctx, chromedp.KeyEvent(kb.Enter))
			types := eval[[]string](t, p, visibleRows+`.map(r => r.cells[1].textContent)`)
			if !slices.IsSorted(types) || eval[string](t, p, `document.activeElement.parentElement.ariaSort`) != "ascending" {
				t.Errorf("sorted by type: %q", types)
			}
			run(t, p.ctx, chromedp.KeyEvent(" "))
			types = eval[[]string](t, p, visibleRows+`.map(r => r.cells[1].textContent)`)
			slices.Reverse(types)
			if !slices.IsSorted(types) || eval[string](t, p, `document.activeElement.parentElement.ariaSort`) != "descending" {
				t.Errorf("sorted by type downwards, reversed: %q", types)
			}
		}
	}
	if len(seen) == 0 || !strings.HasPrefix(seen[0], "A Skip to") {
		t.Errorf("first is not the link to the content: %q", seen)
	}
	for _, want := range []string{"SUMMARY The same as a table", "INPUT ", "BUTTON Type"} {
		if !slices.Contains(seen, want) {
			t.Errorf("%q can't be reached by keyboard: %q", want, seen)
		}
	}
	p.quiet(t)
}

// TestOverview sorts traces by number, opens one by its link, and all at once.
func TestOverview(t *testing.T) {
	p := open(t, browser(t), manyPage, 1280, "light")
	scores := `[...document.querySelectorAll("#traces tbody tr")].map(r => Number(r.cells[1].dataset.key))`
	run(t, p.ctx, chromedp.Click(`#traces th:nth-child(2) button`, chromedp.ByQuery))
	if got := eval[[]float64](t, p, scores); !slices.IsSorted(got) || len(got) != 15 {
		t.Errorf("by score: %v", got)
	}
	if open := eval[float64](t, p, `document.querySelectorAll("details.part[open]").length`); open != 1 {
		t.Errorf("%v traces are open, want the first", open)
	}
	run(t, p.ctx, chromedp.Click(`#traces a[href="#t3"]`, chromedp.ByQuery))
	if !eval[bool](t, p, `new Promise(done => setTimeout(() => done(document.getElementById("t3").open), 50))`, await) {
		t.Error("the link does not open its trace")
	}
	run(t, p.ctx, chromedp.Click(`button[value=open]`, chromedp.ByQuery))
	if !eval[bool](t, p, `[...document.querySelectorAll("details.part")].every(d => d.open)`) {
		t.Error("not all are open")
	}
	run(t, p.ctx, chromedp.Click(`button[value=close]`, chromedp.ByQuery))
	if eval[bool](t, p, `[...document.querySelectorAll("details.part")].some(d => d.open)`) {
		t.Error("not all are closed")
	}
	p.quiet(t)
}

// TestWithoutScript wants all findings in a plain table, and no control that does nothing.
func TestWithoutScript(t *testing.T) {
	p := open(t, browser(t), storyPage, 1280, "light")
	run(t, p.ctx, emulation.SetScriptExecutionDisabled(true), chromedp.Reload())
	run(t, p.ctx, emulation.SetScriptExecutionDisabled(false)) // for the questions below; the page's own did not run
	if got := eval[float64](t, p, visibleRows+`.length`); got != 15 {
		t.Errorf("%v findings, want 15", got)
	}
	if eval[bool](t, p, `[...document.querySelectorAll(".controls, th button")].some(e => e.checkVisibility())`) {
		t.Error("a control is shown that does nothing")
	}
}
