package ubl

// Identification is a part of which only the ID is used: PartyIdentification,
// TaxScheme, OrderReference, SellersItemIdentification …
type Identification struct {
	ID *Text
	Rest
}

func (i *Identification) shape(v visitor) {
	v.leaf("cbc:ID", &i.ID)
}

// BillingReference refers to an invoice that a credit or debit note corrects.
type BillingReference struct {
	InvoiceDocumentReference *DocumentReference
	Rest
}

func (b *BillingReference) shape(v visitor) {
	one(v, "cac:InvoiceDocumentReference", &b.InvoiceDocumentReference)
}

// DocumentReference refers to another document, or contains the counter, the
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

// Embedded returns the text of the attached object, or "".
func (d *DocumentReference) Embedded() string {
	if d == nil || d.Attachment == nil {
		return ""
	}
	return d.Attachment.EmbeddedDocumentBinaryObject.String()
}

// Attachment contains the content of a document reference.
type Attachment struct {
	EmbeddedDocumentBinaryObject *Text
	Rest
}

func (a *Attachment) shape(v visitor) {
	v.leaf("cbc:EmbeddedDocumentBinaryObject", &a.EmbeddedDocumentBinaryObject)
}

// Signature states that the document is stamped, and by which method; the stamp
// itself is in the extensions.
type Signature struct {
	ID              *Text
	SignatureMethod *Text
	Spaced          bool // contains white space, which the official sheets treat as content
	Rest
}

func (s *Signature) shape(v visitor) {
	v.leaf("cbc:ID", &s.ID)
	v.leaf("cbc:SignatureMethod", &s.SignatureMethod)
}
