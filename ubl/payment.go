package ubl

// Delivery contains the dates on which the goods or services were supplied.
type Delivery struct {
	ActualDeliveryDate *Text
	LatestDeliveryDate *Text
	Rest
}

func (d *Delivery) shape(v visitor) {
	v.leaf("cbc:ActualDeliveryDate", &d.ActualDeliveryDate)
	v.leaf("cbc:LatestDeliveryDate", &d.LatestDeliveryDate)
}

// PaymentMeans is the way in which the invoice is paid. On a credit or debit
// note its instruction notes give the reason.
type PaymentMeans struct {
	PaymentMeansCode      *Text
	PaymentDueDate        *Text
	InstructionNotes      []*Text
	PaymentIDs            []*Text
	PayeeFinancialAccount *FinancialAccount
	Rest
}

func (p *PaymentMeans) shape(v visitor) {
	v.leaf("cbc:PaymentMeansCode", &p.PaymentMeansCode)
	v.leaf("cbc:PaymentDueDate", &p.PaymentDueDate)
	v.leaves("cbc:InstructionNote", &p.InstructionNotes)
	v.leaves("cbc:PaymentID", &p.PaymentIDs)
	one(v, "cac:PayeeFinancialAccount", &p.PayeeFinancialAccount)
}

// FinancialAccount is the account to pay into; its notes contain the payment
// terms.
type FinancialAccount struct {
	ID           *Text
	PaymentNotes []*Text
	Rest
}

func (f *FinancialAccount) shape(v visitor) {
	v.leaf("cbc:ID", &f.ID)
	v.leaves("cbc:PaymentNote", &f.PaymentNotes)
}

// ExchangeRate converts the currency of the document into that of the tax.
type ExchangeRate struct {
	SourceCurrencyCode *Text
	TargetCurrencyCode *Text
	CalculationRate    *Text
	Rest
}

func (r *ExchangeRate) shape(v visitor) {
	v.leaf("cbc:SourceCurrencyCode", &r.SourceCurrencyCode)
	v.leaf("cbc:TargetCurrencyCode", &r.TargetCurrencyCode)
	v.leaf("cbc:CalculationRate", &r.CalculationRate)
}

// MonetaryTotal contains the totals of the document.
type MonetaryTotal struct {
	LineExtensionAmount   *Text
	TaxExclusiveAmount    *Text
	TaxInclusiveAmount    *Text
	AllowanceTotalAmount  *Text
	ChargeTotalAmount     *Text
	PrepaidAmount         *Text
	PayableRoundingAmount *Text
	PayableAmount         *Text
	Rest
}

func (m *MonetaryTotal) shape(v visitor) {
	v.leaf("cbc:LineExtensionAmount", &m.LineExtensionAmount)
	v.leaf("cbc:TaxExclusiveAmount", &m.TaxExclusiveAmount)
	v.leaf("cbc:TaxInclusiveAmount", &m.TaxInclusiveAmount)
	v.leaf("cbc:AllowanceTotalAmount", &m.AllowanceTotalAmount)
	v.leaf("cbc:ChargeTotalAmount", &m.ChargeTotalAmount)
	v.leaf("cbc:PrepaidAmount", &m.PrepaidAmount)
	v.leaf("cbc:PayableRoundingAmount", &m.PayableRoundingAmount)
	v.leaf("cbc:PayableAmount", &m.PayableAmount)
}
