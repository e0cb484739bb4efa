package paper

import (
	"strings"

	"khatm/codes"
	"khatm/money"
	"khatm/ubl"
)

// riyalSign is the sign of the Saudi riyal.
const riyalSign = "\u20C1"

// grouped prints a number as it is written, with separators between thousands.
// What is no plain decimal number is left alone.
func grouped(text string) string {
	digits := strings.TrimPrefix(text, "-")
	if !decimal(digits) {
		return text
	}
	return money.Grouped(text)
}

// priced prints an amount of money, with two decimal places at least.
func priced(text string) string {
	if digits := strings.TrimPrefix(text, "-"); decimal(digits) {
		_, places, point := strings.Cut(digits, ".")
		if !point {
			text += "."
		}
		text += strings.Repeat("0", max(0, 2-len(places)))
	}
	return grouped(text)
}

// percent prints a rate without the zeros that its text may end with.
func percent(text string) string {
	if text == "" {
		return ""
	}
	if strings.Contains(text, ".") && decimal(text) {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + "%"
}

// decimal says whether a text is digits with at most one point between them.
func decimal(text string) bool {
	whole, places, point := strings.Cut(text, ".")
	return digitsOnly(whole) && (!point || digitsOnly(places))
}

func digitsOnly(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// amount prints an amount of a currency that the page names elsewhere, and
// with its currency if it has another.
func (c *content) amount(t *ubl.Text) string {
	if t == nil {
		return ""
	}
	if code := t.Attr("currencyID"); code != "" && code != c.currency {
		return code + " " + priced(t.String())
	}
	return priced(t.String())
}

// sum prints an amount with its currency.
func (c *content) sum(t *ubl.Text) string {
	code := t.Attr("currencyID")
	if code == "" {
		code = c.currency
	}
	if code == codes.Riyal {
		code = riyalSign
	}
	return strings.TrimSpace(code + " " + priced(t.String()))
}
