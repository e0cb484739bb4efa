package tools

import (
	"regexp"
	"strconv"
	"strings"

	"khatm/money"
	"khatm/rules"
)

// pathOf names the field of the invoice that a place in the document comes from.
// The rulebook knows facts only; of an amount that was stated, the field that
// states it is to blame.
func (in Invoice) pathOf(p rules.Place) string {
	plain := numbered.ReplaceAllString(p.Path, "")
	switch stated := in.totals()[p.Path]; {
	case stated.amount != nil:
		return stated.field
	case strings.HasPrefix(plain, subtotalPath) && len(in.Breakdown) > 0:
		return in.breakdownPath(p.Path, plain)
	case strings.HasPrefix(plain, linePath):
		return p.Field + in.linePath(p.Field, plain)
	}
	switch {
	case plain == "/Invoice/cac:TaxTotal" && in.unconverted():
		return "exchange_rate"
	case p.Field == "seller.name" && in.Seller.NameArabic != "":
		return "seller.name_arabic"
	case p.Field == "buyer.buyer_name" && in.Buyer != nil && in.Buyer.NameArabic != "":
		return "buyer.buyer_name_arabic"
	}
	return p.Field
}

// numbered is the number of an element among those of its name.
var numbered = regexp.MustCompile(`\[[0-9]+\]`)

const (
	totalsPath   = "/Invoice/cac:LegalMonetaryTotal/cbc:"
	subtotalPath = "/Invoice/cac:TaxTotal/cac:TaxSubtotal"
	linePath     = "/Invoice/cac:InvoiceLine"
)

// statedTotal is a total that may be stated, and its field.
type statedTotal struct {
	field  string
	amount *money.Decimal
}

func (in Invoice) totals() map[string]statedTotal {
	all := map[string]statedTotal{
		totalsPath + "LineExtensionAmount":   {"invoice_total_line_net_amount", in.LineTotal},
		totalsPath + "AllowanceTotalAmount":  {"invoice_total_document_level_allowance_amount", in.AllowanceTotal},
		totalsPath + "TaxExclusiveAmount":    {"invoice_total_amount_without_vat", in.WithoutVAT},
		totalsPath + "TaxInclusiveAmount":    {"invoice_total_amount_with_vat", in.WithVAT},
		totalsPath + "PrepaidAmount":         {"prepaid_amount", in.Prepaid},
		totalsPath + "PayableRoundingAmount": {"payable_rounding_amount", in.Rounding},
		totalsPath + "PayableAmount":         {"invoice_gross_total", in.Payable},
	}
	// The VAT stands twice, in riyals first if that is known.
	vat := statedTotal{"invoice_total_vat_amount", in.VAT}
	if in.unconverted() {
		all["/Invoice/cac:TaxTotal[1]/cbc:TaxAmount"] = vat
		return all
	}
	all["/Invoice/cac:TaxTotal[1]/cbc:TaxAmount"] = statedTotal{"invoice_total_vat_amount_sar", in.VATInSAR}
	all["/Invoice/cac:TaxTotal[2]/cbc:TaxAmount"] = vat
	return all
}

// breakdownPath names a field of the breakdown that was stated.
func (in Invoice) breakdownPath(path, plain string) string {
	field := "vat_breakdown"
	if all := numbered.FindAllString(path, -1); len(all) > 0 {
		if n, err := strconv.Atoi(strings.Trim(all[len(all)-1], "[]")); err == nil && n >= 1 && n <= len(in.Breakdown) {
			field += "." + strconv.Itoa(n-1)
		}
	}
	return field + map[string]string{
		"/cbc:TaxableAmount":                          ".vat_category_taxable_amount",
		"/cbc:TaxAmount":                              ".vat_category_tax_amount",
		"/cac:TaxCategory/cbc:ID":                     ".vat_category_code",
		"/cac:TaxCategory/cbc:Percent":                ".vat_rate",
		"/cac:TaxCategory/cbc:TaxExemptionReasonCode": ".vat_exemption_reason_code",
		"/cac:TaxCategory/cbc:TaxExemptionReason":     ".vat_exemption_reason_text",
	}[strings.TrimPrefix(plain, subtotalPath)]
}

// linePath is the rest of the path of an amount that a line states; line is the
// path of the line, as "lines.3".
func (in Invoice) linePath(line, plain string) string {
	at, err := strconv.Atoi(strings.TrimPrefix(line, "lines."))
	if err != nil || at < 0 || at >= len(in.Lines) {
		return ""
	}
	l := in.Lines[at]
	switch plain {
	case linePath + "/cbc:LineExtensionAmount":
		return fieldIf(l.Net, ".line_net_amount")
	case linePath + "/cac:TaxTotal/cbc:TaxAmount":
		return fieldIf(l.VAT, ".line_vat_amount")
	case linePath + "/cac:TaxTotal/cbc:RoundingAmount":
		return fieldIf(l.Total, ".line_total_amount")
	}
	return ""
}

func fieldIf(stated *money.Decimal, field string) string {
	if stated == nil {
		return ""
	}
	return field
}
