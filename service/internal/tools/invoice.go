package tools

import "khatm/money"

// Invoice is an invoice as the tools read and return it. Its limits only bound the
// cost of processing; the rules check the meaning of values, so that a wrong VAT
// number is a failed rule and not a refused request.
//
// A field that is absent or null gets its default. An empty field stays empty,
// except that an empty breakdown is calculated. A response contains all fields,
// so that it can be sent back unchanged.
type Invoice struct {
	Number          string             `json:"ref_num" maxLength:"5000" example:"INV-2026-000001" doc:"Number of the document, such as INV-2026-000001."`
	UUID            *string            `json:"uuid" optional:"true" maxLength:"5000" example:"8e6000cf-1a98-4174-b3e7-b5d5954bc10d" doc:"UUID of the document; generated if it is not sent."`
	IssueDate       string             `json:"issue_date" maxLength:"5000" example:"2026-11-15" doc:"Issue date in Riyadh time, as YYYY-MM-DD."`
	IssueTime       string             `json:"issue_time" default:"00:00:00" maxLength:"5000" example:"09:15:30" doc:"Issue time in Riyadh time, as HH:MM:SS."`
	Kind            int                `json:"type_code" default:"388" example:"388" doc:"Document type: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction     *string            `json:"transaction_code" optional:"true" maxLength:"5000" example:"0100000" doc:"Seven characters: 0100000 standard, the default if there is a buyer; 0200000 simplified, the default if there is none; 0100100 standard export."`
	SupplyDate      *string            `json:"supply_date" optional:"true" maxLength:"5000" example:"2026-11-15" doc:"Date of the supply; issue_date if it is not sent."`
	SupplyEndDate   string             `json:"supply_end_date" optional:"true" maxLength:"5000" example:"2026-11-15" doc:"End of a supply over a period of time."`
	Currency        string             `json:"currency" default:"SAR" maxLength:"5000" example:"SAR" doc:"Currency code (ISO 4217), such as SAR."`
	ExchangeRate    *money.Decimal     `json:"exchange_rate" optional:"true" example:"1" doc:"Exchange rate to SAR; 1 or absent if the currency is SAR. In another currency it is used to calculate the VAT in SAR; without it, invoice_total_vat_amount_sar must be sent."`
	PaymentMeans    string             `json:"payment_means_type_code" optional:"true" maxLength:"5000" example:"10" doc:"Code of the payment means (UNTDID 4461), such as 10 for cash."`
	PaymentTerms    string             `json:"payment_terms" optional:"true" maxLength:"5000" doc:"Payment terms in words."`
	Reason          string             `json:"reason" optional:"true" maxLength:"5000" doc:"Reason for issuing a credit or debit note."`
	Notes           []invoiceNote      `json:"notes" optional:"true" maxItems:"4000" doc:"Free text printed on the document."`
	Seller          invoiceSeller      `json:"seller" doc:"The seller, who issues the document."`
	Buyer           *invoiceBuyer      `json:"buyer" optional:"true" doc:"The buyer; optional on a simplified document."`
	Lines           []invoiceLine      `json:"lines" maxItems:"4000" doc:"Lines of the document."`
	Allowances      []invoiceAllowance `json:"document_level_allowances" optional:"true" maxItems:"4000" doc:"Discounts on the whole document."`
	Advances        []invoiceAdvance   `json:"prepaid_invoices" optional:"true" maxItems:"4000" doc:"Advance payment invoices that are deducted."`
	Originals       []invoiceOriginal  `json:"original_invoice_reference" optional:"true" maxItems:"4000" doc:"Invoices that a credit or debit note corrects."`
	ExpectedPayable *money.Decimal     `json:"expected_payable_amount" optional:"true" cents:"true" doc:"Amount your system showed to the customer. A difference of at most 0.01 per line becomes the rounding of the payable amount; a larger one is refused."`
	invoiceTotals
}

// invoiceTotals holds the amounts of a document. Amounts that are sent are
// checked by the rules; the others are calculated.
type invoiceTotals struct {
	LineTotal      *money.Decimal    `json:"invoice_total_line_net_amount" optional:"true" cents:"true" example:"8400.00" doc:"Sum of the line net amounts, before VAT. Like all totals below, it is calculated if it is not sent, and checked if it is."`
	AllowanceTotal *money.Decimal    `json:"invoice_total_document_level_allowance_amount" optional:"true" cents:"true" example:"0.00" doc:"Sum of the discounts."`
	WithoutVAT     *money.Decimal    `json:"invoice_total_amount_without_vat" optional:"true" cents:"true" example:"8400.00" doc:"Line net amounts minus discounts, before VAT."`
	VAT            *money.Decimal    `json:"invoice_total_vat_amount" optional:"true" cents:"true" example:"1260.00" doc:"Total VAT in the currency of the document."`
	VATInSAR       *money.Decimal    `json:"invoice_total_vat_amount_sar" optional:"true" cents:"true" example:"1260.00" doc:"Total VAT in SAR."`
	WithVAT        *money.Decimal    `json:"invoice_total_amount_with_vat" optional:"true" cents:"true" example:"9660.00" doc:"Total amount including VAT."`
	Prepaid        *money.Decimal    `json:"prepaid_amount" optional:"true" cents:"true" example:"0.00" doc:"Total of the advance payments that are deducted."`
	Rounding       *money.Decimal    `json:"payable_rounding_amount" optional:"true" cents:"true" example:"0.00" doc:"Rounding of the payable amount."`
	Payable        *money.Decimal    `json:"invoice_gross_total" optional:"true" cents:"true" example:"9660.00" doc:"Amount to be paid."`
	Breakdown      []invoiceSubtotal `json:"vat_breakdown" optional:"true" maxItems:"4000" doc:"VAT by category, rate and exemption reason; calculated if it is not sent or empty."`
}
