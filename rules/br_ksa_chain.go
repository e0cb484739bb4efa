package rules

import (
	"strings"

	"khatm/ubl"
)

// chainRules are those of the family BR-KSA that tie a document to the ones
// before it: the counter (ICV) and the hash of the previous document (PIH).
// They check the format only. No rule of the sheets checks that the values
// continue the chain.
var chainRules = []Rule{
	{
		ID: "BR-KSA-26", Flag: Warning, Applies: Words{"documents with a previous invoice hash", "المستندات التي تحمل بصمة الفاتورة السابقة"}, Sealed: true,
		Says:  Words{"The hash of the previous invoice must be present, as plain text in base64.", "يجب إدراج بصمة الفاتورة السابقة نصًّا بترميز base64."},
		Fix:   Words{"Embed the hash in the reference PIH with mimeCode text/plain; the first document of a device embeds the hash of \"0\".", "أدرج بصمة الفاتورة السابقة في المرجع PIH، واجعل السمة mimeCode بقيمة text/plain؛ وأول مستند للجهاز يحمل البصمة المحسوبة للنص \"0\"."},
		check: unusablePreviousHash,
	},
	{
		ID: "BR-KSA-33", Flag: Error, Applies: everyDocument, Sealed: true,
		Says:  Words{"A document must have an invoice counter value (ICV).", "يجب أن يتضمن المستند قيمة عداد الفواتير (ICV)."},
		Fix:   Words{"Add a reference with the ID ICV and the counter in cbc:UUID; the device counts up by one for each document.", "أضف مرجعًا معرّفه ICV، واكتب قيمة العداد في cbc:UUID؛ ويزيد العداد واحدًا مع كل مستند يصدره الجهاز."},
		check: missingCounter,
	},
	{
		ID: "BR-KSA-34", Flag: Error, Applies: Words{"documents with an invoice counter", "المستندات التي تحمل عداد الفواتير"}, Sealed: true,
		Says:  Words{"The invoice counter must consist of digits only.", "يجب أن يتكون عداد الفواتير من أرقام فقط."},
		Fix:   Words{"Write the counter with the digits 0 to 9 alone: no letters, blanks or separators.", "اكتب قيمة العداد بالأرقام من 0 إلى 9 وحدها، دون حروف أو مسافات أو فواصل."},
		check: counterNotOfDigits,
	},
	{
		ID: "BR-KSA-61", Flag: Warning, Applies: everyDocument, Sealed: true,
		Says:  Words{"A document must contain the hash of the previous invoice (PIH).", "يجب أن يحمل المستند بصمة الفاتورة السابقة (PIH)."},
		Fix:   Words{"Add a reference with the ID PIH that embeds the hash as text/plain; the first document of a device embeds the hash of \"0\".", "أضف مرجعًا معرّفه PIH يحمل بصمة الفاتورة السابقة بنوع text/plain؛ وأول مستند للجهاز يحمل البصمة المحسوبة للنص \"0\"."},
		check: missingPreviousHash,
	},
}

const referencePath = "/Invoice/cac:AdditionalDocumentReference"

// embedded returns the object attached to a reference, or nil.
func embedded(ref *ubl.DocumentReference) *ubl.Text {
	return orEmpty(ref.Attachment).EmbeddedDocumentBinaryObject
}

func isPlainText(object *ubl.Text) bool { return normalize(object.Attr("mimeCode")) == "text/plain" }

func unusablePreviousHash(d *document, t *trial) {
	for i, ref := range d.AdditionalDocumentReferences {
		if ref.Attachment == nil || normalize(ref.ID.String()) != "PIH" {
			continue
		}
		t.seen()
		if hash := embedded(ref); hash.String() == "" || !isPlainText(hash) {
			t.fail(numbered(referencePath, i)+"/cac:Attachment/cbc:EmbeddedDocumentBinaryObject", hash.Attr("mimeCode"), "a hash with mimeCode text/plain")
		}
	}
}

// missingCounter reports a document without a counter. As in the sheet, the
// UUID of any reference counts; there must only be a reference with the ID ICV.
func missingCounter(d *document, t *trial) {
	t.seen()
	var named, counted bool
	for _, ref := range d.AdditionalDocumentReferences {
		named = named || normalize(ref.ID.String()) == "ICV"
		counted = counted || ref.UUID.String() != ""
	}
	if !named || !counted {
		t.fail(referencePath+"/cbc:UUID", "", "a reference ICV with the counter")
	}
}

func counterNotOfDigits(d *document, t *trial) {
	for i, ref := range d.AdditionalDocumentReferences {
		if ref.UUID == nil {
			continue
		}
		t.seen()
		if strings.Trim(ref.UUID.Value, "0123456789") != "" {
			t.fail(numbered(referencePath, i)+"/cbc:UUID", ref.UUID.Value, "digits only")
		}
	}
}

// missingPreviousHash reports a document without the previous hash. As in the
// sheet, the hash and the mimeCode may be of two different references.
func missingPreviousHash(d *document, t *trial) {
	t.seen()
	var hashed, plain bool
	for _, ref := range d.AdditionalDocumentReferences {
		if normalize(ref.ID.String()) == "PIH" {
			hash := embedded(ref)
			hashed = hashed || hash.String() != ""
			plain = plain || isPlainText(hash)
		}
	}
	if !hashed || !plain {
		t.fail(referencePath+"/cac:Attachment/cbc:EmbeddedDocumentBinaryObject", "", "a reference PIH with a hash as text/plain")
	}
}
