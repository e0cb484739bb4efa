package remedy

import (
	"fmt"
	"slices"
	"strings"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/issue"
)

// edit changes a copy of a request and remembers what changed.
type edit struct {
	request issue.Request
	changes []Change
}

func clone(r issue.Request) issue.Request {
	r.FormLines, r.Allowances = slices.Clone(r.FormLines), slices.Clone(r.Allowances)
	return r
}

// proposals maps a rule to the function that suggests values.
var proposals = map[string]func(*edit){
	"BR-KSA-84":     func(e *edit) { e.rates(codes.StandardRated, nearestRate) },
	"BR-KSA-DEC-02": func(e *edit) { e.rates(codes.StandardRated, nearestRate) },
	"BR-Z-05":       func(e *edit) { e.rates("Z", noRate) },
	"BR-Z-06":       func(e *edit) { e.rates("Z", noRate) },
	"BR-E-05":       func(e *edit) { e.rates("E", noRate) },
	"BR-E-06":       func(e *edit) { e.rates("E", noRate) },
	"BR-KSA-11":     func(e *edit) { e.rates("O", noRate) },
	"BR-S-06":       (*edit).allowances,
	"BR-32":         (*edit).allowances,
	"BR-CL-03":      (*edit).currency,
	"BR-CL-04":      (*edit).currency,
	"BR-KSA-CL-01":  (*edit).currency,
}

func noRate(money.Decimal) money.Decimal { return money.Decimal{} }

// nearestRate returns the legal standard rate that is nearest to a rate, 15 if
// both are.
func nearestRate(rate money.Decimal) money.Decimal {
	high, low := money.FromInt(15), money.FromInt(5)
	if rate.Sub(low).Abs().Less(high.Sub(rate).Abs()) {
		return low
	}
	return high
}

func (e *edit) set(path, from, to string, apply func()) {
	if from == to {
		return
	}
	apply()
	e.request.ExpectedPayable = nil
	e.changes = append(e.changes, Change{issue.Root + "." + path, from, to})
}

// rates changes the VAT rates of the lines and allowances of a category.
func (e *edit) rates(category string, to func(money.Decimal) money.Decimal) {
	for n := range e.request.FormLines {
		if l := &e.request.FormLines[n]; l.Category == category {
			rate := to(l.Rate)
			e.set(fmt.Sprintf("form_lines.%d.vat_rate", n), l.Rate.String(), rate.String(), func() { l.Rate = rate })
		}
	}
	for n := range e.request.Allowances {
		if a := &e.request.Allowances[n]; a.Category == category {
			rate := to(a.Rate)
			e.set(fmt.Sprintf("document_level_allowances.%d.vat_rate", n), a.Rate.String(), rate.String(), func() { a.Rate = rate })
		}
	}
}

// allowances gives the allowances the category and rate of the lines, if all
// lines have the same.
func (e *edit) allowances() {
	lines := e.request.FormLines
	if len(lines) == 0 || slices.ContainsFunc(lines, func(l issue.FormLine) bool {
		return l.Category != lines[0].Category || !l.Rate.Equal(lines[0].Rate)
	}) {
		return
	}
	for n := range e.request.Allowances {
		a, path := &e.request.Allowances[n], fmt.Sprintf("document_level_allowances.%d.", n)
		e.set(path+"vat_category_code", a.Category, lines[0].Category, func() { a.Category = lines[0].Category })
		e.set(path+"vat_rate", a.Rate.String(), lines[0].Rate.String(), func() { a.Rate = lines[0].Rate })
	}
}

// currency writes the currency in capital letters, if that is a known code.
func (e *edit) currency() {
	to := strings.ToUpper(strings.TrimSpace(e.request.Currency))
	if _, known := codes.FindCurrency(to); known {
		e.set("currency", e.request.Currency, to, func() { e.request.Currency = to })
	}
}
