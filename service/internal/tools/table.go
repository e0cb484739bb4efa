package tools

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"khatm/service/internal/fault"
)

// maxTable is the maximum size of a table in bytes: values repeated on every row
// are multiplied by the number of lines.
const maxTable = 16 << 20

// table returns an invoice as CSV with one row per line. Values that identify the
// document are on every row, its other values on the first only, so that columns
// can be summed. It begins with a byte order mark, without which spreadsheets
// misread Arabic.
func table(in Invoice) ([]byte, error) {
	size := len(byteOrderMark)
	first, others := documentCells(&in, true), documentCells(&in, false)
	for i := range in.Lines {
		if size += sizeOf(rowOf(&in, first, others, i)); size > maxTable {
			return nil, refused(fault.UnusableInput, fmt.Sprintf("The CSV of the invoice would have more than %d bytes. Export it as ubl-xml or json, or shorten the texts", maxTable))
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
	_ = w.Write(names) // writing to a buffer cannot fail
	for i := range in.Lines {
		_ = w.Write(rowOf(&in, first, others, i))
	}
	w.Flush()
	return out.Bytes(), nil
}

const byteOrderMark = "\ufeff"

// documentCells returns the cells of a row that do not depend on the line.
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

// sizeOf returns the maximum size of a row in bytes: quoted, with every quotation
// mark doubled and every line end as CR LF.
func sizeOf(row []string) int {
	size := 1
	for _, cell := range row {
		size += len(cell) + strings.Count(cell, `"`) + strings.Count(cell, "\n") + len(`"",`)
	}
	return size
}
