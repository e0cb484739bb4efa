package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// priceProblem returns the problem of the first line whose prices do not belong
// together, or "". A line that was returned has both prices.
func (in Invoice) priceProblem() string {
	for i, l := range in.Lines {
		switch {
		case l.GrossPrice == nil:
		case l.GrossPrice.Sign() <= 0:
			return fmt.Sprintf("lines.%d.item_gross_price: must be greater than 0", i)
		case l.Price == nil:
		default:
			if want := l.facts().NetPrice(); !l.Price.Equal(want) {
				return fmt.Sprintf("lines.%d.item_net_price: is %s, but item_gross_price gives %s; send one of the two", i, l.Price, want)
			}
		}
	}
	return ""
}

// hasGrossPrice reports whether a line has a price including VAT.
func (in Invoice) hasGrossPrice() bool {
	return slices.ContainsFunc(in.Lines, func(l invoiceLine) bool { return l.GrossPrice != nil })
}

// priceField returns the field of a price: item_gross_price instead of
// item_net_price for a line that was sent with it.
func (in Invoice) priceField(field string) string {
	line, found := strings.CutSuffix(strings.TrimPrefix(field, "lines."), ".item_net_price")
	if at, err := strconv.Atoi(line); found && err == nil && at >= 0 && at < len(in.Lines) && in.Lines[at].GrossPrice != nil {
		return "lines." + line + ".item_gross_price"
	}
	return field
}
