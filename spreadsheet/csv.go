package spreadsheet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// peekSize is how much of a CSV file is read to find the separator of its cells.
const peekSize = 64 << 10

// csvRows reads CSV as spreadsheet programs do: a quotation mark within a cell
// that does not begin with one is a character, and rows may differ in length.
// encoding/csv does not count blank rows and has no limits.
type csvRows struct {
	in     *bufio.Reader
	comma  byte
	limits Limits
	row    int

	// The last cell.
	buf  []byte // its text, up to the limit
	long bool   // it is longer
	none bool   // there was nothing before the end of the file
}

func openCSV(file *source, size int64, limits Limits) (rows, error) {
	text, err := decoded(file, size)
	if err != nil {
		return nil, err
	}
	c := &csvRows{in: bufio.NewReaderSize(text, peekSize), limits: limits}
	start, err := c.in.Peek(peekSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if named := separatorLine(start); named != 0 {
		c.comma = named
		_, _, err = c.next()
		return c, err
	}
	c.comma = separator(start)
	return c, nil
}

// separators are the bytes that can separate cells.
const separators = ",;\t"

// separatorLine returns the separator of a file that begins with a line such as
// sep=; for spreadsheet programs, and 0 without this line.
func separatorLine(start []byte) byte {
	rest, found := bytes.CutPrefix(start, []byte("sep="))
	if found && len(rest) > 1 && bytes.IndexByte([]byte(separators+"|"), rest[0]) >= 0 && (rest[1] == '\r' || rest[1] == '\n') {
		return rest[0]
	}
	return 0
}

// separator returns the most frequent separator of the first line that has one,
// outside of quotation marks.
func separator(start []byte) byte {
	counts := make([]int, len(separators))
	quoted := false
	for _, b := range start {
		i := bytes.IndexByte([]byte(separators), b)
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case i >= 0:
			counts[i]++
		case (b == '\r' || b == '\n') && counts[0]+counts[1]+counts[2] > 0:
			return mostFrequent(counts)
		}
	}
	return mostFrequent(counts)
}

func mostFrequent(counts []int) byte {
	most := 0
	for i, n := range counts {
		if n > counts[most] {
			most = i
		}
	}
	return separators[most]
}

func (c *csvRows) next() (int, []string, error) {
	c.row++
	var cells []string
	var bad error
	for column := 1; ; column++ {
		end, err := c.cell()
		if err != nil {
			return 0, nil, err
		}
		if column == 1 && c.none {
			return 0, nil, io.EOF
		}
		text := string(c.buf)
		fault := error(nil)
		switch {
		case column > c.limits.Columns && len(bytes.TrimSpace(c.buf)) > 0:
			fault = ErrColumn
		case c.long:
			fault = ErrLength
		}
		if fault != nil {
			text = ""
			if bad == nil {
				bad = &CellError{c.row, column, fault}
			}
		}
		if column <= c.limits.Columns {
			cells = append(cells, text)
		}
		if end != c.comma {
			return c.row, cells, bad
		}
	}
}

// endOfFile is the end of a cell at the end of the file.
const endOfFile = 0

// cell reads a cell and returns what follows it: the separator, a line end or
// the end of the file.
func (c *csvRows) cell() (end byte, err error) {
	c.buf, c.long, c.none = c.buf[:0], false, false
	quoted, first := false, true
	for ; ; first = false {
		b, err := c.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF) && quoted:
			return 0, fmt.Errorf("%w: the quotation mark in row %d is not closed", ErrMalformed, c.row)
		case errors.Is(err, io.EOF):
			c.none = first
			return endOfFile, nil
		case err != nil:
			return 0, err
		case b == 0:
			return 0, fmt.Errorf("%w: row %d contains a NUL character", ErrFormat, c.row)
		case b == '"' && first:
			quoted = true
			continue
		case b == '"' && quoted && !c.skip('"'):
			quoted = false
			continue
		case b == c.comma && !quoted:
			return b, nil
		case b == '\r':
			c.skip('\n')
			b = '\n'
		}
		if b == '\n' && !quoted {
			return b, nil
		}
		if len(c.buf) == c.limits.Cell {
			c.long = true
			continue
		}
		c.buf = append(c.buf, b)
	}
}

// skip skips the next byte if it is b.
func (c *csvRows) skip(b byte) bool {
	if next, err := c.in.Peek(1); err != nil || next[0] != b {
		return false
	}
	_, _ = c.in.Discard(1) // it was peeked
	return true
}
