package judge_test

import (
	"khatm/simulator/internal/judge"
	"khatm/ubl"
)

// Codes for a document that was changed after it was signed: it no longer
// matches the request, the QR code and the stamp. Lax mode does not check the
// stamp.
const (
	stale    = " invalid-invoice-hash invoiceHash_QRCODE_INVALID invoice-hashing invalid-signature "
	staleLax = " invalid-invoice-hash invoiceHash_QRCODE_INVALID "
)

func tampersOfRequest(w *fixture) []tamper {
	other := w.submission(w.standard)
	send := func(edit func(s *judge.Submission)) change {
		return func(_ *fixture, s *judge.Submission) { edit(s) }
	}
	return []tamper{
		{"hash of another document", send(func(s *judge.Submission) { s.Hash = other.Hash }), "ERROR invalid-invoice-hash", ""},
		{"no hash", send(func(s *judge.Submission) { s.Hash = "" }), "ERROR invalid-invoice-hash", ""},
		{"hash with a blank", send(func(s *judge.Submission) { s.Hash += " " }), "ERROR invalid-invoice-hash", ""},
		{"UUID of another document", send(func(s *judge.Submission) { s.UUID = other.UUID }), "ERROR INVOICE_UUID_VALIDATION", ""},
		{"no UUID", send(func(s *judge.Submission) { s.UUID = "" }), "ERROR INVOICE_UUID_VALIDATION", ""},
		{"simplified to clearance", send(func(s *judge.Submission) { s.Endpoint = judge.Clearance }), "ERROR XML-INVOICE-ERROR", ""},
		{"simplified to compliance", send(func(s *judge.Submission) { s.Endpoint = judge.Compliance }), "PASS", ""},
		{"simplified while clearance is off", send(func(s *judge.Submission) { s.ClearanceOff = true }), "PASS", ""},
		{"credential of another taxpayer", send(func(s *judge.Submission) { s.VATNumber = "399999999900003" }), "ERROR certificate-permissions", ""},
		{"credential of another device", send(func(s *judge.Submission) { s.Certificate = w.other.Certificate.DER }),
			"WARNING invalid-signing-certificate?", ""},
		{"no credential", send(func(s *judge.Submission) { s.Certificate, s.VATNumber = nil, "" }), "PASS", ""},
		{"another document than the request describes", send(func(s *judge.Submission) { s.Document = w.standard }),
			"ERROR XML-INVOICE-ERROR INVOICE_UUID_VALIDATION invalid-invoice-hash", ""},
	}
}

// tampersOfContent returns changes to the part of the document that the hash
// covers.
func tampersOfContent() []tamper {
	return []tamper{
		{"payable amount", value("cbc:PayableAmount", "142.01"), "ERROR BR-CO-16? invoiceTotal_QRCODE_INVALID" + stale,
			"ERROR BR-CO-16? invoiceTotal_QRCODE_INVALID" + staleLax},
		{"payable amount, with the new hash in the request", all(value("cbc:PayableAmount", "142.01"), rehashed),
			"ERROR BR-CO-16? invoiceTotal_QRCODE_INVALID invoiceHash_QRCODE_INVALID invoice-hashing invalid-signature",
			"ERROR BR-CO-16? invoiceTotal_QRCODE_INVALID invoiceHash_QRCODE_INVALID"},
		{"one more zero", value("cbc:PayableAmount", "142.000"), "ERROR invoiceTotal_QRCODE_INVALID BR-DEC-18?" + stale,
			"ERROR invoiceTotal_QRCODE_INVALID BR-DEC-18?" + staleLax},
		{"first VAT total", value("cbc:TaxAmount", "18.53"), "ERROR vatTotal_QRCODE_INVALID" + stale,
			"ERROR vatTotal_QRCODE_INVALID" + staleLax},
		{"an item's name", text("تمر سكري فاخر", "تمر خلاص فاخر"), "ERROR" + stale, "ERROR" + staleLax},
		{"an item's name, with the new hash in the request", all(text("تمر سكري فاخر", "تمر خلاص فاخر"), rehashed),
			"ERROR invoiceHash_QRCODE_INVALID invoice-hashing invalid-signature", "ERROR invoiceHash_QRCODE_INVALID"},
		{"white space between elements", text("<cac:InvoiceLine>", "\n<cac:InvoiceLine>"), "ERROR" + stale, "ERROR" + staleLax},
		{"UUID", value("cbc:UUID", "e471ae09-337d-4c7c-8a7b-ad1e791416a0"), "ERROR INVOICE_UUID_VALIDATION" + stale,
			"ERROR INVOICE_UUID_VALIDATION" + staleLax},
		{"number", text("INV-2026-000001", "INV-2026-000009"), "ERROR" + stale, "ERROR" + staleLax},
		{"counter", text("<cbc:UUID>1<", "<cbc:UUID>2<"), "ERROR" + stale, "ERROR" + staleLax},
		{"previous hash", text("NWZlY2ViNjZm", "NWZlY2ViNjZn"), "ERROR" + stale, "ERROR" + staleLax},
		{"time", value("cbc:IssueTime", "12:00:01"), "ERROR invoiceTimeStamp_QRCODE_INVALID?" + stale,
			"ERROR invoiceTimeStamp_QRCODE_INVALID?" + staleLax},
		{"seller's name", value("cbc:RegistrationName", "شركة أخرى"), "ERROR sellerName_QRCODE_INVALID" + stale,
			"ERROR sellerName_QRCODE_INVALID" + staleLax},
		{"a comment in the seller's name", text("ختم التجريبية</cbc:RegistrationName>", "ختم<!-- x --> التجريبية</cbc:RegistrationName>"),
			"PASS", ""},
		{"a CDATA section in an item's name", text("تمر سكري فاخر", "تمر <![CDATA[سكري]]> فاخر"), "PASS", ""},
		{"seller's VAT number", value("cbc:CompanyID", "399999999900003"), "ERROR vatNumber_QRCODE_INVALID certificate-permissions invalid-signing-certificate?" + stale,
			"ERROR vatNumber_QRCODE_INVALID certificate-permissions invalid-signing-certificate?" + staleLax},
		{"simplified made standard", text(`name="0200000"`, `name="0100000"`),
			"ERROR XML-INVOICE-ERROR BR-KSA-10? BR-KSA-81? BR-KSA-F-06-C23? BR-KSA-F-06-C25?" + stale,
			"ERROR XML-INVOICE-ERROR invalid-invoice-hash BR-KSA-10? BR-KSA-81? BR-KSA-F-06-C23? BR-KSA-F-06-C25?"},
		{"an invalid transaction code", text(`name="0200000"`, `name="0300000"`), "ERROR XML-INVOICE-ERROR BR-KSA-06" + stale,
			"ERROR XML-INVOICE-ERROR BR-KSA-06" + staleLax},

		{"sealed with letters in the counter", resealed(func(i *ubl.Invoice) { i.Reference("ICV").UUID.Value = "1a" }), "ERROR BR-KSA-34", ""},
		{"sealed with a later counter", resealed(func(i *ubl.Invoice) { i.Reference("ICV").UUID.Value = "9000" }), "PASS", ""},
		{"sealed without a counter", resealed(func(i *ubl.Invoice) { i.Reference("ICV").UUID = nil }), "ERROR BR-KSA-33", ""},
		{"sealed with the hash of another document", resealed(func(i *ubl.Invoice) {
			i.Reference("PIH").Attachment.EmbeddedDocumentBinaryObject.Value = "gT6PPZh/aWmUhCvjHRIt+2fSSzEcYhw0PQ+GqeN/n7o="
		}), "PASS", ""},
		{"sealed with a hash of another length", resealed(func(i *ubl.Invoice) {
			i.Reference("PIH").Attachment.EmbeddedDocumentBinaryObject.Value = "MA=="
		}), "PASS", ""},
		{"sealed for tomorrow", resealed(func(i *ubl.Invoice) { i.IssueDate.Value = "2026-11-15" }), "ERROR BR-KSA-04", ""},
		{"sealed for the day before yesterday", resealed(func(i *ubl.Invoice) { i.IssueDate.Value = "2026-11-12" }), "WARNING BR-KSA-98?", ""},
		{"sealed without a UUID", resealed(func(i *ubl.Invoice) { i.UUID = nil }), "ERROR INVOICE_UUID_VALIDATION BR-KSA-03", ""},
		{"sealed without a time", resealed(func(i *ubl.Invoice) { i.IssueTime = nil }), "ERROR BR-KSA-70", ""},
		{"sealed without a currency", resealed(func(i *ubl.Invoice) { i.DocumentCurrencyCode = nil }), "ERROR BR-05 BR-KSA-CL-02", ""},
		{"sealed with a short building number", resealed(func(i *ubl.Invoice) {
			i.Supplier.Party.PostalAddress.BuildingNumber.Value = "80"
		}), "WARNING BR-KSA-37?", ""},
		{"sealed with a wrong sum", resealed(func(i *ubl.Invoice) { i.MonetaryTotal.PayableAmount.Value = "143.00" }), "WARNING BR-CO-16?", ""},
		{"sealed with two identities of the seller", resealed(func(i *ubl.Invoice) {
			i.Supplier.Party.Identifications = append(i.Supplier.Party.Identifications, i.Supplier.Party.Identifications[0])
		}), "ERROR GENERAL", ""},
		{"sealed with an invalid type code", resealed(func(i *ubl.Invoice) { i.InvoiceTypeCode.Value = "380" }), "ERROR BR-KSA-05", ""},
	}
}

// tampersOfSchema returns changes that violate the schema, so that nothing else
// is checked.
func tampersOfSchema() []tamper {
	const invalid = "ERROR XSD_ZATCA_INVALID"
	whole := func(document string) change {
		return func(_ *fixture, s *judge.Submission) { s.Document = []byte(document) }
	}
	return []tamper{
		{"an amount that is not a number", value("cbc:PayableAmount", "142,00"), invalid, ""},
		{"an invalid date", value("cbc:IssueDate", "2026-02-30"), invalid, ""},
		{"an invalid time", value("cbc:IssueTime", "noon"), invalid, ""},
		{"a serial number in hexadecimal", value("ds:X509SerialNumber", "52f4a4"), invalid, ""},
		{"no number", resealed(func(i *ubl.Invoice) { i.ID = nil }), invalid, ""},
		{"no issue date", without("cbc:IssueDate"), invalid, ""},
		{"no totals", without("cac:LegalMonetaryTotal"), invalid, ""},
		{"no seller", without("cac:AccountingSupplierParty"), invalid, ""},
		{"no buyer", without("cac:AccountingCustomerParty"), invalid, ""},
		{"no currency of an amount", text(`<cbc:PayableAmount currencyID="SAR">`, `<cbc:PayableAmount>`), invalid, ""},
		{"an unknown attribute", text(`<cac:TaxTotal>`, `<cac:TaxTotal x="1">`), invalid, ""},
		{"an element twice", text("</cbc:IssueTime>", "</cbc:IssueTime><cbc:IssueTime>12:00:00</cbc:IssueTime>"), invalid, ""},
		{"an unknown element", text("<cac:Delivery>", "<cbc:Surprise>x</cbc:Surprise><cac:Delivery>"), invalid, ""},
		{"elements out of order", text("<cbc:IssueTime>12:00:00</cbc:IssueTime>", "<cbc:TaxCurrencyCode>SAR</cbc:TaxCurrencyCode><cbc:IssueTime>12:00:00</cbc:IssueTime>"), invalid, ""},
		{"text between elements", text("<cac:Delivery>", "<cac:Delivery>x"), invalid, ""},
		{"an element in a value", value("cbc:IssueTime", "<cbc:ID>x</cbc:ID>"), invalid, ""},
		{"a document type", text("<Invoice ", `<!DOCTYPE Invoice [<!ENTITY x "y">]><Invoice `), invalid, ""},
		{"two roots", text("</Invoice>", "</Invoice><Invoice/>"), invalid, ""},
		{"a missing end tag", text("</Invoice>", ""), invalid, ""},
		{"an empty document", whole(""), invalid, ""},
		{"not XML", whole(`{"invoice": 1}`), invalid, ""},
		{"not UTF-8", text("تمر", "\xff\xfe"), invalid, ""},
		{"another root", whole(`<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/>`), invalid + " invalid-certificate", ""},
	}
}
