package issue

import (
	"crypto/sha256"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/money"
)

// Request is a request to issue an invoice, decoded and type-checked.
type Request struct {
	Device          uuid.UUID
	Seller          uuid.UUID
	Buyer           uuid.UUID // zero if none
	Kind            int
	Transaction     string
	SupplyDate      string
	SupplyEndDate   string
	Currency        string
	ExchangeRate    money.Decimal
	PaymentMeans    string
	Notes           []Note
	FormLines       []FormLine
	Lines           []CatalogueLine
	Allowances      []Allowance
	AddPrepaid      bool
	Prepaid         []uuid.UUID
	PrepaidAmounts  []PrepaidAmount `json:",omitempty"` // omitted, so that digests of requests without it stay the same
	Reason          uuid.UUID       // zero if none
	Originals       []uuid.UUID
	ExpectedPayable *money.Decimal

	// PaidOnIssue says whether an invoice from a draft is paid when it is issued.
	// Nil means that a sale in cash is paid and others are not. An advance payment
	// invoice is always paid, and a credit note never.
	PaidOnIssue *bool `json:",omitempty"`

	IdempotencyKey string
	Digest         [sha256.Size]byte // of the request data, for the duplicate guard

	Claim Claim `json:"-"` // of the draft to issue; zero if not from a draft
}

// Claim is a temporary hold on a draft while it is being issued. The append
// fails if the claim has been lost. A claim is never stored with a request, nor
// accepted from a caller.
type Claim struct{ Draft, ID uuid.UUID }

// Note is free text on a document.
type Note struct{ Language, Text string }

// FormLine is a line with all its values.
type FormLine struct {
	Name       string
	Price      money.Decimal // before VAT; zero if GrossPrice is set
	GrossPrice money.Decimal `json:",omitzero"` // including VAT; omitted if zero, so that the digests of other requests stay the same
	Quantity   money.Decimal
	Unit       string
	Category   string
	Rate       money.Decimal
	ReasonCode string
	ReasonText string
	Original   uuid.UUID // the line that a note corrects; zero if none
}

// CatalogueLine is a line that bills an item of the catalogue.
type CatalogueLine struct {
	Item     uuid.UUID
	Quantity money.Decimal
	Original uuid.UUID
}

// Allowance is a discount on the whole document.
type Allowance struct {
	Amount     money.Decimal
	ReasonCode string
	Reason     string
	Category   string
	Rate       money.Decimal
}

// PrepaidAmount is the amount before VAT to deduct from an advance in one VAT
// category.
type PrepaidAmount struct {
	Advance  uuid.UUID
	Category string
	Rate     money.Decimal
	Amount   money.Decimal
}

// CashSale reports whether the request is for an invoice that is paid in cash.
func (r *Request) CashSale() bool {
	return r.Kind == codes.TaxInvoice && r.PaymentMeans == codes.InCash
}

// lineCount returns the number of lines of both kinds.
func (r *Request) lineCount() int { return len(r.FormLines) + len(r.Lines) }
