package org

// Unlimited is the allowance that is never used up.
const Unlimited = -1

// Plan is what an organisation has subscribed to.
type Plan struct {
	Slug       string
	Name       string
	NameArabic string
	Invoices   int  // a month; Unlimited
	Writes     int  // of fair use, a month; Unlimited
	API        bool // keys may be used
}

// FreePlan is the plan whose public validations are metered.
const FreePlan = "free"

// FirstPlans are the plans of a new installation. They are data from then on
// and the operator changes them.
func FirstPlans() []Plan {
	return []Plan{
		{Slug: FreePlan, Name: "Free", NameArabic: "المجانية", Invoices: 25, Writes: 500},
		{Slug: "starter", Name: "Starter", NameArabic: "الأساسية", Invoices: 300, Writes: 5_000},
		{Slug: "business", Name: "Business", NameArabic: "الأعمال", Invoices: 5_000, Writes: 100_000, API: true},
		{Slug: "enterprise", Name: "Enterprise", NameArabic: "المنشآت الكبرى", Invoices: Unlimited, Writes: Unlimited, API: true},
	}
}

// InvoiceCeiling is how many invoices a month can take: the allowance and ten
// percent of grace, rounded down; Unlimited if there is none.
func (p Plan) InvoiceCeiling() int {
	if p.Invoices < 0 {
		return Unlimited
	}
	return p.Invoices + p.Invoices/10
}

// WriteCeiling is how many writes of fair use a month can take: the allowance
// and ten percent, rounded up; Unlimited if there is none.
func (p Plan) WriteCeiling() int {
	if p.Writes < 0 {
		return Unlimited
	}
	return p.Writes + (p.Writes+9)/10
}
