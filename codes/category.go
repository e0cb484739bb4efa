package codes

import (
	"slices"

	"khatm/money"
)

// Codes of the VAT categories.
const (
	StandardRated   = "S"
	ZeroRated       = "Z"
	Exempt          = "E"
	NotSubjectToVAT = "O"
)

// Category is a VAT category (UNTDID 5305).
type Category struct {
	Entry
	FreeText bool // the taxpayer writes the text of the exemption reason
	rates    []money.Decimal
}

// Categories returns the four VAT categories S, Z, E and O.
func Categories() []Category { return categories.all() }

// FindCategory returns the VAT category with the given code.
func FindCategory(code string) (Category, bool) { return categories.find(code) }

// Rates returns the VAT rates in percent that the law allows in the category,
// the usual one first.
func (c Category) Rates() []money.Decimal { return slices.Clone(c.rates) }

// Allows reports whether the law allows the rate in the category.
func (c Category) Allows(rate money.Decimal) bool {
	return slices.ContainsFunc(c.rates, rate.Equal)
}

// NeedsReason reports whether a line in the category must state why no VAT is
// charged.
func (c Category) NeedsReason() bool { return c.Code != StandardRated }

var categories = listBy(func(c Category) string { return c.Code }, []Category{
	{
		Entry: Entry{"STANDARD_RATED", StandardRated, "Standard rate", "التوريدات الخاضعة للضريبة بالنسبة الأساسية"},
		rates: []money.Decimal{money.FromInt(15), money.FromInt(5)},
	},
	{
		Entry: Entry{"ZERO_RATED", ZeroRated, "Zero rated goods", "التوريدات الخاضعة للضريبة بنسبة الصفر"},
		rates: []money.Decimal{money.FromInt(0)},
	},
	{
		Entry: Entry{"EXEMPT", Exempt, "Exempt from Tax", "التوريدات المعفاة من الضريبة"},
		rates: []money.Decimal{money.FromInt(0)},
	},
	{
		Entry:    Entry{"NOT_SUBJECT_TO_VAT", NotSubjectToVAT, "Services outside scope of tax / Not subject to VAT", "التوريدات خارج نطاق الضريبة"},
		FreeText: true,
		rates:    []money.Decimal{money.FromInt(0)},
	},
})
