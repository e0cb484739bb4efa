package guest

import (
	"fmt"
	"strings"

	"khatm/qr"
)

// symbol is a QR code drawn as an SVG path in a square of Size modules.
type symbol struct {
	Size int
	Path string // SVG path of the black modules
}

// quiet is the width of the margin in modules that scanners need.
const quiet = 4

func symbolOf(text string) (*symbol, error) {
	code, err := qr.NewSymbol(text)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for y := range code.Size() {
		for x := 0; x < code.Size(); x++ {
			run := 0
			for code.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, run, run)
				x += run
			}
		}
	}
	return &symbol{Size: code.Size() + 2*quiet, Path: b.String()}, nil
}
