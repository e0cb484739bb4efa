package pdfa

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// info returns the information dictionary. It has the same values as the XMP
// packet.
func (m Meta) info() []byte {
	b := []byte("<<")
	for _, e := range []struct{ key, value string }{
		{"Title", m.Title}, {"Author", m.Author}, {"Subject", m.Subject}, {"Creator", m.Creator}, {"Producer", m.Producer},
	} {
		if e.value != "" {
			b = fmt.Appendf(b, "/%s%s", e.key, textString(e.value))
		}
	}
	return fmt.Appendf(b, "/CreationDate%s/ModDate%s>>", date(m.Created), date(m.Created))
}

// uaSchema declares the PDF/UA property, which PDF/A does not predefine.
const uaSchema = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">` +
	`<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>` +
	`<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>` +
	`<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>` +
	`<pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property>` +
	`</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>` + "\n"

// xmp returns the XMP metadata packet.
func (m Meta) xmp() []byte {
	var b bytes.Buffer
	b.WriteString("<?xpacket begin=\"\uFEFF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` + "\n")
	describe := func(prefix, space string, parts ...string) {
		fmt.Fprintf(&b, `<rdf:Description rdf:about="" xmlns:%s="%s">`, prefix, space)
		for _, p := range parts {
			b.WriteString(p)
		}
		b.WriteString("</rdf:Description>\n")
	}
	describe("pdfaid", "http://www.aiim.org/pdfa/ns/id/", "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>")
	describe("pdfuaid", "http://www.aiim.org/pdfua/ns/id/", "<pdfuaid:part>1</pdfuaid:part>")
	describe("dc", "http://purl.org/dc/elements/1.1/", "<dc:format>application/pdf</dc:format>",
		property("dc:title", `<rdf:Alt><rdf:li xml:lang="x-default">`, m.Title, "</rdf:li></rdf:Alt>"),
		property("dc:creator", "<rdf:Seq><rdf:li>", m.Author, "</rdf:li></rdf:Seq>"),
		property("dc:description", `<rdf:Alt><rdf:li xml:lang="x-default">`, m.Subject, "</rdf:li></rdf:Alt>"))
	when := m.Created.UTC().Format("2006-01-02T15:04:05Z")
	describe("xmp", "http://ns.adobe.com/xap/1.0/", property("xmp:CreatorTool", "", m.Creator, ""),
		property("xmp:CreateDate", "", when, ""), property("xmp:ModifyDate", "", when, ""))
	describe("pdf", "http://ns.adobe.com/pdf/1.3/", property("pdf:Producer", "", m.Producer, ""))
	b.WriteString(uaSchema + "</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>")
	return b.Bytes()
}

// property returns one property of the packet, or "" for an empty value.
func property(name, before, value, after string) string {
	if value == "" {
		return ""
	}
	var b bytes.Buffer
	b.WriteString("<" + name + ">" + before)
	if err := xml.EscapeText(&b, []byte(value)); err != nil {
		panic("pdfa: " + err.Error()) // writing to a buffer cannot fail
	}
	b.WriteString(after + "</" + name + ">")
	return b.String()
}
