package money

import "strings"

// Grouped puts separators between the thousands of a decimal number, as people
// read it.
func Grouped(number string) string {
	digits := strings.TrimPrefix(number, "-")
	whole, _, _ := strings.Cut(digits, ".")
	var b strings.Builder
	b.WriteString(number[:len(number)-len(digits)])
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	b.WriteString(digits[len(whole):])
	return b.String()
}
