package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Issuer issues invoices.
type Issuer interface {
	Create(ctx context.Context, by org.Actor, r issue.Request) (ledger.Invoice, error)
	Preview(ctx context.Context, by org.Actor, r issue.Request) (ledger.Invoice, error)
}

func (s *Surface) issueRows() []wire.Route {
	const what = "Preview and create accept the same body and return the same errors."
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/invoices/", Name: "create-invoice", Tag: tagInvoices, Scope: org.InvoiceCreate,
			Summary: "Create an invoice, a credit note, a debit note or an advance payment invoice",
			Doc: "Validates, calculates, numbers, chains and signs the document, and queues it for the authority. 202 means that it is issued and stored durably: " +
				"poll `location` until `authority_response_status` is final. Do not simply retry after a timeout: list the invoices first, or send an `Idempotency-Key`. Without a key, the same data within five minutes is refused with `duplicate_invoice`. Amounts of credit and debit notes are positive. " + what,
			Refusal:  "User is not authorised to create invoices.",
			Examples: invoiceExamples(),
			Root:     issue.Root, Gather: true, Ignores: ignoredFields, Status: http.StatusAccepted,
			Codes: fault.OfCreate(),
		}, s.createInvoice),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/invoices/preview/", Name: "preview-invoice", Tag: tagInvoices, Scope: org.InvoiceGet,
			Summary:  "Preview an invoice",
			Doc:      "Validates and calculates the invoice as if it were created. Nothing is issued, no number is used, and the monthly allowance and the check for duplicates do not apply. " + what,
			Examples: invoiceExamples(),
			Root:     issue.Root, Gather: true, Ignores: ignoredFields, Free: true, Status: http.StatusCreated,
			Codes: fault.OfPreview(),
		}, s.previewInvoice),
	}
}

// ignoredFields are the fields of an invoice that the service sets itself.
var ignoredFields = []string{"issue_date", "issue_time", "is_sample_invoice", "document_level_charges", "payment_terms"}

// IgnoredBelow returns the paths of these fields in a body whose field contains an
// invoice.
func IgnoredBelow(field string) []string {
	paths := make([]string, len(ignoredFields))
	for n, name := range ignoredFields {
		paths[n] = field + "." + name
	}
	return paths
}

// InvoiceBody is the body of a request to create an invoice.
type InvoiceBody struct {
	Device          uuid.UUID           `json:"device" doc:"UUID of the device: the device_id of a device whose device_status is pcsid_generated."`
	Seller          uuid.UUID           `json:"seller" doc:"UUID of your organisation: the seller_id of the same device."`
	Buyer           *uuid.UUID          `json:"buyer" optional:"true" doc:"UUID of the client. Required on a standard invoice, where the client must have a VAT number; optional on a simplified one."`
	Kind            int                 `json:"type_code" enum:"388,381,383,386" example:"388" doc:"Document type: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction     string              `json:"transaction_code" maxLength:"50" lax:"true" values:"0100000,0200000,0100100" example:"0100000" doc:"0100000 standard, 0200000 simplified, 0100100 standard export. The invoice_type of the device must allow it."`
	SupplyDate      codec.Date          `json:"supply_date" example:"2026-11-15" doc:"Date of the supply in Riyadh time, such as 2026-11-15."`
	SupplyEndDate   codec.Date          `json:"supply_end_date" example:"2026-11-15" doc:"End of the supply; the same date for a single delivery."`
	Currency        string              `json:"currency" maxLength:"10" example:"SAR" doc:"Currency code (ISO 4217), such as SAR."`
	ExchangeRate    money.Decimal       `json:"exchange_rate" minimum:"0.000000000001" maximum:"99999999999999" example:"1" doc:"Exchange rate to SAR: exactly 1 if the currency is SAR, otherwise greater than 0 and not 1. A rate of more than 14 characters, such as 3.7509377344336086, is rounded to 14, the most that the authority accepts (BR-KSA-90); the response shows the rate that is used."`
	PaymentMeans    string              `json:"payment_means_type_code" enum:"10,20,23,25,26,30,31,46,48,49,54,55" example:"10" doc:"Code of the payment means as a string, such as 10 for cash. 30 (credit transfer) requires a reason_id, whose description becomes the payment terms."`
	Notes           []noteBody          `json:"notes" maxItems:"100" doc:"Free text printed on the document; may be empty."`
	FormLines       []formLineBody      `json:"form_lines" maxItems:"4000" doc:"Lines with all their data; [] if lines has entries."`
	Lines           []catalogueLine     `json:"lines" maxItems:"4000" doc:"Lines that refer to catalogue items; [] if form_lines has entries."`
	Allowances      []allowanceBody     `json:"document_level_allowances" maxItems:"100" doc:"Discounts on the whole document; may be empty."`
	AddPrepaid      bool                `json:"add_prepaid_amount" optional:"true" doc:"true to deduct the advance payments listed in prepaid_invoices."`
	Prepaid         []uuid.UUID         `json:"prepaid_invoices" optional:"true" maxItems:"100" doc:"UUIDs of the advance payment invoices (386) to deduct, in this order. From each as much as possible is deducted: for each VAT category and rate the smaller of what is left of the advance and what is not yet covered of the invoice. The rest stays available to later invoices."`
	PrepaidAmounts  []prepaidAmountBody `json:"prepaid_amounts" optional:"true" maxItems:"1000" doc:"Amounts to deduct, instead of as much as possible. Every advance in prepaid_invoices needs at least one entry."`
	Reason          *uuid.UUID          `json:"reason_id" optional:"true" doc:"UUID of an active reason of your organisation. Required on credit and debit notes and with payment means 30."`
	Originals       []uuid.UUID         `json:"original_invoice_reference" optional:"true" maxItems:"1000" doc:"UUIDs of the invoices that a credit or debit note corrects; [] on a tax invoice."`
	ExpectedPayable *money.Decimal      `json:"expected_payable_amount" optional:"true" minimum:"0" places:"2" doc:"Amount your system showed to the customer, such as 115.00. A difference of at most 0.01 per line with item_net_price becomes the rounding of the payable amount; a larger one is refused."`
}

type noteBody struct {
	Language string `json:"language_id" enum:"en,ar" example:"en" doc:"Language of the note: en or ar."`
	Text     string `json:"note" minLength:"1" maxLength:"1000" doc:"Text of the note."`
}

type formLineBody struct {
	Name       string         `json:"item_name" minLength:"4" maxLength:"50" example:"Laptop 15 inch" doc:"Name of the item as printed, 4 to 50 characters."`
	Price      *money.Decimal `json:"item_net_price" unless:"item_gross_price" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2" example:"4200.00" doc:"Unit price before VAT, such as 4200.00. Required unless item_gross_price is sent."`
	GrossPrice *money.Decimal `json:"item_gross_price" optional:"true" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2" doc:"Unit price including VAT, such as a shelf price of 10.00, instead of item_net_price. The customer pays exactly this price times the quantity, rounded to two decimal places; the difference to the total with VAT becomes payable_rounding_amount."`
	Quantity   money.Decimal  `json:"invoiced_quantity" exclusiveMinimum:"0" example:"2" doc:"Quantity, such as 2 or 0.5. More than six decimal places, such as 0.30000000000000004, are rounded to six if that changes no amount of the document; otherwise the request is refused."`
	Unit       string         `json:"invoiced_quantity_unit_of_measure" minLength:"1" maxLength:"127" example:"PCE" doc:"Code of the unit of measure, such as PCE; GET /api/invoices/units-of-measure/ lists all codes."`
	Category   string         `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal  `json:"vat_rate" minimum:"0" maximum:"100" example:"15" doc:"VAT rate in percent: 15 or 5 in category S, 0 in Z, E and O."`
	ReasonCode string         `json:"vat_exemption_reason_code" optional:"true" maxLength:"50" doc:"Code of the exemption reason, such as VATEX-SA-32. Required in categories Z, E and O; empty in S."`
	ReasonText string         `json:"vat_exemption_reason_text" optional:"true" maxLength:"1000" doc:"Exemption reason in words. Required in categories Z, E and O; empty in S."`
	Original   *uuid.UUID     `json:"invoice_line_id" optional:"true" doc:"Credit and debit notes only: UUID of the original line to correct."`
}

type catalogueLine struct {
	Item     uuid.UUID     `json:"item_id" doc:"UUID of an item from GET /api/items/. Its name, price, unit and VAT apply. The price is used in the currency of the document, without conversion."`
	Quantity money.Decimal `json:"quantity" exclusiveMinimum:"0" example:"2" doc:"Quantity, such as 2 or 0.5. More than six decimal places are rounded to six if that changes no amount of the document; otherwise the request is refused."`
	Original *uuid.UUID    `json:"invoice_line_id" optional:"true" doc:"Credit and debit notes only: UUID of the original line to correct."`
}

type allowanceBody struct {
	Amount     money.Decimal `json:"allowance_amount" minimum:"0" places:"2" example:"10.00" doc:"Amount of the discount before VAT, such as 10.00."`
	ReasonCode string        `json:"reason_code" optional:"true" maxLength:"10" doc:"Code of the reason, from GET /api/invoices/invoice-allowances-codes/. 95 (discount) if neither reason_code nor reason is sent."`
	Reason     string        `json:"reason" optional:"true" maxLength:"1000" doc:"Reason in words."`
	Category   string        `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"VAT category of the lines that the discount reduces: S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" minimum:"0" maximum:"100" example:"15" doc:"VAT rate in percent of the lines that the discount reduces, such as 15."`
}

type prepaidAmountBody struct {
	Advance  uuid.UUID     `json:"prepaid_invoice" doc:"UUID of the advance payment invoice; it must be listed in prepaid_invoices."`
	Category string        `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"VAT category of the amount: S, Z, E or O."`
	Rate     money.Decimal `json:"vat_rate" minimum:"0" maximum:"100" example:"15" doc:"VAT rate of the amount in percent, such as 15."`
	Amount   money.Decimal `json:"amount" exclusiveMinimum:"0" exclusiveMaximum:"10000000000000" places:"2" example:"1000.00" doc:"Amount before VAT to deduct, at most what is left of the advance and of the invoice in this VAT category and rate."`
}

type createInvoice struct {
	IdempotencyKey string      `header:"Idempotency-Key" optional:"true" minLength:"1" maxLength:"100" pattern:"^[!-~]+$" doc:"Your own identifier of this sale, such as a receipt number. A second request with the same key and the same data, at any later time, returns the first result instead of issuing another invoice; with other data it is refused. A refused request does not use its key. Must not be draft- followed by a UUID, which is reserved for drafts."`
	Body           InvoiceBody `body:"json"`
}

// InvoiceCreated is the response to a request to create an invoice.
type InvoiceCreated struct {
	Message  string    `json:"message" doc:"Human-readable result, such as Invoice created and queued for submission to the authority."`
	Task     uuid.UUID `json:"task_id" doc:"UUID of the submission task, for information only."`
	Location string    `json:"location" header:"Location" example:"/api/invoices/01a1de6f-5280-7005-bc9e-9603932172b4/" doc:"Path of the invoice below the base URL."`
	Invoice  uuid.UUID `json:"invoice_uuid" doc:"UUID of the invoice."`
	Number   string    `json:"ref_num" example:"INV-2026-000001" doc:"Number of the document."`
	QR       *string   `json:"qr_code" doc:"Content of the QR code of a simplified invoice in base64, for printing the receipt. null on a standard invoice, whose code is valid only after clearance."`
}

func (s *Surface) createInvoice(ctx context.Context, c wire.Caller, in *createInvoice) (*InvoiceCreated, error) {
	r, err := in.Body.Request()
	if err != nil {
		return nil, err
	}
	if issue.IsDraftKey(in.IdempotencyKey) {
		return nil, fault.Wrong(fault.Problem{Path: "Idempotency-Key", Message: "must not be draft- followed by a UUID, which is reserved for drafts"})
	}
	r.IdempotencyKey = in.IdempotencyKey
	issued, err := s.Issuer.Create(ctx, c.Actor, r)
	if err != nil {
		return nil, err
	}
	return CreatedOf(issued), nil
}

// CreatedOf returns the response for an issued invoice.
func CreatedOf(issued ledger.Invoice) *InvoiceCreated {
	out := &InvoiceCreated{
		Message:  "Invoice created and queued for submission to the authority.",
		Task:     issued.Task,
		Location: issue.Location(issued.ID),
		Invoice:  issued.ID,
		Number:   issued.Number,
	}
	if issued.Held {
		out.Message = "Invoice saved, but queuing it for the authority failed. Do not create it again: resend it with PATCH " + out.Location + "clearance-reporting/."
	}
	if issued.Transaction.Simplified && issued.Printable() { // on a repeated request the invoice may have been rejected since
		qr := issued.QR // a pointer into issued would keep all of it
		out.QR = &qr
	}
	return out
}

type previewInvoice struct {
	Body InvoiceBody `body:"json"`
}

func (s *Surface) previewInvoice(ctx context.Context, c wire.Caller, in *previewInvoice) (*InvoicePreviewed, error) {
	r, err := in.Body.Request()
	if err != nil {
		return nil, err
	}
	shown, err := s.Issuer.Preview(ctx, c.Actor, r)
	if err != nil {
		return nil, err
	}
	return s.PreviewedOf(shown), nil
}
