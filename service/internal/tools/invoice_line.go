package tools

import "khatm/money"

type invoiceNote struct {
	Language string `json:"language_id" optional:"true" maxLength:"5000" example:"ar" doc:"Language of the note: ar or en."`
	Text     string `json:"note" maxLength:"5000" example:"شكرًا لتعاملكم معنا" doc:"Text of the note."`
}

type invoiceLine struct {
	Name       string         `json:"item_name" maxLength:"5000" example:"Laptop 15 inch" doc:"Name of the item."`
	Price      *money.Decimal `json:"item_net_price" unless:"item_gross_price" cents:"true" example:"4200.00" doc:"Unit price before VAT, such as 4200.00. Required unless item_gross_price is sent; if both are sent, it must be what follows from item_gross_price."`
	GrossPrice *money.Decimal `json:"item_gross_price" optional:"true" cents:"true" doc:"Unit price including VAT, such as a shelf price of 10.00; null if the line is priced before VAT."`
	Quantity   money.Decimal  `json:"invoiced_quantity" default:"1" example:"2" doc:"Quantity, such as 2 or 0.5."`
	Unit       string         `json:"invoiced_quantity_unit_of_measure" default:"PCE" maxLength:"5000" example:"PCE" doc:"Code of the unit of measure, such as PCE."`
	Net        *money.Decimal `json:"line_net_amount" optional:"true" cents:"true" example:"8400.00" doc:"Unit price times quantity; calculated if it is not sent."`
	VAT        *money.Decimal `json:"line_vat_amount" optional:"true" cents:"true" example:"1260.00" doc:"VAT of the line; calculated if it is not sent."`
	Total      *money.Decimal `json:"line_total_amount" optional:"true" cents:"true" example:"9660.00" doc:"Line amount including VAT; calculated if it is not sent."`
	invoiceTax
}

// invoiceTax is a VAT category with its rate and reason.
type invoiceTax struct {
	Category   string         `json:"vat_category_code" default:"S" maxLength:"5000" example:"S" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       *money.Decimal `json:"vat_rate" optional:"true" example:"15" doc:"VAT rate in percent; if it is not sent, 15 in category S and 0 in the others."`
	ReasonCode string         `json:"vat_exemption_reason_code" optional:"true" maxLength:"5000" example:"VATEX-SA-32" doc:"Code of the exemption reason, such as VATEX-SA-32; empty in category S."`
	ReasonText string         `json:"vat_exemption_reason_text" optional:"true" maxLength:"5000" doc:"Exemption reason in words; empty in category S."`
}

// invoiceSubtotal is the VAT of one category, rate and reason.
type invoiceSubtotal struct {
	invoiceTax
	Taxable money.Decimal `json:"vat_category_taxable_amount" default:"0" cents:"true" example:"8400.00" doc:"Amount on which the VAT is calculated."`
	Amount  money.Decimal `json:"vat_category_tax_amount" default:"0" cents:"true" example:"1260.00" doc:"VAT of the category, rounded once."`
}

type invoiceAllowance struct {
	Amount     money.Decimal  `json:"allowance_amount" cents:"true" example:"10.00" doc:"Amount of the discount before VAT, such as 10.00."`
	ReasonCode string         `json:"reason_code" optional:"true" maxLength:"5000" example:"95" doc:"Code of the reason; 95 (discount) if neither reason_code nor reason is sent."`
	Reason     string         `json:"reason" optional:"true" maxLength:"5000" doc:"Reason in words."`
	Category   string         `json:"vat_category_code" default:"S" maxLength:"5000" example:"S" doc:"VAT category of the lines that the discount reduces: S, Z, E or O."`
	Rate       *money.Decimal `json:"vat_rate" optional:"true" example:"15" doc:"VAT rate in percent of these lines; if it is not sent, 15 in category S and 0 in the others."`
}

type invoiceAdvance struct {
	Number    string            `json:"ref_num" maxLength:"5000" example:"INV-2026-000007" doc:"Number of the advance payment invoice."`
	UUID      string            `json:"uuid" optional:"true" maxLength:"5000" doc:"UUID of the advance payment invoice."`
	IssueDate string            `json:"issue_date" optional:"true" maxLength:"5000" example:"2026-11-01" doc:"Issue date of the advance payment invoice, as YYYY-MM-DD."`
	IssueTime string            `json:"issue_time" optional:"true" maxLength:"5000" example:"10:00:00" doc:"Issue time of the advance payment invoice, as HH:MM:SS."`
	Breakdown []invoiceSubtotal `json:"vat_breakdown" optional:"true" maxItems:"4000" doc:"Amounts that are deducted, by category, rate and exemption reason."`
}

type invoiceOriginal struct {
	Number    string `json:"ref_num" maxLength:"5000" example:"INV-2026-000001" doc:"Number of the original invoice."`
	IssueDate string `json:"issue_date" optional:"true" maxLength:"5000" example:"2026-11-15" doc:"Issue date of the original invoice, as YYYY-MM-DD."`
}
