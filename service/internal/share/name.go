package share

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"khatm/service/internal/mail"
)

// maxName is the maximum length of the approver's name in characters.
const maxName = 100

// Errors of CleanName.
var (
	ErrNoName      = errors.New("the name is empty")
	ErrLongName    = errors.New("the name is too long")
	ErrStrangeName = errors.New("the name contains invalid characters or an address")
)

// CleanName returns a name as it is stored, and what is wrong with it. It
// removes direction marks, which keyboards and copied text add invisibly, and
// replaces any space character with an ordinary space.
func CleanName(typed string) (name string, wrong error) {
	if !utf8.ValidString(typed) {
		return strings.ToValidUTF8(typed, ""), ErrStrangeName
	}
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200e' || r == '\u200f' || r == '\u061c':
			return -1
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		return r
	}, typed))
	// Some names are written with joiners. Other invisible characters, such as
	// those that change the text direction, are not allowed.
	strange := func(r rune) bool { return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' }
	switch {
	case name == "":
		return name, ErrNoName
	case utf8.RuneCountInString(name) > maxName:
		return name, ErrLongName
	case strings.ContainsFunc(name, strange), mail.HasAddress(name):
		return name, ErrStrangeName
	}
	return name, nil
}
