package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// A progress is a bar on a terminal, drawn over itself. Anywhere else it writes nothing.
type progress struct {
	w        io.Writer // nil: no terminal
	what     string
	n, of    int
	permille int // as drawn
}

const progressWidth = 30

// newProgress begins a bar for a number of steps.
func newProgress(w io.Writer, what string, of int) *progress {
	p := &progress{what: what, of: of, permille: -1}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && of > 1 {
		p.w = w
	}
	p.draw()
	return p
}

func (p *progress) step() {
	p.n++
	p.draw()
}

// draw draws when it would look different.
func (p *progress) draw() {
	if p.w == nil {
		return
	}
	permille := 1000 * p.n / p.of
	if permille == p.permille {
		return
	}
	p.permille = permille
	full := progressWidth * p.n / p.of
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d %s", strings.Repeat("=", full), strings.Repeat(" ", progressWidth-full), p.n, p.of, p.what)
}

// done wipes the bar.
func (p *progress) done() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
