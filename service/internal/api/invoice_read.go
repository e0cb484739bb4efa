package api

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

func (s *Surface) invoiceRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/invoices/", Name: "list-invoices", Tag: tagInvoices, Scope: org.InvoiceGet,
			Summary: "List invoices", Doc: "Invoices and notes of your organisation, the newest first.",
		}, s.listInvoices),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/invoices/{invoice_id}/", Name: "get-invoice", Tag: tagInvoices, Scope: org.InvoiceGet,
			Summary: "Read an invoice", Doc: "The whole invoice as it was issued, and what the authority said of it. Poll it every one to two seconds until authority_response_status is final.",
		}, s.getInvoice),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: "/api/invoices/{invoice_id}/clearance-reporting/", Name: "resend-invoice", Tag: tagInvoices, Scope: org.InvoiceCreate,
			Summary: "Send an invoice to the authority again",
			Doc:     "For an invoice without an answer. 409 when the authority has answered, rejection included, or a try is under way.",
			Status:  http.StatusAccepted, Errors: []int{http.StatusConflict},
		}, s.resendInvoice),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: "/api/invoices/{invoice_id}/", Name: "delete-invoice", Tag: tagInvoices,
			Summary: "Refused: an invoice is never deleted", Hidden: true, Free: true,
		}, func(context.Context, wire.Caller, *nothing) (*nothing, error) {
			return nil, fault.New(fault.Forbidden, "Invoice deletion is not allowed.")
		}),
	}
}

// Invoice is a whole invoice as answered.
type Invoice struct {
	invoiceHead
	Device deviceOut      `json:"device" doc:"The issuing device."`
	Seller party          `json:"seller" doc:"The seller as issued."`
	Buyer  *buyerOut      `json:"buyer" doc:"The buyer as issued; null without one."`
	Lines  []lineOut      `json:"lines" doc:"The lines as issued."`
	Answer *authorityData `json:"authority_response_data" doc:"What the authority answered; null before."`
}

// InvoiceListed is an invoice in a list or a preview: its device by id.
type InvoiceListed struct {
	invoiceHead
	Device uuid.UUID `json:"device" doc:"The issuing device."`
	Seller party     `json:"seller" doc:"The seller as issued."`
	Buyer  *buyerOut `json:"buyer" doc:"The buyer as issued; null without one."`
	Lines  []lineOut `json:"lines" doc:"The lines as issued."`
}

// InvoiceDamaged stands in a list for an invoice whose stored copy is damaged.
type InvoiceDamaged struct {
	UUID      uuid.UUID `json:"uuid" doc:"UUID of the invoice."`
	Number    string    `json:"ref_num" example:"INV-2026-000001" doc:"Number of the document; empty if it cannot be read any more."`
	Corrupted bool      `json:"corrupted" doc:"true: the stored copy of the invoice is damaged. Nothing else of it is shown, and it is not sent to the authority, until the operator has restored it from a backup."`
}

// Listed is an invoice as lists and previews show it.
func (s *Surface) Listed(i ledger.Invoice) InvoiceListed {
	return InvoiceListed{invoiceHead: s.headOf(i), Device: i.Device, Seller: sellerOut(i.Record.Seller), Buyer: buyerAsIssued(i.Record.Buyer), Lines: linesOf(i.Record)}
}

type oneInvoice struct {
	ID uuid.UUID `path:"invoice_id" doc:"The invoice's uuid."`
}

func (s *Surface) getInvoice(ctx context.Context, c wire.Caller, in *oneInvoice) (*Invoice, error) {
	i, err := s.Keeper.Invoice(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	answer, err := s.answerTo(ctx, c.Actor.Tenant, i)
	if err != nil {
		return nil, err
	}
	d := i.Record.Device
	return &Invoice{
		Answer:      answer,
		invoiceHead: s.headOf(i),
		Device:      deviceOut{d.ID, i.Record.Seller.ID, d.CommonName, d.SerialNumber, d.Location, d.UnitName, d.Industry, d.InvoiceType, d.Branch},
		Seller:      sellerOut(i.Record.Seller), Buyer: buyerAsIssued(i.Record.Buyer), Lines: linesOf(i.Record),
	}, nil
}

type listInvoices struct {
	PageQuery
	Status        string      `query:"invoice_status" optional:"true" maxLength:"200" example:"CLEARED,REPORTED" doc:"Comma-separated: CLEARED, REPORTED, NOT_CLEARED, NOT_REPORTED, No response, Unanswered."`
	Search        string      `query:"search_text" optional:"true" maxLength:"200" doc:"Words of the buyer's names or VAT number, in any spelling; or the beginning of a ref_num or its running number, with or without the year; the beginning of an idempotency key; or a uuid."`
	Kind          int         `query:"type_code" optional:"true" enum:"388,381,383,386" doc:"Only documents of this type."`
	Transaction   string      `query:"transaction_code" optional:"true" enum:"0100000,0200000,0100100" doc:"Only documents with this transaction code."`
	Device        *uuid.UUID  `query:"device" optional:"true" doc:"Only documents of this device."`
	Buyer         *uuid.UUID  `query:"buyer" optional:"true" doc:"Only documents to this buyer."`
	From          codec.Date  `query:"date_from" optional:"true" doc:"First issue date."`
	To            codec.Date  `query:"date_to" optional:"true" doc:"Last issue date."`
	Payment       string      `query:"payment_status" optional:"true" enum:"Pending,Partially Paid,Paid" doc:"Only documents of this payment status."`
	IDs           []uuid.UUID `query:"uuid" optional:"true" maxItems:"100" doc:"Only the documents with these ids, comma-separated."`
	AnsweredAfter *time.Time  `query:"answered_after" optional:"true" doc:"Only those that the authority answered after this instant."`
}

type invoicesList struct {
	Invoices []codec.Either[InvoiceListed, InvoiceDamaged] `json:"invoices" doc:"The invoices of this page. One whose stored copy is damaged has only uuid, ref_num and corrupted."`
	Envelope
}

func (s *Surface) listInvoices(ctx context.Context, c wire.Caller, in *listInvoices) (*invoicesList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	statuses, err := parseStatuses(in.Status)
	if err != nil {
		return nil, err
	}
	found, err := s.Keeper.Invoices(ctx, c.Actor.Tenant, ledger.Filter{
		Statuses: statuses, Search: trade.Fold(in.Search), Kind: invoice.Kind(in.Kind), Transaction: in.Transaction,
		Device: idOf(in.Device), Buyer: idOf(in.Buyer), From: in.From.String(), To: in.To.String(),
		Payment: ledger.Payment(in.Payment), IDs: in.IDs, AnsweredAfter: in.AnsweredAfter,
	}, page)
	if err != nil {
		return nil, err
	}
	out := &invoicesList{Envelope: EnvelopeOf(found, page)}
	for _, one := range found.Rows {
		var row codec.Either[InvoiceListed, InvoiceDamaged]
		if one.Damage != nil {
			row.Second = &InvoiceDamaged{UUID: one.ID, Number: one.Number, Corrupted: true}
		} else {
			listed := s.Listed(one)
			row.First = &listed
		}
		out.Invoices = append(out.Invoices, row)
	}
	return out, nil
}

// unanswered is how a caller asks for invoices that have no status.
const unanswered = "Unanswered"

func parseStatuses(text string) ([]ledger.Status, error) {
	if text == "" {
		return nil, nil
	}
	known := []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported, ledger.NoResponse}
	var statuses []ledger.Status
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		status := ledger.Status(name)
		if name == unanswered {
			status = ledger.Unanswered
		} else if !slices.Contains(known, status) {
			return nil, fault.Wrong(fault.Problem{Path: "invoice_status", Message: "'" + name + "' is no status; the statuses are CLEARED, REPORTED, NOT_CLEARED, NOT_REPORTED, No response, Unanswered"})
		}
		if !slices.Contains(statuses, status) {
			statuses = append(statuses, status)
		}
	}
	return statuses, nil
}
