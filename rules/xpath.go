package rules

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"khatm/money"
)

// What the official sheets do with doubles, as XPath says and as Saxon does it.
// This file is the only one of the package that computes in binary fractions:
// the sheets do, and parity asks for the same answer.

// double is xs:double() and number() of a decimal text, NaN for anything else.
func double(text string) float64 {
	text = strings.Trim(text, blanks)
	if strings.ContainsFunc(text, notInDouble) {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return math.NaN()
	}
	return f // beyond the range: infinity
}

// notInDouble keeps out what Go reads as a number and XPath does not:
// hexadecimal digits, underscores, other spellings of infinity.
func notInDouble(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) }

// belowZero is x < 0, and not(x >= 0), of a text. The official processor puts
// minus nothing below zero, unless it is written as a whole number: -0.00 is
// below zero and -0 is not.
func belowZero(text string) bool {
	if !strings.Contains(text, "-") {
		return false
	}
	f := double(text)
	return f < 0 || f == 0 && math.Signbit(f) && !isShortWhole(text)
}

// isPlainZero is x = 0.00 of a text: neither -0.00 nor -0 is. isWholeZero is
// x = 0, and there -0 is one.
func isPlainZero(text string) bool {
	f := double(text)
	return f == 0 && !math.Signbit(f)
}

func isWholeZero(text string) bool { return double(text) == 0 && !belowZero(text) }

// isShortWhole says whether the processor compares a text as a whole number.
func isShortWhole(text string) bool {
	digits := strings.TrimPrefix(strings.Trim(text, blanks), "-")
	return len(digits) <= 15 && asciiDigits(digits, len(digits))
}

// roundDouble is round() of a double: half towards positive infinity. Adding
// one half first would itself round. What rounds to nothing keeps its sign,
// which format-number() shows.
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

// sumInDoubles is xs:decimal(sum(…)) of texts: sum() of what has no type adds
// doubles, from left to right, and the decimal is the exact value of the
// double. The sum of 1.000 and 0.005 is thus a little below 1.005, and rounds
// to 1.00. No double above 0.001 needs more than 20 places to tell on which
// side of a half cent it is.
func sumInDoubles(texts []string) money.Decimal {
	d, _ := decimal(strconv.FormatFloat(sumOfDoubles(texts), 'f', 20, 64))
	return d
}

// sumOfDoubles is sum(…) of texts, left a double.
func sumOfDoubles(texts []string) float64 {
	var sum float64
	for _, text := range texts {
		sum += double(text)
	}
	return sum
}

// sumIsInfinite says whether a sum of doubles is no number that a decimal can
// be made of. There the sheets break off.
func sumIsInfinite(texts []string) bool {
	sum := sumOfDoubles(texts)
	return math.IsInf(sum, 0) || math.IsNaN(sum)
}

// taxIsInfinite says whether VAT computed in doubles leaves their range. The
// sheets then read "Infinity" back, which is no number, and break off.
func taxIsInfinite(taxable, rate string) bool {
	return math.IsInf(double(taxable)*(double(rate)/100), 0)
}

// sameCents says whether two amounts are alike when rounded to the cent.
func sameCents(a, b string) bool { return roundDouble(double(a)*100) == roundDouble(double(b)*100) }

// formatDouble is format-number(f, '#.00') of a double. The number that is
// rounded is the shortest decimal that reads as f, and it is rounded half to
// even: 0.125 becomes 0.12 and 0.135 becomes 0.14. A number that is not there
// gives NaN. The official processor writes no zero before the point; as these
// texts are only compared with each other, ours may.
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

// isSum says whether a total is written as the sum of two amounts would be,
// which is added in doubles and rounded half up to a cent, and what the sum is.
// As texts are compared, 0 is not -0, and what is missing on both sides is
// alike. Mostly the numbers are alike to the bit and nothing need be written.
func isSum(total, a, b string) (sum string, ok bool) {
	// The conversion keeps the compiler from fusing the product and what follows.
	cents := float64((double(a) + double(b)) * 100)
	got, want := double(total), roundDouble(cents)/100
	if math.Float64bits(got) == math.Float64bits(want) {
		return "", true
	}
	sum = formatDouble(want)
	return sum, formatDouble(got) == sum
}

// formattedPercent is so many percent of an amount, in doubles, half up to a
// cent; NaN when a number is missing.
func formattedPercent(amount, percent string) string {
	// The conversion keeps the compiler from fusing the product and the sum.
	cents := float64(double(amount) * double(percent) / 100 * 100)
	return formatDouble(math.Floor(cents+0.5) / 100)
}

// vatWithin says whether a VAT amount is what the rate makes of a taxable
// amount, give or take a cent for each line of the document, and what it should
// be. The sheet computes it in doubles and rounds it twice; the tolerance is a
// single-precision number. A number that is missing makes it false.
func vatWithin(tax, taxable, rate string, lines int) (should string, ok bool) {
	should = formatDouble(double(taxable) * (double(rate) / 100))
	want := roundDouble(double(should)*100) / 100
	slack := float64(float32(lines) / 100)
	upper := roundDouble((want+slack)*100) / 100
	lower := roundDouble((want-slack)*100) / 100
	got := double(tax)
	return should, lower <= got && got <= upper || got == want
}

// vatGiveOrTake says whether a VAT amount is what the rate makes of a taxable
// amount, give or take a cent. Doubles are computed and texts compared, so that
// what is missing on both sides is alike.
func vatGiveOrTake(tax, taxable, rate string) bool {
	// The conversion keeps the compiler from fusing the product and the sum.
	cents := float64(double(taxable) * double(rate) / 100 * 100)
	got, want := formatted(tax), roundDouble(cents+0.01)/100
	return got == formatDouble(want) || got == formatDouble(want-0.01) || got == formatDouble(want+0.01)
}

// isUsualRate is floor(x) = 15 or x = 5: every rate from 15 to below 16 passes.
func isUsualRate(text string) bool {
	rate := double(text)
	return math.Floor(rate) == 15 || rate == 5
}
