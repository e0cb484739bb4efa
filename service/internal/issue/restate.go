package issue

import (
	"slices"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/ledger"
)

// RequestOf returns a request that issues the content of an issued invoice
// again. The idempotency key and the digest are empty, because the request is a
// new one.
//
// Lines of the catalogue stay lines of the catalogue, so that they take stock
// again and show the present name and price of the item. If writtenOut is true,
// all lines have the recorded values and refer to no item.
func RequestOf(i ledger.Invoice, writtenOut bool) Request {
	rec := &i.Record
	r := Request{
		Device:          i.Device,
		Seller:          rec.Seller.ID,
		Kind:            int(i.Kind),
		Transaction:     i.Transaction.String(),
		SupplyDate:      rec.SupplyDate,
		SupplyEndDate:   rec.SupplyEndDate,
		Currency:        rec.Currency,
		ExchangeRate:    rec.ExchangeRate,
		PaymentMeans:    rec.PaymentMeans,
		AddPrepaid:      len(rec.Advances) > 0,
		PrepaidAmounts:  prepaidAmountsOf(rec.Advances),
		ExpectedPayable: rec.ExpectedPayable,
	}
	if rec.Buyer != nil {
		r.Buyer = rec.Buyer.ID
	}
	if rec.Reason != nil {
		r.Reason = *rec.Reason
	}
	for _, n := range rec.Notes {
		r.Notes = append(r.Notes, Note(n))
	}
	for _, a := range rec.Allowances {
		r.Allowances = append(r.Allowances, Allowance(a))
	}
	for _, a := range rec.Advances {
		r.Prepaid = append(r.Prepaid, a.ID)
	}
	for _, o := range rec.Originals {
		r.Originals = append(r.Originals, o.ID)
	}
	for _, l := range rec.Lines {
		if l.Item != nil && !writtenOut {
			r.Lines = append(r.Lines, CatalogueLine{Item: *l.Item, Quantity: l.Quantity, Original: idOf(l.Original)})
			continue
		}
		r.FormLines = append(r.FormLines, formLineOf(l))
	}
	return r
}

func formLineOf(l ledger.Line) FormLine {
	f := FormLine{
		Name: l.Name, Price: l.Price, Quantity: l.Quantity, Unit: l.Unit, Category: l.Category, Rate: l.Rate,
		ReasonCode: l.ReasonCode, ReasonText: l.ReasonText, Original: idOf(l.Original),
	}
	if !l.GrossPrice.IsZero() {
		f.Price, f.GrossPrice = money.Decimal{}, l.GrossPrice // the price before VAT is computed from it
	}
	return f
}

func idOf(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

// prepaidAmountsOf returns what was deducted from each advance, by category and
// rate. It returns nil if an earlier version recorded no rows of an advance:
// then as much as possible is deducted.
func prepaidAmountsOf(advances []ledger.Advance) []PrepaidAmount {
	var amounts []PrepaidAmount
	for _, a := range advances {
		if len(a.Rows) == 0 {
			return nil
		}
		for _, row := range a.Rows {
			same := slices.IndexFunc(amounts, func(p PrepaidAmount) bool {
				return p.Advance == a.ID && p.Category == row.Category && p.Rate.Equal(row.Rate)
			})
			if same >= 0 {
				amounts[same].Amount = amounts[same].Amount.Add(row.Taxable)
				continue
			}
			amounts = append(amounts, PrepaidAmount{Advance: a.ID, Category: row.Category, Rate: row.Rate, Amount: row.Taxable})
		}
	}
	return amounts
}
