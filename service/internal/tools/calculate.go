package tools

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

func (s *Surface) calculateRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/public/calculate-vat/", Name: "calculate-vat", Tag: tagTools, Access: wire.Public, Strict: true, Memory: memoryIfLarge,
			Codes:   []fault.Code{fault.UnusableInput},
			Summary: "Calculate net, VAT and gross totals by VAT category",
			Doc: "Calculates as for an invoice: a line is unit price times quantity, rounded to two decimal places; VAT is rounded once for each category and rate, on the sum of the lines minus the discounts. " +
				"A line with `item_gross_price` is that price times quantity, divided by 1 plus the rate; the rounding makes the payable amount exactly what the prices come to. " +
				"Prices may have more decimal places, amounts have two. Exemption reasons of lines in category S are ignored. " +
				"Input that cannot be calculated, such as a discount in a category without lines, is refused with a 400 and `detail`.",
			Example: `{"lines":[{"item_name":"Laptop 15 inch","invoiced_quantity":"2","item_net_price":"4200.00","vat_rate":"15"},` +
				`{"item_name":"Arabic coffee","item_net_price":"31.30","vat_rate":"15","vat_category_code":"S"}],"document_level_allowances":[{"allowance_amount":"50.00"}]}`,
		}, calculate),
	}
}

type calculation struct {
	Body saleBody `body:"json"`
}

// saleBody is the input of the calculation.
type saleBody struct {
	Lines      []saleLine         `json:"lines" minItems:"1" maxItems:"4000" doc:"Lines of the sale."`
	Allowances []invoiceAllowance `json:"document_level_allowances" optional:"true" maxItems:"4000" doc:"Discounts on the whole sale."`
}

type saleLine struct {
	Name       string         `json:"item_name" minLength:"1" maxLength:"5000" example:"Laptop 15 inch" doc:"Name of the item; any text."`
	Quantity   money.Decimal  `json:"invoiced_quantity" default:"1" example:"2" doc:"Quantity, such as 2 or 0.5."`
	Price      *money.Decimal `json:"item_net_price" unless:"item_gross_price" example:"4200.00" doc:"Unit price before VAT, such as 4200.00. Required unless item_gross_price is sent."`
	GrossPrice *money.Decimal `json:"item_gross_price" optional:"true" doc:"Unit price including VAT, such as a shelf price of 10.00, instead of item_net_price."`
	Rate       money.Decimal  `json:"vat_rate" example:"15" doc:"VAT rate in percent: greater than 0 in category S, 0 in Z, E and O."`
	Category   string         `json:"vat_category_code" default:"S" maxLength:"5000" example:"S" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	ReasonCode string         `json:"vat_exemption_reason_code" optional:"true" maxLength:"5000" doc:"Code of the exemption reason, such as VATEX-SA-32. Lines of a category are summed by reason; ignored in category S."`
	ReasonText string         `json:"vat_exemption_reason_text" optional:"true" maxLength:"5000" doc:"Exemption reason in words."`
}

// calculated holds the totals of a sale.
type calculated struct {
	LineTotal      money.Decimal  `json:"invoice_total_line_net_amount" cents:"true" example:"8431.30" doc:"Sum of the line net amounts, before VAT."`
	AllowanceTotal money.Decimal  `json:"invoice_total_document_level_allowance_amount" cents:"true" example:"50.00" doc:"Sum of the discounts."`
	WithoutVAT     money.Decimal  `json:"invoice_total_amount_without_vat" cents:"true" example:"8381.30" doc:"Line net amounts minus discounts, before VAT."`
	VAT            money.Decimal  `json:"invoice_total_vat_amount" cents:"true" example:"1257.20" doc:"Total VAT."`
	Gross          money.Decimal  `json:"invoice_gross_total" cents:"true" example:"9638.50" doc:"Total amount including VAT."`
	Rounding       *money.Decimal `json:"payable_rounding_amount,omitempty" cents:"true" example:"-0.01" doc:"Rounding that makes the payable amount equal to the prices including VAT; only if a line has item_gross_price."`
	Payable        *money.Decimal `json:"invoice_payable_amount,omitempty" cents:"true" example:"9638.50" doc:"Amount to be paid: the total including VAT plus the rounding; only if a line has item_gross_price."`
	Breakdown      []vatRow       `json:"vat_breakdown" doc:"VAT by category, rate and exemption reason, in the order of the lines."`
	Branded
}

type vatRow struct {
	Category   string        `json:"vat_category_code" example:"S" doc:"VAT category: S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" example:"15" doc:"VAT rate in percent, such as 15."`
	Taxable    money.Decimal `json:"vat_category_taxable_amount" cents:"true" example:"8381.30" doc:"Amount on which the VAT is calculated."`
	Amount     money.Decimal `json:"vat_category_tax_amount" cents:"true" example:"1257.20" doc:"VAT of the category, rounded once."`
	ReasonCode string        `json:"vat_exemption_reason_code" doc:"Code of the exemption reason, such as VATEX-SA-32; empty in category S."`
	ReasonText string        `json:"vat_exemption_reason_text" doc:"Exemption reason in words; empty in category S."`
}

func calculate(_ context.Context, _ wire.Caller, in *calculation) (*calculated, error) {
	if problem := in.Body.problem(); problem != "" {
		return nil, refused(fault.UnusableInput, problem)
	}
	d, misfits := invoice.ComputeUnchecked(in.Body.facts())
	if len(misfits) > 0 {
		return nil, refused(fault.UnusableInput, misfits[0].String())
	}
	out := &calculated{
		LineTotal: d.LineTotal, AllowanceTotal: d.AllowanceTotal, WithoutVAT: d.WithoutVAT, VAT: d.VAT, Gross: d.WithVAT,
		Breakdown: make([]vatRow, len(d.Breakdown)), Branded: Brand(),
	}
	if slices.ContainsFunc(in.Body.Lines, func(l saleLine) bool { return l.GrossPrice != nil }) {
		out.Rounding, out.Payable = &d.Rounding, &d.Payable
	}
	for i, s := range d.Breakdown {
		out.Breakdown[i] = vatRow{s.Category, s.Rate, s.Taxable, s.Amount, s.ReasonCode, s.ReasonText}
	}
	return out, nil
}

func (b *saleBody) facts() invoice.Facts {
	f := invoice.Facts{
		Currency: codes.Riyal, ExchangeRate: money.FromInt(1),
		Lines: make([]invoice.Line, len(b.Lines)), Allowances: each(b.Allowances, invoiceAllowance.facts),
	}
	for i, l := range b.Lines {
		tax := invoice.Tax{Category: l.Category, Rate: l.Rate, ReasonCode: l.ReasonCode, ReasonText: l.ReasonText}
		if l.Category == codes.StandardRated { // a reason would split amounts that are rounded together
			tax.ReasonCode, tax.ReasonText = "", ""
		}
		f.Lines[i] = invoice.Line{Name: l.Name, Quantity: l.Quantity, Tax: tax}
		give(&f.Lines[i].Price, l.Price)
		give(&f.Lines[i].GrossPrice, l.GrossPrice)
	}
	return f
}

// problem returns the first problem that prevents the calculation, or "".
func (b *saleBody) problem() string {
	for i, l := range b.Lines {
		if field, words := l.problem(); field != "" {
			return fmt.Sprintf("lines.%d.%s: %s", i, field, words)
		}
	}
	for i, a := range b.Allowances {
		switch {
		case a.Amount.Sign() < 0:
			return fmt.Sprintf("document_level_allowances.%d.allowance_amount: must not be negative", i)
		case a.Amount.Places() > 2:
			return fmt.Sprintf("document_level_allowances.%d.allowance_amount: must have at most 2 decimal places", i)
		}
	}
	return ""
}

func (l *saleLine) problem() (field, words string) {
	category, known := codes.FindCategory(l.Category)
	switch {
	case l.Price != nil && l.GrossPrice != nil:
		return "item_gross_price", "must not be sent together with item_net_price"
	case l.Price != nil && l.Price.Sign() < 0:
		return "item_net_price", "must not be negative"
	case l.GrossPrice != nil && l.GrossPrice.Sign() < 0:
		return "item_gross_price", "must not be negative"
	case l.Quantity.Sign() <= 0:
		return "invoiced_quantity", "must be greater than 0"
	case !known:
		return "vat_category_code", "must be S, Z, E or O"
	case category.NeedsReason() && !l.Rate.IsZero():
		return "vat_rate", "must be 0 in category " + l.Category
	case !category.NeedsReason() && (l.Rate.Sign() <= 0 || money.FromInt(100).Less(l.Rate)):
		return "vat_rate", "must be greater than 0 and at most 100 in category S"
	}
	return "", ""
}
