package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/api"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/wire"
)

func (s *Surface) refundRows() []wire.Route {
	const path = "/api/refunds/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-refunds", Tag: tagPayments, Access: wire.People, Scope: org.PaymentGet,
			Summary: "List refunds", Doc: "Returns the refunds of your organisation, newest first. A reversal is shown on the refund that it takes back.",
		}, s.listRefunds),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "create-refund", Tag: tagPayments, Access: wire.People, Scope: org.PaymentCreate, Status: http.StatusCreated,
			Codes:   []fault.Code{fault.RefundOnInvoice, fault.RefundExceeds, fault.RefundTooEarly, fault.PaymentUnused, fault.PaymentKeyReused},
			Summary: "Record a refund", Doc: "Records money paid back on a credit note, at most its `refund_due`. With `keep_as_credit` nothing is paid out: the amount becomes credit of the client.",
			Example: `{"invoice": "01000000-0000-7000-8000-000000000003", "amount": "15.00", "payment_means_type_code": "10"}`,
		}, s.createRefund),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path + "{refund_id}/", Name: "get-refund", Tag: tagPayments, Access: wire.People, Scope: org.PaymentGet,
			Codes:   []fault.Code{fault.RefundNotFound},
			Summary: "Get a refund", Doc: "Returns a refund with its parts for the invoices that the credit note reduces.",
		}, s.getRefund),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "{refund_id}/reverse/", Name: "reverse-refund", Tag: tagPayments, Access: wire.People, Scope: org.PaymentCreate,
			Codes:   []fault.Code{fault.RefundNotFound, fault.RefundReversed},
			Summary: "Reverse a refund", Doc: "Takes back a refund that was recorded by mistake. If the client kept it as credit, the invoices that the credit paid are open again.",
			Example: `{"reason": "The client wants cash"}`,
		}, s.reverseRefund),
	}
}

// Refund is a refund in a response.
type Refund struct {
	UUID      uuid.UUID    `json:"uuid" doc:"UUID of the refund."`
	Number    string       `json:"number" example:"RFD-2026-000001" doc:"Number of the refund. Numbers have no gaps and begin anew each year."`
	Invoice   uuid.UUID    `json:"invoice" doc:"UUID of the credit note."`
	Currency  string       `json:"currency" example:"SAR" doc:"Currency code (ISO 4217): that of the credit note."`
	Amount    string       `json:"amount" example:"15.00" doc:"Amount paid back."`
	SAR       *string      `json:"sar_paid" doc:"Amount paid in SAR, if the currency is another one; null if it was not recorded."`
	Means     *string      `json:"payment_means_type_code" doc:"Code of the payment means, such as 10 for cash; null if the client keeps the amount as credit."`
	Kept      bool         `json:"keep_as_credit" doc:"Whether the client keeps the amount as credit."`
	Receipt   *uuid.UUID   `json:"receipt" doc:"UUID of the receipt of the credit; null if the amount was paid out."`
	Date      string       `json:"paid_on" format:"date" doc:"Date of the refund, in Riyadh time."`
	Note      string       `json:"note" doc:"Remark; empty if none."`
	Parts     []refundPart `json:"parts" doc:"How much of the refund is for each invoice that the credit note reduces."`
	Reversal  *ReversalOut `json:"reversal" doc:"The reversal; null if the refund is not reversed."`
	CreatedBy string       `json:"created_by" example:"noura@example.sa" doc:"Who recorded the refund."`
	CreatedAt time.Time    `json:"created_at" doc:"Time the refund was recorded."`
}

type refundPart struct {
	Invoice uuid.UUID `json:"invoice" doc:"UUID of the invoice that the credit note reduces."`
	Amount  string    `json:"amount" example:"15.00" doc:"Part of the refund."`
}

func refundOf(f payment.RecordedRefund) *Refund {
	out := &Refund{
		UUID: f.ID, Number: f.Number, Invoice: f.Refund.Note, Currency: f.Currency, Amount: f.Amount.Fixed2(), SAR: amountOrNull(f.SAR), Means: textOrNull(f.Means),
		Kept: f.Kept, Receipt: idOrNull(f.Receipt), Date: f.Date, Note: f.Details.Note, Reversal: reversalOf(f.Undone), CreatedBy: f.By, CreatedAt: f.At,
	}
	for _, p := range f.Parts {
		out.Parts = append(out.Parts, refundPart{p.Original, p.Amount.Fixed2()})
	}
	return out
}

type listRefunds struct {
	Invoice *uuid.UUID `query:"invoice" optional:"true" doc:"Only refunds on this credit note."`
	api.PageQuery
}

type refundsList struct {
	Refunds []Refund `json:"refunds" doc:"Refunds on this page."`
	api.Envelope
}

func (s *Surface) listRefunds(ctx context.Context, c wire.Caller, in *listRefunds) (*refundsList, error) {
	var note uuid.UUID
	if in.Invoice != nil {
		note = *in.Invoice
	}
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, func(ctx context.Context, of org.Tenant, p org.Page) (org.List[payment.RecordedRefund], error) {
		return s.Payments.Refunds(ctx, of, note, p)
	}, valueOf(refundOf))
	return &refundsList{rows, envelope}, err
}

type createRefund struct {
	Key  string `header:"Idempotency-Key" optional:"true" minLength:"1" maxLength:"100" pattern:"^[!-~]+$" doc:"Your own identifier of this refund. A second request with the same key and the same data returns the first refund; with other data it is refused."`
	Body struct {
		Invoice uuid.UUID      `json:"invoice" doc:"UUID of the credit note."`
		Amount  money.Decimal  `json:"amount" exclusiveMinimum:"0" exclusiveMaximum:"10000000000000" places:"2" example:"15.00" doc:"Amount in the currency of the credit note, at most its refund_due."`
		SAR     *money.Decimal `json:"sar_paid" optional:"true" exclusiveMinimum:"0" exclusiveMaximum:"10000000000000" places:"2" doc:"Amount paid in SAR, if the currency is another one."`
		Means   string         `json:"payment_means_type_code" optional:"true" maxLength:"2" values:"10,20,23,25,26,30,31,46,48,49,54,55" example:"10" doc:"Code of the payment means as a string, such as 10 for cash. Required unless keep_as_credit is true."`
		Kept    bool           `json:"keep_as_credit" optional:"true" doc:"true if the client keeps the amount as credit."`
		Date    codec.Date     `json:"paid_on" optional:"true" example:"2026-11-15" doc:"Date of the refund, in Riyadh time; today if not sent."`
		Note    string         `json:"note" optional:"true" maxLength:"1000" doc:"Remark."`
	} `body:"json"`
}

func (s *Surface) createRefund(ctx context.Context, c wire.Caller, in *createRefund) (*Refund, error) {
	q, err := keyedBy(in.Key, in.Body)
	if err != nil {
		return nil, err
	}
	f := payment.Refund{
		ID: s.NewID(), Note: in.Body.Invoice, Amount: in.Body.Amount, Kept: in.Body.Kept,
		Details: payment.Details{SAR: in.Body.SAR, Means: in.Body.Means, Date: s.dateOr(in.Body.Date), Note: in.Body.Note},
	}
	if problems := f.Check(s.today()); problems != nil {
		return nil, fault.Wrong(problems...)
	}
	recorded, err := s.Payments.AddRefund(ctx, c.Actor, f, q)
	if fault.CodeOf(err) == fault.InvoiceNotFound {
		err = fault.Wrong(fault.Problem{
			Path: "invoice", Message: "is not a credit note of the organisation", MessageAR: "لا يوجد في المنشأة إشعار دائن بهذا المعرّف.",
			Fix: "Choose a credit note from the list of invoices.", FixAR: "اختر إشعارًا دائنًا من قائمة الفواتير.",
		})
	}
	if err != nil {
		return nil, err
	}
	return refundOf(recorded), nil
}

type oneRefund struct {
	ID uuid.UUID `path:"refund_id" doc:"UUID of the refund."`
}

func (s *Surface) getRefund(ctx context.Context, c wire.Caller, in *oneRefund) (*Refund, error) {
	f, err := s.Payments.Refund(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	return refundOf(f), nil
}

type reverseRefund struct {
	oneRefund
	Body reasonBody `body:"json"`
}

func (s *Surface) reverseRefund(ctx context.Context, c wire.Caller, in *reverseRefund) (*Refund, error) {
	if problems := payment.CheckReason(&in.Body.Reason); problems != nil {
		return nil, fault.Wrong(problems...)
	}
	f, err := s.Payments.ReverseRefund(ctx, c.Actor, in.ID, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return refundOf(f), nil
}
