package paper_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/paper"
	"khatm/sample"
	"khatm/ubl"
)

// hostile contains unusual texts that people and programs write into names.
var hostile = []struct{ name, text string }{
	{"emoji", "قهوة 🧾☕️👩‍👩‍👧‍👦 receipt"},
	{"ideographs", "牛乳 株式会社 한국어 ไทย हिन्दी"},
	{"overrides", "abc \u202E00.001\u202C \u2067رقم\u2066 x \u2069\u2069 \u200F!"},
	{"open isolates", "\u2066\u2067\u2068 never closed"},
	{"controls", "a\tb\nc\rd\u0085e\u2028f\u00ADg\u200Bh\uFEFF"},
	{"marks", "a" + strings.Repeat("\u0301", 300) + " " + strings.Repeat("\u064B", 200)},
	{"a word of many letters", strings.Repeat("W", testtool.Count(300, 1000))},
	{"an Arabic word of many letters", strings.Repeat("ضريبة", testtool.Count(60, 200))},
	{"private use", "\uE000\U000F0000 \U0010FFFD"},
	{"bars", "|||| عربي | English | |"},
	{"only invisible characters", "\u200E\u200F\u200B"},
	{"only spaces", "   \u3000  "},
}

func TestHostileTexts(t *testing.T) {
	for n, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			document := spoilt(t, h.text)
			said, err := paper.Said(document, paper.Options{Language: paper.English})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := strings.Contains(said, "code: [true]"), len(h.text) <= maxField; got != want {
				t.Errorf("QR code: got %t, want %t", got, want)
			}
			for _, on := range testtool.Spread(papers, n, len(papers)) {
				for l, language := range languages {
					if l != n%len(languages) && !testtool.Torture() {
						continue // one language is enough
					}
					draw(t, document, paper.Options{Language: language, Paper: on, Test: true})
				}
			}
		})
	}
}

// spoilt returns a document with the text in every text element, and in its QR code if
// the text is short enough. The document is not valid.
func spoilt(t *testing.T, text string) []byte {
	t.Helper()
	inv, err := ubl.Read(sealed(t, facts(t, "383-standard-s15-e-o-usd-discount")).XML)
	if err != nil {
		t.Fatal(err)
	}
	ubl.Walk(inv, func(p *ubl.Path, leaf *ubl.Text) {
		if name := p.Name(0); name != "cbc:InvoiceTypeCode" && p.Name(1) != "cac:AdditionalDocumentReference" {
			leaf.Value = text
		}
	})
	return stamped(t, inv, codeOf(text, text, text+"T"+text, text, text, "hash"))
}

// maxField is the maximum length of a text that occurs twice in one field of the QR
// code.
const maxField = (255 - 1) / 2

// codeOf returns the text of a QR code with the given fields. Long fields are
// truncated.
func codeOf(fields ...string) string {
	var raw []byte
	for i, f := range fields {
		f = f[:min(len(f), 255)]
		raw = append(append(raw, byte(i+1), byte(len(f))), f...)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// stamp is an empty signature that takes the place of a stamp.
const stamp = `<ext:UBLExtensions><ext:UBLExtension><ext:ExtensionContent><sig:UBLDocumentSignatures xmlns:sig="urn:oasis:names:specification:ubl:schema:xsd:CommonSignatureComponents-2"></sig:UBLDocumentSignatures></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`

// stamped returns a document with the placeholder stamp and the given QR code.
func stamped(t *testing.T, inv *ubl.Invoice, code string) []byte {
	t.Helper()
	inv.Extensions, inv.Signatures = nil, nil
	inv.AdditionalDocumentReferences = slices.DeleteFunc(inv.AdditionalDocumentReferences, func(d *ubl.DocumentReference) bool { return d.ID.String() == "QR" })
	canon, err := ubl.Write(inv)
	if err != nil {
		t.Fatal(err)
	}
	reference := `<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain">` +
		code + `</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`
	return canon.With([]byte(stamp), []byte(reference))
}

// TestEmptyDocuments checks that documents in which nearly everything is missing can be
// drawn.
func TestEmptyDocuments(t *testing.T) {
	bare := &ubl.Invoice{InvoiceTypeCode: ubl.NewText("388", "name", "02"), Supplier: &ubl.AccountingParty{}}
	hollow := &ubl.Invoice{
		InvoiceTypeCode: ubl.NewText("381"), Supplier: &ubl.AccountingParty{Party: &ubl.Party{}}, Customer: &ubl.AccountingParty{Party: &ubl.Party{PostalAddress: &ubl.Address{}}},
		MonetaryTotal: &ubl.MonetaryTotal{}, TaxTotals: []*ubl.TaxTotal{{Subtotals: []*ubl.TaxSubtotal{{}}}},
		Lines:        []*ubl.Line{{}, {DocumentReferences: []*ubl.DocumentReference{{DocumentTypeCode: ubl.NewText("386")}}}},
		PaymentMeans: []*ubl.PaymentMeans{{}}, AllowanceCharges: []*ubl.AllowanceCharge{{}}, BillingReferences: []*ubl.BillingReference{{}},
		Deliveries: []*ubl.Delivery{{}}, TaxExchangeRate: &ubl.ExchangeRate{}, Notes: []*ubl.Text{ubl.NewText("")},
	}
	for name, inv := range map[string]*ubl.Invoice{"bare": bare, "hollow": hollow} {
		t.Run(name, func(t *testing.T) {
			canon, err := ubl.Write(inv)
			if err != nil {
				t.Fatal(err)
			}
			for _, on := range papers {
				for _, language := range languages {
					draw(t, canon.Bytes(), paper.Options{Language: language, Paper: on})
				}
			}
		})
	}
}

// TestLengths checks that documents with few and many lines, and with texts longer than
// a page, can be drawn.
func TestLengths(t *testing.T) {
	for _, lines := range []int{1, 2, 14, 20, 21, 22, 23, 24, 25, 26, 50, testtool.Scale(200, 400, 400), testtool.Scale(600, 1000, 4000)} {
		t.Run(fmt.Sprintf("%d lines", lines), func(t *testing.T) {
			document := sealed(t, long(lines, 0)).XML
			for _, on := range papers {
				draw(t, document, paper.Options{Paper: on})
			}
		})
	}
	endless := strings.Repeat("نص طويل جدا not to end ", 3000)
	parts := map[string]func(*invoice.Facts){
		"item":  func(f *invoice.Facts) { f.Lines[1].Name = endless },
		"buyer": func(f *invoice.Facts) { f.Buyer.NameArabic = endless },
		"note":  func(f *invoice.Facts) { f.Notes[0].Text = endless },
		"terms": func(f *invoice.Facts) { f.PaymentTerms = endless },
	}
	for name, change := range parts {
		t.Run("endless "+name, func(t *testing.T) {
			f := sample.Invoice()
			change(&f)
			document := written(t, f)
			for _, on := range papers {
				draw(t, document, paper.Options{Paper: on})
			}
		})
	}
}

// written returns a document whose texts may be longer than Facts allows.
func written(t *testing.T, f invoice.Facts) []byte {
	t.Helper()
	inv, err := ubl.Read(unsealed(t, sample.Invoice()))
	if err != nil {
		t.Fatal(err)
	}
	inv.Lines[1].Item.Name = ubl.NewText(f.Lines[1].Name)
	inv.Customer.Party.LegalEntities[0].RegistrationName = ubl.NewText(f.Buyer.NameArabic)
	inv.Notes[0] = ubl.NewText(f.Notes[0].Text)
	inv.PaymentMeans[0].PayeeFinancialAccount.PaymentNotes[0] = ubl.NewText(f.PaymentTerms)
	canon, err := ubl.Write(inv)
	if err != nil {
		t.Fatal(err)
	}
	return canon.Bytes()
}
