package org

// Unlimited is the allowance of a plan without a limit.
const Unlimited = -1

// Plan is the plan an organisation is subscribed to.
type Plan struct {
	Slug       string
	Name       string
	NameArabic string
	Invoices   int  // per month, or Unlimited
	Writes     int  // fair-use writes per month, or Unlimited
	API        bool // keys may be used
}

// FreePlan is the slug of the plan whose public validations are metered.
const FreePlan = "free"

// FirstPlans returns the plans of a new installation. From then on they are data
// that the operator can change.
func FirstPlans() []Plan {
	return []Plan{
		{Slug: FreePlan, Name: "Free", NameArabic: "المجانية", Invoices: 25, Writes: 500},
		{Slug: "starter", Name: "Starter", NameArabic: "الأساسية", Invoices: 300, Writes: 5_000},
		{Slug: "business", Name: "Business", NameArabic: "الأعمال", Invoices: 5_000, Writes: 100_000, API: true},
		{Slug: "enterprise", Name: "Enterprise", NameArabic: "المنشآت الكبرى", Invoices: Unlimited, Writes: Unlimited, API: true},
	}
}

// InvoiceCeiling returns the maximum number of invoices per month: the allowance
// plus ten percent grace, rounded down, or Unlimited.
func (p Plan) InvoiceCeiling() int {
	if p.Invoices < 0 {
		return Unlimited
	}
	return p.Invoices + p.Invoices/10
}

// WriteCeiling returns the maximum number of fair-use writes per month: the
// allowance plus ten percent, rounded up, or Unlimited.
func (p Plan) WriteCeiling() int {
	if p.Writes < 0 {
		return Unlimited
	}
	return p.Writes + (p.Writes+9)/10
}
