package witness

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/beevik/etree"
)

// fields reads the values of the invoice that the stamp and the QR code repeat.
// Each must occur once, because readers could differ on which of two counts.
func (j *judge) fields() {
	r := j.report
	party := []name{supplierName, cac("Party")}
	for _, f := range []struct {
		into *string
		path []name
	}{
		{&r.Number, []name{idName}},
		{&r.UUID, []name{cbc("UUID")}},
		{&r.IssueDate, []name{cbc("IssueDate")}},
		{&r.IssueTime, []name{cbc("IssueTime")}},
		{&r.TypeCode, []name{cbc("InvoiceTypeCode")}},
		{&r.SellerVAT, append(party[:2:2], cac("PartyTaxScheme"), cbc("CompanyID"))},
		{&r.SellerName, append(party[:2:2], cac("PartyLegalEntity"), cbc("RegistrationName"))},
		{&r.Payable, []name{cac("LegalMonetaryTotal"), cbc("PayableAmount")}},
	} {
		*f.into = j.value("field", j.single("field", j.root, f.path))
	}
	j.vatTotal()
	j.transaction()
}

// single returns the element at a path, or nil if a step is missing. Each step
// must occur once.
func (j *judge) single(kind string, el *etree.Element, path []name) *etree.Element {
	for _, step := range path {
		found := childrenOf(el, step)
		if len(found) == 0 {
			j.find(kind+"-missing", at(el, "/"+step.String()), "the element is missing", step.String(), "")
			return nil
		}
		el = j.only(kind, found)
	}
	return el
}

// value returns the text of a leaf, which must contain nothing but text.
func (j *judge) value(kind string, el *etree.Element) string {
	if el == nil {
		return ""
	}
	text, whole := wholeText(el)
	if !whole {
		j.find(kind+"-split", at(el, ""), "only text is allowed here, no elements or comments", "", text)
	}
	return text
}

// vatTotal reads the first of the document's tax totals, which the QR code
// repeats.
func (j *judge) vatTotal() {
	totals := childrenOf(j.root, cac("TaxTotal"))
	if len(totals) == 0 {
		j.find("field-missing", at(j.root, "/cac:TaxTotal"), "the element is missing", "cac:TaxTotal", "")
		return
	}
	j.report.VATTotal = j.value("field", j.single("field", totals[0], []name{cbc("TaxAmount")}))
}

func (j *judge) transaction() {
	types := childrenOf(j.root, cbc("InvoiceTypeCode"))
	if len(types) == 0 {
		return // reported as a missing field
	}
	code, _ := attribute(types[0], "name")
	j.report.Transaction = code
	if !strings.HasPrefix(code, "01") && !strings.HasPrefix(code, "02") {
		j.find("transaction-code", at(types[0], "/@name"), "the document is neither standard nor simplified", "01… or 02…", code)
	}
}

// chain reads the counter and the previous hash.
func (j *judge) chain() {
	j.counter()
	j.previousHash()
}

func (j *judge) counter() {
	if j.parts.counter == nil {
		j.find("counter", at(j.root, "/cac:AdditionalDocumentReference"), "the ICV reference is missing", refCounter, "")
		return
	}
	el := j.reference("counter", j.parts.counter, refCounter, []name{cbc("UUID")})
	if el == nil {
		return
	}
	j.report.Counter = j.value("counter", el)
	if !isDigits(j.report.Counter) {
		j.find("counter", at(el, ""), "the counter must consist of digits only", "digits", j.report.Counter)
	}
}

func (j *judge) previousHash() {
	if j.parts.previous == nil {
		j.find("previous-hash", at(j.root, "/cac:AdditionalDocumentReference"), "the PIH reference is missing", refPrevious, "")
		return
	}
	el := j.reference("previous-hash", j.parts.previous, refPrevious, []name{cac("Attachment"), cbc("EmbeddedDocumentBinaryObject")})
	if el == nil {
		return
	}
	got := j.value("previous-hash", el)
	j.report.PreviousHash = got
	switch {
	case j.expect.PreviousHash != "":
		j.same("previous-hash", at(el, ""), "the hash is not that of the previous document", j.expect.PreviousHash, got)
	case !isPreviousHash(got):
		j.find("previous-hash", at(el, ""), "the value is neither a hash nor the constant of the first document", "base64 of 32 bytes", got)
	}
}

// reference returns the value element of a document reference. The reference
// must have a single id without white space: the rules compare it exactly.
func (j *judge) reference(kind string, el *etree.Element, id string, path []name) *etree.Element {
	if found := j.single(kind, el, []name{idName}); found != nil {
		j.same(kind, at(found, ""), "the id must be exactly this text", id, j.value(kind, found))
	}
	return j.single(kind, el, path)
}

// isPreviousHash reports whether text is a hash in base64 or, for the first
// document of a device, the base64 of the hexadecimal hash of "0".
func isPreviousHash(text string) bool {
	zero := sha256.Sum256([]byte("0"))
	if text == base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(zero[:]))) {
		return true
	}
	raw, err := strictBase64(text)
	return err == nil && len(raw) == sha256.Size
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
