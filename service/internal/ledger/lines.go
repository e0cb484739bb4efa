package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/money"
)

// Listed is an invoice in a list. Record.Lines is empty: an invoice can have
// thousands of lines, which are decoded one by one.
type Listed struct {
	Invoice
	Lines Lines
}

// Whole returns the invoice with all its lines.
func (l Listed) Whole() (Invoice, error) {
	i := l.Invoice
	err := l.Lines.Each(func(line *Line) error {
		i.Record.Lines = append(i.Record.Lines, *line)
		return nil
	})
	return i, err
}

// Lines are the lines of a record as stored.
type Lines struct {
	text string // the JSON objects, with the commas between them
	list []Line // instead of text, if the lines were not found in it
}

var errLines = errors.New("the lines of the record are not a list of objects")

// ParseRecord parses a stored record. It returns the lines separately.
func ParseRecord(text string) (Record, Lines, error) {
	var r Record
	from, to := linesIn(text)
	if from == to {
		err := json.Unmarshal([]byte(text), &r)
		lines := Lines{list: r.Lines}
		r.Lines = nil
		return r, lines, err
	}
	err := json.Unmarshal([]byte(text[:from]+text[to:]), &r)
	return r, Lines{text: text[from:to]}, err
}

// linesIn returns the part of a record between the brackets of its lines. The
// part is empty if the record has no lines, or is not written as json.Marshal
// does.
func linesIn(text string) (from, to int) {
	const name = `"lines":[`
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			if depth == 1 && strings.HasPrefix(text[i:], name) {
				from = i + len(name)
				return from, from + endOf(text[from:])
			}
			i += stringEnd(text[i:])
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
	}
	return 0, 0
}

// endOf returns the index of the bracket that closes the value before text
// begins.
func endOf(text string) int {
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i += stringEnd(text[i:])
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		}
		i++
	}
	return len(text)
}

// stringEnd returns the length of the JSON string at the beginning of text.
func stringEnd(text string) int {
	for i := 1; i < len(text); i++ {
		end := strings.IndexAny(text[i:], `"\`)
		if end < 0 {
			break
		}
		if i += end; text[i] == '"' {
			return i + 1
		}
		i++ // the escaped character
	}
	return len(text)
}

// Each calls do for each line. The line is valid until do returns.
func (l Lines) Each(do func(*Line) error) error {
	for n := range l.list {
		if err := do(&l.list[n]); err != nil {
			return err
		}
	}
	var line Line
	for n, text := 0, trimmed(l.text); text != ""; n++ {
		if text[0] != '{' {
			return errLines
		}
		end := 1 + endOf(text[1:]) + 1
		if end > len(text) {
			return errLines
		}
		if err := line.parse(text[:end]); err != nil {
			return fmt.Errorf("line %d of the record: %w", n+1, err)
		}
		if err := do(&line); err != nil {
			return err
		}
		if text = trimmed(text[end:]); text == "" {
			return nil
		}
		if text[0] != ',' {
			return errLines
		}
		if text = trimmed(text[1:]); text == "" {
			return errLines
		}
	}
	return nil
}

func trimmed(text string) string { return strings.TrimLeft(text, " \t\r\n") }

// parse sets the line to a JSON object.
func (l *Line) parse(text string) error {
	*l = Line{}
	if l.parsePlain(text) {
		return nil
	}
	*l = Line{}
	return json.Unmarshal([]byte(text), l)
}

// parsePlain parses an object of strings without escapes and spaces, as most
// lines are stored: encoding/json takes several times as long. It returns false
// for all other objects.
func (l *Line) parsePlain(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for text != "}" {
		name, rest, ok := plainString(text[1:]) // after { or a comma
		if !ok || rest == "" || rest[0] != ':' {
			return false
		}
		value, rest, ok := plainString(rest[1:])
		if !ok || rest == "" || rest[0] != ',' && rest != "}" || !l.set(name, value) {
			return false
		}
		text = rest
	}
	return true
}

// plainString returns the string at the beginning of text and what follows it.
func plainString(text string) (value, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		return "", "", false
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return text[1:i], text[i+1:], true
		case c == '\\' || c < ' ':
			return "", "", false
		}
	}
	return "", "", false
}

// set sets the field with the given name. It returns false if the name or the
// value is not one that this version writes.
func (l *Line) set(name, value string) bool {
	switch name {
	case "id":
		return setID(&l.ID, value)
	case "item":
		l.Item = &uuid.UUID{}
		return setID(l.Item, value)
	case "original":
		l.Original = &uuid.UUID{}
		return setID(l.Original, value)
	case "name":
		l.Name = value
	case "name_arabic":
		l.NameArabic = value
	case "unit":
		l.Unit = value
	case "category":
		l.Category = value
	case "reason_code":
		l.ReasonCode = value
	case "reason_text":
		l.ReasonText = value
	default:
		return l.setAmount(name, value)
	}
	return true
}

func (l *Line) setAmount(name, value string) bool {
	var to *money.Decimal
	switch name {
	case "price":
		to = &l.Price
	case "gross_price":
		to = &l.GrossPrice
	case "quantity":
		to = &l.Quantity
	case "rate":
		to = &l.Rate
	case "net":
		to = &l.Net
	case "vat":
		to = &l.VAT
	case "total":
		to = &l.Total
	default:
		return false
	}
	var err error
	*to, err = money.Parse(value)
	return err == nil
}

func setID(to *uuid.UUID, value string) bool {
	const length = 36
	var err error
	*to, err = uuid.Parse(value)
	return err == nil && len(value) == length
}
