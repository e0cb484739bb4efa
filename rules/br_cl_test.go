package rules_test

import (
	"strings"
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// inCurrency returns a change that sets the currency of the net amount of the
// first line.
func inCurrency(code string) func(*ubl.Invoice) {
	return func(i *ubl.Invoice) { i.Lines[0].LineExtensionAmount.Attrs[0].Value = code }
}

func TestCodeRules(t *testing.T) {
	const amount = "/Invoice/cac:InvoiceLine[1]/cbc:LineExtensionAmount/@currencyID"
	country := func(code string) func(*ubl.Invoice) {
		return func(i *ubl.Invoice) { i.Customer.Party.PostalAddress.Country.IdentificationCode.Value = code }
	}
	show(t, []example{
		{"BR-CL-01", standard, nil, rules.Passed, ""},
		{"BR-CL-01", standard, func(i *ubl.Invoice) { i.InvoiceTypeCode.Value = " 380 " }, rules.Passed, ""},
		{"BR-CL-01", standard, func(i *ubl.Invoice) { i.InvoiceTypeCode.Value = "388 381" }, rules.Failed, "/Invoice/cbc:InvoiceTypeCode"},
		{"BR-CL-03", standard, nil, rules.Passed, ""},
		{"BR-CL-03", standard, inCurrency("SAr"), rules.Failed, amount},
		{"BR-CL-03", standard, inCurrency("SAR\u00a0"), rules.Failed, amount},
		{"BR-CL-03", standard, inCurrency(""), rules.Passed, ""},
		{"BR-CL-03", standard, func(i *ubl.Invoice) { i.TaxTotals[0].TaxAmount.Attrs[0].Value = "RIYAL" }, rules.Failed, "/Invoice/cac:TaxTotal[1]/cbc:TaxAmount/@currencyID"},
		{"BR-CL-03", standard, func(i *ubl.Invoice) {
			i.Unmodelled = []*ubl.Node{{Name: "cac:PaymentTerms", Children: []*ubl.Node{
				{Name: "cbc:Amount", Text: "1", Attrs: []ubl.Attr{{Name: "currencyID", Value: "RIYAL"}}},
			}}}
		}, rules.Failed, "/Invoice/cac:PaymentTerms/cbc:Amount/@currencyID"},
		{"BR-CL-04", standard, nil, rules.Passed, ""},
		{"BR-CL-04", standard, func(i *ubl.Invoice) { i.DocumentCurrencyCode.Value = "MRU" }, rules.Failed, "/Invoice/cbc:DocumentCurrencyCode"},
		{"BR-CL-05", standard, nil, rules.Passed, ""},
		{"BR-CL-05", standard, func(i *ubl.Invoice) { i.TaxCurrencyCode.Value = "" }, rules.Failed, "/Invoice/cbc:TaxCurrencyCode"},
		{"BR-CL-05", standard, func(i *ubl.Invoice) { i.TaxCurrencyCode = nil }, rules.NotApplicable, ""},
		{"BR-CL-14", standard, country("\nAE "), rules.Passed, ""},
		{"BR-CL-14", standard, country("XK"), rules.Failed, "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PostalAddress/cac:Country/cbc:IdentificationCode"},
		{"BR-CL-14", standard, func(i *ubl.Invoice) {
			i.Deliveries[0].Unmodelled = []*ubl.Node{{Name: "cac:DeliveryAddress", Children: []*ubl.Node{
				{Name: "cac:Country", Children: []*ubl.Node{{Name: "cbc:IdentificationCode", Text: "UK"}}},
			}}}
		}, rules.Failed, "/Invoice/cac:Delivery[1]/cac:DeliveryAddress/cac:Country/cbc:IdentificationCode"},
		{"BR-CL-16", standard, nil, rules.Passed, ""},
		{"BR-CL-16", standard, func(i *ubl.Invoice) { i.PaymentMeans[0].PaymentMeansCode.Value = "71" }, rules.Failed, "/Invoice/cac:PaymentMeans[1]/cbc:PaymentMeansCode"},
		{"BR-CL-16", standard, func(i *ubl.Invoice) { i.PaymentMeans = nil }, rules.NotApplicable, ""},
		{"BR-CL-18", standard, nil, rules.Passed, ""},
		{"BR-CL-18", standard, func(i *ubl.Invoice) { i.TaxTotals[1].Subtotals[0].TaxCategory.ID.Value = "s" }, rules.Failed, "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[1]/cac:TaxCategory/cbc:ID"},
		{"BR-CL-18", standard, func(i *ubl.Invoice) {
			i.Lines[1].Item.TaxCategories = append(i.Lines[1].Item.TaxCategories, vatCategory("X", "15", "GST"))
		}, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:Item/cac:ClassifiedTaxCategory[2]/cbc:ID"},
		{"BR-CL-18", twiceCharged, func(i *ubl.Invoice) { i.AllowanceCharges[0].TaxCategories[0].ID.Value = "" }, rules.Failed, "/Invoice/cac:AllowanceCharge[1]/cac:TaxCategory[1]/cbc:ID"},
		{"BR-CL-18", twiceCharged, func(i *ubl.Invoice) { i.Lines[1].AllowanceCharges[0].TaxCategories[0].ID.Value = "X" }, rules.Passed, ""},
	})
}

func TestSaudiCodeRules(t *testing.T) {
	const amount = "/Invoice/cac:InvoiceLine[1]/cbc:LineExtensionAmount/@currencyID"
	const mime = "/Invoice/cac:AdditionalDocumentReference[2]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject/@mimeCode"
	const qr = "/Invoice/cac:AdditionalDocumentReference[3]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"
	const advance = "/Invoice/cac:InvoiceLine[4]/cac:TaxTotal[1]/cac:TaxSubtotal[1]"
	chargeReason := func(code string) func(*ubl.Invoice) {
		return func(i *ubl.Invoice) { i.Lines[1].AllowanceCharges[0].ReasonCode.Value = code }
	}
	reason := func(code string) func(*ubl.Invoice) {
		return func(i *ubl.Invoice) {
			i.TaxTotals[1].Subtotals[1].TaxCategory.TaxExemptionReasonCode = ubl.NewText(code)
		}
	}
	advanceReason := func(letter, code string) func(*ubl.Invoice) {
		return func(i *ubl.Invoice) {
			c := vatCategory(letter, "0", "VAT")
			c.TaxExemptionReasonCode = ubl.NewText(code)
			i.Lines[3].TaxTotals[0].Subtotals[0].TaxCategory = c
		}
	}
	object := func(i *ubl.Invoice, n int) *ubl.Text {
		return i.AdditionalDocumentReferences[n].Attachment.EmbeddedDocumentBinaryObject
	}
	show(t, []example{
		{"BR-KSA-CL-01", standard, nil, rules.Passed, ""},
		{"BR-KSA-CL-01", standard, func(i *ubl.Invoice) { i.DocumentCurrencyCode.Value = "riyal" }, rules.Failed, "/Invoice/cbc:DocumentCurrencyCode"},
		{"BR-KSA-CL-01", deducting, func(i *ubl.Invoice) { i.Lines[3].TaxTotals[0].Subtotals[0].TaxAmount.Attrs[0].Value = "" }, rules.Failed, advance + "/cbc:TaxAmount/@currencyID"},
		{"BR-KSA-CL-02", foreign, nil, rules.Passed, ""},
		{"BR-KSA-CL-02", standard, inCurrency("USD"), rules.Failed, amount},
		{"BR-KSA-CL-02", standard, inCurrency(""), rules.Failed, amount},
		{"BR-KSA-CL-02", standard, inCurrency("SAR "), rules.Failed, amount},
		{"BR-KSA-CL-02", standard, inCurrency("AR"), rules.Passed, ""},
		{"BR-KSA-CL-02", standard, inCurrency("^S.R$"), rules.Passed, ""},
		{"BR-KSA-CL-02", standard, func(i *ubl.Invoice) { i.Lines[1].TaxTotals[0].RoundingAmount.Attrs = nil }, rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:TaxTotal[1]/cbc:RoundingAmount/@currencyID"},
		{"BR-KSA-CL-03", standard, nil, rules.Passed, ""},
		{"BR-KSA-CL-03", standard, func(i *ubl.Invoice) { object(i, 1).Attrs = nil }, rules.Failed, mime},
		{"BR-KSA-CL-03", standard, func(i *ubl.Invoice) { object(i, 1).Attrs[0].Value = "text/html" }, rules.Failed, mime},
		{"BR-KSA-CL-04", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-CL-04", discounted, nil, rules.Passed, ""},
		{"BR-KSA-CL-04", discounted, reason(" VATEX-SA-32(bis) "), rules.Passed, ""},
		{"BR-KSA-CL-04", discounted, reason(""), rules.Passed, ""},
		{"BR-KSA-CL-04", discounted, reason("VATEX-SA-30"), rules.Failed, "/Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]/cac:TaxCategory/cbc:TaxExemptionReasonCode"},
		{"BR-KSA-CL-06", standard, nil, rules.NotApplicable, ""},
		{"BR-KSA-CL-06", twiceCharged, nil, rules.Passed, ""},
		{"BR-KSA-CL-06", twiceCharged, chargeReason("AA AAA"), rules.Passed, ""},
		{"BR-KSA-CL-06", twiceCharged, chargeReason("IAB"), rules.Failed, "/Invoice/cac:InvoiceLine[2]/cac:AllowanceCharge[1]/cbc:AllowanceChargeReasonCode"},
		{"BR-KSA-CL-06", standard, func(i *ubl.Invoice) {
			i.Unmodelled = []*ubl.Node{{Name: "cac:DeliveryTerms", Children: []*ubl.Node{{Name: "cac:AllowanceCharge", Children: []*ubl.Node{
				{Name: "cbc:ChargeIndicator", Text: "true"}, {Name: "cbc:AllowanceChargeReasonCode", Text: "QQ"},
			}}}}}
		}, rules.Failed, "/Invoice/cac:DeliveryTerms/cac:AllowanceCharge/cbc:AllowanceChargeReasonCode"},
		{"BR-KSA-CL-07", deducting, nil, rules.NotApplicable, ""},
		{"BR-KSA-CL-07", deducting, advanceReason("Z", "VATEX-SA-DUTYFREE"), rules.Passed, ""},
		{"BR-KSA-CL-07", deducting, advanceReason("Z", "VATEX-SA-32(bis)"), rules.Failed, advance + "/cac:TaxCategory/cbc:TaxExemptionReasonCode"},
		{"BR-KSA-CL-07", deducting, func(i *ubl.Invoice) {
			advanceReason("O", "VATEX-SA-29")(i)
			i.TaxTotals[1].Subtotals[0].TaxCategory.ID.Value = "Z"
			for _, l := range i.Lines {
				l.Item.TaxCategories[0].ID.Value = "Z"
			}
		}, rules.NotApplicable, ""},
		{"BR-CL-KSA-14", simplified, nil, rules.Passed, ""},
		{"BR-CL-KSA-14", simplified, func(i *ubl.Invoice) { object(i, 2).Value = strings.Repeat("ع", 1000) }, rules.Passed, ""},
		{"BR-CL-KSA-14", simplified, func(i *ubl.Invoice) { object(i, 2).Value = strings.Repeat("A", 1001) }, rules.Failed, qr},
		{"BR-CL-KSA-14", simplified, func(i *ubl.Invoice) { object(i, 2).Value = "" }, rules.Failed, qr},
		{"BR-CUSTOM-VALIDATION-01", simplified, nil, rules.NotApplicable, ""},
		{"BR-CUSTOM-VALIDATION-01", standard, nil, rules.Passed, ""},
		{"BR-CUSTOM-VALIDATION-01", standard, func(i *ubl.Invoice) {
			i.Customer.Party.TaxSchemes[0].CompanyID.Value = i.Supplier.Party.TaxSchemes[0].CompanyID.Value
		}, rules.Failed, "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID"},
	})
}
