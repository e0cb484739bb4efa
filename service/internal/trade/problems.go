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

// notice is a message in English and Arabic.
type notice struct{ english, arabic string }

// Messages for an empty field; none for an optional one.
var (
	optional = notice{}
	required = notice{"Field required", fault.RequiredAR}
)

// problems collects the problems found by Check, in field order. The wording is
// that of the request decoder, which checks the same fields first.
type problems []fault.Problem

// add adds a problem whose message is formatted with args, as is its Arabic
// message.
func (ps *problems) add(path, format, arabic string, args ...any) {
	ps.addCode(fault.InvalidValue, path, notice{format, arabic}, args...)
}

func (ps *problems) addCode(code fault.Code, path string, says notice, args ...any) {
	*ps = append(*ps, fault.Problem{Path: path, Message: fmt.Sprintf(says.english, args...), Code: code, MessageAR: fmt.Sprintf(says.arabic, args...)})
}

// text checks that text can be printed on a document, and reports whether it is
// present and valid.
func (ps *problems) text(path, text string, most int, missing notice) bool {
	if text == "" {
		if missing != optional {
			ps.addCode(fault.FieldRequired, path, missing)
		}
		return false
	}
	if r, found := forbidden(text); found {
		if r == utf8.RuneError {
			ps.addCode(fault.InvalidCharacters, path, notice{"must be valid UTF-8", fault.InvalidUTF8AR})
		} else {
			ps.addCode(fault.InvalidCharacters, path, notice{"must not contain the character %U", fault.CharacterAR}, r)
		}
		return false
	}
	if utf8.RuneCountInString(text) > most {
		ps.addCode(fault.TooLong, path, notice{"must have at most %d characters", fault.MaxCharactersAR}, most)
		return false
	}
	return true
}

// arabic checks that an Arabic name, if set, contains Arabic letters.
func (ps *problems) arabic(path, name string, most int) {
	if ps.text(path, name, most, optional) && !hasArabic(name) {
		ps.add(path, "must contain Arabic letters; leave it empty if there is no Arabic name", fault.ArabicLettersAR)
	}
}

// at returns the path of a field in a list element.
func at(list string, index int, field string) string {
	return list + "." + strconv.Itoa(index) + "." + field
}
