package paper

import (
	"slices"
	"strings"

	"khatm/pdfa"
)

// The widths of a table's columns depend on the kind of the table only, never on
// its content, so that all documents of a seller look alike. Texts that are too
// wide are shrunk, for all rows of the column alike.

// set shapes the texts of a column that is not of kind rest, each of them on one
// line unless the column is of kind short. Its result has the lines of each row.
func (l *layout) set(kind columnKind, column int, rows [][]cell, room float64) [][]pdfa.Line {
	scale := max(min(1, room/l.needed(kind, column, rows)), minTableShrink)
	set := make([][]pdfa.Line, 0, len(rows))
	for i, cells := range rows {
		switch {
		case i > 0 && slices.Equal(cells[column], rows[i-1][column]):
			set = append(set, set[i-1]) // consecutive lines often have the same rate and unit
		case kind == short:
			set = append(set, l.wrap(room, shrunk(cells[column], scale)...))
		default:
			set = append(set, l.whole(room, shrunk(cells[column], scale)...))
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

// maxHeadLines is the maximum number of lines of a head.
const maxHeadLines = 2

// head shapes the head of a column: in two languages one line for each, otherwise at
// most two lines. It shrinks texts that are too wide.
func (l *layout) head(runs []run, room float64) []pdfa.Line {
	if len(runs) > 1 {
		return l.whole(room, runs...)
	}
	const step = 0.94
	for scale := 1.0; scale > minShrink; scale *= step {
		small := shrunk(runs, scale)
		lines := l.wrap(room, small...)
		if len(lines) <= maxHeadLines && l.needed(short, 0, [][]cell{{small}}) <= room+tolerance {
			return lines
		}
	}
	return l.whole(room, runs...)
}
