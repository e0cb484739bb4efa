package spreadsheet

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// escape matches a character that XML cannot contain as workbooks write it, such
// as _x0007_.
var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped returns a text of a workbook without escapes.
func unescaped(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		code, err := strconv.ParseUint(e[2:6], 16, 16)
		if err != nil || code == 0 {
			return "\ufffd"
		}
		return string(rune(code))
	})
}

// escaped returns a text as workbooks write it. The text must not contain NUL.
func escaped(text string) string {
	if !strings.Contains(text, "_x") && !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '_' && i+7 <= len(text) && escape.MatchString(text[i:i+7]):
			b.WriteString("_x005F_")
		case unprintable(r):
			fmt.Fprintf(&b, "_x%04X_", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unprintable reports whether XML cannot contain a character.
func unprintable(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}
