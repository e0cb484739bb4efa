package rules

import (
	"testing"
	"time"

	"khatm/ubl"
)

// documentOf returns a document with the given lines: a letter is a line of that
// category, 386 a line that deducts an advance. Each letter of breakdown is a
// row of the VAT breakdown.
func documentOf(lines, breakdown []string) *document {
	inv := &ubl.Invoice{TaxTotals: []*ubl.TaxTotal{{}, {}}}
	for _, word := range lines {
		l := &ubl.Line{Item: &ubl.Item{TaxCategories: []*ubl.TaxCategory{{ID: ubl.NewText(word)}}}}
		if word == "386" {
			l = &ubl.Line{DocumentReferences: []*ubl.DocumentReference{{DocumentTypeCode: ubl.NewText(word)}}}
		}
		inv.Lines = append(inv.Lines, l)
	}
	for _, letter := range breakdown {
		inv.TaxTotals[1].Subtotals = append(inv.TaxTotals[1].Subtotals,
			&ubl.TaxSubtotal{TaxCategory: &ubl.TaxCategory{ID: ubl.NewText(letter)}})
	}
	for _, indicator := range []string{"true", "false", "0"} {
		inv.AllowanceCharges = append(inv.AllowanceCharges, &ubl.AllowanceCharge{ChargeIndicator: ubl.NewText(indicator)})
	}
	return newDocument(inv, time.Time{})
}

func TestField(t *testing.T) {
	cases := []struct{ path, want string }{
		{"/Invoice", ""},
		{"/Invoice/cbc:ProfileID", ""},
		{"/Invoice/cbc:ID", "ref_num"},
		{"/Invoice/cbc:InvoiceTypeCode/@name", "transaction_code"},
		{"/Invoice/cbc:Note", "notes"},
		{"/Invoice/cbc:Note[2]", "notes.1.note"},
		{"/Invoice/cac:BillingReference[3]/cac:InvoiceDocumentReference/cbc:ID", "original_invoice_reference.2.ref_num"},
		{"/Invoice/cac:BillingReference", "original_invoice_reference"},
		{"/Invoice/cac:AdditionalDocumentReference[1]/cbc:UUID", "counter"},
		{"/Invoice/cac:AdditionalDocumentReference[2]", ""},
		{"/Invoice/cac:Delivery[1]/cbc:ActualDeliveryDate", "supply_date"},
		{"/Invoice/cac:Delivery/cbc:LatestDeliveryDate", "supply_end_date"},
		{"/Invoice/cac:PaymentMeans[1]/cbc:PaymentMeansCode", "payment_means_type_code"},
		{"/Invoice/cac:PaymentMeans[1]/cbc:InstructionNote", "reason"},
		{"/Invoice/cac:PaymentMeans[1]/cac:PayeeFinancialAccount/cbc:PaymentNote", "payment_terms"},
		{"/Invoice/cac:TaxExchangeRate/cbc:CalculationRate", "exchange_rate"},
		{sellerPath + "/cac:PartyIdentification[1]/cbc:ID", "seller.additional_seller_id.value"},
		{sellerPath + "/cac:PartyLegalEntity[1]/cbc:RegistrationName", "seller.name"},
		{sellerPath + "/cac:PartyTaxScheme[1]/cac:TaxScheme/cbc:ID", "seller.vat_registration_number"},
		{buyerPath, "buyer"},
		{buyerPath + "/cac:PartyIdentification[1]/cbc:ID/@schemeID", "buyer.additional_buyer_id.0.type_id"},
		{buyerPath + "/cac:PostalAddress/cac:Country/cbc:IdentificationCode", "buyer.country_code"},
		{"/Invoice/cac:TaxTotal[2]/cbc:TaxAmount", ""},
		{"/Invoice/cac:TaxTotal[2]/cbc:TaxAmount/@currencyID", "currency"},
		{"/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]/cac:TaxCategory/cbc:TaxExemptionReasonCode", "lines.1.vat_exemption_reason_code"},
		{"/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]/cbc:TaxAmount", ""},
		{totalsPath + "/cbc:PayableAmount", ""},
		{totalsPath + "/cbc:PrepaidAmount", "prepaid_invoices"},
		{"/Invoice/cac:InvoiceLine", "lines"},
		{"/Invoice/cac:InvoiceLine[2]/cbc:LineExtensionAmount", "lines.1"},
		{"/Invoice/cac:InvoiceLine[2]/cbc:LineExtensionAmount/@currencyID", "currency"},
		{"/Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity/@unitCode", "lines.1.invoiced_quantity_unit_of_measure"},
		{"/Invoice/cac:InvoiceLine[3]/cac:Item/cbc:Name", "lines.2.item_name"},
		{"/Invoice/cac:InvoiceLine[3]/cac:Item/cac:ClassifiedTaxCategory[1]/cbc:Percent", "lines.2.vat_rate"},
		{"/Invoice/cac:InvoiceLine[99]/cac:Price/cbc:PriceAmount", "lines.98.item_net_price"},
	}
	d := documentOf([]string{"S", "Z", "S"}, []string{"S", "Z"})
	for _, c := range cases {
		if got := d.field(c.path); got != c.want {
			t.Errorf("%s: got %q, want %q", c.path, got, c.want)
		}
	}
}

// In the facts, advances and discounts are separate lists.
func TestFieldIndexes(t *testing.T) {
	d := documentOf([]string{"S", "386", "Z", "386", "Z"}, []string{"S", "Z"})
	cases := []struct{ path, want string }{
		{"/Invoice/cac:InvoiceLine[2]", "prepaid_invoices.0"},
		{"/Invoice/cac:InvoiceLine[4]/cac:DocumentReference[1]/cbc:ID", "prepaid_invoices.1.ref_num"},
		{"/Invoice/cac:InvoiceLine[4]/cac:TaxTotal[1]/cac:TaxSubtotal[3]/cbc:TaxableAmount", "prepaid_invoices.1.vat_breakdown.2.vat_category_taxable_amount"},
		{"/Invoice/cac:InvoiceLine[4]/cac:TaxTotal/cac:TaxSubtotal", "prepaid_invoices.1.vat_breakdown"},
		{"/Invoice/cac:InvoiceLine[5]/cac:Item/cbc:Name", "lines.2.item_name"},
		{"/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]/cac:TaxCategory/cbc:Percent", "lines.1.vat_rate"},
		{"/Invoice/cac:AllowanceCharge[1]/cbc:Amount", ""},
		{"/Invoice/cac:AllowanceCharge[3]/cbc:Amount", "document_level_allowances.1.allowance_amount"},
		{"/Invoice/cac:AllowanceCharge[3]/cac:TaxCategory[1]/cbc:ID", "document_level_allowances.1.vat_category_code"},
		{"/Invoice/cac:AllowanceCharge[2]/cbc:BaseAmount", "document_level_allowances.0"},
	}
	for _, c := range cases {
		if got := d.field(c.path); got != c.want {
			t.Errorf("%s: got %q, want %q", c.path, got, c.want)
		}
	}
}

// Two rows of the same category and rate differ in the exemption reason, so the
// line is unknown.
func TestFieldOfTwoReasons(t *testing.T) {
	d := documentOf([]string{"Z", "Z"}, []string{"Z", "Z"})
	if got := d.field("/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[1]/cac:TaxCategory/cbc:TaxExemptionReasonCode"); got != "" {
		t.Errorf("field of an ambiguous row = %q, want none", got)
	}
}
