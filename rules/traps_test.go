package rules_test

import (
	"strings"
	"testing"

	"khatm/rules"
)

const (
	legalEntity = "<cac:PartyLegalEntity><cbc:RegistrationName>A</cbc:RegistrationName></cac:PartyLegalEntity>"
	taxNumber   = "<cac:PartyTaxScheme><cbc:CompanyID>310175397400003</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>"
	delivery    = "<cac:Delivery><cbc:ActualDeliveryDate>2026-11-13</cbc:ActualDeliveryDate></cac:Delivery>"
	account     = "<cac:PaymentMeans><cbc:PaymentMeansCode>42</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>1</cbc:ID><cbc:PaymentNote>A</cbc:PaymentNote></cac:PayeeFinancialAccount></cac:PaymentMeans>"
	attachedAs  = "<cac:AdditionalDocumentReference><cbc:ID>%</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/plain\">AAAA</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>"
	identity    = `<cac:PartyIdentification><cbc:ID schemeID="OTH">1</cbc:ID></cac:PartyIdentification>`

	buyerNumber = "<cbc:CompanyID>311287654900003</cbc:CompanyID>"

	customer  = "<cac:AccountingCustomerParty><cac:Party>"
	buyerEnd  = "</cac:Party></cac:AccountingCustomerParty>"
	sellerEnd = "</cac:Party></cac:AccountingSupplierParty>"
	lineTax   = `<cac:TaxTotal><cbc:TaxAmount currencyID="SAR">0</cbc:TaxAmount></cac:TaxTotal><cac:Item>`
	price     = "</cbc:PriceAmount>"
)

// The expected results were determined with the official sheets.
var trapExamples = []struct{ name, document, old, text, want string }{
	{"unchanged", "credit", customer, customer, ""},
	{"unchanged", "till", "<cbc:ProfileID>", "<cbc:ProfileID>", ""},
	{"seller's names", "till", sellerEnd, legalEntity + sellerEnd, "SHEET-REPEATED /Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity[2]/cbc:RegistrationName"},
	{"seller's entity without a name", "till", sellerEnd, "<cac:PartyLegalEntity/>" + sellerEnd, ""},
	{"seller's identities", "till", "<cac:PartyIdentification>", identity + "<cac:PartyIdentification>", "SHEET-REPEATED /Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification[2]/cbc:ID"},
	{"seller's VAT numbers", "till", "<cac:PartyTaxScheme>", taxNumber + "<cac:PartyTaxScheme>", "SHEET-REPEATED /Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme[2]/cbc:CompanyID"},
	{"buyer's names", "credit", buyerEnd, legalEntity + buyerEnd, "SHEET-REPEATED /Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity[2]/cbc:RegistrationName"},
	{"buyer's VAT numbers", "credit", buyerNumber, buyerNumber + "<cac:TaxScheme/></cac:PartyTaxScheme><cac:PartyTaxScheme>" + buyerNumber, "SHEET-REPEATED /Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[2]/cbc:CompanyID"},
	{"buyer's identities", "credit", customer, customer + identity + identity, "SHEET-REPEATED /Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyIdentification[2]/cbc:ID"},
	{"buyer's notes", "credit", buyerEnd, "<cac:Contact><cbc:Note>A</cbc:Note><cbc:Note>B</cbc:Note></cac:Contact>" + buyerEnd, "SHEET-REPEATED /Invoice/cac:AccountingCustomerParty/cac:Party/cac:Contact/cbc:Note[2]"},
	{"contracts", "till", "<cac:AdditionalDocumentReference>", strings.Repeat("<cac:ContractDocumentReference><cbc:ID>1</cbc:ID></cac:ContractDocumentReference>", 2) + "<cac:AdditionalDocumentReference>", "SHEET-REPEATED /Invoice/cac:ContractDocumentReference[2]/cbc:ID"},
	{"counters", "till", "<cbc:ID>PIH</cbc:ID>", "<cbc:ID>PIH</cbc:ID><cbc:UUID>1</cbc:UUID>", "SHEET-REPEATED /Invoice/cac:AdditionalDocumentReference[2]/cbc:UUID"},
	{"QR codes", "till", "<cac:Signature>", strings.Replace(attachedAs, "%", " QR ", 1) + "<cac:Signature>", "SHEET-REPEATED /Invoice/cac:AdditionalDocumentReference[4]/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"},
	{"other attachments", "till", "<cac:Signature>", strings.Replace(attachedAs, "%", "A", 1) + "<cac:Signature>", ""},
	{"stamps", "till", "</sac:SignatureInformation>", "</sac:SignatureInformation><sac:SignatureInformation><sbc:ReferencedSignatureID>A</sbc:ReferencedSignatureID></sac:SignatureInformation>", "SHEET-REPEATED /Invoice/ext:UBLExtensions/ext:UBLExtension[1]/ext:ExtensionContent/sig:UBLDocumentSignatures/sac:SignatureInformation[2]/sbc:ReferencedSignatureID"},
	{"stamps of a standard document", "credit", "</sac:SignatureInformation>", "</sac:SignatureInformation><sac:SignatureInformation><sbc:ReferencedSignatureID>A</sbc:ReferencedSignatureID></sac:SignatureInformation>", ""},
	{"accounts", "till", "<cac:PaymentMeans>", account + account + "<cac:PaymentMeans>", "SHEET-REPEATED /Invoice/cac:PaymentMeans[2]/cac:PayeeFinancialAccount/cbc:PaymentNote"},
	{"one account", "till", "<cac:PaymentMeans>", account + "<cac:PaymentMeans>", ""},
	{"deliveries", "credit", "<cac:Delivery>", delivery + "<cac:Delivery>", "SHEET-REPEATED /Invoice/cac:Delivery[2]/cbc:ActualDeliveryDate"},
	{"delivery of a line", "credit", "</cbc:LineExtensionAmount><cac:TaxTotal>", "</cbc:LineExtensionAmount>" + delivery + "<cac:TaxTotal>", "SHEET-REPEATED /Invoice/cac:InvoiceLine[1]/cac:Delivery[1]/cbc:ActualDeliveryDate"},
	{"deliveries of a simplified document", "till", "<cac:PaymentMeans>", delivery + delivery + "<cac:PaymentMeans>", ""},
	{"reasons of a discount", "388-standard-s15-z-sar-discount", "<cbc:AllowanceChargeReason>", "<cbc:AllowanceChargeReason>A</cbc:AllowanceChargeReason><cbc:AllowanceChargeReason>", "SHEET-REPEATED /Invoice/cac:AllowanceCharge[2]/cbc:AllowanceChargeReason[2]"},
	{"reasons of an exemption", "388-standard-s15-z-sar-discount", "<cbc:TaxExemptionReason>", "<cbc:TaxExemptionReason>A</cbc:TaxExemptionReason><cbc:TaxExemptionReason>", "SHEET-REPEATED /Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[2]/cac:TaxCategory/cbc:TaxExemptionReason[2]"},
	{"VAT of a line", "till", "<cac:Item>", lineTax, "SHEET-REPEATED /Invoice/cac:InvoiceLine[1]/cac:TaxTotal[2]/cbc:TaxAmount"},
	{"third VAT total, in dollars", "388-standard-s15-usd", "<cac:LegalMonetaryTotal>", `<cac:TaxTotal><cbc:TaxAmount currencyID="SAR">0</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>`, "SHEET-REPEATED /Invoice/cac:TaxTotal[3]/cbc:TaxAmount"},
	{"third VAT total, in riyals", "credit", "<cac:LegalMonetaryTotal>", `<cac:TaxTotal><cbc:TaxAmount currencyID="SAR">0</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>`, ""},
	{"base quantity", "till", price, price + "<cbc:BaseQuantity>0.00</cbc:BaseQuantity>", "SHEET-DIVISION /Invoice/cac:InvoiceLine[1]/cac:Price/cbc:BaseQuantity"},
	{"base quantity above zero", "till", price, price + "<cbc:BaseQuantity>0.01</cbc:BaseQuantity>", ""},
	{"currency", "till", `PayableAmount currencyID="SAR"`, `PayableAmount currencyID="SAR)"`, "SHEET-PATTERN /Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount/@currencyID"},
	{"currency that is a pattern", "till", `PayableAmount currencyID="SAR"`, `PayableAmount currencyID="(S|\d)A{1,2}[A-Z]?"`, ""},
	{"time zone after the date", "till", "</cbc:IssueDate>", "Z</cbc:IssueDate>", "SHEET-TIME /Invoice/cbc:IssueDate"},
	{"time zone after the date of a standard document", "credit", "</cbc:IssueDate>", "Z</cbc:IssueDate>", ""},
	{"time zone after the time", "till", "</cbc:IssueTime>", "Z</cbc:IssueTime>", ""},
	{"taxable amount", "till", `<cbc:TaxableAmount currencyID="SAR">`, `<cbc:TaxableAmount currencyID="SAR">` + strings.Repeat("9", 310), "SHEET-RANGE /Invoice/cac:TaxTotal[2]/cac:TaxSubtotal[1]/cbc:TaxableAmount"},
	{"long taxable amount", "till", `<cbc:TaxableAmount currencyID="SAR">`, `<cbc:TaxableAmount currencyID="SAR">` + strings.Repeat("9", 250), ""},
}

func TestTraps(t *testing.T) {
	for _, e := range trapExamples {
		t.Run(e.name+" "+e.document, func(t *testing.T) {
			root := tree(t, sealed(t, e.document), e.old, e.text)
			if got := first(rules.Traps(root)); got != e.want {
				t.Errorf("first trap is %q, want %q", got, e.want)
			}
			if got := first(rules.Schema(root)); got != "" {
				t.Errorf("the schema does not allow the document: %s", got)
			}
		})
	}
}

// Codes that are invalid patterns make the official sheets abort; valid
// patterns do not.
func TestTrapsOfPatterns(t *testing.T) {
	const (
		wrong = `( ) [ ] { * + ? \ \b \q S{2,1} S{ S{2 S{a} [a [z-a] [] [^] a** a*+ (a a) (?i)a \1 \p{X} \pL a{,2} a|* \u0041 [[a]] [a]] \/ a{2}{3} a??? (?=a) [\b] \p a\ [\] \Z \k`
		right = `SAR } | . ^ $ \d S{2} S} [a-z] [a-[b]] a+? () (?:a) (a)\1 \p{L} \s\w\c\i \- - [a-] [-a] a{0} a{2,} ^* $+ || (|a) \n \. # ريال \$ $? a?? \P{Lu} [\d] \^ \S`
	)
	document := sealed(t, "till")
	judge := func(codes string, trap bool) {
		for code := range strings.FieldsSeq(codes) {
			root := tree(t, document, `PayableAmount currencyID="SAR"`, `PayableAmount currencyID="`+code+`"`)
			if found := rules.Traps(root); (len(found) > 0) != trap {
				t.Errorf("currency %s: got %v, want a trap: %v", code, found, trap)
			}
		}
	}
	judge(wrong, true)
	judge(right, false)
}

func TestSamplesHaveNoTraps(t *testing.T) {
	for _, name := range []string{"credit", "till", "388-standard-all-sar-discount", "388-standard-s15-sar-advance-one", "388-export-z32-usd", "381-simplified-e-sar-discount"} {
		root := tree(t, sealed(t, name), "<", "<")
		if got := first(rules.Schema(root)) + first(rules.Traps(root)); got != "" {
			t.Errorf("sample %s: unexpected finding %s", name, got)
		}
	}
}

func BenchmarkTraps(b *testing.B) {
	root := tree(b, sealed(b, "388-standard-all-sar-discount"), "<", "<")
	b.ReportAllocs()
	for b.Loop() {
		rules.Traps(root)
	}
}
