package tools

import (
	"strconv"
	"strings"
)

// instead returns the field that causes a wrong calculated amount: of the amounts
// it is calculated from, the first that was sent, or "".
func (in *blamer) instead(plain string) string {
	if strings.HasPrefix(plain, "/Invoice/cac:TaxTotal") {
		switch {
		case len(in.Lines) == 0:
			return "lines"
		case strings.HasPrefix(plain, subtotalPath):
			return in.statedLine()
		}
		return in.statedBreakdown()
	}
	total, found := strings.CutPrefix(plain, totalsPath)
	if !found {
		return ""
	}
	switch total {
	case "LineExtensionAmount":
		return in.statedLine()
	case "TaxExclusiveAmount":
		return in.firstStated("LineExtensionAmount", "AllowanceTotalAmount")
	case "TaxInclusiveAmount":
		return in.firstStated("TaxExclusiveAmount", "VAT")
	case "PayableAmount":
		return in.firstStated("TaxInclusiveAmount", "PrepaidAmount", "PayableRoundingAmount")
	}
	return ""
}

// firstStated returns the first of several totals that was sent or is calculated
// from an amount that was sent.
func (in *blamer) firstStated(totals ...string) string {
	for _, total := range totals {
		path, one := totalsPath+total, in.totals[totalsPath+total]
		if total == "VAT" {
			path, one = "/Invoice/cac:TaxTotal/cbc:TaxAmount", statedTotal{"invoice_total_vat_amount", in.VAT}
		}
		if one.amount != nil {
			return one.field
		}
		if instead := in.instead(path); instead != "" {
			return instead
		}
	}
	return ""
}

func (in *blamer) statedBreakdown() string {
	if len(in.Breakdown) == 0 {
		return ""
	}
	return "vat_breakdown"
}

// statedLine returns the path of the first net amount that was sent with a line,
// or "".
func (in *blamer) statedLine() string {
	for n, l := range in.Lines {
		if l.Net != nil {
			return "lines." + strconv.Itoa(n) + ".line_net_amount"
		}
	}
	return ""
}
