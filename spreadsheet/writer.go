package spreadsheet

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// maxText is how many UTF-16 code units a cell has in spreadsheet programs.
const maxText = 1<<15 - 1

// Cell is a cell to be written.
type Cell struct {
	kind cellKind
	text string
}

type cellKind uint8

const (
	textCell cellKind = iota
	headingCell
	numberCell
)

// Text returns a cell with a text.
func Text(text string) Cell { return Cell{textCell, text} }

// Heading returns a cell with a bold text.
func Heading(text string) Cell { return Cell{headingCell, text} }

// Number returns a cell with a number such as -1234.50. It is written as a text
// if it is not a plain decimal, or has more digits than spreadsheets store.
func Number(number string) Cell {
	if !isPlain(number) {
		return Text(number)
	}
	return Cell{numberCell, number}
}

// isPlain reports whether a text consists of digits, with or without a minus and
// a point.
func isPlain(number string) bool {
	whole, fraction, hasFraction := strings.Cut(strings.TrimPrefix(number, "-"), ".")
	return areDigits(whole) && (!hasFraction || areDigits(fraction))
}

func areDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// Sheet describes the worksheet of a table. It has no effect on CSV.
type Sheet struct {
	Name        string // characters that a name cannot contain are left out
	RightToLeft bool   // the first column is on the right
	Frozen      int    // rows at the top that do not scroll
}

// Writer writes a table.
type Writer struct {
	rows rowWriter
	row  int
	err  error
}

// rowWriter writes the rows of one format.
type rowWriter interface {
	write(row int, cells []Cell) error
	close() error
}

// NewWriter returns a writer of a table. The same rows make the same file.
func NewWriter(w io.Writer, format Format, sheet Sheet) *Writer {
	if format == XLSX {
		return &Writer{rows: &sheetWriter{file: w, sheet: sheet}}
	}
	rows := csv.NewWriter(w)
	rows.UseCRLF = true
	return &Writer{rows: &csvWriter{file: w, rows: rows}}
}

// Write writes a row. Rows are buffered; an error may be returned by a later
// call. After an error the file is incomplete.
func (w *Writer) Write(cells ...Cell) error {
	if w.err != nil {
		return w.err
	}
	w.row++
	if w.row > maxRow || len(cells) > maxColumn {
		w.err = fmt.Errorf("row %d with %d cells does not fit into a worksheet", w.row, len(cells))
		return w.err
	}
	for i, c := range cells {
		if tooLong(c.text) {
			w.err = &CellError{w.row, i + 1, ErrLength}
			return w.err
		}
	}
	w.err = w.rows.write(w.row, cells)
	return w.err
}

// tooLong reports whether spreadsheets cannot store a text. Harmless may add a
// character.
func tooLong(text string) bool {
	if len(text) < maxText {
		return false
	}
	units := 1
	for _, r := range text {
		units += utf16.RuneLen(r)
	}
	return units > maxText
}

// Close writes the end of the table. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if w.err = w.rows.close(); w.err != nil {
		return w.err
	}
	w.err = fmt.Errorf("spreadsheet: the table is already closed")
	return nil
}

// csvWriter writes CSV. It begins with a byte order mark, without which
// spreadsheet programs misread Arabic.
type csvWriter struct {
	file  io.Writer
	rows  *csv.Writer
	begun bool
}

func (w *csvWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	_, err := io.WriteString(w.file, byteOrderMark)
	return err
}

func (w *csvWriter) write(_ int, cells []Cell) error {
	if err := w.begin(); err != nil {
		return err
	}
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = c.text
		if c.kind != numberCell {
			texts[i] = Harmless(c.text)
		}
	}
	return w.rows.Write(texts)
}

func (w *csvWriter) close() error {
	if err := w.begin(); err != nil {
		return err
	}
	w.rows.Flush()
	return w.rows.Error()
}
