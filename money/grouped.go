package money

import "strings"

// Grouped inserts commas between the thousands of a decimal number: 1234.50
// becomes 1,234.50.
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
