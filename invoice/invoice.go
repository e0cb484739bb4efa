// Package invoice models a Saudi tax document: it reads the facts of a sale,
// computes every amount, and converts to and from UBL.
//
// [Parse] reads facts from JSON, [Compute] checks them and computes every
// amount exactly, and [Document.UBL] adds the number, the time and the position
// in the device's hash chain and returns a typed UBL invoice:
//
//	facts, err := invoice.Parse(json)
//	document, err := invoice.Compute(facts)
//	ubl, err := document.UBL(facts.Identity)
//
// [FromUBL] converts in the other direction, from a UBL invoice to facts.
//
// The net amount of a line is its price times its quantity, rounded to two
// decimal places; a price including VAT is first divided by one plus the rate.
// The VAT of the document is computed and rounded once for each
// VAT category, rate and reason, from the sum of the lines less the discounts,
// and not by adding up the VAT of the lines. Totals are sums of rounded amounts,
// so they always agree with the amounts they are made of.
//
// Numbers, times and IDs are parameters: the package uses no clock, no storage
// and no network.
package invoice

import "khatm/money"

// Facts describes a sale as the seller enters it, before amounts are computed.
type Facts struct {
	Identity
	Kind            Kind
	Transaction     Transaction
	SupplyDate      string        // YYYY-MM-DD, like all dates
	SupplyEndDate   string        // empty for a single delivery
	Currency        string        // ISO 4217
	ExchangeRate    money.Decimal // to SAR; 1 if the currency is SAR
	PaymentMeans    string        // UNTDID 4461
	PaymentTerms    string
	Reason          string // why a credit or debit note was issued
	Notes           []Note
	Seller          Seller
	Buyer           *Buyer
	Lines           []Line
	Allowances      []Allowance
	Advances        []Advance
	Originals       []Original     // the invoices that a note corrects
	ExpectedPayable *money.Decimal // amount shown to the customer; see Compute
}

// Identity holds the values that a document receives when it is issued: its
// number, its time and its position in the hash chain of its device.
type Identity struct {
	Number       string
	UUID         string
	IssueDate    string // YYYY-MM-DD, Riyadh time
	IssueTime    string // HH:MM:SS, Riyadh time
	Counter      int64  // invoice counter of the device, starting at 1
	PreviousHash string // base64 hash of the device's previous document
}

// Note is a free text on the document.
type Note struct {
	Language string // "ar" or "en"
	Text     string
}

// Line is one line of goods or services.
type Line struct {
	Name       string
	Price      money.Decimal // of one unit, before VAT; zero if GrossPrice is set
	GrossPrice money.Decimal // of one unit, including VAT; zero if Price is set
	Quantity   money.Decimal
	Unit       string
	Tax        Tax
}

// Tax is a VAT category with its rate. Every category but S also needs the
// reason why no VAT is charged.
type Tax struct {
	Category   string // S, Z, E or O
	Rate       money.Decimal
	ReasonCode string
	ReasonText string
}

// Allowance is a discount on the whole document. Category and Rate select the
// lines that it reduces.
type Allowance struct {
	Amount     money.Decimal
	ReasonCode string // UNTDID 5189; Compute uses 95 (discount) if ReasonCode and Reason are empty
	Reason     string
	Category   string
	Rate       money.Decimal
}

// Advance is an advance payment invoice whose amount is deducted.
type Advance struct {
	Number    string
	UUID      string
	IssueDate string
	IssueTime string
	Breakdown []Subtotal
}

// Subtotal is one row of the VAT breakdown: the totals of one category, rate
// and reason.
type Subtotal struct {
	Tax
	Taxable money.Decimal // amount before VAT
	Amount  money.Decimal // VAT amount
}

// Original is an invoice that a credit or debit note corrects.
type Original struct {
	Number    string
	IssueDate string // empty if unknown
}
