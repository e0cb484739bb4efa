package tools

import "khatm/money"

// Invoice is an invoice as the tools read and answer it. Its bounds are those of
// what can be worked with; what a value means is for the rulebook to judge, so
// that a wrong VAT number is a rule that fails and not a request that is refused.
//
// A field that is left out or null has its default; one that is given empty is
// empty, but for a breakdown without rows, which is computed as well. An answer says everything, so that it is read as it was written.
type Invoice struct {
	Number          string             `json:"ref_num" maxLength:"5000" example:"INV-2026-000001" doc:"Number of the document."`
	UUID            *string            `json:"uuid" optional:"true" maxLength:"5000" example:"8e6000cf-1a98-4174-b3e7-b5d5954bc10d" doc:"One is made if it is not given."`
	IssueDate       string             `json:"issue_date" maxLength:"5000" example:"2026-11-15" doc:"YYYY-MM-DD, in Riyadh."`
	IssueTime       string             `json:"issue_time" default:"00:00:00" maxLength:"5000" example:"09:15:30" doc:"HH:MM:SS, in Riyadh."`
	Kind            int                `json:"type_code" default:"388" example:"388" doc:"388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction     *string            `json:"transaction_code" optional:"true" maxLength:"5000" example:"0100000" doc:"Seven characters: 0100000 standard, which is taken where there is a buyer; 0200000 simplified, which is taken where there is none; 0100100 standard export."`
	SupplyDate      *string            `json:"supply_date" optional:"true" maxLength:"5000" example:"2026-11-15" doc:"When goods or service were delivered; issue_date if it is not given."`
	SupplyEndDate   string             `json:"supply_end_date" optional:"true" maxLength:"5000" example:"2026-11-15" doc:"When a supply over some time ended."`
	Currency        string             `json:"currency" default:"SAR" maxLength:"5000" example:"SAR" doc:"ISO 4217 code."`
	ExchangeRate    *money.Decimal     `json:"exchange_rate" optional:"true" example:"1" doc:"Rate to SAR: 1 in SAR, where it need not be said. In another currency the VAT in SAR is computed with it; without it, that must be stated."`
	PaymentMeans    string             `json:"payment_means_type_code" optional:"true" maxLength:"5000" example:"10" doc:"How it is paid, by UNTDID 4461."`
	PaymentTerms    string             `json:"payment_terms" optional:"true" maxLength:"5000" doc:"The terms of payment, in words."`
	Reason          string             `json:"reason" optional:"true" maxLength:"5000" doc:"Why a credit or debit note was issued."`
	Notes           []invoiceNote      `json:"notes" optional:"true" maxItems:"4000" doc:"Free text on the document."`
	Seller          invoiceSeller      `json:"seller" doc:"Who issues the document."`
	Buyer           *invoiceBuyer      `json:"buyer" optional:"true" doc:"The customer; a simplified document need not name one."`
	Lines           []invoiceLine      `json:"lines" maxItems:"4000" doc:"What was sold."`
	Allowances      []invoiceAllowance `json:"document_level_allowances" optional:"true" maxItems:"4000" doc:"Discounts on the whole document."`
	Advances        []invoiceAdvance   `json:"prepaid_invoices" optional:"true" maxItems:"4000" doc:"Advance payment invoices that are deducted."`
	Originals       []invoiceOriginal  `json:"original_invoice_reference" optional:"true" maxItems:"4000" doc:"The invoices that a credit or debit note corrects."`
	ExpectedPayable *money.Decimal     `json:"expected_payable_amount" optional:"true" cents:"true" doc:"What the till showed. A difference of at most 0.01 a line becomes the rounding of the payable amount; a larger one is refused."`
	invoiceTotals
}

// invoiceTotals are the amounts of a document. Of an invoice that is judged,
// those that are given are judged; the others are computed.
type invoiceTotals struct {
	LineTotal      *money.Decimal    `json:"invoice_total_line_net_amount" optional:"true" cents:"true" example:"8400.00" doc:"Sum of the lines, before VAT. This and all totals below: computed if not given; if given, the given one is judged."`
	AllowanceTotal *money.Decimal    `json:"invoice_total_document_level_allowance_amount" optional:"true" cents:"true" example:"0.00" doc:"Sum of the discounts."`
	WithoutVAT     *money.Decimal    `json:"invoice_total_amount_without_vat" optional:"true" cents:"true" example:"8400.00" doc:"Lines less discounts."`
	VAT            *money.Decimal    `json:"invoice_total_vat_amount" optional:"true" cents:"true" example:"1260.00" doc:"VAT in the currency of the document."`
	VATInSAR       *money.Decimal    `json:"invoice_total_vat_amount_sar" optional:"true" cents:"true" example:"1260.00" doc:"VAT in SAR."`
	WithVAT        *money.Decimal    `json:"invoice_total_amount_with_vat" optional:"true" cents:"true" example:"9660.00" doc:"Amount with VAT."`
	Prepaid        *money.Decimal    `json:"prepaid_amount" optional:"true" cents:"true" example:"0.00" doc:"Advances that are deducted."`
	Rounding       *money.Decimal    `json:"payable_rounding_amount" optional:"true" cents:"true" example:"0.00" doc:"Rounding of the payable amount."`
	Payable        *money.Decimal    `json:"invoice_gross_total" optional:"true" cents:"true" example:"9660.00" doc:"What is to be paid."`
	Breakdown      []invoiceSubtotal `json:"vat_breakdown" optional:"true" maxItems:"4000" doc:"VAT by category, rate and reason; computed if it is not given or has no rows."`
}
