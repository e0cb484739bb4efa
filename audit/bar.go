package audit

import (
	"fmt"
	"io"
	"strings"
)

// Bar draws progress on a terminal, in one line that is written over.
type Bar struct {
	out   io.Writer
	shown int64 // thousandths that are drawn, plus one
}

// NewBar draws on a terminal; whether it is one, the caller knows.
func NewBar(out io.Writer) *Bar { return &Bar{out: out} }

// Show is for [Options.Progress]. It draws only what looks different.
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

// End takes the line away.
func (b *Bar) End() {
	if b.shown > 0 {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
