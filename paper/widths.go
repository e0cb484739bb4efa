package paper

import (
	"slices"
	"strings"

	"khatm/pdfa"
)

// minSize is the smallest font size of a table, in points: smaller texts cannot be
// read on paper.
const minSize = 6.0

// fit returns the widths of a table's columns and the factor by which the font size of
// its numbers is reduced, which is the same for all numbers of the table. The widths
// depend on the kind of the table only, so that all documents of a seller look alike.
// Only numbers that are too wide in the smallest font size widen their column. fit
// returns false if there is no room for that.
func (l *layout) fit(f frame, columns []column, rows [][]cell) (widths []float64, scale float64, ok bool) {
	scale = 1
	needed := make([]float64, len(columns))
	for i, c := range columns {
		if c.kind == figures {
			needed[i] = l.needed(c.kind, i, rows)
		}
	}
	widths = spread(f, columns, func(int) float64 { return 0 })
	for i, need := range needed {
		if need > 0 {
			scale = min(scale, (widths[i]-gutter)/need)
		}
	}
	if least := minSize / l.look.text; scale < least {
		scale = least
		widths = spread(f, columns, func(i int) float64 { return needed[i]*scale + gutter })
	}
	for i, c := range columns {
		if c.kind == rest && widths[i] < l.look.least || widths[i] < needed[i]*scale+gutter-tolerance && c.kind == figures {
			return nil, 0, false
		}
	}
	return widths, scale, true
}

// spread returns the widths of columns that are at least as wide as given. The column
// of kind rest gets the remaining width. Without one, all columns share it.
func spread(f frame, columns []column, least func(int) float64) []float64 {
	widths, left, flexible, shared := make([]float64, len(columns)), f.width(), -1, 0
	for i, c := range columns {
		switch c.kind {
		case rest:
			flexible = i
		case over:
			widths[i] = f.width()
		default:
			widths[i] = max(c.width, least(i))
			left -= widths[i]
			shared++
		}
	}
	if flexible >= 0 {
		widths[flexible] = left
		return widths
	}
	for i, c := range columns {
		if c.kind != over {
			widths[i] += left / float64(shared)
		}
	}
	return widths
}

// remaining returns the width of the column of kind rest, unless numbers widen their
// columns.
func remaining(f frame, columns []column) float64 {
	for i, w := range spread(f, columns, func(int) float64 { return 0 }) {
		if columns[i].kind == rest {
			return w
		}
	}
	return f.width()
}

// set shapes the texts of a column, numbers on one line each and scaled. Its result has
// the lines of each row.
func (l *layout) set(kind columnKind, column int, rows [][]cell, room, scale float64) [][]pdfa.Line {
	if kind == short {
		scale = min(1, room/l.needed(kind, column, rows))
	}
	set := make([][]pdfa.Line, 0, len(rows))
	for i, cells := range rows {
		switch {
		case i > 0 && slices.Equal(cells[column], rows[i-1][column]):
			set = append(set, set[i-1]) // consecutive lines often have the same rate and unit
		case kind == figures:
			set = append(set, l.whole(room, shrunk(cells[column], scale)...))
		case kind == short:
			set = append(set, l.wrap(room, shrunk(cells[column], scale)...))
		case l.look.wide:
			set = append(set, l.blocks(room, cells[column]...))
		default: // on a narrow paper, the remaining width has numbers, too
			set = append(set, l.wrap(room, shrunk(cells[column], scale)...))
		}
	}
	return set
}

// needed returns the width of the widest text of a column, or of its widest word if
// the texts of the column may be broken into lines.
func (l *layout) needed(kind columnKind, column int, rows [][]cell) float64 {
	w := 1.0
	for i, cells := range rows {
		if i > 0 && slices.Equal(cells[column], rows[i-1][column]) {
			continue
		}
		for _, r := range cells[column] {
			texts := []string{r.text}
			if kind == short {
				texts = strings.Fields(r.text)
			}
			for _, text := range texts {
				w = max(w, l.line(run{text, r.style}).Width())
			}
		}
	}
	return w
}

// maxHeadLines is the maximum number of lines of a head in one language.
const maxHeadLines = 2

// head shapes the head of a column: in two languages one line for each if possible,
// otherwise at most two lines. It shrinks texts that are too wide.
func (l *layout) head(runs []run, room float64) []pdfa.Line {
	if len(runs) > 1 {
		return l.whole(room, runs...)
	}
	const step = 0.94
	for scale := 1.0; scale > minSize/l.look.small; scale *= step {
		small := shrunk(runs, scale)
		lines := l.wrap(room, small...)
		if len(lines) <= maxHeadLines && l.needed(short, 0, [][]cell{{small}}) <= room+tolerance {
			return lines
		}
	}
	return l.whole(room, runs...)
}
