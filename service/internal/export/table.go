package export

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode"

	"khatm/spreadsheet"
)

// table is a CSV file that is being written. It begins with a byte order mark,
// without which spreadsheet programs misread Arabic. A [spreadsheet.Writer] would
// limit the number of rows.
type table struct {
	folder *folder
	name   string
	file   *file // nil after finish
	out    *csv.Writer
}

func (x *exporting) table(name string, columns []string) (*table, error) {
	w, err := x.folder.open(name)
	if err != nil {
		return nil, err
	}
	t := &table{x.folder, name, w, csv.NewWriter(w)}
	if _, err = io.WriteString(w, "\ufeff"); err == nil {
		err = t.row(columns...)
	}
	return t, err
}

// row writes a row. Control characters become spaces, so that a row is a line.
func (t *table) row(cells ...string) error {
	for i, text := range cells {
		cells[i] = spreadsheet.Harmless(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, text))
	}
	return t.out.Write(cells)
}

// finish writes the end of the table.
func (t *table) finish() error {
	t.out.Flush()
	if err := t.out.Error(); err != nil {
		return err
	}
	_, err := t.folder.finished(t.name, t.file)
	t.file = nil
	return err
}

// close closes a table that was not finished.
func (t *table) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.abort()
}
