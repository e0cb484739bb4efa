package paper

import "khatm/pdfa"

// drawSymbol draws the QR code with modules of the given size. x and y are its
// upper left corner without the quiet zone, which the caller must leave empty.
func (l *layout) drawSymbol(x, y, module float64) {
	symbol := l.c.symbol
	var path pdfa.Path
	path.Matrix(symbol.Size(), symbol.Black)
	side := module * float64(symbol.Size())
	box := pdfa.Box{X: x, Y: y, W: side, H: side}
	alt := join(" / ", l.c.lang.word("qr_code").main, l.c.lang.word("qr_code").other)
	l.page.In(l.doc.Root().Figure(l.page, box, alt)).Fill(&path, x, y, module, pdfa.Color{})
}

// quiet is the width of the quiet zone of a QR code in modules.
const quiet = 4

// drawLogo draws the logo in a frame, scaled to fit the width and height, and
// returns the height of the drawing.
func (l *layout) drawLogo(f frame, s side, width, height float64) float64 {
	w, h := l.logo.image.Size()
	scale := min(width/float64(w), height/float64(h))
	box := pdfa.Box{Y: l.y, W: scale * float64(w), H: scale * float64(h)}
	x, align := f.anchor(s)
	switch align {
	case pdfa.Left:
		box.X = x
	case pdfa.Center:
		box.X = x - box.W/2
	case pdfa.Right:
		box.X = x - box.W
	}
	alt := l.c.lang.word("logo").main
	if l.c.seller != nil && l.c.seller.name.main != "" {
		alt += ": " + l.c.seller.name.main
	}
	l.page.In(l.doc.Root().Figure(l.page, box, alt)).Image(l.logo.image, box)
	return box.H
}
