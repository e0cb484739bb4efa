package spreadsheet

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Errors that end the reading of a file.
var (
	ErrFormat      = errors.New("not a CSV or XLSX file")
	ErrMalformed   = errors.New("malformed spreadsheet")
	ErrTooManyRows = errors.New("too many rows")
	ErrTooLarge    = errors.New("unpacked spreadsheet too large")
)

// Errors of a cell, in a [CellError].
var (
	ErrColumn = errors.New("beyond the last column allowed")
	ErrLength = errors.New("text too long")
	ErrNumber = errors.New("invalid number")
	ErrValue  = errors.New("formula without a value")
)

// CellError reports the first cell of a row that cannot be read. Both numbers
// begin at 1.
type CellError struct {
	Row, Column int
	Err         error
}

func (e *CellError) Error() string {
	return fmt.Sprintf("cell %s: %v", address(e.Row, e.Column), e.Err)
}

// Unwrap returns the reason.
func (e *CellError) Unwrap() error { return e.Err }

// Limits are the limits of a [Reader]. A field that is zero has its default.
type Limits struct {
	Rows     int   // rows that are not blank; default 50,000
	Columns  int   // columns that are not blank; default 200
	Cell     int   // bytes of a cell; default 32 KiB
	Unpacked int64 // bytes of the unpacked parts of a workbook; default 200 MiB
	Shared   int64 // bytes of the texts that cells share; default 64 MiB
}

func (l Limits) filled() Limits {
	return Limits{
		Rows:     cmp.Or(l.Rows, 50_000),
		Columns:  cmp.Or(l.Columns, 200),
		Cell:     cmp.Or(l.Cell, 32<<10),
		Unpacked: cmp.Or(l.Unpacked, 200<<20),
		Shared:   cmp.Or(l.Shared, 64<<20),
	}
}

// Reader reads the rows of a file.
type Reader struct {
	format Format
	source *source
	rows   rows
	limits Limits
	row    int // number of the last row
	count  int // rows returned
	err    error
}

// rows reads the rows of one format. The error of a row whose other cells could
// be read is a *CellError.
type rows interface {
	next() (number int, cells []string, err error)
}

// NewReader returns a reader of the file of the given size. The content decides
// the format.
func NewReader(file io.ReaderAt, size int64, limits Limits) (*Reader, error) {
	r := &Reader{source: &source{file: file, size: size}, limits: limits.filled()}
	head := make([]byte, 4)
	n, _ := r.source.ReadAt(head[:min(4, size)], 0)
	open := openCSV
	if head := string(head[:n]); head == "PK\x03\x04" || head == "PK\x05\x06" {
		r.format, open = XLSX, openXLSX
	}
	rows, err := open(r.source, size, r.limits)
	if err = cmp.Or(r.source.err, err); err != nil {
		return nil, err
	}
	r.rows = rows
	return r, nil
}

// Format returns the format of the file.
func (r *Reader) Format() Format { return r.format }

// Row returns the number of the row that Read returned last, as a spreadsheet
// program shows it. The first row of a file is 1.
func (r *Reader) Row() int { return r.row }

// Read returns the cells of the next row that is not blank, without the blank
// cells at its end. At the end of the file the error is io.EOF.
//
// A number of a workbook is a plain decimal such as -1234.5, whatever its format;
// a percentage is such as 15%, a date such as 2026-11-17, with or without a time.
// The apostrophe that [Harmless] puts before a text is removed.
//
// If the error is a *CellError, reading can continue; the row is returned with
// an empty text in this cell.
func (r *Reader) Read() ([]string, error) {
	for r.err == nil {
		number, cells, err := r.rows.next()
		var cell *CellError
		if err != nil && !errors.As(err, &cell) {
			r.err = cmp.Or(r.source.err, err)
			break
		}
		cells = trimmed(cells)
		if len(cells) == 0 && cell == nil {
			continue
		}
		r.row = number
		if r.count++; r.count > r.limits.Rows {
			r.err = fmt.Errorf("%w: more than %d", ErrTooManyRows, r.limits.Rows)
			break
		}
		for i, text := range cells {
			cells[i] = bare(text)
		}
		return cells, err
	}
	return nil, r.err
}

// trimmed removes the blank cells at the end of a row.
func trimmed(cells []string) []string {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return slices.Clip(cells)
}

// bare returns a text without the apostrophe of Harmless.
func bare(text string) string {
	if rest, quoted := strings.CutPrefix(text, "'"); quoted && Harmless(rest) != rest {
		return rest
	}
	return text
}

// source is the file. It keeps the first error that is not caused by its
// content, so that it is not reported as a malformed file.
type source struct {
	file io.ReaderAt
	size int64
	err  error
}

// ReadAt reads from the file.
func (s *source) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at > s.size {
		return 0, io.EOF // archive/zip uses offsets of the file as they are
	}
	n, err := s.file.ReadAt(p, at)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = cmp.Or(s.err, err)
	}
	return n, err
}

// address returns the name of a cell, such as C7.
func address(row, column int) string {
	var letters []byte
	for ; column > 0; column = (column - 1) / 26 {
		letters = append(letters, byte('A'+(column-1)%26))
	}
	slices.Reverse(letters)
	return fmt.Sprintf("%s%d", letters, row)
}
