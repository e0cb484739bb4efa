package ledger

import (
	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
)

// Brief is what a suggestion shows of an invoice. It is read from the row of the
// invoice alone, without its record, and not verified.
type Brief struct {
	ID        uuid.UUID
	Number    string
	Kind      invoice.Kind
	IssueDate string
	BuyerName string
	Payable   money.Decimal
	Currency  string
	Status    Status
}
