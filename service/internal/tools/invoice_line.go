package tools

import "khatm/money"

type invoiceNote struct {
	Language string `json:"language_id" optional:"true" maxLength:"5000" example:"ar" doc:"Language of the note: ar or en."`
	Text     string `json:"note" maxLength:"5000" example:"شكرًا لتعاملكم معنا" doc:"Text of the note."`
}

type invoiceLine struct {
	Name     string         `json:"item_name" maxLength:"5000" example:"Laptop 15 inch" doc:"What was sold."`
	Price    money.Decimal  `json:"item_net_price" cents:"true" example:"4200.00" doc:"Price of one unit before VAT."`
	Quantity money.Decimal  `json:"invoiced_quantity" default:"1" example:"2" doc:"How many."`
	Unit     string         `json:"invoiced_quantity_unit_of_measure" default:"PCE" maxLength:"5000" example:"PCE" doc:"Code of the unit."`
	Net      *money.Decimal `json:"line_net_amount" optional:"true" cents:"true" example:"8400.00" doc:"Price times quantity; computed if it is not given."`
	VAT      *money.Decimal `json:"line_vat_amount" optional:"true" cents:"true" example:"1260.00" doc:"VAT of the line; computed if it is not given."`
	Total    *money.Decimal `json:"line_total_amount" optional:"true" cents:"true" example:"9660.00" doc:"The line with its VAT; computed if it is not given."`
	invoiceTax
}

// invoiceTax is a VAT category with its rate and reason.
type invoiceTax struct {
	Category   string         `json:"vat_category_code" default:"S" maxLength:"5000" example:"S" doc:"S, Z, E or O."`
	Rate       *money.Decimal `json:"vat_rate" optional:"true" example:"15" doc:"Percentage; if it is not given, 15 in category S and 0 in others."`
	ReasonCode string         `json:"vat_exemption_reason_code" optional:"true" maxLength:"5000" example:"VATEX-SA-32" doc:"Why there is no VAT; empty in S."`
	ReasonText string         `json:"vat_exemption_reason_text" optional:"true" maxLength:"5000" doc:"The same in words; empty in S."`
}

// invoiceSubtotal is the VAT of one category, rate and reason.
type invoiceSubtotal struct {
	invoiceTax
	Taxable money.Decimal `json:"vat_category_taxable_amount" default:"0" cents:"true" example:"8400.00" doc:"What the VAT is computed on."`
	Amount  money.Decimal `json:"vat_category_tax_amount" default:"0" cents:"true" example:"1260.00" doc:"The VAT, rounded once."`
}

type invoiceAllowance struct {
	Amount     money.Decimal  `json:"allowance_amount" cents:"true" example:"10.00" doc:"Amount of the discount, before VAT."`
	ReasonCode string         `json:"reason_code" optional:"true" maxLength:"5000" example:"95" doc:"Code of the reason; 95 (discount) when neither code nor reason is given."`
	Reason     string         `json:"reason" optional:"true" maxLength:"5000" doc:"The reason in words."`
	Category   string         `json:"vat_category_code" default:"S" maxLength:"5000" example:"S" doc:"Category and rate of the lines that it reduces."`
	Rate       *money.Decimal `json:"vat_rate" optional:"true" example:"15" doc:"Percentage; if it is not given, 15 in category S and 0 in others."`
}

type invoiceAdvance struct {
	Number    string            `json:"ref_num" maxLength:"5000" example:"INV-2026-000007" doc:"Number of the advance payment invoice."`
	UUID      string            `json:"uuid" optional:"true" maxLength:"5000" doc:"Its UUID."`
	IssueDate string            `json:"issue_date" optional:"true" maxLength:"5000" example:"2026-11-01" doc:"When it was issued."`
	IssueTime string            `json:"issue_time" optional:"true" maxLength:"5000" example:"10:00:00" doc:"At what time."`
	Breakdown []invoiceSubtotal `json:"vat_breakdown" optional:"true" maxItems:"4000" doc:"What of it is deducted, by category, rate and reason."`
}

type invoiceOriginal struct {
	Number    string `json:"ref_num" maxLength:"5000" example:"INV-2026-000001" doc:"Number of the invoice."`
	IssueDate string `json:"issue_date" optional:"true" maxLength:"5000" example:"2026-11-15" doc:"When it was issued."`
}
