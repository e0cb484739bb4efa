package trade

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"khatm/service/internal/fault"
)

// Limits of text in characters after Unicode NFC. They are those of the
// authority's rule BR-KSA-F-06, so that everything allowed on a document is
// accepted.
const (
	maxText  = 1_000 // names, streets, descriptions, reasons
	maxShort = 127   // the other parts of an address, identifications, units
)

// Messages for an empty field; none for an optional one.
const (
	optional = ""
	required = "Field required"
)

// problems collects the problems found by Check, in field order. The wording is
// that of the request decoder, which checks the same fields first.
type problems []fault.Problem

func (ps *problems) add(path, format string, args ...any) {
	ps.addCode(fault.InvalidValue, path, format, args...)
}

func (ps *problems) addCode(code fault.Code, path, format string, args ...any) {
	*ps = append(*ps, fault.Problem{Path: path, Message: fmt.Sprintf(format, args...), Code: code})
}

// text checks that text can be printed on a document, and reports whether it is
// present and valid.
func (ps *problems) text(path, text string, most int, missing string) bool {
	if text == "" {
		if missing != optional {
			ps.addCode(fault.FieldRequired, path, "%s", missing)
		}
		return false
	}
	if r, found := forbidden(text); found {
		if r == utf8.RuneError {
			ps.addCode(fault.InvalidCharacters, path, "must be valid UTF-8")
		} else {
			ps.addCode(fault.InvalidCharacters, path, "must not contain the character %U", r)
		}
		return false
	}
	if utf8.RuneCountInString(text) > most {
		ps.addCode(fault.TooLong, path, "must have at most %d characters", most)
		return false
	}
	return true
}

// arabic checks that an Arabic name, if set, contains Arabic letters.
func (ps *problems) arabic(path, name string, most int) {
	if ps.text(path, name, most, optional) && !hasArabic(name) {
		ps.add(path, "must contain Arabic letters; leave it empty if there is no Arabic name")
	}
}

// at returns the path of a field in a list element.
func at(list string, index int, field string) string {
	return list + "." + strconv.Itoa(index) + "." + field
}
