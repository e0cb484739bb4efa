package tools

import (
	"unicode"
	"unicode/utf8"

	"khatm/service/internal/fault"
)

// refused is what a tool says of an input that it can read and not use: one
// sentence, as detail.
func refused(sentence string) *fault.Error {
	return (&fault.Error{Kind: fault.Invalid}).With("detail", sentence)
}

// sentence makes one of the words of an error.
func sentence(err error) string {
	words := err.Error()
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:] + "."
}
