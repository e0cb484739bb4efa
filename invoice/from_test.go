package invoice_test

import (
	"errors"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/ubl"

	"github.com/google/go-cmp/cmp"
)

// fullDocument returns the golden document as UBL.
func fullDocument(t *testing.T) *ubl.Invoice {
	t.Helper()
	inv, err := build(parse(t, read(t, "full")))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// TestFromUBLKeepsTheFacts checks that FromUBL returns the original facts, except for
// the name in the other script and the default reason code 95.
func TestFromUBLKeepsTheFacts(t *testing.T) {
	want := parse(t, read(t, "full"))
	want.Seller.Name = ""
	want.Allowances[0].ReasonCode = "95"
	want.Identity = identity
	want.Originals = nil // the JSON has an empty list
	got, err := invoice.FromUBL(fullDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestFromUBLReportsUnsupportedElements adds elements that Facts does not support, one
// at a time.
func TestFromUBLReportsUnsupportedElements(t *testing.T) {
	text := ubl.NewText
	node := ubl.Rest{Unmodelled: []*ubl.Node{{Name: "cbc:AccountingCost"}}}
	discount := []*ubl.AllowanceCharge{{ChargeIndicator: text("false"), Amount: text("1.00", "currencyID", "USD")}}
	const root, line, party = "/Invoice/", "/Invoice/cac:InvoiceLine[1]/", "/Invoice/cac:AccountingCustomerParty/cac:Party/"
	const advanceLine = "/Invoice/cac:InvoiceLine[6]/"
	cases := []struct {
		path   string
		change func(*ubl.Invoice)
	}{
		{root + "cbc:DueDate", func(i *ubl.Invoice) { i.DueDate = text("2026-12-14") }},
		{root + "cbc:TaxPointDate", func(i *ubl.Invoice) { i.TaxPointDate = text("2026-12-14") }},
		{root + "cac:OrderReference", func(i *ubl.Invoice) { i.OrderReference = &ubl.Identification{ID: text("PO-7")} }},
		{root + "cac:ContractDocumentReference", func(i *ubl.Invoice) { i.ContractDocumentReferences = []*ubl.DocumentReference{{ID: text("C-7")}} }},
		{root + "cbc:AccountingCost", func(i *ubl.Invoice) { i.Rest = node }},
		{root + "cbc:ProfileID", func(i *ubl.Invoice) { i.ProfileID.Value = "clearance:1.0" }},
		{root + "cbc:TaxCurrencyCode", func(i *ubl.Invoice) { i.TaxCurrencyCode.Value = "USD" }},
		{root + "cbc:InvoiceTypeCode", func(i *ubl.Invoice) { i.InvoiceTypeCode.Value = "invoice" }},
		{root + "cbc:InvoiceTypeCode/@name", func(i *ubl.Invoice) { i.InvoiceTypeCode.Attrs[0].Value = "010000001" }},
		{root + "cac:AdditionalDocumentReference[1]/cbc:UUID", func(i *ubl.Invoice) { i.AdditionalDocumentReferences[0].UUID.Value = "x" }},
		{root + "cac:AdditionalDocumentReference[3]", func(i *ubl.Invoice) {
			i.AdditionalDocumentReferences = append(i.AdditionalDocumentReferences, &ubl.DocumentReference{ID: text("Timesheet")})
		}},
		{root + "cac:AdditionalDocumentReference[3]", func(i *ubl.Invoice) {
			i.AdditionalDocumentReferences = append(i.AdditionalDocumentReferences, &ubl.DocumentReference{ID: text("ICV"), UUID: text("7")})
		}},
		{root + "cac:BillingReference[1]/cac:InvoiceDocumentReference/cbc:UUID", func(i *ubl.Invoice) {
			i.BillingReferences = []*ubl.BillingReference{{InvoiceDocumentReference: &ubl.DocumentReference{ID: text("I"), UUID: text("u")}}}
		}},
		{root + "cac:Delivery[2]", func(i *ubl.Invoice) { i.Deliveries = append(i.Deliveries, &ubl.Delivery{}) }},
		{root + "cac:PaymentMeans[2]", func(i *ubl.Invoice) { i.PaymentMeans = append(i.PaymentMeans, &ubl.PaymentMeans{}) }},
		{root + "cac:PaymentMeans[1]/cbc:PaymentDueDate", func(i *ubl.Invoice) { i.PaymentMeans[0].PaymentDueDate = text("2026-12-14") }},
		{root + "cac:PaymentMeans[1]/cbc:PaymentID", func(i *ubl.Invoice) { i.PaymentMeans[0].PaymentIDs = []*ubl.Text{text("7")} }},
		{root + "cac:PaymentMeans[1]/cbc:InstructionNote", func(i *ubl.Invoice) { i.PaymentMeans[0].InstructionNotes = []*ubl.Text{text("a"), text("b")} }},
		{root + "cac:PaymentMeans[1]/cac:PayeeFinancialAccount/cbc:ID", func(i *ubl.Invoice) { i.PaymentMeans[0].PayeeFinancialAccount.ID = text("SA03") }},
		{root + "cac:TaxExchangeRate/cbc:SourceCurrencyCode", func(i *ubl.Invoice) { i.TaxExchangeRate.SourceCurrencyCode.Value = "EUR" }},
		{root + "cac:TaxExchangeRate/cbc:TargetCurrencyCode", func(i *ubl.Invoice) { i.TaxExchangeRate.TargetCurrencyCode.Value = "AED" }},
		{root + "cac:TaxExchangeRate/cbc:CalculationRate", func(i *ubl.Invoice) { i.TaxExchangeRate.CalculationRate.Value = "3,75" }},
		{root + "cac:TaxExchangeRate/cbc:CalculationRate", func(i *ubl.Invoice) { i.TaxExchangeRate.CalculationRate.Value = "0.00" }},
		{root + "cac:TaxExchangeRate/cbc:CalculationRate", func(i *ubl.Invoice) { i.TaxExchangeRate.CalculationRate.Value = "-3.75" }},
		{root + "cac:TaxExchangeRate/cbc:CalculationRate", func(i *ubl.Invoice) { i.TaxExchangeRate.CalculationRate = nil }},
		{root + "cac:AllowanceCharge[1]", func(i *ubl.Invoice) { i.AllowanceCharges[0].ChargeIndicator.Value = "true" }},
		{root + "cac:AllowanceCharge[1]/cbc:BaseAmount", func(i *ubl.Invoice) { i.AllowanceCharges[0].BaseAmount = text("274") }},
		{root + "cac:AllowanceCharge[1]/cbc:MultiplierFactorNumeric", func(i *ubl.Invoice) { i.AllowanceCharges[0].MultiplierFactorNumeric = text("10") }},
		{root + "cac:AllowanceCharge[2]/cac:TaxCategory", func(i *ubl.Invoice) { i.AllowanceCharges[1].TaxCategories = nil }},
		{root + "cac:AllowanceCharge[2]/cbc:Amount/@currencyID", func(i *ubl.Invoice) { i.AllowanceCharges[1].Amount.Attrs[0].Value = "SAR" }},
		{root + "cac:LegalMonetaryTotal/cbc:ChargeTotalAmount", func(i *ubl.Invoice) { i.MonetaryTotal.ChargeTotalAmount = text("5.00", "currencyID", "USD") }},
		{root + "cac:LegalMonetaryTotal/cbc:PrepaidAmount", func(i *ubl.Invoice) { i.MonetaryTotal.PrepaidAmount.Value = "325.62" }},
		{root + "cac:TaxTotal/cac:TaxSubtotal[6]", func(i *ubl.Invoice) {
			s := *i.TaxTotals[1].Subtotals[0]
			s.TaxCategory = &ubl.TaxCategory{ID: text("S"), Percent: text("10")}
			i.TaxTotals[1].Subtotals = append(i.TaxTotals[1].Subtotals, &s)
		}},

		{party + "cac:PartyIdentification[2]", func(i *ubl.Invoice) {
			i.Customer.Party.Identifications = append(i.Customer.Party.Identifications, &ubl.Identification{ID: text("1", "schemeID", "CRN")})
		}},
		{party + "cac:PartyName", func(i *ubl.Invoice) { i.Customer.Party.Names = []*ubl.PartyName{{Name: text("Noor")}} }},
		{party + "cac:Contact", func(i *ubl.Invoice) { i.Customer.Party.Contact = &ubl.Contact{Name: text("Ali")} }},
		{party + "cac:PartyLegalEntity[2]", func(i *ubl.Invoice) {
			i.Customer.Party.LegalEntities = append(i.Customer.Party.LegalEntities, &ubl.LegalEntity{RegistrationName: text("B")})
		}},
		{party + "cac:PartyTaxScheme[2]", func(i *ubl.Invoice) {
			i.Customer.Party.TaxSchemes = append(i.Customer.Party.TaxSchemes, &ubl.PartyTaxScheme{})
		}},
		{party + "cac:PartyTaxScheme[1]/cac:TaxScheme/cbc:ID", func(i *ubl.Invoice) { i.Customer.Party.TaxSchemes[0].TaxScheme.ID.Value = "GST" }},
		{party + "cac:PostalAddress/cbc:AccountingCost", func(i *ubl.Invoice) { i.Customer.Party.PostalAddress.Rest = node }},

		{line + "cbc:ID", func(i *ubl.Invoice) { i.Lines[0].ID.Value = "10" }},
		{line + "cbc:Note", func(i *ubl.Invoice) { i.Lines[0].Notes = []*ubl.Text{text("fragile")} }},
		{line + "cac:AllowanceCharge", func(i *ubl.Invoice) { i.Lines[0].AllowanceCharges = discount }},
		{line + "cac:DocumentReference", func(i *ubl.Invoice) { i.Lines[0].DocumentReferences = []*ubl.DocumentReference{{ID: text("D")}} }},
		{line + "cac:Price/cbc:BaseQuantity", func(i *ubl.Invoice) { i.Lines[0].Price.BaseQuantity = text("100") }},
		{line + "cac:Price/cac:AllowanceCharge", func(i *ubl.Invoice) { i.Lines[0].Price.AllowanceCharges = discount }},
		{line + "cac:Price/cbc:PriceAmount", func(i *ubl.Invoice) { i.Lines[0].Price.PriceAmount.Value = "1e2" }},
		{line + "cac:Price/cbc:PriceAmount/@currencyID", func(i *ubl.Invoice) { i.Lines[0].Price.PriceAmount.Attrs = nil }},
		{line + "cbc:InvoicedQuantity", func(i *ubl.Invoice) { i.Lines[0].InvoicedQuantity.Value = " 12" }},
		{line + "cac:Item/cbc:Description", func(i *ubl.Invoice) { i.Lines[0].Item.Descriptions = []*ubl.Text{text("white")} }},
		{line + "cac:Item/cac:SellersItemIdentification", func(i *ubl.Invoice) { i.Lines[0].Item.SellersIdentification = &ubl.Identification{} }},
		{line + "cac:Item/cac:AdditionalItemProperty", func(i *ubl.Invoice) { i.Lines[0].Item.Properties = []*ubl.ItemProperty{{}} }},
		{line + "cac:Item/cac:ClassifiedTaxCategory", func(i *ubl.Invoice) {
			i.Lines[0].Item.TaxCategories = append(i.Lines[0].Item.TaxCategories, &ubl.TaxCategory{})
		}},
		{line + "cac:Item/cac:ClassifiedTaxCategory/cac:TaxScheme/cbc:ID", func(i *ubl.Invoice) { i.Lines[0].Item.TaxCategories[0].TaxScheme.ID.Value = "GST" }},
		{advanceLine + "cac:DocumentReference[2]", func(i *ubl.Invoice) {
			l := i.Lines[5]
			l.DocumentReferences = append(l.DocumentReferences, &ubl.DocumentReference{ID: text("ADV-2")})
		}},
		{advanceLine + "cac:Price/cbc:PriceAmount", func(i *ubl.Invoice) { i.Lines[5].Price.PriceAmount.Value = "1.00" }},
		{advanceLine + "cbc:InvoicedQuantity", func(i *ubl.Invoice) { i.Lines[5].InvoicedQuantity.Value = "1" }},
		{advanceLine + "cac:Item/cbc:Name", func(i *ubl.Invoice) { i.Lines[5].Item.Name.Value = "Prepayment" }},
		{"/Invoice/cac:InvoiceLine[8]", func(i *ubl.Invoice) {
			l := *i.Lines[0]
			l.ID = text("8")
			i.Lines = append(i.Lines, &l)
		}},
	}
	for _, c := range cases {
		t.Run(strings.TrimPrefix(c.path, "/Invoice/"), func(t *testing.T) {
			inv := fullDocument(t)
			c.change(inv)
			_, err := invoice.FromUBL(inv)
			var problems invoice.Problems
			if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Path != c.path {
				t.Errorf("got %v, want one problem at %s", err, c.path)
			}
		})
	}
}

// TestNamesFromUBL checks that a name with an Arabic letter becomes the Arabic name.
func TestNamesFromUBL(t *testing.T) {
	for _, c := range []struct{ text, name, arabic string }{
		{"Al Noor Est.", "Al Noor Est.", ""},
		{"مؤسسة النور", "", "مؤسسة النور"},
		{"Al Noor | النور", "", "Al Noor | النور"},
		{"7-Eleven ٧", "7-Eleven ٧", ""}, // a digit is not a letter
		{"شرکت ایرانی", "", "شرکت ایرانی"},
		{"", "", ""},
	} {
		inv := fullDocument(t)
		inv.Customer.Party.LegalEntities[0].RegistrationName.Value = c.text
		f, err := invoice.FromUBL(inv)
		if err != nil || f.Buyer.Name != c.name || f.Buyer.NameArabic != c.arabic {
			t.Errorf("%q: got names %q and %q, %v, want %q and %q", c.text, f.Buyer.Name, f.Buyer.NameArabic, err, c.name, c.arabic)
		}
	}
}

// TestReasonsFromUBL checks that lines are assigned to reasons, or that a problem is
// reported.
func TestReasonsFromUBL(t *testing.T) {
	discounted := func(amount string, lines ...string) invoice.Facts {
		f := sale(lines...)
		f.Allowances = []invoice.Allowance{allowance(amount, "Z", "0")}
		return f
	}
	var many []string
	for range 40 {
		many = append(many, "0.02 1 Z35", "0.06 1 Z36", "10 1 S15")
	}
	cases := []struct {
		name  string
		facts invoice.Facts
		says  string
	}{
		{"alternating", sale("1 1 Z35", "2 1 Z36", "4 1 Z35", "8 1 Z36"), ""},
		{"one after the other", sale("1 1 Z35", "2 1 Z35", "4 1 Z36", "8 1 Z36"), ""},
		{"lines of zero", sale("0.01 0.1 Z35", "0.01 0.1 Z36"), ""},
		{"many equal lines", sale(many...), ""},
		{"discount within the first", discounted("0.50", "1 1 Z35", "2 1 Z36", "4 1 Z35"), ""},
		{"discount beyond the first", discounted("1.50", "1 1 Z35", "2 1 Z36", "4 1 Z36"), "no assignment"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inv, err := build(c.facts)
			if err != nil {
				t.Fatal(err)
			}
			err = roundTrip(inv)
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("round trip = %v, want an error that contains %q", err, c.says)
			}
		})
	}
}

// TestFromUBLOfAnEmptyDocument converts documents without content.
func TestFromUBLOfAnEmptyDocument(t *testing.T) {
	f, err := invoice.FromUBL(&ubl.Invoice{})
	if err == nil || f.Buyer != nil || len(f.Lines) != 0 {
		t.Errorf("empty document: got %+v, %v, want no buyer, no lines and an error", f, err)
	}
	if _, err := invoice.Compute(f); err == nil {
		t.Error("Compute with the facts of an empty document succeeded, want an error")
	}
	if f, err := invoice.FromUBL(&ubl.Invoice{Lines: []*ubl.Line{{}}, TaxTotals: []*ubl.TaxTotal{{Subtotals: []*ubl.TaxSubtotal{{}}}}}); err == nil || len(f.Lines) != 1 {
		t.Errorf("document with empty elements: got %+v, %v, want one line and an error", f, err)
	}
}
