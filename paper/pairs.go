package paper

import (
	"slices"

	"khatm/pdfa"
)

// pairs lays out facts as rows: the label at the start, then the text, and the
// label in the other language at the end. labels are the shares of the width
// for the labels; see wideLabels.
func (l *layout) pairs(f frame, facts []fact, labels [3]float64, text pdfa.Style) grid {
	g := grid{cells: 2, named: true}
	bilingual := slices.ContainsFunc(facts, func(f fact) bool { return f.label.other != "" })
	for i, fact := range facts {
		r := row{pad: 1.7, rule: l.look.ruled && i+1 < len(facts)}
		wide, other := f.width()*labels[0], f.width()*labels[1]
		switch {
		case fact.label.other == "" && bilingual:
			other = 0 // the text begins below those of the other facts
		case fact.label.other == "":
			wide, other = f.width()*labels[2], 0
		}
		label := l.look.styled(text.Size*l.look.small/l.look.text, l.look.soft)
		label.Size = min(label.Size+0.4, text.Size)
		remainder := f.width() - wide - other
		set := l.wrap
		if fact.whole {
			set = l.whole
		}
		r.slots = []slot{
			{frame: f.cut(0, wide), lines: l.wrap(wide-gutter, run{fact.label.main, label})},
			{frame: f.cut(wide, remainder), cell: 1, lines: set(remainder-gutter, inStyle(text, fact.text...)...)},
		}
		if fact.label.other != "" {
			label.Size = text.Size * l.look.small / l.look.text
			r.slots = append(r.slots, slot{frame: f.cut(wide+remainder, other), side: atEnd, lines: l.wrap(other-gutter, run{fact.label.other, label})})
		}
		g.rows = append(g.rows, r)
	}
	return g
}

// The shares of the width for labels: in the first language, in the second
// language, and if there is only one language.
var (
	wideLabels   = [3]float64{0.25, 0.25, 0.25}
	narrowLabels = [3]float64{0.26, 0.36, 0.38}
	rollLabels   = [3]float64{0.25, 0.29, 0.36}
)

// maxSumShare is the largest share of the width for amounts.
const maxSumShare = 0.7

// sums lays out the totals: labels, and the amounts in a right-aligned column. The
// last row is the amount due, which is highlighted.
func (l *layout) sums(f frame, totals []total, due total) grid {
	g := grid{cells: 2, named: true}
	style := l.look.styled(l.look.text, l.look.ink)
	last := bold(l.look.styled(l.look.text*1.25, l.look.onBrand))
	if !l.look.bands {
		last.Color = l.look.ink
	}
	wide := l.line(run{due.sum, last}).Width()
	for _, t := range totals {
		wide = max(wide, l.line(run{t.sum, bold(style)}).Width())
	}
	wide = min(wide+gutter, f.width()*maxSumShare)
	for _, t := range totals {
		r := l.sum(f, t, wide, style, bold(style))
		r.pad, r.rule = 2.6, true
		g.rows = append(g.rows, r)
	}
	if due.sum == "" {
		return g
	}
	r := l.sum(f, due, wide, last, last)
	r.pad, r.strong = 5, true
	if l.look.bands {
		r.fill = &l.look.brand
	}
	g.rows = append(g.rows, r)
	return g
}

func (l *layout) sum(f frame, t total, wide float64, label, amount pdfa.Style) row {
	room := f.width() - wide
	labels := f.cut(0, room)
	said := l.look.runs(t.label, label)
	r := row{slots: []slot{{frame: labels, lines: l.wrap(room-gutter, said...)}}}
	if l.look.wide && len(said) == 2 && len(r.slots[0].lines) == 2 {
		// Both languages fit beside each other.
		main, other := l.line(said[0]), l.line(said[1])
		if main.Width()+other.Width()+2*gutter <= room {
			r.slots[0].lines = []pdfa.Line{main}
			r.slots = append(r.slots, slot{frame: labels, side: atEnd, lines: []pdfa.Line{other}})
		}
	}
	return row{slots: append(r.slots, slot{frame: f.cut(room, wide), side: atRight, cell: 1, lines: l.whole(wide-gutter, run{t.sum, amount})})}
}
