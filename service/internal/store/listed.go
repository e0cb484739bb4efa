package store

import "khatm/service/internal/org"

// listedRows collects new rows of a table that is listed and searched.
type listedRows struct {
	t       *tx
	of      org.Tenant
	in      table
	columns string
	folded  []string
	values  [][]any
}

func (t *tx) listed(of org.Tenant, in table, columns string) *listedRows {
	return &listedRows{t: t, of: of, in: in, columns: columns}
}

// add adds a row: its search text and the values of its columns.
func (r *listedRows) add(folded string, values []any) {
	r.folded, r.values = append(r.folded, folded), append(r.values, values)
}

// insert writes the rows and adds them to the search index.
func (r *listedRows) insert() error {
	n := len(r.values)
	if n == 0 {
		return nil
	}
	last, err := r.t.nextPlaces(r.of, r.in, n)
	if err != nil {
		return err
	}
	rows := &rowsOf{t: r.t, insert: `INSERT INTO ` + string(r.in) + ` (` + r.columns + `, folded, org_id, place)`}
	index := &rowsOf{t: r.t, insert: `INSERT INTO ` + string(r.in) + `_search (rowid, grams)`}
	for i := range r.values {
		place := last - int64(n-1-i)
		if err := rows.add(append(r.values[i], searchable(r.folded[i]), r.of.ID(), place)...); err != nil {
			return err
		}
		if !r.t.store.dialect.Embedded {
			continue // PostgreSQL indexes the row itself
		}
		if err := index.add(place, gramsOf(r.folded[i])); err != nil {
			return err
		}
	}
	if err := rows.flush(); err != nil {
		return err
	}
	return index.flush()
}
