package ubl

// Line is one line of the invoice, or the deduction of an advance.
type Line struct {
	ID                  *Text
	Notes               []*Text
	InvoicedQuantity    *Text
	LineExtensionAmount *Text
	DocumentReferences  []*DocumentReference
	AllowanceCharges    []*AllowanceCharge
	TaxTotals           []*TaxTotal
	Item                *Item
	Price               *Price
	Rest
}

func (l *Line) shape(v visitor) {
	v.leaf("cbc:ID", &l.ID)
	v.leaves("cbc:Note", &l.Notes)
	v.leaf("cbc:InvoicedQuantity", &l.InvoicedQuantity)
	v.leaf("cbc:LineExtensionAmount", &l.LineExtensionAmount)
	many(v, "cac:DocumentReference", &l.DocumentReferences)
	many(v, "cac:AllowanceCharge", &l.AllowanceCharges)
	many(v, "cac:TaxTotal", &l.TaxTotals)
	one(v, "cac:Item", &l.Item)
	one(v, "cac:Price", &l.Price)
}

// Item is the goods or service sold.
type Item struct {
	Descriptions           []*Text
	Name                   *Text
	BuyersIdentification   *Identification
	SellersIdentification  *Identification
	StandardIdentification *Identification
	TaxCategories          []*TaxCategory
	Properties             []*ItemProperty
	Rest
}

func (i *Item) shape(v visitor) {
	v.leaves("cbc:Description", &i.Descriptions)
	v.leaf("cbc:Name", &i.Name)
	one(v, "cac:BuyersItemIdentification", &i.BuyersIdentification)
	one(v, "cac:SellersItemIdentification", &i.SellersIdentification)
	one(v, "cac:StandardItemIdentification", &i.StandardIdentification)
	many(v, "cac:ClassifiedTaxCategory", &i.TaxCategories)
	many(v, "cac:AdditionalItemProperty", &i.Properties)
}

// ItemProperty is a named property of an item.
type ItemProperty struct {
	Name  *Text
	Value *Text
	Rest
}

func (p *ItemProperty) shape(v visitor) {
	v.leaf("cbc:Name", &p.Name)
	v.leaf("cbc:Value", &p.Value)
}

// Price is the price of one unit, or of BaseQuantity units, before VAT.
type Price struct {
	PriceAmount      *Text
	BaseQuantity     *Text
	AllowanceCharges []*AllowanceCharge
	Rest
}

func (p *Price) shape(v visitor) {
	v.leaf("cbc:PriceAmount", &p.PriceAmount)
	v.leaf("cbc:BaseQuantity", &p.BaseQuantity)
	many(v, "cac:AllowanceCharge", &p.AllowanceCharges)
}
