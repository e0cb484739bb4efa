package tools_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/service/internal/servicetest"
)

// wrapped is a stamped document that was changed so that a careless reader sees
// something other than what was stamped.
type wrapped struct{ name, xml string }

// TestX4_SignatureWrapping checks, for XML and PDF, that the displayed document is
// the verified one, or that it is refused or has a warning.
func TestX4_SignatureWrapping(t *testing.T) {
	h := openTools(t)
	sealed := servicetest.SealedOf(t, sample.Simplified())
	all := slices.Concat(wrappedRoots(sealed), wrappedStamps(sealed), wrappedReferences(sealed), wrappedValues(sealed), wrappedPrefixes(sealed))
	if len(all) < 40 {
		t.Errorf("only %d wrapping variants, want at least 40", len(all))
	}
	genuine := h.Reads(sealed)
	if warned(genuine) != "" {
		t.Fatalf("unchanged document: warning %s, want none", warned(genuine))
	}
	held, refused := 0, 0
	for _, w := range all {
		t.Run(w.name, func(t *testing.T) {
			if w.xml == sealed {
				t.Fatal("the variant does not change the document")
			}
			for form, content := range map[string]string{"XML": w.xml, "PDF": servicetest.PDFWith("Alternative:" + w.xml)} {
				got := h.Parse(content)
				switch {
				case got.Status == http.StatusBadRequest, got.Status == http.StatusOK && got.JSON(t)["invoice"] == nil:
					refused++
				case got.Status != http.StatusOK:
					t.Errorf("as %s: status %d, body %.300s; want 200 or 400", form, got.Status, got.Body)
				case !distrusts(warned(got.JSON(t))):
					t.Errorf("as %s: the invoice is displayed without a warning about the stamp: warning %q", form, warned(got.JSON(t)))
				default:
					held++
				}
			}
		})
	}
	t.Logf("%d variants, each as XML and PDF: %d with a warning, %d refused", len(all), held, refused)
}

// distrusts reports whether a warning says that the stamp does not protect the
// displayed document.
func distrusts(warning string) bool {
	return slices.ContainsFunc([]string{
		"The stamp does not verify", "The stamp cannot be verified", "carries no stamp",
		"read in more than one way", "QR code does not match the document", "has no QR code", "The invoice shown is not the one that was verified", "has an unusual form",
	}, func(words string) bool { return strings.Contains(warning, words) })
}

// Changes that the stamp does not cover lead to the same response without a warning.
func TestX4_HarmlessChanges(t *testing.T) {
	h := openTools(t)
	sealed := servicetest.SealedOf(t, sample.Simplified())
	want := fmt.Sprint(h.Reads(sealed))
	for name, xml := range map[string]string{
		"a byte order mark":                "\uFEFF" + sealed,
		"a comment before the root":        strings.Replace(sealed, "<Invoice ", "<!-- pay me --><Invoice ", 1),
		"a comment between elements":       strings.Replace(sealed, "<cbc:ProfileID>", "<!-- pay me --><cbc:ProfileID>", 1),
		"a comment after the root":         sealed + "<!-- pay me -->",
		"character references":             strings.Replace(sealed, "<cbc:ProfileID>r", "<cbc:ProfileID>&#114;", 1),
		"single quotes":                    strings.Replace(sealed, `currencyID="SAR"`, `currencyID='SAR'`, 1),
		"spaces in a tag":                  strings.Replace(sealed, "<cbc:ProfileID>", "<cbc:ProfileID >", 1),
		"a repeated namespace declaration": strings.Replace(sealed, "<cbc:ProfileID>", `<cbc:ProfileID xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`, 1),
		"no XML declaration":               rootOf(sealed),
	} {
		if xml == sealed && name != "no XML declaration" {
			t.Errorf("%s: the variant does not change the document", name)
		}
		if got := fmt.Sprint(h.Reads(xml)); got != want {
			t.Errorf("%s: response %.500s; want %.500s", name, got, want)
		}
	}
}

// elementOf returns the first element with the given name.
func elementOf(xml, tag string) string {
	from := strings.Index(xml, "<"+tag)
	name, _, _ := strings.Cut(tag, " ")
	end := "</" + strings.TrimSuffix(name, ">") + ">"
	return xml[from : from+strings.Index(xml[from:], end)+len(end)]
}

func swap(xml, old, with string) string { return strings.Replace(xml, old, with, 1) }

// rootOf returns the root element. forged changes the total and the number.
func rootOf(sealed string) string { return "<Invoice " + between(sealed+"\x00", "<Invoice ", "\x00") }

func forged(xml string) string {
	return strings.NewReplacer(`PayableAmount currencyID="SAR">`, `PayableAmount currencyID="SAR">9`, ">INV-", ">FORGED-").Replace(xml)
}

// wrappedRoots returns documents beside or inside others.
func wrappedRoots(sealed string) []wrapped {
	root := rootOf(sealed)
	stamp := elementOf(sealed, "ext:UBLExtensions>")
	extension := elementOf(sealed, "ext:UBLExtension>")
	bare := swap(root, stamp, "")
	carries := func(inner string) string {
		return swap(forged(sealed), extension, extension+"<ext:UBLExtension><ext:ExtensionContent>"+inner+"</ext:ExtensionContent></ext:UBLExtension>")
	}
	return []wrapped{
		{"a second root after the document", sealed + forged(root)},
		{"a second root before the document", forged(root) + root},
		{"the signed copy in an extension", carries(root)},
		{"the signed copy without stamp in an extension", carries(bare)},
		{"the signed copy in an object", swap(forged(sealed), "<ds:Object>", "<ds:Object>"+bare)},
		{"the signed copy in a line", swap(forged(sealed), "<cac:InvoiceLine>", "<cac:InvoiceLine>"+root)},
		{"the signed copy at the end", swap(forged(sealed), "</Invoice>", root+"</Invoice>")},
		{"the forged copy in an extension", swap(sealed, extension, extension+"<ext:UBLExtension><ext:ExtensionContent>"+forged(bare)+"</ext:ExtensionContent></ext:UBLExtension>")},
		{"a forged copy at the end", swap(sealed, "</Invoice>", forged(bare)+"</Invoice>")},
		{"another root around", `<Wrapper xmlns="urn:x">` + root + "</Wrapper>"},
		{"inside another invoice", parseRoot + root + "</Invoice>"},
		{"inside an invoice without a namespace", "<Invoice>" + root + "</Invoice>"},
		{"with the stamp of another document", swap(forged(sealed), "<cbc:ProfileID>", "<cbc:ProfileID>")},
	}
}

// wrappedStamps returns documents with repeated, moved or empty parts of the stamp.
func wrappedStamps(sealed string) []wrapped {
	cut := func(tag string) string { return elementOf(sealed, tag) }
	stamp, extension, signature := cut("ext:UBLExtensions>"), cut("ext:UBLExtension>"), cut("ds:Signature ")
	info, reference, transforms := cut("ds:SignedInfo>"), cut("ds:Reference "), cut("ds:Transforms>")
	properties, value := cut("xades:SignedProperties "), cut("ds:SignatureValue>")
	return []wrapped{
		{"no stamp", swap(sealed, stamp, "")},
		{"two stamps", swap(sealed, stamp, stamp+stamp)},
		{"two extensions", swap(sealed, extension, extension+extension)},
		{"two signatures", swap(sealed, signature, signature+signature)},
		{"an empty signature before", swap(sealed, signature, `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>`+signature)},
		{"two signatures with other ids", swap(sealed, signature, strings.Replace(signature, `Id="signature"`, `Id="other"`, 1)+signature)},
		{"an id that clashes", swap(sealed, "<cac:InvoiceLine>", `<cac:InvoiceLine Id="xadesSignedProperties">`)},
		{"an xml:id that clashes", swap(sealed, "<cac:InvoiceLine>", `<cac:InvoiceLine xml:id="signature">`)},
		{"two signed infos", swap(sealed, info, info+info)},
		{"no signed info", swap(sealed, info, "")},
		{"two references", swap(sealed, reference, reference+reference)},
		{"a reference moved out", swap(swap(sealed, reference, ""), "</ds:SignedInfo>", "</ds:SignedInfo>"+reference)},
		{"a reference to another place", swap(sealed, `URI=""`, `URI="#xadesSignedProperties"`)},
		{"a reference to an address", swap(sealed, `URI=""`, `URI="http://example.com/invoice.xml"`)},
		{"empty transforms", swap(sealed, transforms, "<ds:Transforms></ds:Transforms>")},
		{"no transforms", swap(sealed, transforms, "")},
		{"an additional transform", swap(sealed, "</ds:Transforms>", `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></ds:Transforms>`)},
		{"another XPath", swap(sealed, "not(//ancestor-or-self::ext:UBLExtensions)", "not(//ancestor-or-self::cac:InvoiceLine)")},
		{"another digest method", swap(sealed, "xmlenc#sha256", "xmlenc#sha1")},
		{"two values", swap(sealed, value, value+value)},
		{"a comment in the value", swap(sealed, "<ds:SignatureValue>M", "<ds:SignatureValue>M<!-- x -->")},
		{"two signed properties", swap(sealed, properties, properties+properties)},
		{"the stamp at the end", swap(swap(sealed, stamp, ""), "</Invoice>", stamp+"</Invoice>")},
		{"the stamp in a line", swap(swap(sealed, stamp, ""), "<cac:InvoiceLine>", "<cac:InvoiceLine>"+stamp)},
	}
}

// wrappedReferences returns documents with a changed QR code or signature reference.
func wrappedReferences(sealed string) []wrapped {
	signature := elementOf(sealed, "cac:Signature>")
	const before = "<cac:AdditionalDocumentReference><cbc:ID>QR<"
	code := before + between(sealed, before, "<cac:Signature>")
	other := "AQ5LaGF0bSBUcmFkaW5nIAIPMzEwMTc1Mzk3NDAwMDAzAxMyMDI2LTExLTE1VDA5OjE1OjMwBAYxMTUuMDAFBTE1LjAw"
	return []wrapped{
		{"two codes", swap(sealed, code, code+code)},
		{"another code before", swap(sealed, code, replaceCode(code, other)+code)},
		{"another code", replaceCode(sealed, other)},
		{"the code in a line", swap(swap(sealed, code, ""), "<cac:InvoiceLine>", "<cac:InvoiceLine>"+code)},
		{"a code with spaces", swap(sealed, ">QR<", "> QR <")},
		{"no code", swap(sealed, code, "")},
		{"two signature references", swap(sealed, signature, signature+signature)},
		{"content in the signature reference", swap(sealed, "</cac:Signature>", "<cbc:Note>pay me</cbc:Note></cac:Signature>")},
		{"no signature reference", swap(sealed, signature, "")},
		{"two counters", swap(sealed, code, "<cac:AdditionalDocumentReference><cbc:ID>ICV</cbc:ID><cbc:UUID>43</cbc:UUID></cac:AdditionalDocumentReference>"+code)},
		{"content named Signature", swap(sealed, "<cac:InvoiceLine>", `<x:Signature xmlns:x="urn:x">hidden</x:Signature><cac:InvoiceLine>`)},
		{"content named UBLExtensions", swap(sealed, "<cac:InvoiceLine>", `<cac:InvoiceLine><x:UBLExtensions xmlns:x="urn:x">hidden</x:UBLExtensions>`)},
	}
}

// wrappedValues returns documents with changed values.
func wrappedValues(sealed string) []wrapped {
	const amount = `PayableAmount currencyID="SAR">`
	price := elementOf(sealed, "cbc:PriceAmount ")
	supplier := elementOf(sealed, "cac:AccountingSupplierParty>")
	total := elementOf(sealed, "cac:LegalMonetaryTotal>")
	return []wrapped{
		{"another amount", swap(sealed, amount, amount+"9")},
		{"a comment in the amount", swap(sealed, amount, amount+"<!-- -->")},
		{"a comment that splits the amount", swap(sealed, amount, amount+"9<!-- -->")},
		{"CDATA in the amount", swap(sealed, amount, amount+"<![CDATA[9]]>")},
		{"an instruction in the amount", swap(sealed, amount, amount+"<?x?>")},
		{"an element in the amount", swap(sealed, amount, amount+"<a/>")},
		{"a space in the amount", swap(sealed, amount, amount+" ")},
		{"another price", swap(sealed, price, strings.Replace(price, ">", ">9", 1))},
		{"two prices", swap(sealed, price, strings.Replace(price, ">", ">9", 1)+price)},
		{"two sellers", swap(sealed, supplier, "<cac:AccountingSupplierParty/>"+supplier)},
		{"two totals", swap(sealed, total, strings.Replace(total, amount, amount+"9", 1)+total)},
		{"another number", swap(sealed, "<cbc:ID>", "<cbc:ID>FORGED")},
		{"two numbers", swap(sealed, "<cbc:ID>", "<cbc:ID>FORGED</cbc:ID><cbc:ID>")},
		{"another kind of sale", swap(sealed, `name="0200000"`, `name="0100000"`)},
	}
}

// wrappedPrefixes returns documents with changed names and namespaces.
func wrappedPrefixes(sealed string) []wrapped {
	const cbc = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
	const cac = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	const amount = "<cbc:PayableAmount "
	return []wrapped{
		{"an amount under another prefix", swap(sealed, amount, `<o:PayableAmount xmlns:o="`+cbc+`" currencyID="SAR">9.00</o:PayableAmount>`+amount)},
		{"an amount of another namespace", swap(sealed, amount, `<cbc:PayableAmount xmlns:cbc="urn:x" currencyID="SAR">9.00</cbc:PayableAmount>`+amount)},
		{"the amount moved to another namespace", swap(sealed, amount, `<cbc:PayableAmount xmlns:cbc="urn:x" `)},
		{"all prefixes changed", strings.NewReplacer("<cbc:", "<b:", "</cbc:", "</b:", "xmlns:cbc=", "xmlns:b=").Replace(sealed)},
		{"two prefixes swapped", swap(swap(swap(sealed, cbc, "#"), cac, cbc), "#", cac)},
		{"the prefix of the extensions in another namespace", swap(sealed, "CommonExtensionComponents-2", "Other-2")},
		{"the stamp in another namespace", swap(sealed, "http://www.w3.org/2000/09/xmldsig#", "http://www.w3.org/2000/09/other#")},
		{"the root in another namespace", swap(sealed, "ubl:schema:xsd:Invoice-2", "ubl:schema:xsd:Invoice-3")},
	}
}
