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
	other := l.look.styled(text.Size*l.look.small/l.look.text, l.look.soft)
	main := other
	main.Size = min(main.Size+0.4, text.Size)
	wide := l.labelWidth(f, facts, labels, main)
	for i, fact := range facts {
		r := row{pad: 1.7 * l.look.dense, rule: l.look.ruled && i+1 < len(facts)}
		ends := 0.0
		if fact.label.other != "" {
			ends = l.endWidth(f, fact, f.width()*labels[1], wide, text, other)
		}
		remainder := f.width() - wide - ends
		set := l.blocks
		if fact.whole {
			set = l.whole
		}
		r.add(slot{frame: f.cut(0, wide)}, l.whole(wide-gutter, run{fact.label.main, main}))
		r.add(slot{frame: f.cut(wide, remainder), cell: 1}, set(remainder-gutter, inStyle(text, fact.text...)...))
		if ends > 0 {
			r.add(slot{frame: f.cut(wide+remainder, ends), side: atEnd}, l.whole(ends-gutter, run{fact.label.other, other}))
		}
		g.rows = append(g.rows, r)
	}
	return g
}

// labelWidth returns the width of the labels at the start, which is the same for all
// facts: the share of the width, or more on a narrow paper if a label needs it.
func (l *layout) labelWidth(f frame, facts []fact, labels [3]float64, s pdfa.Style) float64 {
	wide := f.width() * labels[2]
	if slices.ContainsFunc(facts, func(f fact) bool { return f.label.other != "" }) {
		wide = f.width() * labels[0]
	}
	for _, fact := range facts {
		if w := l.line(run{fact.label.main, s}).Width() + gutter + tolerance; w <= f.width()*maxLabelShare {
			wide = max(wide, w)
		}
	}
	return wide
}

// maxLabelShare is the largest share of the width for a label on one line.
const maxLabelShare = 0.45

// endWidth returns the width of a label in the other language: what the label needs, or
// at most the given width if the text beside it needs the rest.
func (l *layout) endWidth(f frame, fact fact, width, wide float64, text, label pdfa.Style) float64 {
	need := l.line(run{fact.label.other, label}).Width() + gutter + tolerance
	if need <= width {
		return need
	}
	longest := 0.0
	for _, t := range fact.text {
		longest = max(longest, l.line(run{t, text}).Width())
	}
	if wide+longest+gutter+need <= f.width() {
		return need
	}
	return width
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
	wide := l.sumWidth(f, run{due.sum, last})
	for _, t := range totals {
		wide = max(wide, l.sumWidth(f, run{t.sum, bold(style)}))
	}
	for _, t := range totals {
		r := l.sum(f, t.label, wide, style, run{t.sum, bold(style)})
		r.pad, r.rule = 2.6*l.look.dense, true
		g.rows = append(g.rows, r)
	}
	if due.sum == "" {
		return g
	}
	r := l.sum(f, due.label, wide, last, run{due.sum, last})
	r.pad, r.strong = max(2.5, 5*l.look.dense), true
	if l.look.bands {
		r.fill = &l.look.brand
	}
	g.rows = append(g.rows, r)
	return g
}

// sumWidth returns the width of the column for an amount, at most maxSumShare of the
// frame, or 0 if the amount does not fit beside a label.
func (l *layout) sumWidth(f frame, amount run) float64 {
	if !l.fitsBeside(f, amount) {
		return 0
	}
	return min(l.line(amount).Width()+gutter, f.width()*maxSumShare)
}

// fitsBeside reports whether an amount fits beside a label, in the smallest font size.
func (l *layout) fitsBeside(f frame, amount run) bool {
	amount.style.Size = min(amount.style.Size, minSize)
	return l.line(amount).Width() <= f.width()*maxSumShare-gutter
}

// sum lays out a label and beside it an amount, in a column of the given width. An
// amount that is too wide for that is below the label.
func (l *layout) sum(f frame, label phrase, wide float64, style pdfa.Style, amount run) row {
	said := l.look.runs(label, style)
	if !l.fitsBeside(f, amount) {
		return row{
			over:  &row{slots: []slot{{frame: f, lines: l.wrap(f.width()-gutter, said...)}}},
			slots: []slot{{frame: f, side: atRight, cell: 1, lines: l.whole(f.width()-gutter, amount)}},
		}
	}
	room := f.width() - wide
	labels := f.cut(0, room)
	r := row{slots: []slot{{frame: labels, lines: l.wrap(room-gutter, said...)}}}
	if l.look.wide && len(said) == 2 && len(r.slots[0].lines) == 2 {
		// Both languages fit beside each other.
		main, other := l.line(said[0]), l.line(said[1])
		if main.Width()+other.Width()+2*gutter <= room {
			r.slots[0].lines = []pdfa.Line{main}
			r.slots = append(r.slots, slot{frame: labels, side: atEnd, lines: []pdfa.Line{other}})
		}
	}
	return row{slots: append(r.slots, slot{frame: f.cut(room, wide), side: atRight, cell: 1, lines: l.whole(wide-gutter, amount)})}
}
