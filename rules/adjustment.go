package rules

import (
	"strings"

	"khatm/ubl"
)

// everyAdjustment yields each discount and charge of the document: those of the
// document, of lines and of prices, and those in elements that are not in the
// model of package ubl.
func (d *document) everyAdjustment(yield func(adjustment) bool) {
	for _, a := range d.adjustments {
		if !yield(a) {
			return
		}
	}
	for i := range d.lines {
		for _, a := range d.lines[i].adjustments {
			if !yield(a) {
				return
			}
		}
		for j, a := range d.lines[i].price.AllowanceCharges {
			if !yield(adjustment{a, numbered(d.lines[i].path+"/cac:Price/cac:AllowanceCharge", j)}) {
				return
			}
		}
	}
	for _, s := range d.straysNamed("cac:AllowanceCharge") {
		if !yield(strayAdjustment(s)) {
			return
		}
	}
}

// inPrice reports whether a discount or charge belongs to a price.
func (a adjustment) inPrice() bool {
	return strings.Contains(a.path, "/cac:Price/cac:AllowanceCharge")
}

// strayAdjustment returns a stray element as a discount or charge. It sets only
// the fields that rules on all discounts and charges read.
func strayAdjustment(s stray) adjustment {
	a := &ubl.AllowanceCharge{
		ChargeIndicator:         leaf(s.node, "cbc:ChargeIndicator"),
		MultiplierFactorNumeric: leaf(s.node, "cbc:MultiplierFactorNumeric"),
		Amount:                  leaf(s.node, "cbc:Amount"),
		BaseAmount:              leaf(s.node, "cbc:BaseAmount"),
	}
	for _, c := range s.node.Children {
		if c.Name == "cac:TaxCategory" {
			a.TaxCategories = append(a.TaxCategories, strayCategory(c))
		}
	}
	return adjustment{a, s.path}
}

func strayCategory(n *ubl.Node) *ubl.TaxCategory {
	c := &ubl.TaxCategory{ID: leaf(n, "cbc:ID"), Percent: leaf(n, "cbc:Percent")}
	if scheme := n.Child("cac:TaxScheme"); scheme != nil {
		c.TaxScheme = &ubl.Identification{ID: leaf(scheme, "cbc:ID")}
	}
	return c
}
