package ubl

// Invoice is the root of every document: tax invoice, credit note, debit note
// and advance payment invoice.
type Invoice struct {
	Extensions                   *Node // ext:UBLExtensions as read; Write leaves it out
	ProfileID                    *Text
	ID                           *Text
	UUID                         *Text
	IssueDate                    *Text
	IssueTime                    *Text
	DueDate                      *Text
	InvoiceTypeCode              *Text
	Notes                        []*Text
	TaxPointDate                 *Text
	DocumentCurrencyCode         *Text
	TaxCurrencyCode              *Text
	OrderReference               *Identification
	BillingReferences            []*BillingReference
	ContractDocumentReferences   []*DocumentReference
	AdditionalDocumentReferences []*DocumentReference
	Signatures                   []*Signature
	Supplier                     *AccountingParty
	Customer                     *AccountingParty
	Deliveries                   []*Delivery
	PaymentMeans                 []*PaymentMeans
	AllowanceCharges             []*AllowanceCharge
	TaxExchangeRate              *ExchangeRate
	TaxTotals                    []*TaxTotal
	MonetaryTotal                *MonetaryTotal
	Lines                        []*Line
	Rest
}

func (inv *Invoice) shape(v visitor) {
	v.leaf("cbc:ProfileID", &inv.ProfileID)
	v.leaf("cbc:ID", &inv.ID)
	v.leaf("cbc:UUID", &inv.UUID)
	v.leaf("cbc:IssueDate", &inv.IssueDate)
	v.leaf("cbc:IssueTime", &inv.IssueTime)
	v.leaf("cbc:DueDate", &inv.DueDate)
	v.leaf("cbc:InvoiceTypeCode", &inv.InvoiceTypeCode)
	v.leaves("cbc:Note", &inv.Notes)
	v.leaf("cbc:TaxPointDate", &inv.TaxPointDate)
	v.leaf("cbc:DocumentCurrencyCode", &inv.DocumentCurrencyCode)
	v.leaf("cbc:TaxCurrencyCode", &inv.TaxCurrencyCode)
	one(v, "cac:OrderReference", &inv.OrderReference)
	many(v, "cac:BillingReference", &inv.BillingReferences)
	many(v, "cac:ContractDocumentReference", &inv.ContractDocumentReferences)
	many(v, "cac:AdditionalDocumentReference", &inv.AdditionalDocumentReferences)
	many(v, "cac:Signature", &inv.Signatures)
	one(v, "cac:AccountingSupplierParty", &inv.Supplier)
	one(v, "cac:AccountingCustomerParty", &inv.Customer)
	many(v, "cac:Delivery", &inv.Deliveries)
	many(v, "cac:PaymentMeans", &inv.PaymentMeans)
	many(v, "cac:AllowanceCharge", &inv.AllowanceCharges)
	one(v, "cac:TaxExchangeRate", &inv.TaxExchangeRate)
	many(v, "cac:TaxTotal", &inv.TaxTotals)
	one(v, "cac:LegalMonetaryTotal", &inv.MonetaryTotal)
	many(v, "cac:InvoiceLine", &inv.Lines)
}

// Reference returns the additional document reference with that ID: "ICV" for
// the counter, "PIH" for the previous hash, "QR" for the code. It returns nil if
// there is none.
func (inv *Invoice) Reference(id string) *DocumentReference {
	for _, r := range inv.AdditionalDocumentReferences {
		if r.ID.String() == id {
			return r
		}
	}
	return nil
}
