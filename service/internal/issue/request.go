package issue

import (
	"crypto/sha256"

	"github.com/google/uuid"

	"khatm/money"
)

// Request is what a caller asks to be issued, read and of the right types.
type Request struct {
	Device          uuid.UUID
	Seller          uuid.UUID
	Buyer           uuid.UUID // zero: none
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
	Reason          uuid.UUID // zero: none
	Originals       []uuid.UUID
	ExpectedPayable *money.Decimal

	IdempotencyKey string
	Digest         [sha256.Size]byte // of the data that was sent, for the duplicate guard

	Claim Claim `json:"-"` // on the draft that is issued; zero: it is none
}

// Claim is somebody's hold on a draft. What the draft says is issued only while
// the hold is still theirs, which is asked when it is appended: it belongs to
// one issuing and is never kept with a request, nor read from a caller.
type Claim struct{ Draft, ID uuid.UUID }

// Note is free text on the document.
type Note struct{ Language, Text string }

// FormLine is a line written out.
type FormLine struct {
	Name       string
	Price      money.Decimal
	Quantity   money.Decimal
	Unit       string
	Category   string
	Rate       money.Decimal
	ReasonCode string
	ReasonText string
	Original   uuid.UUID // the line that a note corrects; zero: none
}

// CatalogueLine is a line of an item.
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

// lineCount is how many lines there are, of either sort.
func (r *Request) lineCount() int { return len(r.FormLines) + len(r.Lines) }
