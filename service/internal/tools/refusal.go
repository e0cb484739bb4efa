package tools

import (
	"unicode"
	"unicode/utf8"

	"khatm/service/internal/fault"
)

// refused is what a tool says of an input that it can read and not use: one
// sentence, as detail. The words come without the full stop.
func refused(words string) *fault.Error {
	return (&fault.Error{Kind: fault.Invalid}).With("detail", words+".")
}

// capital begins the words of an error as a sentence begins.
func capital(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}
