package rules

import (
	"strconv"
	"testing"

	"khatm/money"
)

// The expected values are those of Saxon-HE 9.9, the processor of the official
// sheets. "error" corresponds to the result false.
func TestXPath(t *testing.T) {
	cases := []struct{ function, a, b, want string }{
		{"decimal", ".5", "", "0.5"},
		{"decimal", "-.5", "", "-0.5"},
		{"decimal", "5.", "", "5"},
		{"decimal", "+5", "", "5"},
		{"decimal", "-0", "", "0"},
		{"decimal", " \t007.50\r\n", "", "7.5"},
		{"decimal", ".", "", "error"},
		{"decimal", "-", "", "error"},
		{"decimal", "", "", "error"},
		{"decimal", "1e2", "", "error"},
		{"decimal", "+-5", "", "error"},
		{"decimal", "1.-5", "", "error"},
		{"decimal", "1,000", "", "error"},
		{"decimal", "١٥", "", "error"},
		{"decimal", "0.1234567890123456789012345", "", "0.1234567890123456789012345"},
		{"decimal", "123456789012345678901234567890.5", "", "123456789012345678901234567890.5"},
		{"decimal", "-12345678901234567890123456789012345678.12345678901234567890123456789", "", "-12345678901234567890123456789012345678.12345678901234567890123456789"},

		{"round2", "0.005", "", "0.01"},
		{"round2", "0.00499999", "", "0"},
		{"round2", "-0.005", "", "0"},
		{"round2", "-0.0051", "", "-0.01"},
		{"round2", "-1.235", "", "-1.23"},
		{"round2", "2.675", "", "2.68"},
		{"trunc3", "1.2349", "", "1.234"},
		{"trunc3", "-0.0001", "", "-0.001"},

		{"divide", "10", "3", "3.333333333333333333"},
		{"divide", "2", "3", "0.666666666666666667"},
		{"divide", "-2", "3", "-0.666666666666666667"},
		{"divide", "1", "524288", "0.000001907348632812"}, // a half is rounded down
		{"divide", "3", "524288", "0.000005722045898437"},
		{"divide", "0.7", "3", "0.2333333333333333333"},
		{"divide", "7000", "30", "233.333333333333333333"},
		{"divide", "7", "3000", "0.002333333333333333333"},
		{"divide", "1", "0.0003", "3333.333333333333333333"},
		{"divide", "0", "7", "0"},
		{"divide", "5", "10000000000000000000", "0.0000000000000000005"},

		{"sumInDoubles", "1", "0.005", "1"},
		{"sumInDoubles", "2", "0.675", "2.67"},
		{"sumInDoubles", "0.1", "0.2", "0.3"},
		{"sumInDoubles", "8.000", "0.125", "8.13"},
		{"sumInDoubles", "9999999999.99", "-0.005", "9999999999.99"},

		{"formatDouble", "0.125", "", "0.12"},
		{"formatDouble", "0.135", "", "0.14"},
		{"formatDouble", "2.675", "", "2.68"},
		{"formatDouble", "2.665", "", "2.66"},
		{"formatDouble", "-0.005", "", "-0.00"},
		{"formatDouble", "-0.001", "", "-0.00"},
		{"formatDouble", "0.1250000000000001", "", "0.13"},
		{"formatDouble", "3000.075", "", "3000.08"},
		{"formatDouble", "99999999999.995", "", "100000000000.00"},
		{"formatDouble", "12345678901234567890", "", "12345678901234567000.00"},
		{"formatDouble", "", "", "NaN"},
		{"formatDecimal", "0.125", "", "0.12"},
		{"formatDecimal", "0.135", "", "0.14"},
		{"formatDecimal", "-0.001", "", "-0.00"},
		{"formatDecimal", "0.1250000000000001", "", "0.13"},
		{"formattedPercent", "1.25", "10", "0.13"},
		{"formattedPercent", "1.15", "10", "0.12"},
		{"formattedPercent", "-1.25", "10", "-0.12"},
		{"formattedPercent", "33.33", "33.33", "11.11"},
		{"formattedPercent", "8.29", "50", "4.14"}, // 414.49999999999994 cents
		{"formattedPercent", "8.29", "", "NaN"},

		{"double", "1_0", "", "NaN"},
		{"double", "0x10", "", "NaN"},
		{"double", "٥", "", "NaN"},
		{"double", " 5 ", "", "5"},
		{"roundDouble", "0.49999999999999994", "", "0"},
		{"roundDouble", "-2.5", "", "-2"},
		{"roundDouble", "2.5", "", "3"},

		{"normalize", " a \t b\n", "", "a b"},
		{"normalize", "\u00a0a", "", "\u00a0a"},
		{"decimals", "1.50 ", "", "3"},
		{"decimals", "1.2.3", "", "3"},
		{"decimals", "١.٢٣", "", "2"},
		{"decimals", "5", "", "0"},
	}
	for _, c := range cases {
		if got := evaluate(c.function, c.a, c.b); got != c.want {
			t.Errorf("%s(%q, %q) = %s, want %s", c.function, c.a, c.b, got, c.want)
		}
	}
}

func evaluate(function, a, b string) string {
	x, ok := decimal(a)
	y, _ := decimal(b)
	plain := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	switch function {
	case "decimal":
		if !ok {
			return "error"
		}
		return x.String()
	case "round2":
		return round2(x).String()
	case "trunc3":
		return trunc3(x).String()
	case "divide":
		return divide(x, y).String()
	case "sumInDoubles":
		return round2(sumInDoubles([]string{a, b})).String()
	case "formatDouble":
		return formatted(a)
	case "formatDecimal":
		return formatDecimal(x)
	case "formattedPercent":
		return formattedPercent(a, b)
	case "double":
		return plain(double(a))
	case "roundDouble":
		return plain(roundDouble(double(a)))
	case "normalize":
		return normalize(a)
	case "decimals":
		return strconv.Itoa(decimals(a))
	}
	return "unknown function"
}

// The expected results at the limits of the tolerance are those of Saxon.
func TestVATWithin(t *testing.T) {
	cases := []struct {
		tax, taxable, rate string
		lines              int
		want               bool
	}{
		{"3000.08", "20000.50", "15", 1, true},
		{"3000.07", "20000.50", "15", 1, true},
		{"3000.09", "20000.50", "15", 1, true},
		{"3000.10", "20000.50", "15", 1, false},
		{"3000.06", "20000.50", "15", 1, false},
		{"3000.08", "20000.50", "15", 0, true},
		{"1.97", "10", "10", 97, true},
		{"1.98", "10", "10", 97, false},
		{"0.03", "10", "10", 97, true},
		{"0.02", "10", "10", 97, false},
		{"11.00", "10", "10", 1000, true},
		{"11.01", "10", "10", 1000, false},
		{"0", "10", "", 3, false},
		{"", "10", "10", 3, false},
	}
	for _, c := range cases {
		if should, got := vatWithin(c.tax, c.taxable, c.rate, c.lines); got != c.want {
			t.Errorf("vatWithin %+v = %t, want %t; expected VAT %s", c, got, c.want, should)
		}
	}
}

func TestDecimalIsBounded(t *testing.T) {
	long := make([]byte, 1<<20)
	for i := range long {
		long[i] = '9'
	}
	if _, ok := decimal(string(long)); ok {
		t.Error("decimal of a million digits succeeded, want false")
	}
	if d, ok := decimal(string(long[:maxDigits])); !ok || d.Cmp(money.FromInt(0)) <= 0 {
		t.Errorf("decimal of %d digits failed, want true", maxDigits)
	}
}
