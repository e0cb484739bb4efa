package paper

// stack lays out the rows of a table whose numbers are too wide for columns: each
// number on its own line, beside the head of its column.
func (l *layout) stack(f frame, columns []column, rows [][]cell) grid {
	g := grid{cells: 2, named: true}
	for _, cells := range rows {
		for i, c := range columns {
			if len(cells[i]) == 0 || cells[i][0].text == "" {
				continue
			}
			if c.kind == over || c.kind == rest {
				g.rows = append(g.rows, row{pad: l.look.dense, slots: []slot{{frame: f, lines: l.blocks(f.width()-gutter, cells[i]...)}}})
				continue
			}
			for _, number := range cells[i] {
				r := l.sum(f, c.head, l.sumWidth(f, number), l.look.styled(l.look.small, l.look.ink), number)
				r.pad = l.look.dense
				g.rows = append(g.rows, r)
			}
		}
		if n := len(g.rows); n > 0 {
			g.rows[n-1].rule = true
		}
	}
	return g
}
