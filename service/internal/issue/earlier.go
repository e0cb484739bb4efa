package issue

import (
	"errors"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// Earlier is a document that a new one refers to: the original of a note, or
// an advance that is deducted. Imported says that it is of an older system.
type Earlier struct {
	ID        uuid.UUID
	Number    string
	IssueDate string
	IssueTime string
	Kind      invoice.Kind
	Simple    bool
	Buyer     uuid.UUID
	Currency  string
	Status    ledger.Status
	Imported  bool
	WithVAT   money.Decimal
	Lines     map[uuid.UUID]bool
	Breakdown []ledger.Subtotal

	Credited     money.Decimal     // by notes that were not rejected, with VAT
	CreditedRows []ledger.Subtotal // the same by category
	Deducted     bool              // an advance that an invoice has taken

	Damage *ledger.Damage // the stored copy is damaged: nothing else is known
}

// damaged is the error for a document that refers to a damaged one.
func (e Earlier) damaged() error {
	f := fault.New(fault.Unavailable, "The stored copy of invoice %s, which this document refers to, is damaged. Nothing was written. The operator must restore it from a backup; khatm audit --scrub names the damaged invoices.", e.ID)
	f.Cause = errors.Join(ErrUnwritten, e.Damage)
	return f
}

// Left is what of the document is not credited yet, with VAT.
func (e Earlier) Left() money.Decimal { return e.WithVAT.Sub(e.Credited) }

// accepted says whether a note or an invoice may refer to it.
func (e Earlier) accepted() bool { return e.Imported || e.Status.Accepted() }

// remaining is what can still be deducted of an advance, by category: what it
// was, less what its credit notes took back.
func (e Earlier) remaining() []invoice.Subtotal {
	var rows []invoice.Subtotal
	for _, b := range e.Breakdown {
		taxable, vat := b.Taxable, b.VAT
		for _, c := range e.CreditedRows {
			if c.Category == b.Category && c.Rate.Equal(b.Rate) && c.ReasonCode == b.ReasonCode && c.ReasonText == b.ReasonText {
				taxable, vat = taxable.Sub(c.Taxable), vat.Sub(c.VAT)
			}
		}
		if taxable.Sign() > 0 {
			tax := invoice.Tax{Category: b.Category, Rate: b.Rate, ReasonCode: b.ReasonCode, ReasonText: b.ReasonText}
			rows = append(rows, invoice.Subtotal{Tax: tax, Taxable: taxable, Amount: vat})
		}
	}
	return rows
}
