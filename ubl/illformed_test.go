package ubl_test

import "testing"

func TestReadRefusesOutsideTheRoot(t *testing.T) {
	refuse(t, []refusal{
		{"nothing", "", 1, "", "no root"},
		{"white space", " \n\t\r\n ", 3, "", "no root"},
		{"byte order mark", "\uFEFF", 1, "", "no root"},
		{"comment only", "<!-- a -->", 1, "", "no root"},
		{"declaration only", `<?xml version="1.0"?>`, 1, "", "no root"},
		{"text only", "invoice", 1, "", "text outside"},
		{"JSON", `{"invoice": 1}`, 1, "", "text outside"},
		{"text before the root", "x" + in(good), 1, "", "text outside"},
		{"two byte order marks", "\uFEFF\uFEFF" + in(good), 1, "", "text outside"},
		{"text after the root", in(good) + "\nx", 2, "", "text outside"},
		{"reference after the root", in(good) + "&#32;", 1, "", "text outside"},
		{"CDATA after the root", in(good) + "<![CDATA[ ]]>", 1, "", "not accepted"},
		{"two roots", in(good) + "\n" + in(good), 2, "", "second root"},
		{"end tag after the root", in(good) + "</Invoice>", 1, "", "second root"},
		{"end tag first", "</Invoice>", 1, "", "name"},
	})
}

func TestReadRefusesTags(t *testing.T) {
	refuse(t, []refusal{
		{"root not closed", "<Invoice " + usual + ">\n" + good + "\n", 3, "/Invoice", "not closed"},
		{"element not closed", "<Invoice " + usual + ">\n<cbc:ID>1", 2, "/Invoice/cbc:ID", "not closed"},
		{"start tag not closed", "<Invoice " + usual, 1, "", "not closed"},
		{"end tag not closed", "<Invoice " + usual + "></Invoice", 1, "/Invoice", "end tag"},
		{"end tag of another element", in("\n<cbc:ID>1</cbc:UUID>"), 2, "/Invoice/cbc:ID", "cbc:ID"},
		{"end tag in other letters", in("<cbc:ID>1</cbc:Id>"), 1, "/Invoice/cbc:ID", "end tag"},
		{"end tag with another prefix", in(`<cbc:ID xmlns:b="` + cbcNS + `">1</b:ID>`), 1, "/Invoice/cbc:ID", "end tag"},
		{"end tag with an attribute", in(`<cbc:ID>1</cbc:ID a="b">`), 1, "/Invoice/cbc:ID", "end tag"},
		{"crossed", in("\n<cac:Party><cac:Contact></cac:Party></cac:Contact>"), 2, "/Invoice/cac:Party/cac:Contact", "end tag"},
		{"empty tag", in("<>"), 1, "/Invoice", "name"},
		{"space before the name", in("< cbc:ID/>"), 1, "/Invoice", "name"},
		{"name begins with a digit", in("<1/>"), 1, "/Invoice", "name"},
		{"name begins with a hyphen", in("<-a/>"), 1, "/Invoice", "name"},
		{"two colons", in("<cbc:a:b/>"), 1, "/Invoice", "separated"},
		{"no prefix before the colon", in("<:ID/>"), 1, "/Invoice", "name"},
		{"no name after the colon", in("<cbc:/>"), 1, "/Invoice", "name"},
		{"bare less-than", inID("1 < 2"), 2, "/Invoice/cbc:ID", "name"},
		{"slash apart", in("<cbc:ID / >"), 1, "/Invoice", "name"},
	})
}

func TestReadRefusesAttributes(t *testing.T) {
	tag := func(attributes string) string { return in("\n<cbc:ID " + attributes + ">1</cbc:ID>") }
	refuse(t, []refusal{
		{"twice", tag(`a="1" a="2"`), 2, "/Invoice", "attribute a is repeated"},
		{"twice through two prefixes", tag(`xmlns:p="urn:x" xmlns:q="urn:x" p:a="1" q:a="2"`), 2, "/Invoice/cbc:ID", "repeated"},
		{"declaration twice", tag(`xmlns:p="urn:x" xmlns:p="urn:y"`), 2, "/Invoice", "repeated"},
		{"no value", tag(`a`), 2, "/Invoice", "no value"},
		{"no value before another", tag(`a b="1"`), 2, "/Invoice", "no value"},
		{"no quotes", tag(`a=1`), 2, "/Invoice", "quotes"},
		{"quotes of two kinds", in(`<cbc:ID a="1'/>`), 1, "/Invoice", "not closed"},
		{"less-than", tag(`a="1<2"`), 2, "/Invoice", "<"},
		{"no space between", tag(`a="1"b="2"`), 2, "/Invoice", "separated"},
		{"no space after the name", in(`<cbc:ID"a"/>`), 1, "/Invoice", "separated"},
		{"comma between", tag(`a="1", b="2"`), 2, "/Invoice", "separated"},
		{"value alone", tag(`"1"`), 2, "/Invoice", "name"},
	})
}

func TestReadRefusesNamespaces(t *testing.T) {
	refuse(t, []refusal{
		{"prefix not declared", in("\n<x:ID/>"), 2, "/Invoice", "x is not declared"},
		{"prefix of an attribute not declared", in(`<cbc:ID x:a="1"/>`), 1, "/Invoice/cbc:ID", "x is not declared"},
		{"prefix out of scope", in(`<cbc:ID xmlns:x="urn:x"/><x:ID/>`), 1, "/Invoice", "x is not declared"},
		{"prefix with an empty namespace", in(`<cbc:ID xmlns:x=""/>`), 1, "/Invoice", "empty namespace"},
		{"known prefix with an empty namespace", in(`<cbc:ID xmlns:cac=""/>`), 1, "/Invoice", "empty namespace"},
		{"xml bound to another namespace", in(`<cbc:ID xmlns:xml="urn:x"/>`), 1, "/Invoice", "not allowed"},
		{"another prefix bound to the xml namespace", in(`<cbc:ID xmlns:x="http://www.w3.org/XML/1998/namespace"/>`), 1, "/Invoice", "not allowed"},
		{"xmlns bound", in(`<cbc:ID xmlns:xmlns="urn:x"/>`), 1, "/Invoice", "not allowed"},
		{"xmlns bound to its own namespace", in(`<cbc:ID xmlns:xmlns="http://www.w3.org/2000/xmlns/"/>`), 1, "/Invoice", "not allowed"},
		{"default bound to the xmlns namespace", in(`<cbc:ID xmlns="http://www.w3.org/2000/xmlns/"/>`), 1, "/Invoice", "not allowed"},
		{"default bound to the xml namespace", in(`<cbc:ID xmlns="http://www.w3.org/XML/1998/namespace"/>`), 1, "/Invoice", "not allowed"},
		{"xmlns as a prefix of an element", in(`<xmlns:ID/>`), 1, "/Invoice", "xmlns is not declared"},
		{"prefix without a name", in(`<cbc:ID xmlns:="urn:x"/>`), 1, "/Invoice", "name"},
		{"wrong root", `<CreditNote ` + usual + `/>`, 1, "/CreditNote", "root element"},
		{"root in small letters", "\n<invoice " + usual + "/>", 2, "/invoice", "root element"},
		{"root of another namespace", `<Invoice xmlns="urn:x"/>`, 1, "/{urn:x}Invoice", "root element"},
		{"root of UBL 2.1's components", `<cbc:Invoice ` + usual + `/>`, 1, "/cbc:Invoice", "root element"},
		{"root of no namespace", `<Invoice/>`, 1, "/{}Invoice", "root element"},
		{"namespace in other letters", `<Invoice xmlns="URN` + invoiceNS[3:] + `"/>`, 1, "/{URN" + invoiceNS[3:] + "}Invoice", "root element"},
	})
}

func TestReadRefusesMarkup(t *testing.T) {
	refuse(t, []refusal{
		{"two hyphens in a comment", in("\n<!-- a -- b -->"), 2, "/Invoice", "hyphens"},
		{"comment ends with three hyphens", in("<!-- a --->"), 1, "/Invoice", "hyphens"},
		{"comment not closed", in("<!-- a"), 1, "/Invoice", "comment is not closed"},
		{"comment closed too soon", in("<!-->"), 1, "/Invoice", "comment is not closed"},
		{"comment before the root not closed", "<!-- a" + in(good), 1, "", "comment is not closed"},
		{"CDATA not closed", in("\n<cbc:ID><![CDATA[ a"), 2, "/Invoice/cbc:ID", "CDATA"},
		{"CDATA in small letters", inID("<![cdata[ a ]]>"), 2, "/Invoice/cbc:ID", "declarations"},
		{"instruction not closed", in("<?a b"), 1, "/Invoice", "instruction is not closed"},
		{"instruction without a name", in("<? a ?>"), 1, "/Invoice", "name"},
		{"instruction with a colon", in("<?a:b c?>"), 1, "/Invoice", "instruction is malformed"},
		{"instruction named xml", in("\n<?xml version=\"1.0\"?>"), 2, "/Invoice", "beginning"},
		{"instruction named XML", in("<?XML a?>"), 1, "/Invoice", "beginning"},
		{"instruction named xml at the end", in(good) + "<?xml version=\"1.0\"?>", 1, "", "beginning"},
	})
}

func TestReadRefusesContent(t *testing.T) {
	refuse(t, []refusal{
		{"element in a leaf", inID("1<cbc:Name/>"), 2, "/Invoice/cbc:ID", "cbc:Name"},
		{"element in a leaf of a part", in("<cac:InvoiceLine>\n<cbc:ID/>\n<cbc:Note><b/></cbc:Note></cac:InvoiceLine>"), 3, "/Invoice/cac:InvoiceLine/cbc:Note", "contain text"},
		{"text in the root", in("\nabc" + good), 1, "/Invoice", "not text"},
		{"text in a part", in("\n<cac:InvoiceLine>abc" + good + "</cac:InvoiceLine>"), 2, "/Invoice/cac:InvoiceLine", "not text"},
		{"text alone in a part", in("\n<cac:Delivery>2026-11-14</cac:Delivery>"), 2, "/Invoice/cac:Delivery", "not text"},
		{"CDATA in a part", in("<cac:Delivery><![CDATA[x]]></cac:Delivery>"), 1, "/Invoice/cac:Delivery", "not text"},
		{"no-break space in a part", in("<cac:Delivery>\u00A0</cac:Delivery>"), 1, "/Invoice/cac:Delivery", "not text"},
	})
}
