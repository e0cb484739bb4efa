package intake

import (
	"errors"
	"fmt"
	"io"

	"khatm/service/internal/fault"
	"khatm/spreadsheet"
	"khatm/ubl"
)

// limits returns those of a file. The heading is a row as well.
func (k Kind) limits() spreadsheet.Limits {
	if k == Invoices {
		return spreadsheet.Limits{Rows: MaxInvoiceRows + 1, Columns: 100, Cell: 8 << 10, Unpacked: 20 << 20, Shared: 8 << 20}
	}
	return spreadsheet.Limits{Rows: MaxRows + 1, Columns: 100, Cell: 8 << 10, Unpacked: 200 << 20, Shared: 32 << 20}
}

// Memory is what reading a file needs at most, in bytes: most of it for the texts
// that the cells of a workbook share.
const Memory = 40 << 20

// Row is a row of a file, with the values of the fields that have one.
type Row struct {
	Number int // in the file, from 1
	values map[string]string
	wrong  *fault.Problem // a cell that cannot be read
}

// Table reads the rows of a file.
type Table struct {
	kind   Kind
	in     *spreadsheet.Reader
	header headings
}

// Open returns a table of a file of the given size. The first row contains the
// headings.
func Open(file io.ReaderAt, size int64, kind Kind, o Options) (*Table, error) {
	in, err := spreadsheet.NewReader(file, size, kind.limits())
	if err != nil {
		return nil, kind.unreadable(err)
	}
	first, err := in.Read()
	var cell *spreadsheet.CellError
	switch {
	case errors.Is(err, io.EOF):
		return nil, fault.New(fault.ImportEmpty, "The file has no rows.")
	case errors.As(err, &cell):
		return nil, fault.New(fault.ImportColumns, "The heading in %v", err)
	case err != nil:
		return nil, kind.unreadable(err)
	}
	header, err := headingsOf(kind, first, o.Columns)
	if err != nil {
		return nil, err
	}
	return &Table{kind, in, header}, nil
}

// Unknown returns the headings of columns that are not imported.
func (t *Table) Unknown() []string { return t.header.unknown }

// Next returns the next row. At the end of the file the error is io.EOF.
func (t *Table) Next() (Row, error) {
	cells, err := t.in.Read()
	var bad *spreadsheet.CellError
	if err != nil && !errors.As(err, &bad) {
		if errors.Is(err, io.EOF) {
			return Row{}, io.EOF
		}
		return Row{}, t.kind.unreadable(err)
	}
	row := Row{Number: t.in.Row(), values: make(map[string]string, len(cells)+len(t.header.fixed))}
	if bad != nil {
		row.wrong = cellProblem(bad)
	}
	for name, value := range t.header.fixed {
		row.values[name] = value
	}
	for i, text := range cells {
		if i < len(t.header.fields) && t.header.fields[i] != "" && !ubl.IsBlank(text) {
			row.values[t.header.fields[i]] = text
		}
	}
	return row, nil
}

// Count reads the remaining rows and returns their number.
func (t *Table) Count() (int, error) {
	for n := 0; ; n++ {
		_, err := t.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// unreadable returns the error for a file that cannot be read.
func (k Kind) unreadable(err error) error {
	var code fault.Code
	var text string
	most := k.limits().Rows - 1
	switch {
	case errors.Is(err, spreadsheet.ErrTooManyRows):
		code, text = fault.ImportTooManyRows, fmt.Sprintf("The file has more than %d rows.", most)
	case errors.Is(err, spreadsheet.ErrTooLarge):
		code, text = fault.ImportUnpacked, "The unpacked workbook is too large."
	case errors.Is(err, spreadsheet.ErrFormat):
		code, text = fault.ImportUnreadable, "The file is not a CSV or XLSX file."
	case errors.Is(err, spreadsheet.ErrMalformed):
		code, text = fault.ImportUnreadable, "The file is damaged."
	default:
		return fmt.Errorf("read the file: %w", err)
	}
	e := fault.New(code, "%s", text)
	e.Cause = err
	if code == fault.ImportTooManyRows {
		e = e.With("message_ar", fmt.Sprintf("يحتوي الملف على أكثر من %d صف.", most))
	}
	return e
}

// cellProblem returns the problem of a row with a cell that cannot be read.
func cellProblem(e *spreadsheet.CellError) *fault.Problem {
	says := [2]string{"cannot be read", "لا يمكن قراءتها"}
	switch {
	case errors.Is(e, spreadsheet.ErrColumn):
		says = [2]string{"is beyond the last column allowed", "تقع بعد آخر عمود مسموح به"}
	case errors.Is(e, spreadsheet.ErrLength):
		says = [2]string{"has a text that is too long", "تحتوي على نص أطول من المسموح به"}
	case errors.Is(e, spreadsheet.ErrNumber):
		says = [2]string{"has an invalid number", "تحتوي على رقم غير صالح"}
	case errors.Is(e, spreadsheet.ErrValue):
		says = [2]string{"has a formula without a value", "تحتوي على معادلة ليس لها قيمة محفوظة"}
	}
	return &fault.Problem{
		Code:      fault.ImportCell,
		Message:   fmt.Sprintf("The cell in column %d %s.", e.Column, says[0]),
		MessageAR: fmt.Sprintf("الخلية في العمود %d %s.", e.Column, says[1]),
	}
}
