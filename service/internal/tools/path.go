package tools

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"khatm/codes"
	"khatm/money"
	"khatm/rules"
)

// blamer maps a path in the UBL document to the request field it comes from.
type blamer struct {
	Invoice
	totals map[string]statedTotal // by UBL path
	firsts []int                  // index of the first line of each row of a calculated breakdown
}

func newBlamer(in Invoice) *blamer { return &blamer{in, in.totals(), in.firsts()} }

// pathOf returns the request field for a UBL path, or "". own is false if the path
// is that of a calculated amount, for which another field is the cause.
func (in *blamer) pathOf(p rules.Place) (path string, own bool) {
	plain := numbered.ReplaceAllString(p.Path, "")
	if path := in.ownPath(p, plain); path != "" {
		return path, true
	}
	return in.instead(plain), false
}

// ownPath returns the request field that a UBL path comes from, or "". p.Field is a
// field of the facts; for an amount that was sent, ownPath returns the field of
// that amount.
func (in *blamer) ownPath(p rules.Place, plain string) string {
	if strings.HasSuffix(plain, "/@currencyID") {
		return "currency" // all amounts are in the currency of the invoice
	}
	switch stated := in.totals[p.Path]; {
	case stated.amount != nil:
		return stated.field
	case strings.HasPrefix(plain, subtotalPath):
		return cmp.Or(in.breakdownPath(p.Path, plain), p.Field)
	case strings.HasPrefix(plain, linePath):
		return in.priceField(p.Field) + in.linePath(p.Field, plain)
	}
	switch {
	case strings.HasPrefix(p.Path, "/Invoice/cac:TaxTotal") && p.Field == "" && in.Currency != codes.Riyal && in.VATInSAR == nil:
		return "exchange_rate"
	case p.Field == "seller.name" && in.Seller.NameArabic != "":
		return "seller.name_arabic"
	case p.Field == "buyer.buyer_name" && in.Buyer != nil && in.Buyer.NameArabic != "":
		return "buyer.buyer_name_arabic"
	}
	return p.Field
}

// numbered matches the index of an element among those of the same name.
var numbered = regexp.MustCompile(`\[[0-9]+\]`)

const (
	totalsPath   = "/Invoice/cac:LegalMonetaryTotal/cbc:"
	subtotalPath = "/Invoice/cac:TaxTotal/cac:TaxSubtotal"
	linePath     = "/Invoice/cac:InvoiceLine"
)

// statedTotal is a total that may have been sent, and its field.
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
	// The VAT is stated twice: first in SAR, if that amount is known.
	vat := statedTotal{"invoice_total_vat_amount", in.VAT}
	if in.unconverted() {
		all["/Invoice/cac:TaxTotal[1]/cbc:TaxAmount"] = vat
		return all
	}
	all["/Invoice/cac:TaxTotal[1]/cbc:TaxAmount"] = statedTotal{"invoice_total_vat_amount_sar", in.VATInSAR}
	all["/Invoice/cac:TaxTotal[2]/cbc:TaxAmount"] = vat
	return all
}

// breakdownPath returns the path of a field of vat_breakdown. If no breakdown was
// sent, it returns the path of the same field in the first line of the row, or "".
func (in *blamer) breakdownPath(path, plain string) string {
	rest := strings.TrimPrefix(plain, subtotalPath)
	row := lastNumber(path) - 1
	if len(in.Breakdown) > 0 {
		field := "vat_breakdown"
		if row >= 0 && row < len(in.Breakdown) {
			field += "." + strconv.Itoa(row)
		}
		return field + cmp.Or(taxFields[rest], rowFields[rest])
	}
	if row < 0 || row >= len(in.firsts) || rowFields[rest] != "" {
		return ""
	}
	return "lines." + strconv.Itoa(in.firsts[row]) + taxFields[rest]
}

// Fields of a breakdown row: those that lines have too, and its amounts.
var (
	taxFields = map[string]string{
		"/cac:TaxCategory/cbc:ID":                     ".vat_category_code",
		"/cac:TaxCategory/cbc:Percent":                ".vat_rate",
		"/cac:TaxCategory/cbc:TaxExemptionReasonCode": ".vat_exemption_reason_code",
		"/cac:TaxCategory/cbc:TaxExemptionReason":     ".vat_exemption_reason_text",
	}
	rowFields = map[string]string{
		"/cbc:TaxableAmount": ".vat_category_taxable_amount",
		"/cbc:TaxAmount":     ".vat_category_tax_amount",
	}
)

// firsts returns the index of the first line of each row of a calculated breakdown.
// The rows are in the order of the lines.
func (in Invoice) firsts() []int {
	type group struct{ category, rate, code, text string }
	seen := map[group]bool{}
	var lines []int
	for i, l := range in.Lines {
		tax := l.invoiceTax.facts()
		one := group{tax.Category, tax.Rate.String(), tax.ReasonCode, tax.ReasonText}
		if !seen[one] {
			seen[one], lines = true, append(lines, i)
		}
	}
	return lines
}

// lastNumber returns the index of the innermost element with one, or 0.
func lastNumber(path string) int {
	all := numbered.FindAllString(path, -1)
	if len(all) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(strings.Trim(all[len(all)-1], "[]")) // 0 if the number is too large
	return n
}

// linePath returns the rest of the path of an amount that was sent with a line;
// line is the path of the line, such as "lines.3".
func (in *blamer) linePath(line, plain string) string {
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
