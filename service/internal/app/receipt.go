package app

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/api"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Payments records payments and refunds.
type Payments interface {
	// AddReceipt and AddRefund return what an earlier request with the same key has
	// recorded.
	AddReceipt(ctx context.Context, by org.Actor, r payment.Receipt, wishes []payment.Wish, q payment.Request) (payment.Recorded, error)
	Allocate(ctx context.Context, by org.Actor, id uuid.UUID, wishes []payment.Wish) (payment.Recorded, error)
	ReverseReceipt(ctx context.Context, by org.Actor, id uuid.UUID, reason string) (payment.Recorded, error)
	Receipt(ctx context.Context, of org.Tenant, id uuid.UUID) (payment.Recorded, error)
	Receipts(ctx context.Context, of org.Tenant, f payment.Filter, page org.Page) (org.List[payment.Recorded], error)

	AddRefund(ctx context.Context, by org.Actor, f payment.Refund, q payment.Request) (payment.RecordedRefund, error)
	ReverseRefund(ctx context.Context, by org.Actor, id uuid.UUID, reason string) (payment.RecordedRefund, error)
	Refund(ctx context.Context, of org.Tenant, id uuid.UUID) (payment.RecordedRefund, error)
	// Refunds returns the refunds on a credit note, or all for uuid.Nil.
	Refunds(ctx context.Context, of org.Tenant, note uuid.UUID, page org.Page) (org.List[payment.RecordedRefund], error)

	Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error)
	ClientCredit(ctx context.Context, of org.Tenant, client uuid.UUID) (map[string]money.Decimal, error)
}

const tagPayments = "Payments"

const receiptsPath = "/api/receipts/"

// ofAllocating are the codes of requests that pay invoices.
var ofAllocating = []fault.Code{
	fault.PaymentExceeds, fault.PaymentExceedsRest, fault.PaymentCurrency, fault.PaymentClient, fault.PaymentOnNote, fault.PaymentOnRejected, fault.PaymentUnused,
}

func (s *Surface) receiptRows() []wire.Route {
	const one = receiptsPath + "{receipt_id}/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: receiptsPath, Name: "list-receipts", Tag: tagPayments, Access: wire.People, Scope: org.PaymentGet,
			Summary: "List receipts", Doc: "Returns the receipts of your organisation, newest first. A reversal is shown on the receipt that it takes back.",
		}, s.listReceipts),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: receiptsPath, Name: "create-receipt", Tag: tagPayments, Access: wire.People, Scope: org.PaymentCreate, Status: http.StatusCreated,
			Codes:   append(slices.Clone(ofAllocating), fault.PaymentKeyReused),
			Summary: "Record a payment", Doc: "Records money received under the next receipt number, and the invoices that it pays. What no invoice uses is credit of the client. A receipt never changes: reverse it to correct it.",
			Example: `{"buyer": "01000000-0000-7000-8000-000000000001", "currency": "SAR", "amount": "150.00", "payment_means_type_code": "10", "allocations": [{"invoice": "01000000-0000-7000-8000-000000000002", "amount": "115.00"}]}`,
		}, s.createReceipt),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: one, Name: "get-receipt", Tag: tagPayments, Access: wire.People, Scope: org.PaymentGet,
			Codes:   []fault.Code{fault.ReceiptNotFound},
			Summary: "Get a receipt", Doc: "Returns a receipt with the invoices that it pays.",
		}, s.getReceipt),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: one + "pdf/", Name: "get-receipt-pdf", Tag: tagPayments, Access: wire.People, Scope: org.PaymentGet,
			Codes:   []fault.Code{fault.ReceiptNotFound, fault.InvoiceDamaged},
			Summary: "Download a receipt as PDF", Doc: "Returns the receipt (سند قبض) as PDF/A with the amount in words. A reversed receipt is marked as no longer valid. Of a refund that the client keeps as credit, it returns a credit to the account, which acknowledges no money.",
		}, s.receiptPDF),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "allocate/", Name: "allocate-receipt", Tag: tagPayments, Access: wire.People, Scope: org.PaymentCreate,
			Codes:   append(slices.Clone(ofAllocating), fault.ReceiptNotFound, fault.ReceiptReversed),
			Summary: "Pay invoices from client credit", Doc: "Uses what is left of a receipt for further invoices of the same client and currency.",
			Example: `{"allocations": [{"invoice": "01000000-0000-7000-8000-000000000002", "amount": "35.00"}]}`,
		}, s.allocateReceipt),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "reverse/", Name: "reverse-receipt", Tag: tagPayments, Access: wire.People, Scope: org.PaymentCreate,
			Codes:   []fault.Code{fault.ReceiptNotFound, fault.ReceiptReversed, fault.ReceiptIsCredit},
			Summary: "Reverse a receipt", Doc: "Takes back a payment that was recorded by mistake or returned by the bank. The invoices that it paid are open again. The receipt stays, and the reversal has its own number.",
			Example: `{"reason": "The cheque was returned"}`,
		}, s.reverseReceipt),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/buyers/{buyer_id}/credit/", Name: "get-client-credit", Tag: tagPayments, Access: wire.People, Scope: org.PaymentGet,
			Codes:   []fault.Code{fault.BuyerNotFound},
			Summary: "Get the credit of a client", Doc: "Returns what the client has paid and no invoice uses, one amount for each currency.",
		}, s.clientCredit),
	}
}

// Receipt is a receipt in a response.
type Receipt struct {
	UUID        uuid.UUID       `json:"uuid" doc:"UUID of the receipt."`
	Number      string          `json:"number" example:"RCT-2026-000001" doc:"Number of the receipt. Numbers have no gaps and begin anew each year."`
	Kind        string          `json:"kind" enum:"payment,credit" doc:"payment, or credit for a refund that the client keeps as credit."`
	Buyer       *uuid.UUID      `json:"buyer" doc:"UUID of the client; null for invoices without a client."`
	Currency    string          `json:"currency" example:"SAR" doc:"Currency code (ISO 4217)."`
	Amount      string          `json:"amount" example:"150.00" doc:"Amount received, in the currency."`
	SAR         *string         `json:"sar_received" doc:"Amount received in SAR, if the currency is another one; null if it was not recorded."`
	Means       *string         `json:"payment_means_type_code" doc:"Code of the payment means, such as 10 for cash; null for a refund kept as credit."`
	Date        string          `json:"received_on" format:"date" doc:"Date the money was received, in Riyadh time."`
	Note        string          `json:"note" doc:"Remark; empty if none."`
	Unallocated string          `json:"unallocated" example:"35.00" doc:"What no invoice uses: credit of the client. 0.00 if the receipt is reversed."`
	Allocations []AllocationOut `json:"allocations" doc:"The invoices that the receipt pays, in the order in which they were recorded. A negative amount takes back an earlier one."`
	Reversal    *ReversalOut    `json:"reversal" doc:"The reversal; null if the receipt is not reversed."`
	CreatedBy   string          `json:"created_by" example:"noura@example.sa" doc:"Who recorded the receipt."`
	CreatedAt   time.Time       `json:"created_at" doc:"Time the receipt was recorded."`
}

// AllocationOut is the part of a receipt that pays an invoice.
type AllocationOut struct {
	UUID     uuid.UUID  `json:"uuid" doc:"UUID of the allocation."`
	Invoice  uuid.UUID  `json:"invoice" doc:"UUID of the invoice."`
	Amount   string     `json:"amount" example:"115.00" doc:"Amount that the invoice gets; negative if it is taken back."`
	Cause    string     `json:"cause" enum:"payment,reversal,moved" doc:"payment; reversal of the receipt; or moved from a rejected invoice to its replacement."`
	Reverses *uuid.UUID `json:"reverses" doc:"UUID of the allocation that this one takes back; null otherwise."`
}

// ReversalOut is the reversal of a receipt or refund.
type ReversalOut struct {
	Number string    `json:"number" example:"RCT-2026-000002" doc:"Number of the reversal."`
	Reason string    `json:"reason" doc:"Why it was reversed."`
	By     string    `json:"created_by" example:"noura@example.sa" doc:"Who reversed it."`
	At     time.Time `json:"created_at" doc:"Time of the reversal."`
}

func reversalOf(u *payment.Undo) *ReversalOut {
	if u == nil {
		return nil
	}
	return &ReversalOut{u.Number, u.Reason, u.By, u.At}
}

func receiptOf(r payment.Recorded) *Receipt {
	out := &Receipt{
		UUID: r.ID, Number: r.Number, Kind: string(r.Kind), Buyer: idOrNull(r.Client), Currency: r.Currency, Amount: r.Amount.Fixed2(), SAR: amountOrNull(r.SAR),
		Means: textOrNull(r.Means), Date: r.Date, Note: r.Note, Unallocated: r.Unused().Fixed2(), Reversal: reversalOf(r.Undone), CreatedBy: r.By, CreatedAt: r.At,
	}
	for _, a := range r.Allocations {
		out.Allocations = append(out.Allocations, AllocationOut{a.ID, a.Document, a.Amount.Fixed2(), string(a.Cause), idOrNull(a.Reverses)})
	}
	return out
}

func idOrNull(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

func amountOrNull(d *money.Decimal) *string {
	if d == nil {
		return nil
	}
	return new(d.Fixed2())
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

type listReceipts struct {
	Buyer   *uuid.UUID `query:"buyer" optional:"true" doc:"Only receipts of this client."`
	Invoice *uuid.UUID `query:"invoice" optional:"true" doc:"Only receipts that pay this invoice, or paid it before a reversal."`
	api.PageQuery
}

type receiptsList struct {
	Receipts []Receipt `json:"receipts" doc:"Receipts on this page."`
	api.Envelope
}

func (s *Surface) listReceipts(ctx context.Context, c wire.Caller, in *listReceipts) (*receiptsList, error) {
	var f payment.Filter
	if in.Buyer != nil {
		f.Client = *in.Buyer
	}
	if in.Invoice != nil {
		f.Invoice = *in.Invoice
	}
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, func(ctx context.Context, of org.Tenant, p org.Page) (org.List[payment.Recorded], error) {
		return s.Payments.Receipts(ctx, of, f, p)
	}, valueOf(receiptOf))
	return &receiptsList{rows, envelope}, err
}

type allocationBody struct {
	Invoice uuid.UUID     `json:"invoice" doc:"UUID of the invoice."`
	Amount  money.Decimal `json:"amount" exclusiveMinimum:"0" exclusiveMaximum:"10000000000000" places:"2" example:"115.00" doc:"Amount that the invoice gets, at most its balance."`
}

func wishesOf(list []allocationBody) []payment.Wish {
	wishes := make([]payment.Wish, len(list))
	for n, a := range list {
		wishes[n] = payment.Wish{Document: a.Invoice, Amount: a.Amount, Path: fmt.Sprintf("allocations.%d", n)}
	}
	return wishes
}

type createReceipt struct {
	Key  string `header:"Idempotency-Key" optional:"true" minLength:"1" maxLength:"100" pattern:"^[!-~]+$" doc:"Your own identifier of this payment. A second request with the same key and the same data returns the first receipt; with other data it is refused."`
	Body struct {
		Buyer       *uuid.UUID       `json:"buyer" optional:"true" doc:"UUID of the client. Without a client, invoices without a client must use the whole amount."`
		Currency    string           `json:"currency" minLength:"3" maxLength:"3" example:"SAR" doc:"Currency code (ISO 4217): that of the invoices."`
		Amount      money.Decimal    `json:"amount" exclusiveMinimum:"0" exclusiveMaximum:"10000000000000" places:"2" example:"150.00" doc:"Amount received, in the currency."`
		SAR         *money.Decimal   `json:"sar_received" optional:"true" exclusiveMinimum:"0" exclusiveMaximum:"10000000000000" places:"2" doc:"Amount received in SAR, if the currency is another one."`
		Means       string           `json:"payment_means_type_code" enum:"10,20,23,25,26,30,31,46,48,49,54,55" example:"10" doc:"Code of the payment means as a string, such as 10 for cash."`
		Date        codec.Date       `json:"received_on" optional:"true" example:"2026-11-15" doc:"Date the money was received, in Riyadh time; today if not sent."`
		Note        string           `json:"note" optional:"true" maxLength:"1000" doc:"Remark."`
		Allocations []allocationBody `json:"allocations" optional:"true" maxItems:"100" doc:"The invoices that the payment pays. The rest is credit of the client."`
	} `body:"json"`
}

func (s *Surface) createReceipt(ctx context.Context, c wire.Caller, in *createReceipt) (*Receipt, error) {
	q, err := keyedBy(in.Key, in.Body)
	if err != nil {
		return nil, err
	}
	r := payment.Receipt{
		ID: s.NewID(), Kind: payment.Payment, Currency: in.Body.Currency, Amount: in.Body.Amount,
		Details: payment.Details{SAR: in.Body.SAR, Means: in.Body.Means, Date: s.dateOr(in.Body.Date), Note: in.Body.Note},
	}
	if in.Body.Buyer != nil {
		r.Client = *in.Body.Buyer
	}
	if problems := r.Check(s.today()); problems != nil {
		return nil, fault.Wrong(problems...)
	}
	recorded, err := s.Payments.AddReceipt(ctx, c.Actor, r, wishesOf(in.Body.Allocations), q)
	if err != nil {
		return nil, err
	}
	return receiptOf(recorded), nil
}

// keyedBy identifies a request by its key and a digest of its body.
func keyedBy(key string, body any) (payment.Request, error) {
	text, err := json.Marshal(body)
	return payment.Request{Key: key, Digest: sha256.Sum256(text)}, err
}

// today returns the date in Riyadh.
func (s *Surface) today() string { return s.Now().In(invoice.Riyadh()).Format(time.DateOnly) }

// dateOr returns the date that was sent, or today.
func (s *Surface) dateOr(d codec.Date) string {
	if d == (codec.Date{}) {
		return s.today()
	}
	return d.String()
}

type oneReceipt struct {
	ID uuid.UUID `path:"receipt_id" doc:"UUID of the receipt."`
}

func (s *Surface) getReceipt(ctx context.Context, c wire.Caller, in *oneReceipt) (*Receipt, error) {
	r, err := s.Payments.Receipt(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	return receiptOf(r), nil
}

type allocateReceipt struct {
	oneReceipt
	Body struct {
		Allocations []allocationBody `json:"allocations" minItems:"1" maxItems:"100" doc:"The invoices that the receipt is to pay."`
	} `body:"json"`
}

func (s *Surface) allocateReceipt(ctx context.Context, c wire.Caller, in *allocateReceipt) (*Receipt, error) {
	r, err := s.Payments.Allocate(ctx, c.Actor, in.ID, wishesOf(in.Body.Allocations))
	if err != nil {
		return nil, err
	}
	return receiptOf(r), nil
}

type reasonBody struct {
	Reason string `json:"reason" minLength:"1" maxLength:"1000" example:"The cheque was returned" doc:"Why it is reversed."`
}

type reverseReceipt struct {
	oneReceipt
	Body reasonBody `body:"json"`
}

func (s *Surface) reverseReceipt(ctx context.Context, c wire.Caller, in *reverseReceipt) (*Receipt, error) {
	if problems := payment.CheckReason(&in.Body.Reason); problems != nil {
		return nil, fault.Wrong(problems...)
	}
	r, err := s.Payments.ReverseReceipt(ctx, c.Actor, in.ID, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return receiptOf(r), nil
}

type oneBuyer struct {
	ID uuid.UUID `path:"buyer_id" doc:"UUID of the client."`
}

type creditOut struct {
	Currency string `json:"currency" example:"SAR" doc:"Currency code (ISO 4217)."`
	Amount   string `json:"amount" example:"35.00" doc:"Credit of the client in the currency."`
}

type creditList struct {
	Credit []creditOut `json:"credit" doc:"One entry for each currency in which the client has credit."`
}

func (s *Surface) clientCredit(ctx context.Context, c wire.Caller, in *oneBuyer) (*creditList, error) {
	if _, err := s.Payments.Client(ctx, c.Actor.Tenant, in.ID); err != nil {
		return nil, err
	}
	credit, err := s.Payments.ClientCredit(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	out := &creditList{}
	for _, currency := range slices.Sorted(maps.Keys(credit)) {
		out.Credit = append(out.Credit, creditOut{currency, credit[currency].Fixed2()})
	}
	return out, nil
}
