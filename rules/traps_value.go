package rules

import (
	"regexp"
	"strings"

	"khatm/ubl"
)

// nonZero are the digits of which a number that is not zero contains at least
// one.
const nonZero = "123456789"

// lines checks the VAT of each line and the division by its base quantity.
func (s *survey) lines() {
	for _, l := range s.invoiceLines {
		s.once(down([]*ubl.Node{l}, "cac:TaxTotal", "cbc:TaxAmount"))
		base := l.Child("cac:Price").Child("cbc:BaseQuantity")
		if base != nil && isDecimal(strings.Trim(base.Text, blanks)) && !strings.ContainsAny(base.Text, nonZero) && isComputed(l) {
			s.fail(&zeroForSheet, base, "", base.Text, "")
		}
	}
}

// isComputed reports whether the line has all values from which the sheet
// computes its net amount. Without them it does not reach the division.
func isComputed(l *ubl.Node) bool {
	return l.Child("cbc:InvoicedQuantity") != nil && l.Child("cbc:LineExtensionAmount") != nil && l.Child("cac:Price").Child("cbc:PriceAmount") != nil
}

// totals checks the amounts that the sheets compute.
func (s *survey) totals() {
	for _, t := range s.down("cac:TaxTotal", "cac:TaxSubtotal") {
		taxable, category := t.Child("cbc:TaxableAmount"), t.Child("cac:TaxCategory")
		if taxable != nil && category != nil && isUnderVAT(category) && taxIsInfinite(taxable.Text, textOf(category, "cbc:Percent")) {
			s.fail(&amountForSheet, taxable, "", taxable.Text, "")
		}
	}
	totals := s.root.Child("cac:LegalMonetaryTotal")
	if totals.Child("cbc:ChargeTotalAmount") == nil && totals.Child("cbc:AllowanceTotalAmount") == nil {
		return
	}
	var nets []string
	for _, n := range s.down("cac:InvoiceLine", "cbc:LineExtensionAmount") {
		nets = append(nets, n.Text)
	}
	if sumIsInfinite(nets) {
		s.fail(&amountForSheet, totals, "/cbc:LineExtensionAmount", "", "")
	}
}

// currencies checks the VAT totals in two currencies, which the sheet compares
// if both are above zero, and currency codes that are invalid patterns.
func (s *survey) currencies() {
	for _, n := range s.patterns {
		if code, _ := attributeOf(n, "currencyID"); isNoPattern(code) {
			s.fail(&patternForSheet, n, "/@currencyID", code, "")
		}
	}
	for _, n := range append(s.down("cac:TaxExchangeRate", "cbc:SourceCurrencyCode"), s.down("cac:TaxExchangeRate", "cbc:TargetCurrencyCode")...) {
		if isNoPattern(n.Text) {
			s.fail(&patternForSheet, n, "", n.Text, "")
		}
	}
	s.once(s.ownCurrency)
	if target := s.root.Child("cac:TaxExchangeRate").Child("cbc:TargetCurrencyCode"); target != nil && target.Text != "" {
		s.once(s.taxCurrency)
	}
	if own := textOf(s.root, "cbc:DocumentCurrencyCode"); own == "" || own == "SAR" {
		return
	}
	var broken, plain []*ubl.Node
	for _, total := range s.down("cac:TaxTotal") {
		amounts := down([]*ubl.Node{total}, "cbc:TaxAmount")
		if total.Child("cac:TaxSubtotal") != nil {
			broken = append(broken, amounts...)
		} else {
			plain = append(plain, amounts...)
		}
	}
	if anyPositive(broken) && anyPositive(plain) {
		s.once(broken)
		s.once(plain)
	}
}

func anyPositive(amounts []*ubl.Node) bool {
	for _, n := range amounts {
		if strings.ContainsAny(n.Text, nonZero) && !strings.Contains(n.Text, "-") {
			return true
		}
	}
	return false
}

// moment checks the time of issue, which the sheet builds from two texts to
// compare it with the 24 hours for reporting.
func (s *survey) moment() {
	code, date, clock := s.root.Child("cbc:InvoiceTypeCode"), s.root.Child("cbc:IssueDate"), s.root.Child("cbc:IssueTime")
	if code == nil || date == nil || clock == nil {
		return
	}
	name, _ := attributeOf(code, "name")
	valid := isDate(strings.Trim(date.Text, blanks)) && isTime(strings.Trim(clock.Text, blanks))
	if moment := date.Text + "T" + clock.Text; strings.HasPrefix(name, "02") && valid && !isDateTime(strings.Trim(moment, blanks)) {
		s.fail(&momentForSheet, date, "", moment, "2026-11-14T13:05:00")
	}
}

// The constructs of XPath patterns that Go does not support, and those that
// need a closer look.
var (
	xpathEscape      = regexp.MustCompile(`\\[nrt\\|.\-^?*+{}()\[\]$sSiIcCdDwW]`)
	xpathCategory    = regexp.MustCompile(`\\[pP]\{\w+\}`)
	backReference    = regexp.MustCompile(`(\(.*\).*)\\[1-9]`)
	classSubtraction = regexp.MustCompile(`-\[[^\[\]]+\]\]`)
	characterClass   = regexp.MustCompile(`\[\^?[^\[\]]+\]`)
	quantity         = regexp.MustCompile(`\{[0-9]+(,[0-9]*)?\}`)
)

// hasSigns reports whether a code contains characters with a meaning in a
// pattern. A code without them is always a valid pattern.
func hasSigns(code string) bool { return strings.ContainsAny(code, `\?*+(){[]`) }

// isNoPattern reports whether a code is not a valid pattern, so that the sheets
// cannot search for it.
func isNoPattern(code string) bool {
	const longest = 64 // a longer code is certainly wrong
	if !hasSigns(code) || len(code) > longest {
		return hasSigns(code)
	}
	code = xpathEscape.ReplaceAllString(code, "a")
	code = backReference.ReplaceAllString(code, "$1")
	code = classSubtraction.ReplaceAllString(code, "]")
	if _, err := regexp.Compile(code); err != nil {
		return true
	}
	code = xpathCategory.ReplaceAllString(code, "a")
	code = characterClass.ReplaceAllString(code, "a")
	code = strings.ReplaceAll(quantity.ReplaceAllString(code, ""), "(?:", "(")
	return strings.ContainsAny(code, `\{[]`) || strings.Contains(code, "(?")
}
