package ubl

// Identification is a part that holds an ID and nothing else that we use:
// PartyIdentification, TaxScheme, OrderReference, SellersItemIdentification …
type Identification struct {
	ID *Text
	Rest
}

func (i *Identification) shape(v visitor) {
	v.leaf("cbc:ID", &i.ID)
}

// BillingReference names an invoice that a credit or debit note corrects.
type BillingReference struct {
	InvoiceDocumentReference *DocumentReference
	Rest
}

func (b *BillingReference) shape(v visitor) {
	one(v, "cac:InvoiceDocumentReference", &b.InvoiceDocumentReference)
}

// DocumentReference points to another document, or carries the counter, the
// previous hash or the QR code.
type DocumentReference struct {
	ID               *Text
	UUID             *Text
	IssueDate        *Text
	IssueTime        *Text
	DocumentTypeCode *Text
	Attachment       *Attachment
	Rest
}

func (d *DocumentReference) shape(v visitor) {
	v.leaf("cbc:ID", &d.ID)
	v.leaf("cbc:UUID", &d.UUID)
	v.leaf("cbc:IssueDate", &d.IssueDate)
	v.leaf("cbc:IssueTime", &d.IssueTime)
	v.leaf("cbc:DocumentTypeCode", &d.DocumentTypeCode)
	one(v, "cac:Attachment", &d.Attachment)
}

// Embedded returns the text of the attached object, or nothing.
func (d *DocumentReference) Embedded() string {
	if d == nil || d.Attachment == nil {
		return ""
	}
	return d.Attachment.EmbeddedDocumentBinaryObject.String()
}

// Attachment holds the content of a document reference.
type Attachment struct {
	EmbeddedDocumentBinaryObject *Text
	Rest
}

func (a *Attachment) shape(v visitor) {
	v.leaf("cbc:EmbeddedDocumentBinaryObject", &a.EmbeddedDocumentBinaryObject)
}

// Signature says that the document is stamped, and how; the stamp itself is in
// the extensions.
type Signature struct {
	ID              *Text
	SignatureMethod *Text
	Spaced          bool // white space stands in it, which the official sheets take for content
	Rest
}

func (s *Signature) shape(v visitor) {
	v.leaf("cbc:ID", &s.ID)
	v.leaf("cbc:SignatureMethod", &s.SignatureMethod)
}
