package share

import (
	"context"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Summary is what a list shows of the invoice of a draft. It is computed when the
// draft is created, changed or shared, so prices and names may have changed since.
type Summary struct {
	Kind        int            `json:"kind"`
	Transaction string         `json:"transaction"`
	Currency    string         `json:"currency"`
	Buyer       string         `json:"buyer"`        // name of the client; empty without a client
	BuyerArabic string         `json:"buyer_arabic"` // empty if the client has no Arabic name
	Lines       int            `json:"lines"`
	Payable     *money.Decimal `json:"payable"` // nil if the invoice cannot be computed
}

// Filter selects drafts of an organisation. Zero fields match everything.
type Filter struct {
	States []State // any of these
	Search string  // folded words of the client's names
}

// summary returns the summary of an invoice that may still contain errors. Whatever
// makes its preview fail, it only has no amount.
func (s *Sharer) summary(ctx context.Context, by org.Actor, r issue.Request) *Summary {
	i, err := s.Issuer.Preview(ctx, by, r)
	if err == nil {
		return summaryOf(r, i.Record)
	}
	sum := requestSummary(r)
	if r.Buyer != uuid.Nil {
		if name, arabic, err := s.Keeper.ClientNames(ctx, by.Tenant, r.Buyer); err == nil {
			sum.Buyer, sum.BuyerArabic = name, arabic
		}
	}
	return sum
}

// summaryOf returns the summary of a computed invoice.
func summaryOf(r issue.Request, computed ledger.Record) *Summary {
	sum := requestSummary(r)
	sum.Payable = &computed.Totals.Payable
	if b := computed.Buyer; b != nil {
		sum.Buyer, sum.BuyerArabic = b.Name, b.NameArabic
	}
	return sum
}

func requestSummary(r issue.Request) *Summary {
	return &Summary{Kind: r.Kind, Transaction: r.Transaction, Currency: r.Currency, Lines: len(r.FormLines) + len(r.Lines)}
}
