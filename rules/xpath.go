package rules

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"khatm/money"
)

// This file reproduces what the official sheets compute in doubles, according to
// XPath and its processor Saxon. No other file of the package uses floating
// point: the sheets do, and the results must be the same.

// double is xs:double() and number() of a decimal text, or NaN for anything else.
func double(text string) float64 {
	text = strings.Trim(text, blanks)
	if text == "" || strings.ContainsFunc(text, notInDouble) {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return math.NaN()
	}
	return f // beyond the range: infinity
}

// notInDouble matches the characters that Go accepts in a number and XPath does
// not: hexadecimal digits, underscores, other spellings of infinity.
func notInDouble(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) }

// belowZero is x < 0, and not(x >= 0), of a text. The official processor treats
// negative zero as below zero, unless it is written as a whole number: -0.00 is
// below zero and -0 is not.
func belowZero(text string) bool {
	if !strings.Contains(text, "-") {
		return false
	}
	f := double(text)
	return f < 0 || f == 0 && math.Signbit(f) && !isShortWhole(text)
}

// isPlainZero is x = 0.00 of a text: it is false for -0.00 and -0. isWholeZero
// is x = 0, which is true for -0.
func isPlainZero(text string) bool {
	f := double(text)
	return f == 0 && !math.Signbit(f)
}

func isWholeZero(text string) bool { return double(text) == 0 && !belowZero(text) }

// isShortWhole reports whether the processor compares a text as a whole number.
func isShortWhole(text string) bool {
	digits := strings.TrimPrefix(strings.Trim(text, blanks), "-")
	return len(digits) <= 15 && asciiDigits(digits, len(digits))
}

// roundDouble is round() of a double: half towards positive infinity. Adding
// 0.5 first would itself round. A result of zero keeps the sign, which
// format-number() shows.
func roundDouble(f float64) float64 {
	whole := math.Floor(f)
	if f-whole >= 0.5 {
		whole++
	}
	if whole == 0 {
		return math.Copysign(0, f)
	}
	return whole
}

// sumInDoubles is xs:decimal(sum(…)) of texts: sum() of untyped values adds
// doubles from left to right, and the decimal is the exact value of the double.
// The sum of 1.000 and 0.005 is thus slightly less than 1.005 and rounds to
// 1.00. For a double above 0.001, 20 decimals are enough to tell on which side
// of half a cent it is.
func sumInDoubles(texts []string) money.Decimal {
	d, _ := decimal(strconv.FormatFloat(sumOfDoubles(texts), 'f', 20, 64))
	return d
}

// sumOfDoubles is sum(…) of texts, as a double.
func sumOfDoubles(texts []string) float64 {
	var sum float64
	for _, text := range texts {
		sum += double(text)
	}
	return sum
}

// sumIsInfinite reports whether a sum of doubles cannot be converted to a
// decimal, which makes the sheets abort.
func sumIsInfinite(texts []string) bool {
	sum := sumOfDoubles(texts)
	return math.IsInf(sum, 0) || math.IsNaN(sum)
}

// taxIsInfinite reports whether VAT computed in doubles exceeds their range. The
// sheets then parse "Infinity" as a number and abort.
func taxIsInfinite(taxable, rate string) bool {
	return math.IsInf(double(taxable)*(double(rate)/100), 0)
}

// sameCents reports whether two amounts are equal when rounded to the cent.
func sameCents(a, b string) bool { return roundDouble(double(a)*100) == roundDouble(double(b)*100) }

// formatDouble is format-number(f, '#.00') of a double. It rounds the shortest
// decimal that parses as f, half to even: 0.125 becomes 0.12 and 0.135 becomes
// 0.14. NaN becomes "NaN". The official processor writes no zero before the
// point; we do, because these texts are only compared with each other.
func formatDouble(f float64) string {
	if math.IsNaN(f) {
		return "NaN"
	}
	shortest := strconv.FormatFloat(f, 'f', -1, 64)
	switch places := decimals(shortest); {
	case places == 0:
		return shortest + ".00"
	case places == 1:
		return shortest + "0"
	case places == 2:
		return shortest
	case places == 3 && strings.HasSuffix(shortest, "5"):
		d, _ := decimal(shortest)
		return formatDecimal(d)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

// formatted is format-number() of a text.
func formatted(text string) string { return formatDouble(double(text)) }

// isSum reports whether a total has the same text as the sum of two amounts,
// which is added in doubles and rounded half up to a cent, and returns that sum.
// Because texts are compared, 0 differs from -0, and missing values on both
// sides are equal. The numbers are mostly identical to the bit, and then sum is
// "".
func isSum(total, a, b string) (sum string, ok bool) {
	// The conversion prevents the compiler from fusing the operations.
	cents := float64((double(a) + double(b)) * 100)
	got, want := double(total), roundDouble(cents)/100
	if math.Float64bits(got) == math.Float64bits(want) {
		return "", true
	}
	sum = formatDouble(want)
	return sum, formatDouble(got) == sum
}

// formattedPercent is a percentage of an amount, computed in doubles and rounded
// half up to a cent, or NaN if a number is missing.
func formattedPercent(amount, percent string) string {
	// The conversion prevents the compiler from fusing the operations.
	cents := float64(double(amount) * double(percent) / 100 * 100)
	return formatDouble(math.Floor(cents+0.5) / 100)
}

// vatWithin reports whether a VAT amount is the taxable amount times the rate,
// with a tolerance of a cent for each line of the document, and returns the
// expected amount. The sheet computes it in doubles and rounds it twice; the
// tolerance is a single-precision number. It is false if a number is missing.
func vatWithin(tax, taxable, rate string, lines int) (should string, ok bool) {
	should = formatDouble(double(taxable) * (double(rate) / 100))
	want := roundDouble(double(should)*100) / 100
	slack := float64(float32(lines) / 100)
	upper := roundDouble((want+slack)*100) / 100
	lower := roundDouble((want-slack)*100) / 100
	got := double(tax)
	return should, lower <= got && got <= upper || got == want
}

// vatGiveOrTake reports whether a VAT amount is the taxable amount times the
// rate, with a tolerance of a cent. It computes in doubles and compares texts,
// so that missing values on both sides are equal.
func vatGiveOrTake(tax, taxable, rate string) bool {
	// The conversion prevents the compiler from fusing the operations.
	cents := float64(double(taxable) * double(rate) / 100 * 100)
	got, want := formatted(tax), roundDouble(cents+0.01)/100
	return got == formatDouble(want) || got == formatDouble(want-0.01) || got == formatDouble(want+0.01)
}

// isUsualRate is floor(x) = 15 or x = 5: every rate from 15 to below 16 passes.
func isUsualRate(text string) bool {
	rate := double(text)
	return math.Floor(rate) == 15 || rate == 5
}
