package rules_test

import (
	"strings"
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// The sheets look for some elements wherever the schema allows them.
func TestElementsElsewhere(t *testing.T) {
	const party = `<cac:IssuerParty><cac:PostalAddress><cac:Country><cbc:IdentificationCode>QQ</cbc:IdentificationCode></cac:Country></cac:PostalAddress></cac:IssuerParty>`
	const means = `<cac:PaymentMeans><cbc:PaymentMeansCode>6666</cbc:PaymentMeansCode></cac:PaymentMeans>`
	const total = `<cac:TaxTotal><cbc:TaxAmount currencyID="SAR">0</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxAmount currencyID="SAR">0</cbc:TaxAmount>` +
		`<cac:TaxCategory><cbc:TaxExemptionReasonCode>VATEX-SA-EDU</cbc:TaxExemptionReasonCode><cac:TaxScheme/></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>`
	const reference, allowance = `</cac:AdditionalDocumentReference>`, `</cac:AllowanceCharge>`
	cases := []struct{ name, base, before, insert, id, path string }{
		{"party in a reference", "388-standard-s15-sar", reference, party, "BR-CL-14",
			"/Invoice/cac:AdditionalDocumentReference[1]/cac:IssuerParty/cac:PostalAddress/cac:Country/cbc:IdentificationCode"},
		{"payment means of a discount", "388-standard-s15-sar-discount", allowance, means, "BR-CL-16",
			"/Invoice/cac:AllowanceCharge[1]/cac:PaymentMeans/cbc:PaymentMeansCode"},
		{"payment means of a discount, Saudi list", "388-standard-s15-sar-discount", allowance, means, "BR-KSA-16",
			"/Invoice/cac:AllowanceCharge[1]/cac:PaymentMeans/cbc:PaymentMeansCode"},
		{"reason missing in payment means of a discount", "381-standard-s15-sar-discount", allowance, means, "BR-KSA-17",
			"/Invoice/cac:AllowanceCharge[1]/cac:PaymentMeans/cbc:InstructionNote"},
		{"VAT total of a discount", "388-standard-s15-sar-discount", allowance, total, "BR-KSA-49",
			"/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyIdentification/cbc:ID"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			document := string(sealed(t, c.base))
			for _, step := range []struct {
				document string
				want     rules.Status
			}{{document, rules.Passed}, {strings.Replace(document, c.before, c.insert+c.before, 1), rules.Failed}} {
				inv, err := ubl.Read([]byte(step.document))
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range rules.Check(inv, issued) {
					if r.Rule.ID != c.id {
						continue
					}
					if (r.Status == rules.Failed) != (step.want == rules.Failed) {
						t.Errorf("%s: got %s, want %s", c.id, r.Status, step.want)
					}
					if r.Status == rules.Failed && r.Places[0].Path != c.path {
						t.Errorf("first place = %s, want %s", r.Places[0].Path, c.path)
					}
				}
			}
		})
	}
}
