package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names appear in e-mails, and an e-mail must contain no link except the one that
// it is about. Mail programs turn anything that looks like an address into a
// link. Names that contain an address are therefore refused, and e-mails write
// all names so that they are not recognised as addresses.

// shortened are abbreviations that people write with a dot and no space after
// it.
var shortened = map[string]bool{
	"dr": true, "mr": true, "mrs": true, "ms": true, "eng": true, "prof": true, "sh": true, "st": true,
	"co": true, "est": true, "inc": true, "ltd": true,
}

// HasAddress reports whether a name contains a web or e-mail address. Initials and
// titles may precede a dot: A.B. Trading, Dr.Sara.
func HasAddress(name string) bool {
	plain := strings.ToLower(strings.Map(foldRune, name))
	if strings.ContainsRune(plain, '@') || strings.Contains(plain, "://") || strings.Contains(plain, "www.") {
		return true
	}
	for _, word := range strings.Fields(plain) {
		host := false // a part before the dot could be a host name
		for n, part := range strings.Split(word, ".") {
			if n > 0 && startsLikeTLD(part) && (host || strings.ContainsRune(part, '/')) {
				return true
			}
			host = host || utf8.RuneCountInString(part) > 1 && !shortened[part]
		}
	}
	return false
}

// Unlinked returns a name as e-mails write it: with a space wherever it could
// be recognised as a link.
func Unlinked(name string) string {
	var b strings.Builder
	rest, inside := name, false // inside: the previous character is not a space
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		b.WriteRune(r)
		switch p := foldRune(r); {
		case p == '@' && inside,
			p == '.' && inside && startsLikeTLD(strings.Map(foldRune, rest)),
			p == ':' && strings.HasPrefix(strings.Map(foldRune, rest), "//"):
			b.WriteByte(' ')
		}
		inside = !unicode.IsSpace(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// startsLikeTLD reports whether a text begins like the last part of a domain:
// with at least two letters.
func startsLikeTLD(text string) bool {
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

// foldRune maps a character to what programs that look for addresses read it as:
// wide forms to ordinary ones, and full stops of other scripts to dots.
// Invisible joiners are removed.
func foldRune(r rune) rune {
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
