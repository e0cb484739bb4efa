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
			Codes:   []fault.Code{fault.InvoiceDamaged},
			Summary: "List invoices", Doc: "Returns the invoices, credit notes and debit notes of your organisation, newest first.",
		}, s.listInvoices),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/invoices/{invoice_id}/", Name: "get-invoice", Tag: tagInvoices, Scope: org.InvoiceGet, Whole: true,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceDamaged},
			Summary: "Read an invoice", Doc: "Returns the invoice as issued and the authority's response. Poll every one to two seconds until `authority_response_status` is final: CLEARED, REPORTED, NOT_CLEARED or NOT_REPORTED.",
		}, s.getInvoice),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: "/api/invoices/{invoice_id}/clearance-reporting/", Name: "resend-invoice", Tag: tagInvoices, Scope: org.InvoiceCreate,
			Codes:   []fault.Code{fault.InvoiceNotFound, fault.InvoiceDamaged, fault.InvoiceAnswered, fault.InvoiceSending, fault.InvoiceQueued},
			Summary: "Send an invoice to the authority again",
			Doc:     "Queues an invoice that the authority has not responded to. The service sends such invoices again by itself; use this if it has stopped, or if queuing failed when the invoice was created. Returns 409 if the authority has already accepted or rejected it, or if it is already queued.",
			Status:  http.StatusAccepted,
		}, s.resendInvoice),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: "/api/invoices/{invoice_id}/", Name: "delete-invoice", Tag: tagInvoices,
			Summary: "Always refused: invoices cannot be deleted", Hidden: true, Free: true,
		}, func(context.Context, wire.Caller, *nothing) (*nothing, error) {
			return nil, fault.New(fault.DeletionForbidden, "Invoice deletion is not allowed.")
		}),
	}
}

// Invoice is a complete invoice in a response.
type Invoice struct {
	issuedID
	invoiceHead
	issuedMarks
	Device Device         `json:"device" doc:"The issuing device as recorded at issue. Its status, and the days until its certificates expire, are those at the time of issue; the certificates are null in invoices of earlier versions."`
	Seller party          `json:"seller" doc:"The seller as recorded at issue."`
	Buyer  *buyerOut      `json:"buyer" doc:"The buyer as recorded at issue; null if the document names no buyer."`
	Lines  []lineOut      `json:"lines" doc:"The lines as issued."`
	Answer *authorityData `json:"authority_response_data" doc:"The authority's response; null until it has responded."`
}

// InvoiceListed is an invoice in a list, with its device as an id.
type InvoiceListed struct {
	issuedID
	invoiceHead
	issuedMarks
	Device uuid.UUID             `json:"device" doc:"UUID of the issuing device."`
	Seller party                 `json:"seller" doc:"The seller as recorded at issue."`
	Buyer  *buyerOut             `json:"buyer" doc:"The buyer as recorded at issue; null if the document names no buyer."`
	Lines  codec.Stream[lineOut] `json:"lines" doc:"The lines as issued."`
}

// InvoiceDamaged replaces an invoice in a list if its stored copy is damaged.
type InvoiceDamaged struct {
	UUID      uuid.UUID `json:"uuid" doc:"UUID of the invoice."`
	Number    string    `json:"ref_num" example:"INV-2026-000001" doc:"Number of the document; empty if it can no longer be read."`
	Corrupted bool      `json:"corrupted" doc:"Always true: the stored copy of the invoice is damaged. No other fields are returned and the invoice is not sent to the authority until the operator has restored it from a backup."`
}

// listed is an entry of the list of invoices.
type listed = codec.Either[InvoiceListed, InvoiceDamaged]

// listedOf returns an invoice as shown in lists.
func (s *Surface) listedOf(i ledger.Listed) listed {
	if i.Damage != nil {
		return listed{Second: &InvoiceDamaged{UUID: i.ID, Number: i.Number, Corrupted: true}}
	}
	return listed{First: &InvoiceListed{
		issuedID: issuedID{i.ID}, invoiceHead: s.headOf(i.Invoice), issuedMarks: marksOf(i.Invoice), Device: i.Device,
		Seller: sellerOut(i.Record.Seller), Buyer: s.buyerAsIssued(i.Record.Buyer), Lines: lineStream(i.Lines),
	}}
}

// lineStream returns lines that are decoded while they are encoded.
func lineStream(lines ledger.Lines) codec.Stream[lineOut] {
	return codec.Stream[lineOut]{Next: func(add func(*lineOut) error) (more bool, err error) {
		var out lineOut
		return false, lines.Each(func(l *ledger.Line) error {
			out = lineOf(l)
			return add(&out)
		})
	}}
}

type oneInvoice struct {
	ID uuid.UUID `path:"invoice_id" doc:"UUID of the invoice, as returned in location or invoice_uuid."`
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
	issuing, err := s.deviceAsIssued(ctx, c.Actor.Tenant, i)
	if err != nil {
		return nil, err
	}
	return &Invoice{
		issuedID:    issuedID{i.ID},
		invoiceHead: s.headOf(i),
		issuedMarks: marksOf(i),
		Answer:      answer,
		Device:      issuing,
		Seller:      sellerOut(i.Record.Seller), Buyer: s.buyerAsIssued(i.Record.Buyer), Lines: linesOf(i.Record),
	}, nil
}

type listInvoices struct {
	PageQuery
	Status        []string    `query:"invoice_status" optional:"true" maxItems:"100" maxLength:"200" values:"CLEARED,REPORTED,NOT_CLEARED,NOT_REPORTED,No response,Unanswered" example:"CLEARED" doc:"Only documents with one of these statuses, comma-separated. Unanswered selects documents whose authority_response_status is null."`
	Search        string      `query:"search_text" optional:"true" maxLength:"200" doc:"Words of the buyer's names or VAT number (spelling variants match); the beginning of a ref_num, or of its running number with or without the year; the beginning of an idempotency key; or a UUID."`
	Kind          int         `query:"type_code" optional:"true" enum:"388,381,383,386" doc:"Only documents of this type: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction   string      `query:"transaction_code" optional:"true" enum:"0100000,0200000,0100100" doc:"Only documents with this transaction code: 0100000 standard, 0200000 simplified, 0100100 standard export."`
	Device        *uuid.UUID  `query:"device" optional:"true" doc:"Only documents of the device with this UUID."`
	Buyer         *uuid.UUID  `query:"buyer" optional:"true" doc:"Only documents for the client with this UUID."`
	From          codec.Date  `query:"date_from" optional:"true" doc:"First issue date, such as 2026-11-01."`
	To            codec.Date  `query:"date_to" optional:"true" doc:"Last issue date, such as 2026-11-30."`
	Payment       string      `query:"payment_status" optional:"true" enum:"Pending,Partially Paid,Paid" doc:"Only documents with this payment status."`
	IDs           []uuid.UUID `query:"uuid" optional:"true" maxItems:"100" doc:"Only the documents with these UUIDs, comma-separated."`
	AnsweredAfter *time.Time  `query:"answered_after" optional:"true" doc:"Only documents that the authority responded to after this time, such as 2026-11-15T12:00:00+03:00."`
}

type invoicesList struct {
	Invoices codec.Stream[listed] `json:"invoices" doc:"Invoices on this page. An invoice whose stored copy is damaged has only uuid, ref_num and corrupted."`
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
	found, err := s.Keeper.ListInvoices(ctx, c.Actor.Tenant, ledger.Filter{
		Statuses: statuses, Search: trade.Fold(in.Search), Kind: invoice.Kind(in.Kind), Transaction: in.Transaction,
		Device: idOf(in.Device), Buyer: idOf(in.Buyer), From: in.From.String(), To: in.To.String(),
		Payment: ledger.Payment(in.Payment), IDs: in.IDs, AnsweredAfter: in.AnsweredAfter,
	}, page)
	if err != nil {
		return nil, err
	}
	return &invoicesList{Invoices: streamOf(ctx, found, s.Capacity, s.listedOf), Envelope: EnvelopeOf(found.List, page)}, nil
}

// unanswered is the filter value for invoices without a status.
const unanswered = "Unanswered"

func parseStatuses(names []string) ([]ledger.Status, error) {
	known := []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported, ledger.NoResponse}
	var statuses []ledger.Status
	for _, name := range names {
		name = strings.TrimSpace(name)
		status := ledger.Status(name)
		if name == unanswered {
			status = ledger.Unanswered
		} else if !slices.Contains(known, status) {
			return nil, fault.Wrong(fault.Problem{Path: "invoice_status", Message: "'" + name + "' is not a status; must be one of CLEARED, REPORTED, NOT_CLEARED, NOT_REPORTED, No response, Unanswered", Code: fault.UnknownValue})
		}
		if !slices.Contains(statuses, status) {
			statuses = append(statuses, status)
		}
	}
	return statuses, nil
}
