package share

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names stand in letters, and a letter leads to its draft and nowhere else. Mail
// programs make a link of whatever looks like an address, so names that are one
// are refused, and letters write all names so that they are none.

// shortened are words that people write with a dot and no space behind it.
var shortened = map[string]bool{
	"dr": true, "mr": true, "mrs": true, "ms": true, "eng": true, "prof": true, "sh": true, "st": true,
	"co": true, "est": true, "inc": true, "ltd": true,
}

// address says whether a name is, or has in it, the address of a page or a
// mailbox. Initials and titles may stand before a dot: A.B. Trading, Dr.Sara.
func address(name string) bool {
	plain := strings.ToLower(strings.Map(plainly, name))
	if strings.ContainsRune(plain, '@') || strings.Contains(plain, "://") || strings.Contains(plain, "www.") {
		return true
	}
	for _, word := range strings.Fields(plain) {
		host := false // something stands before the dot that could be one
		for n, part := range strings.Split(word, ".") {
			if n > 0 && ending(part) && (host || strings.ContainsRune(part, '/')) {
				return true
			}
			host = host || utf8.RuneCountInString(part) > 1 && !shortened[part]
		}
	}
	return false
}

// unlinked is a name as letters write it: with a space where it would become a
// link otherwise.
func unlinked(name string) string {
	var b strings.Builder
	rest, inside := name, false // inside: something other than a space is before
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		b.WriteRune(r)
		switch p := plainly(r); {
		case p == '@' && inside,
			p == '.' && inside && ending(strings.Map(plainly, rest)),
			p == ':' && strings.HasPrefix(strings.Map(plainly, rest), "//"):
			b.WriteByte(' ')
		}
		inside = !unicode.IsSpace(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// ending says whether a text begins as the last part of a domain does: with two
// letters at least.
func ending(text string) bool {
	letters := 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r), unicode.IsMark(r), r == '-':
		default:
			return letters > 1
		}
	}
	return letters > 1
}

// plainly is a character as programs read it that look for addresses: wide forms
// as the plain ones, the full stops of other scripts as dots. Joiners, which
// nobody sees, are nothing.
func plainly(r rune) rune {
	switch {
	case '！' <= r && r <= '～':
		return r - '！' + '!'
	case strings.ContainsRune("。｡․﹒۔", r):
		return '.'
	case r == '﹫':
		return '@'
	case r == '\u200c' || r == '\u200d':
		return -1
	}
	return r
}
