package tools

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// maxTable is how many bytes a table may have: what stands on every row is
// multiplied by the lines.
const maxTable = 16 << 20

// table writes an invoice as CSV: a row for each line. What tells the document
// stands on every row, what else it says on the first, so that a column can be
// summed up. It has the mark of UTF-8 at its head, without which a spreadsheet
// takes Arabic for something else.
func table(in Invoice) ([]byte, error) {
	size := len(byteOrderMark)
	first, others := documentCells(&in, true), documentCells(&in, false)
	for i := range in.Lines {
		if size += sizeOf(rowOf(&in, first, others, i)); size > maxTable {
			return nil, refused(fmt.Sprintf("The invoice makes a CSV of more than %d bytes. Export it as ubl-xml or json, or shorten the texts", maxTable))
		}
	}
	var out bytes.Buffer
	out.WriteString(byteOrderMark)
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	_ = w.Write(names) // a buffer takes everything
	for i := range in.Lines {
		_ = w.Write(rowOf(&in, first, others, i))
	}
	w.Flush()
	return out.Bytes(), nil
}

const byteOrderMark = "\ufeff"

// documentCells are the cells of a row without those of its line.
func documentCells(in *Invoice, first bool) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		if c.document != nil && (first || c.everywhere) {
			cells[i] = c.document(in)
		}
	}
	return cells
}

func rowOf(in *Invoice, first, others []string, line int) []string {
	row := slices.Clone(others)
	if line == 0 {
		row = slices.Clone(first)
	}
	for i, c := range columns {
		if c.line != nil {
			row[i] = c.line(in, line)
		}
	}
	return row
}

// sizeOf is how many bytes a row has at most: quoted, with every quotation mark
// twice and every line end as CR LF.
func sizeOf(row []string) int {
	size := 1
	for _, cell := range row {
		size += len(cell) + strings.Count(cell, `"`) + strings.Count(cell, "\n") + len(`"",`)
	}
	return size
}
