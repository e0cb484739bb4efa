package spreadsheet

import (
	"strconv"
	"strings"
)

const (
	maxDigits   = 15  // digits that spreadsheet programs show
	maxExponent = 400 // more than that of any number they store
)

// decimal returns a number of a workbook in plain digits, without an exponent,
// and reports whether it is one. The point is moved to the right by shift digits.
//
// Workbooks contain the digits of binary floating point, such as
// 0.30000000000000004 for 0.3. A number with a fraction or an exponent is
// therefore rounded to the digits that spreadsheet programs show.
func decimal(text string, shift int) (string, bool) {
	unsigned := strings.TrimPrefix(text, "-")
	mantissa, exponent, hasExponent := strings.Cut(strings.ToUpper(unsigned), "E")
	whole, fraction, hasFraction := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if hasExponent {
		n, err := strconv.Atoi(exponent)
		if err != nil || n < -maxExponent || n > maxExponent {
			return "", false
		}
		shift += n
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	significant := strings.TrimLeft(digits, "0")
	point := len(whole) + shift - (len(digits) - len(significant)) // digits before the point
	if hasExponent || hasFraction || shift != 0 {
		var carried bool
		if significant, carried = rounded(significant, maxDigits); carried {
			point++
		}
		significant = strings.TrimRight(significant, "0")
	}
	if significant == "" {
		return "0", true
	}
	plain := placed(significant, point)
	if len(unsigned) < len(text) {
		plain = "-" + plain
	}
	return plain, true
}

// rounded rounds digits, half up, to the given number of them. It reports
// whether the result has one digit more before the point.
func rounded(digits string, most int) (string, bool) {
	if len(digits) <= most {
		return digits, false
	}
	kept := []byte(digits[:most])
	if digits[most] < '5' {
		return string(kept), false
	}
	for i := most - 1; i >= 0; i-- {
		if kept[i] < '9' {
			kept[i]++
			return string(kept), false
		}
		kept[i] = '0'
	}
	return "1" + string(kept[1:]), true
}

// placed returns digits with a decimal point after the given number of them.
func placed(digits string, point int) string {
	switch {
	case point <= 0:
		return "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		return digits + strings.Repeat("0", point-len(digits))
	}
	return digits[:point] + "." + digits[point:]
}
