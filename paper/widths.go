package paper

import (
	"slices"
	"strings"

	"khatm/pdfa"
)

// leastRest is the share of a table that the column with the rest gets at
// least; figures are shrunk for it.
const leastRest = 0.26

// widths shares the width of a table out among its columns, and says by how
// much the texts of all but the one that gets the rest must be shrunk for that.
// Measuring sets the texts, by column and row, in lines that need not be made
// again if they fit. Heads stand on one line where there is room, on two or more where not.
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
				text = min(text, shortest)
			}
			word, two, one = max(word, text), max(two, text), max(one, text)
		}
		needs, twos, ones = append(needs, word), append(twos, two), append(ones, one)
	}
	gutters := gutter * float64(len(columns)-1)
	scale := min(1, (width*(1-leastRest)-gutters)/needs.sum())
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
	return widths, max(scale, smallest), set
}

// shares are widths of columns.
type shares []float64

func (s shares) sum() float64 {
	sum := 0.0
	for _, w := range s {
		sum += w
	}
	return sum
}

// towards goes a part of the way, at most the whole.
func (s shares) towards(t shares, part float64) shares {
	between := make(shares, len(s))
	for i := range s {
		between[i] = s[i] + (t[i]-s[i])*min(part, 1)
	}
	return between
}

// textWidth is the width of the widest text of a column. It comes
// with the lines that the texts are, each on one, by row.
func (l *layout) textWidth(column int, rows [][]cell) (w float64, set [][]pdfa.Line) {
	set = make([][]pdfa.Line, 0, len(rows))
	for i, cells := range rows {
		if i > 0 && slices.Equal(cells[column], rows[i-1][column]) {
			set = append(set, set[i-1]) // most lines have the same rate and unit
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

// headWidths is the width of the longest word of a head, and those in which
// each of its texts fits on two lines and on one.
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
