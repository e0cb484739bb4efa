package audit

import (
	"fmt"
	"io"
	"strings"
)

// Bar draws a progress bar on a terminal, in one line that it overwrites.
type Bar struct {
	out   io.Writer
	shown int64 // thousandths drawn, plus one
}

// NewBar returns a bar that draws on out, which must be a terminal.
func NewBar(out io.Writer) *Bar { return &Bar{out: out} }

// Show draws the progress if the bar changes. It is meant for
// [Options.Progress].
func (b *Bar) Show(done, total int64) {
	if total <= 0 {
		return
	}
	const width, whole = 30, 1000
	at := done * whole / total
	if at+1 == b.shown {
		return
	}
	b.shown = at + 1
	full := int(at * width / whole)
	fmt.Fprintf(b.out, "\r[%s%s] %3d%%  %d of %d documents", strings.Repeat("#", full), strings.Repeat(".", width-full), at*100/whole, done, total)
}

// End erases the bar.
func (b *Bar) End() {
	if b.shown > 0 {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
