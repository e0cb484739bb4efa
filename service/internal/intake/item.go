package intake

import (
	"strings"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
)

// fillItem sets the fields for which a row has a value, and returns all problems of
// the item. An empty cell changes nothing.
func fillItem(row *Row, i *trade.Item) []fault.Problem {
	v := &values{of: row.values}
	for name, into := range map[string]*string{
		"item_name": &i.Name, "item_name_arabic": &i.NameArabic, "description": &i.Description, "sku": &i.SKU, "barcode": &i.Barcode,
		"unit_of_measure": &i.Unit, "vat_exemption_reason_code": &i.ReasonCode, "vat_exemption_reason_text": &i.ReasonText,
	} {
		v.text(name, into)
	}
	if text, given := row.values["vat_category_code"]; given {
		i.Category = strings.ToUpper(strings.TrimSpace(text))
	}
	v.number("item_net_price", &i.Price)
	v.number("vat_rate", &i.Rate)
	var stock money.Decimal
	if v.number("stock", &stock) {
		i.Stock = &stock
	}
	v.truth("is_active", &i.Active)
	return v.with(i.Check())
}

// identityOfItem returns what identifies an item: the SKU, or else the barcode, or
// else the name.
func identityOfItem(i trade.Item) string {
	switch {
	case i.SKU != "":
		return "sku\n" + i.SKU
	case i.Barcode != "":
		return barcode(i)
	}
	return "name\n" + i.Name
}

func barcode(i trade.Item) string { return "barcode\n" + i.Barcode }

// sameItem reports whether two items have the same data.
func sameItem(a, b trade.Item) bool {
	stock := a.Stock == nil && b.Stock == nil || a.Stock != nil && b.Stock != nil && a.Stock.Equal(*b.Stock)
	return stock && a.Price.Equal(b.Price) && a.Rate.Equal(b.Rate) && a.Active == b.Active &&
		a.Name == b.Name && a.NameArabic == b.NameArabic && a.Description == b.Description && a.SKU == b.SKU && a.Barcode == b.Barcode &&
		a.Unit == b.Unit && a.Category == b.Category && a.ReasonCode == b.ReasonCode && a.ReasonText == b.ReasonText
}
