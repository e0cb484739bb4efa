package ubl

// AllowanceCharge is a discount or a charge on the document, a line or a price.
type AllowanceCharge struct {
	ChargeIndicator         *Text
	ReasonCode              *Text
	Reasons                 []*Text
	MultiplierFactorNumeric *Text
	Amount                  *Text
	BaseAmount              *Text
	TaxCategories           []*TaxCategory
	Rest
}

func (a *AllowanceCharge) shape(v visitor) {
	v.leaf("cbc:ChargeIndicator", &a.ChargeIndicator)
	v.leaf("cbc:AllowanceChargeReasonCode", &a.ReasonCode)
	v.leaves("cbc:AllowanceChargeReason", &a.Reasons)
	v.leaf("cbc:MultiplierFactorNumeric", &a.MultiplierFactorNumeric)
	v.leaf("cbc:Amount", &a.Amount)
	v.leaf("cbc:BaseAmount", &a.BaseAmount)
	many(v, "cac:TaxCategory", &a.TaxCategories)
}

// TaxCategory is a VAT category with its rate and, if no VAT is due, the
// exemption reason.
type TaxCategory struct {
	ID                     *Text
	Percent                *Text
	TaxExemptionReasonCode *Text
	TaxExemptionReasons    []*Text
	TaxScheme              *Identification
	Rest
}

func (c *TaxCategory) shape(v visitor) {
	v.leaf("cbc:ID", &c.ID)
	v.leaf("cbc:Percent", &c.Percent)
	v.leaf("cbc:TaxExemptionReasonCode", &c.TaxExemptionReasonCode)
	v.leaves("cbc:TaxExemptionReason", &c.TaxExemptionReasons)
	one(v, "cac:TaxScheme", &c.TaxScheme)
}

// TaxTotal is the VAT of the document or of a line.
type TaxTotal struct {
	TaxAmount      *Text
	RoundingAmount *Text // on a line: the total with VAT
	Subtotals      []*TaxSubtotal
	Rest
}

func (t *TaxTotal) shape(v visitor) {
	v.leaf("cbc:TaxAmount", &t.TaxAmount)
	v.leaf("cbc:RoundingAmount", &t.RoundingAmount)
	many(v, "cac:TaxSubtotal", &t.Subtotals)
}

// TaxSubtotal is the VAT of one category.
type TaxSubtotal struct {
	TaxableAmount *Text
	TaxAmount     *Text
	TaxCategory   *TaxCategory
	Rest
}

func (s *TaxSubtotal) shape(v visitor) {
	v.leaf("cbc:TaxableAmount", &s.TaxableAmount)
	v.leaf("cbc:TaxAmount", &s.TaxAmount)
	one(v, "cac:TaxCategory", &s.TaxCategory)
}
