package store

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rowsAtOnce is the number of rows that one transaction of a re-entry writes.
const rowsAtOnce = 256

// table writes the last archived state of the rows of a table.
func (r *reentry) table(t *archivedTable) error {
	if len(r.last[t.name]) == 0 || t.name == "gap" || t.name == "clock_release" {
		return nil // gaps and releases are written with the documents around them
	}
	var waiting []archivedImage
	flush := func() error {
		changed := 0
		err := r.write(func(tx *tx) (err error) {
			changed, err = r.apply(tx, t, waiting)
			return err
		})
		if err != nil {
			return fmt.Errorf("re-enter rows of table %s: %w", t.name, err)
		}
		r.done.Rows += changed
		waiting = nil
		return r.store.db.Point("rows re-entered")
	}
	err := r.parts.read(t.name, func(line []byte) error {
		l, err := parseLine(line)
		if err != nil {
			return err
		}
		for _, image := range r.imagesOf(l) {
			if image.table == t && r.isLast(image) {
				waiting = append(waiting, image)
			}
		}
		if len(waiting) < rowsAtOnce || t.ordered {
			return nil
		}
		return flush()
	})
	if t.ordered { // the lines of several servers are not in the order of their changes
		slices.SortStableFunc(waiting, func(a, b archivedImage) int { return cmp.Compare(a.seq, b.seq) })
	}
	if err == nil && len(waiting) > 0 {
		err = flush()
	}
	return err
}

// isLast reports whether an image is the last one of its row, and not older than
// the row in the database.
func (r *reentry) isLast(i archivedImage) bool {
	key := keyText(i.key())
	return i.seq == r.last[i.table.name][key] && i.seq >= r.newer[i.table.name][key]
}

// apply writes rows that are missing or different. Two images of a row with the
// same seq are applied in their order. It returns how many rows it wrote.
func (r *reentry) apply(t *tx, table *archivedTable, images []archivedImage) (changed int, err error) {
	for len(images) > 0 {
		part := images[:1]
		seen := map[string]bool{keyText(images[0].key()): true}
		for _, image := range images[1:min(len(images), imagesAtOnce)] {
			key := keyText(image.key())
			if seen[key] {
				break
			}
			seen[key] = true
			part = images[:len(part)+1]
		}
		n, err := r.applyPart(t, table, part)
		if err != nil {
			return 0, err
		}
		changed += n
		images = images[len(part):]
	}
	return changed, nil
}

// applyPart is apply for different rows.
func (r *reentry) applyPart(t *tx, table *archivedTable, images []archivedImage) (changed int, err error) {
	var rows []changedRow
	for _, image := range images {
		key := image.key()
		rows = append(rows, changedRow{key: keyText(key), args: key})
	}
	found, columns, err := readRows(t.Context(), t, table, rows)
	if err != nil {
		return 0, err
	}
	for n, image := range images {
		was := map[string]any{}
		for i, value := range found[rows[n].key] {
			was[columns[i]] = value
		}
		wrote, err := r.applyImage(t, image, rows[n].args, was)
		if err != nil {
			return 0, fmt.Errorf("row %v: %w", rows[n].args, err)
		}
		if wrote {
			changed++
		}
	}
	return changed, nil
}

// applyImage writes a row, unless was, the row in the database, is the same. was
// is empty if the database has no such row.
func (r *reentry) applyImage(t *tx, image archivedImage, key []any, was map[string]any) (changed bool, err error) {
	if image.gone {
		if len(was) == 0 {
			return false, nil
		}
		return true, t.Exec(`DELETE FROM `+image.table.name+` WHERE `+equalTo(image.table.key, 1), key...)
	}
	columns, err := r.columns(image)
	if err != nil {
		return false, err
	}
	values := map[string]any{}
	for _, column := range columns {
		if values[column], err = r.value(image.table.name, column, image.row); err != nil {
			return false, err
		}
	}
	if columns, err = r.special(image, columns, values, was); err != nil {
		return false, err
	}
	columns = slices.DeleteFunc(columns, func(column string) bool {
		old, is := was[column]
		return is && sameValue(old, values[column])
	})
	if len(columns) == 0 && len(was) > 0 {
		return false, nil
	}
	if len(was) > 0 && image.table.name == "second_factor" {
		// The factor was removed and set up again.
		return true, r.replaceRow(t, image, key, values)
	}
	if err := r.writeRow(t, image.table, key, columns, values, len(was) > 0); err != nil {
		return false, err
	}
	return true, r.indexRow(t, image.table, key, values, was)
}

// special changes what is written for tables whose rows depend on documents.
func (r *reentry) special(image archivedImage, columns []string, values, was map[string]any) ([]string, error) {
	of := image.row.text("org_id")
	switch image.table.name {
	case "installation":
		if was["id"] != values["id"] {
			return nil, fmt.Errorf("the archive belongs to installation %v, the database to %v", values["id"], was["id"])
		}
		return []string{"clock_accepted_at", "environment", "master_key"}, nil
	case "usage": // the documents are counted when they are entered
		if len(was) > 0 {
			return []string{"validations"}, nil
		}
		values["invoices"] = int64(0)
	case "chain": // the documents move its end
		if len(was) > 0 {
			return nil, nil
		}
		if first := r.first[deviceKey{of, image.row.text("device_id")}]; first != nil {
			values["counter"], values["last_hash"], values["last_issued_at"] = first.number("counter")-1, first["previous_hash"], nil
		}
	case "series": // the documents move its end, except for changes by hand
		same := len(was) > 0
		for _, column := range []string{"prefix", "first", "ahead"} {
			same = same && sameValue(was[column], values[column])
		}
		if same {
			return nil, nil
		}
		r.images[seriesKey{of, image.row.text("kind")}] = image.seq
	}
	return columns, nil
}

// sameValue compares a value of the database with one that is to be written.
func sameValue(a, b any) bool {
	x, isX := a.([]byte)
	y, isY := b.([]byte)
	if isX && isY {
		return (x == nil) == (y == nil) && bytes.Equal(x, y)
	}
	return !isX && !isY && a == b
}

// equalTo returns the condition that columns are equal to the values from number
// n on.
func equalTo(columns []string, n int) string {
	parts := make([]string, len(columns))
	for i, column := range columns {
		parts[i] = column + " = $" + strconv.Itoa(n+i)
	}
	return strings.Join(parts, " AND ")
}

// writeRow inserts or updates a row.
func (r *reentry) writeRow(t *tx, table *archivedTable, key []any, columns []string, values map[string]any, exists bool) error {
	args := slices.Clone(key)
	if exists {
		var set []string
		for _, column := range columns {
			args = append(args, values[column])
			set = append(set, column+" = $"+strconv.Itoa(len(args)))
		}
		return t.Exec(`UPDATE `+table.name+` SET `+strings.Join(set, ", ")+` WHERE `+equalTo(table.key, 1), args...)
	}
	for _, column := range columns {
		args = append(args, values[column])
	}
	names := strings.Join(slices.Concat(table.key, columns), ", ")
	return t.Exec(`INSERT INTO `+table.name+` (`+names+`) VALUES (`+numbered(1, len(args))+`)`, args...)
}

// replaceRow deletes a row and inserts it again.
func (r *reentry) replaceRow(t *tx, image archivedImage, key []any, values map[string]any) error {
	if err := t.Exec(`DELETE FROM `+image.table.name+` WHERE `+equalTo(image.table.key, 1), key...); err != nil {
		return err
	}
	columns, err := r.columns(image)
	if err != nil {
		return err
	}
	return r.writeRow(t, image.table, key, columns, values, false)
}

// indexRow updates the search index of a written row.
func (r *reentry) indexRow(t *tx, in *archivedTable, key []any, values, was map[string]any) error {
	place, is := key[0].(int64)
	folded, has := values["folded"].(string)
	if !is || !has || !t.store.dialect.Embedded || was["folded"] == folded {
		return nil
	}
	if len(was) > 0 {
		if err := t.Exec(`DELETE FROM `+in.name+`_search WHERE rowid = $1`, place); err != nil {
			return err
		}
	}
	return t.index(table(in.name), place, strings.TrimPrefix(folded, searchable("")))
}
