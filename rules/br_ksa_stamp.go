package rules

import (
	"slices"
	"strings"
	"time"

	"khatm/ubl"
)

// stampRules are those of the family BR-KSA on the cryptographic stamp, on the
// QR code and on sending a simplified document in time. They check the format
// only. No rule of the sheets verifies the signature.
var stampRules = []Rule{
	{
		ID: "BR-KSA-27", Flag: Warning, Applies: simplifiedDocuments, Sealed: true,
		Says:  Words{"A simplified document must have a QR code.", "يجب أن يحمل المستند المبسط رمز الاستجابة السريعة (QR)."},
		Fix:   Words{"Add a reference with the ID QR that embeds the code as text/plain; sealing the document does it.", "أضف مرجعًا معرّفه QR يحمل رمز الاستجابة السريعة بنوع text/plain؛ ويُضاف تلقائيًا عند ختم المستند."},
		check: missingQR,
	},
	{
		ID: "BR-KSA-28", Flag: Error, Applies: stampedAttachments, Sealed: true,
		Says:  Words{"The signature information must have the identifier that the authority prescribes.", "يجب أن تحمل معلومات التوقيع المعرّف الذي حددته الهيئة."},
		Fix:   Words{"Set cbc:ID of sac:SignatureInformation to " + signatureInformationID + ", and leave no attachment empty.", "اجعل قيمة cbc:ID في sac:SignatureInformation هي " + signatureInformationID + "، ولا تترك مرفقًا فارغًا."},
		check: wrongSignatureInformation,
	},
	{
		ID: "BR-KSA-29", Flag: Warning, Applies: stampedAttachments, Sealed: true,
		Says:  Words{"The stamp and cac:Signature must refer to the same signature, the one that the authority prescribes.", "يجب أن يشير الختم التشفيري وعنصر cac:Signature إلى التوقيع نفسه الذي حددته الهيئة."},
		Fix:   Words{"Set cbc:ID of cac:Signature and sbc:ReferencedSignatureID to " + signatureID + ".", "اجعل قيمة cbc:ID في cac:Signature وقيمة sbc:ReferencedSignatureID هي " + signatureID + "."},
		check: wrongSignatureReference,
	},
	{
		ID: "BR-KSA-30", Flag: Error, Applies: stampedAttachments, Sealed: true,
		Says:  Words{"cac:Signature must have the signature method that the authority prescribes.", "يجب أن يتضمن العنصر cac:Signature طريقة التوقيع التي حددتها الهيئة."},
		Fix:   Words{"Set cbc:SignatureMethod to " + signatureMethod + ", and leave no attachment empty.", "اجعل قيمة cbc:SignatureMethod هي " + signatureMethod + "، ولا تترك مرفقًا فارغًا."},
		check: wrongSignatureMethod,
	},
	{
		ID: "BR-KSA-60", Flag: Warning, Applies: simplifiedDocuments, Sealed: true,
		Says:  Words{"A simplified document must have a cryptographic stamp.", "يجب أن يحمل المستند المبسط ختمًا تشفيريًا."},
		Fix:   Words{"Seal the document with the key of a device; this adds cac:Signature.", "اختم المستند بمفتاح الجهاز؛ وعندها يُضاف العنصر cac:Signature."},
		check: missingSignature,
	},
	{
		ID: "BR-KSA-98", Flag: Warning, Applies: simplifiedDocuments, Sealed: true,
		Says:  Words{"A simplified document must be reported within 24 hours of its issue.", "يجب إبلاغ الهيئة بالمستند المبسط خلال 24 ساعة من إصداره."},
		Fix:   Words{"Send the document at once; the authority accepts it late, with this warning. Issue date and time are Riyadh time unless the time ends with Z.", "أرسل المستند فورًا؛ فالهيئة تقبله متأخرًا مع هذا التحذير. تاريخ الإصدار ووقته بتوقيت الرياض ما لم ينتهِ الوقت بحرف Z."},
		check: reportedLate,
	},
}

const (
	signatureInformationID = "urn:oasis:names:specification:ubl:signature:1"
	signatureID            = "urn:oasis:names:specification:ubl:signature:Invoice"
	signatureMethod        = "urn:oasis:names:specification:ubl:dsig:enveloped:xades"
	informationPath        = "/Invoice/ext:UBLExtensions/ext:UBLExtension/ext:ExtensionContent/sig:UBLDocumentSignatures/sac:SignatureInformation"
)

// The sheet evaluates the rules on the stamp once for each attachment except
// that of the previous hash, so they do not apply to a document without a QR
// code or another attachment.
var stampedAttachments = Words{"simplified documents with a QR code or another attachment", "المستندات المبسطة التي تحمل رمز الاستجابة السريعة أو مرفقًا آخر"}

func missingQR(d *document, t *trial) {
	if !d.simplified() {
		return
	}
	t.seen()
	for _, ref := range d.AdditionalDocumentReferences {
		if code := embedded(ref); ref.ID.String() == "QR" && normalize(code.String()) != "" && isPlainText(code) {
			return
		}
	}
	t.fail(referencePath+"/cac:Attachment/cbc:EmbeddedDocumentBinaryObject", "", "a reference QR with the code as text/plain")
}

// attachments returns the indexes of the references for which the sheet checks
// the stamp.
func (d *document) attachments() []int {
	if !d.simplified() {
		return nil
	}
	var at []int
	for i, ref := range d.AdditionalDocumentReferences {
		if ref.Attachment != nil && normalize(ref.ID.String()) != "PIH" {
			at = append(at, i)
		}
	}
	return at
}

// emptyAttachment reports a reference that has no embedded content.
func emptyAttachment(d *document, t *trial, i int) {
	if embedded(d.AdditionalDocumentReferences[i]).String() == "" {
		t.fail(numbered(referencePath, i)+"/cac:Attachment/cbc:EmbeddedDocumentBinaryObject", "", "content")
	}
}

func wrongSignatureInformation(d *document, t *trial) {
	for _, i := range d.attachments() {
		t.seen()
		t.group(func() {
			emptyAttachment(d, t, i)
			demandAmong(t, informationPath+"/cbc:ID", d.signatureInformation("cbc:ID"), signatureInformationID)
		})
	}
}

// demandAmong reports a failure unless one of the texts is want.
func demandAmong(t *trial, path string, texts []string, want string) {
	if !slices.Contains(texts, want) {
		t.fail(path, strings.Join(texts, ", "), want)
	}
}

func wrongSignatureReference(d *document, t *trial) {
	var ids, references []string
	for _, s := range d.Signatures {
		ids = append(ids, s.ID.String())
	}
	for _, r := range d.signatureInformation("sbc:ReferencedSignatureID") {
		references = append(references, normalize(r))
	}
	for range d.attachments() {
		t.seen()
		t.group(func() {
			demandAmong(t, "/Invoice/cac:Signature/cbc:ID", ids, signatureID)
			demandAmong(t, informationPath+"/sbc:ReferencedSignatureID", references, signatureID)
		})
	}
}

func wrongSignatureMethod(d *document, t *trial) {
	var methods []string
	for _, s := range d.Signatures {
		methods = append(methods, s.SignatureMethod.String())
	}
	for _, i := range d.attachments() {
		t.seen()
		t.group(func() {
			emptyAttachment(d, t, i)
			demandAmong(t, "/Invoice/cac:Signature/cbc:SignatureMethod", methods, signatureMethod)
		})
	}
}

// signatureInformation returns the texts of a child of the signature
// information in the extensions.
func (d *document) signatureInformation(name string) []string {
	nodes := down([]*ubl.Node{orEmpty(d.Extensions)},
		"ext:UBLExtension", "ext:ExtensionContent", "sig:UBLDocumentSignatures", "sac:SignatureInformation", name)
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		texts[i] = n.Text
	}
	return texts
}

// missingSignature reports a simplified document without a signature. Any text
// within cac:Signature passes, even the white space between its elements, as in
// the sheet.
func missingSignature(d *document, t *trial) {
	if !d.beginsWith("02") {
		return
	}
	t.seen()
	for _, s := range d.Signatures {
		if s.Spaced || s.ID.String() != "" || s.SignatureMethod.String() != "" || slices.ContainsFunc(s.Unmodelled, hasText) {
			return
		}
	}
	t.fail("/Invoice/cac:Signature", "", "a signature")
}

// hasText reports whether there is text in an element or in its descendants.
func hasText(n *ubl.Node) bool { return n.Text != "" || slices.ContainsFunc(n.Children, hasText) }

func reportedLate(d *document, t *trial) {
	if !d.beginsWith("02") || d.IssueDate == nil || d.IssueTime == nil {
		return
	}
	t.seen()
	issued, ok := xsDateTime(d.IssueDate.Value, d.IssueTime.Value)
	if ok && d.now.Sub(issued) > 24*time.Hour {
		t.fail("/Invoice/cbc:IssueDate", issued.Format(time.RFC3339), "not before "+d.now.Add(-24*time.Hour).In(riyadh).Format(time.RFC3339))
	}
}
