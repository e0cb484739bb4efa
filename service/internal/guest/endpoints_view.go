package guest

import (
	"time"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/share"
	"khatm/service/internal/tools"
)

// sharedView is an invoice or a draft as a stranger may see it: nothing that
// names a device, a record or whoever wrote it.
type sharedView struct {
	Kind        string  `json:"kind" enum:"invoice,draft" doc:"What the link leads to."`
	Title       string  `json:"title" example:"Tax Invoice" doc:"What the document is headed with."`
	TitleArabic string  `json:"title_arabic" example:"فاتورة ضريبية" doc:"The same in Arabic."`
	Number      *string `json:"ref_num" example:"INV-2026-000001" doc:"Number of the invoice; null of a draft."`
	Type        int     `json:"type_code" enum:"388,381,383,386" doc:"388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction string  `json:"transaction_code" doc:"0100000 standard, 0200000 simplified, 0100100 standard export."`
	IssueDate   *string `json:"issue_date" format:"date" doc:"In Riyadh; null of a draft."`
	IssueTime   *string `json:"issue_time" doc:"HH:MM:SS in Riyadh; null of a draft."`
	SupplyDate  string  `json:"supply_date" format:"date" doc:"When the supply began."`
	SupplyEnd   string  `json:"supply_end_date" format:"date" doc:"When the supply ended."`

	Seller sharedParty  `json:"seller" doc:"Who sells."`
	Buyer  *sharedParty `json:"buyer" doc:"Who buys; null without one."`

	Lines      []sharedLine      `json:"lines" doc:"What is sold."`
	Allowances []sharedAllowance `json:"document_level_allowances" doc:"Discounts on the whole document."`
	Advances   []sharedAdvance   `json:"prepaid_invoices" doc:"The advances that are deducted."`
	Originals  []sharedOriginal  `json:"original_invoices" doc:"The invoices that a note corrects."`
	Reason     string            `json:"reason_text" doc:"Why a note was issued, as it stands on it; empty of an invoice."`
	Notes      []sharedNote      `json:"notes" doc:"Free text on the document."`
	Breakdown  []sharedTax       `json:"vat_breakdown" doc:"VAT by category, rate and reason."`

	Currency       string        `json:"currency" doc:"ISO 4217 code."`
	ExchangeRate   money.Decimal `json:"exchange_rate" doc:"Rate to SAR."`
	LineTotal      string        `json:"invoice_total_line_net_amount" doc:"Sum of the lines, before VAT."`
	AllowanceTotal string        `json:"invoice_total_document_level_allowance_amount" doc:"Sum of the allowances."`
	WithoutVAT     string        `json:"invoice_total_amount_without_vat" doc:"Lines less allowances."`
	VAT            string        `json:"invoice_total_vat_amount" doc:"VAT in the currency of the document."`
	VATInSAR       string        `json:"invoice_total_vat_amount_sar" doc:"VAT in SAR."`
	WithVAT        string        `json:"invoice_total_amount_with_vat" doc:"Amount with VAT."`
	Prepaid        string        `json:"prepaid_amount" doc:"Advances that are deducted."`
	Rounding       string        `json:"payable_rounding_amount" doc:"What rounding added."`
	Payable        string        `json:"invoice_payable_amount" doc:"What is to be paid."`

	PaymentMeans  string  `json:"payment_means_type_code" doc:"How it is paid."`
	PaymentTerms  string  `json:"payment_terms" doc:"The terms of payment."`
	PaymentStatus *string `json:"payment_status" doc:"Pending, Partially Paid or Paid; null of a draft."`

	Status       *string `json:"status" example:"Cleared" doc:"What the tax authority says of it, in words; null of a draft."`
	StatusArabic *string `json:"status_arabic" example:"معتمدة من الهيئة" doc:"The same in Arabic."`
	QR           *string `json:"qr_code" doc:"The content of the QR code, base64; null while it may not be shown."`
	PDF          *string `json:"pdf_url" doc:"Where it can be had as PDF; null while it cannot."`

	State    *string      `json:"state" doc:"Of a draft: shared, approved or issued. Null of an invoice."`
	Version  *int         `json:"version" doc:"Of a draft: counts its edits. Null of an invoice."`
	SentTo   *string      `json:"recipient" example:"n***@example.com" doc:"Of a draft: whom codes are sent to, most of it hidden. Null of an invoice."`
	Approval *approvalOut `json:"approval" doc:"Of a draft: who approved it; null before that."`

	Expires time.Time `json:"expires_at" doc:"Until when the link works."`
	tools.Branded
	private
}

type approvalOut struct {
	Name string    `json:"name" doc:"Who approved, as written by them."`
	At   time.Time `json:"approved_at" doc:"When."`
}

// viewOf is what a link shows.
func (e *Endpoints) viewOf(v share.View, token string) *sharedView {
	out := &sharedView{Kind: "invoice", Expires: v.Expires, Branded: tools.Brand(), private: unindexed()}
	if d := v.Draft; d != nil {
		out.Kind = "draft"
		out.print(d.Shown.Invoice)
		out.PDF = e.pdfAddress(token)
		state, to := string(d.State()), d.Recipient.Masked()
		out.State, out.Version, out.SentTo = &state, &d.Shown.Version, &to
		if d.Approval != nil {
			out.Approval = &approvalOut{d.Approval.Name, d.Approval.At}
		}
		return out
	}
	i := *v.Issued
	out.print(i)
	paid := string(i.Payment)
	out.Number, out.IssueDate, out.IssueTime, out.PaymentStatus = &i.Number, &i.IssueDate, &i.IssueTime, &paid
	if w, known := buyerStatus(i); known {
		out.Status, out.StatusArabic = &w.EN, &w.AR
	}
	if i.Printable() {
		out.QR = &i.QR
	}
	if i.Status.Accepted() {
		out.PDF = e.pdfAddress(token)
	}
	return out
}

// print copies what is on the document itself.
func (v *sharedView) print(i ledger.Invoice) {
	r := i.Record
	title, _ := codes.Title(int(i.Kind), i.Transaction.Simplified)
	v.Title, v.TitleArabic, v.Type, v.Transaction = title.EN, title.AR, int(i.Kind), i.Transaction.String()
	v.SupplyDate, v.SupplyEnd, v.Currency, v.ExchangeRate = r.SupplyDate, r.SupplyEndDate, r.Currency, r.ExchangeRate
	v.PaymentMeans, v.PaymentTerms, v.Reason = r.PaymentMeans, r.PaymentTerms, r.ReasonText
	v.LineTotal, v.AllowanceTotal, v.WithoutVAT = r.Totals.Lines.Fixed2(), r.Totals.Allowances.Fixed2(), r.Totals.WithoutVAT.Fixed2()
	v.VAT, v.VATInSAR, v.WithVAT = r.Totals.VAT.Fixed2(), r.Totals.VATInSAR.Fixed2(), r.Totals.WithVAT.Fixed2()
	v.Prepaid, v.Rounding, v.Payable = r.Totals.Prepaid.Fixed2(), r.Totals.Rounding.Fixed2(), r.Totals.Payable.Fixed2()
	v.Seller = sharedPartyOf(r.Seller)
	if r.Buyer != nil {
		buyer := sharedPartyOf(*r.Buyer)
		v.Buyer = &buyer
	}
	v.lists(r)
}
