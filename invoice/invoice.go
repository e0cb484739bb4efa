// Package invoice is the tax document: the commercial facts of a sale, the
// arithmetic that turns them into totals, and the mapping to and from UBL.
//
// [Parse] reads facts from JSON, [Compute] checks them and computes every
// amount exactly, and [Document.UBL] gives the result its number, time and
// place in the chain as a typed UBL invoice:
//
//	facts, err := invoice.Parse(json)
//	document, err := invoice.Compute(facts)
//	ubl, err := document.UBL(facts.Identity)
//
// [FromUBL] goes the other way, from a document to its facts.
//
// The rules of the arithmetic are few. A line is price times quantity, rounded
// to two places. VAT is rounded once for each category and rate, over the sum
// of its lines less its discounts, never line by line. Totals are sums of
// rounded amounts. So no total can disagree with what stands above it.
//
// Numbers, times and ids are handed in; nothing here knows a clock, a store or
// the tax authority.
package invoice

import "khatm/money"

// Facts are what a seller says of a sale.
type Facts struct {
	Identity
	Kind            Kind
	Transaction     Transaction
	SupplyDate      string // YYYY-MM-DD, as all dates
	SupplyEndDate   string // "" for a single delivery
	Currency        string // ISO 4217
	ExchangeRate    money.Decimal
	PaymentMeans    string // UNTDID 4461
	PaymentTerms    string
	Reason          string // why a credit or debit note was issued
	Notes           []Note
	Seller          Seller
	Buyer           *Buyer
	Lines           []Line
	Allowances      []Allowance
	Advances        []Advance
	Originals       []Original     // the invoices that a note corrects
	ExpectedPayable *money.Decimal // what the till showed; see Compute
}

// Identity is what a document gets when it is issued: its number, its time and
// its place in the chain of its device.
type Identity struct {
	Number       string
	UUID         string
	IssueDate    string // YYYY-MM-DD in Riyadh
	IssueTime    string // HH:MM:SS in Riyadh
	Counter      int64  // of the device, from 1
	PreviousHash string // of the device's previous document, base64
}

// Note is free text on the document.
type Note struct {
	Language string // "ar" or "en"
	Text     string
}

// Line is goods or services sold.
type Line struct {
	Name     string
	Price    money.Decimal // of one unit, before VAT
	Quantity money.Decimal
	Unit     string
	Tax      Tax
}

// Tax is a VAT category with its rate and, unless it is standard rated, the
// reason why no VAT is charged.
type Tax struct {
	Category   string // S, Z, E or O
	Rate       money.Decimal
	ReasonCode string
	ReasonText string
}

// Allowance is a discount on the whole document. It names the category and
// rate of the lines it reduces.
type Allowance struct {
	Amount     money.Decimal
	ReasonCode string // UNTDID 5189; 95 (discount) when neither code nor reason is given
	Reason     string
	Category   string
	Rate       money.Decimal
}

// Advance is an advance payment invoice that is deducted.
type Advance struct {
	Number    string
	UUID      string
	IssueDate string
	IssueTime string
	Breakdown []Subtotal
}

// Subtotal is the VAT of one category, rate and reason.
type Subtotal struct {
	Tax
	Taxable money.Decimal
	Amount  money.Decimal // the VAT itself
}

// Original is an invoice that a credit or debit note corrects.
type Original struct {
	Number    string
	IssueDate string // "" when it is not known
}
