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
	const what = "The body is the same for preview and create, and so are the refusals."
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/invoices/", Name: "create-invoice", Tag: tagInvoices, Scope: org.InvoiceCreate,
			Summary: "Create an invoice, a credit note, a debit note or an advance payment invoice",
			Doc: "Validates, computes, numbers, chains and signs the document, and queues it for the authority. 202 means that it is issued and durable: " +
				"poll `location` until `authority_response_status` is final. Never retry blindly after a timeout: list first, or send an `Idempotency-Key`. " + what,
			Refusal: "User is not authorised to create invoices.",
			Example: InvoiceExample,
			Root:    issue.Root, Gather: true, Status: http.StatusAccepted, Errors: []int{http.StatusServiceUnavailable},
		}, s.createInvoice),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/invoices/preview/", Name: "preview-invoice", Tag: tagInvoices, Scope: org.InvoiceGet,
			Summary: "Preview an invoice",
			Doc:     "Runs the validation and the calculation of a create. Nothing is issued, no number is taken, allowance and duplicate guard are not asked. " + what,
			Example: InvoiceExample,
			Root:    issue.Root, Gather: true, Free: true, Status: http.StatusCreated, Errors: []int{http.StatusServiceUnavailable},
		}, s.previewInvoice),
	}
}

// InvoiceExample is a standard tax invoice of one line. The ids are to be
// replaced by those of a device and a client.
const InvoiceExample = `{
	"device": "01a1de6f-5280-7005-bc9e-9603932172b1",
	"seller": "01a1de6f-5280-7005-bc9e-9603932172b2",
	"buyer": "01a1de6f-5280-7005-bc9e-9603932172b3",
	"type_code": 388,
	"transaction_code": "0100000",
	"supply_date": "2026-11-15",
	"supply_end_date": "2026-11-15",
	"currency": "SAR",
	"exchange_rate": 1,
	"payment_means_type_code": "10",
	"notes": [{"language_id": "ar", "note": "شكرًا لتعاملكم معنا"}],
	"form_lines": [{
		"item_name": "Laptop 15 inch",
		"item_net_price": "4200.00",
		"invoiced_quantity": 2,
		"invoiced_quantity_unit_of_measure": "PCE",
		"vat_category_code": "S",
		"vat_rate": 15,
		"vat_exemption_reason_code": "",
		"vat_exemption_reason_text": ""
	}],
	"lines": [],
	"document_level_allowances": [],
	"add_prepaid_amount": false,
	"prepaid_invoices": [],
	"reason_id": null,
	"original_invoice_reference": []
}`

// InvoiceBody is an invoice as a caller asks for it.
type InvoiceBody struct {
	Device          uuid.UUID       `json:"device" doc:"The device_id of a device whose device_status is pcsid_generated."`
	Seller          uuid.UUID       `json:"seller" doc:"The seller_id of the same device: your own organisation."`
	Buyer           *uuid.UUID      `json:"buyer" optional:"true" doc:"Required on a standard invoice; the client must have a VAT number."`
	Kind            int             `json:"type_code" enum:"388,381,383,386" example:"388" doc:"388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction     string          `json:"transaction_code" maxLength:"50" example:"0100000" doc:"0100000 standard, 0200000 simplified, 0100100 standard export. The device must allow it."`
	SupplyDate      codec.Date      `json:"supply_date" example:"2026-11-15" doc:"When goods or service were delivered, in Riyadh."`
	SupplyEndDate   codec.Date      `json:"supply_end_date" example:"2026-11-15" doc:"The same day for a single delivery."`
	Currency        string          `json:"currency" maxLength:"10" example:"SAR" doc:"ISO 4217 code."`
	ExchangeRate    money.Decimal   `json:"exchange_rate" exclusiveMinimum:"0" example:"1" doc:"Rate to SAR: exactly 1 with SAR, greater than 0 and not 1 otherwise."`
	PaymentMeans    string          `json:"payment_means_type_code" enum:"10,20,23,25,26,30,31,46,48,49,54,55" example:"10" doc:"As a string. 30 needs a reason_id, whose description becomes the payment terms."`
	Notes           []noteBody      `json:"notes" maxItems:"100" doc:"Free text on the document; may be empty."`
	FormLines       []formLineBody  `json:"form_lines" maxItems:"4000" doc:"Lines written out; [] if lines has entries."`
	Lines           []catalogueLine `json:"lines" maxItems:"4000" doc:"Lines of the catalogue; [] if form_lines has entries."`
	Allowances      []allowanceBody `json:"document_level_allowances" maxItems:"100" doc:"Discounts on the whole document; may be empty."`
	AddPrepaid      bool            `json:"add_prepaid_amount" optional:"true" doc:"true to deduct the advances of prepaid_invoices."`
	Prepaid         []uuid.UUID     `json:"prepaid_invoices" optional:"true" maxItems:"100" doc:"Advance payment invoices (386) to deduct."`
	Reason          *uuid.UUID      `json:"reason_id" optional:"true" doc:"An active reason of your organisation: required on notes and with payment means 30."`
	Originals       []uuid.UUID     `json:"original_invoice_reference" optional:"true" maxItems:"1000" doc:"The invoices that a note corrects; [] on a tax invoice."`
	ExpectedPayable *money.Decimal  `json:"expected_payable_amount" optional:"true" minimum:"0" places:"2" doc:"What the till showed. A difference of at most 0.01 a line becomes the rounding of the payable amount; a larger one is refused."`
}

type noteBody struct {
	Language string `json:"language_id" enum:"en,ar" example:"en" doc:"Language of the note."`
	Text     string `json:"note" minLength:"1" maxLength:"1000" doc:"Text of the note."`
}

type formLineBody struct {
	Name       string        `json:"item_name" minLength:"4" maxLength:"50" example:"Laptop 15 inch" doc:"Printed."`
	Price      money.Decimal `json:"item_net_price" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2" example:"4200.00" doc:"Price of one unit before VAT."`
	Quantity   money.Decimal `json:"invoiced_quantity" exclusiveMinimum:"0" places:"6" example:"2" doc:"Quantity."`
	Unit       string        `json:"invoiced_quantity_unit_of_measure" minLength:"1" maxLength:"127" example:"PCE" doc:"Code of the unit."`
	Category   string        `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" minimum:"0" maximum:"100" example:"15" doc:"15 or 5 in category S; 0 in Z, E and O."`
	ReasonCode string        `json:"vat_exemption_reason_code" optional:"true" maxLength:"50" doc:"Required in Z, E and O, empty in S."`
	ReasonText string        `json:"vat_exemption_reason_text" optional:"true" maxLength:"1000" doc:"Required in Z, E and O, empty in S."`
	Original   *uuid.UUID    `json:"invoice_line_id" optional:"true" doc:"Credit and debit notes only: the line that is corrected."`
}

type catalogueLine struct {
	Item     uuid.UUID     `json:"item_id" doc:"An item of GET /api/items/: its name, price, unit and VAT apply."`
	Quantity money.Decimal `json:"quantity" exclusiveMinimum:"0" places:"6" example:"2" doc:"How many."`
	Original *uuid.UUID    `json:"invoice_line_id" optional:"true" doc:"Credit and debit notes only: the line that is corrected."`
}

type allowanceBody struct {
	Amount     money.Decimal `json:"allowance_amount" minimum:"0" places:"2" example:"10.00" doc:"Amount of the discount, before VAT."`
	ReasonCode string        `json:"reason_code" optional:"true" maxLength:"10" doc:"Code of the reason; 95 (discount) when neither code nor reason is given."`
	Reason     string        `json:"reason" optional:"true" maxLength:"1000" doc:"The reason in words."`
	Category   string        `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"Category and rate of lines that it reduces."`
	Rate       money.Decimal `json:"vat_rate" minimum:"0" maximum:"100" example:"15" doc:"Percentage."`
}

type createInvoice struct {
	IdempotencyKey string      `header:"Idempotency-Key" optional:"true" minLength:"1" maxLength:"100" pattern:"^[!-~]+$" doc:"A name of yours for this sale, such as the till's ticket number. The same key with the same data answers again instead of issuing again. Not draft- and a UUID: such keys are those of drafts."`
	Body           InvoiceBody `body:"json"`
}

// InvoiceCreated is the answer to a create.
type InvoiceCreated struct {
	Message  string    `json:"message" doc:"What happened, in words."`
	Task     uuid.UUID `json:"task_id" doc:"Informational: nothing is looked up by it."`
	Location string    `json:"location" header:"Location" example:"/api/invoices/01a1de6f-5280-7005-bc9e-9603932172b4/" doc:"Path of the invoice, below the base URL."`
	Invoice  uuid.UUID `json:"invoice_uuid" doc:"Id of the invoice."`
	Number   string    `json:"ref_num" example:"INV-2026-000001" doc:"Number of the document."`
	QR       *string   `json:"qr_code" doc:"Of a simplified invoice, for the receipt; null on a standard one, whose code is valid when it is cleared."`
}

func (s *Surface) createInvoice(ctx context.Context, c wire.Caller, in *createInvoice) (*InvoiceCreated, error) {
	r, err := in.Body.Request()
	if err != nil {
		return nil, err
	}
	if issue.IsDraftKey(in.IdempotencyKey) {
		return nil, fault.Wrong(fault.Problem{Path: "Idempotency-Key", Message: "A key of this form belongs to a draft. Choose another"})
	}
	r.IdempotencyKey = in.IdempotencyKey
	issued, err := s.Issuer.Create(ctx, c.Actor, r)
	if err != nil {
		return nil, err
	}
	return CreatedOf(issued), nil
}

// CreatedOf answers for an invoice that was issued.
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
	if issued.Transaction.Simplified && issued.Printable() { // a request answered again may have been rejected since
		out.QR = &issued.QR
	}
	return out
}

type previewInvoice struct {
	Body InvoiceBody `body:"json"`
}

// InvoicePreviewed is the answer to a preview.
type InvoicePreviewed struct {
	Message string        `json:"message" doc:"What happened, in words."`
	Invoice InvoiceListed `json:"invoice" doc:"The invoice as it would be issued."`
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

// PreviewedOf answers for an invoice that was previewed.
func (s *Surface) PreviewedOf(shown ledger.Invoice) *InvoicePreviewed {
	return &InvoicePreviewed{Message: "Preview: nothing was issued.", Invoice: s.Listed(shown)}
}
