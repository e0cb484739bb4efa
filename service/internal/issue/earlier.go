package issue

import (
	"errors"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// Earlier is a document that a new one refers to: the original of a note, or an
// advance to be deducted. Imported means that another system issued it.
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
	Rounding  money.Decimal
	Lines     map[uuid.UUID]bool
	Breakdown []ledger.Subtotal

	Credited     money.Decimal     // including VAT, by credit notes that were not rejected
	CreditedRows []ledger.Subtotal // the same by VAT category
	DeductedRows []ledger.Subtotal // deducted from an advance by invoices that were not rejected
	Spent        bool              // an earlier version, which deducted advances in full, has deducted this advance

	Damage *ledger.Damage // set if the stored copy is damaged; the other fields are then unknown
}

// damaged returns the error for a request that refers to a damaged document.
func (e Earlier) damaged() error {
	f := fault.New(fault.InvoiceDamaged, "The stored copy of invoice %s, which this document refers to, is damaged. Nothing was written. The operator must restore it from a backup; khatm audit --scrub names the damaged invoices.", e.ID)
	f.Cause = errors.Join(ErrUnwritten, e.Damage)
	return f
}

// Left returns the amount including VAT that has not been credited yet. A positive
// rounding can be credited too; a negative one does not reduce what can be credited,
// because a credit note of the same lines need not be rounded.
func (e Earlier) Left() money.Decimal {
	whole := e.WithVAT
	if e.Rounding.Sign() > 0 {
		whole = whole.Add(e.Rounding)
	}
	return whole.Sub(e.Credited)
}

// accepted reports whether a note or an invoice may refer to the document.
func (e Earlier) accepted() bool { return e.Imported || e.Status.Accepted() }
