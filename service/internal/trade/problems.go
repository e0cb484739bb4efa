package trade

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"khatm/service/internal/fault"
)

// Bounds of texts, in characters after Unicode NFC. They are those of the
// authority's rules BR-KSA-F-06, so that nothing is refused that may stand on
// a document.
const (
	maxText  = 1_000 // names, streets, descriptions, reasons
	maxShort = 127   // the other parts of an address, identifications, units
)

// What is said of a field that is not filled in; an optional one says nothing.
const (
	optional = ""
	required = "Field required"
)

// problems is what Check has found so far, in the order of the fields. Its
// sentences are worded as those of the request decoder, which sees the same
// fields before.
type problems []fault.Problem

func (ps *problems) add(path, format string, args ...any) {
	*ps = append(*ps, fault.Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// text demands that a text can stand on a document, and says whether there is
// a right one.
func (ps *problems) text(path, text string, most int, missing string) bool {
	if text == "" {
		if missing != optional {
			ps.add(path, "%s", missing)
		}
		return false
	}
	if r, found := forbidden(text); found {
		if r == utf8.RuneError {
			ps.add(path, "must be valid UTF-8")
		} else {
			ps.add(path, "must not contain the character %U", r)
		}
		return false
	}
	if utf8.RuneCountInString(text) > most {
		ps.add(path, "must have at most %d characters", most)
		return false
	}
	return true
}

// arabic demands that a name said to be Arabic is, if there is one.
func (ps *problems) arabic(path, name string, most int) {
	if ps.text(path, name, most, optional) && !hasArabic(name) {
		ps.add(path, "must contain Arabic letters; leave it empty if there is no Arabic name")
	}
}

// at is the path of a field within an element of a list.
func at(list string, index int, field string) string {
	return list + "." + strconv.Itoa(index) + "." + field
}
