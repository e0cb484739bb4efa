package api

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/codec"
	"khatm/service/internal/issue"
)

// Request converts the body to a request to issue an invoice. The digest covers
// the decoded data, so that it does not depend on the formatting of the JSON.
func (b *InvoiceBody) Request() (issue.Request, error) {
	r := issue.Request{
		Device: b.Device, Seller: b.Seller, Buyer: idOf(b.Buyer), Kind: b.Kind, Transaction: b.Transaction,
		SupplyDate: b.SupplyDate.String(), SupplyEndDate: b.SupplyEndDate.String(),
		Currency: b.Currency, ExchangeRate: b.ExchangeRate, PaymentMeans: b.PaymentMeans,
		AddPrepaid: b.AddPrepaid, Prepaid: b.Prepaid, Reason: idOf(b.Reason), Originals: b.Originals, ExpectedPayable: b.ExpectedPayable,
	}
	for _, n := range b.Notes {
		r.Notes = append(r.Notes, issue.Note(n))
	}
	for _, l := range b.FormLines {
		r.FormLines = append(r.FormLines, issue.FormLine{
			Name: l.Name, Price: decimalOf(l.Price), GrossPrice: decimalOf(l.GrossPrice), Quantity: l.Quantity, Unit: l.Unit, Category: l.Category, Rate: l.Rate,
			ReasonCode: l.ReasonCode, ReasonText: l.ReasonText, Original: idOf(l.Original),
		})
	}
	for _, l := range b.Lines {
		r.Lines = append(r.Lines, issue.CatalogueLine{Item: l.Item, Quantity: l.Quantity, Original: idOf(l.Original)})
	}
	for _, a := range b.PrepaidAmounts {
		r.PrepaidAmounts = append(r.PrepaidAmounts, issue.PrepaidAmount(a))
	}
	for _, a := range b.Allowances {
		r.Allowances = append(r.Allowances, issue.Allowance(a))
	}
	text, err := json.Marshal(r)
	r.Digest = sha256.Sum256(text)
	return r, err
}

// InvoiceBodyOf converts a request back to a body. Fields that Request ignores are
// lost.
func InvoiceBodyOf(r issue.Request) (InvoiceBody, error) {
	b := InvoiceBody{
		Device: r.Device, Seller: r.Seller, Buyer: idOrNull(r.Buyer), Kind: r.Kind, Transaction: r.Transaction,
		Currency: r.Currency, ExchangeRate: r.ExchangeRate, PaymentMeans: r.PaymentMeans,
		AddPrepaid: r.AddPrepaid, Prepaid: r.Prepaid, Reason: idOrNull(r.Reason), Originals: r.Originals, ExpectedPayable: r.ExpectedPayable,
	}
	var err error
	if b.SupplyDate, err = codec.ParseDate(r.SupplyDate); err != nil {
		return b, err
	}
	if b.SupplyEndDate, err = codec.ParseDate(r.SupplyEndDate); err != nil {
		return b, err
	}
	for _, n := range r.Notes {
		b.Notes = append(b.Notes, noteBody(n))
	}
	for _, l := range r.FormLines {
		b.FormLines = append(b.FormLines, formLineBody{
			Name: l.Name, Price: decimalOrNull(l.Price), GrossPrice: decimalOrNull(l.GrossPrice), Quantity: l.Quantity, Unit: l.Unit, Category: l.Category, Rate: l.Rate,
			ReasonCode: l.ReasonCode, ReasonText: l.ReasonText, Original: idOrNull(l.Original),
		})
	}
	for _, l := range r.Lines {
		b.Lines = append(b.Lines, catalogueLine{Item: l.Item, Quantity: l.Quantity, Original: idOrNull(l.Original)})
	}
	for _, a := range r.PrepaidAmounts {
		b.PrepaidAmounts = append(b.PrepaidAmounts, prepaidAmountBody(a))
	}
	for _, a := range r.Allowances {
		b.Allowances = append(b.Allowances, allowanceBody(a))
	}
	return b, nil
}

func decimalOf(d *money.Decimal) money.Decimal {
	if d == nil {
		return money.Decimal{}
	}
	return *d
}

func decimalOrNull(d money.Decimal) *money.Decimal {
	if d.IsZero() {
		return nil
	}
	return &d
}

func idOf(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

func idOrNull(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
