package paper

import "khatm/pdfa"

// drawMark draws notices at the top of the page if the document is not a tax
// invoice. They are content on the first page and artifacts on the others.
func (l *layout) drawMark() {
	for _, mark := range l.c.marks {
		l.drawOneMark(mark)
	}
}

func (l *layout) drawOneMark(mark phrase) {
	canvas := l.page.Pagination()
	if len(l.doc.Pages()) == 1 {
		canvas = l.page.In(l.doc.Root().Paragraph())
	}
	style := bold(l.look.styled(l.look.text*1.2, l.look.markInk))
	lines := []pdfa.Line{l.line(run{mark.main, style})}
	if mark.other != "" {
		lines = append(lines, l.line(run{mark.other, style}))
	}
	const pad = 5.0
	beside := len(lines) == 2 && lines[0].Width()+lines[1].Width()+6*pad < l.body.width()
	h := heightOf(lines) + 2*pad
	if beside {
		h = heightOf(lines[:1]) + 2*pad
	}
	var edge pdfa.Path
	edge.RoundRect(pdfa.Box{W: l.body.width(), H: h}, 3)
	l.page.Artifact().Fill(&edge, l.body.left, l.y, 1, l.look.markPale)
	l.page.Artifact().Outline(&edge, l.body.left, l.y, 1, pdfa.Stroke{Width: 0.8, Color: l.look.markInk})
	inner := l.body.inset(3 * pad)
	if beside {
		put(canvas, inner, atStart, l.y+pad, lines[:1])
		put(canvas, inner, atEnd, l.y+pad, lines[1:])
	} else {
		put(canvas, inner, atCenter, l.y+pad, lines)
	}
	l.y += h + 13
}
