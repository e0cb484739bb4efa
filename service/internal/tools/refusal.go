package tools

import (
	"unicode"
	"unicode/utf8"

	"khatm/service/internal/fault"
)

// refused returns the error for input that a tool can read but not process: one
// sentence in detail. words has no full stop.
func refused(code fault.Code, words string) *fault.Error {
	return fault.Detail(code, words+".")
}

// capital returns an error text with its first letter in upper case.
func capital(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}
