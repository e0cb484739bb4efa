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
	FreeText bool // the reason's text is the taxpayer's own
	rates    []money.Decimal
}

// Categories returns the four categories S, Z, E, O.
func Categories() []Category { return categories.all() }

// FindCategory looks a category up by its code.
func FindCategory(code string) (Category, bool) { return categories.find(code) }

// Rates returns the percentages the law allows in the category, the usual one
// first.
func (c Category) Rates() []money.Decimal { return slices.Clone(c.rates) }

// Allows says whether the law allows the rate in the category.
func (c Category) Allows(rate money.Decimal) bool {
	return slices.ContainsFunc(c.rates, rate.Equal)
}

// NeedsReason says whether a line of the category must give a reason why it
// bears no VAT.
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
