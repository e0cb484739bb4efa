package ledger

import "khatm/money"

// Day adds up the documents that were issued on one day. Amounts are in SAR:
// rejected documents are left out; credit notes, and what documents deduct from
// advances, are subtracted.
type Day struct {
	Date     string // in Riyadh
	Issued   int
	Accepted int
	Rejected int
	VAT      money.Decimal
	WithVAT  money.Decimal
}
