// Package spreadsheet reads and writes tables as CSV and XLSX.
//
// A [Reader] returns the rows of a CSV file or of the first visible worksheet of
// an XLSX file, one at a time. It can read untrusted files: its memory does
// not grow with the number of rows, and rows, columns, cells and everything
// unpacked are limited. The texts that cells of a workbook share are kept in
// memory, up to a limit.
//
// A [Writer] writes one table. It writes no formulas, and quotes texts that look
// like one. The reader does not compute formulas; it returns the values that the
// program which wrote the file stored with them.
package spreadsheet

// Format is a file format.
type Format uint8

// The formats.
const (
	CSV Format = iota
	XLSX
)

func (f Format) String() string { return [...]string{"CSV", "XLSX"}[f] }
