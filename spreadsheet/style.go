package spreadsheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// cellStyle is how the number in a cell is shown, as far as it matters.
type cellStyle uint8

const (
	plainStyle cellStyle = iota
	percentStyle
	dateStyle
)

// maxStyles is more than spreadsheet programs allow.
const maxStyles = 1 << 16

// builtIn are the styles of the formats that every workbook has.
var builtIn = map[string]cellStyle{
	"9": percentStyle, "10": percentStyle,
	"14": dateStyle, "15": dateStyle, "16": dateStyle, "17": dateStyle, "22": dateStyle,
}

// readStyles reads the styles that cells refer to.
func (w *workbook) readStyles(p *part) error {
	custom := map[string]cellStyle{}
	inCells := false // in the element with the styles of cells
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(custom) > maxStyles || len(w.styles) > maxStyles {
			return fmt.Errorf("%w: more than %d styles", ErrMalformed, maxStyles)
		}
		switch token := token.(type) {
		case xml.StartElement:
			id := attribute(token, "numFmtId")
			switch name := token.Name.Local; {
			case name == "numFmt":
				custom[id] = styleOf(attribute(token, "formatCode"))
			case name == "cellXfs":
				inCells = true
			case name == "xf" && inCells:
				style, known := custom[id]
				if !known {
					style = builtIn[id]
				}
				w.styles = append(w.styles, style)
			}
		case xml.EndElement:
			inCells = inCells && token.Name.Local != "cellXfs"
		}
	}
}

// style returns the style with a number.
func (w *workbook) style(number string) cellStyle {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(w.styles) {
		return plainStyle
	}
	return w.styles[i]
}

// styleOf returns the style of a format such as 0.00% or dd/mm/yyyy. A format of
// a time without a date is plain.
func styleOf(format string) cellStyle {
	format = shownLetters(format)
	switch {
	case strings.Contains(format, "%"):
		return percentStyle
	case strings.ContainsAny(format, "yYdD"):
		return dateStyle
	}
	return plainStyle
}

// shownLetters returns the letters of the first section of a format without
// quoted texts and those in brackets, such as colours and languages.
func shownLetters(format string) string {
	var letters []byte
	for i := 0; i < len(format); i++ {
		var end byte
		switch format[i] {
		case ';':
			return string(letters)
		case '\\', '_', '*': // the next character is shown, or as wide as shown, or repeated
			i++
			continue
		case '"':
			end = '"'
		case '[':
			end = ']'
		default:
			letters = append(letters, format[i])
			continue
		}
		for i++; i < len(format) && format[i] != end; i++ {
		}
	}
	return string(letters)
}

// Days of January 1900 with the number 0. The second is used by old programs.
const (
	dayZero     = -1
	dayZero1904 = dayZero + 1462
	lastDay     = 2958465 // 31 December 9999
)

// date returns the date with the given number, such as 2026-11-17, or with a time
// if the number has a fraction, such as 2026-11-17 09:30:00. A number without a
// date is returned as it is.
func date(number string, day0 int) string {
	whole, fraction, _ := strings.Cut(number, ".")
	day, err := strconv.Atoi(whole)
	if err != nil || day < 1 || day > lastDay || strings.HasPrefix(number, "-") {
		return number
	}
	if day < 60 && day0 == dayZero {
		day++ // these programs count 29 February 1900, which did not exist
	}
	seconds, layout := 0, time.DateOnly
	if fraction != "" {
		const places, unit = 12, 1_000_000_000_000
		part, err := strconv.ParseInt((fraction + strings.Repeat("0", places))[:places], 10, 64)
		if err != nil {
			return number
		}
		seconds, layout = int((part*24*60*60+unit/2)/unit), time.DateTime
	}
	return time.Date(1900, time.January, day0+day, 0, 0, seconds, 0, time.UTC).Format(layout)
}
