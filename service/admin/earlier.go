package admin

import (
	"context"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// Earlier is an invoice of an older system that credit and debit notes can refer
// to. Khatm never issues, counts or sends it.
type Earlier struct {
	ID         uuid.UUID      `json:"uuid"`
	Number     string         `json:"number"`
	IssueDate  string         `json:"issue_date"`
	Simplified bool           `json:"simplified"`
	Buyer      string         `json:"buyer"` // id of a client; empty for none
	Currency   string         `json:"currency"`
	Totals     []EarlierTotal `json:"totals"`
	WithVAT    money.Decimal  `json:"total_with_vat"`
}

// EarlierTotal is the taxable amount and the VAT of one VAT category and rate.
type EarlierTotal struct {
	Category string        `json:"vat_category_code"`
	Rate     money.Decimal `json:"vat_rate"`
	Taxable  money.Decimal `json:"taxable_amount"`
	VAT      money.Decimal `json:"vat_amount"`
}

// RegisterEarlier registers an invoice of an older system. Registering the same
// invoice again returns the same id. It rejects other data under a registered
// number.
func (a *Admin) RegisterEarlier(ctx context.Context, organisation string, e Earlier) (Earlier, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return Earlier{}, err
	}
	r := issue.Registration{Number: e.Number, IssueDate: e.IssueDate, Simplified: e.Simplified, Buyer: e.Buyer, Currency: e.Currency}
	for _, t := range e.Totals {
		r.Totals = append(r.Totals, ledger.Subtotal{Category: t.Category, Rate: t.Rate, Taxable: t.Taxable, VAT: t.VAT})
	}
	kept, err := issue.RegisterEarlier(ctx, a.store, by, r, a.config.Now())
	if err != nil {
		return Earlier{}, err
	}
	e.ID, e.WithVAT = kept.ID, kept.WithVAT
	return e, nil
}
