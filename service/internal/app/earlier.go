package app

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/api"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// EarlierInvoices stores the invoices of older systems.
type EarlierInvoices interface {
	issue.Register
	EarlierPage(ctx context.Context, of org.Tenant, number string, page org.Page) (org.List[issue.Earlier], error)
	// RegisterFile registers the invoices of a file.
	RegisterFile(ctx context.Context, by org.Actor, file []byte, o intake.InvoiceOptions) (intake.Registered, error)
}

const tagEarlier = "Earlier invoices"

func (s *Surface) earlierRows() []wire.Route {
	const path = "/api/earlier-invoices/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-earlier-invoices", Tag: tagEarlier, Access: wire.People, Scope: org.InvoiceGet,
			Summary: "List earlier invoices", Doc: "Returns the registered invoices of older systems, by number.",
		}, s.listEarlier),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path + "{earlier_id}/", Name: "get-earlier-invoice", Tag: tagEarlier, Access: wire.People, Scope: org.InvoiceGet,
			Codes:   []fault.Code{fault.EarlierNotFound},
			Summary: "Read an earlier invoice", Doc: "Returns a registered invoice and what credit notes have left of it.",
		}, s.getEarlier),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "register-earlier-invoice", Tag: tagEarlier, Access: wire.People, Scope: org.EarlierCreate, Status: http.StatusCreated,
			Codes:   []fault.Code{fault.EarlierDiffers, fault.AlreadyExists},
			Summary: "Register an earlier invoice",
			Doc: "Registers an invoice of an older system, so that credit and debit notes can name its `uuid` in `original_invoice_reference`. It is never issued, counted or sent. " +
				"Registering the same data again returns the same `uuid`. A registered invoice cannot be changed or deleted.",
			Example: `{"number": "OLD-2025-17", "issue_date": "2025-12-31", "simplified": true, "currency": "SAR", "totals": [{"vat_category_code": "S", "vat_rate": 15, "taxable_amount": "1000.00", "vat_amount": "150.00"}]}`,
		}, s.registerEarlier),
		s.earlierFileRow(path + "file/"),
	}
}

// EarlierInvoice is a registered invoice of an older system.
type EarlierInvoice struct {
	UUID       uuid.UUID      `json:"uuid" doc:"UUID of the invoice, for original_invoice_reference of a note."`
	Number     string         `json:"number" example:"OLD-2025-17" doc:"Number of the invoice in the older system."`
	IssueDate  string         `json:"issue_date" example:"2025-12-31" doc:"Date of issue."`
	Simplified bool           `json:"simplified" doc:"Whether it is a simplified invoice."`
	Buyer      *uuid.UUID     `json:"buyer" doc:"UUID of the client; null for none."`
	Currency   string         `json:"currency" example:"SAR" doc:"Currency of the invoice."`
	Totals     []EarlierTotal `json:"totals" doc:"Totals by VAT category and rate."`
	WithVAT    string         `json:"total_with_vat" example:"1150.00" doc:"Total amount with VAT."`
	Left       string         `json:"amount_left" example:"1150.00" doc:"Amount with VAT that credit notes can still credit."`
}

// EarlierTotal is the total of one VAT category and rate in a response.
type EarlierTotal struct {
	Category string        `json:"vat_category_code" enum:"S,Z,E,O" doc:"VAT category."`
	Rate     money.Decimal `json:"vat_rate" example:"15" doc:"VAT rate in percent."`
	Taxable  string        `json:"taxable_amount" example:"1000.00" doc:"Amount before VAT."`
	VAT      string        `json:"vat_amount" example:"150.00" doc:"VAT."`
}

type totalOfEarlier struct {
	Category string        `json:"vat_category_code" enum:"S,Z,E,O" doc:"VAT category."`
	Rate     money.Decimal `json:"vat_rate" example:"15" doc:"VAT rate in percent; 0 unless the category is S."`
	Taxable  money.Decimal `json:"taxable_amount" example:"1000.00" doc:"Amount before VAT, above 0, with at most two decimals."`
	VAT      money.Decimal `json:"vat_amount" example:"150.00" doc:"VAT. It may differ by up to 1 from the computed one, because the older system may have rounded each line."`
}

func earlierOf(e issue.Earlier) *EarlierInvoice {
	out := &EarlierInvoice{UUID: e.ID, Number: e.Number, IssueDate: e.IssueDate, Simplified: e.Simple, Currency: e.Currency, WithVAT: e.WithVAT.Fixed2(), Left: e.Left().Fixed2()}
	if e.Buyer != uuid.Nil {
		out.Buyer = &e.Buyer
	}
	for _, t := range e.Breakdown {
		out.Totals = append(out.Totals, EarlierTotal{t.Category, t.Rate, t.Taxable.Fixed2(), t.VAT.Fixed2()})
	}
	return out
}

type listEarlier struct {
	Invoice string `query:"number" optional:"true" maxLength:"127" doc:"Only the invoice with this number."`
	api.PageQuery
}

type earlierList struct {
	Invoices []EarlierInvoice `json:"earlier_invoices" doc:"Registered invoices on this page."`
	api.Envelope
}

func (s *Surface) listEarlier(ctx context.Context, c wire.Caller, in *listEarlier) (*earlierList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, func(ctx context.Context, of org.Tenant, p org.Page) (org.List[issue.Earlier], error) {
		return s.Earlier.EarlierPage(ctx, of, in.Invoice, p)
	}, valueOf(earlierOf))
	return &earlierList{rows, envelope}, err
}

type oneEarlier struct {
	ID uuid.UUID `path:"earlier_id" doc:"UUID of the earlier invoice."`
}

func (s *Surface) getEarlier(ctx context.Context, c wire.Caller, in *oneEarlier) (*EarlierInvoice, error) {
	found, err := s.Earlier.Earlier(ctx, c.Actor.Tenant, []uuid.UUID{in.ID})
	if err != nil {
		return nil, err
	}
	e, known := found[in.ID]
	if !known || !e.Imported { // it may be an invoice of this installation
		return nil, fault.Missing("Earlier invoice")
	}
	return earlierOf(e), nil
}

type registerEarlier struct {
	Body struct {
		Number     string           `json:"number" minLength:"1" maxLength:"127" example:"OLD-2025-17" doc:"Number of the invoice in the older system."`
		IssueDate  codec.Date       `json:"issue_date" example:"2025-12-31" doc:"Date of issue, not in the future."`
		Simplified bool             `json:"simplified" doc:"Whether it is a simplified invoice."`
		Buyer      *uuid.UUID       `json:"buyer" optional:"true" doc:"UUID of the client. Required for a standard invoice, because a note has the buyer of its original."`
		Currency   string           `json:"currency" minLength:"3" maxLength:"3" example:"SAR" doc:"Currency of the invoice."`
		Totals     []totalOfEarlier `json:"totals" minItems:"1" maxItems:"100" doc:"Totals by VAT category and rate."`
	} `body:"json"`
}

func (s *Surface) registerEarlier(ctx context.Context, c wire.Caller, in *registerEarlier) (*EarlierInvoice, error) {
	b := &in.Body
	r := issue.Registration{Number: b.Number, IssueDate: b.IssueDate.String(), Simplified: b.Simplified, Currency: b.Currency}
	if b.Buyer != nil {
		r.Buyer = b.Buyer.String()
	}
	for _, t := range b.Totals {
		r.Totals = append(r.Totals, ledger.Subtotal{Category: t.Category, Rate: t.Rate, Taxable: t.Taxable, VAT: t.VAT})
	}
	e, err := issue.RegisterEarlier(ctx, s.Earlier, c.Actor, r, s.Now())
	if err != nil {
		return nil, err
	}
	return earlierOf(e), nil
}
