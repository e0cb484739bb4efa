package tools

import (
	"strconv"
	"strings"
)

// instead names the field to blame for an amount that was not stated but
// computed, and does not fit: the first of those that it is computed of and that
// were stated. It is empty if there is none.
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

// firstStated is the first of totals that was stated, or that is computed of
// something that was.
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

// statedLine is the first amount that a line states.
func (in *blamer) statedLine() string {
	for n, l := range in.Lines {
		if l.Net != nil {
			return "lines." + strconv.Itoa(n) + ".line_net_amount"
		}
	}
	return ""
}
