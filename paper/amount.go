package paper

import (
	"strings"

	"khatm/codes"
	"khatm/money"
	"khatm/ubl"
)

// riyalSign is the symbol of the Saudi riyal.
const riyalSign = "\u20C1"

// minus is the minus sign, which is as wide as a digit and never ends a line.
const minus = "\u2212"

// grouped returns a number with thousands separators and a minus sign if it is
// negative. A text that is not a decimal number is returned unchanged.
func grouped(text string) string {
	digits := strings.TrimPrefix(text, "-")
	if !decimal(digits) {
		return text
	}
	if digits != text {
		return minus + money.Grouped(digits)
	}
	return money.Grouped(text)
}

// negated returns the text of an amount that is deducted, with a minus sign unless
// it is zero or not a positive number.
func negated(text string) string {
	if !decimal(text) || strings.Trim(text, "0.") == "" {
		return text
	}
	return "-" + text
}

// priced returns an amount with thousands separators and at least two decimal
// places.
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

// percent returns a rate with a percent sign and without trailing zeros.
func percent(text string) string {
	if text == "" {
		return ""
	}
	if strings.Contains(text, ".") && decimal(text) {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + "%"
}

// decimal reports whether a text consists of digits with at most one decimal
// point between them.
func decimal(text string) bool {
	whole, places, point := strings.Cut(text, ".")
	return digitsOnly(whole) && (!point || digitsOnly(places))
}

func digitsOnly(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// amount formats an amount, with its currency if that is not the currency of
// the document. It returns "" for nil.
func (c *content) amount(t *ubl.Text) string {
	if t == nil {
		return ""
	}
	return c.amountOf(t, t.String())
}

func (c *content) amountOf(t *ubl.Text, amount string) string {
	if code := t.Attr("currencyID"); code != "" && code != c.currency {
		return code + " " + priced(amount)
	}
	return priced(amount)
}

// sum formats an amount with its currency.
func (c *content) sum(t *ubl.Text) string { return c.sumOf(t, t.String()) }

// deducted formats an amount that is deducted, with its currency.
func (c *content) deducted(t *ubl.Text) string { return c.sumOf(t, negated(t.String())) }

func (c *content) sumOf(t *ubl.Text, amount string) string {
	code := t.Attr("currencyID")
	if code == "" {
		code = c.currency
	}
	if code == codes.Riyal {
		code = riyalSign
	}
	return strings.TrimSpace(code + " " + priced(amount))
}
