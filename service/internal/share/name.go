package share

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name of whoever approves, in characters.
const maxName = 100

// What can be wrong with a name.
var (
	ErrNoName      = errors.New("there is no name")
	ErrLongName    = errors.New("the name is too long")
	ErrStrangeName = errors.New("the name has characters that no name has")
)

// CleanName is a name as it is kept, and what is wrong with it. Marks of
// direction, which keyboards and copied texts bring along unseen, are left out,
// and whatever space was typed is a plain one.
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
	// Some names are written with joiners; what turns the direction of a line is
	// no part of one.
	strange := func(r rune) bool { return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' }
	switch {
	case name == "":
		return name, ErrNoName
	case utf8.RuneCountInString(name) > maxName:
		return name, ErrLongName
	case strings.ContainsFunc(name, strange), address(name):
		return name, ErrStrangeName
	}
	return name, nil
}
