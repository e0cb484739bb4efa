package spreadsheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The size of a worksheet in spreadsheet programs.
const (
	maxRow    = 1 << 20
	maxColumn = 1 << 14
)

// sheetRows reads the rows of a worksheet.
type sheetRows struct {
	workbook *workbook
	part     *part
	inside   bool // in the element with the rows
	row      int
}

func (s *sheetRows) next() (int, []string, error) {
	for {
		token, err := s.part.next()
		switch {
		case errors.Is(err, io.EOF) && !s.inside:
			return 0, nil, fmt.Errorf("%w: the worksheet has no rows", ErrMalformed)
		case err != nil:
			return 0, nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "worksheet":
			case "sheetData":
				s.inside = true
			case "row":
				return s.readRow(token)
			default:
				err = s.part.skip()
			}
		case xml.EndElement:
			if token.Name.Local == "sheetData" {
				if err = s.part.end(); err == nil {
					err = io.EOF
				}
			}
		}
		if err != nil {
			return 0, nil, err
		}
	}
}

// readRow reads the row whose start tag was the last token.
func (s *sheetRows) readRow(start xml.StartElement) (int, []string, error) {
	number := s.row + 1
	if r := attribute(start, "r"); r != "" {
		number, _ = strconv.Atoi(r)
	}
	if number <= s.row || number > maxRow {
		return 0, nil, fmt.Errorf("%w: a row after row %d has the number %.20q", ErrMalformed, s.row, attribute(start, "r"))
	}
	s.row = number
	var cells []string
	var bad error
	for outside, column := s.part.depth-1, 0; s.part.depth > outside; {
		token, err := s.part.next()
		if err != nil {
			return 0, nil, err
		}
		cell, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if cell.Name.Local != "c" {
			if err := s.part.skip(); err != nil {
				return 0, nil, err
			}
			continue
		}
		if column, err = columnOf(cell, column); err != nil {
			return 0, nil, fmt.Errorf("%w in row %d", err, number)
		}
		text, fault, err := s.readCell(cell)
		if err != nil {
			return 0, nil, err
		}
		if fault == nil && column > s.workbook.limits.Columns && strings.TrimSpace(text) != "" {
			fault = ErrColumn
		}
		if fault != nil {
			text = ""
			if bad == nil {
				bad = &CellError{number, column, fault}
			}
		}
		if text != "" && column <= s.workbook.limits.Columns {
			cells = append(cells, make([]string, column-len(cells))...)
			cells[column-1] = text
		}
	}
	return number, cells, bad
}

// columnOf returns the column of a cell that follows another.
func columnOf(start xml.StartElement, before int) (int, error) {
	at := attribute(start, "r")
	if at == "" {
		at = address(1, before+1)
	}
	column := 0
	for _, letter := range strings.ToUpper(strings.TrimRight(at, "0123456789")) {
		if column = 26*column + int(letter-'A') + 1; letter < 'A' || letter > 'Z' || column > maxColumn {
			return 0, fmt.Errorf("%w: cell %.20q", ErrMalformed, at)
		}
	}
	if column <= before {
		return 0, fmt.Errorf("%w: cell %.20q is out of order", ErrMalformed, at)
	}
	return column, nil
}

// readCell returns the text of the cell whose start tag was the last token, and
// the reason if it has none.
func (s *sheetRows) readCell(start xml.StartElement) (text string, fault, err error) {
	limit := s.workbook.limits.Cell
	for outside := s.part.depth - 1; s.part.depth > outside; {
		token, err := s.part.next()
		if err != nil {
			return "", nil, err
		}
		child, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case child.Name.Local == "v":
			text, err = s.part.text(limit)
		case child.Name.Local == "is":
			text, err = s.part.richText(limit)
		default: // f, the formula
			err = s.part.skip()
		}
		if err != nil {
			return "", nil, err
		}
	}
	kind := attribute(start, "t")
	if kind == "" || kind == "n" {
		text, fault = s.number(strings.TrimSpace(text), attribute(start, "s"))
		return text, fault, nil
	}
	return s.shown(kind, text)
}

// number returns a number as its style shows it.
func (s *sheetRows) number(value, style string) (text string, fault error) {
	if value == "" {
		return "", nil
	}
	as, shift := s.workbook.style(style), 0
	if as == percentStyle {
		shift = 2
	}
	plain, ok := decimal(value, shift)
	if !ok {
		return "", ErrNumber
	}
	if as == percentStyle {
		return plain + "%", nil
	}
	if as == dateStyle {
		return date(plain, s.workbook.day0), nil
	}
	return plain, nil
}

// shown returns the text of a cell with a value of a type other than a number.
func (s *sheetRows) shown(kind, value string) (text string, fault, err error) {
	switch kind {
	case "s":
		if strings.TrimSpace(value) == "" {
			return "", nil, nil
		}
		index, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || index < 0 || index >= len(s.workbook.shared) {
			return "", nil, fmt.Errorf("%w: row %d refers to text %.20q, which does not exist", ErrMalformed, s.row, value)
		}
		value = s.workbook.shared[index]
	case "e":
		return "", ErrValue, nil
	case "b":
		return map[string]string{"0": "FALSE", "1": "TRUE"}[strings.TrimSpace(value)], nil, nil
	}
	if len(value) > s.workbook.limits.Cell {
		return "", ErrLength, nil
	}
	return unescaped(value), nil, nil
}
