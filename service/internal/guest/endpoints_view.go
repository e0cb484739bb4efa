package guest

import (
	"time"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/share"
	"khatm/service/internal/tools"
)

// sharedView is an invoice or a draft as shown to anyone who has the link. It
// contains no IDs of devices or records, and no author.
type sharedView struct {
	Kind        string  `json:"kind" enum:"invoice,draft" doc:"Whether the link leads to an invoice or a draft."`
	Title       string  `json:"title" example:"Tax Invoice" doc:"Title of the document in English."`
	TitleArabic string  `json:"title_arabic" example:"فاتورة ضريبية" doc:"Title of the document in Arabic."`
	Number      *string `json:"ref_num" example:"INV-2026-000001" doc:"Number of the invoice; null for a draft."`
	Type        int     `json:"type_code" enum:"388,381,383,386" doc:"Document type: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction string  `json:"transaction_code" doc:"0100000 standard, 0200000 simplified, 0100100 standard export."`
	IssueDate   *string `json:"issue_date" format:"date" doc:"Issue date in Riyadh time, such as 2026-11-15; null for a draft."`
	IssueTime   *string `json:"issue_time" doc:"Issue time in Riyadh time, as HH:MM:SS; null for a draft."`
	SupplyDate  string  `json:"supply_date" format:"date" doc:"Date the supply began, such as 2026-11-15."`
	SupplyEnd   string  `json:"supply_end_date" format:"date" doc:"Date the supply ended, such as 2026-11-15."`

	Seller sharedParty  `json:"seller" doc:"The seller."`
	Buyer  *sharedParty `json:"buyer" doc:"The buyer; null if the document has none."`

	Lines      []sharedLine      `json:"lines" doc:"Lines of the document."`
	Allowances []sharedAllowance `json:"document_level_allowances" doc:"Discounts on the whole document."`
	Advances   []sharedAdvance   `json:"prepaid_invoices" doc:"Advance payments that are deducted."`
	Originals  []sharedOriginal  `json:"original_invoices" doc:"Invoices that a credit or debit note corrects."`
	Reason     string            `json:"reason_text" doc:"Reason for a credit or debit note, as printed on it; empty for an invoice."`
	Notes      []sharedNote      `json:"notes" doc:"Free text printed on the document."`
	Breakdown  []sharedTax       `json:"vat_breakdown" doc:"VAT by category, rate and exemption reason."`

	Currency       string        `json:"currency" doc:"Currency code (ISO 4217), such as SAR."`
	ExchangeRate   money.Decimal `json:"exchange_rate" doc:"Exchange rate to SAR; 1 if the currency is SAR."`
	LineTotal      string        `json:"invoice_total_line_net_amount" doc:"Sum of the line net amounts, before VAT."`
	AllowanceTotal string        `json:"invoice_total_document_level_allowance_amount" doc:"Sum of the discounts, before VAT."`
	WithoutVAT     string        `json:"invoice_total_amount_without_vat" doc:"Line net amounts minus discounts, before VAT."`
	VAT            string        `json:"invoice_total_vat_amount" doc:"Total VAT in the currency of the document."`
	VATInSAR       string        `json:"invoice_total_vat_amount_sar" doc:"Total VAT in SAR."`
	WithVAT        string        `json:"invoice_total_amount_with_vat" doc:"Total amount including VAT."`
	Prepaid        string        `json:"prepaid_amount" doc:"Total of the advance payments that are deducted."`
	Rounding       string        `json:"payable_rounding_amount" doc:"Rounding of the payable amount."`
	Payable        string        `json:"invoice_payable_amount" doc:"Amount to be paid."`

	PaymentMeans  string  `json:"payment_means_type_code" doc:"Code of the payment means, such as 10 for cash."`
	PaymentTerms  string  `json:"payment_terms" doc:"Payment terms."`
	PaymentStatus *string `json:"payment_status" doc:"Pending, Partially Paid or Paid; null for a draft."`

	Status       *string `json:"status" example:"Cleared" doc:"Status of the invoice at the tax authority, in words; null for a draft."`
	StatusArabic *string `json:"status_arabic" example:"معتمدة من الهيئة" doc:"The same status in Arabic."`
	QR           *string `json:"qr_code" doc:"Content of the QR code in base64; null while it may not be shown."`
	PDF          *string `json:"pdf_url" doc:"URL of the PDF; null until a PDF is available."`

	State    *string      `json:"state" doc:"State of a draft: shared, approved, declined or issued; null for an invoice."`
	Version  *int         `json:"version" doc:"Version of a draft, from 1, counted up by each change; null for an invoice."`
	SentTo   *string      `json:"recipient" example:"n***@example.com" doc:"E-mail address that approval codes of a draft are sent to, mostly masked; null for an invoice."`
	Approval *approvalOut `json:"approval" doc:"Approval of a draft; null if it is not approved, and for an invoice."`
	Decline  *declineOut  `json:"decline" doc:"Answer of a recipient who declined the draft; null if it was not declined, and for an invoice."`

	Expires time.Time `json:"expires_at" doc:"Time the link expires."`
	tools.Branded
	private
}

type approvalOut struct {
	Name string    `json:"name" doc:"Name of the approver, as they entered it."`
	At   time.Time `json:"approved_at" doc:"Time of the approval."`
}

type declineOut struct {
	Name    string    `json:"name" doc:"Name of the person who declined, as they entered it."`
	Comment string    `json:"comment" doc:"Comment for the seller; may be empty."`
	At      time.Time `json:"declined_at" doc:"Time of the answer."`
}

// viewOf returns the view of a link.
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
		if d.Decline != nil {
			out.Decline = &declineOut{d.Decline.Name, d.Decline.Comment, d.Decline.At}
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

// print fills in everything that appears on the document itself.
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
