package paper

import (
	"slices"
	"strings"

	"khatm/pdfa"
)

// minRest is the minimum share of a table's width for the column of kind rest;
// the numbers are shrunk if necessary.
const minRest = 0.26

// widths returns the widths of the columns of a table, and the factor by which
// the texts of all columns but the one of kind rest must be shrunk. It also
// returns the shaped lines of the texts, by column and row, so that texts that
// fit need not be shaped again. Heads get one line if there is room, otherwise
// two or more.
func (l *layout) widths(width float64, columns []column, rows [][]cell, head pdfa.Style) (shares, float64, [][][]pdfa.Line) {
	var needs, twos, ones shares
	set := make([][][]pdfa.Line, len(columns))
	for i, c := range columns {
		word, two, one := 0.0, 0.0, 0.0
		if c.kind != rest {
			word, two, one = l.headWidths(l.look.runs(c.head, head))
			var text float64
			text, set[i] = l.textWidth(i, rows)
			if c.kind == short {
				text = min(text, maxShortWidth)
			}
			word, two, one = max(word, text), max(two, text), max(one, text)
		}
		needs, twos, ones = append(needs, word), append(twos, two), append(ones, one)
	}
	gutters := gutter * float64(len(columns)-1)
	scale := min(1, (width*(1-minRest)-gutters)/needs.sum())
	widths, good := needs, width*(1-l.look.rest)-gutters
	switch {
	case ones.sum() <= good:
		widths = ones
	case twos.sum() > needs.sum() && needs.sum() < good:
		widths = needs.towards(twos, (good-needs.sum())/(twos.sum()-needs.sum()))
	case scale < 1:
		widths = needs.towards(make(shares, len(needs)), 1-scale)
	}
	left := width - widths.sum() - gutters
	for i, c := range columns {
		if c.kind == rest {
			widths[i] = left
			continue
		}
		widths[i] += gutter
	}
	return widths, max(scale, minTableShrink), set
}

// shares are the widths of columns.
type shares []float64

func (s shares) sum() float64 {
	sum := 0.0
	for _, w := range s {
		sum += w
	}
	return sum
}

// towards interpolates between s and t: part 0 is s, part 1 or more is t.
func (s shares) towards(t shares, part float64) shares {
	between := make(shares, len(s))
	for i := range s {
		between[i] = s[i] + (t[i]-s[i])*min(part, 1)
	}
	return between
}

// textWidth returns the width of the widest text of a column, and the shaped
// lines of the texts by row.
func (l *layout) textWidth(column int, rows [][]cell) (w float64, set [][]pdfa.Line) {
	set = make([][]pdfa.Line, 0, len(rows))
	for i, cells := range rows {
		if i > 0 && slices.Equal(cells[column], rows[i-1][column]) {
			set = append(set, set[i-1]) // consecutive lines often have the same rate and unit
			continue
		}
		var lines []pdfa.Line
		for _, r := range cells[column] {
			if r.text != "" {
				line := l.line(r)
				lines = append(lines, line)
				w = max(w, line.Width())
			}
		}
		set = append(set, lines)
	}
	return w, set
}

// headWidths returns the width of the longest word of a head, and the widths in
// which its texts fit on two lines and on one line.
func (l *layout) headWidths(runs []run) (word, two, one float64) {
	for _, r := range runs {
		words := strings.Fields(r.text)
		for _, w := range words {
			word = max(word, l.line(run{w, r.style}).Width())
		}
		whole := l.line(r).Width()
		best := whole
		for i := 1; i < len(words); i++ {
			first := l.line(run{strings.Join(words[:i], " "), r.style}).Width()
			second := l.line(run{strings.Join(words[i:], " "), r.style}).Width()
			best = min(best, max(first, second))
		}
		two, one = max(two, best), max(one, whole)
	}
	return word, two, one
}
