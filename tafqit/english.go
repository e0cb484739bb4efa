package tafqit

import (
	"strings"

	"khatm/money"
)

// name holds the English forms of a noun.
type name struct{ one, more string }

var (
	englishScales = []string{"", " thousand", " million", " billion", " trillion", " quadrillion"}
	englishUnits  = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen
		fourteen fifteen sixteen seventeen eighteen nineteen`)
	englishTens = strings.Fields(`- - twenty thirty forty fifty sixty seventy eighty ninety`)
)

// English returns an amount in English words, such as "One hundred and fifteen
// Saudi riyals and fifty halalas only". It returns "" for an amount of 10^18 or
// more.
func English(d money.Decimal, currency string) string {
	a, ok := split(d, currency)
	if !ok {
		return ""
	}
	var parts []string
	if a.whole != "" || a.minor == "" {
		parts = append(parts, a.englishWhole())
	}
	if a.minor != "" {
		parts = append(parts, englishCount(a.minor, a.currency.minorEN))
	}
	if a.rest != "" {
		parts = append(parts, a.rest)
	}
	said := strings.Join(parts, " and ")
	if a.negative {
		said = "minus " + said
	}
	return strings.ToUpper(said[:1]) + said[1:] + " only"
}

// englishWhole returns the whole part with the currency.
func (a amount) englishWhole() string {
	of := name{a.code, a.code}
	if a.currency != nil {
		of = a.currency.majorEN
	}
	if a.whole == "" {
		return "zero " + of.more
	}
	return englishCount(a.whole, of)
}

func englishCount(digits string, of name) string {
	list := groups(digits)
	var parts []string
	for i := len(list) - 1; i >= 0; i-- {
		switch g := list[i]; {
		case g == 0:
		case i == 0 && g < 100 && len(parts) > 0:
			parts = append(parts, "and "+englishBelow1000(g))
		default:
			parts = append(parts, englishBelow1000(g)+englishScales[i])
		}
	}
	if len(list) == 1 && list[0] == 1 {
		return "one " + of.one
	}
	return strings.Join(parts, " ") + " " + of.more
}

func englishBelow1000(n int) string {
	switch {
	case n < 20:
		return englishUnits[n]
	case n < 100 && n%10 == 0:
		return englishTens[n/10]
	case n < 100:
		return englishTens[n/10] + "-" + englishUnits[n%10]
	case n%100 == 0:
		return englishUnits[n/100] + " hundred"
	}
	return englishUnits[n/100] + " hundred and " + englishBelow1000(n%100)
}
