package rules

import (
	"slices"
	"strconv"
	"strings"
)

const (
	linePath      = "/Invoice/cac:InvoiceLine"
	allowancePath = "/Invoice/cac:AllowanceCharge"
	subtotalPath  = "/Invoice/cac:TaxTotal/cac:TaxSubtotal"
	currencyPath  = "/Invoice/cbc:DocumentCurrencyCode"
	advancePath   = "/advance" // in place of linePath for a line that deducts an advance
)

// fields maps an element of the document to the field of the facts that it
// comes from. {} is the index in a list, counted from 0. An element that is not
// in the map belongs to the field of its parent: the net amount of a line, for
// instance, to the line.
var fields = map[string]string{
	"/Invoice/cbc:ID":                    "ref_num",
	"/Invoice/cbc:UUID":                  "uuid",
	"/Invoice/cbc:IssueDate":             "issue_date",
	"/Invoice/cbc:IssueTime":             "issue_time",
	"/Invoice/cbc:InvoiceTypeCode":       "type_code",
	"/Invoice/cbc:InvoiceTypeCode/@name": "transaction_code",
	"/Invoice/cbc:Note":                  "notes.{}.note",
	"/Invoice/cbc:Note/@languageID":      "notes.{}.language_id",
	currencyPath:                         "currency",

	"/Invoice/cac:BillingReference":                                            "original_invoice_reference.{}",
	"/Invoice/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID":        "original_invoice_reference.{}.ref_num",
	"/Invoice/cac:BillingReference/cac:InvoiceDocumentReference/cbc:IssueDate": "original_invoice_reference.{}.issue_date",
	"/Invoice/cac:AdditionalDocumentReference/cbc:UUID":                        "counter",

	"/Invoice/cac:Delivery":                               "supply_date",
	"/Invoice/cac:Delivery/cbc:LatestDeliveryDate":        "supply_end_date",
	"/Invoice/cac:PaymentMeans":                           "payment_means_type_code",
	"/Invoice/cac:PaymentMeans/cbc:InstructionNote":       "reason",
	"/Invoice/cac:PaymentMeans/cac:PayeeFinancialAccount": "payment_terms",
	"/Invoice/cac:TaxExchangeRate":                        "exchange_rate",
	"/Invoice/cac:TaxExchangeRate/cbc:SourceCurrencyCode": "currency",
	totalsPath + "/cbc:AllowanceTotalAmount":              "document_level_allowances",
	totalsPath + "/cbc:PrepaidAmount":                     "prepaid_invoices",
	totalsPath + "/cbc:PayableRoundingAmount":             "expected_payable_amount",

	"/Invoice/cac:AccountingSupplierParty":                     "seller",
	sellerPath + "/cac:PartyIdentification":                    "seller.additional_seller_id.value",
	sellerPath + "/cac:PartyIdentification/cbc:ID/@schemeID":   "seller.additional_seller_id.type_id",
	sellerPath + "/cac:PostalAddress/cbc:StreetName":           "seller.street",
	sellerPath + "/cac:PostalAddress/cbc:AdditionalStreetName": "seller.additional_street",
	sellerPath + "/cac:PostalAddress/cbc:BuildingNumber":       "seller.building_number",
	sellerPath + "/cac:PostalAddress/cbc:PlotIdentification":   "seller.plot_identification",
	sellerPath + "/cac:PostalAddress/cbc:CitySubdivisionName":  "seller.district",
	sellerPath + "/cac:PostalAddress/cbc:CityName":             "seller.city",
	sellerPath + "/cac:PostalAddress/cbc:PostalZone":           "seller.postal_code",
	sellerPath + "/cac:PostalAddress/cbc:CountrySubentity":     "seller.province_state",
	sellerPath + "/cac:PostalAddress/cac:Country":              "seller.country_code",
	sellerPath + "/cac:PartyTaxScheme":                         "seller.vat_registration_number",
	sellerPath + "/cac:PartyLegalEntity":                       "seller.name",

	"/Invoice/cac:AccountingCustomerParty":                    "buyer",
	buyerPath + "/cac:PartyIdentification":                    "buyer.additional_buyer_id.{}.value",
	buyerPath + "/cac:PartyIdentification/cbc:ID/@schemeID":   "buyer.additional_buyer_id.{}.type_id",
	buyerPath + "/cac:PostalAddress/cbc:StreetName":           "buyer.street",
	buyerPath + "/cac:PostalAddress/cbc:AdditionalStreetName": "buyer.additional_street",
	buyerPath + "/cac:PostalAddress/cbc:BuildingNumber":       "buyer.building_number",
	buyerPath + "/cac:PostalAddress/cbc:PlotIdentification":   "buyer.plot_identification",
	buyerPath + "/cac:PostalAddress/cbc:CitySubdivisionName":  "buyer.district",
	buyerPath + "/cac:PostalAddress/cbc:CityName":             "buyer.city",
	buyerPath + "/cac:PostalAddress/cbc:PostalZone":           "buyer.postal_code",
	buyerPath + "/cac:PostalAddress/cbc:CountrySubentity":     "buyer.province_state",
	buyerPath + "/cac:PostalAddress/cac:Country":              "buyer.country_code",
	buyerPath + "/cac:PartyTaxScheme":                         "buyer.vat_registration_number",
	buyerPath + "/cac:PartyLegalEntity":                       "buyer.buyer_name",

	allowancePath: "document_level_allowances.{}",
	allowancePath + "/cbc:AllowanceChargeReasonCode": "document_level_allowances.{}.reason_code",
	allowancePath + "/cbc:AllowanceChargeReason":     "document_level_allowances.{}.reason",
	allowancePath + "/cbc:Amount":                    "document_level_allowances.{}.allowance_amount",
	allowancePath + "/cac:TaxCategory":               "document_level_allowances.{}.vat_category_code",
	allowancePath + "/cac:TaxCategory/cbc:Percent":   "document_level_allowances.{}.vat_rate",

	subtotalPath + "/cac:TaxCategory":                            "lines.{}.vat_category_code",
	subtotalPath + "/cac:TaxCategory/cbc:Percent":                "lines.{}.vat_rate",
	subtotalPath + "/cac:TaxCategory/cbc:TaxExemptionReasonCode": "lines.{}.vat_exemption_reason_code",
	subtotalPath + "/cac:TaxCategory/cbc:TaxExemptionReason":     "lines.{}.vat_exemption_reason_text",

	linePath:                           "lines.{}",
	linePath + "/cbc:InvoicedQuantity": "lines.{}.invoiced_quantity",
	linePath + "/cbc:InvoicedQuantity/@unitCode":                 "lines.{}.invoiced_quantity_unit_of_measure",
	linePath + "/cac:Item/cbc:Name":                              "lines.{}.item_name",
	linePath + "/cac:Item/cac:ClassifiedTaxCategory":             "lines.{}.vat_category_code",
	linePath + "/cac:Item/cac:ClassifiedTaxCategory/cbc:Percent": "lines.{}.vat_rate",
	linePath + "/cac:Price/cbc:PriceAmount":                      "lines.{}.item_net_price",

	advancePath: "prepaid_invoices.{}",
	advancePath + "/cac:DocumentReference/cbc:ID":                                            "prepaid_invoices.{}.ref_num",
	advancePath + "/cac:DocumentReference/cbc:UUID":                                          "prepaid_invoices.{}.uuid",
	advancePath + "/cac:DocumentReference/cbc:IssueDate":                                     "prepaid_invoices.{}.issue_date",
	advancePath + "/cac:DocumentReference/cbc:IssueTime":                                     "prepaid_invoices.{}.issue_time",
	advancePath + "/cac:TaxTotal/cac:TaxSubtotal":                                            "prepaid_invoices.{}.vat_breakdown.{}",
	advancePath + "/cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount":                          "prepaid_invoices.{}.vat_breakdown.{}.vat_category_taxable_amount",
	advancePath + "/cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount":                              "prepaid_invoices.{}.vat_breakdown.{}.vat_category_tax_amount",
	advancePath + "/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory":                            "prepaid_invoices.{}.vat_breakdown.{}.vat_category_code",
	advancePath + "/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:Percent":                "prepaid_invoices.{}.vat_breakdown.{}.vat_rate",
	advancePath + "/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReasonCode": "prepaid_invoices.{}.vat_breakdown.{}.vat_exemption_reason_code",
	advancePath + "/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReason":     "prepaid_invoices.{}.vat_breakdown.{}.vat_exemption_reason_text",
}

// listed are the elements that correspond to a list in the facts.
var listed = []string{"cac:InvoiceLine", "cac:AllowanceCharge", "cac:TaxSubtotal", "cac:BillingReference", "cac:PartyIdentification", "cbc:Note"}

// field returns the field of the facts for a path, or "".
func (d *document) field(path string) string {
	pattern, numbers := d.inFacts(path)
	for pattern != "" {
		if name, ok := fields[pattern]; ok {
			return numberedField(name, numbers)
		}
		pattern = pattern[:strings.LastIndexByte(pattern, '/')]
	}
	return ""
}

// inFacts splits a path into a pattern without indexes and the indexes. It
// adjusts the indexes that differ between the facts and the document: advances
// are lines in the document only, and discounts and charges share one list
// there.
func (d *document) inFacts(path string) (pattern string, numbers []int) {
	pattern, numbers = splitNumbers(path)
	switch {
	case strings.HasSuffix(pattern, "/@currencyID"):
		return currencyPath, nil
	case len(numbers) == 0:
		return pattern, nil
	case strings.HasPrefix(pattern, linePath) && numbers[0] < len(d.lines):
		advance := d.lines[numbers[0]].isAdvance()
		numbers[0] = countIf(d.lines[:numbers[0]], func(l *line) bool { return l.isAdvance() == advance })
		if advance {
			pattern = strings.Replace(pattern, linePath, advancePath, 1)
		}
	case strings.HasPrefix(pattern, allowancePath) && numbers[0] < len(d.adjustments):
		if !d.adjustments[numbers[0]].isAllowance() {
			return "", nil
		}
		numbers[0] = countIf(d.adjustments[:numbers[0]], adjustment.isAllowance)
	case strings.HasPrefix(pattern, subtotalPath):
		line := d.lineOf(path)
		if line < 0 {
			return "", nil
		}
		numbers[0] = line
	}
	return pattern, numbers
}

// isAdvance reports whether the line deducts an advance.
func (l *line) isAdvance() bool {
	for _, r := range l.DocumentReferences {
		if r.DocumentTypeCode.String() == "386" {
			return true
		}
	}
	return false
}

// lineOf returns the index of the first line with the category and rate of a
// row of the breakdown, or -1. If two rows have the same category and rate, as
// with two exemption reasons, the line is unknown.
func (d *document) lineOf(path string) int {
	row := slices.IndexFunc(d.subtotals, func(s subtotal) bool { return strings.HasPrefix(path, s.path+"/") })
	if row < 0 {
		return -1
	}
	letter, rate := d.subtotals[row].category.ID.String(), d.subtotals[row].category.Percent.String()
	rows := countIf(d.subtotals, func(s subtotal) bool {
		return s.category.ID.String() == letter && s.category.Percent.String() == rate
	})
	if rows > 1 {
		return -1
	}
	number := 0
	for _, l := range d.lines {
		if l.isAdvance() {
			continue
		}
		for _, c := range l.item.TaxCategories {
			if c.ID.String() == letter && c.Percent.String() == rate {
				return number
			}
		}
		number++
	}
	return -1
}

func countIf[T any](list []T, counts func(T) bool) int {
	n := 0
	for _, element := range list {
		if counts(element) {
			n++
		}
	}
	return n
}

// numberedField inserts the indexes into a field name. If the path has too few
// indexes, the name ends with the list.
func numberedField(name string, numbers []int) string {
	for _, n := range numbers {
		name = strings.Replace(name, "{}", strconv.Itoa(n), 1)
	}
	name, _, _ = strings.Cut(name, ".{}")
	return name
}

// splitNumbers removes the indexes in brackets from a path and returns those of
// listed elements, counted from 0.
func splitNumbers(path string) (pattern string, numbers []int) {
	var out strings.Builder
	for path != "" {
		before, after, found := strings.Cut(path, "[")
		out.WriteString(before)
		if !found {
			break
		}
		digits, rest, _ := strings.Cut(after, "]")
		name := before[strings.LastIndexByte(before, '/')+1:]
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && slices.Contains(listed, name) {
			numbers = append(numbers, n-1)
		}
		path = rest
	}
	return out.String(), numbers
}
